//! Claims of players (七.3, 七.4, 六.5).

use crate::hall::{Hall, playing, playing_under};
use flagfall_arbiter::{
    Audience, Cause, ClaimKind, ClaimView, IncidentKind, Lane, Outcome, Player, RulingKind, RulingState,
    Status,
};
use flagfall_rules::Regulations;
use rstest::rstest;
use serde_json::{Value, json};

fn claims(hall: &mut Hall, kind: &str) -> Value {
    let claim = json!({ "board": "1", "player": "first", "kind": kind });
    let answer = hall.ask("claim.open", claim).unwrap();
    hall.obey(1);
    answer
}

fn decide(hall: &mut Hall, more: Value) -> Result<Value, flagfall_arbiter::Refused> {
    let mut params = json!({ "board": "1", "player": "first" });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    hall.ask("claim.decide", params)
}

#[test]
fn a_claim_stops_the_clock_and_is_a_question() {
    let mut hall = playing();
    claims(&mut hall, "natural_limit");
    assert!(hall.clocks[0].running.is_none());
    let open = hall.open(IncidentKind::Claim);
    assert_eq!((open.len(), open[0].lane), (1, Lane::Decide));
    assert!(hall.open(IncidentKind::UnexplainedStop).is_empty() && hall.rulings().is_empty());
    hall.ask("claim.open", json!({ "board": "1", "player": "second", "kind": "draw" })).unwrap_err();
    // who claims what stands on the board until it is decided, so that nobody decides another's
    let shown = |hall: &Hall| hall.rules.snapshot(Audience::Desk).boards[0].claim;
    assert_eq!(shown(&hall), Some(ClaimView { player: Player::First, kind: ClaimKind::NaturalLimit }));
    hall.recovers();
    decide(&mut hall, json!({ "outcome": "refused" })).unwrap();
    assert_eq!(shown(&hall), None);
    hall.recovers();
}

#[rstest]
#[case(62, 12, true, Some(60))] // facts, row 28
#[case(61, 12, false, Some(59))]
#[case(60, 0, true, Some(60))]
#[case(59, 10, false, Some(59))]
fn rule_28_of_the_claimants_checks_ten_count(
    #[case] rounds: u32,
    #[case] checks: u32,
    #[case] right: bool,
    #[case] counted: Option<u32>,
) {
    let mut hall = playing();
    claims(&mut hall, "natural_limit");
    let wrong =
        decide(&mut hall, json!({ "outcome": !right, "rounds": rounds, "checks": checks })).unwrap_err();
    assert!(wrong.message.contains("count of 60"), "{}", wrong.message);
    let answer = decide(&mut hall, json!({ "outcome": right, "rounds": rounds, "checks": checks })).unwrap();
    assert_eq!(answer["counted"].as_u64(), counted.map(u64::from));
    if right {
        let result = hall.result("1").unwrap();
        assert_eq!((result.result, result.status), (Outcome::Draw, Status::Entered));
        assert_eq!(result.cause, Cause::NaturalLimit);
    } else {
        let ruling = hall.ruling(RulingKind::FalseClaim);
        assert_eq!((ruling.article.as_ref(), ruling.state), ("七.4", RulingState::Confirmed));
    }
    assert!(hall.open(IncidentKind::Claim).is_empty());
    hall.recovers();
}

#[test]
fn a_false_claim_takes_a_foul_and_five_minutes_and_the_second_loses() {
    let mut hall = playing();
    let before = hall.clocks[0].left;
    claims(&mut hall, "natural_limit");
    let stood = hall.clocks[0].left;
    assert!(stood <= before);
    decide(&mut hall, json!({ "outcome": "false" })).unwrap();
    hall.obey(1);
    assert_eq!(hall.clocks[0].left, stood - 300_000);
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    assert!(hall.clocks[0].running.is_some());
    assert_eq!(hall.rulings()[0].effect.foul, Some(1));
    claims(&mut hall, "natural_limit");
    decide(&mut hall, json!({ "outcome": "false" })).unwrap();
    let last = hall.rulings().pop().unwrap();
    assert_eq!((last.article.as_ref(), last.effect.result), ("六.5", Some(Outcome::Second)));
    assert_eq!(hall.result("1").unwrap().status, Status::Provisional);
    hall.recovers();
}

#[test]
fn five_minutes_that_are_not_there_lose() {
    let mut hall = playing_under(Regulations { base_ms: 290_000, ..Regulations::default() });
    claims(&mut hall, "natural_limit");
    decide(&mut hall, json!({ "outcome": "false" })).unwrap();
    assert_eq!(hall.result("1").unwrap().result, Outcome::Second);
}

#[rstest]
#[case("repetition", "true", true)]
#[case("draw", "true", true)]
#[case("repetition", "false", false)]
#[case("draw", "refused", false)]
#[case("natural_limit", "refused", false)]
#[case("other", "true", false)]
fn only_a_wrong_natural_limit_is_a_foul(#[case] kind: &str, #[case] outcome: &str, #[case] drawn: bool) {
    let mut hall = playing();
    claims(&mut hall, kind);
    decide(&mut hall, json!({ "outcome": outcome })).unwrap();
    assert!(hall.rulings().is_empty());
    assert_eq!(hall.result("1").map(|result| result.result), drawn.then_some(Outcome::Draw));
    assert!(hall.open(IncidentKind::Claim).is_empty());
    hall.ask("claim.decide", json!({ "board": "1", "player": "first", "outcome": "true" })).unwrap_err();
    hall.recovers();
}

/// A12: a check too many takes one side's move, not a round.
#[rstest]
#[case(61, 12, true, 60)]
#[case(60, 11, false, 59)]
#[case(60, 10, true, 60)]
fn rule_28_or_a_check_too_many_takes_one_move(
    #[case] rounds: u32,
    #[case] checks: u32,
    #[case] right: bool,
    #[case] counted: u64,
) {
    let natural_limit_excess = flagfall_rules::ExcessCheck::Ply;
    let mut hall = playing_under(Regulations { natural_limit_excess, ..Regulations::default() });
    claims(&mut hall, "natural_limit");
    decide(&mut hall, json!({ "outcome": !right, "rounds": rounds, "checks": checks })).unwrap_err();
    let answer = decide(&mut hall, json!({ "outcome": right, "rounds": rounds, "checks": checks })).unwrap();
    assert_eq!(answer["counted"], counted);
}

/// FIDE 9.5: two minutes for the opponent, and no foul.
#[test]
fn under_fide_a_repetition_wrongly_claimed_gives_the_opponent_time() {
    let mut hall = playing_under(Regulations {
        laws: flagfall_rules::Laws::Fide,
        false_claim_foul: 0,
        false_claim_deduct_ms: 0,
        false_claim_opponent_ms: 120_000,
        false_claim_loses_at: 0,
        ..Regulations::default()
    });
    claims(&mut hall, "repetition");
    let before = (hall.clocks[0].left, hall.clocks[0].right);
    decide(&mut hall, json!({ "outcome": "false" })).unwrap();
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), (before.0, before.1 + 120_000));
    assert_eq!(hall.ruling(RulingKind::FalseClaim).article, "9.5");
    assert!(hall.news("foul").is_empty());
    hall.recovers();
}
