//! Flags: the first one latched with its time (三(1)); the ruling confirms itself only where nothing
//! stands against it, and its result stays provisional.

use crate::board::BoardIx;
use crate::turn::{Turn, When};
use crate::watch::Look;
use crate::{FlagCall, Mode, Venue};
use flagfall_arbiter::{
    Cause, Effect, Grounds, IncidentKind, IncidentState, Lane, News, Offender, Outcome, Player, Ruling,
    RulingKind, RulingState, SideNews, Status, Text,
};
use std::borrow::Cow;

/// A flag fits if the clock's times were within this of our reckoning, in milliseconds.
pub(crate) const FITS_MS: i64 = 1_000;
/// A correction so short ago leaves a flag to an arbiter, in milliseconds.
const CORRECTED_MS: i64 = 60_000;
/// A reckoned crossing is told so much later, so that a press on its way is heard first.
pub(crate) const MARGIN_MS: u64 = 1_500;

impl Turn<'_> {
    pub(crate) fn flag(&mut self, look: Look<'_>, player: Player) {
        let ix = look.ix;
        if self.board(ix).flag.is_some() {
            return; // the first one counts
        }
        let Some([first_ms, second_ms]) = self.times(ix, look.when.at) else { return };
        let side = self.board(ix).side(player);
        let seq = self.tell(ix, look.when, News::Flag(SideNews { player, side, first_ms, second_ms }));
        if self.s.mode() == Mode::Observe || self.players_call() {
            return;
        }
        let lost = Outcome::lost_by(player);
        if let Some((result, entered)) = self.board(ix).result.clone()
            && self.board(ix).decided()
        {
            if result.result != lost && look.when.at < entered {
                self.flag_against_result(ix, look.when, seq);
            }
            return;
        }
        let remarks = self.against_flag(look);
        self.close_on(ix, look.when.at, &[IncidentKind::StillPlaying], "flag");
        self.rule_on_flag(ix, look.when, player, seq, [first_ms, second_ms], remarks);
    }

    /// Only players call a flag (US Chess 13C1): it is a fact, and a ruling only where an arbiter makes one.
    fn players_call(&self) -> bool {
        self.s.setup.regulations.flag_call == FlagCall::Players
    }

    /// The ruling that a flag comes to. It confirms itself where nothing stands against it.
    fn rule_on_flag(
        &mut self,
        ix: BoardIx,
        when: When,
        player: Player,
        seq: u64,
        times: [i64; 2],
        remarks: Vec<Cow<'static, str>>,
    ) {
        let lost = Outcome::lost_by(player);
        let effect = Effect { result: Some(lost), ..Effect::default() };
        let offender = Some(Offender::from(player));
        let itself = remarks.is_empty();
        let article = self.article_of(RulingKind::TimeForfeit);
        let mut options = vec![crate::penalty::way(offender, article, effect.clone(), Some(times))];
        self.or_draw(&mut options);
        let grounds = Grounds { events: vec![seq], proof: Some(self.proof(when.bound_ms)), remarks };
        let text =
            self.words(ix).ruling(RulingKind::TimeForfeit, article, offender, &effect, Some(times), &grounds);
        let ruling = Ruling {
            id: self.next_id(),
            kind: RulingKind::TimeForfeit,
            article: Cow::Borrowed(article),
            offender,
            options,
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
        self.tell(ix, when, News::Ruling(ruling));
        if itself {
            self.result_of_ruling(ix, id, lost, Cause::Time, false);
        }
    }

    /// A result was taken back under which a flag had fallen: an arbiter looks at it.
    pub(crate) fn flag_under_result(&mut self, ix: BoardIx) {
        self.flag_left_over(ix, "a result stood when it fell");
    }

    /// A flag that nobody has ruled on: proposed, with why it did not confirm itself.
    pub(crate) fn flag_left_over(&mut self, ix: BoardIx, why: &'static str) {
        let Some((player, at, seq)) = self.board(ix).flag else { return };
        let ruled = self.board(ix).rulings.iter().filter_map(|id| self.s.rulings.get(id)).any(|placed| {
            placed.it.kind == RulingKind::TimeForfeit
                && matches!(placed.it.state, RulingState::Proposed | RulingState::Confirmed)
        });
        if self.s.mode() == Mode::Observe || self.players_call() || ruled {
            return;
        }
        let times = self.times(ix, self.at).unwrap_or_default();
        let remarks = vec![Cow::Borrowed(why)];
        self.rule_on_flag(ix, When::exactly(at), player, seq, times, remarks);
    }

    /// What stands against a flag confirming itself, each in a few words.
    fn against_flag(&self, look: Look<'_>) -> Vec<Cow<'static, str>> {
        let board = self.board(look.ix);
        let mut remarks: Vec<Cow<'static, str>> = Vec::new();
        let regulations = &self.s.setup.regulations;
        if self.s.mode() != Mode::Act || !regulations.automatic.contains(&RulingKind::TimeForfeit) {
            remarks.push(Cow::Borrowed("an arbiter confirms flags"));
        }
        if regulations.unless_cannot_win {
            remarks.push(Cow::Borrowed("a draw where the opponent cannot win; an arbiter sees the position"));
        }
        if !self.s.journal_ok {
            remarks.push(Cow::Borrowed("the journal could not be written"));
        }
        if !look.live {
            remarks.push(Cow::Borrowed("not heard as it happened"));
        }
        match look.off_ms {
            None => remarks.push(Cow::Borrowed("nothing was known from which to reckon it")),
            Some(off) if off.abs() > FITS_MS => {
                remarks.push(Cow::Owned(format!("{off} ms away from our reckoning")));
            }
            Some(_) => {}
        }
        if !self.round_started(look.ix) && self.s.begun() {
            remarks.push(Cow::Borrowed("the round has not begun"));
        }
        if board.over || board.result.is_some() {
            remarks.push(Cow::Borrowed("the players had claimed a result"));
        }
        if board.held_at(look.when.at, look.when.bound_ms)
            || board.stops.last().is_some_and(|stop| stop.resumed.is_none())
        {
            remarks.push(Cow::Borrowed("the board was stopped"));
        }
        if board.owed.is_some() || board.corrected.is_some_and(|at| look.when.at.since(at) < CORRECTED_MS) {
            remarks.push(Cow::Borrowed("the times were corrected within the last minute"));
        }
        if board.renewed {
            remarks.push(Cow::Borrowed("the clock was made new under the game"));
        }
        remarks.extend(board.flag.and_then(|(player, _, _)| self.setting_against_flag(look.ix, player)));
        if board.started.is_none() {
            remarks.push(Cow::Borrowed("no start of this game was seen"));
        }
        for id in &board.incidents {
            if let Some(placed) = self.s.incidents.get(id)
                && placed.it.state == IncidentState::Open
            {
                remarks.push(Cow::Owned(format!("incident {id} is open")));
            }
        }
        for id in &board.rulings {
            if self.s.rulings.get(id).is_some_and(|placed| placed.it.state == RulingState::Proposed) {
                remarks.push(Cow::Owned(format!("ruling {id} waits")));
            }
        }
        remarks
    }

    /// A pause said afterwards covers a flag whose ruling confirmed itself: an arbiter looks at it.
    pub(crate) fn flag_in_a_pause(&mut self, ix: BoardIx, since: Venue) {
        let board = self.board(ix);
        let Some((_, fell, seq)) = board.flag.filter(|(_, fell, _)| *fell >= since) else { return };
        let provisional = board.result.as_ref().filter(|(result, _)| result.status == Status::Provisional);
        let ruling = provisional.and_then(|(result, _)| self.s.rulings.get(&result.ruling?));
        let itself = ruling.is_some_and(|placed| {
            placed.it.kind == RulingKind::TimeForfeit && placed.it.decided_by.as_deref() == Some("automatic")
        });
        if itself && self.s.mode() != Mode::Observe {
            let text = self.words(ix).incident(
                "旗落于暂停期间，判决待裁判复核",
                "the flag fell while the round was paused; an arbiter looks at the ruling again",
                self.times(ix, fell),
            );
            self.ask_about_flag(ix, When::exactly(self.at), seq, text);
        }
    }

    pub(crate) fn flag_against_result(&mut self, ix: BoardIx, when: When, seq: u64) {
        let text = self.words(ix).incident(
            "旗落与所报结果不一致，两项事实均保留",
            "a flag and the result entered say different things; both facts stay",
            self.times(ix, when.at),
        );
        self.ask_about_flag(ix, when, seq, text);
    }

    fn ask_about_flag(&mut self, ix: BoardIx, when: When, seq: u64, text: Text) {
        if self.open_on(ix, IncidentKind::FlagAgainstResult).is_some() {
            return;
        }
        let grounds = Grounds { events: vec![seq], ..Grounds::default() };
        self.open(ix, when, IncidentKind::FlagAgainstResult, Lane::Decide, grounds, text);
    }

    pub(crate) fn time_after_flag(&mut self, look: Look<'_>) {
        if self.s.mode() == Mode::Observe
            || self.board(look.ix).decided()
            || self.open_on(look.ix, IncidentKind::TimeAfterFlag).is_some()
        {
            return;
        }
        let text = self.words(look.ix).incident(
            "旗落之后棋钟又显示有时间，旗落时刻不变",
            "time appeared on the clock after its flag; the flag stays as it fell",
            self.times(look.ix, look.when.at),
        );
        let events = self.board(look.ix).flag.map(|(_, _, seq)| seq).into_iter().collect();
        let grounds = Grounds { events, ..Grounds::default() };
        self.open(look.ix, look.when, IncidentKind::TimeAfterFlag, Lane::Look, grounds, text);
    }

    /// By reckoning a flag has fallen on a clock that is not heard: a suspicion, no flag.
    pub(crate) fn suspect_flag(&mut self, ix: BoardIx, at: Venue) {
        let Some(player) = self.running(ix) else { return };
        let Some([first_ms, second_ms]) = self.reckoned(ix, at) else { return };
        let side = self.board(ix).side(player);
        self.tell(ix, When::exactly(at), News::FlagSuspected(SideNews { player, side, first_ms, second_ms }));
    }
}
