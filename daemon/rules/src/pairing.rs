//! Rounds as the pairing program has them: matches, boards, a CSV file.

use crate::Who;
use crate::turn::Turn;
use flagfall_arbiter::{PairingList, Refused};
use serde_json::Value;

impl Turn<'_> {
    pub(crate) fn round_load(
        &mut self,
        _who: &Who,
        _round: Option<u32>,
        _list: &PairingList,
        _dry_run: bool,
        _replace: bool,
    ) -> Result<Value, Refused> {
        Err(Refused::new(Refused::METHOD, "not there yet"))
    }
}
