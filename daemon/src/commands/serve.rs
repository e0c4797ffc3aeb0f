//! `flagfall serve`: the daemon, until it is told to end.

use crate::cli::{Exit, Failure, ServeArgs};
use crate::config::Config;
use crate::shell::{self, RunError, RunOptions};
use std::future::Future;
use std::io;
use tokio::signal::unix::{SignalKind, signal};

pub(crate) fn serve(args: &ServeArgs) -> Result<Exit, Failure> {
    let config = Config::load(&args.config)?;
    for doubt in &config.doubts {
        tracing::warn!("{doubt}");
    }
    let beyond = config.beyond_this_build();
    if !beyond.is_empty() {
        // doing less than was asked for would send tokens in clear
        let file = config.path.display();
        let lines: Vec<String> = beyond.iter().map(|what| format!("{file}: {what}")).collect();
        return Err(Failure::new(Exit::Usage, lines.join("\n")));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(Exit::Unavailable, format!("no threads: {error}")))?;
    runtime.block_on(async {
        let told =
            told_to_end().map_err(|error| Failure::new(Exit::Unavailable, format!("no signals: {error}")))?;
        shell::run(RunOptions { config, speed: 1 }, told).await.map_err(|error| ended(&error))
    })?;
    Ok(Exit::Well)
}

/// Ready with the name of the signal logged. A second one ends the process at once, as ever.
pub(super) fn told_to_end() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        let name = tokio::select! {
            _ = interrupt.recv() => "SIGINT",
            _ = terminate.recv() => "SIGTERM",
        };
        tracing::info!("{name}: ending once all is on the disk; once more ends at once");
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            std::process::exit(i32::from(Exit::Unavailable.code()));
        });
    })
}

pub(super) fn ended(error: &RunError) -> Failure {
    let exit = match error.exit_code() {
        64 => Exit::Usage,
        69 => Exit::Unavailable,
        _ => Exit::Io,
    };
    Failure::new(exit, error)
}
