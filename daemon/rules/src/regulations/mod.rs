//! The regulations in force: every value with its article, unit, range and default; the sets that are built in; and
//! what of them contradicts itself.
//!
//! This holds values and judges none of a game. Files are read by the program, layer upon layer; here they arrive as
//! values by key.

mod checks;
mod choices;
mod doubts;
mod profiles;
mod shape;
mod values;
mod written;

pub use checks::Remark;
pub use choices::{
    Boundary, DefaultReference, DrawFrom, DrawWinner, EventFouls, ExcessCheck, ExemptBy, ExemptFor, FlagCall,
    Laws, Phone, PressTimes, PublicResult, StopAsked, Unprovable,
};
pub use profiles::{BASE, BuiltIn, PROFILES, Profile};
pub use shape::{Choice, Field, Shape};
pub use values::{Offence, Regulations, RegulationsError, Value};
pub use written::written;

use flagfall_arbiter::Player;
use flagfall_clock::{FlagAt, Kind, TimeControl};
use std::collections::BTreeMap;

impl Regulations {
    /// All values, each by its key and as a regulations file has it.
    #[must_use]
    pub fn by_key(&self) -> BTreeMap<String, serde_json::Value> {
        let mut values = serde_json::to_value(self).ok();
        let values = values.as_mut().and_then(serde_json::Value::as_object_mut).map(std::mem::take);
        // where they come from is no value of theirs
        values.into_iter().flatten().filter(|(key, _)| key != "profile").collect()
    }

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
}
