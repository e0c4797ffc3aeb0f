//! Matches of teams: held for a late bus.

use crate::Who;
use crate::turn::Turn;
use flagfall_arbiter::{Refused, Wall};
use serde_json::Value;

impl Turn<'_> {
    pub(crate) fn match_hold(
        &mut self,
        _who: &Who,
        _round: Option<u32>,
        _match_no: u32,
        _until: Wall,
        _reason: Option<&str>,
    ) -> Result<Value, Refused> {
        Err(Refused::new(Refused::METHOD, "not there yet"))
    }
}
