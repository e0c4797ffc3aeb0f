//! Who is there: three values, since silence is not absence (四.1, 四.2). Lateness counts from the
//! round's actual start; nothing here decides more than who may be asked about.

use crate::board::BoardIx;
use crate::turn::{Turn, When};
use crate::watch::Look;
use crate::{Boundary, Mode, Venue};
use flagfall_arbiter::{
    Audience, Cause, Effect, Grounds, Incident, IncidentKind, IncidentState, Lane, News, Offender, Outcome,
    Player, Presence, PresenceState, Ruling, RulingKind, RulingState,
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
        self.no_longer_unknown(ix, player);
        // A fact from before the limit answers a proposal; one from after it leaves it to an arbiter.
        let start = self.s.rounds.get(&self.board(ix).round).and_then(|round| round.started);
        if start.is_some_and(|start| !self.past_default(ix, start, when.at)) {
            let ids: Vec<u64> = self.waiting(ix, &[RulingKind::Default, RulingKind::DoubleDefault]);
            for id in ids {
                self.withdraw(id, "he was there in time");
            }
            self.look_at_defaults(ix, self.at);
        }
    }

    pub(crate) fn absent(&mut self, ix: BoardIx, when: When, player: Player, how: &'static str) {
        let presence =
            Presence { player, state: PresenceState::Absent, how: Cow::Borrowed(how), late_ms: None };
        self.tell(ix, when, News::Presence(presence));
        self.no_longer_unknown(ix, player);
    }

    fn no_longer_unknown(&mut self, ix: BoardIx, player: Player) {
        let name = self.board(ix).name.clone();
        let round = self.board(ix).round;
        let found = self.s.incidents.iter().rev().find(|(_, placed)| {
            placed.round == Some(round)
                && placed.it.kind == IncidentKind::PresenceUnknown
                && placed.it.state == IncidentState::Open
        });
        let Some((&id, _)) = found else { return };
        let mut empty = false;
        self.retell(id, self.at, |incident| {
            incident.chairs.retain(|(board, who)| *board != name || *who != player);
            empty = incident.chairs.is_empty();
            if empty {
                incident.state = IncidentState::Closed;
                incident.outcome = Some("answered".to_owned());
            }
        });
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

    /// The instant after which a player of this board is too late, in venue milliseconds: the default
    /// time after the round's start, and what the round was paused meanwhile.
    pub(crate) fn default_at(&self, round: u32, start: i64) -> i64 {
        let paused = self.s.rounds.get(&round).map_or(0, |round| {
            round.paused_ms + round.paused.map_or(0, |since| self.at.since(since).max(0) as u64)
        });
        start + self.s.setup.regulations.default_ms as i64 + paused as i64
    }

    fn past_default(&self, ix: BoardIx, start: i64, at: Venue) -> bool {
        let limit = self.default_at(self.board(ix).round, start);
        match self.s.setup.regulations.default_boundary {
            Boundary::After => at.0 as i64 > limit,
            Boundary::At => at.0 as i64 >= limit,
        }
    }

    /// The default time of a round has come: known absents are proposed for, others asked about in
    /// one line.
    pub(crate) fn default_time(&mut self, number: u32) {
        let Some(round) = self.s.rounds.get(&number) else { return };
        let Some(start) = round.started else { return };
        let boards = round.order.clone();
        let limit = Venue(self.default_at(number, start).max(0) as u64);
        self.change(crate::Change::DefaultLooked { round: number });
        if self.s.mode() == Mode::Observe {
            return;
        }
        let mut chairs = Vec::new();
        for ix in boards {
            if self.board(ix).decided() {
                continue;
            }
            self.silence_shows_absence(ix, start, limit);
            self.look_at_defaults(ix, self.at);
            for player in Player::BOTH {
                if self.board(ix).there(player).state == PresenceState::Unknown {
                    chairs.push((self.board(ix).name.clone(), player));
                }
            }
        }
        if chairs.is_empty() {
            return;
        }
        let boards: Vec<String> = {
            let mut boards: Vec<String> = chairs.iter().map(|(board, _)| board.clone()).collect();
            boards.dedup();
            boards
        };
        let asked: Vec<u64> = self
            .s
            .incidents
            .values()
            .filter(|placed| {
                placed.round == Some(number)
                    && placed.it.kind == IncidentKind::PresenceUnknown
                    && placed.it.state == IncidentState::Open
            })
            .map(|placed| placed.it.id)
            .collect();
        for id in asked {
            self.close(id, self.at, "asked_anew");
        }
        let list = boards.join(", ");
        let incident = Incident {
            id: self.next_id(),
            kind: IncidentKind::PresenceUnknown,
            lane: Lane::Decide,
            state: IncidentState::Open,
            taken_by: None,
            outcome: None,
            text: flagfall_arbiter::Text {
                zh: format!("第{number}轮：迟到时限已到，以下各台尚无人确认到场：{list}"),
                en: format!("Round {number}: the default time has come; nobody has said who sits at: {list}"),
            },
            opened: self.s.wall(limit),
            grounds: Grounds::default(),
            boards,
            chairs,
        };
        let happened = self.s.wall(limit);
        self.tell_hall(Audience::Desk, Some(number), happened, News::Incident(incident));
    }

    /// A clock that was heard from the start to the default time and never ran, with neither word
    /// nor hint of a player: he is not there.
    fn silence_shows_absence(&mut self, ix: BoardIx, start: i64, limit: Venue) {
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
            for id in self.waiting(look.ix, &[RulingKind::Default, RulingKind::DoubleDefault]) {
                self.withdraw(id, "the clock was started");
            }
            self.look_at_defaults(look.ix, self.at);
        }
    }

    /// Proposes what the absences known now come to, once the default time is past.
    pub(crate) fn look_at_defaults(&mut self, ix: BoardIx, now: Venue) {
        let number = self.board(ix).round;
        let Some(start) = self.s.rounds.get(&number).and_then(|round| round.started) else { return };
        if self.s.mode() == Mode::Observe || self.board(ix).decided() || !self.past_default(ix, start, now) {
            return;
        }
        let missing = |player: Player| {
            let there = self.board(ix).there(player);
            match there.state {
                PresenceState::Absent => true,
                PresenceState::Unknown => false,
                PresenceState::Present => {
                    (there.was_absent || there.arrival_said)
                        && there.arrived.is_some_and(|at| self.past_default(ix, start, at))
                }
            }
        };
        let (kind, article, offender, result) = match (missing(Player::First), missing(Player::Second)) {
            (false, false) => return,
            (true, false) => (RulingKind::Default, "四.1", Offender::First, Outcome::Second),
            (false, true) => (RulingKind::Default, "四.1", Offender::Second, Outcome::First),
            (true, true) => (RulingKind::DoubleDefault, "四.2", Offender::Both, Outcome::None),
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
        let text = self.words(ix).ruling(kind, article, Some(offender), &effect, None);
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
            options: vec![crate::stop::way(Some(offender), article, effect.clone(), times)],
            effect,
            state: if itself { RulingState::Confirmed } else { RulingState::Proposed },
            announced: false,
            grounds: Grounds::default(),
            text,
            decided_by: itself.then(|| "automatic".to_owned()),
            reason: None,
            incident: None,
        };
        let id = ruling.id;
        let limit = Venue(self.default_at(number, start).max(0) as u64).min(self.at);
        self.tell(ix, When::exactly(limit), News::Ruling(ruling));
        if itself {
            self.result_of_ruling(ix, id, result, Cause::Default, true);
        }
    }
}
