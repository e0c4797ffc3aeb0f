//! How each table stands for a round, and setting what has no game. Clocks that only a person can set are
//! told of in one line; what they show can be accepted.

use crate::board::BoardIx;
use crate::change::Change;
use crate::state::Clock;
use crate::turn::Turn;
use flagfall_arbiter::{IncidentKind, Lane, Player, Refused, Status, Text};
use flagfall_clock::{Action, ClockId, Side, StopButton};
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
                if self.running(ix).is_some() {
                    self.order(ix, Action::Stop);
                }
                self.order(
                    ix,
                    Action::Configure { time_control: control, first_side, stop_button: StopButton::On },
                );
            }
        }
        self.ask_to_set_by_hand(number);
        Ok(number)
    }

    fn clock_there(&self, ix: BoardIx) -> Option<&Clock> {
        self.s.stands_at(ix).and_then(|clock| self.s.clocks.get(&clock))
    }

    /// Whether only a person can set the clock of this board.
    pub(crate) fn by_hand(&self, ix: BoardIx) -> bool {
        self.clock_there(ix).is_some_and(set_by_hand)
    }

    /// How a board's place stands for its round.
    pub(crate) fn table_state(&self, ix: BoardIx) -> &'static str {
        if !self.place_is_free(ix) {
            return "in_play"; // another round's game goes on there
        }
        let Some(clock) = self.clock_there(ix).filter(|clock| clock.online) else { return "offline" };
        let Some(seen) = &clock.seen else { return "offline" };
        if self.in_play(ix) || seen.running.is_some() && !self.left_running(ix) {
            return "in_play";
        }
        let board = self.board(ix);
        self.idle_state(clock, board.first_side, board.accepted)
    }

    /// The clock there runs on from a game of an earlier round that is over beyond doubt: both players have
    /// signed, or the round is closed, and nobody has pressed since. A mated player does not press.
    fn left_running(&self, ix: BoardIx) -> bool {
        if self.board(ix).started.is_some() {
            return false;
        }
        let Some(before) = self.board_before(ix) else { return false };
        let board = self.board(before);
        let closed = self.s.rounds.get(&board.round).is_some_and(|round| round.closed);
        let Some((result, since)) = &board.result else { return false };
        let pressed = board.turn.is_some_and(|turn| turn > *since);
        (closed || result.status >= Status::Signed) && !pressed
    }

    /// The board that played last at this board's place, in a round before its own.
    fn board_before(&self, ix: BoardIx) -> Option<BoardIx> {
        let here = |other: &&BoardIx| self.s.same_place(ix, **other);
        let mut before = self.s.rounds.range(..self.board(ix).round).rev();
        before.find_map(|(_, round)| round.order.iter().find(here).copied())
    }

    /// How a clock without a game stands: it is to show the times of the control, or what was accepted in
    /// their place, and nothing else.
    fn idle_state(&self, clock: &Clock, first_side: Side, accepted: Option<[i64; 2]>) -> &'static str {
        let Some(seen) = &clock.seen else { return "offline" };
        let regulations = &self.s.setup.regulations;
        let right = Player::BOTH.into_iter().all(|player| {
            let shown = seen.ms(player.side(first_side));
            shown == regulations.at_start(player)
                || accepted.is_some_and(|accepted| accepted[player as usize] == shown)
        });
        let fresh = seen.presses == [0, 0] && seen.flag.flatten().is_none() && seen.running.is_none();
        if !fresh || !right {
            return if set_by_hand(clock) { "by_hand" } else { "wrong_times" };
        }
        if clock.battery.is_some_and(|battery| battery < LOW_BATTERY_PCT) { "low_battery" } else { "ready" }
    }

    /// The answer to `round.prepare` and `round.check`: all a person must know of each table.
    pub(crate) fn tables(&self, number: u32) -> Value {
        let boards = self.s.rounds.get(&number).map(|round| round.order.clone()).unwrap_or_default();
        let tables: Vec<Value> = boards.into_iter().map(|ix| self.table(ix)).collect();
        json!({ "round": number, "tables": tables })
    }

    fn table(&self, ix: BoardIx) -> Value {
        let board = self.board(ix);
        let mut table = self.clock_at(self.s.stands_at(ix), board.first_side);
        table["table"] = json!(board.setup.table);
        table["board"] = json!(board.name);
        table["state"] = json!(self.table_state(ix));
        table
    }

    /// All tables of the hall, where no round is loaded.
    pub(crate) fn hall_tables(&self) -> Value {
        let tables = self.s.tables.iter().map(|(number, (setup, _))| {
            let clock = setup.clock.and_then(|id| self.s.clocks.get(&id)).filter(|clock| clock.online);
            let state = match clock.and_then(|clock| Some((clock, clock.seen.as_ref()?))) {
                None => "offline",
                Some((_, seen)) if seen.running.is_some() => "in_play",
                Some((clock, _)) => self.idle_state(clock, setup.first_side, None),
            };
            let mut table = self.clock_at(setup.clock, setup.first_side);
            table["table"] = json!(number);
            table["board"] = Value::Null;
            table["state"] = json!(state);
            table
        });
        json!({ "round": null, "tables": tables.collect::<Vec<_>>() })
    }

    /// What a person must know of the clock that stands at a table.
    fn clock_at(&self, id: Option<ClockId>, first_side: Side) -> Value {
        let clock = id.and_then(|id| self.s.clocks.get(&id));
        let seen = clock.and_then(|clock| clock.seen.as_ref());
        let ms = |player: Player| seen.map(|seen| seen.ms(player.side(first_side)));
        json!({
            "clock": id,
            "online": clock.is_some_and(|clock| clock.online && clock.seen.is_some()),
            "running": seen.and_then(|seen| seen.running),
            "first_side": first_side,
            "first_ms": ms(Player::First),
            "second_ms": ms(Player::Second),
            "as_of": seen.map(|seen| self.s.wall(seen.at)),
            "battery_pct": clock.and_then(|clock| clock.battery),
        })
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
        self.open_for_round(number, self.at, IncidentKind::SetByHand, Lane::Technical, text, |incident| {
            incident.boards = names;
        });
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

/// Whether only a person can set this clock.
fn set_by_hand(clock: &Clock) -> bool {
    clock.about.as_ref().and_then(|about| about.can).is_some_and(|can| !can.has("configure"))
}
