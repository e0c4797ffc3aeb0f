//! The daemon: a tokio shell around the pure hall.

pub mod cli;
pub mod commands;
pub mod config;
