//! Requests on their way to the rules: repeats, roles, a journal that cannot be written, conflicts.

use super::{Hall, record};
use crate::gate::Gate;
use crate::{AskId, Out};
use flagfall_arbiter::{Ask, Refused, Request};
use flagfall_rules::{Input, Outcome, Venue, Who};
use serde_json::{Value, json};
use std::collections::VecDeque;

/// Parameters of a refused request are kept up to this length, in bytes.
pub(crate) const MOST_KEPT: usize = 1_024;

/// Parameters as they are, or the beginning of their text where they are long.
fn shortened(params: &Value) -> Value {
    let text = params.to_string();
    if text.len() <= MOST_KEPT { params.clone() } else { Value::String(beginning(&text, MOST_KEPT / 2)) }
}

/// The beginning of a text, at most so many bytes of it.
fn beginning(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}…", &text[..end])
}

impl Hall {
    pub(super) fn ask(&mut self, at: Venue, id: AskId, who: &Who, ask: Ask, out: &mut Out) {
        match self.requests.look(id, who, &ask) {
            Gate::Answer(answer) => out.answers.push((id, answer)),
            Gate::Wait => {}
            Gate::Refuse(refused) => self.refuse(at, id, who, &ask, refused, out),
            Gate::Pass if Request::looks(&ask.method) => self.read(at, id, who, ask, out),
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
        if let Request::RoundView { round } = ask.request {
            let view = self.round_view(at, round, who.role.audience());
            let answer = view.and_then(|view| {
                serde_json::to_value(view).map_err(|error| Refused::new(Refused::STATE, error.to_string()))
            });
            out.answers.push((id, answer));
            return;
        }
        let no = self.requests.open(Some(id), who, &Ask { request_id: None, ..ask.clone() });
        let input = Input::Ask { no, who: who.clone(), method: ask.method, params: ask.params };
        let mut outcome = Outcome::default();
        self.changes.begin(&input);
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
        if !Request::looks(&ask.method)
            && self.keep_refusal(at, who, &ask.method, &ask.params, &refused, out)
            && let Some(answered) = self.requests.refused(who, ask, &refused)
        {
            out.records.push(record(at, "answer", None, &answered));
        }
        out.answers.push((id, Err(refused)));
    }

    /// Journals and tells what somebody asked in vain, so many a second. What he sent may be long, and
    /// anything: only its beginning is kept.
    pub(super) fn keep_refusal(
        &mut self,
        at: Venue,
        who: &Who,
        method: &str,
        params: &Value,
        refused: &Refused,
        out: &mut Out,
    ) -> bool {
        let kept = self.journal_fault.is_none() && self.requests.keep_refusal(at);
        if kept {
            let input = Input::Refused {
                who: who.clone(),
                method: method.to_owned(),
                params: shortened(params),
                error: beginning(&refused.message, MOST_KEPT / 2),
            };
            self.put(at, input, out);
        }
        kept
    }

    /// Whether a person or a ruling changed what this is about since the asker last looked.
    pub(super) fn conflict(&self, ask: &Ask) -> Option<Refused> {
        let seen = ask.seen?;
        let followed = self.changes.since(&ask.request, seen);
        if followed.is_empty() {
            return None;
        }
        let message =
            format!("{}: what it is about changed since event {seen}; look and ask again", ask.method);
        let mut refused = Refused::new(Refused::CONFLICT, message);
        refused.data = Some(json!({ "followed": followed }));
        Some(refused)
    }
}
