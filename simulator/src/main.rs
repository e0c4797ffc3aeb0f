//! `flagfall-sim`: the simulator's program. Reads its command line, calls the library, says what came of it.
//!
//! Exit codes are those of sysexits: 64 usage or a scenario that cannot be, 69 unavailable, 74 input or output; 1 where
//! an expectation fails.

mod cli;
mod examine;

use clap::Parser;
use cli::{Cli, Command, LogFormat};
use flagfall_firmware::Setup;
use flagfall_simulator::live::{
    self, ClocksError, DeskLogin, LiveError, LiveOptions, ReplayError, Transport, pty_path,
};
use flagfall_simulator::{ClockLinks, Links, Scenario, ScenarioError, User};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const FAILED: u8 = 1;
const USAGE: u8 = 64;
const UNAVAILABLE: u8 = 69;
const IO: u8 = 74;

/// What went wrong, and with which exit code.
struct Trouble(u8, String);

impl From<ScenarioError> for Trouble {
    fn from(error: ScenarioError) -> Self {
        let code = if matches!(error, ScenarioError::Read { .. }) { IO } else { USAGE };
        Self(code, error.to_string())
    }
}

impl From<LiveError> for Trouble {
    fn from(error: LiveError) -> Self {
        match error {
            LiveError::Scenario(error) => error.into(),
            LiveError::NoSpeed | LiveError::Speed { .. } => Self(USAGE, error.to_string()),
            LiveError::Line(_) | LiveError::Desk(_) => Self(UNAVAILABLE, error.to_string()),
        }
    }
}

impl From<ClocksError> for Trouble {
    fn from(error: ClocksError) -> Self {
        let code = if matches!(error, ClocksError::Io(_)) { IO } else { UNAVAILABLE };
        Self(code, error.to_string())
    }
}

impl From<ReplayError> for Trouble {
    fn from(error: ReplayError) -> Self {
        let code = match error {
            ReplayError::Read { .. } | ReplayError::Write { .. } => IO,
            ReplayError::Chunk { .. } => USAGE,
            ReplayError::Line(_) => UNAVAILABLE,
        };
        Self(code, error.to_string())
    }
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { USAGE } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    log(cli.log_format);
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("flagfall-sim: no runtime: {error}");
            return ExitCode::from(UNAVAILABLE);
        }
    };
    let done = runtime.block_on(act(cli.command));
    // A read of standard input that never ends must not keep us.
    runtime.shutdown_timeout(Duration::from_millis(200));
    match done {
        Ok(code) => code,
        Err(Trouble(code, said)) => {
            eprintln!("flagfall-sim: {said}");
            ExitCode::from(code)
        }
    }
}

fn log(format: LogFormat) {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Text => builder.init(),
        LogFormat::Json => builder.json().init(),
    }
}

/// Ends with an interrupt from the terminal, or when asked to terminate.
fn stop_signal() -> CancellationToken {
    let stop = CancellationToken::new();
    let told = stop.clone();
    tokio::spawn(async move {
        let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).ok();
        let terminated = async {
            match &mut terminate {
                Some(signal) => signal.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated => {}
        }
        told.cancel();
    });
    stop
}

async fn act(command: Command) -> Result<ExitCode, Trouble> {
    match command {
        Command::Run(run) => play(run).await,
        Command::Clocks(clocks) => {
            let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
            let transport = clocks.lines.transport();
            live::play_clocks(
                clocks.number,
                Setup { control: clocks.control, ..Setup::default() },
                &transport,
                clocks.encoding.into(),
                input,
                output,
                stop_signal(),
            )
            .await?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Replay(replay) => {
            let wait = Duration::from_millis(replay.wait);
            let bytes = live::replay(&replay.capture, &replay.pty, wait, stop_signal()).await?;
            println!("{bytes} bytes");
            Ok(ExitCode::SUCCESS)
        }
        Command::Conformance(asked) => examine::examine(&asked),
        Command::Venue(venue) => {
            print!("{}", venue_file(&venue)?);
            Ok(ExitCode::SUCCESS)
        }
    }
}

async fn play(run: cli::Run) -> Result<ExitCode, Trouble> {
    let scenario = Scenario::load(&run.scenario)?;
    let desk = run.desk.zip(run.token).map(|(url, token)| DeskLogin { url, token });
    let options = LiveOptions {
        transport: run.lines.transport(),
        desk,
        speed: run.speed,
        seed: run.seed,
        encodings: run.encoding.into(),
    };
    eprintln!(
        "{}: {} boards, {} rounds, at speed {}",
        scenario.name, scenario.boards, scenario.rounds, run.speed
    );
    let report = live::run_live(&scenario, options, stop_signal()).await?;
    for ruling in &report.rulings {
        println!("{ruling}");
    }
    for finding in &report.findings {
        println!("{finding}");
    }
    if report.lost > 0 {
        eprintln!("{} messages found their line's queue full", report.lost);
    }
    if !report.finished {
        eprintln!("stopped before the end");
    }
    let failed = report.findings.iter().any(|finding| !finding.holds);
    Ok(if failed { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

fn venue_file(venue: &cli::Venue) -> Result<String, Trouble> {
    let scenario = Scenario::load(&venue.scenario)?;
    let users = venue.users.iter().map(|user| user_of(user)).collect::<Result<_, _>>()?;
    let links = Links {
        clocks: links_of(&scenario, &venue.lines.transport())?,
        journal: venue.journal.clone(),
        listen: venue.listen.clone(),
        users,
    };
    Ok(scenario.venue_toml(&links))
}

fn user_of(text: &str) -> Result<User, Trouble> {
    let wrong = || Trouble(USAGE, format!("--user {text}: write it as NAME:ROLE:SHA256-OF-HIS-TOKEN"));
    let mut parts = text.rsplitn(3, ':');
    let (Some(token), Some(role), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(wrong());
    };
    if token.len() != 64 || !token.bytes().all(|b| b.is_ascii_hexdigit()) || name.is_empty() {
        return Err(wrong());
    }
    Ok(User { name: name.into(), role: role.into(), token_sha256: token.into() })
}

fn links_of(scenario: &Scenario, transport: &Transport) -> Result<ClockLinks, Trouble> {
    let clocks = (1..=scenario.boards).filter_map(|table| scenario.clock_at(table));
    Ok(match transport {
        Transport::Pty(folder) => {
            let folder = std::path::absolute(folder).map_err(|error| Trouble(IO, error.to_string()))?;
            ClockLinks::Ptys(clocks.map(|clock| (clock, pty_path(Path::new(&folder), clock))).collect())
        }
        Transport::Mqtt(url) => ClockLinks::Mqtt(url.clone()),
        Transport::Tcp(address) => ClockLinks::Tcp(vec![address.clone()]),
        Transport::TcpEach(address) => {
            let wrong = || Trouble(USAGE, format!("--tcp-each {address}: write it as host:port"));
            let (host, port) = address.rsplit_once(':').ok_or_else(wrong)?;
            let port: u32 = port.parse().map_err(|_| wrong())?;
            ClockLinks::Tcp(clocks.zip(port..).map(|(_, port)| format!("{host}:{port}")).collect())
        }
    })
}
