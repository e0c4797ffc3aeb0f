//! The file a real board is flashed with, on an emulated board, in lock step.

mod chance;
mod conformance;
mod cuts;
mod display;
mod drift;
mod line;
mod outputs;
mod provisioning;
mod same;
mod sizes;
mod specimen;
mod stamps;
mod table;
