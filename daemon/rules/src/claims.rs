//! Claims of players: the clock stands while an arbiter looks (七.4, 六.5).

use crate::Who;
use crate::board::BoardIx;
use crate::turn::Turn;
use flagfall_arbiter::{ClaimKind, ClaimOutcome, Player, Refused};
use serde_json::Value;

impl Turn<'_> {
    pub(crate) fn claim_open(
        &mut self,
        _who: &Who,
        _ix: BoardIx,
        _player: Player,
        _kind: ClaimKind,
    ) -> Result<Value, Refused> {
        Err(Refused::new(Refused::METHOD, "not there yet"))
    }

    pub(crate) fn claim_decide(
        &mut self,
        _who: &Who,
        _ix: BoardIx,
        _player: Player,
        _outcome: ClaimOutcome,
        _counts: [Option<u32>; 2],
    ) -> Result<Value, Refused> {
        Err(Refused::new(Refused::METHOD, "not there yet"))
    }
}
