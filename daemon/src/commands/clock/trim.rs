//! `flagfall clock trim`: how fast a clock's crystal is, against this host's clock.
//!
//! A clock says its untrimmed counter when it is asked. An answer may come late and never early, so of many at the
//! beginning and of many at the end the quickest are held against each other.

mod estimate;
mod host;

use super::span;
use super::talk::Talk;
use crate::cli::{Exit, Failure, TrimArgs};
use estimate::{Sample, estimate};
use flagfall_clock::{ClockId, MAX_TRIM_PPM};
use host::Reference;
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};

/// At both ends it is asked so often, for a tenth of the time or so long.
const OFTEN: Duration = Duration::from_millis(200);
const END: Duration = Duration::from_secs(60);
/// In between so seldom, to see whether it is still there.
const SELDOM: Duration = Duration::from_secs(20);
/// A crystal that is off by more is broken, or the reference is.
const CREDIBLE: f64 = 50.0;
/// A trim is to better a crystal that is off by 30 ppm at worst.
const UNSURE: f64 = 15.0;

pub(super) fn trim(args: &TrimArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let (port, json) = (&args.line.port, args.line.json);
    let mut talk = Talk::open(&args.line)?;
    let clock = talk.ask()?.clock;
    let reference = Reference::look();
    if !json {
        let who = clock.clock.map_or_else(|| "a clock without a name".into(), |name| format!("clock {name}"));
        writeln!(out, "port {port}: {who} is measured for {}; leave it on", span(args.minutes.as_secs()))?;
        if let Some(warning) = reference.warning() {
            writeln!(out, "{warning}")?;
        }
        out.flush()?;
    }
    let samples = measure(&mut talk, args.minutes)?;
    let found =
        estimate(&samples).ok_or_else(|| talk.failure(Exit::Failed, "too few answers to measure by"))?;
    let host_ppm = reference.ppm();
    let trim = found.ppm.round();
    if trim.abs() > f64::from(MAX_TRIM_PPM) {
        let what = format!(
            "its crystal seems off by {:.0} ppm, and no more than {MAX_TRIM_PPM} can be trimmed: it is broken, or this host's clock is",
            found.ppm
        );
        return Err(talk.failure(Exit::Failed, what));
    }
    if json {
        let object = json!({
            "port": port.to_string(), "clock": clock.clock.as_ref().map(ClockId::as_str), "ppm": found.ppm,
            "answers_ppm": found.within_ppm, "host_ppm": host_ppm, "host_disciplined": reference == Reference::Disciplined,
            "trim_ppm": trim, "seconds": found.seconds, "answers": samples.len(),
        });
        writeln!(out, "{object}")?;
        return Ok(Exit::Well);
    }
    let way = if found.ppm < 0.0 { "slow" } else { "fast" };
    writeln!(
        out,
        "its crystal is {way} by {:.1} ppm, give or take {:.1} by the answers and {host_ppm:.0} by this host's clock",
        found.ppm.abs(),
        found.within_ppm
    )?;
    if found.within_ppm > UNSURE {
        writeln!(out, "that is too unsure to trim by")?;
    } else {
        let named = if clock.clock.is_some() {
            format!("; it has {} now, and its name must be taken away before", clock.trim_ppm)
        } else {
            String::new()
        };
        writeln!(
            out,
            "give it with: flagfall clock provision --port {port} --name NAME ... --trim-ppm {trim:.0}{named}"
        )?;
    }
    if found.within_ppm > 1.0 {
        let minutes = (found.seconds * found.within_ppm / 60.0).ceil();
        writeln!(out, "for give or take 1 ppm by the answers measure for {minutes:.0} minutes")?;
    }
    if found.ppm.abs() > CREDIBLE {
        writeln!(
            out,
            "a crystal that is off by more than {CREDIBLE:.0} ppm is broken, or this host's clock is"
        )?;
    }
    Ok(Exit::Well)
}

/// Asks, for so long.
fn measure(talk: &mut Talk, during: Duration) -> Result<Vec<Sample>, Failure> {
    let began = Instant::now();
    let end = END.min(during / 10).max(during.min(OFTEN * 10) / 3);
    let mut samples: Vec<Sample> = Vec::new();
    loop {
        let answer = talk.ask()?;
        let at = |instant: Instant| instant.saturating_duration_since(began);
        let sample =
            Sample { asked: at(answer.asked), came: at(answer.came), uptime_us: answer.clock.uptime_us };
        if samples.last().is_some_and(|last| last.uptime_us > sample.uptime_us) {
            return Err(talk.failure(Exit::Failed, "the clock began anew while it was measured; leave it on"));
        }
        let now = sample.came;
        samples.push(sample);
        if now >= during {
            return Ok(samples);
        }
        let pause = if now < end || now + end >= during { OFTEN } else { SELDOM.min(during - end - now) };
        std::thread::sleep(pause.max(OFTEN / 4).min(during.saturating_sub(now).max(OFTEN / 4)));
    }
}
