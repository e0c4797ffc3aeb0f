//! The ledger of fouls: of a game, of the event (六.4), of a team (八.11); what an article gives and what it does not.

use crate::hall::{Hall, playing, playing_under};
use flagfall_arbiter::{Foul, News, Outcome, Points, RulingKind, RulingState};
use flagfall_rules::{EventFouls, Phone, Regulations};
use rstest::rstest;
use serde_json::{Value, json};

fn fouls(hall: &Hall) -> Vec<Foul> {
    hall.news("foul")
        .iter()
        .filter_map(|event| match &event.news {
            News::Foul(foul) => Some(foul.clone()),
            _ => None,
        })
        .collect()
}

fn record(hall: &mut Hall, params: Value) -> Value {
    let mut all = json!({ "board": "1", "player": "first", "article": "五.4" });
    for (name, value) in params.as_object().unwrap() {
        all[name] = value.clone();
    }
    hall.ask("foul.record", all).unwrap()
}

/// One player at board 1 of six rounds.
fn event(regulations: Regulations) -> Hall {
    let mut setup =
        crate::hall::setup(1, regulations, flagfall_rules::StartBy::Players, flagfall_rules::Mode::Act);
    let mut rounds = Vec::new();
    for number in 1..=6 {
        let mut round = setup.rounds[0].clone();
        round.number = number;
        // he has Red in odd rounds and Black in even ones
        let (him, other) = (("甲", "一队"), (format!("乙{number}"), format!("队{number}")));
        let him = flagfall_rules::PlayerSetup { name: him.0.into(), team: him.1.into() };
        let other = flagfall_rules::PlayerSetup { name: other.0, team: other.1 };
        let board = &mut round.boards[0];
        (board.first, board.second) = if number % 2 == 1 { (him, other) } else { (other, him) };
        rounds.push(round);
    }
    setup.rounds = rounds;
    Hall::of(1, setup)
}

fn points_of(hall: &Hall) -> Vec<Option<Points>> {
    fouls(hall).iter().map(|foul| foul.points).collect()
}

fn foul_in(hall: &mut Hall, round: u32) -> Value {
    let player = if round % 2 == 1 { "first" } else { "second" };
    let params = json!({ "round": round, "board": "1", "player": player, "article": "五.4" });
    hall.ask("foul.record", params).unwrap()
}

#[test]
fn rule_27_every_third_foul_over_the_event_costs_a_point() {
    let mut hall = event(Regulations::default());
    for round in 1..=6 {
        let answer = foul_in(&mut hall, round);
        assert_eq!(answer["in_event"], json!(round), "he is the same player on either side");
        assert_eq!(answer["in_game"], 1);
    }
    let one = Some(-Points::ONE);
    assert_eq!(points_of(&hall), [None, None, one, None, None, one]);
    hall.ask("foul.withdraw", json!({ "round": 6, "board": "1", "player": "second", "article": "五.4" }))
        .unwrap();
    assert_eq!(fouls(&hall).last().unwrap().points, Some(Points::ONE), "and comes back with it");
    hall.recovers_at_every_step();
}

#[test]
fn rule_27_or_only_the_first_three() {
    let mut hall = event(Regulations { event_fouls: EventFouls::Once, ..Regulations::default() });
    (1..=6).for_each(|round| drop(foul_in(&mut hall, round)));
    let costs: Vec<_> = points_of(&hall).into_iter().flatten().collect();
    assert_eq!(costs, [-Points::ONE]);
}

#[test]
fn rule_27_or_none_at_all_or_half_a_point() {
    let mut hall = event(Regulations { event_fouls_every: 0, ..Regulations::default() });
    (1..=4).for_each(|round| drop(foul_in(&mut hall, round)));
    assert!(points_of(&hall).iter().all(Option::is_none));
    let half =
        Regulations { event_fouls_every: 2, event_fouls_points: Points::HALF, ..Regulations::default() };
    let mut hall = event(half);
    (1..=4).for_each(|round| drop(foul_in(&mut hall, round)));
    assert_eq!(points_of(&hall).into_iter().flatten().sum::<Points>(), -Points::ONE);
}

#[rstest]
#[case(3, [None, None])]
#[case(4, [Some(1), Some(1)])]
#[case(7, [Some(1), Some(1)])]
#[case(8, [Some(2), Some(2)])]
#[case(12, [Some(2), Some(3)])]
fn rule_35_moves_not_written_down(#[case] moves: u32, #[case] expected: [Option<i32>; 2]) {
    let floor = Regulations { missed_record_most: 0, ..Regulations::default() };
    for (regulations, expected) in [Regulations::default(), floor].into_iter().zip(expected) {
        let mut hall = playing_under(regulations);
        let asked = json!({ "board": "1", "player": "second", "article": "五.1", "moves": moves });
        match (hall.ask("foul.record", asked), expected) {
            (Ok(_), Some(count)) => assert_eq!(fouls(&hall)[0].count, count, "{moves} moves"),
            (Err(refused), None) => assert!(refused.message.contains("no foul under 五.1"), "{refused:?}"),
            (answer, expected) => panic!("{moves} moves: {answer:?}, not {expected:?}"),
        }
        hall.recovers();
    }
}

#[test]
fn rule_35_two_at_once_are_a_may_and_the_arbiter_may_give_one() {
    let mut hall = playing();
    record(&mut hall, json!({ "article": "五.1", "moves": 9, "count": 1 }));
    assert_eq!(fouls(&hall)[0].count, 1);
    let made =
        json!({ "board": "1", "kind": "article", "article": "五.1", "offender": "second", "moves": 9 });
    hall.ask("ruling.make", made).unwrap();
    let options: Vec<_> = hall.rulings()[0].options.iter().map(|way| way.effect.foul).collect();
    assert_eq!(options, [Some(2), Some(1)]);
}

#[test]
fn a_teams_foul_is_its_own_and_a_player_who_did_it_loses_a_point() {
    let mut hall = playing();
    record(&mut hall, json!({ "article": "八.11" }));
    record(&mut hall, json!({ "article": "八.11", "not_player": true }));
    let told = fouls(&hall);
    assert!(told.iter().all(|foul| foul.team && foul.in_game == 0));
    assert_eq!(told.iter().map(|foul| foul.points).collect::<Vec<_>>(), [Some(-Points::ONE), None]);
    assert_eq!(told.iter().map(|foul| foul.in_event).collect::<Vec<_>>(), [1, 2]);
    // taken back one by one: the point with the foul it went with
    for expected in [None, Some(Points::ONE)] {
        hall.ask("foul.withdraw", json!({ "board": "1", "player": "first", "article": "八.11" })).unwrap();
        assert_eq!(fouls(&hall).last().unwrap().points, expected);
    }
    hall.ask("foul.withdraw", json!({ "board": "1", "player": "first", "article": "八.11" })).unwrap_err();
    hall.recovers_at_every_step();
}

#[test]
fn a_teams_foul_by_ruling_is_taken_back_with_it() {
    let mut hall = playing();
    let made = json!({ "board": "1", "kind": "article", "article": "八.11", "offender": "first" });
    let id = hall.ask("ruling.make", made).unwrap()["id"].clone();
    let ruling = hall.ruling(RulingKind::Article);
    assert!(ruling.text.zh.contains("记其所在团队犯规1次，扣本人积分1分"), "{}", ruling.text.zh);
    assert!(ruling.text.en.contains("1 foul for his team, 1 taken off his own points"), "{}", ruling.text.en);
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    hall.ask("ruling.overrule", json!({ "id": id, "reason": "somebody else" })).unwrap();
    let told = fouls(&hall);
    assert_eq!(told.iter().map(|foul| (foul.team, foul.count)).collect::<Vec<_>>(), [(true, 1), (true, -1)]);
    assert_eq!(told.iter().filter_map(|foul| foul.points).sum::<Points>(), Points::ZERO);
    hall.recovers();
}

#[test]
fn who_resigns_at_once_may_be_spared_the_foul() {
    let mut hall = playing();
    record(&mut hall, json!({ "article": "六.2", "waived": true }));
    let told = &fouls(&hall)[0];
    assert_eq!(
        (told.count, told.waived, told.in_game),
        (0, true, 0),
        "it is written down and counts nothing"
    );
    // or the foul was booked already
    record(&mut hall, json!({ "article": "六.2" }));
    let back = json!({ "board": "1", "player": "first", "article": "六.2", "waived": true });
    hall.ask("foul.withdraw", back).unwrap();
    assert!(fouls(&hall).last().unwrap().waived);
    hall.recovers();
}

#[test]
fn a_late_report_says_how_late() {
    let mut hall = playing();
    let then = flagfall_arbiter::Wall(crate::hall::BEGIN + hall.now as i64);
    hall.seconds(600);
    record(&mut hall, json!({ "article": "八.1", "at": then }));
    let event = hall.news("foul")[0].clone();
    assert_eq!(event.happened, then, "when it happened");
    assert_eq!(fouls(&hall)[0].reported_after_ms, Some(600_000), "and how long after that it was reported");
    let future = flagfall_arbiter::Wall(crate::hall::BEGIN + hall.now as i64 + 60_000);
    let late = json!({ "board": "1", "player": "first", "article": "八.1", "at": future });
    assert!(hall.ask("foul.record", late).unwrap_err().message.contains("in the future"));
}

#[test]
fn an_unknown_article_is_refused_by_name_and_written_down() {
    let mut hall = playing();
    for (method, params) in [
        ("foul.record", json!({ "board": "1", "player": "first", "article": "六.99" })),
        ("foul.withdraw", json!({ "board": "1", "player": "first", "article": "六.99" })),
        ("ruling.make", json!({ "board": "1", "kind": "article", "article": "六.99", "offender": "first" })),
    ] {
        let refused = hall.ask(method, params).unwrap_err();
        assert!(refused.message.contains("`六.99` is no article"), "{}", refused.message);
        let told = hall.news("request").last().map(|event| event.news.clone());
        match told {
            Some(News::Request(request)) => assert!(!request.ok && request.error.is_some()),
            other => panic!("the refusal is told: {other:?}"),
        }
    }
    assert!(fouls(&hall).is_empty() && hall.rulings().is_empty());
    hall.recovers();
}

#[rstest]
#[case("六.10", "decides the game")]
#[case("六.6", "decides the game")]
#[case("六.11", "decides the game")]
#[case("七.1", "gives no foul")]
#[case("四.1", "gives no foul")]
fn an_article_that_gives_no_foul_says_so(#[case] article: &str, #[case] why: &str) {
    let mut hall = playing();
    let params = json!({ "board": "1", "player": "first", "article": article });
    let refused = hall.ask("foul.record", params).unwrap_err();
    assert!(refused.message.contains(why), "{}", refused.message);
}

#[rstest]
#[case("六.1", Some("first"), Outcome::Second)]
#[case("六.6", None, Outcome::None)]
#[case("六.8", Some("second"), Outcome::First)]
#[case("六.10", Some("second"), Outcome::First)]
#[case("六.11", Some("first"), Outcome::Second)]
fn an_article_that_decides_the_game(
    #[case] article: &str,
    #[case] offender: Option<&str>,
    #[case] result: Outcome,
) {
    let mut hall = playing();
    let made = json!({ "board": "1", "kind": "article", "article": article, "offender": offender });
    let id = hall.ask("ruling.make", made).unwrap()["id"].clone();
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    assert_eq!(hall.result("1").unwrap().result, result);
    hall.recovers();
}

#[test]
fn a_telephone_may_be_a_foul_only() {
    let mut hall = playing_under(Regulations { phone: Phone::Foul, ..Regulations::default() });
    record(&mut hall, json!({ "article": "六.11" }));
    assert_eq!(fouls(&hall)[0].count, 1);
    let made = json!({ "board": "1", "kind": "article", "article": "六.11", "offender": "second" });
    hall.ask("ruling.make", made).unwrap();
    assert_eq!(hall.ruling(RulingKind::Article).effect.foul, Some(1));
}

#[test]
fn waiting_instead_of_playing_is_a_foul_of_both_and_then_the_game() {
    let mut hall = playing();
    let made = json!({ "board": "1", "kind": "article", "article": "八.8" });
    for (foul, result) in [(Some(1), None), (None, Some(Outcome::None))] {
        let id = hall.ask("ruling.make", made.clone()).unwrap()["id"].clone();
        let last = hall.rulings().pop().unwrap();
        assert_eq!((last.effect.foul, last.effect.result), (foul, result));
        hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    }
    assert_eq!(fouls(&hall).len(), 2, "one of each player");
    assert_eq!(hall.result("1").unwrap().result, Outcome::None);
    hall.recovers();
}

#[test]
fn an_event_may_set_a_limit_of_fouls_in_one_game() {
    let mut hall = playing_under(Regulations { foul_limit: 3, ..Regulations::default() });
    for count in 1..=3 {
        let answer = record(&mut hall, json!({ "article": "八.1" }));
        assert_eq!(answer.get("ruling").is_some(), count == 3);
    }
    let ruling = hall.ruling(RulingKind::FoulLimit);
    assert_eq!((ruling.state, ruling.effect.result), (RulingState::Proposed, Some(Outcome::Second)));
    hall.recovers();
}
