//! Clock watching: a clock set otherwise than the regulations say, time that comes or goes without a
//! cause, a worn lever, reversed sides. Each is a question without an accused, one line per cause.
//!
//! The ledger of a game is folded from its clock's reports ([`ledger`]); what it shows to be wrong is
//! asked about here, once, and closed by what answers it.

mod cause;
mod fold;
mod ledger;
mod lever;
mod low;
mod moves;
mod reading;
mod words;

use crate::Mode;
use crate::board::BoardIx;
use crate::change::Change;
use crate::turn::Turn;
use crate::watch::Look;
pub use cause::Cause;
use flagfall_arbiter::{Grounds, IncidentKind, IncidentState, Lane, Text};
use flagfall_clock::Player;
pub(crate) use ledger::Ledger;
use std::borrow::Cow;

/// The sides may be taken for reversed in so many moves, both players' together.
const REVERSED_WITHIN: u32 = 6;
/// Incidents about times: what is owed is told with them.
pub(crate) const OWED: [IncidentKind; 2] = [IncidentKind::WrongSetting, IncidentKind::TimeDrift];

impl Turn<'_> {
    /// What a report shows of the clock itself.
    pub(crate) fn watch_clock(&mut self, look: Look<'_>) {
        let ix = look.ix;
        let board = self.board(ix);
        let quiet = self.s.mode() == Mode::Observe
            || board.decided()
            || board.over
            || board.flag.is_some()
            || !self.round_started(ix);
        let Some(ledger) = board.ledger.as_ref().filter(|_| !quiet) else { return };
        let running = ledger.course.running();
        let stood = running.is_none() && look.before.is_some_and(|before| before.running.is_some());
        let causes = [
            ledger.reversed(),
            ledger.cause(look.when.bound_ms),
            ledger.presses.silent(running).map(Cause::Silent),
            ledger.presses.misses().map(Cause::Misses),
            ledger.presses.bounces(ledger.coarse()).map(Cause::Bounces),
        ];
        for cause in causes.into_iter().flatten() {
            self.ask_about_clock(look, cause);
        }
        if stood {
            self.tell_what_is_owed(look);
        }
        self.presses_again(look);
    }

    /// Asks about a cause, unless it was told of before.
    fn ask_about_clock(&mut self, look: Look<'_>, cause: Cause) {
        let ix = look.ix;
        let told = self.board(ix).told.iter().find(|(_, told)| cause.same(told)).map(|(id, _)| *id);
        let asked = |turn: &Self, kind| turn.open_on(ix, kind).is_some();
        if let Cause::Drift { off } = cause
            && let Some((id, Cause::Drift { off: before })) = self.board(ix).told.last().cloned()
            && self.s.incidents.get(&id).is_some_and(|placed| placed.it.state == IncidentState::Open)
        {
            // more of the same: the line says so
            let board = self.board(ix).at();
            self.change(Change::Watched { board, incident: id, cause: Cause::Drift { off: off + before } });
            self.tell_what_is_owed(look);
            return;
        }
        let kind = match &cause {
            Cause::Drift { .. } | Cause::Seconds { .. } => IncidentKind::TimeDrift,
            Cause::Silent(_) | Cause::Misses(_) | Cause::Bounces(_) => IncidentKind::Lever,
            Cause::Reversed => IncidentKind::SidesReversed,
            _ => IncidentKind::WrongSetting,
        };
        let id = match told {
            // a ledger begun anew shows it again
            Some(id) if cause.is_setting() => id,
            Some(_) => return,
            None if kind == IncidentKind::Lever && asked(self, kind) => return,
            None => {
                let lane = match kind {
                    IncidentKind::SidesReversed | IncidentKind::WrongSetting => Lane::Look,
                    _ => Lane::Technical,
                };
                let (text, grounds) = self.clock_in_words(look, &cause);
                self.open(ix, look.when, kind, lane, grounds, text)
            }
        };
        let board = self.board(ix).at();
        self.change(Change::Watched { board, incident: id, cause });
    }

    fn clock_in_words(&self, look: Look<'_>, cause: &Cause) -> (Text, Grounds) {
        let ix = look.ix;
        let variant = self.s.setup.variant;
        let (mut zh, mut en) = words::cause(variant, cause);
        let mut grounds = Grounds::default();
        let over = self.board(ix).ledger.as_ref().map(|ledger| ledger.over);
        if let Some(over) = over.filter(|_| cause.owes()) {
            let (owed_zh, owed_en) = words::owed(variant, over);
            zh = format!("{zh}；{owed_zh}");
            en = format!("{en}; {owed_en}");
            let [first, second] = over;
            grounds.remarks.push(Cow::Owned(format!("owed: first {} ms, second {} ms", -first, -second)));
        }
        (self.words(ix).incident(&zh, &en, self.times(ix, look.when.at)), grounds)
    }

    /// The clock stands: what is owed now is said again, for whoever comes to set it right.
    fn tell_what_is_owed(&mut self, look: Look<'_>) {
        for (id, cause) in self.board(look.ix).told.clone() {
            let open = self.s.incidents.get(&id).filter(|placed| placed.it.state == IncidentState::Open);
            let Some(placed) = open.filter(|_| cause.owes()) else { continue };
            let (text, grounds) = self.clock_in_words(look, &cause);
            if placed.it.grounds.remarks != grounds.remarks {
                self.retell(id, look.when.at, |incident| {
                    incident.text = text;
                    incident.grounds.remarks = grounds.remarks;
                });
            }
        }
    }

    /// A side that did not press has pressed.
    fn presses_again(&mut self, look: Look<'_>) {
        let board = self.board(look.ix);
        let runs = board.ledger.as_ref().and_then(|ledger| ledger.course.running());
        let answered = board.told.iter().filter_map(|(id, cause)| match cause {
            Cause::Silent(player) if runs == Some(player.other()) => Some(*id),
            _ => None,
        });
        for id in answered.collect::<Vec<_>>() {
            self.close(id, look.when.at, "pressed");
        }
    }

    /// What of a clock's setting speaks against the flag of this player, in a few words.
    pub(crate) fn setting_against_flag(&self, ix: BoardIx, player: Player) -> Option<Cow<'static, str>> {
        let ledger = self.board(ix).ledger.as_ref()?;
        let short = -ledger.over[player as usize];
        if ledger.course.period_left(player) {
            return Some(Cow::Borrowed("the regulations give another period at zero"));
        }
        let much = short > ledger.slack().max(crate::flag::FITS_MS);
        much.then(|| Cow::Owned(format!("the clock gave {short} ms less than the regulations")))
    }
}

impl Ledger {
    /// The second player's side ran first, and it is early enough to ask.
    fn reversed(&self) -> Option<Cause> {
        let moves = self.course.moves();
        let early = moves[0].saturating_add(moves[1]) <= REVERSED_WITHIN;
        (early && self.began == Some(Player::Second)).then_some(Cause::Reversed)
    }
}
