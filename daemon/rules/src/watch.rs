//! From a clock's report to facts about its board: what changed between what the clock showed
//! before and what it shows now. A report's own event says why; without one the change itself speaks.

use crate::board::{BoardIx, Seen};
use crate::change::Change;
use crate::state::Before;
use crate::turn::{Turn, When};
use crate::{Observation, Venue};
use flagfall_arbiter::{Gap, IncidentKind, Moved, News, Player, Times, TimesChanged};
use flagfall_clock::{By, Claim, ClockEvent, ClockId, Kind, Side};
use std::borrow::Cow;

/// A step of the times without a reason that is larger than this is told, in milliseconds.
const STEP_MS: i64 = 1_000;

/// What happened at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    Boot { restored: bool },
    Ready { player: Player },
    Started { player: Player, by: By },
    Pressed { player: Player, moves: u32, derived: bool },
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
    pub fn report(&mut self, observation: &Observation, before: &Before) {
        let clock = observation.report.clock;
        let place = self.s.board_of(clock);
        let first_side = place.map_or(Side::Left, |ix| self.board(ix).first_side);
        let fallen = |ms| self.s.setup.regulations.fallen(ms);
        let facts = facts(observation, before.seen.as_ref(), first_side, fallen);
        if let Some(gap) = before.gap {
            self.gap(clock, observation.happened, gap, &facts);
        }
        let ran = before.seen.as_ref().is_some_and(|seen| seen.running.is_some());
        if self.walked(observation, ran) {
            return;
        }
        let Some(ix) = place else { return };
        self.moved.push(ix);
        let look = Look {
            ix,
            when: When { at: observation.happened, bound_ms: observation.bound_ms },
            live: observation.live,
            off_ms: observation.off_ms,
            before: before.seen.as_ref(),
        };
        for fact in facts {
            self.fact(look, fact);
        }
        self.watch_clock(Look { ix: self.s.board_of(clock).unwrap_or(ix), ..look });
        self.settle(ix);
        self.set_by_hand_shown(ix);
    }

    /// Tells what is missing for good, with the presses that the counts show.
    fn gap(&mut self, clock: ClockId, at: Venue, (from_seq, to_seq): (u32, u32), facts: &[Fact]) {
        let missed = |of: Player| {
            let derived =
                |fact: &&Fact| matches!(fact, Fact::Pressed { player, derived: true, .. } if *player == of);
            facts.iter().filter(derived).count() as u32
        };
        let (first_presses, second_presses) = (missed(Player::First), missed(Player::Second));
        let gap = Gap { from_seq, to_seq, first_presses, second_presses };
        self.tell_clock(Some(clock), When::exactly(at), News::Gap(gap));
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
            Fact::Pressed { player, moves, derived } => self.pressed(look, player, moves, derived),
            Fact::Stopped { by, ran } => self.stopped(look, by, ran),
            Fact::Resumed { by, player } => self.resumed(look, by, player),
            Fact::Reset { by } => self.was_reset(look, by),
            Fact::Over { claim, agreed } => self.over(look, claim, agreed),
            Fact::Flag { player } => self.flag(look, player),
            Fact::Changed { by, how } => self.times_changed(look, by, how),
        }
    }

    fn pressed(&mut self, look: Look<'_>, player: Player, moves: u32, derived: bool) {
        let Some([first_ms, second_ms]) = self.times(look.ix, look.when.at) else { return };
        self.adopt(look, player);
        self.tell(look.ix, look.when, News::Press(Moved { player, moves, first_ms, second_ms, derived }));
        self.close_on(look.ix, look.when.at, &[IncidentKind::StillPlaying], "played_on");
        self.moved_here(look, player);
        self.not_over(look);
        self.played_on(look);
        self.low_before(look, player, derived);
        self.no_longer_waits(look.ix, "moved");
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

/// Presses that counts alone show are told up to this many; a larger leap is a clock that lost count.
const MOST_DERIVED: u32 = 64;

/// The facts in a report, in the order in which they happened at the clock: what its counts and state
/// show beside its own event, and that event.
fn facts(
    observation: &Observation,
    before: Option<&Seen>,
    first_side: Side,
    fallen: impl Fn(i64) -> bool,
) -> Vec<Fact> {
    let report = &observation.report;
    let player = |side: Side| Player::at(side, first_side);
    let mut facts = Vec::new();
    let mut push = |fact: Fact| facts.push(fact);
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
        kind: Kind::default(),
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
    // a side that never had any (base 0) needs the clock's own word
    let had_time = |side: Side| before.is_none_or(|before| !fallen(before.ms(side)));
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
    let gained = |side: Side| report.presses(side).saturating_sub(was.presses(side));
    let total = u64::from(gained(start)) + u64::from(gained(start.other()));
    if total > 0 {
        if running.is_none() && before.is_some() {
            push(Fact::Started { player: player(start), by: By::Unknown });
        }
        // in turns, the report's own press last
        let mut missing = [Side::Left, Side::Right]
            .map(|side| gained(side).saturating_sub(u32::from(own_press == Some(side))));
        let mut moves = was.presses;
        let mut turn = start;
        while missing != [0, 0] && missing[0].saturating_add(missing[1]) <= MOST_DERIVED {
            let side = turn as usize;
            if missing[side] > 0 {
                missing[side] -= 1;
                moves[side] += 1;
                push(Fact::Pressed { player: player(turn), moves: moves[side], derived: true });
            }
            turn = turn.other();
        }
        if let Some(side) = own_press.filter(|side| gained(*side) > 0) {
            push(Fact::Pressed { player: player(side), moves: report.presses(side), derived: false });
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
            let reported = report.flag.flatten().filter(|_| was.flag.flatten().is_none());
            if let Some(side) = reported {
                push(Fact::Flag { player: player(side) });
            } else {
                match (running, report.running) {
                    (None, Some(side)) => {
                        push(if report.presses(Side::Left).saturating_add(report.presses(Side::Right)) == 0 {
                            Fact::Started { player: player(side), by: By::Unknown }
                        } else {
                            Fact::Resumed { by: By::Unknown, player: player(side) }
                        })
                    }
                    (Some(side), None) => {
                        // a side at zero that stands has fallen, whether or not the clock knows the word
                        if fallen(report.ms(side)) && had_time(side) {
                            push(Fact::Flag { player: player(side) });
                        } else {
                            push(Fact::Stopped {
                                by: report.stopped_by.unwrap_or(By::Unknown),
                                ran: Some(player(side)),
                            });
                        }
                    }
                    (Some(_), Some(side))
                        if fallen(report.ms(side)) && had_time(side) && was.flag.flatten().is_none() =>
                    {
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
