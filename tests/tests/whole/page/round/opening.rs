//! From the pairing program's list to games that run.

use super::{BASE, Round};
use flagfall_tests::clock::Side;
use flagfall_tests::until::{SOON, until};
use serde_json::json;

/// The list is pasted, looked at, and loaded.
pub async fn load(round: &Round) {
    let (hand, page) = (&round.hand, &round.hand.page);
    let mut csv = if page.look.language == "zh" {
        "台次,场次,红方,红方队,黑方,黑方队"
    } else {
        "board,match,first,first_team,second,second_team"
    }
    .to_owned();
    for (at, [first, second]) in round.players.iter().enumerate() {
        csv.push_str(&format!(
            "\n{},{},{},{},{},{}",
            at + 1,
            at / 2 + 1,
            first.0,
            first.1,
            second.0,
            second.1
        ));
    }
    let mark = round.desk.mark();
    hand.go("round").await;
    hand.write("#load-text", &csv).await;
    hand.tap("#load-check").await;
    page.until("eight rows", "return document.querySelectorAll('#load-rows tr').length === 8", json!([]))
        .await;
    page.sees_text("#load-rows tr", &round.players[7][1].0).await;
    assert_eq!(page.seen("#load-rows tr", "").await.len(), 8);
    // A list that is looked at is not loaded.
    round.desk.refused("round.view", json!({})).await;
    hand.tap("#load-send").await;
    round.asked(mark, "round.load").await;
    page.gone("#load-rows tr").await;
    hand.go("hall").await;
    for board in 1..=8 {
        round.shows(board, &round.players[board - 1][0].0).await;
    }
}

/// Clocks as they came out of the box are set by one tap.
pub async fn prepare(round: &Round) {
    let (hand, page) = (&round.hand, &round.hand.page);
    hand.go("setup").await;
    page.sees("#setup-rows tr[data-state=wrong_times]").await;
    // A clock that was busy with something else is left over, and named: whoever sets up taps again.
    for _ in 0..3 {
        let mark = round.desk.mark();
        hand.tap("#setup-prepare").await;
        round.asked(mark, "round.prepare").await;
        page.sees_text("#setup-said", " / 8").await;
        if !page.seen("#setup-said", "8 / 8").await.is_empty() {
            break;
        }
    }
    let ready = "return document.querySelectorAll('#setup-rows tr[data-state=ready]').length === 8";
    page.until("eight are ready", ready, json!([])).await;
    for board in 1..=8 {
        assert_eq!(round.clock(board).times(), [BASE, BASE], "clock {board}");
    }
}

/// The round begins; it is asked once.
pub async fn start(round: &Round) {
    let hand = &round.hand;
    let mark = round.desk.mark();
    hand.go("round").await;
    hand.tap("#course-start").await;
    hand.page.sees("dialog[open]").await;
    let begun = round.desk.events().into_iter().any(|event| event["type"] == "round_started");
    assert!(!begun, "what cannot be taken back is asked first");
    hand.send("round.start", &[]).await;
    let started = round.desk.since(mark, "the round", |event| event["type"] == "round_started").await;
    assert_eq!(started["round"], 1, "{started}");
    hand.page.gone("dialog[open]").await;
    hand.page.sees("#course.open").await;
}

/// Five chairs are empty, all others taken: a tap for each, and one.
pub async fn empty_chairs(round: &Round) {
    let hand = &round.hand;
    hand.go("chairs").await;
    let empty = [("2", "first"), ("3", "first"), ("3", "second"), ("7", "first"), ("7", "second")];
    for (board, player) in empty {
        let chair = format!(".chair[data-board=\"{board}\"][data-player={player}]");
        hand.tap(&chair).await;
        hand.page.sees(&format!("{chair}.marked")).await;
    }
    let mark = round.desk.mark();
    hand.tap("#chairs-others").await;
    round.asked(mark, "round.absent").await;
    for (board, player) in empty {
        let board = board.parse().expect("a number");
        round.told(mark, board, "presence", json!({"player": player, "state": "absent"})).await;
        hand.page.sees(&format!(".chair.absent[data-board=\"{board}\"][data-player={player}]")).await;
    }
}

/// Both of board 7 came late: each pays his own lateness, and Red is started (四.2).
pub async fn both_late(round: &Round) {
    let (hand, page) = (&round.hand, &round.hand.page);
    hand.board("7").await;
    let mark = round.desk.mark();
    let mut late = Vec::new();
    for player in ["first", "second"] {
        hand.act("#screen-board", "player.arrived").await;
        let here = round.told(mark, 7, "presence", json!({"player": player, "state": "present"})).await;
        let left = if player == "first" { 1 } else { 0 };
        page.until("he is not awaited any more", "return document.querySelectorAll('#screen-board [data-act=\"player.arrived\"]').length === arguments[0]", json!([left])).await;
        late.push(here["presence"]["late_ms"].as_i64().expect("he is late"));
    }
    hand.tap("#screen-board [data-opens=\"board.start\"]").await;
    hand.send("board.start", &[]).await;
    let shown = page.until("both target times", "return document.querySelectorAll('.targets strong').length === 2 && [...document.querySelectorAll('.targets strong')].map((time) => time.textContent)", json!([])).await;
    let big = page
        .session
        .script(
            "return parseFloat(getComputedStyle(document.querySelector('.targets strong')).fontSize)",
            json!([]),
        )
        .await;
    assert!(big.as_f64() > Some(30.0), "target times are read from a step away: {big} px");
    let started = round.told(mark, 7, "game_started", json!({"player": "first"})).await;
    let clock = round.clock(7);
    until("Red runs", SOON, || (clock.running() == Some(Side::Left)).then_some(())).await;
    for (place, player) in ["first", "second"].into_iter().enumerate() {
        let ms = started["game_started"][format!("{player}_ms")].as_i64().expect("a time");
        // To the second, as arbiters and clocks have it.
        let expected = BASE - late[place];
        assert!((ms - expected).abs() <= 1_000, "{player}: {ms}, late by {}", late[place]);
        let text = shown[place].as_str().expect("a time");
        let seconds = (ms + 999) / 1000;
        let near = (seconds - 1..=seconds + 1).any(|all| text == format!("{}:{:02}", all / 60, all % 60));
        assert!(near, "{player}: {text} is shown for {ms}");
    }
    hand.tap("#dialog .main").await;
    page.gone("dialog[open]").await;
    clock.moves(2);
}
