//! What the names in a condition stand for.
//!
//! A report's members by their names on the wire; `r` and `u` as in `docs/api/clocks.md`; `was`, the same member of the
//! report before; `since`, milliseconds since the event before; `p1.left_ms`, a member of a marked report.

use super::expect::{Compare, Condition};
use super::expr::Value;
use super::history::Told;
use flagfall_clock::{By, Claim, ClockEvent, ClockReport, Refusal, Side};
use std::collections::BTreeMap;

/// Reports by the marks of a case.
pub(crate) type Marks = BTreeMap<String, ClockReport>;

fn word(word: impl serde::Serialize) -> Value {
    match serde_json::to_value(word) {
        Ok(serde_json::Value::String(word)) => Value::Word(word),
        Ok(serde_json::Value::Bool(yes)) => Value::Word(if yes { "yes" } else { "no" }.into()),
        _ => Value::Word("none".into()),
    }
}

fn number(number: impl TryInto<i64>) -> Value {
    Value::Number(number.try_into().unwrap_or(i64::MAX))
}

/// A member of a report or of its event. `Unsaid` where the clock may leave it out, and did.
pub(crate) fn member(report: &ClockReport, name: &str) -> Option<Value> {
    Some(match name {
        "left_ms" => number(report.left_ms),
        "right_ms" => number(report.right_ms),
        "left_presses" => number(report.left_presses),
        "right_presses" => number(report.right_presses),
        "uptime_ms" => number(report.uptime_ms),
        "seq" => number(report.seq),
        "boot" => number(report.boot),
        "running" => word(report.running),
        "events" => report.events.map_or(Value::Unsaid, number),
        "flag" => report.flag.map_or(Value::Unsaid, word),
        "stopped_by" => report.stopped_by.map_or(Value::Unsaid, by),
        "left_period" => report.periods.map_or(Value::Unsaid, |periods| number(periods.0)),
        "right_period" => report.periods.map_or(Value::Unsaid, |periods| number(periods.1)),
        _ => return event_member(report.event.as_ref()?, name),
    })
}

fn by(who: By) -> Value {
    if who == By::Unknown { Value::Unsaid } else { word(who) }
}

fn event_member(event: &ClockEvent, name: &str) -> Option<Value> {
    use ClockEvent as E;
    Some(match (name, event) {
        (
            "side",
            E::Ready { side } | E::Start { side, .. } | E::Press { side } | E::IgnoredPress { side },
        ) => word(side),
        ("side", E::Flag { side } | E::Period { side }) => word(side),
        ("by", E::Start { by: who, .. } | E::Stop { by: who } | E::Resume { by: who }) => by(*who),
        ("by", E::Adjust { by: who } | E::Reset { by: who }) => by(*who),
        ("claim", E::Over { claim, .. }) => word(claim),
        ("agreed", E::Over { agreed, .. }) => word(agreed),
        ("command", E::Done { command, .. }) => number(*command),
        ("error", E::Done { ok: true, .. }) => word(None::<Refusal>),
        ("error", E::Done { ok: false, error, .. }) => word(error.unwrap_or(Refusal::Other)),
        ("restored", E::Boot(about) | E::About(about)) => word(about.restored),
        _ => return None,
    })
}

const MEMBERS: [&str; 20] = [
    "left_ms",
    "right_ms",
    "left_presses",
    "right_presses",
    "uptime_ms",
    "seq",
    "boot",
    "running",
    "events",
    "flag",
    "stopped_by",
    "left_period",
    "right_period",
    "side",
    "by",
    "claim",
    "agreed",
    "command",
    "error",
    "restored",
];

/// Whether a name means something in a condition, where these marks were set.
pub(crate) fn is_known(name: &str, marks: &[&str]) -> bool {
    let member = |name: &str| MEMBERS.contains(&name);
    match name.split_once('.') {
        Some((mark, name)) => marks.contains(&mark) && member(name),
        None => member(name) || ["was", "r", "u", "since"].contains(&name) || stands_for_itself(name),
    }
}

/// Words that stand for themselves.
fn stands_for_itself(name: &str) -> bool {
    let words =
        [word(Side::Left), word(Side::Right), word(Claim::First), word(Claim::Second), word(Claim::Draw)];
    words.contains(&Value::Word(name.into()))
        || ["none", "yes", "no", "button", "arbiter_key", "command", "power"].contains(&name)
}

fn named(name: &str, condition: &Condition, told: &Told, marks: &Marks) -> Result<Value, String> {
    let unknown = || format!("nothing is called `{name}` here");
    if let Some((mark, name)) = name.split_once('.') {
        let report = marks.get(mark).ok_or_else(|| format!("nothing was marked `{mark}`"))?;
        return member(report, name).ok_or_else(unknown);
    }
    match name {
        "was" => {
            let was = told.was.as_ref().ok_or("nothing was said before")?;
            member(was, &condition.member).ok_or_else(unknown)
        }
        "r" => told.turn.map(|turn| number(turn.had)).ok_or_else(|| "no turn was under way".into()),
        "u" => told.used.map(number).ok_or_else(|| "no turn was under way".into()),
        "since" => told.since.map(number).ok_or_else(|| "no event was before it".into()),
        name if stands_for_itself(name) => Ok(Value::Word(name.into())),
        name => member(&told.report, name).ok_or_else(unknown),
    }
}

/// How a condition came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Yes,
    /// The clock does not say that, and need not.
    Unsaid(String),
    /// No; what was expected and what came.
    No(String),
}

/// Whether a condition holds of what was told.
///
/// # Errors
/// It cannot be reckoned.
pub(crate) fn holds(condition: &Condition, told: &Told, marks: &Marks) -> Result<Held, String> {
    let of = |name: &str| named(name, condition, told, marks);
    let (came, expected) = (of(&condition.member)?, condition.value.value(&of)?);
    let order = match (&came, &expected) {
        (Value::Unsaid, Value::Word(none)) if none == "none" => return Ok(Held::Yes),
        (Value::Unsaid, _) | (_, Value::Unsaid) => return Ok(Held::Unsaid(condition.member.clone())),
        (Value::Number(came), Value::Number(expected)) => came.cmp(expected),
        (Value::Word(came), Value::Word(expected)) => came.cmp(expected),
        _ => return Err(format!("`{}`: `{came}` cannot be compared with `{expected}`", condition.text)),
    };
    let yes = match condition.compare {
        Compare::Equal => order.is_eq(),
        Compare::NotEqual => order.is_ne(),
        Compare::Less => order.is_lt(),
        Compare::LessOrEqual => order.is_le(),
        Compare::More => order.is_gt(),
        Compare::MoreOrEqual => order.is_ge(),
    };
    if yes {
        return Ok(Held::Yes);
    }
    Ok(Held::No(format!("expected {}, which is {expected}; came {came}", condition.text)))
}
