//! An arbiter says why a clock was stopped or started (三(2), 六.9, 八.2).

use crate::board::BoardIx;
use crate::turn::{Turn, When};
use flagfall_arbiter::{IncidentKind, Offender, Refused, RulingKind, StopCause};
use serde_json::{Value, json};

impl Turn<'_> {
    /// Why a stop or start happened.
    pub(crate) fn explain(
        &mut self,
        ix: BoardIx,
        cause: StopCause,
        offender: Option<Offender>,
    ) -> Result<Value, Refused> {
        let name = self.board(ix).name.clone();
        let kinds = [IncidentKind::UnexplainedStart, IncidentKind::UnexplainedStop, IncidentKind::ClockReset];
        let open = kinds
            .into_iter()
            .filter_map(|kind| self.open_on(ix, kind))
            .max_by_key(|placed| placed.it.id)
            .map(|placed| (placed.it.id, placed.it.kind));
        let board = self.board(ix);
        if open.is_none() && board.stops.is_empty() && board.started.is_none() {
            return Err(Refused::new(Refused::STATE, format!("board {name} has no stop to explain")));
        }
        let word =
            serde_json::to_value(cause).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default();
        // a question already closed may be answered better: its grounds are the ground of the ruling
        let last = self
            .s
            .incidents
            .values()
            .rev()
            .find(|placed| placed.board == Some(ix) && kinds.contains(&placed.it.kind))
            .map(|placed| (placed.it.id, placed.it.kind));
        let about = open.or(last);
        if cause == StopCause::WithoutCause
            && let Some((incident, _)) = about
            && let Some(ruled) = self.ruled(ix, incident)
        {
            return Err(Refused::new(
                Refused::STATE,
                format!("board {name}: ruling {ruled} answers this stop already; overrule it first"),
            ));
        }
        if let Some((id, _)) = open {
            self.close(id, self.at, &word);
        }
        if cause != StopCause::WithoutCause {
            if let Some((id, _)) = about {
                self.withdraw_resting_on(id, &word);
            }
            return Ok(json!({ "board": name, "cause": cause, "incident": about.map(|(id, _)| id) }));
        }
        let kind = match about {
            Some((_, IncidentKind::UnexplainedStart)) => RulingKind::UnauthorisedStart,
            _ => RulingKind::UnauthorisedStop,
        };
        let same = self.waiting(ix, &[kind]);
        for id in same {
            self.withdraw(id, "an arbiter named the offender");
        }
        let ruling = self.propose_stop(ix, When::exactly(self.at), kind, offender, about.map(|(id, _)| id));
        Ok(json!({ "board": name, "cause": cause, "incident": about.map(|(id, _)| id), "ruling": ruling }))
    }

    /// The confirmed ruling that answers an incident.
    pub(crate) fn ruled(&self, ix: BoardIx, incident: u64) -> Option<u64> {
        self.board(ix).rulings.iter().copied().find(|id| {
            self.s.rulings.get(id).is_some_and(|placed| {
                placed.it.incident == Some(incident)
                    && placed.it.state == flagfall_arbiter::RulingState::Confirmed
            })
        })
    }
}
