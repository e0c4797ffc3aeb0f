//! Who is there: three values, since silence is not absence (四.1, 四.2). Lateness counts from the
//! round's actual start; nothing here decides more than who may be asked about.

use crate::board::BoardIx;
use crate::turn::{Turn, When};
use crate::watch::Look;
use crate::{Boundary, DefaultReference, Mode, Stage, StartBy, Venue};
use flagfall_arbiter::{
    Cause, Effect, Grounds, News, Offender, Outcome, Player, Presence, PresenceState, Ruling, RulingKind,
    RulingState,
};
use std::borrow::Cow;

impl Turn<'_> {
    /// A completed move proves that its player is there.
    pub(crate) fn moved_here(&mut self, look: Look<'_>, player: Player) {
        let there = self.board(look.ix).there(player).state == PresenceState::Present;
        // before the round clocks are tried, by anybody
        if !there && !self.board(look.ix).decided() && self.round_started(look.ix) {
            self.present(look.ix, look.when, player, "press", None);
        }
    }

    pub(crate) fn present(
        &mut self,
        ix: BoardIx,
        when: When,
        player: Player,
        how: &'static str,
        late_ms: Option<u64>,
    ) {
        let presence = Presence { player, state: PresenceState::Present, how: Cow::Borrowed(how), late_ms };
        self.tell(ix, when, News::Presence(presence));
        self.ask_again_who_sits(self.board(ix).round);
        // A fact from before the limit answers a proposal; one from after it leaves it to an arbiter.
        if self.s.begins(ix).is_some() && !self.past_default(ix, when.at) {
            self.withdraw_defaults(ix, "he was there in time");
            self.look_at_defaults(ix, self.at);
        }
    }

    /// What was proposed for lateness no longer holds.
    pub(crate) fn withdraw_defaults(&mut self, ix: BoardIx, why: &str) {
        for id in self.waiting(ix, &[RulingKind::Default, RulingKind::DoubleDefault]) {
            self.withdraw(id, why);
        }
    }

    /// The boards whose default time is past.
    pub(crate) fn past_their_time(&self, boards: &[BoardIx]) -> Vec<BoardIx> {
        let past = |ix: &BoardIx| !self.board(*ix).decided() && self.past_default(*ix, self.at);
        boards.iter().copied().filter(past).collect()
    }

    /// What an arbiter said may have put off the default time of these boards, which was past before. Where
    /// it is still to come nobody is too late: what was proposed no longer holds, what silence showed until
    /// the earlier time shows nothing of the later one, and the chairs are looked at again when it comes.
    pub(crate) fn put_off(&mut self, number: u32, were_past: &[BoardIx], why: &str) {
        let mut boards = Vec::new();
        for &ix in were_past {
            if self.past_default(ix, self.at) {
                continue;
            }
            self.withdraw_defaults(ix, why);
            for player in Player::BOTH {
                let there = self.board(ix).there(player);
                if there.by_silence && there.state == PresenceState::Absent {
                    let how = Cow::Borrowed("undone");
                    let news = Presence { player, state: PresenceState::Unknown, how, late_ms: None };
                    self.tell(ix, When::exactly(self.at), News::Presence(news));
                }
            }
            boards.push(self.board(ix).name.clone());
        }
        if !boards.is_empty() {
            self.change(crate::Change::PresenceLooked { round: number, boards, stage: Stage::None });
        }
        self.ask_again_who_sits(number);
    }

    pub(crate) fn absent(&mut self, ix: BoardIx, when: When, player: Player, how: &'static str) {
        let presence =
            Presence { player, state: PresenceState::Absent, how: Cow::Borrowed(how), late_ms: None };
        self.tell(ix, when, News::Presence(presence));
        self.ask_again_who_sits(self.board(ix).round);
    }

    /// The proposed rulings of these kinds on a board.
    pub(crate) fn waiting(&self, ix: BoardIx, kinds: &[RulingKind]) -> Vec<u64> {
        let rulings = self.board(ix).rulings.iter();
        rulings
            .filter(|id| {
                self.s.rulings.get(id).is_some_and(|placed| {
                    placed.it.state == RulingState::Proposed && kinds.contains(&placed.it.kind)
                })
            })
            .copied()
            .collect()
    }

    /// Whether the default time of this board, or of one of its players by his own clock, is past.
    fn past_default(&self, ix: BoardIx, at: Venue) -> bool {
        Player::BOTH.into_iter().any(|player| self.past_default_of(ix, player, at))
    }

    fn past_default_of(&self, ix: BoardIx, player: Player, at: Venue) -> bool {
        let Some(limit) = self.s.default_of(ix, player) else { return false };
        match self.s.setup.regulations.default_boundary {
            Boundary::After => at.0 as i64 > limit,
            Boundary::At => at.0 as i64 >= limit,
        }
    }

    /// Two thirds of the default time, or all of it, have come for boards of a round: known absents are
    /// proposed for, the other chairs are told of in one line, and asked about once it has come.
    pub(crate) fn presence_time(&mut self, number: u32, now: Venue) {
        let Some(round) = self.s.rounds.get(&number) else { return };
        let order = round.order.clone();
        for stage in [Stage::Look, Stage::Default] {
            let due: Vec<BoardIx> = order
                .iter()
                .copied()
                .filter(|ix| self.s.presence_due(*ix).is_some_and(|(due, of)| due <= now && of == stage))
                .collect();
            if due.is_empty() {
                continue;
            }
            let boards = due.iter().map(|ix| self.board(*ix).name.clone()).collect();
            self.change(crate::Change::PresenceLooked { round: number, boards, stage });
            for ix in due {
                self.moved.push(ix);
                if stage == Stage::Default {
                    self.silence_shows_absence(ix);
                    self.look_at_defaults(ix, self.at);
                }
            }
        }
        self.ask_who_sits(number);
    }

    /// A clock that was heard from the start to the default time and never ran, with neither word
    /// nor hint of a player: he is not there. Where the daemon starts the clocks, one that stands shows
    /// nothing of the players.
    fn silence_shows_absence(&mut self, ix: BoardIx) {
        let Some((start, limit)) = self.s.begins(ix).zip(self.s.default_at(ix)) else { return };
        if self.s.setup.start_by == StartBy::Daemon
            || self.s.setup.regulations.default_reference == DefaultReference::OwnClock
        {
            return;
        }
        let limit = Venue(limit.max(0) as u64);
        let board = self.board(ix);
        let Some(clock) = self.s.clock_of(ix).and_then(|clock| self.s.clocks.get(&clock)) else { return };
        // this clock, for this board, all the time
        let from = start.max(0);
        let heard = clock.online
            && clock.online_since.is_some_and(|since| since.0 as i64 <= from)
            && board.served.0 as i64 <= from;
        let ran = board.started.is_some()
            || clock.seen.as_ref().is_none_or(|seen| seen.presses != [0, 0] || seen.running.is_some());
        if !heard || ran {
            return;
        }
        for player in Player::BOTH {
            let there = self.board(ix).there(player);
            if there.state == PresenceState::Unknown && !there.hint {
                self.absent(ix, When::exactly(limit), player, "silence");
            }
        }
    }

    /// The clock ran: that it never did is no longer so, whatever silence seemed to show.
    pub(crate) fn no_longer_silent(&mut self, look: Look<'_>) {
        let mut changed = false;
        for player in Player::BOTH {
            let there = self.board(look.ix).there(player);
            if there.by_silence && there.state == PresenceState::Absent {
                let news = Presence {
                    player,
                    state: PresenceState::Unknown,
                    how: Cow::Borrowed("started"),
                    late_ms: None,
                };
                self.tell(look.ix, look.when, News::Presence(news));
                changed = true;
            }
        }
        if changed {
            self.withdraw_defaults(look.ix, "the clock was started");
            self.look_at_defaults(look.ix, self.at);
            self.ask_who_sits(self.board(look.ix).round);
        }
    }

    /// Proposes what the absences known now come to, once the default time is past.
    pub(crate) fn look_at_defaults(&mut self, ix: BoardIx, now: Venue) {
        let limit = Player::BOTH.into_iter().filter_map(|player| self.s.default_of(ix, player)).min();
        let Some(limit) = limit else { return };
        if self.s.mode() == Mode::Observe || self.board(ix).decided() || !self.past_default(ix, now) {
            return;
        }
        let missing = |player: Player| {
            let there = self.board(ix).there(player);
            match there.state {
                PresenceState::Absent => self.past_default_of(ix, player, now),
                PresenceState::Unknown => false,
                PresenceState::Present => {
                    (there.was_absent || there.arrival_said)
                        && there.arrived.is_some_and(|at| self.past_default_of(ix, player, at))
                }
            }
        };
        let (kind, offender, result) = match (missing(Player::First), missing(Player::Second)) {
            (false, false) => return,
            (true, false) => (RulingKind::Default, Offender::First, Outcome::Second),
            (false, true) => (RulingKind::Default, Offender::Second, Outcome::First),
            (true, true) => (RulingKind::DoubleDefault, Offender::Both, Outcome::None),
        };
        let before: Vec<u64> = self.board(ix).rulings.clone();
        for id in before {
            let Some(placed) = self.s.rulings.get(&id) else { continue };
            if !matches!(placed.it.kind, RulingKind::Default | RulingKind::DoubleDefault) {
                continue;
            }
            if placed.it.kind == kind
                && placed.it.offender == Some(offender)
                && placed.it.state != RulingState::Withdrawn
            {
                return; // said already, whatever became of it
            }
            if placed.it.state == RulingState::Proposed {
                self.withdraw(id, "another default takes its place");
            }
        }
        let effect = Effect { result: Some(result), forfeit: true, ..Effect::default() };
        let times = self.times(ix, self.at);
        let article = self.article_of(kind);
        let grounds = Grounds::default();
        let text = self.words(ix).ruling(kind, article, Some(offender), &effect, None, &grounds);
        let regulations = &self.s.setup.regulations;
        let said = offender.players().iter().all(|player| {
            let there = self.board(ix).there(*player);
            there.state == PresenceState::Absent
        });
        let itself =
            self.s.mode() == Mode::Act && said && self.s.journal_ok && regulations.automatic.contains(&kind);
        let ruling = Ruling {
            id: self.next_id(),
            kind,
            article: Cow::Borrowed(article),
            offender: Some(offender),
            options: vec![crate::penalty::way(Some(offender), article, effect.clone(), times)],
            effect,
            state: if itself { RulingState::Confirmed } else { RulingState::Proposed },
            announced: false,
            grounds,
            text,
            decided_by: itself.then(|| "automatic".to_owned()),
            reason: None,
            incident: None,
            recorded: false,
            changed: None,
        };
        let id = ruling.id;
        let limit = Venue(limit.max(0) as u64).min(self.at);
        self.tell(ix, When::exactly(limit), News::Ruling(ruling));
        if itself {
            self.result_of_ruling(ix, id, result, Cause::Default, true);
        }
    }
}
