//! Two arbiters at once: what one does the other sees, and where both act, one is refused and told why.

use super::stage::Game;
use flagfall_tests::browser::look::LAPTOP;
use flagfall_tests::browser::page::act;
use flagfall_tests::desk::is;
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_sees_what_the_first_decides_and_who_is_on_his_way() {
    let game = Game::open(2).await;
    let (chief, arbiter) =
        (game.page("chief", LAPTOP).await, game.page("arbiter", LAPTOP.in_language("en")).await);
    let incident = game.stop(1).await;
    let line = format!("#lanes [data-incident=\"{}\"]", incident["id"]);
    for page in [&chief, &arbiter] {
        page.sees(&line).await;
    }
    arbiter.tap(&format!("{line} {}", act("incident.take"))).await;
    chief.sees_text(&line, "the arbiter").await;
    assert!(
        chief.seen(&format!("{line} {}", act("incident.take")), "").await.is_empty(),
        "somebody goes already"
    );
    // He does not go after all.
    arbiter.tap(&format!("{line} {}", act("incident.take"))).await;
    chief.gone_text(&line, "the arbiter").await;
    arbiter.sees(&format!("{line} {}", act("incident.take"))).await;

    let ruling = game.without_cause(1).await;
    let line = format!("#lane-decide [data-ruling=\"{}\"]", ruling["id"]);
    for page in [&chief, &arbiter] {
        page.sees(&line).await;
    }
    let decided = Instant::now();
    game.confirm_at(&chief, &ruling).await;
    arbiter.gone(&line).await;
    let seen = decided.elapsed();
    assert!(seen < Duration::from_secs(5), "the other one saw it after {seen:?}");
    arbiter.sees_text(&format!("#past [data-ruling=\"{}\"]", ruling["id"]), "the chief").await;
    for page in [chief, arbiter] {
        page.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_who_decide_the_same_one_is_refused_and_shown_what_followed() {
    let game = Game::open(1).await;
    game.stop(1).await;
    let ruling = game.without_cause(1).await;
    let (chief, arbiter) =
        (game.page("chief", LAPTOP).await, game.page("arbiter", LAPTOP.in_language("en")).await);
    let line = format!("#lane-decide [data-ruling=\"{}\"]", ruling["id"]);
    // Both have the same box open; the arbiter's is as of now.
    arbiter.tap(&format!("{line} [data-opens=\"ruling.overrule\"]")).await;
    arbiter.fill(&[("reason", "the clock fell")]).await;
    game.confirm_at(&chief, &ruling).await;
    chief.gone(&line).await;

    let mark = game.desk.mark();
    arbiter.tap(&format!("#dialog {}", act("ruling.overrule"))).await;
    let refused = json!({"method": "ruling.overrule", "by": "the arbiter", "ok": false});
    game.desk.since(mark, "the refusal", |event| is(event, "request", &refused)).await;
    // Read where he asked, with what followed; what he wrote is still there.
    arbiter.sees_text("dialog[open] [role=alert]", "before you").await;
    arbiter.sees_text("dialog[open] [name=reason]", "the clock fell").await;
    let told = arbiter.texts("dialog[open] [role=alert]").await.concat();
    let ask = game
        .desk
        .events()
        .into_iter()
        .rfind(|event| is(event, "request", &json!({"method": "ruling.confirm"})));
    let seq = ask.expect("the chief's")["seq"].to_string();
    assert!(told.contains(&seq), "what followed is named: {told}");
    arbiter.session.strike(&["Escape"]).await;
    arbiter.gone("dialog[open]").await;
    let last = game.desk.events().into_iter().rfind(|event| event["type"] == "ruling").expect("the ruling");
    assert_eq!(last["ruling"]["state"], "confirmed", "it stands as the chief left it");
    // Looked at again, he may.
    arbiter.tap(&format!("#past [data-ruling=\"{}\"] [data-opens=\"ruling.overrule\"]", ruling["id"])).await;
    arbiter.send("ruling.overrule", &[("reason", "the clock fell")]).await;
    game.desk
        .since(mark, "overruled", |event| {
            is(event, "ruling", &json!({"state": "overruled", "reason": "the clock fell"}))
        })
        .await;
    for page in [chief, arbiter] {
        page.end().await;
    }
}
