//! What people say of a question: who goes there, and that it is answered.

use crate::Who;
use crate::change::Change;
use crate::turn::Turn;
use flagfall_arbiter::{IncidentKind, IncidentState, Refused, Role};
use serde_json::{Value, json};

impl Turn<'_> {
    /// Closes an incident as a person says. `accept` takes what clocks show that are set by hand.
    pub(super) fn close_incident(&mut self, id: u64, outcome: &str) {
        let by_hand = self.s.incidents.get(&id).filter(|placed| placed.it.kind == IncidentKind::SetByHand);
        let round = by_hand.and_then(|placed| placed.round);
        if let Some(round) = round.filter(|_| matches!(outcome, "accept" | "accepted")) {
            self.accept_by_hand(round);
        }
        // a claim lives as long as its question
        let claimed = self.s.incidents.get(&id).filter(|placed| placed.it.kind == IncidentKind::Claim);
        if let Some(ix) = claimed.and_then(|placed| placed.board) {
            let board = self.board(ix).at();
            self.change(Change::Claimed { board, claim: None });
        }
        self.close(id, self.at, outcome);
    }

    /// Somebody goes there, or does not go after all.
    pub(super) fn take_incident(&mut self, who: &Who, id: u64, leave: bool) -> Result<Value, Refused> {
        self.open_incident(id)?;
        let taken = self.s.incidents.get(&id).and_then(|placed| placed.it.taken_by.clone());
        if leave && let Some(other) = taken.as_ref().filter(|by| **by != who.name && who.role != Role::Chief)
        {
            let what =
                format!("incident {id}: {other} goes there; only he or the chief says that he does not");
            return Err(Refused::new(Refused::STATE, what));
        }
        let by = (!leave).then(|| who.name.clone());
        // a second tap is told to nobody
        if by != taken {
            self.retell(id, self.at, |incident| incident.taken_by.clone_from(&by));
        }
        Ok(json!({ "id": id, "taken_by": by }))
    }

    pub(super) fn open_incident(&self, id: u64) -> Result<(), Refused> {
        match self.s.incidents.get(&id) {
            None => Err(Refused::new(Refused::UNKNOWN, format!("there is no incident {id}"))),
            Some(placed) if placed.it.state == IncidentState::Closed => {
                Err(Refused::new(Refused::STATE, format!("incident {id} is closed")))
            }
            Some(_) => Ok(()),
        }
    }
}
