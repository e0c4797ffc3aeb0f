//! From a clock's report to facts about its board: what changed between what the clock showed
//! before and what it shows now. A report's own event says why; without one the change itself speaks.

use crate::board::{BoardIx, Seen};
use crate::change::Change;
use crate::turn::{Turn, When};
use crate::{Observation, Venue};
use flagfall_arbiter::{Moved, News, Player, Times, TimesChanged};
use flagfall_clock::{By, Claim, ClockEvent, Side};
use std::borrow::Cow;

/// A step of the times without a reason that is larger than this is told, in milliseconds.
const STEP_MS: i64 = 1_000;

/// What happened at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    Boot { restored: bool },
    Ready { player: Player },
    Started { player: Player, by: By },
    Pressed { player: Player, derived: u32 },
    Stopped { by: By, ran: Option<Player> },
    Resumed { by: By, player: Player },
    Reset { by: By },
    Over { claim: Option<Claim>, agreed: bool },
    Flag { player: Player },
    Changed { by: By, how: &'static str },
}

/// An observation as seen by one board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look<'a> {
    pub ix: BoardIx,
    pub when: When,
    pub live: bool,
    pub off_ms: Option<i64>,
    pub before: Option<&'a Seen>,
}

impl Turn<'_> {
    /// A report of a clock, already folded; `before` is what it showed before.
    pub fn report(&mut self, observation: &Observation, before: Option<&Seen>) {
        let Some(ix) = self.s.board_of(observation.report.clock) else { return };
        self.moved.push(ix);
        let look = Look {
            ix,
            when: When { at: observation.happened, bound_ms: observation.bound_ms },
            live: observation.live,
            off_ms: observation.off_ms,
            before,
        };
        let first_side = self.board(ix).first_side;
        for fact in facts(observation, before, first_side).into_iter().flatten() {
            self.fact(look, fact);
        }
        self.settle(ix);
    }

    fn fact(&mut self, look: Look<'_>, fact: Fact) {
        match fact {
            Fact::Boot { restored } => self.booted(look, restored),
            Fact::Ready { player } => {
                if !self.board(look.ix).there(player).hint {
                    let board = self.board(look.ix).at();
                    self.change(Change::Hint { board, player });
                }
            }
            Fact::Started { player, by } => self.started(look, player, by),
            Fact::Pressed { player, derived } => self.pressed(look, player, derived),
            Fact::Stopped { by, ran } => self.stopped(look, by, ran),
            Fact::Resumed { by, player } => self.resumed(look, by, player),
            Fact::Reset { by } => self.was_reset(look, by),
            Fact::Over { claim, agreed } => self.over(look, claim, agreed),
            Fact::Flag { player } => self.flag(look, player),
            Fact::Changed { by, how } => self.times_changed(look, by, how),
        }
    }

    fn pressed(&mut self, look: Look<'_>, player: Player, derived: u32) {
        let Some([first_ms, second_ms]) = self.times(look.ix, look.when.at) else { return };
        let side = self.board(look.ix).side(player);
        self.adopt(look, player);
        let Some(moves) = self.s.seen(look.ix).map(|seen| seen.presses(side)) else { return };
        for behind in (0..derived.min(8)).rev() {
            self.tell(
                look.ix,
                look.when,
                News::Press(Moved { player, moves: moves - behind, first_ms, second_ms, derived: true }),
            );
        }
        if derived == 0 {
            self.tell(
                look.ix,
                look.when,
                News::Press(Moved { player, moves, first_ms, second_ms, derived: false }),
            );
        }
        self.moved_here(look, player);
        self.played_on(look);
        self.exemption(look, player);
    }

    fn times_changed(&mut self, look: Look<'_>, by: By, how: &'static str) {
        let Some(before) = look.before else { return };
        let first_side = self.board(look.ix).first_side;
        let was = crate::board::times(before, first_side, look.when.at);
        let Some(now) = self.times(look.ix, look.when.at) else { return };
        let owed = self.board(look.ix).owed.as_ref().and_then(|owed| owed.from);
        let how = if owed.is_some_and(|(_, target)| near(now, target, 1_000)) { "owed" } else { how };
        let seq = self.tell(
            look.ix,
            look.when,
            News::TimesChanged(TimesChanged {
                by,
                before: Times { first_ms: was[0], second_ms: was[1] },
                after: Times { first_ms: now[0], second_ms: now[1] },
                how: Cow::Borrowed(how),
            }),
        );
        if how == "owed" {
            self.belongs_to_last_act(look.ix, seq);
        }
        if let Some((player, _, _)) = self.board(look.ix).flag
            && now[player as usize] > was[player as usize].max(0)
        {
            self.time_after_flag(look);
        }
    }
}

/// Whether two readings are the same, within what a coarse clock shows and at most `within`.
pub(crate) fn near(one: [i64; 2], other: [i64; 2], within: i64) -> bool {
    one.into_iter().zip(other).all(|(one, other)| (one - other).abs() < within.clamp(1, 1_000))
}

/// The facts in a report, in the order in which they happened at the clock. At most one of the
/// report's own event, and what else changed.
fn facts(observation: &Observation, before: Option<&Seen>, first_side: Side) -> [Option<Fact>; 8] {
    let report = &observation.report;
    let player = |side: Side| Player::at(side, first_side);
    let mut facts = [None; 8];
    let mut count = 0;
    let mut push = |fact: Fact| {
        if count < facts.len() {
            facts[count] = Some(fact);
            count += 1;
        }
    };
    let rebooted = before.is_some_and(|before| before.boot != report.boot);
    let fresh = Seen {
        boot: report.boot,
        at: Venue(0),
        bound_ms: 0,
        left_ms: report.left_ms,
        right_ms: report.right_ms,
        running: None,
        presses: [report.left_presses, report.right_presses],
        flag: Some(None),
    };
    // A first report tells where things stand; only its own event happened under our eyes.
    let own_press = match report.event {
        Some(ClockEvent::Press { side }) => Some(side),
        _ => None,
    };
    let mut was = match before {
        Some(before) if !rebooted => before.clone(),
        _ => fresh,
    };
    if before.is_none()
        && let Some(side) = own_press
    {
        was.presses[side as usize] = was.presses[side as usize].saturating_sub(1);
        was.running = Some(side);
    }
    if before.is_none() && matches!(report.event, Some(ClockEvent::Stop { .. } | ClockEvent::Flag { .. })) {
        was.running = match report.event {
            Some(ClockEvent::Flag { side }) => Some(side),
            _ => None,
        };
    }
    let mut explained = false;
    match &report.event {
        Some(ClockEvent::Boot(about)) => {
            if rebooted {
                push(Fact::Boot { restored: about.restored });
            }
            explained = true;
        }
        _ if rebooted => {
            push(Fact::Boot { restored: false });
            explained = true;
        }
        _ => {}
    }
    match &report.event {
        Some(ClockEvent::Reset { by }) => {
            push(Fact::Reset { by: *by });
            return facts;
        }
        Some(ClockEvent::Ready { side }) => push(Fact::Ready { player: player(*side) }),
        Some(ClockEvent::Adjust { by }) => {
            push(Fact::Changed { by: *by, how: "adjust" });
            explained = true;
            was.presses = [report.left_presses, report.right_presses];
        }
        _ => {}
    }
    if was.presses.iter().zip([report.left_presses, report.right_presses]).any(|(was, now)| now < *was) {
        // counts went back: the clock is as new, whatever it says
        push(Fact::Reset { by: By::Unknown });
        was.presses = [report.left_presses, report.right_presses];
        was.running = None;
        explained = true;
    }
    let mut running = was.running;
    // presses in the order in which they can have happened: whoever ran moved first
    let start = running.unwrap_or(first_side);
    let gained = |side: Side| report.presses(side) - was.presses(side);
    let total = gained(start) + gained(start.other());
    if total > 0 {
        if running.is_none() && before.is_some() {
            push(Fact::Started { player: player(start), by: By::Unknown });
        }
        for side in [start, start.other()] {
            let gained = gained(side);
            if gained > 0 {
                let own = own_press == Some(side);
                let derived = gained - u32::from(own);
                if derived > 0 {
                    push(Fact::Pressed { player: player(side), derived });
                }
                if own {
                    push(Fact::Pressed { player: player(side), derived: 0 });
                }
            }
        }
        running = report.running;
        if running.is_none() {
            running = own_press.map(Side::other).or(Some(start));
        }
    }
    match &report.event {
        Some(ClockEvent::Start { side, by }) => push(Fact::Started { player: player(*side), by: *by }),
        Some(ClockEvent::Stop { by }) => push(Fact::Stopped { by: *by, ran: running.map(player) }),
        Some(ClockEvent::Resume { by }) => {
            if let Some(side) = report.running {
                push(Fact::Resumed { by: *by, player: player(side) });
            }
        }
        Some(ClockEvent::Over { claim, agreed }) => push(Fact::Over { claim: *claim, agreed: *agreed }),
        Some(ClockEvent::Flag { side }) => push(Fact::Flag { player: player(*side) }),
        _ => {
            let fallen = report.flag.flatten().filter(|_| was.flag.flatten().is_none());
            if let Some(side) = fallen {
                push(Fact::Flag { player: player(side) });
            } else {
                match (running, report.running) {
                    (None, Some(side)) => {
                        push(if report.presses(Side::Left) + report.presses(Side::Right) == 0 {
                            Fact::Started { player: player(side), by: By::Unknown }
                        } else {
                            Fact::Resumed { by: By::Unknown, player: player(side) }
                        })
                    }
                    (Some(side), None) => {
                        // a side at zero that stands has fallen, whether or not the clock knows the word
                        if report.ms(side) <= 0 {
                            push(Fact::Flag { player: player(side) });
                        } else {
                            push(Fact::Stopped {
                                by: report.stopped_by.unwrap_or(By::Unknown),
                                ran: Some(player(side)),
                            });
                        }
                    }
                    (Some(_), Some(side)) if report.ms(side) <= 0 && was.flag.flatten().is_none() => {
                        push(Fact::Flag { player: player(side) });
                    }
                    _ => {}
                }
            }
        }
    }
    if !explained && observation.off_ms.is_some_and(|off| off.abs() > STEP_MS) {
        push(Fact::Changed { by: By::Unknown, how: "step" });
    }
    facts
}
