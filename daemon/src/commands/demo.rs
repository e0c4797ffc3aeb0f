//! `flagfall demo`: a simulated hall on ptys in front of the real daemon, with nothing to install or configure.
//!
//! The simulator's people sit at the same desk as the visitor does; whatever he does there, they live with.

use super::rehearse::configured;
use super::serve::{ended, told_to_end};
use super::token::{hash_of, new_token};
use crate::cli::{DemoArgs, Exit, Failure};
use crate::shell::{self, Listener, RunOptions};
use flagfall_arbiter::{Event, ExemptState, News, Offender, RulingState};
use flagfall_simulator::live::{DeskLogin, Encodings, LiveError, LiveOptions, Transport, pty_path, run_live};
use flagfall_simulator::{ClockLinks, Links, Scenario, User};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const MISBEHAVED: &str = include_str!("../../../scenarios/demo.toml");
const CALM: &str = include_str!("../../../scenarios/calm.toml");

/// How long the simulated clocks may take to stand.
const STAND: Duration = Duration::from_secs(10);

pub(crate) fn demo(args: &DemoArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let scenario = match &args.scenario {
        Some(file) => Scenario::load(file),
        None if args.calm => Scenario::parse("calm", CALM),
        None => Scenario::parse("demo", MISBEHAVED),
    };
    let mut scenario = scenario.map_err(|error| Failure::new(Exit::Usage, error))?;
    if let Some(boards) = args.boards.or_else(|| args.scenario.is_none().then_some(48)) {
        scenario = scenario.with_boards(boards);
    }
    let folder = tempfile::Builder::new().prefix("flagfall-demo-").tempdir();
    let folder = folder.map_err(|error| Failure::new(Exit::Io, format!("no temporary folder: {error}")))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(Exit::Unavailable, format!("no threads: {error}")))?;
    runtime.block_on(show(args, scenario, folder.path(), out))
}

async fn show(
    args: &DemoArgs,
    scenario: Scenario,
    folder: &Path,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let listen = free(args.listen)?;
    let (visitor, people) = (new_token()?, new_token()?);
    let user = |name: &str, token: &str| User {
        name: name.into(),
        role: "chief".into(),
        token_sha256: hash_of(token),
    };
    let ptys = (1..=scenario.boards).filter_map(|table| scenario.clock_at(table));
    let links = Links {
        clocks: ClockLinks::Ptys(ptys.map(|clock| (clock, pty_path(folder, clock))).collect()),
        journal: folder.join("demo.journal"),
        listen: listen.to_string(),
        users: vec![user("you", &visitor), user("simulated chief arbiter", &people)],
    };
    let config = configured(&scenario, &links)?;
    let stop = CancellationToken::new();
    let play = tokio::spawn({
        let (scenario, stop) = (scenario.clone(), stop.clone());
        let options = LiveOptions {
            transport: Transport::Pty(folder.to_owned()),
            desk: Some(DeskLogin { url: format!("http://{listen}"), token: people }),
            speed: args.speed,
            seed: Some(args.seed),
            encodings: Encodings::Mixed,
        };
        async move { run_live(&scenario, options, stop).await }
    });
    standing(&links.clocks).await;
    let running =
        shell::start(RunOptions { config, speed: args.speed }).await.map_err(|error| ended(&error))?;
    let told = CancellationToken::new();
    let counting = tokio::spawn(count(running.events(), told.clone()));
    writeln!(
        out,
        "a simulated hall of {} clocks on ptys, {} times as fast as the wall",
        scenario.boards, args.speed
    )?;
    writeln!(out, "the desk: http://{}/#token={visitor}", running.desk())?;
    writeln!(out, "the token is good for any other client: {visitor}")?;
    match args.exit_after {
        Some(seconds) => writeln!(out, "ends by itself after {seconds} s")?,
        None => writeln!(out, "Ctrl-C ends it")?,
    }
    out.flush()?;

    let until =
        told_to_end().map_err(|error| Failure::new(Exit::Unavailable, format!("no signals: {error}")))?;
    let time = async {
        match args.exit_after {
            Some(seconds) => tokio::time::sleep(Duration::from_secs(seconds)).await,
            None => std::future::pending().await,
        }
    };
    let mut play = play;
    let mut played = None;
    tokio::pin!(until, time);
    loop {
        tokio::select! {
            () = &mut until => break,
            () = &mut time => break,
            ended = &mut play, if played.is_none() => {
                match ended {
                    Ok(Err(error)) => return Err(unplayed(&error)),
                    Err(error) => return Err(Failure::new(Exit::Failed, format!("the simulator broke: {error}"))),
                    Ok(Ok(report)) => {
                        tracing::info!("the scenario is over; the desk stays");
                        played = Some(report);
                    }
                }
            }
        }
    }
    // the daemon first: a hall that is switched off under it would look like a hall in trouble
    running.stop();
    running.ended().await.map_err(|error| ended(&error))?;
    told.cancel();
    let counted = counting.await.unwrap_or_default();
    stop.cancel();
    if played.is_none()
        && let Ok(Ok(report)) = (&mut play).await
    {
        played = Some(report);
    }
    counted.write(out)?;
    if let Some(report) = played.filter(|report| report.lost > 0) {
        tracing::warn!(lost = report.lost, "messages of simulated clocks found their line's queue full");
    }
    Ok(Exit::Well)
}

fn unplayed(error: &LiveError) -> Failure {
    Failure::new(Exit::Unavailable, error)
}

/// The address itself; where any port will do, one that is free.
fn free(listen: SocketAddr) -> Result<SocketAddr, Failure> {
    let taken = |error: std::io::Error| {
        Failure::new(
            Exit::Unavailable,
            format!("cannot listen on {listen}: {error}; choose another with --listen"),
        )
    };
    TcpListener::bind(listen).and_then(|listener| listener.local_addr()).map_err(taken)
}

/// Waits until the simulated clocks' ports are there, so that nobody hears of absent ones.
async fn standing(clocks: &ClockLinks) {
    let ClockLinks::Ptys(ptys) = clocks else { return };
    let all = async {
        while !ptys.iter().all(|(_, path)| path.exists()) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    // whatever is missing then is said by the daemon, port by port
    let _ = tokio::time::timeout(STAND, all).await;
}

/// What was told, counted.
#[derive(Debug, Default)]
struct Counted {
    rulings: BTreeMap<u64, (String, RulingState, Option<bool>)>,
    incidents: BTreeMap<u64, String>,
    exempt: BTreeSet<(Option<u32>, Option<String>, &'static str)>,
    both_late: u64,
    events: BTreeMap<String, u64>,
}

/// Counts until all that was told is counted and `told` says that nothing more will be.
async fn count(mut events: Listener, told: CancellationToken) -> Counted {
    let mut counted = Counted::default();
    loop {
        tokio::select! {
            biased;
            more = events.next() => match more {
                Ok(more) => more.iter().filter_map(|told| told.event()).for_each(|event| counted.take(event)),
                Err(_) => return counted,
            },
            () = told.cancelled() => return counted,
        }
    }
}

impl Counted {
    fn take(&mut self, event: Event) {
        match event.news {
            News::Ruling(ruling) => {
                let provable = ruling.grounds.proof.map(|proof| proof.provable);
                self.rulings.insert(ruling.id, (ruling.kind.as_str().into(), ruling.state, provable));
            }
            News::Incident(incident) => {
                let kind = serde_json::to_value(incident.kind).ok();
                let kind = kind.and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default();
                self.incidents.insert(incident.id, kind);
            }
            News::RecordingExempt(exemption) => {
                if exemption.state == ExemptState::Available {
                    let who = if exemption.player == Offender::First { "first" } else { "second" };
                    self.exempt.insert((event.round, event.board, who));
                }
            }
            News::GameStarted(ref game) => {
                self.both_late += u64::from(game.both_late);
                *self.events.entry(event.r#type.into_owned()).or_default() += 1;
            }
            _ => *self.events.entry(event.r#type.into_owned()).or_default() += 1,
        }
    }

    /// `kind count` a line: rulings that stand, then what else matters, then all the rest.
    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let mut rulings: BTreeMap<String, u64> = BTreeMap::new();
        for (kind, state, provable) in self.rulings.values() {
            if matches!(state, RulingState::Overruled | RulingState::Withdrawn) {
                continue;
            }
            *rulings.entry(kind.clone()).or_default() += 1;
            if kind == "unauthorised_stop" {
                let proof = if provable == &Some(true) { "provable" } else { "unprovable" };
                *rulings.entry(format!("{kind}_{proof}")).or_default() += 1;
            }
        }
        let mut incidents: BTreeMap<&str, u64> = BTreeMap::new();
        for kind in self.incidents.values() {
            *incidents.entry(kind).or_default() += 1;
        }
        for (kind, count) in &rulings {
            writeln!(out, "{kind} {count}")?;
        }
        writeln!(out, "both_late_start {}", self.both_late)?;
        writeln!(out, "recording_exempt {}", self.exempt.len())?;
        for (kind, count) in &incidents {
            writeln!(out, "{kind} {count}")?;
        }
        for (kind, count) in &self.events {
            writeln!(out, "{kind} {count}")?;
        }
        Ok(())
    }
}
