//! The values themselves.

use super::choices::{
    Boundary, DefaultReference, DrawFrom, DrawWinner, EventFouls, ExcessCheck, ExemptBy, ExemptFor, FlagCall,
    Laws, Phone, PressTimes, PublicResult, StopAsked, Unprovable,
};
use super::profiles::Profile;
use super::shape::Shape::{self, Table, Tables, Words, Yes};
use super::shape::{DAY, HOUR, OFFENCE, PERIOD, SIDE_TIMES, count, maybe, ms, points, word, words};
use super::written::written;
use flagfall_arbiter::{BothLate, Points, RulingKind};
use flagfall_clock::{FlagAt, Kind, MAX_PERIODS, Periods, PeriodsAt, SideTimes};
use serde::{Deserialize, Serialize};

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
    /// What may stand there.
    pub shape: Shape,
    /// Its value now, as in a file.
    pub now: String,
    /// Its default, as in a file.
    pub default: String,
}

/// Why a value cannot be.
#[derive(Debug, thiserror::Error)]
pub enum RegulationsError {
    /// No such key.
    #[error("the regulations have no key `{key}`")]
    Unknown {
        /// The key.
        key: String,
    },
    /// Not of the key's shape.
    #[error("{key} cannot be {value}: {cause}")]
    Misfit {
        /// The key.
        key: &'static str,
        /// The value.
        value: serde_json::Value,
        /// Why.
        cause: serde_json::Error,
    },
}

macro_rules! regulations {
    ($($(#[doc = $meaning:literal])* $key:ident: $type:ty = $default:expr, $article:literal, $shape:expr;)*) => {
        /// The regulations in force.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Regulations {
            /// Whose values these are, and which of them the event changed.
            pub profile: Profile,
            $($(#[doc = $meaning])* pub $key: $type,)*
        }

        impl Default for Regulations {
            /// `wugong-2012`.
            fn default() -> Self { Self { profile: Profile::default(), $($key: $default,)* } }
        }

        impl Regulations {
            /// Sets one value. Its range is the business of whoever reads it from a file: see [`Value::shape`].
            ///
            /// # Errors
            /// No such key, or a value of another kind; then nothing is changed.
            pub fn set(&mut self, key: &str, value: &serde_json::Value) -> Result<(), RegulationsError> {
                match key {
                    $(stringify!($key) => self.$key = Deserialize::deserialize(value).map_err(|cause| {
                        RegulationsError::Misfit { key: stringify!($key), value: value.clone(), cause }
                    })?,)*
                    _ => return Err(RegulationsError::Unknown { key: key.to_owned() }),
                }
                Ok(())
            }

            /// A value by its key.
            #[must_use]
            pub fn get(&self, key: &str) -> Option<serde_json::Value> {
                match key {
                    $(stringify!($key) => serde_json::to_value(&self.$key).ok(),)*
                    _ => None,
                }
            }

            /// All values, for people.
            #[must_use]
            pub fn values(&self) -> Vec<Value> {
                let plain = Self::default();
                vec![$(Value {
                    key: stringify!($key),
                    article: $article,
                    meaning: concat!($($meaning),*).trim_ascii(),
                    shape: $shape,
                    now: text(&self.$key),
                    default: text(&plain.$key),
                },)*]
            }
        }
    };
}

fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_value(value).map_or_else(|_| String::new(), |value| written(&value))
}

regulations! {
    /// Whose numbering the articles in rulings follow.
    laws: Laws = Laws::Wugong, "十一.1", word::<Laws>();
    /// Kind of time control.
    kind: Kind = Kind::Fischer, "三(1)", word::<Kind>();
    /// Base time a side, ms.
    base_ms: u32 = 3_000_000, "三(1)", ms(0, DAY);
    /// Increment with each completed move, ms.
    increment_ms: u32 = 15_000, "三(1)", ms(0, HOUR);
    /// The increment stands on the clock already before the first move.
    increment_on_first_move: bool = false, "三(1)", Yes;
    /// No increment lifts a side above this, ms.
    cap_ms: Option<u32> = None, "三(1)", maybe(ms(1_000, DAY));
    /// A byo-yomi period or a Canadian block, ms.
    overtime_ms: u32 = 0, "三(1)", ms(0, DAY);
    /// Byo-yomi periods, or moves in a Canadian block.
    overtime_count: u16 = 0, "三(1)", count(0, 1_000, "periods or moves");
    /// Moves of the first period, where others follow.
    moves: u16 = 0, "三(1)", count(0, 1_000, "moves");
    /// The periods after the first: moves (0: all that are left), base_ms, increment_ms.
    periods: Periods = Periods::new(), "三(1)", Tables { most: MAX_PERIODS, fields: PERIOD.to_vec() };
    /// A period ends with a side's own moves, or for both when the first side reaches zero.
    periods_at: PeriodsAt = PeriodsAt::Moves, "三(1)", word::<PeriodsAt>();
    /// The last period comes again and again.
    repeat: bool = false, "三(1)", Yes;
    /// The flag falls at zero, or only below zero.
    flag_at: FlagAt = FlagAt::Zero, "三(1)", word::<FlagAt>();
    /// The other side stands still once a flag has fallen.
    freeze_on_flag: bool = true, "三(1)", Yes;
    /// Who may call a flag.
    flag_call: FlagCall = FlagCall::Anyone, "三(1)", word::<FlagCall>();
    /// A loss on time or by a count of offences is a draw where the opponent cannot win; an arbiter sees that.
    unless_cannot_win: bool = false, "三(1)", Yes;
    /// Who wins a drawn game (armageddon).
    draw_winner: DrawWinner = DrawWinner::Nobody, "九.1", word::<DrawWinner>();
    /// Below this a side is in time trouble, ms; 0 never. Nobody is told to hurry.
    low_time_ms: u32 = 60_000, "—", ms(0, DAY);
    /// The first player's own times (time odds).
    first: Option<SideTimes> = None, "三(1)", maybe(Table(SIDE_TIMES.to_vec()));
    /// The second player's own times (time odds).
    second: Option<SideTimes> = None, "三(1)", maybe(Table(SIDE_TIMES.to_vec()));
    /// Who is not there so long after the round's actual start may be defaulted, ms.
    default_ms: u64 = 900_000, "四.1", ms(1_000, DAY);
    /// Late after the default time, or at it.
    default_boundary: Boundary = Boundary::After, "四.1", word::<Boundary>();
    /// The default time counts from the round's start, or by the late player's own clock.
    default_reference: DefaultReference = DefaultReference::RoundStart, "四.1", word::<DefaultReference>();
    /// What both lose when both are late.
    both_late: BothLate = BothLate::OwnLateness, "四.2", word::<BothLate>();
    /// A player may stop the clock himself.
    player_may_stop: bool = false, "三(2)", Yes;
    /// What an unexplained stop leads to.
    unexplained_stop: StopAsked = StopAsked::Ask, "三(2)", word::<StopAsked>();
    /// Fouls for a stop without cause.
    stop_foul: u32 = 1, "八.2", count(0, 10, "fouls");
    /// Taken off for a stop without cause, ms.
    stop_deduct_ms: u32 = 300_000, "八.2", ms(0, DAY);
    /// Added to the opponent for a stop without cause, ms.
    stop_opponent_ms: u32 = 0, "八.2", ms(0, DAY);
    /// Fouls for a start without cause.
    start_foul: u32 = 1, "三(2)", count(0, 10, "fouls");
    /// Taken off for a start without cause, ms.
    start_deduct_ms: u32 = 0, "三(2)", ms(0, DAY);
    /// What is proposed where the times cannot be proved.
    stop_unprovable: Unprovable = Unprovable::Ask, "六.9", word::<Unprovable>();
    /// Times known to this bound count as proved, ms.
    provable_within_ms: u64 = 2_000, "六.9", ms(0, 600_000);
    /// Below this time for the first time a player need not record, ms.
    recording_exempt_ms: u32 = 180_000, "五.3", ms(0, DAY);
    /// Only where a move gives less than this, ms; 0 always.
    recording_exempt_increment_ms: u32 = 0, "五.3", ms(0, HOUR);
    /// An exemption lasts to the game's or the period's end.
    recording_exempt_for: ExemptFor = ExemptFor::Game, "五.3", word::<ExemptFor>();
    /// An arbiter grants the exemption, or it holds by itself.
    recording_exempt_by: ExemptBy = ExemptBy::Arbiter, "五.3", word::<ExemptBy>();
    /// So many moves not written down are a foul; 0 never.
    missed_record_moves: u32 = 4, "五.1", count(0, 1_000, "moves");
    /// At most so many fouls for one record; 0 without limit.
    missed_record_most: u32 = 2, "五.1", count(0, 100, "fouls");
    /// A record is completed so long after the game, ms; 0 without limit.
    record_task_ms: u64 = 0, "五.3", ms(0, 30 * DAY);
    /// The winner of a board, in a draw the first player, enters the game for the broadcast within this, ms; 0: not kept track of.
    broadcast_task_ms: u64 = 0, "五.5", ms(0, 30 * DAY);
    /// A side that has run so long may belong to a game that is over: its result is asked for, ms; 0 never.
    still_playing_ms: u64 = 1_200_000, "—", ms(0, DAY);
    /// Rounds without a capture after which a game is drawn.
    natural_limit_rounds: u32 = 60, "七.4", count(1, 1_000, "rounds");
    /// At most so many of the claimant's checks count among them.
    natural_limit_checks: u32 = 10, "七.4", count(0, 1_000, "checks");
    /// Fouls for a natural limit wrongly claimed.
    false_claim_foul: u32 = 1, "七.4", count(0, 10, "fouls");
    /// Taken off for a natural limit wrongly claimed, ms.
    false_claim_deduct_ms: u32 = 300_000, "七.4", ms(0, DAY);
    /// What a check beyond those that count takes away.
    natural_limit_excess: ExcessCheck = ExcessCheck::Round, "七.4", word::<ExcessCheck>();
    /// Added to the opponent for a claim found wrong, ms.
    false_claim_opponent_ms: u32 = 0, "七.4", ms(0, DAY);
    /// This wrong claim of a player in a game loses it; 0 never.
    false_claim_loses_at: u32 = 2, "六.5", count(0, 10, "claims");
    /// A press before moving.
    early_press: Offence = Offence { foul: 1, deduct_ms: 0, opponent_ms: 0, loses_at: 2 }, "六.3", Table(OFFENCE.to_vec());
    /// A move against the rules of movement.
    illegal_move: Offence = Offence { foul: 1, deduct_ms: 0, opponent_ms: 0, loses_at: 2 }, "六.2", Table(OFFENCE.to_vec());
    /// What is proposed for the times after either.
    press_times: PressTimes = PressTimes::Leave, "六.3", word::<PressTimes>();
    /// Fouls under 六.2 and 六.3 count together in a game.
    pooled_fouls: bool = false, "六.3", Yes;
    /// So many fouls in one game lose it; 0 never.
    foul_limit: u32 = 0, "六.4", count(0, 100, "fouls");
    /// Every so many fouls of a player over the event cost points; 0 never.
    event_fouls_every: u32 = 3, "六.4", count(0, 100, "fouls");
    /// Points they cost.
    event_fouls_points: Points = Points::ONE, "六.4", points(0, 100);
    /// Every so many fouls, or only the first so many.
    event_fouls: EventFouls = EventFouls::Every, "六.4", word::<EventFouls>();
    /// They cost his team the same points.
    event_fouls_team: bool = false, "六.4", Yes;
    /// No draw is agreed within so many rounds; 0 always allowed.
    draw_ban_rounds: u32 = 20, "六.7", count(0, 1_000, "rounds");
    /// Allowed once they are complete, or in the round after.
    draw_ban_from: DrawFrom = DrawFrom::Complete, "六.7", word::<DrawFrom>();
    /// What a ringing telephone costs.
    phone: Phone = Phone::Loss, "六.11", word::<Phone>();
    /// No press for so long on two boards of a match is worth a look, ms; 0 never.
    waiting_ms: u64 = 0, "八.8", ms(0, DAY);
    /// For a win.
    points_win: Points = Points::ONE, "九.1", points(-100, 100);
    /// For a draw.
    points_draw: Points = Points::HALF, "九.1", points(-100, 100);
    /// For a loss.
    points_loss: Points = Points::ZERO, "九.1", points(-100, 100);
    /// For a win without play.
    points_forfeit_win: Points = Points::ONE, "四.1", points(-100, 100);
    /// For a loss without play.
    points_forfeit_loss: Points = Points::ZERO, "四.1", points(-100, 100);
    /// Fouls of each where a result was signed the wrong way round.
    signed_reversed_foul: u32 = 1, "九.2", count(0, 10, "fouls");
    /// Rulings that confirm themselves in mode `act`.
    automatic: Vec<RulingKind> = vec![RulingKind::TimeForfeit], "三(1)", Words(words::<RulingKind>());
    /// From which status on a result is public.
    public_result: PublicResult = PublicResult::Signed, "九.2", word::<PublicResult>();
}
