//! Requests on their way to the rules: repeats, roles, a journal that cannot be written, conflicts.

use super::{Hall, record};
use crate::gate::Gate;
use crate::{AskId, Out};
use flagfall_arbiter::{Ask, Refused, Request, Role};
use flagfall_rules::{Input, Outcome, Venue, Who};
use serde_json::json;
use std::collections::VecDeque;

impl Hall {
    pub(super) fn ask(&mut self, at: Venue, id: AskId, who: &Who, ask: Ask, out: &mut Out) {
        match self.requests.look(id, who, &ask) {
            Gate::Answer(answer) => out.answers.push((id, answer)),
            Gate::Wait => {}
            Gate::Refuse(refused) => self.refuse(at, id, who, &ask, refused, out),
            Gate::Pass if ask.request.role() == Role::Viewer => self.read(at, id, who, ask, out),
            Gate::Pass => {
                let stop = matches!(ask.request, Request::BoardStop { .. });
                if let Some(fault) = self.journal_fault.as_ref().filter(|_| !stop) {
                    // not remembered: once the journal can be written it may be asked again
                    let message = format!("{}: the journal cannot be written: {fault}", ask.method);
                    out.answers.push((id, Err(Refused::new(Refused::BUSY, message))));
                    return;
                }
                if let Some(refused) = self.conflict(&ask) {
                    self.refuse(at, id, who, &ask, refused, out);
                    return;
                }
                let no = self.requests.open(Some(id), who, &ask);
                let input = Input::Ask { no, who: who.clone(), method: ask.method, params: ask.params };
                self.put_urgently(at, input, stop, out);
            }
        }
    }

    /// What changes nothing is answered and not journalled, unless something follows from it.
    pub(super) fn read(&mut self, at: Venue, id: AskId, who: &Who, ask: Ask, out: &mut Out) {
        let no = self.requests.open(Some(id), who, &Ask { request_id: None, ..ask.clone() });
        let input = Input::Ask { no, who: who.clone(), method: ask.method, params: ask.params };
        let mut outcome = Outcome::default();
        self.rules.handle(at, &input, &mut outcome);
        if !outcome.decisions.is_empty() || !outcome.orders.is_empty() {
            out.records.push(record(at, "input", None, &input));
        }
        let mut inputs = VecDeque::new();
        self.follow(at, outcome, false, &mut inputs, out);
        for input in inputs {
            self.put(at, input, out);
        }
    }

    pub(super) fn refuse(
        &mut self,
        at: Venue,
        id: AskId,
        who: &Who,
        ask: &Ask,
        refused: Refused,
        out: &mut Out,
    ) {
        let changes = ask.request.role() != Role::Viewer;
        if changes && self.journal_fault.is_none() && self.requests.keep_refusal(at) {
            let input = Input::Refused {
                who: who.clone(),
                method: ask.method.clone(),
                params: ask.params.clone(),
                error: refused.message.clone(),
            };
            self.put(at, input, out);
            if let Some(answered) = self.requests.refused(who, ask, &refused) {
                out.records.push(record(at, "answer", None, &answered));
            }
        }
        out.answers.push((id, Err(refused)));
    }

    /// Whether a person or a ruling changed the board since the asker last saw it.
    pub(super) fn conflict(&self, ask: &Ask) -> Option<Refused> {
        let seen = ask.seen?;
        let of_match = match &ask.request {
            Request::MatchResults { round, match_no, .. } => self.rules.boards_of_match(*round, *match_no),
            _ => Vec::new(),
        };
        let followed = self.changes.since(&ask.method, &ask.params, &of_match, seen);
        if followed.is_empty() {
            return None;
        }
        let mut refused =
            Refused::new(Refused::CONFLICT, format!("{}: the board changed since event {seen}", ask.method));
        refused.data = Some(json!({ "followed": followed }));
        Some(refused)
    }
}
