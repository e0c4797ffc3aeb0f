//! Who may ask what, what was answered before, and how often a refusal is kept.
//!
//! The one place where a role is looked at. Decides nothing about boards: what it lets through is for
//! the rules.

use crate::AskId;
use flagfall_arbiter::{Ask, Refused, Request, Role};
use flagfall_rules::{Venue, Who};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Answers remembered.
const MOST_ANSWERS: usize = 10_000;
/// Refusals journalled a second, of all users together.
const REFUSALS: u32 = 20;

/// An answer.
pub(crate) type Answer = Result<Value, Refused>;

/// An answer as journalled, so that a repeat gets it also after a restart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Answered {
    /// The hall's number for the request, where the rules were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no: Option<u64>,
    pub request_id: String,
    pub user: String,
    pub method: String,
    pub params: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub err: Option<Refused>,
}

impl Answered {
    fn answer(&self) -> Answer {
        match &self.err {
            Some(refused) => Err(refused.clone()),
            None => Ok(self.ok.clone().unwrap_or(Value::Null)),
        }
    }
}

/// A request the rules have not answered yet.
#[derive(Clone, Debug)]
struct Open {
    asked: Vec<AskId>,
    user: String,
    method: String,
    params: Value,
    request_id: Option<String>,
}

/// What becomes of a request at the gate.
#[derive(Debug)]
pub(crate) enum Gate {
    /// Answered before, or by a wrong repeat; nothing is journalled.
    Answer(Answer),
    /// The first of its kind is not answered yet; it is answered with it.
    Wait,
    /// Refused, and to be kept.
    Refuse(Refused),
    /// For the rules.
    Pass,
}

/// Requests, open and answered.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    answers: HashMap<String, Answered>,
    order: VecDeque<String>,
    open: BTreeMap<u64, Open>,
    last: u64,
    /// The second counted, and refusals in it.
    second: (u64, u32),
}

/// Whether this role may ask that.
fn may(role: Role, request: &Request) -> bool {
    match (role, request.role()) {
        (Role::Chief, _) | (_, Role::Viewer) => true,
        // in a game its clock is an arbiter's (三(3)); there the rules refuse a technician
        (Role::Arbiter, Role::Technician) => matches!(request, Request::BoardAssign { .. }),
        (Role::Arbiter, needed) => matches!(needed, Role::Arbiter | Role::Results),
        (Role::Results, needed) => needed == Role::Results,
        (Role::Technician, needed) => needed == Role::Technician,
        (Role::Viewer, _) => false,
    }
}

const fn called(role: Role) -> &'static str {
    match role {
        Role::Chief => "chief",
        Role::Arbiter => "arbiter",
        Role::Results => "results",
        Role::Technician => "technician",
        Role::Viewer => "viewer",
    }
}

impl Requests {
    /// Looks at a request before anybody else does.
    pub(crate) fn look(&mut self, id: AskId, who: &Who, ask: &Ask) -> Gate {
        if let Some(request_id) = &ask.request_id {
            let same = |user: &str, method: &str, params: &Value| {
                user == who.name && method == ask.method && *params == ask.params
            };
            let other = || {
                Refused::new(
                    Refused::PARAMS,
                    format!("request_id {request_id} was used before, by another request or user"),
                )
            };
            if let Some(first) = self.answers.get(request_id) {
                let same = same(&first.user, &first.method, &first.params);
                return Gate::Answer(if same { first.answer() } else { Err(other()) });
            }
            let open = self.open.values_mut().find(|open| open.request_id.as_ref() == Some(request_id));
            if let Some(first) = open {
                if !same(&first.user, &first.method, &first.params) {
                    return Gate::Answer(Err(other()));
                }
                if first.asked.is_empty() {
                    return Gate::Answer(Err(Refused::new(
                        Refused::STATE,
                        format!("{} was taken in before a restart and is not answered", ask.method),
                    )));
                }
                first.asked.push(id);
                return Gate::Wait;
            }
        }
        if may(who.role, &ask.request) {
            return Gate::Pass;
        }
        let (role, method) = (called(who.role), &ask.method);
        Gate::Refuse(Refused::new(
            Refused::ROLE,
            format!("{method} is not for the role {role} of {}", who.name),
        ))
    }

    /// Whether one more refusal is kept this second.
    pub(crate) fn keep_refusal(&mut self, now: Venue) -> bool {
        let second = now.0 / 1_000;
        if self.second.0 != second {
            self.second = (second, 0);
        }
        self.second.1 = self.second.1.saturating_add(1);
        self.second.1 <= REFUSALS
    }

    /// Numbers a request for the rules.
    pub(crate) fn open(&mut self, id: Option<AskId>, who: &Who, ask: &Ask) -> u64 {
        self.last += 1;
        self.open
            .insert(self.last, Open::new(id, &who.name, &ask.method, &ask.params, ask.request_id.clone()));
        self.last
    }

    /// A request as journalled, not answered as far as read.
    pub(crate) fn reopen(&mut self, no: u64, who: &Who, method: &str, params: &Value) {
        self.last = self.last.max(no);
        if let Some(request_id) = params.get("request_id").and_then(Value::as_str) {
            self.open.insert(no, Open::new(None, &who.name, method, params, Some(request_id.into())));
        }
    }

    /// The rules answered: who waits for it, and what is to be journalled of it.
    pub(crate) fn answered(&mut self, no: u64, answer: &Answer) -> (Vec<AskId>, Option<Answered>) {
        let Some(open) = self.open.remove(&no) else { return (Vec::new(), None) };
        let kept = open.request_id.map(|request_id| Answered {
            no: Some(no),
            request_id,
            user: open.user,
            method: open.method,
            params: open.params,
            ok: answer.as_ref().ok().cloned(),
            err: answer.as_ref().err().cloned(),
        });
        if let Some(answered) = &kept {
            self.keep(answered.clone());
        }
        (open.asked, kept)
    }

    /// A refusal at the gate, to be journalled where it has an id. One with long parameters is not
    /// remembered: asked again it is refused again, and memory is not there for what is refused.
    pub(crate) fn refused(&mut self, who: &Who, ask: &Ask, refused: &Refused) -> Option<Answered> {
        let request_id = ask.request_id.clone()?;
        if ask.params.to_string().len() > crate::hall::MOST_KEPT {
            return None;
        }
        let answered = Answered {
            no: None,
            request_id,
            user: who.name.clone(),
            method: ask.method.clone(),
            params: ask.params.clone(),
            ok: None,
            err: Some(refused.clone()),
        };
        self.keep(answered.clone());
        Some(answered)
    }

    /// Remembers an answer.
    pub(crate) fn keep(&mut self, answered: Answered) {
        if let Some(no) = answered.no {
            self.open.remove(&no);
        }
        if self.answers.contains_key(&answered.request_id) {
            return;
        }
        if self.order.len() >= MOST_ANSWERS
            && let Some(oldest) = self.order.pop_front()
        {
            self.answers.remove(&oldest);
        }
        self.order.push_back(answered.request_id.clone());
        self.answers.insert(answered.request_id.clone(), answered);
    }
}

impl Open {
    fn new(id: Option<AskId>, user: &str, method: &str, params: &Value, request_id: Option<String>) -> Self {
        Self {
            asked: id.into_iter().collect(),
            user: user.into(),
            method: method.into(),
            params: params.clone(),
            request_id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    #[rstest]
    #[case("event.mode", json!({"mode": "assist"}), "c")]
    #[case("board.stop", json!({"board": "1"}), "ca")]
    #[case("board.result", json!({"board": "1", "result": "1-0"}), "car")]
    #[case("round.prepare", json!({}), "ct")]
    #[case("board.assign", json!({"board": "1", "clock": "A01"}), "cat")]
    #[case("round.check", json!({}), "cartv")]
    fn each_role_may_what_its_work_is(#[case] method: &str, #[case] params: Value, #[case] allowed: &str) {
        let ask = Ask::parse(method, Some(params)).unwrap();
        let roles = [Role::Chief, Role::Arbiter, Role::Results, Role::Technician, Role::Viewer];
        for role in roles {
            let letter = called(role).chars().next().unwrap();
            assert_eq!(may(role, &ask.request), allowed.contains(letter), "{method} for {role:?}");
        }
    }
}
