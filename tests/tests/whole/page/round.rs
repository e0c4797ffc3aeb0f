//! A round of eight boards, from its list to its end, by an arbiter who has nothing but the page: in Chinese, in English,
//! and by the keyboard alone. What the page did is what the daemon holds, and the page shows it.
//!
//! [`opening`] loads, sets the clocks, starts and finds empty chairs; [`offences`] has each kind of ruling once; [`ending`]
//! results, signatures and the close.

mod ending;
mod offences;
mod opening;

use super::hand::{Hand, With};
use super::words::foreign;
use flagfall_arbiter::RulingKind;
use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::LAPTOP;
use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::desk::{Desk, is};
use flagfall_tests::hall::{Hall, Plan};
use flagfall_tests::mqtt::AtBroker;
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Both sides begin with ten minutes, so that five can be taken.
const BASE: i64 = 600_000;
/// From here on who is known absent is proposed for default; the arbiter has found the empty chairs before.
const DEFAULT: i64 = 40_000;

/// A round under way.
pub struct Round {
    hall: Hall,
    /// Hears everything: what the daemon holds.
    desk: Desk,
    viewer: Desk,
    /// The arbiter.
    hand: Hand,
    _driver: Driver,
    clocks: Vec<(Clock, AtBroker)>,
    /// The players, `[board - 1][first, second]`, and their teams, in the language of this run.
    players: Vec<[(String, String); 2]>,
}

/// Two boards and two make a match; on even boards the team listed first has the second move (二.4).
fn players(language: &str) -> Vec<[(String, String); 2]> {
    let (names, teams): ([&str; 2], [&str; 8]) = match language {
        "zh" => (["王", "李"], ["汉阳", "江岸", "黄石", "宜昌", "荆州", "襄阳", "随州", "恩施"]),
        _ => (
            ["Wang", "Li"],
            ["Hanyang", "Jiangan", "Huangshi", "Yichang", "Jingzhou", "Xiangyang", "Suizhou", "Enshi"],
        ),
    };
    let digits = ["〇", "一", "二", "三", "四", "五", "六", "七", "八"];
    let board = |n: usize| {
        let number = if language == "zh" { digits[n].to_owned() } else { n.to_string() };
        let listed = (n - 1) / 2 * 2;
        let (first, second) = if n % 2 == 1 { (listed, listed + 1) } else { (listed + 1, listed) };
        [(0, first), (1, second)]
            .map(|(player, team)| (format!("{}{number}", names[player]), teams[team].to_owned()))
    };
    (1..=8).map(board).collect()
}

impl Round {
    async fn open(language: &'static str, with: With) -> Self {
        let regulations =
            format!("base_ms = {BASE}\nincrement_ms = 0\ndefault_ms = {DEFAULT}\nrecording_exempt_ms = 0");
        let hall = Plan { boards: 8, rounds: 0, regulations, ..Plan::default() }.open().await;
        let mut clocks = Vec::new();
        for table in 1..=8 {
            // As they come out of the box.
            clocks.push(hall.clock(table, 3_000_000, 0).await);
        }
        let (desk, viewer) = (hall.desk("chief").await, hall.desk("viewer").await);
        let driver = Driver::start();
        let hand = Hand::at(&driver, hall.port, "chief", LAPTOP.in_language(language), with).await;
        Self { hall, desk, viewer, hand, _driver: driver, clocks, players: players(language) }
    }

    fn clock(&self, board: usize) -> &Clock {
        &self.clocks[board - 1].0
    }

    /// A game on this board: two moves of each.
    async fn play(&self, board: usize) {
        self.clock(board).start(Side::Left);
        self.clock(board).moves(2);
        self.told(0, board, "press", json!({"player": "second", "moves": 2})).await;
    }

    /// Waits for what is told of a board, from `mark` on.
    async fn told(&self, mark: usize, board: usize, kind: &str, fields: Value) -> Value {
        let name = board.to_string();
        let what = format!("board {board}: {kind} {fields}");
        self.desk.since(mark, &what, |event| event["board"] == name && is(event, kind, &fields)).await
    }

    /// A ruling of this kind on a board, as it was told in this state.
    async fn ruling(&self, mark: usize, board: usize, kind: &str, state: &str) -> Value {
        self.told(mark, board, "ruling", json!({"kind": kind, "state": state})).await["ruling"].clone()
    }

    /// The request was the page's, and done.
    async fn asked(&self, mark: usize, method: &str) -> Value {
        let fields = json!({"method": method, "ok": true, "by": "the chief"});
        self.desk.since(mark, method, |event| is(event, "request", &fields)).await
    }

    /// Waits until the board's card in the hall, or its own view, shows this.
    async fn shows(&self, board: usize, text: &str) {
        self.hand.page.sees_text(&format!("[data-board=\"1/{board}\"]"), text).await;
    }

    /// Nothing on the page is in the other language.
    async fn in_one_language(&self, when: &str) {
        let names = self.players.iter().flatten().flat_map(|(name, team)| [name.clone(), team.clone()]);
        let more = ["the chief", "a test", "A0", "B01"].map(String::from);
        let names: Vec<String> = names.chain(more).collect();
        let found = foreign(&self.hand.page, self.hand.page.look.language, &names).await;
        assert!(found.is_empty(), "{when}: {found:#?}");
    }
}

#[rstest]
#[case::in_chinese("zh", With::Mouse)]
#[case::in_english("en", With::Mouse)]
#[case::by_keys_alone("en", With::Keys)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_of_eight_boards(#[case] language: &'static str, #[case] with: With) {
    let round = Round::open(language, with).await;
    opening::load(&round).await;
    opening::prepare(&round).await;
    opening::start(&round).await;
    opening::empty_chairs(&round).await;
    for board in [1, 4, 5, 6, 8] {
        round.play(board).await;
    }
    opening::both_late(&round).await;
    round.in_one_language("after the opening").await;

    offences::stop_without_cause(&round).await;
    let spare = offences::start_nobody_ordered(&round).await;
    offences::pressed_before_moving(&round).await;
    offences::against_the_rules_of_movement(&round).await;
    offences::a_claim_found_false(&round).await;
    round.in_one_language("among the offences").await;
    offences::a_draw_too_early_and_overruled(&round).await;
    offences::under_an_article(&round).await;
    offences::times_set_and_taken_back(&round).await;
    offences::out_of_time(&round).await;
    offences::not_there_at_the_default_time(&round).await;

    let mut decided: BTreeSet<String> = BTreeSet::new();
    for event in round.desk.events() {
        let ruling = &event["ruling"];
        if ruling["state"] == "confirmed" && ruling["decided_by"] == "the chief" {
            decided.insert(ruling["kind"].as_str().expect("a kind").to_owned());
        }
    }
    // But for the foul limit, which only exists where an event sets one.
    let all = [
        RulingKind::TimeForfeit,
        RulingKind::Default,
        RulingKind::DoubleDefault,
        RulingKind::UnauthorisedStop,
        RulingKind::UnauthorisedStart,
        RulingKind::EarlyPress,
        RulingKind::IllegalMove,
        RulingKind::FalseClaim,
        RulingKind::ShortDraw,
        RulingKind::Article,
    ];
    let all: BTreeSet<String> = all.iter().map(|kind| kind.as_str().to_owned()).collect();
    assert_eq!(decided, all, "each kind of ruling was decided at the page");

    ending::results(&round).await;
    ending::signatures(&round).await;
    ending::close(&round).await;
    ending::papers(&round).await;
    round.in_one_language("at the end").await;
    drop(spare);
    round.hand.page.end().await;
}
