//! A command as a case writes it, and the ways in which it is written wrongly on purpose.

use super::expr::{Expr, number};
use flagfall_clock::{Action, SetTimes, Side, StopButton, TimeControl};
use serde::Deserialize;

/// How it goes over the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// As it should.
    Sound,
    /// In the encoding that the clock does not write.
    Otherwise,
    /// One bit is wrong.
    Damaged,
    /// Only its first half, and then the end of the line.
    Half,
    /// For another clock.
    Other,
    /// JSON without its check.
    Unchecked,
    /// With a CRC where a seal is due.
    Unsealed,
    /// Under another key.
    Forged,
}

const WAYS: [(&str, Way); 7] = [
    ("otherwise", Way::Otherwise),
    ("damaged", Way::Damaged),
    ("half", Way::Half),
    ("other", Way::Other),
    ("unchecked", Way::Unchecked),
    ("unsealed", Way::Unsealed),
    ("forged", Way::Forged),
];

/// What is commanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Fixed(Action),
    /// From this `seq` on, of the boot that lies so far from this one.
    Replay(Expr, i64),
    /// Up to this `seq`, of the boot that lies so far from this one.
    Ack(Expr, i64),
}

/// A command of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub what: What,
    pub way: Way,
    /// Added to the boot.
    pub boot: i64,
    /// Its number, counted from the highest used so far; none: the next.
    pub number: Option<i64>,
    /// Its end, counted from the clock's uptime; none: some seconds.
    pub until: Option<i64>,
}

#[derive(Deserialize)]
struct Configure {
    first_side: Option<Side>,
    #[serde(default)]
    stop_button: StopButton,
    #[serde(flatten)]
    time_control: TimeControl,
}

fn configure(text: &str) -> Result<Action, String> {
    #[derive(Deserialize)]
    struct Said {
        said: Configure,
    }
    let said =
        toml::from_str::<Said>(&format!("said = {text}")).map_err(|error| error.message().to_owned())?;
    let Configure { first_side, stop_button, time_control } = said.said;
    Ok(Action::Configure { time_control, first_side: first_side.unwrap_or(Side::Left), stop_button })
}

fn side(name: &str) -> Result<Side, String> {
    match name {
        "left" => Ok(Side::Left),
        "right" => Ok(Side::Right),
        _ => Err(format!("`{name}` is no side")),
    }
}

fn moves(text: &str) -> Result<Option<u32>, String> {
    text.parse().map(Some).map_err(|_| format!("`{text}` is no number of moves"))
}

impl What {
    fn parse(words: &[&str]) -> Result<Self, String> {
        let boot = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
        let set = |left: &str, right: &str, counts: Option<(&str, &str)>| {
            Ok::<_, String>(Self::Fixed(Action::SetTimes(SetTimes {
                left_ms: number_of(left)?,
                right_ms: number_of(right)?,
                left_presses: counts.map_or(Ok(None), |(left, _)| moves(left))?,
                right_presses: counts.map_or(Ok(None), |(_, right)| moves(right))?,
            })))
        };
        Ok(match *words {
            ["start", on] => Self::Fixed(Action::Start { side: side(on)? }),
            ["stop"] => Self::Fixed(Action::Stop),
            ["resume"] => Self::Fixed(Action::Resume),
            ["identify"] => Self::Fixed(Action::Identify),
            ["describe"] => Self::Fixed(Action::Describe),
            ["unknown"] => Self::Fixed(Action::Unknown),
            ["show", shown] => Self::Fixed(Action::Show {
                number: shown.parse().map_err(|_| format!("`{shown}` cannot be shown"))?,
            }),
            ["set_times", left, right] => set(left, right, None)?,
            ["set_times", left, right, "moves", of_left, of_right] => {
                set(left, right, Some((of_left, of_right)))?
            }
            ["adjust", left, right] => Self::Fixed(Action::Adjust {
                left_delta_ms: number_of(left)?,
                right_delta_ms: number_of(right)?,
            }),
            ["replay", "from", seq] => Self::Replay(Expr::parse(seq)?, 0),
            ["replay", "from", seq, "of", of] => Self::Replay(Expr::parse(seq)?, boot(of)?),
            ["ack", seq] => Self::Ack(Expr::parse(seq)?, 0),
            ["ack", seq, "of", of] => Self::Ack(Expr::parse(seq)?, boot(of)?),
            _ => return Err(format!("`{}` is neither a hand nor a command", words.join(" "))),
        })
    }
}

fn number_of(text: &str) -> Result<i64, String> {
    text.strip_prefix('-').map_or_else(|| number(text), |text| number(text).map(|number| -number))
}

impl Order {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (head, control) = text.find('{').map_or((text, None), |at| (&text[..at], Some(&text[at..])));
        let mut order =
            Self { what: What::Fixed(Action::Unknown), way: Way::Sound, boot: 0, number: None, until: None };
        let mut words = Vec::new();
        for word in head.split_whitespace() {
            let way = WAYS.iter().find(|(name, _)| words.is_empty() && *name == word);
            match (way, word.split_once('=')) {
                (Some((_, way)), _) => order.way = *way,
                (None, Some((name, value))) => {
                    let value = number_of(value.trim_start_matches('+'))?;
                    match name {
                        "boot" => order.boot = value,
                        "number" => order.number = Some(value),
                        "until" => order.until = Some(value),
                        _ => return Err(format!("`{name}` is none of boot, number, until")),
                    }
                }
                (None, None) => words.push(word),
            }
        }
        order.what = match (&words[..], control) {
            (["configure"], Some(control)) => What::Fixed(configure(control)?),
            (words, None) => What::parse(words)?,
            _ => return Err(format!("`{head}` takes no control")),
        };
        Ok(order)
    }

    /// The name of what is commanded, as in `can`.
    pub(crate) const fn name(&self) -> &'static str {
        match &self.what {
            What::Fixed(action) => action.name(),
            What::Replay(..) => "replay",
            What::Ack(..) => "ack",
        }
    }

    /// Whether a clock answers it.
    pub(crate) const fn is_answered(&self) -> bool {
        matches!(self.way, Way::Sound | Way::Otherwise) && !matches!(self.what, What::Ack(..))
    }
}
