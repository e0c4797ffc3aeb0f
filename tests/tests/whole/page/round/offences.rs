//! Each kind of ruling once, as an arbiter meets it.

use super::Round;
use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::lines::Speech;
use flagfall_tests::mqtt::{self, AtBroker};
use flagfall_tests::until::{SOON, until};
use serde_json::json;

const OWN: &str = "#screen-board";

/// Somebody stopped his clock, the arbiter found no cause and who it was: a foul and five minutes (八.2).
pub async fn stop_without_cause(round: &Round) {
    let (hand, page) = (&round.hand, &round.hand.page);
    let mark = round.desk.mark();
    round.clock(4).push_stop();
    let asked = round.told(mark, 4, "incident", json!({"kind": "unexplained_stop", "state": "open"})).await;
    hand.go("hall").await;
    page.sees(&format!("#lane-look [data-incident=\"{}\"]", asked["incident"]["id"])).await;
    hand.board("4").await;
    hand.ask(OWN, "stop.explain", &[("cause", "without_cause"), ("offender", "first")]).await;
    let ruling = round.ruling(mark, 4, "unauthorised_stop", "proposed").await;
    let line = format!("#board-lines [data-ruling=\"{}\"]", ruling["id"]);
    page.sees_text(&line, "八.2").await;
    page.gone(&format!("[data-incident=\"{}\"]", asked["incident"]["id"])).await;
    let stood = round.clock(4).times();

    hand.confirm(&ruling, 0).await;
    let confirmed = round.ruling(mark, 4, "unauthorised_stop", "confirmed").await;
    assert_eq!((&confirmed["decided_by"], &confirmed["announced"]), (&json!("the chief"), &json!(false)));
    round.told(mark, 4, "foul", json!({"player": "first", "article": "八.2", "count": 1})).await;
    until("five minutes less", SOON, || {
        (round.clock(4).times() == [stood[0] - 300_000, stood[1]]).then_some(())
    })
    .await;
    page.gone(&line).await;
    let public = round.viewer.events().into_iter().find(|event| event["type"] == "ruling");
    assert_eq!(public, None, "not before it is announced");

    let past = format!("#board-past [data-ruling=\"{}\"]", ruling["id"]);
    hand.ask(&past, "ruling.announce", &[]).await;
    round.told(mark, 4, "ruling", json!({"id": ruling["id"], "announced": true})).await;
    round
        .viewer
        .wait("it is public", |event| event["type"] == "ruling" && event["ruling"]["id"] == ruling["id"])
        .await;
    page.gone(&format!("{past} [data-opens=\"ruling.announce\"]")).await;
    hand.act(OWN, "board.resume").await;
    until("the game goes on", SOON, || round.clock(4).running()).await;
    page.sees(&format!("{OWN}[data-board=\"1/4\"][data-state=running]")).await;
}

/// An arbiter stopped the board, somebody started it (三(2)). The clock is changed for another one in the game.
pub async fn start_nobody_ordered(round: &Round) -> (Clock, AtBroker) {
    let (hand, page) = (&round.hand, &round.hand.page);
    let spare = Clock::new("B01", super::BASE, 0);
    let line = mqtt::connect(&spare, round.hall.broker_port(), Speech::Json).await;
    round
        .desk
        .wait("the spare clock", |event| event["type"] == "clock_online" && event["clock"] == "B01")
        .await;
    hand.board("5").await;
    let mark = round.desk.mark();
    hand.act(OWN, "board.stop").await;
    round.told(mark, 5, "stopped", json!({"ordered": true})).await;
    assert_eq!(round.clock(5).running(), None);
    page.sees(&format!("{OWN} [data-act=\"board.resume\"]")).await;
    round.clock(5).push_resume();
    round.told(mark, 5, "incident", json!({"kind": "unexplained_start", "state": "open"})).await;
    hand.ask(
        &format!("{OWN} [data-incident]"),
        "stop.explain",
        &[("cause", "without_cause"), ("offender", "second")],
    )
    .await;
    let ruling = round.ruling(mark, 5, "unauthorised_start", "proposed").await;
    hand.confirm(&ruling, 0).await;
    let confirmed = round.ruling(mark, 5, "unauthorised_start", "confirmed").await;
    assert_eq!(
        (&confirmed["offender"], &confirmed["effect"]["foul"]),
        (&json!("second"), &json!(1)),
        "{confirmed}"
    );
    until("it stands again", SOON, || round.clock(5).running().is_none().then_some(())).await;

    let mark = round.desk.mark();
    let stood = round.clock(5).times();
    hand.ask(OWN, "board.assign", &[("clock", "B01"), ("carry", "true")]).await;
    let assigned = round
        .desk
        .since(mark, "the other clock", |event| event["type"] == "assigned" && event["clock"] == "B01")
        .await;
    assert_eq!(assigned["assigned"]["carried"]["first_ms"], stood[0], "{assigned}");
    until("it has the times", SOON, || (spare.times() == stood).then_some(())).await;
    round.shows(5, "B01").await;
    hand.act(OWN, "board.resume").await;
    until("it runs", SOON, || spare.running()).await;
    (spare, line)
}

/// Once is a foul; before the second tap the page says what it means, and it does (六.3).
pub async fn pressed_before_moving(round: &Round) {
    twice(round, 6, "first", "六.3", "early_press", "0-1").await;
}

/// The same of the rules of movement (六.2), by words instead of its number.
pub async fn against_the_rules_of_movement(round: &Round) {
    twice(round, 7, "second", "六.2", "illegal_move", "1-0").await;
}

async fn twice(round: &Round, board: usize, player: &str, article: &str, kind: &str, result: &str) {
    let (hand, page) = (&round.hand, &round.hand.page);
    hand.board(&board.to_string()).await;
    let warning = "#dialog .way:has(:checked) .warns";
    let search = if page.look.language == "zh" {
        if article == "六.3" { "先按钟" } else { "行棋规定" }
    } else {
        article
    };
    let offence = [("player", player), ("search", search), ("article", article)];
    let mark = round.desk.mark();
    hand.tap(&format!("{OWN} [data-opens=\"foul.record\"]")).await;
    hand.fill(&offence).await;
    page.gone(warning).await;
    hand.send("foul.record", &[]).await;
    round.told(mark, board, "foul", json!({"player": player, "article": article, "in_game": 1})).await;
    page.gone("dialog[open]").await;

    hand.tap(&format!("{OWN} [data-opens=\"foul.record\"]")).await;
    hand.fill(&offence).await;
    page.sees(warning).await;
    let mark = round.desk.mark();
    hand.send("foul.record", &[]).await;
    let ruling = round.ruling(mark, board, kind, "proposed").await;
    assert_eq!(ruling["effect"]["result"], result, "{ruling}");
    page.gone("dialog[open]").await;
    hand.confirm(&ruling, 0).await;
    round.ruling(mark, board, kind, "confirmed").await;
    round.told(mark, board, "result", json!({"result": result, "status": "provisional"})).await;
    round.shows(board, result).await;
}

/// The natural limit claimed; counted wrongly by the arbiter it is refused, counted rightly it is a foul and minutes (七.4).
pub async fn a_claim_found_false(round: &Round) {
    let (hand, page) = (&round.hand, &round.hand.page);
    hand.board("8").await;
    let mark = round.desk.mark();
    hand.ask(OWN, "claim.open", &[("player", "second"), ("kind", "natural_limit")]).await;
    round.told(mark, 8, "incident", json!({"kind": "claim", "state": "open"})).await;
    until("the clock stands", SOON, || round.clock(8).running().is_none().then_some(())).await;
    let stood = round.clock(8).times();
    hand.tap(&format!("{OWN} [data-incident] [data-opens=\"claim.decide\"]")).await;
    // 62 rounds, 12 checks of which 10 count: that is sixty, and the claim is right.
    hand.send(
        "claim.decide",
        &[("player", "second"), ("outcome", "false"), ("rounds", "62"), ("checks", "12")],
    )
    .await;
    page.sees_text("dialog[open] [role=alert]", "60").await;
    hand.send("claim.decide", &[("rounds", "61")]).await;
    page.gone("dialog[open]").await;
    let ruling = round.ruling(mark, 8, "false_claim", "confirmed").await;
    assert_eq!((&ruling["article"], &ruling["offender"]), (&json!("七.4"), &json!("second")), "{ruling}");
    until("five minutes less", SOON, || {
        (round.clock(8).times() == [stood[0], stood[1] - 300_000]).then_some(())
    })
    .await;
    page.gone(&format!("{OWN} [data-incident]")).await;
}

/// Agreed too early, both are to lose (六.7); thought over, it is overruled with a reason, and nothing of it stays.
pub async fn a_draw_too_early_and_overruled(round: &Round) {
    let (hand, page) = (&round.hand, &round.hand.page);
    let mark = round.desk.mark();
    hand.board("8").await;
    hand.ask(OWN, "ruling.make", &[("kind", "short_draw"), ("offender", "both")]).await;
    let ruling = round.ruling(mark, 8, "short_draw", "proposed").await;
    hand.confirm(&ruling, 0).await;
    round.ruling(mark, 8, "short_draw", "confirmed").await;
    round.told(mark, 8, "result", json!({"result": "0-0"})).await;
    round.shows(8, "0-0").await;

    let past = format!("#board-past [data-ruling=\"{}\"]", ruling["id"]);
    hand.tap(&format!("{past} [data-opens=\"ruling.overrule\"]")).await;
    let reason = if page.look.language == "zh" { "双方愿意续弈" } else { "both play on" };
    // Without a reason it is not sent.
    let asked = round.desk.mark();
    hand.act("#dialog", "ruling.overrule").await;
    page.sees("dialog[open]").await;
    hand.send("ruling.overrule", &[("reason", reason)]).await;
    page.gone("dialog[open]").await;
    let request = round.asked(asked, "ruling.overrule").await;
    assert_eq!(request["request"]["params"]["reason"], reason, "{request}");
    let overruled = round.ruling(mark, 8, "short_draw", "overruled").await;
    assert_eq!(overruled["reason"], reason);
    round.told(mark, 8, "result", json!({"withdrawn": true})).await;
    page.gone_text("#boards [data-board=\"1/8\"]", "0-0").await;
    hand.act(OWN, "board.resume").await;
    until("the game goes on", SOON, || round.clock(8).running()).await;
}

/// A telephone rang (六.11): under an article that the arbiter names.
pub async fn under_an_article(round: &Round) {
    let hand = &round.hand;
    let mark = round.desk.mark();
    hand.board("4").await;
    hand.ask(OWN, "ruling.make", &[("kind", "article"), ("offender", "second"), ("article", "六.11")]).await;
    let ruling = round.ruling(mark, 4, "article", "proposed").await;
    hand.confirm(&ruling, 0).await;
    let confirmed = round.ruling(mark, 4, "article", "confirmed").await;
    let ruled = (&confirmed["article"], &confirmed["offender"]);
    assert_eq!(ruled, (&json!("六.11"), &json!("second")), "{confirmed}");
    round.told(mark, 4, "result", json!({"result": "1-0", "status": "provisional"})).await;
    round.shows(4, "1-0").await;
}

/// Set wrongly, taken back by the tap beside what was done.
pub async fn times_set_and_taken_back(round: &Round) {
    let (hand, page) = (&round.hand, &round.hand.page);
    hand.board("1").await;
    let mark = round.desk.mark();
    hand.act(OWN, "board.stop").await;
    round.told(mark, 1, "stopped", json!({"ordered": true})).await;
    let stood = round.clock(1).times();
    hand.ask(OWN, "board.set_times", &[("first_ms", "1:00:00"), ("second_ms", "5:00")]).await;
    until("the clock follows", SOON, || (round.clock(1).times() == [3_600_000, 300_000]).then_some(())).await;
    page.sees_text("#done", "1:00:00").await;
    hand.act("#done", "undo").await;
    round.told(mark, 1, "undone", json!({"by": "the chief"})).await;
    until("as it was", SOON, || (round.clock(1).times() == stood).then_some(())).await;
}

/// Three seconds left, and he does not move (三(1)).
pub async fn out_of_time(round: &Round) {
    let (hand, page) = (&round.hand, &round.hand.page);
    hand.board("1").await;
    hand.ask(OWN, "board.set_times", &[("first_ms", "0:03"), ("second_ms", "5:00")]).await;
    until("the clock follows", SOON, || (round.clock(1).times() == [3_000, 300_000]).then_some(())).await;
    let mark = round.desk.mark();
    hand.act(OWN, "board.resume").await;
    until("Red runs", SOON, || (round.clock(1).running() == Some(Side::Left)).then_some(())).await;
    round.told(mark, 1, "flag", json!({"player": "first"})).await;
    // The times were corrected a moment ago: it does not confirm itself.
    let ruling = round.ruling(mark, 1, "time_forfeit", "proposed").await;
    page.sees(&format!("{OWN}[data-board=\"1/1\"][data-state=flag]")).await;
    hand.confirm(&ruling, 0).await;
    round.ruling(mark, 1, "time_forfeit", "confirmed").await;
    round.told(mark, 1, "result", json!({"result": "0-1", "cause": "time"})).await;
    round.shows(1, "0-1").await;
}

/// One chair is empty on board 2, two on board 3, and the default time has come (四.1, 四.2).
pub async fn not_there_at_the_default_time(round: &Round) {
    let hand = &round.hand;
    for (board, kind, result) in [(2, "default", "0-1"), (3, "double_default", "0-0")] {
        let name = board.to_string();
        let proposed = json!({"kind": kind, "state": "proposed"});
        let ruling = round
            .desk
            .within(std::time::Duration::from_secs(90), 0, kind, |event| {
                event["board"] == name && flagfall_tests::desk::is(event, "ruling", &proposed)
            })
            .await["ruling"]
            .clone();
        hand.board(&name).await;
        hand.confirm(&ruling, 0).await;
        round.ruling(0, board, kind, "confirmed").await;
        round.told(0, board, "result", json!({"result": result, "forfeit": true})).await;
        round.shows(board, result).await;
    }
}
