//! The life of a game at its clock: start, reset, power-up, the players' own end.

use crate::board::BoardIx;
use crate::change::Change;
use crate::turn::{Turn, When};
use crate::watch::{Look, near};
use crate::{Mode, StartBy, Venue};
use flagfall_arbiter::{
    BoardResult, Cause, Game, Grounds, IncidentKind, Lane, News, Outcome, Player, Proof, ProofBy, Status,
    Stoppage,
};
use flagfall_clock::{By, Claim};
use std::borrow::Cow;

impl Turn<'_> {
    pub(crate) fn started(&mut self, look: Look<'_>, player: Player, by: By) {
        let ix = self.serve_next_if_over(look.ix);
        let look = Look { ix, ..look };
        if by == By::Button && !self.board(ix).there(Player::Second).hint {
            // the second player, or an arbiter for him, presses at the arbiter's word
            let board = self.board(ix).at();
            self.change(Change::Hint { board, player: Player::Second });
        }
        if self.board(ix).started.is_some() {
            self.resumed(look, by, player);
            return;
        }
        self.begin(look, player, by);
        if by == By::Command || self.board(ix).decided() || self.s.mode() == Mode::Observe {
            return;
        }
        let early = self.s.setup.start_by == StartBy::Daemon && !self.round_started(ix);
        let against = early || self.board(ix).held_before(look.when.at, look.when.bound_ms);
        let key = by == By::ArbiterKey && !self.key_is_believed(ix, look.when.at, by);
        if (by == By::Button || key) && against {
            self.unexplained_start(look, by);
        } else {
            self.stop_that_crossed(look);
        }
        self.ask_for_round_start(ix, look.when);
    }

    /// A move on a board of which no start was seen: the game is on all the same.
    pub(crate) fn adopt(&mut self, look: Look<'_>, player: Player) {
        if self.board(look.ix).started.is_none() && !self.board(look.ix).decided() {
            self.begin(look, player, By::Unknown);
            self.ask_for_round_start(look.ix, look.when);
        }
    }

    fn begin(&mut self, look: Look<'_>, player: Player, by: By) {
        let Some([first_ms, second_ms]) = self.times(look.ix, look.when.at) else { return };
        let both_late = self.board(look.ix).starting == Some(true);
        self.tell(look.ix, look.when, News::GameStarted(Game { player, by, first_ms, second_ms, both_late }));
        self.no_longer_silent(look);
    }

    /// The boards that play at the same place in later rounds, in order.
    fn next_boards(&self, ix: BoardIx) -> Vec<BoardIx> {
        let later = self.s.rounds.range(self.board(ix).round + 1..);
        let here = |other: &&BoardIx| self.s.same_place(ix, **other);
        later.filter_map(|(_, round)| round.order.iter().find(here).copied()).collect()
    }

    /// The next of them whose round has begun and that has no result yet.
    fn next_begun(&self, ix: BoardIx) -> Option<BoardIx> {
        let begun = |next: &BoardIx| self.round_started(*next) && !self.board(*next).decided();
        self.next_boards(ix).into_iter().find(begun)
    }

    /// Once a board has its result, a clock as new serves the next round's board. Without a result it does
    /// so as well, if it was made new under the game and that next round has begun.
    pub(crate) fn serve_next_if_over(&mut self, ix: BoardIx) -> BoardIx {
        let fresh = self.s.seen(ix).is_some_and(|seen| seen.presses == [0, 0]);
        let next = match self.board(ix) {
            board if board.decided() => self.next_boards(ix).first().copied(),
            board if board.renewed => self.next_begun(ix),
            _ => None,
        };
        let Some(next) = next.filter(|_| fresh) else { return ix };
        self.serves(next, self.at);
        next
    }

    pub(crate) fn serves(&mut self, ix: BoardIx, since: Venue) {
        let board = self.board(ix).at();
        self.change(Change::Serves { board, since });
        self.moved.push(ix);
    }

    /// A board has its result: if a later round has begun at its place, the clock serves that one now.
    pub(crate) fn serve_begun(&mut self, ix: BoardIx) {
        if self.s.serving(ix) != Some(ix) || !self.board(ix).decided() {
            return;
        }
        if let Some(next) = self.next_begun(ix) {
            self.serves(next, self.at);
        }
    }

    /// A quarter of a round's clocks began before anybody said that the round did: one question.
    fn ask_for_round_start(&mut self, ix: BoardIx, when: When) {
        let number = self.board(ix).round;
        let Some(round) = self.s.rounds.get(&number) else { return };
        if round.started.is_some() || round.start_asked || self.s.mode() == Mode::Observe {
            return;
        }
        if self.s.setup.start_by == StartBy::Daemon {
            return;
        }
        let began: Vec<String> = round
            .order
            .iter()
            .filter(|ix| self.board(**ix).started.is_some() && self.running(**ix).is_some())
            .map(|ix| self.board(*ix).name.clone())
            .collect();
        if began.len() * 4 < round.order.len() {
            return;
        }
        let text = flagfall_arbiter::Text {
            zh: format!("第{number}轮：已有{}台开钟，尚未宣布开赛。何时开赛？", began.len()),
            en: format!(
                "Round {number}: {} clocks run and nobody said that it began. When did it?",
                began.len()
            ),
        };
        let kind = IncidentKind::RoundStartMissing;
        self.open_for_round(number, when.at, kind, Lane::Decide, text, |incident| incident.boards = began);
    }

    pub(crate) fn booted(&mut self, look: Look<'_>, restored: bool) {
        let Some(before) = look.before else { return };
        let Some(now) = self.s.seen(look.ix) else { return };
        let same = before.running.is_none()
            && near([now.left_ms, now.right_ms], [before.left_ms, before.right_ms], 1_000)
            && now.presses == before.presses
            && before.presses != [0, 0];
        if !(restored || same) {
            self.was_reset(look, By::Power);
            return;
        }
        let board = self.board(look.ix);
        if before.running.is_none() || board.started.is_none() || board.decided() || board.flag.is_some() {
            return;
        }
        let ran = before.running.map(|side| board.player(side));
        let Some([first_ms, second_ms]) = self.times(look.ix, look.when.at) else { return };
        let seq = self.tell(
            look.ix,
            look.when,
            News::Stopped(Stoppage { player: ran, by: By::Power, ordered: false, first_ms, second_ms }),
        );
        self.lost_power(look, seq, "断电后恢复，用时已保存", "lost its power and kept its times");
    }

    /// The clock is as new.
    pub(crate) fn was_reset(&mut self, look: Look<'_>, by: By) {
        let ix = look.ix;
        if self.board(ix).decided() {
            self.serve_next_if_over(ix);
            return;
        }
        let board = self.board(ix);
        if board.started.is_none() {
            return;
        }
        let tried = !self.round_started(ix);
        if by == By::Command || tried {
            let at = self.board(ix).at();
            self.close_on(ix, self.at, IncidentKind::OF_THE_CLOCK, "reset");
            self.change(Change::NewGame { board: at, at: look.when.at });
            return;
        }
        let at = board.at();
        self.change(Change::Renewed { board: at });
        let board = self.board(ix);
        if board.flag.is_some() || board.over || self.open_on(ix, IncidentKind::UnexplainedStop).is_some() {
            return; // the game was over already; its result is waited for
        }
        self.lost_power(
            look,
            0,
            "棋钟被关闭或重置，对局可能已结束",
            "was switched off or reset; the game is perhaps over",
        );
    }

    fn lost_power(&mut self, look: Look<'_>, seq: u64, zh: &str, en: &str) {
        if self.s.mode() == Mode::Observe || self.open_on(look.ix, IncidentKind::ClockReset).is_some() {
            return;
        }
        let proof = self.proof_before(look);
        let times =
            look.before.map(|before| crate::board::times(before, self.board(look.ix).first_side, before.at));
        let (bound_zh, bound_en) = match proof.as_ref().and_then(|proof| proof.bound_ms) {
            // whole seconds, as a person sets them
            Some(bound) => {
                let seconds = bound.div_ceil(1_000);
                (
                    format!("；断电前所知用时，误差 {seconds} 秒以内，可据此恢复"),
                    format!("; the times before it are known to within {seconds} s and can be set again"),
                )
            }
            None => (String::new(), String::new()),
        };
        let (zh, en) = (format!("{zh}{bound_zh}"), format!("the clock {en}{bound_en}"));
        let text = self.words(look.ix).incident(&zh, &en, times);
        let events = if seq == 0 { Vec::new() } else { vec![seq] };
        let grounds = Grounds { events, proof, remarks: Vec::new() };
        self.open(look.ix, look.when, IncidentKind::ClockReset, Lane::ResultWanted, grounds, text);
    }

    /// How well the times before this report are known: a standing clock's exactly, a running one's
    /// to the time since it was last heard.
    pub(crate) fn proof_before(&self, look: Look<'_>) -> Option<Proof> {
        let before = look.before?;
        let unseen = if before.running.is_some() { look.when.at.since(before.at).max(0) as u64 } else { 0 };
        Some(self.proof(before.bound_ms + unseen))
    }

    pub(crate) fn proof(&self, bound_ms: u64) -> Proof {
        let provable = bound_ms <= self.s.setup.regulations.provable_within_ms;
        Proof { provable, by: provable.then_some(ProofBy::Journal), bound_ms: Some(bound_ms) }
    }

    /// A move after the players ended the game at the clock: they play on, it was a mistake.
    pub(crate) fn not_over(&mut self, look: Look<'_>) {
        let ix = look.ix;
        if !self.board(ix).over || self.board(ix).decided() {
            return;
        }
        let board = self.board(ix).at();
        self.change(Change::Over { board, on: false });
        self.close_on(ix, look.when.at, &[IncidentKind::OverClaimed], "played_on");
        if self.board(ix).result.is_some() {
            self.take_back(ix);
        }
    }

    pub(crate) fn over(&mut self, look: Look<'_>, claim: Option<Claim>, agreed: bool) {
        let ix = look.ix;
        let board = self.board(ix);
        if board.decided() || board.started.is_none() {
            return;
        }
        let at = board.at();
        self.change(Change::Over { board: at, on: true });
        self.close_on(ix, look.when.at, &[IncidentKind::UnexplainedStop, IncidentKind::ClockReset], "over");
        let claimed = claim.filter(|_| agreed);
        if let Some(claim) = claimed {
            let result = match claim {
                Claim::First => Outcome::First,
                Claim::Second => Outcome::Second,
                Claim::Draw => Outcome::Draw,
            };
            self.tell(
                ix,
                look.when,
                News::Result(BoardResult {
                    result,
                    status: Status::Claimed,
                    cause: Cause::Unstated,
                    forfeit: false,
                    counts: self.counts_as(result),
                    withdrawn: false,
                    ruling: None,
                }),
            );
        }
        self.ask_how_it_ended(ix, look.when);
    }

    /// The players ended the game at the clock: its result is wanted, whatever they said there.
    pub(crate) fn ask_how_it_ended(&mut self, ix: BoardIx, when: When) {
        if self.s.mode() == Mode::Observe || self.open_on(ix, IncidentKind::OverClaimed).is_some() {
            return;
        }
        let claimed = self.board(ix).result.as_ref().filter(|(result, _)| result.status == Status::Claimed);
        let (zh, en) = match claimed.map(|(result, _)| result.result) {
            Some(Outcome::First) => {
                ("双方在棋钟上报告先手胜", "the players say at the clock: the first player won")
            }
            Some(Outcome::Second) => {
                ("双方在棋钟上报告后手胜", "the players say at the clock: the second player won")
            }
            Some(Outcome::Draw) => ("双方在棋钟上报告和棋", "the players say at the clock: draw"),
            Some(Outcome::None) | None => (
                "双方在棋钟上结束对局，结果未报",
                "the players ended the game at the clock and did not say how",
            ),
        };
        let times = self.times(ix, when.at);
        let text = self.words(ix).incident(zh, en, times);
        let grounds = Grounds {
            remarks: vec![Cow::Borrowed("entered at the clock by both players")],
            ..Grounds::default()
        };
        self.open(ix, when, IncidentKind::OverClaimed, Lane::ResultWanted, grounds, text);
    }
}
