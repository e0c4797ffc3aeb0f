//! The daemon: a tokio shell around the pure hall.

pub mod config;
