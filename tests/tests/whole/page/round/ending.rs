//! Results, signatures, the end of the round.

use super::Round;
use serde_json::{Value, json};

const OWN: &str = "#screen-board";

/// A result in two taps, one with its cause, and two by the match's sheet.
pub async fn results(round: &Round) {
    let (hand, page) = (&round.hand, &round.hand.page);
    let mark = round.desk.mark();
    hand.board("5").await;
    hand.tap(&format!("{OWN} [data-act=\"board.result\"]")).await;
    let entered = round.told(mark, 5, "result", json!({"status": "entered"})).await;
    assert_eq!(entered["result"]["result"], "1-0", "the first of the three: {entered}");
    round.shows(5, "1-0").await;
    // It was not so: there is a way back, and the right one with its cause.
    hand.ask(OWN, "board.withdraw_result", &[]).await;
    round.told(mark, 5, "result", json!({"withdrawn": true})).await;
    let values = [("result", "1/2-1/2"), ("cause", "repetition"), ("status", "entered")];
    hand.ask(OWN, "board.result", &values).await;
    let drawn = json!({"result": "1/2-1/2", "cause": "repetition", "status": "entered"});
    round.told(mark, 5, "result", drawn).await;

    hand.go("sheet").await;
    // Board 7 is won by the first player, who is of the team listed first; board 8 by the second, who is too.
    hand.write("#sheet-line", "4 1").await;
    page.sees_text("#sheet-wrong", "2").await;
    assert!(
        page.seen("#sheet-send:not(:disabled)", "").await.is_empty(),
        "a sheet that is short is not sent"
    );
    hand.write("#sheet-line", "4 11").await;
    page.sees_text("#sheet-rows tr[data-board=\"8\"]", "0-1").await;
    hand.tick("#sheet-signed").await;
    hand.tap("#sheet-send").await;
    for (board, result) in [(7, "1-0"), (8, "0-1")] {
        round.told(mark, board, "result", json!({"result": result, "status": "signed"})).await;
    }
    page.sees_text("#sheet-said", &round.players[6][0].1).await;
}

/// The others sign on their boards.
pub async fn signatures(round: &Round) {
    for board in 1..=6 {
        let mark = round.desk.mark();
        round.hand.board(&board.to_string()).await;
        round.hand.act(OWN, "board.sign").await;
        round.told(mark, board, "result", json!({"status": "signed"})).await;
        round.hand.page.gone(&format!("{OWN} [data-act=\"board.sign\"]")).await;
    }
}

/// The round is closed, and every result is official: with the daemon, and on the page.
pub async fn close(round: &Round) {
    let hand = &round.hand;
    let mark = round.desk.mark();
    hand.go("round").await;
    hand.tap("#course-close").await;
    hand.send("round.close", &[]).await;
    round.asked(mark, "round.close").await;
    hand.page.gone("dialog[open]").await;
    hand.page.sees("#course.closed").await;

    let expected = ["0-1", "0-1", "0-0", "1-0", "1/2-1/2", "0-1", "1-0", "0-1"];
    let view = round.desk.done("round.view", json!({"round": 1})).await;
    let held: Vec<&Value> =
        view["boards"].as_array().expect("boards").iter().map(|board| &board["result"]).collect();
    assert_eq!(held.len(), 8, "{view}");
    for (result, expected) in held.iter().zip(expected) {
        assert_eq!(
            (&result["result"], &result["status"]),
            (&json!(expected), &json!("official")),
            "{held:?}"
        );
    }
    assert!(round.desk.events().iter().all(|event| event["incident"]["kind"] != "flag_against_result"));
}

/// What is printed of it says the same: the results, a board's record for an appeal, the fouls of the event.
pub async fn papers(round: &Round) {
    let (hand, page) = (&round.hand, &round.hand.page);
    hand.go("papers").await;
    hand.tap("#screen-papers [data-paper=results]").await;
    page.sees("#paper article").await;
    let text = page.texts("#paper article").await.concat();
    for [first, second] in &round.players {
        assert!(text.contains(&first.0) && text.contains(&second.0), "{first:?} and {second:?}: {text}");
    }
    for (result, times) in [("1-0", 2), ("0-1", 4), ("1/2-1/2", 1), ("0-0", 1)] {
        assert!(text.matches(result).count() >= times, "{result} {times} times: {text}");
    }
    page.go_address("paper=record/1/4").await;
    page.sees_text("#paper .record", "八.2").await;
    for says in ["the chief", "六.11", round.players[3][0].0.as_str()] {
        page.sees_text("#paper .record", says).await;
    }
    page.go_address("paper=bulletin/all").await;
    for (board, player, article) in [(4, 0, "八.2"), (6, 0, "六.3"), (7, 1, "六.2"), (8, 1, "七.4")] {
        page.sees_text("#paper .bulletin tr", &round.players[board - 1][player].0).await;
        page.sees_text("#paper .bulletin", article).await;
    }
    hand.tap("#paper-back").await;
    page.sees("#screen-papers").await;
}
