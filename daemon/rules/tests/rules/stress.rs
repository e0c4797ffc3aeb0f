//! An arbiter under stress, links that come and go, two rounds at once.

use crate::hall::{Hall, playing, playing_under, setup};
use flagfall_arbiter::{IncidentKind, RulingKind, RulingState, Status};
use flagfall_clock::{By, ClockEvent, FlagAt, Side};
use flagfall_rules::{Mode, Regulations, StartBy};
use serde_json::json;

#[test]
fn a_flag_that_needs_less_than_nothing_is_suspected_too() {
    let regulations = Regulations { flag_at: FlagAt::BelowZero, base_ms: 60_000, ..Regulations::default() };
    let mut hall = playing_under(regulations);
    hall.link(1, false, "silence");
    hall.seconds(200);
    assert_eq!(hall.news("flag_suspected").len(), 1);
    hall.recovers();
}
