//! The requests of the contract: who may ask each, and in which hall it is tried.

use flagfall_arbiter::Request;
use flagfall_tests::hall::{Hall, Plan};
use serde_json::json;
use std::collections::BTreeSet;

/// Where a request is tried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Before and at the beginning of a round.
    Before,
    /// While games are played.
    Play,
    /// At and after their ends.
    Ends,
}

/// A request of the contract.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its method.
    pub method: &'static str,
    /// Where it is tried out.
    pub part: Part,
    /// Who may ask it beside the chief; the first one does.
    pub may: &'static [&'static str],
}

const fn row(method: &'static str, part: Part, may: &'static [&'static str]) -> Row {
    Row { method, part, may }
}

const CHIEF: &[&str] = &[];
const ARBITER: &[&str] = &["arbiter"];
const RESULTS: &[&str] = &["results", "arbiter"];
const TECHNICIAN: &[&str] = &["technician"];
const EVERYBODY: &[&str] = &["viewer", "arbiter", "results", "technician"];

/// All of them, in the order of docs/api 4.
pub const ROWS: &[Row] = &[
    row("setup.walk", Part::Before, TECHNICIAN),
    row("round.load", Part::Before, RESULTS),
    row("round.prepare", Part::Before, TECHNICIAN),
    row("round.check", Part::Before, EVERYBODY),
    row("round.view", Part::Before, EVERYBODY),
    row("round.start", Part::Before, ARBITER),
    row("round.absent", Part::Before, ARBITER),
    row("player.arrived", Part::Before, ARBITER),
    row("match.hold", Part::Before, ARBITER),
    row("round.pause", Part::Play, ARBITER),
    row("round.resume", Part::Play, ARBITER),
    row("round.close", Part::Ends, CHIEF),
    row("round.export", Part::Ends, RESULTS),
    row("board.start", Part::Before, ARBITER),
    row("board.start_times", Part::Before, ARBITER),
    row("board.stop", Part::Play, ARBITER),
    row("board.resume", Part::Play, ARBITER),
    row("board.swap_sides", Part::Play, ARBITER),
    row("board.set_times", Part::Play, ARBITER),
    row("board.adjust", Part::Play, ARBITER),
    row("undo", Part::Play, ARBITER),
    row("board.result", Part::Ends, RESULTS),
    row("board.sign", Part::Ends, RESULTS),
    row("match.results", Part::Ends, RESULTS),
    row("board.withdraw_result", Part::Ends, RESULTS),
    row("board.assign", Part::Before, &["technician", "arbiter"]),
    row("stop.explain", Part::Play, ARBITER),
    row("foul.record", Part::Play, ARBITER),
    row("foul.withdraw", Part::Play, ARBITER),
    row("foul.articles", Part::Play, ARBITER),
    row("foul.list", Part::Play, RESULTS),
    row("event.standings", Part::Ends, RESULTS),
    row("recording.exempt", Part::Play, ARBITER),
    row("claim.open", Part::Play, ARBITER),
    row("claim.decide", Part::Play, ARBITER),
    row("ruling.confirm", Part::Ends, ARBITER),
    row("ruling.overrule", Part::Ends, ARBITER),
    row("ruling.make", Part::Ends, ARBITER),
    row("ruling.announce", Part::Ends, ARBITER),
    row("incident.take", Part::Ends, ARBITER),
    row("incident.close", Part::Ends, ARBITER),
    row("event.mode", Part::Before, CHIEF),
    row("task.done", Part::Ends, ARBITER),
    row("clock.identify", Part::Before, TECHNICIAN),
    row("board.history", Part::Before, EVERYBODY),
];

/// Those which this version says it does not have, with parameters that fit. Once one is there it is taken off, and
/// the row that waits for it is tried.
pub fn pending() -> Vec<(&'static str, serde_json::Value)> {
    Vec::new()
}

/// Whether this one is not there yet.
pub fn is_pending(method: &str) -> bool {
    pending().iter().any(|(later, _)| *later == method)
}

/// The row of a method.
pub fn of(method: &str) -> Row {
    *ROWS.iter().find(|row| row.method == method).unwrap_or_else(|| panic!("{method} has no row"))
}

#[test]
fn every_request_has_a_row_and_every_row_is_a_request() {
    let rows: BTreeSet<&str> = ROWS.iter().map(|row| row.method).collect();
    let all: BTreeSet<&str> = Request::METHODS.iter().copied().collect();
    assert_eq!(rows, all);
    assert_eq!(rows.len(), ROWS.len(), "each once");
}

/// The page that people read names first who asks it first.
#[test]
fn the_page_and_the_table_name_the_same_roles() {
    let page = std::fs::read_to_string(Hall::of_workspace("docs/api/desk.md")).expect("the page");
    for row in ROWS {
        let name = format!("`{}`", row.method);
        let told = |line: &&str| {
            line.starts_with("| `") && line.split('|').nth(1).is_some_and(|cell| cell.contains(&name))
        };
        let line = page.lines().find(told).unwrap_or_else(|| panic!("{} is not on the page", row.method));
        let said =
            line.split('|').nth(3).and_then(|cell| cell.split([';', ',']).next()).expect("a role").trim();
        assert_eq!(said, row.may.first().copied().unwrap_or("chief"), "{}", row.method);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_pending_is_not_there_yet() {
    let hall = Plan { broker: false, matches: true, boards: 2, ..Plan::default() }.open().await;
    let desk = hall.desk("chief").await;
    for (method, params) in pending() {
        let refused = desk.ask(method, params).await.expect_err("take it off the list of what is pending");
        assert_eq!(refused["code"], -32601, "{method} is there: take it off the list. {refused}");
    }
    assert_eq!(desk.refused("no.such", json!({})).await, -32601);
}
