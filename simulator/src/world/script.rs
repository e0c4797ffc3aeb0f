//! What the scenario itself has asked: the steps of its reactions, and what its parameters stand for.

use super::World;
use super::arbiter::Matter;
use super::judgement::option_of;
use crate::scenario::Step;
use crate::span::Span;
use serde_json::{Map, Value, json};

impl World {
    pub(super) fn take_step(
        &mut self,
        when: usize,
        step: usize,
        id: u64,
        round: Option<u32>,
        board: Option<String>,
    ) {
        let steps: &[Step] = &self.scenario.when[when].steps;
        let Some(this) = steps.get(step) else { return };
        let next = steps.get(step + 1).map(|next| self.now + next.after.ms());
        let (method, params) = (this.method.clone(), self.params(&this.params, Some(id), &board, round));
        self.ask(&method, params, Matter::Step { when, step, id, round, board: board.clone() });
        if let Some(at) = next {
            self.plan_desk(at, Matter::Step { when, step: step + 1, id, round, board });
        }
    }

    /// A scenario's parameters with what their `$` and `@` stand for.
    pub(super) fn params(
        &self,
        table: &toml::Table,
        id: Option<u64>,
        board: &Option<String>,
        round: Option<u32>,
    ) -> Value {
        let ruling = id.and_then(|id| self.told.rulings.get(&id)).map(|told| &told.it);
        let stands = |text: &str| -> Value {
            match text {
                "$id" => json!(id),
                "$board" => json!(board),
                "$round" => json!(round),
                "$foul" => json!(ruling.and_then(|ruling| option_of(ruling, None, false))),
                "$loss" => json!(ruling.and_then(|ruling| option_of(ruling, None, true))),
                _ => match text.strip_prefix('@').and_then(|span| span.parse::<Span>().ok()) {
                    Some(span) => self.wall(span.ms()).into(),
                    None => text.into(),
                },
            }
        };
        Value::Object(table.iter().map(|(key, value)| (key.clone(), filled(value, &stands))).collect())
    }
}

fn filled(value: &toml::Value, stands: &impl Fn(&str) -> Value) -> Value {
    match value {
        toml::Value::String(text) => stands(text),
        toml::Value::Array(values) => values.iter().map(|value| filled(value, stands)).collect(),
        toml::Value::Table(table) => {
            Value::Object(table.iter().map(|(k, v)| (k.clone(), filled(v, stands))).collect::<Map<_, _>>())
        }
        toml::Value::Integer(number) => json!(number),
        toml::Value::Float(number) => json!(number),
        toml::Value::Boolean(yes) => json!(yes),
        toml::Value::Datetime(instant) => instant.to_string().into(),
    }
}
