//! How the arbiter decides a ruling, knowing the truth of his hall.

use super::World;
use super::arbiter::Matter;
use crate::scenario::UnprovableStop;
use flagfall_arbiter::{Cause, Offender, Outcome, ProofBy, Ruling, RulingKind, RulingState, StopCause};
use flagfall_clock::Player;
use serde_json::json;

/// What the arbiter makes of a ruling, knowing the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    True(Option<Offender>),
    False(&'static str),
    /// Not his to know.
    Open,
}

impl World {
    pub(super) fn judge(&self, ruling: &Ruling, play: usize) -> Judgement {
        let game = &self.plays[play];
        let missing = |player| !game.is_there(player, game.word + self.scenario.default_ms());
        let held = |yes: bool, offender: Option<Offender>, else_: &'static str| {
            if yes { Judgement::True(offender) } else { Judgement::False(else_) }
        };
        match ruling.kind {
            RulingKind::TimeForfeit => match &game.truth {
                Some(truth) if truth.cause == Cause::Time => {
                    let loser =
                        if truth.result == Outcome::First { Offender::Second } else { Offender::First };
                    held(ruling.offender.is_none_or(|o| o == loser), Some(loser), "the other flag fell first")
                }
                Some(_) => Judgement::False("the game had ended before the flag fell"),
                None => Judgement::False("no flag has fallen"),
            },
            RulingKind::Default => match (missing(Player::First), missing(Player::Second)) {
                (true, false) => {
                    held(ruling.offender != Some(Offender::Second), Some(Offender::First), "he is there")
                }
                (false, true) => {
                    held(ruling.offender != Some(Offender::First), Some(Offender::Second), "he is there")
                }
                _ => Judgement::False("not one of them is missing"),
            },
            RulingKind::DoubleDefault => held(
                missing(Player::First) && missing(Player::Second),
                Some(Offender::Both),
                "not both are missing",
            ),
            RulingKind::UnauthorisedStop | RulingKind::UnauthorisedStart => match game.affair {
                Some(affair) if affair.why == StopCause::WithoutCause => {
                    Judgement::True(Some(affair.player.into()))
                }
                Some(_) => Judgement::False("there was a cause"),
                None => Judgement::False("nobody played on without an arbiter"),
            },
            RulingKind::EarlyPress
            | RulingKind::IllegalMove
            | RulingKind::FalseClaim
            | RulingKind::ShortDraw
            | RulingKind::FoulLimit
            | RulingKind::Article => Judgement::Open,
        }
    }

    pub(super) fn decide(&mut self, id: u64) {
        let Some(told) = self.told.rulings.get(&id) else { return };
        let Some(play) = told.board.as_deref().and_then(|board| self.play_at(told.round, board)) else {
            return;
        };
        let ruling = told.it.clone();
        if ruling.state != RulingState::Proposed {
            return;
        }
        match self.judge(&ruling, play) {
            Judgement::Open => {}
            Judgement::False(why) => self.overrule(id, why),
            Judgement::True(offender) => {
                let mut params = json!({ "id": id });
                if let Some(offender) = offender {
                    params["offender"] = json!(offender);
                }
                if ruling.kind == RulingKind::UnauthorisedStop {
                    let provable = ruling.grounds.proof.is_some_and(|proof| proof.provable);
                    let loss = !provable && self.scenario.arbiter.unprovable == UnprovableStop::Loss;
                    if let Some(option) = option_of(&ruling, offender, loss) {
                        params["option"] = option.into();
                    }
                    if !provable && !loss {
                        params["proof"] = json!(ProofBy::Opponent);
                    }
                }
                self.ask("ruling.confirm", params, Matter::Decide(id));
            }
        }
    }

    pub(super) fn overrule(&mut self, id: u64, why: &str) {
        self.ask("ruling.overrule", json!({ "id": id, "reason": why }), Matter::Decide(id));
    }
}

/// The place of the option that is a loss, or a foul without one.
pub(super) fn option_of(ruling: &Ruling, offender: Option<Offender>, loss: bool) -> Option<usize> {
    let fits = |way: &flagfall_arbiter::Way| {
        (offender.is_none() || way.offender.is_none() || way.offender == offender)
            && if loss {
                way.article == "六.9" || way.effect.foul.is_none()
            } else {
                way.effect.foul.is_some()
            }
    };
    ruling.options.iter().position(fits)
}
