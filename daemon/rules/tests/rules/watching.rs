//! Clock watching: a clock that runs by another control than the regulations', or not by any.

mod hall_of;
mod honest;
mod lever;
mod low;
mod sides;
mod wrong;

use crate::hall::Hall;
use flagfall_arbiter::{Incident, IncidentKind};
use flagfall_clock::{By, ClockEvent, Player, Side, TimeControl};
use flagfall_rules::control::Course;
use flagfall_rules::{Decision, Mode, Outcome, Regulations, Rules, StartBy};

/// A game of which the clock runs by `clock`, whatever the regulations say, and shows multiples of `coarse` ms.
pub struct Game {
    pub hall: Hall,
    pub clock: Course,
    pub coarse: i64,
    /// Added by the clock to what it shows, first and second.
    pub wrong: [i64; 2],
}

impl Game {
    pub fn new(regulations: Regulations, clock: TimeControl) -> Self {
        Self::of(regulations, clock, 1, Mode::Act)
    }

    pub fn of(regulations: Regulations, clock: TimeControl, coarse: i64, mode: Mode) -> Self {
        let mut hall = Hall::with(2, regulations, StartBy::Players, mode);
        hall.round_starts();
        Self { hall, clock: Course::new(&clock), coarse, wrong: [0; 2] }
    }

    fn say(&mut self, event: Option<ClockEvent>) {
        let shown = [0, 1].map(|n: usize| {
            let ms = self.clock.ms()[n] + self.wrong[n];
            (ms + if ms > 0 { self.coarse - 1 } else { 0 }) / self.coarse * self.coarse
        });
        let flag = self.clock.flag().map(side);
        let running = self.clock.running().map(side);
        let moves = self.clock.moves();
        let clock = &mut self.hall.clocks[0];
        (clock.left, clock.right) = (shown[0], shown[1]);
        (clock.running, clock.presses, clock.flag, clock.at) = (running, moves, flag, self.hall.now);
        self.hall.report(1, event, Some(0));
    }

    pub fn start(&mut self, player: Player) {
        self.clock.start(player);
        self.say(Some(ClockEvent::Start { side: side(player), by: By::Button }));
    }

    pub fn wait(&mut self, ms: u64) {
        self.hall.wait(ms);
        self.clock.pass(ms);
    }

    /// The side to move thinks and presses.
    pub fn play(&mut self, ms: u64) {
        self.wait(ms);
        let player = self.clock.running().expect("somebody's time runs");
        self.clock.press(player);
        self.say(Some(ClockEvent::Press { side: side(player) }));
    }

    /// A press that the hall never hears of.
    pub fn unheard(&mut self, ms: u64) {
        self.wait(ms);
        let player = self.clock.running().expect("somebody's time runs");
        self.clock.press(player);
    }

    pub fn status(&mut self, ms: u64) {
        self.wait(ms);
        self.say(None);
    }

    /// The arbiter stops the board, the clock follows.
    pub fn stop(&mut self) {
        self.hall.ask("board.stop", serde_json::json!({ "board": "1" })).unwrap();
        self.hall.orders.clear();
        self.clock.stop();
        self.say(Some(ClockEvent::Stop { by: By::Command }));
    }

    pub fn resume(&mut self) {
        self.hall.ask("board.resume", serde_json::json!({ "board": "1" })).unwrap();
        self.hall.orders.clear();
        self.clock.resume();
        self.say(Some(ClockEvent::Resume { by: By::Command }));
    }

    /// The clock does what was ordered.
    pub fn adjust(&mut self, delta: [i64; 2]) {
        self.hall.orders.clear();
        self.clock.adjust(delta);
        self.say(Some(ClockEvent::Adjust { by: By::Command }));
    }

    pub fn ignored(&mut self, ms: u64, player: Player) {
        self.wait(ms);
        self.say(Some(ClockEvent::IgnoredPress { side: side(player) }));
    }

    /// All that was ever asked about the clock itself, by kind and English text.
    pub fn asked(&self) -> Vec<Incident> {
        let kinds = [
            IncidentKind::WrongSetting,
            IncidentKind::TimeDrift,
            IncidentKind::Lever,
            IncidentKind::SidesReversed,
        ];
        self.hall.incidents().into_iter().filter(|incident| kinds.contains(&incident.kind)).collect()
    }

    /// The only thing that was asked, in English.
    pub fn only(&self, kind: IncidentKind) -> Incident {
        let asked = self.asked();
        assert_eq!(asked.len(), 1, "{asked:#?}");
        assert_eq!(asked[0].kind, kind, "{asked:#?}");
        asked[0].clone()
    }

    /// Recovery ends in the same state, and what is decided after it at any step is the same.
    pub fn goes_on_after_recovery(&self) {
        self.hall.recovers();
        let every = (self.hall.log.len() / 6).max(1);
        for from in (0..self.hall.log.len()).step_by(every) {
            let mut rules = Rules::new(self.hall.setup());
            for (n, (at, input, decisions)) in self.hall.log.iter().enumerate() {
                if n < from {
                    rules.fold_input(*at, input);
                    for decision in decisions {
                        let text = serde_json::to_string(decision).unwrap();
                        rules.fold_decision(*at, &serde_json::from_str::<Decision>(&text).unwrap());
                    }
                    continue;
                }
                if n == from {
                    rules.folded();
                }
                let mut out = Outcome::default();
                rules.handle(*at, input, &mut out);
                assert_eq!(&out.decisions, decisions, "after recovery at {from}, at {input:?}");
            }
        }
    }
}

pub fn side(player: Player) -> Side {
    player.side(Side::Left)
}
