//! A scenario played at a live daemon.

use super::desk::{Desk, DeskAsk, DeskError, DeskLogin, DeskWord};
use super::lines::{Encodings, LineError, LineWord, Lines, Transport};
use crate::scenario::{Scenario, ScenarioError};
use crate::world::{Finding, RulingLine, Said, World};
use flagfall_arbiter::Wall;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How a scenario is played.
#[derive(Clone, Debug)]
pub struct LiveOptions {
    /// What the lines are made of.
    pub transport: Transport,
    /// The desk at which the scenario's people sit; without one they only play.
    pub desk: Option<DeskLogin>,
    /// So many times as fast as the wall's clock, 1 to 1,000.
    pub speed: u32,
    /// Chance's seed; the scenario's own where none.
    pub seed: Option<u64>,
    /// How the clocks write.
    pub encodings: Encodings,
}

/// Why a scenario cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A line.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The desk.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// The daemon's time runs at another speed.
    #[error("the daemon's time runs at speed {daemon}, the scenario was to be played at {asked}")]
    Speed {
        /// The daemon's.
        daemon: u32,
        /// Ours.
        asked: u32,
    },
    /// A speed that cannot be.
    #[error("a speed is 1 to 1000")]
    NoSpeed,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct LiveReport {
    /// All rulings, as they stand.
    pub rulings: Vec<RulingLine>,
    /// What was expected. Empty without a desk: nothing was heard then.
    pub findings: Vec<Finding>,
    /// It was played to its end.
    pub finished: bool,
    /// Messages of clocks that found their line's queue full.
    pub lost: u64,
}

/// Requests and events that wait between world and desk.
const QUEUE: usize = 1_024;
/// Before the hall's doors open, so that the daemon finds its lines.
const LEAD: Duration = Duration::from_millis(200);

fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Plays `scenario` until its end, or until `stop`.
///
/// # Errors
/// The lines cannot be laid, the desk is not there or refuses, or its time runs at another speed.
pub async fn run_live(
    scenario: &Scenario,
    options: LiveOptions,
    stop: CancellationToken,
) -> Result<LiveReport, LiveError> {
    if !(1..=1_000).contains(&options.speed) {
        return Err(LiveError::NoSpeed);
    }
    let seed = options.seed.unwrap_or(scenario.seed);
    let (scenario, left_out) = scenario.clone().without_blackouts();
    for said in left_out {
        tracing::warn!("{said}");
    }
    // A clock's boots differ also from one run to the next.
    let boots = u32::try_from(since_1970().as_secs().saturating_sub(1_700_000_000)).unwrap_or(0);
    let mut world = World::with_boots(&scenario, seed, boots)?;
    let clocks: Vec<_> = world.clocks().map(crate::Device::id).collect();
    let (mut lines, mut commands) = Lines::lay(&options.transport, &clocks, options.encodings, seed).await?;

    let (ask, asks) = mpsc::channel(QUEUE);
    let (to_words, mut words) = mpsc::channel(QUEUE);
    let desk = match options.desk.clone() {
        None => None,
        Some(login) => Some(Desk::open(login).await?),
    };
    let with_desk = desk.is_some();
    if let Some(desk) = &desk
        && desk.welcome.speed != options.speed
    {
        return Err(LiveError::Speed { daemon: desk.welcome.speed, asked: options.speed });
    }
    let pace = Pace { begin: Instant::now() + LEAD, speed: options.speed };
    if let Some(desk) = &desk {
        // The people's watches show the daemon's time.
        let lead = i64::try_from(LEAD.as_millis()).unwrap_or(0) * i64::from(options.speed);
        world.set_wall(Wall(desk.welcome.now.0 + lead));
    }
    let run = format!("sim-{:x}", since_1970().as_millis());
    let desk = desk.map(|desk| tokio::spawn(desk.carry(run, asks, to_words)));

    let mut said = Vec::new();
    let finished = loop {
        let Some(next) = world.next() else { break true };
        tokio::select! {
            () = stop.cancelled() => break false,
            () = tokio::time::sleep_until(pace.instant(next)) => {}
            Some(command) = commands.recv() => world.command(pace.now(), command),
            Some(word) = words.recv() => match word {
                DeskWord::Event(event) => world.hear(pace.now(), &event),
                DeskWord::Answer(id, answer) => world.answer(pace.now(), id, answer),
            },
        }
        world.advance(pace.now(), &mut said);
        for word in said.drain(..) {
            match word {
                Said::Report { clock, report, .. } => lines.tell(clock, LineWord::Report(Box::new(report))),
                Said::Unplug { clock, .. } => lines.tell(clock, LineWord::Unplug),
                Said::Plug { clock, .. } => lines.tell(clock, LineWord::Plug),
                Said::Ask { id, method, params, .. } if with_desk => {
                    if ask.send(DeskAsk { id, method, params }).await.is_err() {
                        tracing::warn!("the desk is closed");
                    }
                }
                // taken out of the scenario before it began
                Said::Dark { .. } | Said::Light { .. } => {}
                Said::Ask { method, .. } => tracing::debug!(method, "nobody sits at the desk"),
            }
        }
    };
    drop(ask);
    drop(words);
    if let Some(desk) = desk {
        let _ = tokio::time::timeout(Duration::from_secs(1), desk).await;
    }
    let lost = lines.lost();
    lines.close().await;
    let findings = if with_desk { world.verdict() } else { Vec::new() };
    Ok(LiveReport { rulings: world.rulings(), findings, finished, lost })
}

/// World time against the host's.
#[derive(Clone, Copy, Debug)]
struct Pace {
    begin: Instant,
    speed: u32,
}

impl Pace {
    fn now(self) -> u64 {
        let passed = Instant::now().saturating_duration_since(self.begin).as_millis();
        u64::try_from(passed).unwrap_or(u64::MAX).saturating_mul(u64::from(self.speed))
    }

    /// The first instant at which that much world time has passed, to the host's whole milliseconds.
    fn instant(self, at: u64) -> Instant {
        self.begin + Duration::from_millis(at.div_ceil(u64::from(self.speed)))
    }
}
