//! Values that contradict each other: no reading of them is left under which the event could be played as written.

use super::Regulations;
use flagfall_arbiter::{Player, Points, RulingKind};
use flagfall_clock::{Kind, PeriodsAt};

/// The most that a clock shows, 99:59:59, in milliseconds.
const MOST_MS: i64 = 359_999_000;

/// What is said of values that stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The keys it is about; the likeliest slip of the pen first.
    pub keys: Vec<&'static str>,
    /// What is wrong or odd, and what would be right. Said after the first key's name.
    pub text: String,
}

pub(super) struct Remarks(pub Vec<Remark>);

impl Remarks {
    pub fn when(&mut self, is: bool, keys: &[&'static str], text: impl Into<String>) {
        if is {
            self.0.push(Remark { keys: keys.to_vec(), text: text.into() });
        }
    }
}

/// Whether a kind of control can have periods after the first.
const fn has_periods(kind: Kind) -> bool {
    match kind {
        Kind::Fischer | Kind::SuddenDeath | Kind::Bronstein | Kind::Delay => true,
        Kind::Byoyomi | Kind::Canadian | Kind::Hourglass | Kind::PerMove | Kind::Gong | Kind::UpCount => {
            false
        }
    }
}

impl Regulations {
    pub(super) fn kind_word(&self) -> String {
        self.get("kind").and_then(|kind| kind.as_str().map(ToOwned::to_owned)).unwrap_or_default()
    }

    /// Contradictions. Where there is one, the event cannot be played by these values.
    #[must_use]
    pub fn contradictions(&self) -> Vec<Remark> {
        let mut said = Remarks(Vec::new());
        self.overtime(&mut said);
        self.periods(&mut said);
        let kind = self.kind_word();
        said.when(
            matches!(self.kind, Kind::Gong | Kind::UpCount)
                && self.automatic.contains(&RulingKind::TimeForfeit),
            &["automatic", "kind"],
            format!("has `time_forfeit`, but no flag falls with kind = \"{kind}\"; write `automatic = []`"),
        );
        said.when(
            self.kind == Kind::Gong
                && Player::BOTH.iter().any(|player| self.time_control().of(*player).base_ms == 0),
            &["base_ms", "first", "second", "kind"],
            "is 0, and a turn of no length never ends with kind = \"gong\"",
        );
        let highest = self.most_time();
        let most = match self.kind {
            Kind::Byoyomi | Kind::Canadian => "overtime_count",
            _ if self.periods.is_empty() => "base_ms",
            _ => "periods",
        };
        said.when(
            highest > MOST_MS,
            &[most, "base_ms", "overtime_ms", "periods", "first", "second"],
            format!("makes {highest} ms with all that is given; a clock holds at most {MOST_MS} ms"),
        );
        self.points(&mut said);
        let (checks, rounds) = (self.natural_limit_checks, self.natural_limit_rounds);
        said.when(
            checks > rounds,
            &["natural_limit_checks", "natural_limit_rounds"],
            format!("is {checks} and natural_limit_rounds is {rounds}; more checks than rounds cannot count"),
        );
        said.0
    }

    /// The most a side can ever have by what is granted to it, in milliseconds.
    fn most_time(&self) -> i64 {
        let granted: i64 = self.periods.as_slice().iter().map(|period| i64::from(period.base_ms)).sum();
        let [first, second] = Player::BOTH.map(|player| {
            let delay = match self.kind {
                Kind::Bronstein | Kind::Delay => i64::from(self.time_control().of(player).increment_ms),
                _ => 0,
            };
            self.at_start(player) + delay + granted
        });
        // in the end one side may have all the sand
        if self.kind == Kind::Hourglass { first + second } else { first.max(second) }
    }

    fn overtime(&self, said: &mut Remarks) {
        let kind = self.kind_word();
        if !matches!(self.kind, Kind::Byoyomi | Kind::Canadian) {
            return;
        }
        said.when(
            self.overtime_ms == 0,
            &["overtime_ms", "kind"],
            format!("is 0; kind = \"{kind}\" needs it, for example `overtime_ms = 30000`"),
        );
        let example = if self.kind == Kind::Byoyomi { "3` periods" } else { "10` moves in a block" };
        said.when(
            self.overtime_count == 0,
            &["overtime_count", "kind"],
            format!("is 0; kind = \"{kind}\" needs it, for example `overtime_count = {example}"),
        );
    }

    fn periods(&self, said: &mut Remarks) {
        let (kind, periods) = (self.kind_word(), self.periods.as_slice());
        let Some((last, before)) = periods.split_last() else {
            said.when(
                self.repeat,
                &["repeat", "periods"],
                "is true, but there are no periods; which should come again?",
            );
            return;
        };
        said.when(
            !has_periods(self.kind),
            &["periods", "kind"],
            format!("are given, but kind = \"{kind}\" has none; write `periods = []` or another kind"),
        );
        if self.periods_at == PeriodsAt::Zero {
            said.when(
                self.repeat,
                &["repeat", "periods_at"],
                "is true with periods that end at zero: no flag would ever end the game",
            );
            return;
        }
        said.when(
            self.moves == 0,
            &["moves", "periods"],
            "is 0, so the first period has no end and the others never begin; write for example `moves = 40`, or \
             `periods_at = \"zero\"`",
        );
        if let Some(place) = before.iter().position(|period| period.moves == 0) {
            said.when(
                true,
                &["periods"],
                format!("have one without moves, number {}, so those after it never begin; only the last may do without", place + 1),
            );
        }
        said.when(
            self.repeat && last.moves == 0,
            &["repeat", "periods"],
            "is true, but the last period has no moves and so no end; write for example `moves = 20` in it",
        );
    }

    fn points(&self, said: &mut Remarks) {
        let ordered = |said: &mut Remarks, [more, less]: [&'static str; 2], [high, low]: [Points; 2]| {
            said.when(high < low, &[more, less], format!("is {high}, less than {less} = {low}"));
        };
        ordered(said, ["points_win", "points_draw"], [self.points_win, self.points_draw]);
        ordered(said, ["points_draw", "points_loss"], [self.points_draw, self.points_loss]);
        let forfeit = [self.points_forfeit_win, self.points_forfeit_loss];
        ordered(said, ["points_forfeit_win", "points_forfeit_loss"], forfeit);
    }
}
