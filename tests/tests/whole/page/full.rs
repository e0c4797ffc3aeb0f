//! A hall in the middle of its day: forty-eight boards in every state a board can be in.

use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::desk::{Desk, is};
use flagfall_tests::hall::{Hall, Plan, clock_name};
use flagfall_tests::mqtt::AtBroker;
use serde_json::{Value, json};

const BASE: i64 = 3_000_000;
const SURNAMES: [&str; 24] = [
    "王", "李", "张", "刘", "陈", "杨", "黄", "赵", "吴", "周", "徐", "孙", "马", "朱", "胡", "郭", "何",
    "高", "林", "罗", "郑", "梁", "谢", "宋",
];
const GIVEN: [&str; 8] = ["建国", "伟", "志强", "磊", "晓东", "勇", "海涛", "明"];
const TEAMS: [&str; 24] = [
    "汉阳", "江岸", "黄石", "宜昌", "荆州", "襄阳", "随州", "恩施", "孝感", "黄冈", "咸宁", "鄂州", "十堰",
    "荆门", "仙桃", "潜江", "天门", "武昌", "青山", "洪山", "江夏", "蔡甸", "新洲", "黄陂",
];

/// A hall full of games.
pub struct Full {
    /// The hall.
    pub hall: Hall,
    /// What the daemon tells.
    pub desk: Desk,
    clocks: Vec<(Clock, AtBroker)>,
}

fn boards(count: usize) -> Vec<Value> {
    let player = |n: usize| format!("{}{}", SURNAMES[n % 24], GIVEN[n / 3 % 8]);
    (0..count)
        .map(|n| {
            let of = n / 4;
            let (listed, other) = (TEAMS[of * 2 % 24], TEAMS[(of * 2 + 1) % 24]);
            let (first, second) = if n % 2 == 0 { (listed, other) } else { (other, listed) };
            json!({
                "board": n + 1, "table": n + 1, "match": of + 1,
                "first": {"name": player(n * 2), "team": first}, "second": {"name": player(n * 2 + 1), "team": second},
            })
        })
        .collect()
}

impl Full {
    /// Opens it; `boards` is a multiple of four, and at least eight.
    pub async fn open(count: u32) -> Self {
        let regulations = format!("base_ms = {BASE}\nincrement_ms = 15000");
        let hall = Plan { boards: count, rounds: 0, regulations, ..Plan::default() }.open().await;
        let desk = hall.desk("chief").await;
        let mut clocks = Vec::new();
        for table in 1..=count {
            clocks.push(hall.clock(table, BASE, 15_000).await);
        }
        for table in 1..=count {
            let name = clock_name(table);
            desk.wait("the clock is heard", |event| {
                event["type"] == "clock_online" && event["clock"] == name
            })
            .await;
        }
        desk.done("round.load", json!({"round": 1, "boards": boards(count as usize)})).await;
        desk.done("round.start", json!({"round": 1})).await;
        let full = Self { hall, desk, clocks };
        full.play().await;
        full.happen().await;
        full
    }

    /// A board's clock.
    pub fn clock(&self, board: usize) -> &Clock {
        &self.clocks[board - 1].0
    }

    /// All play but the last two, with times as after half an hour.
    async fn play(&self) {
        for board in 1..=self.clocks.len() - 2 {
            let spread = |by: usize| i64::try_from(board * by % 1_500).unwrap_or(0) * 1_000;
            let params = json!({"board": board.to_string(), "first_ms": 2_700_000 - spread(137), "second_ms": 2_700_000 - spread(211)});
            self.desk.done("board.start", params).await;
        }
        for board in 1..=self.clocks.len() - 2 {
            let name = board.to_string();
            self.desk
                .wait("it runs", |event| event["board"] == name && event["type"] == "game_started")
                .await;
            self.clock(board).moves(board % 5 + 1);
            if board % 2 == 0 {
                self.clock(board).press(Side::Left);
            }
        }
    }

    /// What an afternoon has.
    async fn happen(&self) {
        let desk = &self.desk;
        // A stop without a cause, on its way to a decision; another one that nobody has explained.
        self.clock(1).push_stop();
        self.clock(2).push_stop();
        for board in ["1", "2"] {
            let asked = json!({"kind": "unexplained_stop"});
            desk.wait("the question", |event| event["board"] == board && is(event, "incident", &asked)).await;
        }
        desk.done("stop.explain", json!({"board": "1", "cause": "without_cause", "offender": "first"})).await;
        // An arbiter's stop, a claim, results in each state, fouls, a chair that is empty.
        desk.done("board.stop", json!({"board": "3"})).await;
        desk.done("claim.open", json!({"board": "4", "player": "second", "kind": "natural_limit"})).await;
        desk.done("board.result", json!({"board": "5", "result": "1-0", "cause": "mate"})).await;
        desk.done(
            "board.result",
            json!({"board": "6", "result": "1/2-1/2", "cause": "repetition", "status": "signed"}),
        )
        .await;
        desk.done("foul.record", json!({"board": "5", "player": "second", "article": "八.1"})).await;
        let last = self.clocks.len();
        let absent = json!([{"board": (last - 1).to_string(), "player": "second"}]);
        desk.done("round.absent", json!({"round": 1, "players": absent, "complete": true})).await;
        if last >= 16 {
            desk.done("foul.record", json!({"board": "9", "player": "first", "article": "六.3"})).await;
            desk.done("foul.record", json!({"board": "9", "player": "first", "article": "六.3"})).await;
            self.to("10", 150_000, 1_200_000).await;
            self.to("11", 41_000, 380_000).await;
            self.to("12", 2_000, 90_000).await;
            desk.wait("the flag", |event| event["board"] == "12" && event["type"] == "flag").await;
        }
    }

    /// An arbiter sets a board's times, and it plays on.
    async fn to(&self, board: &str, first_ms: i64, second_ms: i64) {
        self.desk.done("board.stop", json!({"board": board})).await;
        self.desk
            .wait("it stands", |event| {
                event["board"] == board && is(event, "stopped", &json!({"ordered": true}))
            })
            .await;
        self.desk
            .done("board.set_times", json!({"board": board, "first_ms": first_ms, "second_ms": second_ms}))
            .await;
        self.desk.done_soon("board.resume", json!({"board": board})).await;
        let clock = self.clock(board.parse().expect("a number"));
        flagfall_tests::until::until("it runs", flagfall_tests::until::SOON, || clock.running()).await;
        if clock.running() == Some(Side::Right) {
            clock.press(Side::Right);
        }
    }
}
