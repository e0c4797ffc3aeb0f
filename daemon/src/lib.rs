//! The daemon: a tokio shell around the pure hall.

pub mod cli;
pub mod commands;
pub mod config;
pub mod desk;
pub mod links;
pub mod metrics;
pub mod shell;
pub mod tls;
mod uplink;
