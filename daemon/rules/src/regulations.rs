//! The regulations' values: each with its article, range and default.

use flagfall_arbiter::{BothLate, Player, Points, RulingKind};
use flagfall_clock::{FlagAt, Kind, Periods, PeriodsAt, SideTimes, TimeControl};
use serde::{Deserialize, Serialize};

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant,)* }
    };
}

choice! {
    /// Whether a player who comes in the very millisecond of the default time is late (A5).
    Boundary {
        /// Late only after it.
        #[default]
        After,
        /// Late at it.
        At,
    }
}
choice! {
    /// What an unexplained stop leads to.
    StopAsked {
        /// An incident; a ruling only when play goes on or an arbiter says so.
        #[default]
        Ask,
        /// A proposed ruling at once.
        Propose,
    }
}
choice! {
    /// What is proposed where the times cannot be proved (六.9).
    Unprovable {
        /// 八.2 proposed, the loss offered.
        #[default]
        Ask,
        /// The loss proposed.
        Loss,
    }
}
choice! {
    /// From which status on a result is public.
    PublicResult {
        /// As soon as a person entered it.
        Entered,
        /// When both signed.
        #[default]
        Signed,
        /// When the round is closed.
        Official,
    }
}

choice! {
    /// Whose numbering the articles in rulings follow.
    Laws {
        /// The supplementary regulations of 2012.
        #[default]
        Wugong,
        /// The FIDE Laws of Chess.
        Fide,
        /// The US Chess rules.
        UsChess,
    }
}
choice! {
    /// What the default time is compared with (A4).
    DefaultReference {
        /// The wall clock since the round's actual start.
        #[default]
        RoundStart,
        /// What the late player's own clock has run.
        OwnClock,
    }
}
choice! {
    /// Who may call a flag.
    FlagCall {
        /// The clock shows it: a ruling follows.
        #[default]
        Anyone,
        /// Only the players (US Chess 13C1): the fact is told, a ruling only where an arbiter makes it.
        Players,
    }
}
choice! {
    /// How long an exemption from recording lasts (A8).
    ExemptFor {
        /// Till the game's end.
        #[default]
        Game,
        /// Till the period's end (FIDE 8.4).
        Period,
    }
}
choice! {
    /// Whether an arbiter grants the exemption from recording (A8).
    ExemptBy {
        /// It is his to acknowledge.
        #[default]
        Arbiter,
        /// It holds by itself.
        Itself,
    }
}
choice! {
    /// What a check of the claimant beyond those that count takes from the natural limit (A12).
    ExcessCheck {
        /// A whole round.
        #[default]
        Round,
        /// One side's move.
        Ply,
    }
}
choice! {
    /// From when on a draw may be agreed (A11).
    DrawFrom {
        /// Once so many rounds are complete.
        #[default]
        Complete,
        /// Only in a round after them.
        After,
    }
}
choice! {
    /// Whether every so many fouls cost points, or only the first so many (A10).
    EventFouls {
        /// Every so many.
        #[default]
        Every,
        /// Once.
        Once,
    }
}
choice! {
    /// What is proposed for the opponent's time between a false press and the stop (六.2, 六.3).
    PressTimes {
        /// Left as they are: the text says nothing of times.
        #[default]
        Leave,
        /// As they stood at the press, without the increment it gave.
        Restore,
    }
}
choice! {
    /// What a ringing telephone costs (六.11).
    Phone {
        /// The game.
        #[default]
        Loss,
        /// A foul.
        Foul,
    }
}
choice! {
    /// Who wins a drawn game (armageddon).
    DrawWinner {
        /// Nobody: it is a draw.
        #[default]
        Nobody,
        /// The first player.
        First,
        /// The second player.
        Second,
    }
}

/// What an offence in a game costs; what is left out does not happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Offence {
    /// Fouls each time.
    pub foul: u32,
    /// Taken off the offender each time, in milliseconds.
    pub deduct_ms: u32,
    /// Added to the opponent each time, in milliseconds.
    pub opponent_ms: u32,
    /// This one of the kind in a game loses it; 0: never.
    pub loses_at: u32,
}

/// One value as `check` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its key.
    pub key: &'static str,
    /// The article it comes from.
    pub article: &'static str,
    /// What it means, with its unit.
    pub meaning: &'static str,
    /// Its value now, as in a file.
    pub now: String,
    /// Its default, as in a file.
    pub default: String,
}

/// Why a value cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegulationsError {
    /// Out of its range.
    #[error("{key} = {value} is outside {low} to {high}")]
    Range {
        /// The key.
        key: &'static str,
        /// The value.
        value: i64,
        /// The least allowed.
        low: i64,
        /// The greatest allowed.
        high: i64,
    },
}

macro_rules! regulations {
    ($($(#[doc = $meaning:literal])* $key:ident: $type:ty = $default:expr, $article:literal, $range:expr;)*) => {
        /// The regulations in force.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Regulations { $($(#[doc = $meaning])* pub $key: $type,)* }

        /// Values a file overrides. A key that is not one of them is an error.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Overrides { $($(#[doc = $meaning])* pub $key: Option<$type>,)* }

        impl Default for Regulations {
            /// `wugong-2012`.
            fn default() -> Self { Self { $($key: $default,)* } }
        }

        impl Regulations {
            /// These, with what a file says otherwise.
            ///
            /// # Errors
            /// A value outside its range.
            pub fn with(mut self, over: Overrides) -> Result<Self, RegulationsError> {
                $(if let Some(value) = over.$key { self.$key = value; })*
                $(if let Some((low, high)) = range($range) {
                    let value = number(&self.$key);
                    if let Some(value) = value && (value < low || value > high) {
                        return Err(RegulationsError::Range { key: stringify!($key), value, low, high });
                    }
                })*
                Ok(self)
            }

            /// All values, for people.
            #[must_use]
            pub fn values(&self) -> Vec<Value> {
                let plain = Self::default();
                vec![$(Value {
                    key: stringify!($key),
                    article: $article,
                    meaning: concat!($($meaning),*).trim_ascii(),
                    now: text(&self.$key),
                    default: text(&plain.$key),
                },)*]
            }
        }
    };
}

fn range(range: Option<(i64, i64)>) -> Option<(i64, i64)> {
    range
}

fn number<T: Serialize>(value: &T) -> Option<i64> {
    serde_json::to_value(value).ok().and_then(|v| v.as_i64())
}

fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_value(value).map_or_else(|_| String::new(), |v| v.to_string())
}

const DAY: i64 = 86_400_000;

regulations! {
    /// Whose numbering the articles in rulings follow.
    laws: Laws = Laws::Wugong, "十一.1", None;
    /// Kind of time control.
    kind: Kind = Kind::Fischer, "三(1)", None;
    /// Base time a side, ms.
    base_ms: u32 = 3_000_000, "三(1)", Some((0, DAY));
    /// Increment with each completed move, ms.
    increment_ms: u32 = 15_000, "三(1)", Some((0, 3_600_000));
    /// The increment stands on the clock already before the first move.
    increment_on_first_move: bool = false, "三(1)", None;
    /// No increment lifts a side above this, ms.
    cap_ms: Option<u32> = None, "三(1)", Some((1_000, DAY));
    /// A byo-yomi period or a Canadian block, ms.
    overtime_ms: u32 = 0, "三(1)", Some((0, DAY));
    /// Byo-yomi periods, or moves in a Canadian block.
    overtime_count: u16 = 0, "三(1)", Some((0, 1_000));
    /// Moves of the first period, where others follow.
    moves: u16 = 0, "三(1)", Some((0, 1_000));
    /// The periods after the first: moves (0: all that are left), base_ms, increment_ms.
    periods: Periods = Periods::new(), "三(1)", None;
    /// A period ends with a side's own moves, or for both when the first side reaches zero.
    periods_at: PeriodsAt = PeriodsAt::Moves, "三(1)", None;
    /// The last period comes again and again.
    repeat: bool = false, "三(1)", None;
    /// The flag falls at zero, or only below zero.
    flag_at: FlagAt = FlagAt::Zero, "三(1)", None;
    /// The other side stands still once a flag has fallen.
    freeze_on_flag: bool = true, "三(1)", None;
    /// Who may call a flag.
    flag_call: FlagCall = FlagCall::Anyone, "三(1)", None;
    /// A loss on time or by a count of offences is a draw where the opponent cannot win; an arbiter sees that.
    unless_cannot_win: bool = false, "三(1)", None;
    /// Who wins a drawn game (armageddon).
    draw_winner: DrawWinner = DrawWinner::Nobody, "九.1", None;
    /// Below this a side is in time trouble, ms; 0 never. Nobody is told to hurry.
    low_time_ms: u32 = 60_000, "—", Some((0, DAY));
    /// The first player's own times (time odds).
    first: Option<SideTimes> = None, "三(1)", None;
    /// The second player's own times (time odds).
    second: Option<SideTimes> = None, "三(1)", None;
    /// Who is not there so long after the round's actual start may be defaulted, ms.
    default_ms: u64 = 900_000, "四.1", Some((1_000, DAY));
    /// Late after the default time, or at it.
    default_boundary: Boundary = Boundary::After, "四.1", None;
    /// The default time counts from the round's start, or by the late player's own clock.
    default_reference: DefaultReference = DefaultReference::RoundStart, "四.1", None;
    /// What both lose when both are late.
    both_late: BothLate = BothLate::OwnLateness, "四.2", None;
    /// A player may stop the clock himself.
    player_may_stop: bool = false, "三(2)", None;
    /// What an unexplained stop leads to.
    unexplained_stop: StopAsked = StopAsked::Ask, "三(2)", None;
    /// Fouls for a stop without cause.
    stop_foul: u32 = 1, "八.2", Some((0, 10));
    /// Taken off for a stop without cause, ms.
    stop_deduct_ms: u32 = 300_000, "八.2", Some((0, DAY));
    /// Added to the opponent for a stop without cause, ms.
    stop_opponent_ms: u32 = 0, "八.2", Some((0, DAY));
    /// Fouls for a start without cause.
    start_foul: u32 = 1, "三(2)", Some((0, 10));
    /// Taken off for a start without cause, ms.
    start_deduct_ms: u32 = 0, "三(2)", Some((0, DAY));
    /// What is proposed where the times cannot be proved.
    stop_unprovable: Unprovable = Unprovable::Ask, "六.9", None;
    /// Times known to this bound count as proved, ms.
    provable_within_ms: u64 = 2_000, "六.9", Some((0, 600_000));
    /// Below this time for the first time a player need not record, ms.
    recording_exempt_ms: u32 = 180_000, "五.3", Some((0, DAY));
    /// Only where a move gives less than this, ms; 0 always.
    recording_exempt_increment_ms: u32 = 0, "五.3", Some((0, 3_600_000));
    /// An exemption lasts to the game's or the period's end.
    recording_exempt_for: ExemptFor = ExemptFor::Game, "五.3", None;
    /// An arbiter grants the exemption, or it holds by itself.
    recording_exempt_by: ExemptBy = ExemptBy::Arbiter, "五.3", None;
    /// So many moves not written down are a foul; 0 never.
    missed_record_moves: u32 = 4, "五.1", Some((0, 1_000));
    /// At most so many fouls for one record; 0 without limit.
    missed_record_most: u32 = 2, "五.1", Some((0, 100));
    /// A record is completed so long after the game, ms; 0 without limit.
    record_task_ms: u64 = 0, "五.3", Some((0, 30 * DAY));
    /// The winner of a board, in a draw the first player, enters the game for the broadcast within this, ms; 0: not kept track of.
    broadcast_task_ms: u64 = 0, "五.5", Some((0, 30 * DAY));
    /// A side that has run so long may belong to a game that is over: its result is asked for, ms; 0 never.
    still_playing_ms: u64 = 1_200_000, "—", Some((0, DAY));
    /// Rounds without a capture after which a game is drawn.
    natural_limit_rounds: u32 = 60, "七.4", Some((1, 1_000));
    /// At most so many of the claimant's checks count among them.
    natural_limit_checks: u32 = 10, "七.4", Some((0, 1_000));
    /// Fouls for a natural limit wrongly claimed.
    false_claim_foul: u32 = 1, "七.4", Some((0, 10));
    /// Taken off for a natural limit wrongly claimed, ms.
    false_claim_deduct_ms: u32 = 300_000, "七.4", Some((0, DAY));
    /// What a check beyond those that count takes away.
    natural_limit_excess: ExcessCheck = ExcessCheck::Round, "七.4", None;
    /// Added to the opponent for a claim found wrong, ms.
    false_claim_opponent_ms: u32 = 0, "七.4", Some((0, DAY));
    /// This wrong claim of a player in a game loses it; 0 never.
    false_claim_loses_at: u32 = 2, "六.5", Some((0, 10));
    /// A press before moving.
    early_press: Offence = Offence { foul: 1, deduct_ms: 0, opponent_ms: 0, loses_at: 2 }, "六.3", None;
    /// A move against the rules of movement.
    illegal_move: Offence = Offence { foul: 1, deduct_ms: 0, opponent_ms: 0, loses_at: 2 }, "六.2", None;
    /// What is proposed for the times after either.
    press_times: PressTimes = PressTimes::Leave, "六.3", None;
    /// Fouls under 六.2 and 六.3 count together in a game.
    pooled_fouls: bool = false, "六.3", None;
    /// So many fouls in one game lose it; 0 never.
    foul_limit: u32 = 0, "六.4", Some((0, 100));
    /// Every so many fouls of a player over the event cost points; 0 never.
    event_fouls_every: u32 = 3, "六.4", Some((0, 100));
    /// Points they cost.
    event_fouls_points: Points = Points::ONE, "六.4", None;
    /// Every so many fouls, or only the first so many.
    event_fouls: EventFouls = EventFouls::Every, "六.4", None;
    /// They cost his team the same points.
    event_fouls_team: bool = false, "六.4", None;
    /// No draw is agreed within so many rounds; 0 always allowed.
    draw_ban_rounds: u32 = 20, "六.7", Some((0, 1_000));
    /// Allowed once they are complete, or in the round after.
    draw_ban_from: DrawFrom = DrawFrom::Complete, "六.7", None;
    /// What a ringing telephone costs.
    phone: Phone = Phone::Loss, "六.11", None;
    /// No press for so long on two boards of a match is worth a look, ms; 0 never.
    waiting_ms: u64 = 0, "八.8", Some((0, DAY));
    /// For a win.
    points_win: Points = Points::ONE, "九.1", None;
    /// For a draw.
    points_draw: Points = Points::HALF, "九.1", None;
    /// For a loss.
    points_loss: Points = Points::ZERO, "九.1", None;
    /// For a win without play.
    points_forfeit_win: Points = Points::ONE, "四.1", None;
    /// For a loss without play.
    points_forfeit_loss: Points = Points::ZERO, "四.1", None;
    /// Fouls of each where a result was signed the wrong way round.
    signed_reversed_foul: u32 = 1, "九.2", Some((0, 10));
    /// Rulings that confirm themselves in mode `act`.
    automatic: Vec<RulingKind> = vec![RulingKind::TimeForfeit], "三(1)", None;
    /// From which status on a result is public.
    public_result: PublicResult = PublicResult::Signed, "九.2", None;
}

impl Regulations {
    /// The time control for the clocks.
    #[must_use]
    pub fn time_control(&self) -> TimeControl {
        TimeControl {
            kind: self.kind,
            base_ms: self.base_ms,
            increment_ms: self.increment_ms,
            increment_on_first_move: self.increment_on_first_move,
            flag_at: self.flag_at,
            freeze_on_flag: self.freeze_on_flag,
            first: self.first,
            second: self.second,
            cap_ms: self.cap_ms,
            overtime_ms: self.overtime_ms,
            overtime_count: self.overtime_count,
            moves: self.moves,
            periods: self.periods,
            periods_at: self.periods_at,
            repeat: self.repeat,
        }
    }

    /// Whether a remaining time means that the flag has fallen.
    #[must_use]
    pub const fn fallen(&self, ms: i64) -> bool {
        if matches!(self.kind, Kind::Gong | Kind::UpCount) {
            return false;
        }
        match self.flag_at {
            FlagAt::Zero => ms <= 0,
            FlagAt::BelowZero => ms < 0,
        }
    }

    /// What a player's side shows before his first move, ms.
    #[must_use]
    pub fn at_start(&self, player: Player) -> i64 {
        self.time_control().at_start(player)
    }

    /// Values that contradict each other, each a sentence; none of them stops anything.
    #[must_use]
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        for (key, value) in
            [("recording_exempt_ms", self.recording_exempt_ms), ("stop_deduct_ms", self.stop_deduct_ms)]
        {
            if value > self.base_ms {
                doubts.push(format!("{key} = {value} is above base_ms = {}", self.base_ms));
            }
        }
        doubts
    }
}
