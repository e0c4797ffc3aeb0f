//! What `foul.articles` foretells is what `foul.record` then does, and what it calls a ruling is what `ruling.make`
//! proposes: under all laws, for every article, the first time and again.

use crate::hall::{Hall, playing_under};
use flagfall_arbiter::{Effect, FollowsKind, Foul, FoulArticles, News, Points, Refused, Role, Ruling};
use flagfall_rules::{EventFouls, Input, Laws, Offence, Phone, PressTimes, Regulations};
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Every article that an arbiter may name, by the refusal of one that is none.
fn all_articles(hall: &mut Hall) -> Vec<String> {
    let none = json!({ "board": "1", "player": "first", "article": "none" });
    let refused = hall.ask("foul.record", none).unwrap_err().message;
    let (_, keys) = refused.split_once("there are ").expect("it names them");
    keys.split(", ").map(str::to_owned).collect()
}

fn foretold(hall: &mut Hall, params: &Value) -> Result<FoulArticles, Refused> {
    let mut asked = json!({ "board": params["board"], "player": params["player"] });
    if params.get("round").is_some() {
        asked["round"] = params["round"].clone();
    }
    let answer = hall.ask("foul.articles", asked)?;
    Ok(serde_json::from_value(answer).unwrap())
}

fn told_since(hall: &Hall, from: usize) -> Vec<Foul> {
    let news = hall.events[from..].iter().filter_map(|event| match &event.news {
        News::Foul(foul) => Some(foul.clone()),
        _ => None,
    });
    news.collect()
}

fn ruling_of(hall: &Hall, answer: &Value) -> Option<Ruling> {
    let id = answer.get("ruling")?.as_u64()?;
    // as it was proposed: it may have been told again since
    hall.events.iter().find_map(|event| match &event.news {
        News::Ruling(ruling) if ruling.id == id => Some(ruling.clone()),
        _ => None,
    })
}

/// Records a foul; what was foretold of it is what is done, and what was not foretold is refused. Gives the ruling that
/// was proposed beside it.
pub fn record_as_foretold(hall: &mut Hall, params: &Value) -> Option<Ruling> {
    let articles = foretold(hall, params);
    let (_, input, decided) = hall.log.last().expect("the look");
    assert!(matches!(input, Input::Ask { method, .. } if method == "foul.articles"));
    assert!(decided.is_empty(), "a look decides nothing");
    let events = hall.events.len();
    let answer = hall.ask("foul.record", params.clone());
    let articles = match articles {
        Ok(articles) => articles,
        Err(refused) => {
            assert_eq!(answer.unwrap_err(), refused, "no such board");
            return None;
        }
    };
    let key = params["article"].as_str().unwrap();
    let Some(said) = articles.articles.iter().find(|article| article.article == key) else {
        let refused = answer.expect_err("it was not listed");
        assert_eq!(refused.code, Refused::PARAMS, "{key}: {refused}");
        return None;
    };
    let answer = answer.unwrap_or_else(|refused| panic!("{key} was listed: {refused}"));
    let fouls = told_since(hall, events);
    let [foul] = &fouls[..] else { panic!("{key}: one foul, not {fouls:?}") };
    assert_eq!(foul.count, said.count as i32, "{key}");
    assert_eq!((foul.in_game, foul.in_event), (said.in_game, said.in_event), "{key}: {said:?}");
    let of = |kind: FollowsKind| said.follows.iter().find(|follows| follows.kind == kind);
    assert_eq!(of(FollowsKind::TeamFoul).and_then(|it| it.effect.team_foul), foul.team.then_some(said.count));
    assert_eq!(of(FollowsKind::Points).and_then(|it| it.effect.points), foul.points, "{key}: {said:?}");

    let ruling = ruling_of(hall, &answer);
    let proposed = said.follows.iter().filter(|follows| follows.ruling.is_some());
    let proposed: Vec<_> = proposed.map(|it| (it.ruling, Some(&it.effect), it.kind)).collect();
    let kind = |effect: &Effect| match effect.result {
        Some(_) => FollowsKind::Loss,
        None => FollowsKind::Time,
    };
    let done: Vec<_> = ruling.iter().map(|it| (Some(it.kind), Some(&it.effect), kind(&it.effect))).collect();
    assert_eq!(proposed, done, "{key}: {said:?}");
    for follows in &said.follows {
        assert!(!follows.text.zh.is_empty() && !follows.text.en.is_empty(), "{key}");
        let loses = follows.text.zh.contains("判负") && follows.text.en.contains("the game");
        assert_eq!(loses, follows.kind == FollowsKind::Loss, "{key}: {follows:?}");
    }
    ruling
}

fn fide() -> Regulations {
    let offence = Offence { foul: 0, deduct_ms: 0, opponent_ms: 120_000, loses_at: 2 };
    Regulations {
        laws: Laws::Fide,
        early_press: offence,
        illegal_move: offence,
        pooled_fouls: true,
        unless_cannot_win: true,
        false_claim_foul: 0,
        false_claim_deduct_ms: 0,
        false_claim_opponent_ms: 120_000,
        false_claim_loses_at: 0,
        event_fouls_every: 0,
        ..Regulations::default()
    }
}

fn variants() -> Vec<(&'static str, Regulations)> {
    let wugong = Regulations::default;
    let dear = Offence { foul: 2, deduct_ms: 3_000_000, opponent_ms: 0, loses_at: 3 };
    vec![
        ("wugong", wugong()),
        ("fouls together", Regulations { pooled_fouls: true, ..wugong() }),
        ("a limit of fouls", Regulations { foul_limit: 2, ..wugong() }),
        ("a limit of one", Regulations { foul_limit: 1, phone: Phone::Foul, ..wugong() }),
        ("each foul costs", Regulations { event_fouls_every: 1, phone: Phone::Foul, ..wugong() }),
        ("once", Regulations { event_fouls_every: 2, event_fouls: EventFouls::Once, ..wugong() }),
        (
            "the press taken back",
            Regulations { press_times: PressTimes::Restore, early_press: dear, ..wugong() },
        ),
        ("more time than he has", Regulations { illegal_move: dear, ..wugong() }),
        ("each four moves", Regulations { missed_record_most: 0, missed_record_moves: 1, ..wugong() }),
        ("fide", fide()),
        ("us chess", Regulations { laws: Laws::UsChess, foul_limit: 3, ..fide() }),
    ]
}

/// The first, the second, the third and the fourth of each, whatever was proposed in between confirmed or left.
#[rstest]
fn what_is_foretold_of_each_article_is_done(
    #[values("first", "second")] player: &str,
    #[values(true, false)] confirmed: bool,
) {
    let mut compared = 0;
    for (name, regulations) in variants() {
        let articles = all_articles(&mut playing_under(regulations.clone()));
        assert!(articles.len() >= 3, "{name}: {articles:?}");
        for article in articles {
            let mut hall = playing_under(regulations.clone());
            if confirmed {
                // times as at a press are given to a clock that stands
                hall.ask("board.stop", json!({ "board": "1" })).unwrap();
                hall.obey(1);
            }
            for _ in 0..4 {
                let params = json!({ "board": "1", "player": player, "article": article });
                let ruling = record_as_foretold(&mut hall, &params);
                if let Some(ruling) = ruling.filter(|_| confirmed) {
                    hall.ask("ruling.confirm", json!({ "id": ruling.id })).unwrap();
                    hall.obey(1);
                }
                compared += 1;
            }
            hall.recovers();
        }
    }
    assert!(compared > 1_000, "{compared}");
}

/// After any other article: those that count together count together.
#[rstest]
fn what_is_foretold_after_another_article_is_done(
    #[values("wugong", "fouls together", "a limit of fouls", "fide")] name: &str,
) {
    let (_, regulations) = variants().into_iter().find(|(of, _)| *of == name).unwrap();
    let articles = all_articles(&mut playing_under(regulations.clone()));
    for before in &articles {
        for article in &articles {
            let mut hall = playing_under(regulations.clone());
            let of = |article: &str| json!({ "board": "1", "player": "second", "article": article });
            if hall.ask("foul.record", of(before)).is_ok() {
                record_as_foretold(&mut hall, &of(article));
            }
        }
    }
}

#[test]
fn what_is_called_a_ruling_is_what_is_proposed() {
    let mut compared = BTreeMap::<&str, usize>::new();
    for (name, regulations) in variants() {
        for article in all_articles(&mut playing_under(regulations.clone())) {
            let mut hall = playing_under(regulations.clone());
            let player = json!({ "board": "1", "player": "second" });
            let list = foretold(&mut hall, &player).unwrap();
            let said = list.rulings.iter().find(|ruling| ruling.article == article);
            let made = json!({ "board": "1", "kind": "article", "article": article, "offender": "second" });
            match (said, hall.ask("ruling.make", made)) {
                (Some(said), Ok(answer)) => {
                    let rulings = hall.rulings();
                    let made = rulings.iter().find(|ruling| answer["id"] == ruling.id).unwrap();
                    assert_eq!((made.kind, &made.effect), (said.kind, &said.effect), "{name} {article}");
                    *compared.entry(name).or_default() += 1;
                }
                (None, Err(refused)) => assert_eq!(refused.code, Refused::PARAMS, "{name} {article}"),
                (said, answer) => panic!("{name} {article}: {said:?}, but {answer:?}"),
            }
        }
    }
    assert!(compared["wugong"] > 20 && compared["fide"] > 8, "{compared:?}");
}

fn of<'a>(list: &'a FoulArticles, key: &str) -> &'a flagfall_arbiter::FoulArticle {
    list.articles.iter().find(|article| article.article == key).unwrap()
}

#[test]
fn the_second_early_press_is_said_to_lose_before_it_is_recorded() {
    let mut hall = playing_under(Regulations::default());
    let press = json!({ "board": "1", "player": "second", "article": "八.6" });
    let list = foretold(&mut hall, &press).unwrap();
    assert_eq!((of(&list, "六.3").before, of(&list, "六.3").follows.len()), (0, 0));
    hall.ask("foul.record", press.clone()).unwrap();
    let list = foretold(&mut hall, &press).unwrap();
    assert_eq!((list.round, list.board.as_str(), list.in_game, list.in_event), (1, "1", 1, 1));
    let early = of(&list, "六.3");
    assert_eq!((early.before, early.count, early.in_game), (1, 1, 2), "whichever article it was");
    let [loss] = &early.follows[..] else { panic!("{early:?}") };
    assert_eq!(loss.text.zh, "本局第2次，黑方 R1黑1：判负");
    assert_eq!(loss.text.en, "number 2 in this game: Black R1黑1 loses the game");
    assert_eq!(early.text.zh, "未走棋先按钟");
    assert!(of(&list, "六.2").follows.is_empty(), "they count apart");
    assert!(list.articles.iter().all(|article| article.article != "六.1"), "it is no foul");
    assert!(list.rulings.iter().any(|ruling| ruling.article == "六.1"), "but can be ruled on");
    // the other player has done nothing
    let other = foretold(&mut hall, &json!({ "board": "1", "player": "first" })).unwrap();
    assert!(of(&other, "六.3").follows.is_empty());
}

#[test]
fn a_third_foul_over_the_event_and_a_teams_foul_are_foretold_with_their_points() {
    let mut hall = playing_under(Regulations::default());
    let him = json!({ "board": "1", "player": "first", "article": "五.4" });
    let list = foretold(&mut hall, &him).unwrap();
    let team = of(&list, "八.11");
    let kinds: Vec<_> = team.follows.iter().map(|follows| (follows.kind, follows.text.zh.as_str())).collect();
    assert_eq!(
        kinds,
        [
            (FollowsKind::TeamFoul, "红方 R1红1：记其所在团队犯规1次"),
            (FollowsKind::Points, "红方 R1红1：扣本人积分1分")
        ]
    );
    assert_eq!(team.takes, ["not_player"]);
    assert_eq!(of(&list, "五.1").takes, ["moves"]);
    for _ in 0..2 {
        assert!(of(&foretold(&mut hall, &him).unwrap(), "五.4").follows.is_empty());
        hall.ask("foul.record", him.clone()).unwrap();
    }
    let list = foretold(&mut hall, &him).unwrap();
    let third = of(&list, "五.4");
    assert_eq!((third.in_event, third.follows[0].effect.points), (3, Some(-Points::ONE)));
}

#[test]
fn nobody_but_an_arbiter_is_told_and_a_board_that_is_none_is_named() {
    let mut hall = playing_under(Regulations::default());
    let asked = json!({ "board": "9", "player": "first" });
    let refused = hall.ask_as(Role::Arbiter, "foul.articles", asked).unwrap_err();
    assert_eq!((refused.code, refused.message.as_str()), (Refused::UNKNOWN, "round 1 has no board 9"));
}
