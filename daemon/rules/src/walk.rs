//! Tables and set-up: a walk along the row binds each clock to its table.

use crate::Who;
use crate::turn::Turn;
use flagfall_arbiter::Refused;
use flagfall_clock::Side;
use serde_json::Value;

impl Turn<'_> {
    pub(crate) fn setup_walk(
        &mut self,
        _who: &Who,
        _from: Option<u32>,
        _to: Option<u32>,
        _first_side: Option<Side>,
        _stop: bool,
    ) -> Result<Value, Refused> {
        Err(Refused::new(Refused::METHOD, "not there yet"))
    }
}
