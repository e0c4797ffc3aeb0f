//! `[[round]]`: the timetable, and each round's boards from one of three places.

use super::listed::InHall;
use super::page::{Section, Written};
use super::{Surroundings, boards, matches, pairings};
use flagfall_arbiter::Wall;
use flagfall_rules::{RoundSetup, TableSetup, TeamSetup};
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, ZonedDateTime};
use toml::de::DeValue;

/// The rounds: numbers ascending, planned starts too. A start is a plan; nothing falls due by it.
pub(super) fn read(
    root: &Section<'_>,
    zone: Option<&TimeZone>,
    tables: &[Written<TableSetup>],
    teams: &[Written<TeamSetup>],
    around: Surroundings<'_>,
) -> Vec<RoundSetup> {
    let hall = InHall::new(tables, teams);
    let mut rounds: Vec<RoundSetup> = Vec::new();
    let mut lines: Vec<(u32, usize)> = Vec::new();
    let mut starts: Vec<(u32, Written<ZonedDateTime>)> = Vec::new();
    for section in root.sections("round") {
        let number =
            section.needed("number", "1", section.number("number", 1..=999)).map(|number| number.value);
        let start = start(&section, zone);
        let sources = ["board", "matches", "pairings"];
        let given: Vec<&str> = sources.into_iter().filter(|key| section.has(key)).collect();
        if let [first, second, ..] = given[..] {
            section
                .fault(second, format!("the round has `{first}` already; its boards come from one of them"));
        }
        let boards = {
            let explicit = boards::read(&section, &hall);
            let matched = matches::read(&section, &hall);
            let paired = pairings::read(&section, &hall, around);
            [explicit, matched, paired].into_iter().find(|boards| !boards.is_empty()).unwrap_or_default()
        };
        if let Some(number) = number {
            if let Some((_, first)) = lines.iter().find(|(earlier, _)| *earlier == number) {
                section.fault("number", format!("round {number} is there twice, first in line {first}"));
            } else if let Some((last, line)) = lines.last().filter(|(last, _)| *last > number) {
                let message =
                    format!("round {number} stands after round {last} of line {line}; write rounds in order");
                section.fault("number", message);
            }
            lines.push((number, section.line));
            let planned = start.as_ref().map(|start| Wall(start.value.timestamp().as_millisecond()));
            starts.extend(start.map(|start| (number, start)));
            rounds.push(RoundSetup { number, planned, boards });
        }
        section.end();
    }
    ascending(root, starts);
    rounds
}

/// Every round begins after the one before. Never sorted silently: the printed timetable of 2012 has its
/// sixth round before its fifth, and only a person knows which of the two is meant otherwise.
fn ascending(root: &Section<'_>, mut starts: Vec<(u32, Written<ZonedDateTime>)>) {
    starts.sort_by_key(|(number, _)| *number);
    for pair in starts.windows(2) {
        let [(before, earlier), (number, later)] = pair else { continue };
        if number != before && later.value.timestamp() <= earlier.value.timestamp() {
            let (at, since) = (plain(&later.value), plain(&earlier.value));
            let message = format!("round {number} starts {at} before round {before} at {since}");
            let message = if at == since { message.replace(" before ", ", the same as ") } else { message };
            root.page.fault(later.line, &later.key, message);
        }
    }
}

/// A time as the file writes it, to the minute where it is one.
fn plain(time: &ZonedDateTime) -> String {
    let form = if time.second() == 0 { "%Y-%m-%dT%H:%M" } else { "%Y-%m-%dT%H:%M:%S" };
    time.strftime(form).to_string()
}

fn start(section: &Section<'_>, zone: Option<&TimeZone>) -> Option<Written<ZonedDateTime>> {
    let found = section.raw("start")?;
    let text = match found.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        other => {
            section.wrong_type("start", other, "a time such as \"2012-06-14T08:30:00\"");
            return None;
        }
    };
    let Some(zone) = zone else {
        section.fault("start", "needs `event.timezone` to be an instant");
        return None;
    };
    let zoned = match text.parse::<Timestamp>() {
        // with its own offset: no question is open
        Ok(instant) => Ok(instant.to_zoned_datetime(zone.clone())),
        Err(_) => local(&text, zone),
    };
    match zoned {
        Ok(value) => {
            Some(Written { value, line: section.page.line(found.span().start), key: section.key("start") })
        }
        Err(wrong) => {
            section.fault("start", wrong);
            None
        }
    }
}

fn local(text: &str, zone: &TimeZone) -> Result<ZonedDateTime, String> {
    let wrong = || format!("`{text}` is no time; write it as \"2012-06-14T08:30:00\"");
    if !text.contains(['T', 't', ' ']) {
        return Err(wrong());
    }
    let time: DateTime = text.parse().map_err(|_| wrong())?;
    let name = zone.iana_name().unwrap_or("the event's zone");
    let ambiguous = zone.to_ambiguous_zoned_datetime(time);
    match ambiguous.offset() {
        AmbiguousOffset::Unambiguous { .. } => {}
        AmbiguousOffset::Gap { before, after } => {
            return Err(format!(
                "{text} does not exist in {name}: the clocks go forward there from {before} to {after}"
            ));
        }
        AmbiguousOffset::Fold { before, after } => {
            return Err(format!(
                "{text} is there twice in {name}, as the clocks go back; add its offset, {before} or {after}"
            ));
        }
    }
    ambiguous.unambiguous().map_err(|_| wrong())
}
