//! How each table stands for a round, and setting what has no game. Clocks that only a person can set are
//! told of in one line; what they show can be accepted.

use crate::board::BoardIx;
use crate::change::Change;
use crate::turn::Turn;
use flagfall_arbiter::{
    Audience, Grounds, Incident, IncidentKind, IncidentState, Lane, News, Player, Refused, Text,
};
use flagfall_clock::{Action, StopButton};
use serde_json::{Value, json};

/// A battery below this does not last the day, in percent.
const LOW_BATTERY_PCT: u8 = 20;

impl Turn<'_> {
    /// Sets the clocks of a round that have no game.
    pub(crate) fn prepare(&mut self, round: Option<u32>) -> Result<u32, Refused> {
        let number = self.which_round(round)?;
        let boards = self.s.rounds.get(&number).map(|round| round.order.clone()).unwrap_or_default();
        let control = self.s.setup.regulations.time_control();
        if self.s.walk.is_some() {
            self.walk_over("the round is prepared");
        }
        for &ix in &boards {
            self.serve(ix, self.at);
            if matches!(self.table_state(ix), "ready" | "wrong_times" | "low_battery") && !self.by_hand(ix) {
                let first_side = self.board(ix).first_side;
                self.order(
                    ix,
                    Action::Configure { time_control: control, first_side, stop_button: StopButton::On },
                );
            }
        }
        self.ask_to_set_by_hand(number);
        Ok(number)
    }

    /// Whether only a person can set the clock of this board.
    pub(crate) fn by_hand(&self, ix: BoardIx) -> bool {
        let clock = self.s.clock_of(ix).and_then(|clock| self.s.clocks.get(&clock));
        let can = clock.and_then(|clock| clock.about.as_ref()).and_then(|about| about.can);
        can.is_some_and(|can| !can.has("configure"))
    }

    /// How a board stands for the round.
    pub(crate) fn table_state(&self, ix: BoardIx) -> &'static str {
        let clock = self.s.clock_of(ix).and_then(|clock| self.s.clocks.get(&clock));
        // the table's clock still serves the game of another round
        let other = self.s.serving(ix).filter(|now| *now != ix);
        if other.is_some_and(|now| self.in_play(now)) {
            return "in_play";
        }
        let Some(clock) = clock.filter(|clock| clock.online) else { return "offline" };
        let Some(seen) = &clock.seen else { return "offline" };
        if self.in_play(ix) || seen.running.is_some() {
            return "in_play";
        }
        let fresh = seen.presses == [0, 0] && seen.flag.flatten().is_none();
        if !fresh || !self.shows_the_start(ix) {
            return if self.by_hand(ix) { "by_hand" } else { "wrong_times" };
        }
        if clock.battery.is_some_and(|battery| battery < LOW_BATTERY_PCT) {
            return "low_battery";
        }
        "ready"
    }

    /// Whether the clock shows the times of the control, or what was accepted in their place.
    fn shows_the_start(&self, ix: BoardIx) -> bool {
        let board = self.board(ix);
        let Some(seen) = self.s.seen(ix) else { return false };
        let regulations = &self.s.setup.regulations;
        Player::BOTH.into_iter().all(|player| {
            let shown = seen.ms(board.side(player));
            shown == regulations.at_start(player)
                || board.accepted.is_some_and(|accepted| accepted[player as usize] == shown)
        })
    }

    /// The answer to `round.prepare` and `round.check`: all a person must know of each table.
    pub(crate) fn tables(&self, number: u32) -> Value {
        let boards = self.s.rounds.get(&number).map(|round| round.order.clone()).unwrap_or_default();
        let tables: Vec<Value> = boards.into_iter().map(|ix| self.table(ix)).collect();
        json!({ "round": number, "tables": tables })
    }

    fn table(&self, ix: BoardIx) -> Value {
        let board = self.board(ix);
        let stands = board.setup.table.and_then(|table| self.s.tables.get(&table));
        let id = board.clock.or_else(|| stands.and_then(|(table, _)| table.clock));
        let clock = id.and_then(|id| self.s.clocks.get(&id));
        let seen = clock.and_then(|clock| clock.seen.as_ref());
        let ms = |player: Player| seen.map(|seen| seen.ms(board.side(player)));
        json!({
            "table": board.setup.table,
            "board": board.name,
            "clock": id,
            "state": self.table_state(ix),
            "online": clock.is_some_and(|clock| clock.online),
            "running": seen.and_then(|seen| seen.running),
            "first_side": board.first_side,
            "first_ms": ms(Player::First),
            "second_ms": ms(Player::Second),
            "as_of": seen.map(|seen| self.s.wall(seen.at)),
            "battery_pct": clock.and_then(|clock| clock.battery),
        })
    }

    /// All tables of the hall, where no round is loaded yet.
    pub(crate) fn hall_tables(&self) -> Value {
        let tables: Vec<Value> = self
            .s
            .tables
            .iter()
            .map(|(number, (table, _))| {
                let clock = table.clock.and_then(|id| self.s.clocks.get(&id));
                let seen = clock.and_then(|clock| clock.seen.as_ref());
                let online = clock.is_some_and(|clock| clock.online);
                let low = clock.and_then(|clock| clock.battery).is_some_and(|pct| pct < LOW_BATTERY_PCT);
                let regulations = &self.s.setup.regulations;
                let ms = |player: Player| seen.map(|seen| seen.ms(player.side(table.first_side)));
                let right =
                    Player::BOTH.into_iter().all(|player| ms(player) == Some(regulations.at_start(player)));
                let state = match seen {
                    Some(seen) if online && seen.running.is_some() => "in_play",
                    Some(_) if online && !right => "wrong_times",
                    Some(_) if online && low => "low_battery",
                    Some(_) if online => "ready",
                    _ => "offline",
                };
                json!({
                    "table": number,
                    "board": null,
                    "clock": table.clock,
                    "state": state,
                    "online": online,
                    "running": seen.and_then(|seen| seen.running),
                    "first_side": table.first_side,
                    "first_ms": ms(Player::First),
                    "second_ms": ms(Player::Second),
                    "as_of": seen.map(|seen| self.s.wall(seen.at)),
                    "battery_pct": clock.and_then(|clock| clock.battery),
                })
            })
            .collect();
        json!({ "round": null, "tables": tables })
    }

    /// Whether nothing more is to come for `round.prepare`.
    pub(crate) fn prepared(&self, number: u32) -> bool {
        let boards = self.s.rounds.get(&number).map(|round| round.order.as_slice()).unwrap_or_default();
        boards.iter().all(|ix| self.table_state(*ix) != "wrong_times")
    }

    fn to_set(&self, number: u32) -> Vec<BoardIx> {
        let boards = self.s.rounds.get(&number).map(|round| round.order.as_slice()).unwrap_or_default();
        boards.iter().copied().filter(|ix| self.table_state(*ix) == "by_hand").collect()
    }

    /// One line for all clocks that a person must set: what they show, what is right.
    fn ask_to_set_by_hand(&mut self, number: u32) {
        let boards = self.to_set(number);
        let asked =
            self.s.rounds.get(&number).and_then(|round| round.open.get(&IncidentKind::SetByHand)).copied();
        if boards.is_empty() {
            if let Some(id) = asked {
                self.close(id, self.at, "set");
            }
            return;
        }
        let names: Vec<String> = boards.iter().map(|ix| self.board(*ix).name.clone()).collect();
        let text = self.by_hand_in_words(number, &boards);
        if let Some(id) = asked {
            if self
                .s
                .incidents
                .get(&id)
                .is_some_and(|placed| placed.it.boards == names && placed.it.text == text)
            {
                return;
            }
            self.retell(id, self.at, |incident| {
                incident.text = text;
                incident.boards = names;
            });
            return;
        }
        let incident = Incident {
            id: self.next_id(),
            kind: IncidentKind::SetByHand,
            lane: Lane::Technical,
            state: IncidentState::Open,
            taken_by: None,
            outcome: None,
            text,
            opened: self.s.wall(self.at),
            grounds: Grounds::default(),
            boards: names,
            chairs: Vec::new(),
        };
        self.tell_hall(Audience::Desk, Some(number), self.s.wall(self.at), News::Incident(incident));
    }

    fn by_hand_in_words(&self, number: u32, boards: &[BoardIx]) -> Text {
        let regulations = &self.s.setup.regulations;
        let face = crate::words::clock_face;
        let right = Player::BOTH.map(|player| regulations.at_start(player));
        let mut shown: Vec<[i64; 2]> = boards.iter().filter_map(|ix| self.times(*ix, self.at)).collect();
        shown.sort_unstable();
        shown.dedup();
        let added = Player::BOTH.map(|player| {
            right[player as usize] + i64::from(regulations.time_control().of(player).increment_ms)
        });
        let (zh_why, en_why) = match shown.as_slice() {
            [one] if *one == added && !regulations.increment_on_first_move => {
                ("（已含首步加秒）", ", first increment added")
            }
            _ => ("", ""),
        };
        let list: Vec<String> = shown
            .iter()
            .take(3)
            .map(|[first, second]| format!("{} / {}", face(*first), face(*second)))
            .collect();
        let more = if shown.len() > 3 { " ..." } else { "" };
        let (n, shown) = (boards.len(), list.join(", "));
        let (first, second) = (face(right[0]), face(right[1]));
        Text {
            zh: format!(
                "第{number}轮：{n}台棋钟须手工设置为 {first} / {second}，现显示 {shown}{more}{zh_why}：接受或重设"
            ),
            en: format!(
                "Round {number}: {n} clocks are set by hand, to {first} / {second}; they show {shown}{more}{en_why}: accept or set"
            ),
        }
    }

    /// A clock that is set by hand says what it shows now.
    pub(crate) fn set_by_hand_shown(&mut self, ix: BoardIx) {
        let number = self.board(ix).round;
        if self.s.rounds.get(&number).is_some_and(|round| round.open.contains_key(&IncidentKind::SetByHand)) {
            self.ask_to_set_by_hand(number);
        }
    }

    /// What those clocks show is accepted as the start of their games.
    pub(crate) fn accept_by_hand(&mut self, number: u32) {
        for ix in self.to_set(number) {
            if let Some(times) = self.times(ix, self.at) {
                let board = self.board(ix).at();
                self.change(Change::Accepted { board, times });
            }
        }
    }
}
