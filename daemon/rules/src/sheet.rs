//! The results of a match from its sheet.

use crate::Who;
use crate::turn::Turn;
use flagfall_arbiter::{Cause, Refused, SheetResults, Status};
use serde_json::Value;

impl Turn<'_> {
    pub(crate) fn match_results(
        &mut self,
        _who: &Who,
        _round: Option<u32>,
        _match_no: u32,
        _results: &SheetResults,
        _how: (&Cause, Status),
    ) -> Result<Value, Refused> {
        Err(Refused::new(Refused::METHOD, "not there yet"))
    }
}
