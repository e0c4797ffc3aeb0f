//! Values that contradict each other, and values that are odd together.
//!
//! A contradiction leaves no reading under which the event could be played as written; it is an error. What is merely
//! odd is told and stops nothing.

use super::{DefaultReference, DrawWinner, EventFouls, FlagCall, Offence, Regulations, choices::ExemptFor};
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

struct Remarks(Vec<Remark>);

impl Remarks {
    fn when(&mut self, is: bool, keys: &[&'static str], text: impl Into<String>) {
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

/// Whether a kind of control makes anything of the increment.
const fn has_increment(kind: Kind) -> bool {
    matches!(kind, Kind::Fischer | Kind::Bronstein | Kind::Delay)
}

impl Regulations {
    fn kind_word(&self) -> String {
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

    /// Values that are odd; none of them stops anything.
    #[must_use]
    pub fn doubts(&self) -> Vec<Remark> {
        let mut said = Remarks(Vec::new());
        for (key, value) in [
            ("recording_exempt_ms", self.recording_exempt_ms),
            ("low_time_ms", self.low_time_ms),
            ("stop_deduct_ms", self.stop_deduct_ms),
            ("start_deduct_ms", self.start_deduct_ms),
            ("false_claim_deduct_ms", self.false_claim_deduct_ms),
            ("early_press", self.early_press.deduct_ms),
            ("illegal_move", self.illegal_move.deduct_ms),
        ] {
            let text = format!("{value} is above base_ms = {}", self.base_ms);
            said.when(value > self.base_ms, &[key, "base_ms"], text);
        }
        self.odd_controls(&mut said);
        self.odd_flags(&mut said);
        self.odd_fouls(&mut said);
        said.0
    }

    fn odd_controls(&self, said: &mut Remarks) {
        let kind = self.kind_word();
        let increment = self.increment_ms > 0
            || [self.first, self.second].iter().flatten().any(|times| times.increment_ms > 0);
        said.when(
            increment && !has_increment(self.kind),
            &["increment_ms", "kind"],
            format!("does not count with kind = \"{kind}\"; write `increment_ms = 0`"),
        );
        said.when(
            self.increment_on_first_move && self.kind != Kind::Fischer,
            &["increment_on_first_move", "kind"],
            format!("counts with kind = \"fischer\" only, and kind is \"{kind}\""),
        );
        said.when(
            self.cap_ms.is_some() && self.kind != Kind::Fischer,
            &["cap_ms", "kind"],
            format!("counts with kind = \"fischer\" only, and kind is \"{kind}\""),
        );
        let base = self.base_ms;
        said.when(
            self.cap_ms.is_some_and(|cap| cap < base),
            &["cap_ms", "base_ms"],
            format!("is below base_ms = {base}: no increment until so much is used up"),
        );
        said.when(
            (self.overtime_ms > 0 || self.overtime_count > 0)
                && !matches!(self.kind, Kind::Byoyomi | Kind::Canadian),
            &["overtime_ms", "overtime_count", "kind"],
            format!("does not count with kind = \"{kind}\""),
        );
        let least = self.at_start(Player::First).min(self.at_start(Player::Second));
        let later = matches!(self.kind, Kind::Bronstein | Kind::Delay) && increment;
        said.when(
            least == 0 && !later && self.kind != Kind::UpCount,
            &["base_ms"],
            "is 0 and nothing stands beside it: a flag falls as soon as its clock runs",
        );
        said.when(
            self.moves > 0 && (self.periods.is_empty() || self.periods_at == PeriodsAt::Zero),
            &["moves", "periods_at", "periods"],
            "does not count: no period ends with moves",
        );
    }

    fn odd_flags(&self, said: &mut Remarks) {
        let itself = self.automatic.contains(&RulingKind::TimeForfeit);
        said.when(
            itself && self.flag_call == FlagCall::Players,
            &["automatic", "flag_call"],
            "has `time_forfeit`, but with flag_call = \"players\" none is proposed by itself",
        );
        said.when(
            itself && self.unless_cannot_win,
            &["automatic", "unless_cannot_win"],
            "has `time_forfeit`, but with unless_cannot_win an arbiter looks at the board first",
        );
        // the rules confirm no other kind by itself
        let others = self.automatic.iter().find(|kind| {
            !matches!(kind, RulingKind::TimeForfeit | RulingKind::Default | RulingKind::DoubleDefault)
        });
        if let Some(kind) = others {
            said.when(
                true,
                &["automatic"],
                format!("has `{}`, which only an arbiter confirms", kind.as_str()),
            );
        }
        said.when(
            self.default_reference == DefaultReference::OwnClock && self.default_ms > u64::from(self.base_ms),
            &["default_ms", "default_reference", "base_ms"],
            format!(
                "{} by a player's own clock is above base_ms = {}: his flag falls first",
                self.default_ms, self.base_ms
            ),
        );
        said.when(
            self.recording_exempt_for == ExemptFor::Period && self.recording_exempt_ms == 0,
            &["recording_exempt_for", "recording_exempt_ms"],
            "does not count: with recording_exempt_ms = 0 nobody is exempt",
        );
        said.when(
            self.draw_winner != DrawWinner::Nobody && self.points_win == self.points_draw,
            &["draw_winner", "points_draw"],
            "names a winner, but a draw gives the points of a win to both",
        );
    }

    fn odd_fouls(&self, said: &mut Remarks) {
        let (press, illegal): (Offence, Offence) = (self.early_press, self.illegal_move);
        said.when(
            self.pooled_fouls && press.loses_at == 0 && illegal.loses_at == 0,
            &["pooled_fouls", "early_press", "illegal_move"],
            "counts early presses and illegal moves together, but neither ever loses; give them `loses_at`",
        );
        said.when(
            self.pooled_fouls && press.loses_at != illegal.loses_at,
            &["pooled_fouls", "early_press", "illegal_move"],
            format!(
                "counts early presses and illegal moves together, but one loses at {} and the other at {}",
                press.loses_at, illegal.loses_at
            ),
        );
        let points = self.event_fouls_points;
        said.when(
            self.event_fouls_every == 0 && points > Points::ZERO,
            &["event_fouls_points", "event_fouls_every"],
            format!("{points} is never taken: event_fouls_every = 0"),
        );
        said.when(
            self.event_fouls_every > 0 && points == Points::ZERO,
            &["event_fouls_points", "event_fouls_every"],
            format!("is 0, so every {} fouls cost nothing", self.event_fouls_every),
        );
        said.when(
            self.event_fouls_every == 0 && (self.event_fouls_team || self.event_fouls == EventFouls::Once),
            &["event_fouls_every", "event_fouls_team", "event_fouls"],
            "is 0, so event_fouls_team and event_fouls do not count",
        );
        said.when(
            self.points_win == self.points_loss,
            &["points_win", "points_loss"],
            format!("{} is what a loss gives too", self.points_win),
        );
    }
}
