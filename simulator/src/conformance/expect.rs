//! What a clock is expected to say: events in their order, with their members and the arithmetic beside them.
//!
//! `press left as p1: left_ms = r - u + 5s, right_ms = was, running = right` is one; several are parted by `;`. What
//! was said before comes again by `again p1`, `again p1..`, `again 3` or `again 3+`; `maybe` stands before an event that
//! may be missing.

use super::expr::Expr;

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
}

const COMPARISONS: [(&str, Compare); 6] = [
    ("!=", Compare::NotEqual),
    ("<=", Compare::LessOrEqual),
    (">=", Compare::MoreOrEqual),
    ("=", Compare::Equal),
    ("<", Compare::Less),
    (">", Compare::More),
];

/// `left_ms = r - u`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub text: String,
    pub member: String,
    pub compare: Compare,
    pub value: Expr,
}

impl Condition {
    fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let found = COMPARISONS.iter().filter_map(|(sign, compare)| Some((text.find(sign)?, sign, *compare)));
        // The first sign in the text; of two that begin there, the longer.
        let (at, sign, compare) = found
            .min_by_key(|(at, sign, _)| (*at, std::cmp::Reverse(sign.len())))
            .ok_or_else(|| format!("`{text}` compares nothing"))?;
        Ok(Self {
            text: text.into(),
            member: text[..at].trim().into(),
            compare,
            value: Expr::parse(&text[at + sign.len()..])?,
        })
    }
}

/// Which of what was said comes again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// The event of that mark.
    Mark(String),
    /// All events from that mark on, in their order.
    From(String),
    /// So many events, the last of them the last that was said.
    Last(usize),
    /// At least so many.
    AtLeast(usize),
}

/// One expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expect {
    Event {
        text: String,
        /// `event.type`.
        name: &'static str,
        /// Members that must be so, by name.
        members: Vec<(&'static str, String)>,
        mark: Option<String>,
        conditions: Vec<Condition>,
        /// It may be missing.
        maybe: bool,
    },
    Again(Again),
}

impl Expect {
    /// Those of a line, parted by `;`.
    pub(crate) fn parse_all(text: &str) -> Result<Vec<Self>, String> {
        text.split(';').map(str::trim).filter(|text| !text.is_empty()).map(Self::parse).collect()
    }

    fn parse(text: &str) -> Result<Self, String> {
        let (maybe, text) = text.strip_prefix("maybe ").map_or((false, text), |text| (true, text.trim()));
        let (head, conditions) = text.split_once(':').unwrap_or((text, ""));
        let mut words: Vec<_> = head.split_whitespace().collect();
        let mut mark = None;
        if let [.., "as", name] = words[..] {
            mark = Some(name.to_owned());
            words.truncate(words.len() - 2);
        }
        if let ["again", what] = words[..] {
            let count = |text: &str| text.parse().ok();
            return Ok(Self::Again(if let Some(count) = count(what) {
                Again::Last(count)
            } else if let Some(count) = what.strip_suffix('+').and_then(count) {
                Again::AtLeast(count)
            } else if let Some(mark) = what.strip_suffix("..") {
                Again::From(mark.into())
            } else {
                Again::Mark(what.into())
            }));
        }
        let (name, members) = head_of(&words).ok_or_else(|| format!("`{head}` is no event"))?;
        let conditions = parted(conditions).into_iter().map(Condition::parse).collect::<Result<_, _>>()?;
        Ok(Self::Event { text: text.into(), name, members, mark, conditions, maybe })
    }

    /// Whether it is an event of this name.
    pub(crate) fn is(&self, event: &str) -> bool {
        matches!(self, Self::Event { name, .. } if *name == event)
    }
}

const SIDED: [&str; 5] = ["ready", "press", "ignored_press", "flag", "period"];
const DONE_BY: [&str; 4] = ["stop", "resume", "adjust", "reset"];
const ALONE: [&str; 4] = ["boot", "about", "ignored_stop", "battery_low"];
/// Refusals, as `done` has them in `error`.
pub(crate) const REFUSALS: [&str; 10] =
    ["expired", "boot", "running", "stopped", "in_game", "flag", "range", "unable", "gone", "other"];

fn one_of(names: &[&'static str], name: &str) -> Option<&'static str> {
    names.iter().find(|known| **known == name).copied()
}

fn head_of(words: &[&str]) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let side = |side: &str| matches!(side, "left" | "right").then(|| ("side", side.to_owned()));
    let by = |by: &str| {
        let known = ["button", "arbiter_key", "command", "power", "unknown"];
        one_of(&known, by).map(|by| ("by", by.to_owned()))
    };
    Some(match words {
        ["start", on, "by", whom] => ("start", vec![side(on)?, by(whom)?]),
        ["over"] => ("over", vec![("claim", "none".into())]),
        ["over", claim @ ("first" | "second" | "draw")] => ("over", vec![("claim", (*claim).into())]),
        ["done"] => ("done", vec![("error", "none".into())]),
        ["refused", why] => ("done", vec![("error", one_of(&REFUSALS, why)?.into())]),
        [name, whom] if SIDED.contains(name) => (one_of(&SIDED, name)?, vec![side(whom)?]),
        [name, "by", whom] => (one_of(&DONE_BY, name)?, vec![by(whom)?]),
        [name] => (one_of(&ALONE, name)?, vec![]),
        _ => return None,
    })
}

/// Parted at the commas outside of brackets.
fn parted(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_u32, 0, Vec::new());
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_with_their_members_marks_and_conditions() {
        let read =
            Expect::parse_all("press left as p1: left_ms = min(r, r - u), right_ms <= was; refused range")
                .unwrap();
        let Expect::Event { name, members, mark, conditions, .. } = &read[0] else { panic!("{read:?}") };
        assert_eq!(
            (*name, &members[..], mark.as_deref()),
            ("press", &[("side", "left".into())][..], Some("p1"))
        );
        let read_conditions: Vec<_> = conditions.iter().map(|c| (c.member.as_str(), c.compare)).collect();
        assert_eq!(read_conditions, [("left_ms", Compare::Equal), ("right_ms", Compare::LessOrEqual)]);
        assert!(matches!(&read[1], Expect::Event { members, .. } if members[0] == ("error", "range".into())));
        assert_eq!(Expect::parse_all("again p1..").unwrap(), [Expect::Again(Again::From("p1".into()))]);
    }

    #[test]
    fn what_is_no_event_is_refused() {
        for text in
            ["press", "press up", "stop by", "stop by me", "refused", "refused it", "press left: running"]
        {
            assert!(Expect::parse_all(text).is_err(), "{text}");
        }
    }
}
