//! What several of these tests need: the page's screens, and halls in a state worth looking at.

use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::Look;
use flagfall_tests::browser::page::Page;
use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::desk::{Desk, is};
use flagfall_tests::hall::{Hall, Plan, clock_name};
use flagfall_tests::mqtt::AtBroker;
use serde_json::{Value, json};

/// The screens of a chief, by their addresses.
pub const SCREENS: &[&str] =
    &["hall", "setup", "round", "chairs", "sheet", "tasks", "papers", "board=1/1", "board=1/2", "board=1/3"];

/// The papers that can be printed, by their addresses.
pub const PAPERS: &[&str] = &[
    "paper=record/1/1",
    "paper=slips/1",
    "paper=results/1",
    "paper=clocks/1",
    "paper=bulletin/all",
    "paper=standings",
];

/// All of them.
pub fn screens() -> impl Iterator<Item = &'static str> {
    SCREENS.iter().chain(PAPERS).copied()
}

/// A hall where games are played on all boards, with an arbiter's desk that hears everything.
pub struct Game {
    /// The hall.
    pub hall: Hall,
    /// What the daemon tells.
    pub desk: Desk,
    driver: Driver,
    clocks: Vec<(Clock, AtBroker)>,
}

impl Game {
    /// Opens it: two moves of each on every board.
    pub async fn open(boards: u32) -> Self {
        let regulations = "base_ms = 1800000\nincrement_ms = 0".into();
        let hall = Plan { boards, regulations, ..Plan::default() }.open().await;
        let desk = hall.desk("chief").await;
        let mut clocks = Vec::new();
        for table in 1..=boards {
            clocks.push(hall.clock(table, 1_800_000, 0).await);
        }
        for table in 1..=boards {
            let clock = clock_name(table);
            desk.wait("the clock is heard", |event| {
                event["type"] == "clock_online" && event["clock"] == clock
            })
            .await;
        }
        desk.done("round.start", json!({"round": 1})).await;
        for (at, (clock, _)) in clocks.iter().enumerate() {
            clock.start(Side::Left);
            clock.moves(2);
            let board = (at + 1).to_string();
            let second = json!({"player": "second", "moves": 2});
            desk.wait("four presses", |event| event["board"] == board && is(event, "press", &second)).await;
        }
        Self { hall, desk, driver: Driver::start(), clocks }
    }

    /// A board's clock.
    pub fn clock(&self, board: usize) -> &Clock {
        &self.clocks[board - 1].0
    }

    /// A browser with a role's token.
    pub async fn page(&self, role: &str, look: Look) -> Page {
        self.page_at(self.hall.port, role, look).await
    }

    /// The same over a line of its own.
    pub async fn page_at(&self, port: u16, role: &str, look: Look) -> Page {
        Page::open(&self.driver, port, role, look).await
    }

    /// Somebody stops a clock: the question.
    pub async fn stop(&self, board: usize) -> Value {
        let mark = self.desk.mark();
        self.clock(board).push_stop();
        let asked = json!({"kind": "unexplained_stop", "state": "open"});
        self.desk.since(mark, "the question", |event| is(event, "incident", &asked)).await["incident"].clone()
    }

    /// The arbiter found no cause: the ruling as it is proposed.
    pub async fn without_cause(&self, board: usize) -> Value {
        let mark = self.desk.mark();
        let params = json!({"board": board.to_string(), "cause": "without_cause", "offender": "first"});
        self.desk.done("stop.explain", params).await;
        self.desk.since(mark, "the ruling", |event| is(event, "ruling", &json!({"state": "proposed"}))).await
            ["ruling"]
            .clone()
    }

    /// Confirms a ruling at a page, where it stands in its lane.
    pub async fn confirm_at(&self, page: &Page, ruling: &Value) {
        let mark = self.desk.mark();
        let place = format!("#lane-decide [data-ruling=\"{}\"]", ruling["id"]);
        page.ask_for(&place, "ruling.confirm").await;
        if ruling["options"].as_array().is_none_or(|ways| ways.len() != 1) {
            page.send("ruling.confirm", &[("option", "0")]).await;
        }
        let confirmed = json!({"id": ruling["id"], "state": "confirmed"});
        self.desk.since(mark, "it is confirmed", |event| is(event, "ruling", &confirmed)).await;
    }
}
