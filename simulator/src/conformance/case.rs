//! The cases, as the files in `cases/` have them, checked when they are read.

use super::expect::Expect;
use super::member;
use super::order::Way;
use super::script::{Deed, Step};
use super::specimen::{Contact, Hands};
use flagfall_clock::{Kind, Side, StopButton, TimeControl};
use serde::Deserialize;

/// The files, in the order in which they are run.
const FILES: [(&str, &str); 12] = [
    ("starting", include_str!("cases/starting.toml")),
    ("pressing", include_str!("cases/pressing.toml")),
    ("flag", include_str!("cases/flag.toml")),
    ("controls", include_str!("cases/controls.toml")),
    ("periods", include_str!("cases/periods.toml")),
    ("stopping", include_str!("cases/stopping.toml")),
    ("ending", include_str!("cases/ending.toml")),
    ("commands", include_str!("cases/commands.toml")),
    ("saying", include_str!("cases/saying.toml")),
    ("lines", include_str!("cases/lines.toml")),
    ("power", include_str!("cases/power.toml")),
    ("long", include_str!("cases/long.toml")),
];

/// What a case needs beyond hands and commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// Its power under control, and a game that outlives a cut.
    Power,
    /// A key.
    Seal,
    /// Both encodings.
    BothEncodings,
    /// JSON.
    Json,
}

impl Need {
    /// For people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Power => "power",
            Self::Seal => "a key",
            Self::BothEncodings => "both encodings",
            Self::Json => "JSON",
        }
    }
}

/// One case of the suite.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file it stands in.
    pub file: &'static str,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub about: String,
    /// The section of `docs/hardware/clock-behaviour.md`, or the page beside it.
    pub section: String,
    /// Whose hands it needs.
    pub hands: Hands,
    /// Only with `--all` in real time.
    pub long: bool,
    /// Beyond that.
    pub needs: Vec<Need>,
    pub(crate) control: TimeControl,
    pub(crate) first_side: Side,
    pub(crate) stop_button: StopButton,
    pub(crate) times: u32,
    pub(crate) steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Said>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SaidHands {
    Person,
    Jig,
    Exact,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    name: String,
    about: String,
    section: String,
    control: Option<TimeControl>,
    /// The case once for each of these kinds.
    #[serde(default)]
    kinds: Vec<Kind>,
    first_side: Option<Side>,
    #[serde(default)]
    stop_button: StopButton,
    hands: Option<SaidHands>,
    #[serde(default)]
    long: bool,
    #[serde(default)]
    needs: Vec<Need>,
    #[serde(default = "once")]
    times: u32,
    script: String,
}

const fn once() -> u32 {
    1
}

/// How often a case that is left to chance is run in real time at most.
pub(crate) const REAL_TIMES: u32 = 2;

/// 5:00 and 5 s with each move, where a case says nothing of its control.
const USUAL: TimeControl = TimeControl::fischer(300_000, 5_000);

impl Case {
    /// All cases.
    ///
    /// # Errors
    /// The first that cannot be read, by file and name. Those of the program can.
    pub fn all() -> Result<Vec<Self>, String> {
        let mut cases = Vec::new();
        for (file, text) in FILES {
            cases.extend(Self::of_file(file, text)?);
        }
        Ok(cases)
    }

    pub(crate) fn of_file(file: &'static str, text: &str) -> Result<Vec<Self>, String> {
        let said: File = toml::from_str(text).map_err(|error| format!("{file}.toml: {error}"))?;
        let mut cases = Vec::new();
        for said in said.case {
            let case = Self::of(file, &said).map_err(|why| format!("{file}.toml: {}: {why}", said.name))?;
            if said.kinds.is_empty() {
                cases.push(case);
                continue;
            }
            for kind in said.kinds {
                let name = format!("{}-{}", case.name, kind_name(kind));
                cases.push(Self { name, control: TimeControl { kind, ..case.control }, ..case.clone() });
            }
        }
        Ok(cases)
    }

    fn of(file: &'static str, said: &Said) -> Result<Self, String> {
        let steps = Step::parse_all(&said.script)?;
        if said.about.is_empty() || said.section.is_empty() || steps.is_empty() {
            return Err("it says what it is for, by which section, and what is done".into());
        }
        names_mean_something(&steps)?;
        let handed = |step: &Step| !step.contacts(Side::Left).is_empty();
        let hands = match (said.hands, steps.iter().any(handed)) {
            (None, true) => Hands::Jig,
            (None, false) => Hands::None,
            (Some(_), false) => return Err("nothing is done by hand in it".into()),
            (Some(SaidHands::Person), true) => Hands::Person,
            (Some(SaidHands::Jig), true) => Hands::Jig,
            (Some(SaidHands::Exact), true) => Hands::Exact,
        };
        let mut needs = said.needs.clone();
        for step in &steps {
            let need = match &step.deed {
                Deed::Cut => Need::Power,
                Deed::Command(order) => match order.way {
                    Way::Otherwise => Need::BothEncodings,
                    Way::Unchecked => Need::Json,
                    Way::Unsealed | Way::Forged => Need::Seal,
                    _ => continue,
                },
                _ => continue,
            };
            if !needs.contains(&need) {
                needs.push(need);
            }
        }
        Ok(Self {
            file,
            name: format!("{file}/{}", said.name),
            about: said.about.clone(),
            section: said.section.clone(),
            hands,
            long: said.long,
            needs,
            control: said.control.unwrap_or(USUAL),
            first_side: said.first_side.unwrap_or(Side::Left),
            stop_button: said.stop_button,
            times: said.times,
            steps,
        })
    }

    /// What it takes in real time, in milliseconds, about.
    #[must_use]
    pub fn lasts_ms(&self) -> u64 {
        let steps: i64 = self.steps.iter().map(|step| step.lasts() + 60).sum();
        (u64::try_from(steps).unwrap_or(0) + 700) * u64::from(self.times.min(REAL_TIMES))
    }

    /// The contacts it moves.
    pub(crate) fn contacts(&self) -> impl Iterator<Item = Contact> {
        self.steps.iter().flat_map(|step| step.contacts(self.first_side))
    }

    /// The commands it gives, by their names in `can`.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &'static str> {
        self.steps.iter().filter_map(|step| match &step.deed {
            Deed::Command(order) => Some(order.name()),
            _ => None,
        })
    }
}

/// As on the wire.
fn kind_name(kind: Kind) -> String {
    serde_json::to_value(kind).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// A condition that could never be reckoned is found when the files are read.
fn names_mean_something(steps: &[Step]) -> Result<(), String> {
    let mut marks = Vec::new();
    for expect in steps.iter().flat_map(|step| &step.expects) {
        let Expect::Event { text, mark, conditions, .. } = expect else { continue };
        marks.extend(mark.as_deref());
        for condition in conditions {
            let names = condition.value.names();
            let unknown =
                names.into_iter().chain([&*condition.member]).find(|name| !member::is_known(name, &marks));
            if let Some(name) = unknown {
                return Err(format!("`{text}`: nothing is called `{name}` here"));
            }
        }
    }
    Ok(())
}
