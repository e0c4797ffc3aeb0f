//! Claims of players: the clock stands while an arbiter looks (三(2), 七.3, 七.4). A natural limit wrongly
//! claimed is a foul and minutes, the second one in a game loses it (六.5).

use crate::ExcessCheck;
use crate::Who;
use crate::board::BoardIx;
use crate::change::{Change, Claim, HeldBy};
use crate::penalty::Proposal;
use crate::rulings::How;
use crate::turn::{Turn, When};
use flagfall_arbiter::{
    Cause, ClaimKind, ClaimOutcome, Grounds, IncidentKind, Lane, Offender, Outcome, Player, Refused,
    ResultEntry, RulingKind, Status,
};
use serde_json::{Value, json};
use std::borrow::Cow;

impl Turn<'_> {
    /// A player claims: the arbiter stops the clock and looks. The time of the claim is kept, whatever a
    /// flag does afterwards.
    pub(crate) fn claim_open(
        &mut self,
        who: &Who,
        ix: BoardIx,
        player: Player,
        kind: ClaimKind,
    ) -> Result<Value, Refused> {
        let board = self.board(ix);
        let name = board.name.clone();
        if board.decided() {
            return Err(Refused::new(Refused::STATE, format!("board {name} has its result")));
        }
        if board.started.is_none() {
            return Err(Refused::new(Refused::STATE, format!("board {name} has not begun")));
        }
        if board.claim.is_some() {
            return Err(Refused::new(
                Refused::STATE,
                format!("board {name} has an open claim; decide it first"),
            ));
        }
        if !board.holds.iter().any(|hold| hold.by == HeldBy::Arbiter && hold.to.is_none()) {
            self.hold(ix, HeldBy::Arbiter);
        }
        let at = self.board(ix).at();
        self.change(Change::Claimed { board: at, claim: Some(Claim { player, kind, at: self.at }) });
        let (zh, en) = words(kind);
        let (who_zh, who_en) = self.words(ix).who(player);
        let text = self.words(ix).incident(
            &format!("{who_zh}提出{zh}"),
            &format!("{who_en} claims {en}"),
            self.times(ix, self.at),
        );
        let mut grounds = Grounds { proof: Some(self.proof_now(ix)), ..Grounds::default() };
        grounds.remarks.push(Cow::Owned(format!("brought by {}", who.name)));
        if kind == ClaimKind::NaturalLimit && self.board(ix).was_granted() {
            // 五.3: whoever wants to claim keeps recording
            grounds
                .remarks
                .push(Cow::Borrowed("recording was no longer required; the record must be complete"));
        }
        if let Some((_, _, seq)) = self.board(ix).flag {
            grounds.events.push(seq);
            grounds.remarks.push(Cow::Borrowed("a flag had fallen before the claim was entered"));
        }
        let id = self.open(ix, When::exactly(self.at), IncidentKind::Claim, Lane::Decide, grounds, text);
        Ok(json!({ "board": name, "player": player, "kind": kind, "incident": id, "held": true }))
    }

    /// An arbiter has looked. The board stays stopped until he resumes it.
    pub(crate) fn claim_decide(
        &mut self,
        who: &Who,
        ix: BoardIx,
        player: Player,
        outcome: ClaimOutcome,
        [rounds, checks]: [Option<u32>; 2],
    ) -> Result<Value, Refused> {
        let name = self.board(ix).name.clone();
        let Some(claim) = self.board(ix).claim.filter(|claim| claim.player == player) else {
            return Err(Refused::new(
                Refused::STATE,
                format!("board {name} has no open claim of that player"),
            ));
        };
        let counted = self.counted(claim.kind, outcome, rounds, checks)?;
        let at = self.board(ix).at();
        let decided = json!({ "board": name, "player": player, "kind": claim.kind, "outcome": outcome });
        let mut answer = decided;
        if let Some(counted) = counted {
            answer["counted"] = counted.into();
        }
        match (outcome, claim.kind) {
            (ClaimOutcome::True, kind) if kind != ClaimKind::Other => {
                let cause = match kind {
                    ClaimKind::NaturalLimit => Cause::NaturalLimit,
                    ClaimKind::Repetition => Cause::Repetition,
                    _ => Cause::Other("book_draw".into()),
                };
                let entry = ResultEntry {
                    result: Outcome::Draw,
                    cause,
                    status: Status::Entered,
                    forfeit: false,
                    over: None,
                    rounds: None,
                };
                let entered = self.enter(who, ix, &entry)?;
                answer["result"] = entered["result"].clone();
            }
            (ClaimOutcome::False, kind) if self.costs(kind) => {
                answer["ruling"] = self.false_claim(who, ix, player)?.into();
            }
            _ => {}
        }
        self.change(Change::Claimed { board: at, claim: None });
        let word = match outcome {
            ClaimOutcome::True => "true",
            ClaimOutcome::False => "false",
            ClaimOutcome::Refused => "refused",
        };
        self.close_on(ix, self.at, &[IncidentKind::Claim], word);
        Ok(answer)
    }

    /// Whether a claim of this kind found wrong costs something: under the regulations the natural limit (七.4),
    /// under FIDE repetition as well (9.5).
    fn costs(&self, kind: ClaimKind) -> bool {
        match kind {
            ClaimKind::NaturalLimit => true,
            ClaimKind::Repetition => self.s.setup.regulations.laws == crate::Laws::Fide,
            ClaimKind::Draw | ClaimKind::Other => false,
        }
    }

    /// Rounds that count towards the natural limit: of the claimant's checks at most so many (七.4). An
    /// outcome that the count contradicts is a slip of the pen.
    fn counted(
        &self,
        kind: ClaimKind,
        outcome: ClaimOutcome,
        rounds: Option<u32>,
        checks: Option<u32>,
    ) -> Result<Option<u32>, Refused> {
        let Some(rounds) = rounds.filter(|_| kind == ClaimKind::NaturalLimit) else { return Ok(None) };
        let regulations = &self.s.setup.regulations;
        let (limit, most) = (regulations.natural_limit_rounds, regulations.natural_limit_checks);
        let excess = checks.unwrap_or(0).saturating_sub(most);
        // in half rounds: a check too many takes a round or one side's move (A12)
        let halves = rounds.saturating_mul(2).saturating_sub(match regulations.natural_limit_excess {
            ExcessCheck::Round => excess.saturating_mul(2),
            ExcessCheck::Ply => excess,
        });
        let counted = halves / 2;
        let (reached, said) = (counted >= limit, outcome == ClaimOutcome::True);
        if outcome != ClaimOutcome::Refused && reached != said {
            let (is, not) = if reached { ("true", "false") } else { ("false", "true") };
            return Err(Refused::new(
                Refused::PARAMS,
                format!(
                    "claim.decide: {counted} rounds count of {limit}, so the claim is {is}, not {not}; leave `rounds` out to decide otherwise"
                ),
            ));
        }
        Ok(Some(counted))
    }

    /// A natural limit wrongly claimed: the first time foul and minutes, then the loss.
    fn false_claim(&mut self, who: &Who, ix: BoardIx, player: Player) -> Result<u64, Refused> {
        let (kind, offender) = (RulingKind::FalseClaim, Some(Offender::from(player)));
        let ways = self.offence_ways(ix, kind, None, player.into());
        let Some(way) = ways.first().cloned() else { return Ok(0) };
        let grounds = Grounds { proof: Some(self.proof_now(ix)), ..Grounds::default() };
        let proposal = Proposal::of(kind, offender, ways, grounds);
        let id = self.propose(ix, When::exactly(self.at), proposal);
        let how = How { offender: None, option: None, proof: None, times: None, reason: None };
        self.confirm(who, id, way, how)?;
        Ok(id)
    }
}

const fn words(kind: ClaimKind) -> (&'static str, &'static str) {
    match kind {
        ClaimKind::NaturalLimit => ("自然限着", "the natural limit"),
        ClaimKind::Repetition => ("循环着法作和", "a draw by repetition"),
        ClaimKind::Draw => ("双方均无取胜可能，要求判和", "a draw, since neither can win"),
        ClaimKind::Other => ("申诉", "a ruling"),
    }
}
