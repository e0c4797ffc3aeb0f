//! The round a request means, where it need not name it.

use crate::state::State;
use crate::turn::Turn;
use flagfall_arbiter::Refused;

impl State {
    /// The round that is meant: the one named, the only open one, or the lowest loaded one.
    pub(crate) fn which_round(&self, round: Option<u32>) -> Result<u32, Refused> {
        if let Some(round) = round {
            return match self.rounds.contains_key(&round) {
                true => Ok(round),
                false => Err(Refused::new(Refused::UNKNOWN, format!("there is no round {round}"))),
            };
        }
        let mut open = self.rounds.values().filter(|round| round.started.is_some() && !round.closed);
        match (open.next(), open.next()) {
            (Some(one), None) => Ok(one.number),
            (Some(one), Some(other)) => Err(Refused::new(
                Refused::PARAMS,
                format!("rounds {} and {} are both open; name the round", one.number, other.number),
            )),
            (None, _) => self
                .rounds
                .values()
                .find(|round| !round.closed && !round.order.is_empty())
                .map(|round| round.number)
                .ok_or_else(|| Refused::new(Refused::STATE, "no round is loaded")),
        }
    }
}

impl Turn<'_> {
    /// See [`State::which_round`].
    pub(crate) fn which_round(&self, round: Option<u32>) -> Result<u32, Refused> {
        self.s.which_round(round)
    }
}
