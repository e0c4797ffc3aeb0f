//! One line of a case: when, what is done to the clock, and what it is expected to say.
//!
//! `+3s press left => press left: left_ms = r - u + 5s`. Words and their order are described in
//! `docs/hardware/conformance.md`.

use super::expect::Expect;
use super::expr::{Expr, number};
use super::order::Order;
use super::specimen::Contact;
use flagfall_clock::Side;

/// When a step is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// As soon as the one before is over.
    Next,
    /// So many milliseconds after the one before was done; chance chooses between two.
    After(i64, i64),
    /// At this uptime of the clock, in milliseconds.
    At(Expr),
}

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Closes a contact for so many milliseconds.
    Press(Contact, i64),
    /// Closes both levers in the same instant for so many milliseconds.
    PressBoth(i64),
    /// Closes or opens a contact.
    Hand(Contact, bool),
    /// So many edges within so many microseconds, the last one closing it; it opens 100 ms later.
    Bounce(Contact, u64, u64),
    /// Closes it, opens it at once for a moment each millisecond, for so many milliseconds.
    Chatter(Contact, i64),
    /// Presses of the first player before the start, to tie test time to the clock's own.
    Calibrate,
    Command(Order),
    /// The last command's bytes once more.
    Repeat,
    /// So many random bytes.
    Noise(u64),
    /// A line of so many bytes.
    Oversized(u64),
    /// Lets so many milliseconds pass.
    Wait(i64),
    Cut,
    Power,
}

/// One line of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub text: String,
    pub when: When,
    pub deed: Deed,
    pub expects: Vec<Expect>,
}

/// How long a lever is held down where nothing is said, in milliseconds.
const PRESS: i64 = 100;

impl Step {
    /// All steps of a script. A line that begins with `=>` goes on with what the one before expects; `6x` before a step
    /// repeats it, and `6x [` all up to `]`.
    pub(crate) fn parse_all(script: &str) -> Result<Vec<Self>, String> {
        let mut steps: Vec<Self> = Vec::new();
        let mut again: Option<(usize, usize)> = None;
        for line in script.lines() {
            let line = line.split_once('#').map_or(line, |(line, _)| line).trim();
            if line.is_empty() {
                continue;
            }
            let at = |why: String| format!("`{line}`: {why}");
            if line == "]" {
                let (times, from) = again.take().ok_or_else(|| at("nothing is closed by it".into()))?;
                let block = steps.split_off(from);
                steps.extend(std::iter::repeat_n(block, times).flatten());
                continue;
            }
            let (times, line) = times(line);
            if line == "[" {
                again = Some((times, steps.len()));
                continue;
            }
            match (line.strip_prefix("=>"), steps.last_mut()) {
                (Some(more), Some(step)) => {
                    step.text = format!("{}; {}", step.text, more.trim());
                    step.expects.extend(Expect::parse_all(more).map_err(at)?);
                }
                (Some(_), None) => return Err(at("nothing is done before it".into())),
                (None, _) => {
                    let step = Self::parse(line).map_err(at)?;
                    steps.extend(std::iter::repeat_n(step, times));
                }
            }
        }
        for step in &mut steps {
            step.expect_an_answer();
        }
        Ok(steps)
    }

    fn parse(line: &str) -> Result<Self, String> {
        let (deed, expects) = line.split_once("=>").unwrap_or((line, ""));
        let (when, rest) = when(deed.trim())?;
        Ok(Self {
            text: line.split_whitespace().collect::<Vec<_>>().join(" "),
            when,
            deed: Deed::parse(rest)?,
            expects: Expect::parse_all(expects)?,
        })
    }

    /// A command is answered: after all else where nothing is said of it.
    fn expect_an_answer(&mut self) {
        let answered = match &self.deed {
            // What only comes again has been answered.
            Deed::Command(order) if order.name() != "replay" => {
                order.is_answered() && !self.expects.iter().any(|expect| matches!(expect, Expect::Again(_)))
            }
            Deed::Command(order) => order.is_answered(),
            _ => false,
        };
        if answered && !self.expects.iter().any(|expect| expect.is("done")) {
            self.expects.extend(Expect::parse_all("done").unwrap_or_default());
        }
    }

    /// The contacts that it moves.
    pub(crate) fn contacts(&self, first_side: Side) -> Vec<Contact> {
        match self.deed {
            Deed::Press(contact, _) | Deed::Hand(contact, _) => vec![contact],
            Deed::Bounce(contact, ..) | Deed::Chatter(contact, _) => vec![contact],
            Deed::PressBoth(_) => vec![Contact::Left, Contact::Right],
            Deed::Calibrate => vec![Contact::lever(first_side)],
            Deed::Command(_) | Deed::Repeat | Deed::Noise(_) | Deed::Oversized(_) => vec![],
            Deed::Wait(_) | Deed::Cut | Deed::Power => vec![],
        }
    }

    /// Milliseconds that pass at least.
    pub(crate) fn lasts(&self) -> i64 {
        let before = if let When::After(_, most) = self.when { most } else { 0 };
        before
            + match self.deed {
                Deed::Wait(ms) | Deed::Chatter(_, ms) => ms,
                _ => 0,
            }
    }
}

/// `6x describe` is six of them.
fn times(line: &str) -> (usize, &str) {
    let repeated = line.split_once(char::is_whitespace).and_then(|(first, rest)| {
        let times = first.strip_suffix('x')?.parse().ok()?;
        Some((times, rest.trim()))
    });
    repeated.unwrap_or((1, line))
}

fn when(text: &str) -> Result<(When, &str), String> {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if let Some(after) = first.strip_prefix('+') {
        let (least, most) = after.split_once("..").unwrap_or((after, after));
        return Ok((When::After(number(least)?, number(most)?), rest.trim()));
    }
    match first.strip_prefix('@') {
        Some(at) => Ok((When::At(Expr::parse(at)?), rest.trim())),
        None => Ok((When::Next, text)),
    }
}

fn contact(name: &str) -> Result<Contact, String> {
    Contact::named(name).ok_or_else(|| format!("`{name}` is none of left, right, stop, key"))
}

fn count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

impl Deed {
    fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<_> = text.split_whitespace().collect();
        Ok(match words[..] {
            ["press", "both"] => Self::PressBoth(PRESS),
            ["press", "both", "for", ms] => Self::PressBoth(number(ms)?),
            ["press", on] => Self::Press(contact(on)?, PRESS),
            ["press", on, "for", ms] => Self::Press(contact(on)?, number(ms)?),
            ["down", on] => Self::Hand(contact(on)?, true),
            ["up", on] => Self::Hand(contact(on)?, false),
            ["bounce", on, edges, "edges", "in", ms] => {
                let us = u64::try_from(number(ms)?).unwrap_or(0) * 1_000;
                Self::Bounce(contact(on)?, count(edges)?, us)
            }
            ["chatter", on, "for", ms] => Self::Chatter(contact(on)?, number(ms)?),
            ["calibrate"] => Self::Calibrate,
            ["repeat"] => Self::Repeat,
            ["noise", bytes] => Self::Noise(count(bytes)?),
            ["oversized", bytes] => Self::Oversized(count(bytes)?),
            ["wait", ms] => Self::Wait(number(ms)?),
            ["cut"] => Self::Cut,
            ["power"] => Self::Power,
            _ => Self::Command(Order::parse(text)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_read_with_its_time_and_its_answer() {
        let steps = Step::parse_all(
            "# begins\nstart left => start left by command\n+3s press left\n=> press left\n@zero-1 down right\n+1s..4s cut",
        )
        .unwrap();
        assert_eq!(steps[0].expects.len(), 2, "its answer comes last");
        assert_eq!((&steps[1].when, steps[1].expects.len()), (&When::After(3_000, 3_000), 1));
        assert_eq!(steps[2].deed, Deed::Hand(Contact::Right, true));
        assert_eq!((&steps[3].when, steps[3].lasts()), (&When::After(1_000, 4_000), 4_000));
    }

    #[test]
    fn what_is_no_step_is_named() {
        for script in ["press up", "+3 seconds", "dance", "=> press left", "wait", "start", "stop boot=x"] {
            let error = Step::parse_all(script).unwrap_err();
            assert!(error.starts_with(&format!("`{script}`: ")), "{error}");
        }
    }
}
