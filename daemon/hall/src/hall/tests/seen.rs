//! Requests that say what their asker has seen: refused if just what they are about changed since.

use super::*;
use rstest::rstest;

/// Two rounds of four boards in two matches, one table a board.
fn wide() -> Setup {
    let one = setup();
    let tables = (1..=4_u32).map(|number| TableSetup {
        number,
        clock: Some(format!("A0{number}").parse().unwrap()),
        first_side: Side::Left,
    });
    let round = |number| RoundSetup {
        number,
        planned: None,
        boards: (1..=4_u32)
            .map(|board| BoardSetup {
                board: board.to_string(),
                table: Some(board),
                match_no: Some(board.div_ceil(2)),
                ..one.rounds[0].boards[0].clone()
            })
            .collect(),
    };
    Setup { tables: tables.collect(), rounds: vec![round(1), round(2)], ..setup() }
}

fn bench() -> Bench {
    let mut bench = Bench { hall: Hall::new(wide()), now: Venue(0), out: Out::default(), asks: 0 };
    bench.hall.begin(Venue(0), wide(), WALL, &mut bench.out);
    bench
}

impl Bench {
    fn done(&mut self, method: &str, params: Value) -> Value {
        self.ask_as(Role::Chief, method, params)
            .unwrap()
            .unwrap_or_else(|refused| panic!("{method}: {refused}"))
    }

    /// What followed, if it is refused because of that; live and after a restart.
    fn conflict(&mut self, method: &str, params: &Value, seen: u64) -> Option<Value> {
        let mut params = params.clone();
        params["seen"] = seen.into();
        let mut again = self.restarted(self.now);
        let of = |bench: &mut Self| match bench.ask_as(Role::Chief, method, params.clone()) {
            Some(Err(refused)) if refused.code == Refused::CONFLICT => {
                Some(refused.data.unwrap()["followed"].clone())
            }
            _ => None,
        };
        let after = of(&mut again);
        let live = of(self);
        assert_eq!(live, after, "{method} {params}: a restart forgets nothing");
        live
    }
}

/// What is done, what is asked for by somebody who did not see it, and whether that is refused.
#[rstest]
#[case::same_board("foul.record", json!({"round": 1, "board": "1", "player": "first", "article": "五.1"}), &[
    ("board.stop", json!({"round": 1, "board": "1"}), true),
    ("board.stop", json!({"board": 1}), true),
    ("board.stop", json!({"round": 1, "board": "2"}), false),
    ("board.stop", json!({"round": 2, "board": "1"}), false),
    ("board.assign", json!({"board": "1", "clock": "B01"}), true),
    ("board.assign", json!({"board": "2", "clock": "B01"}), false),
    ("match.results", json!({"match": 1, "results": "1=10"}), true),
    ("match.results", json!({"match": 2, "results": "1=10"}), false),
    ("round.prepare", json!({"round": 1}), false),
    ("event.mode", json!({"mode": "assist"}), false),
    ("clock.identify", json!({"clock": "A01"}), false),
])]
#[case::chairs("round.absent", json!({"round": 1, "players": [{"board": "1", "player": "first"}]}), &[
    ("player.arrived", json!({"board": "1", "player": "first"}), true),
    ("player.arrived", json!({"board": "2", "player": "first"}), false),
    ("round.start", json!({"round": 1}), true),
    ("round.start", json!({"round": 2}), false),
])]
#[case::all_chairs("round.absent", json!({"round": 1, "players": [], "complete": true}), &[
    ("player.arrived", json!({"board": "2", "player": "first"}), true),
    ("player.arrived", json!({"round": 2, "board": "2", "player": "first"}), false),
])]
#[case::pause("round.pause", json!({"round": 1}), &[
    ("board.stop", json!({"round": 1, "board": "3"}), true),
    ("board.stop", json!({"round": 2, "board": "3"}), false),
    ("round.close", json!({"round": 1}), true),
    ("round.load", json!({"round": 1, "boards": []}), true),
    ("round.load", json!({"round": 2, "boards": []}), false),
    ("match.hold", json!({"round": 1, "match": 2, "until": "2012-06-14T01:00:00.000Z"}), true),
])]
#[case::start("round.start", json!({}), &[
    ("board.start", json!({"board": "4"}), true),
    ("round.absent", json!({"players": []}), true),
    ("round.absent", json!({"round": 2, "players": []}), false),
])]
#[case::export("round.export", json!({"round": 1}), &[
    ("round.close", json!({"round": 1}), false),
    ("board.stop", json!({"board": "1"}), false),
])]
#[case::prepare("round.prepare", json!({"round": 1}), &[
    ("round.start", json!({"round": 1}), true),
    ("round.export", json!({"round": 1}), true),
    ("board.stop", json!({"round": 1, "board": "1"}), false),
])]
#[case::mode("event.mode", json!({"mode": "observe"}), &[
    ("event.mode", json!({"mode": "assist"}), true),
    ("board.stop", json!({"board": "1"}), false),
])]
#[case::tables("board.assign", json!({"board": "1", "clock": "B07"}), &[
    ("board.assign", json!({"board": "2", "clock": "B08"}), true),
    ("setup.walk", json!({}), true),
    ("clock.identify", json!({"clock": "A01"}), true),
    ("board.stop", json!({"board": "1"}), true),
    ("board.stop", json!({"board": "2"}), false),
    ("round.start", json!({"round": 1}), false),
])]
#[case::loaded("round.load", json!({"round": 3, "boards": [{"board": "1", "match": 7, "first": "a", "second": "b"}]}), &[
    ("round.load", json!({"round": 3, "boards": []}), true),
    ("round.load", json!({"round": 4, "boards": []}), false),
    ("board.result", json!({"round": 3, "board": "1", "result": "1-0"}), true),
    ("match.results", json!({"round": 3, "match": 7, "results": "1"}), true),
    ("round.prepare", json!({"round": 1}), false),
])]
#[case::tried("round.load", json!({"round": 3, "boards": [{"board": "1", "first": "a", "second": "b"}], "dry_run": true}), &[
    ("round.load", json!({"round": 3, "boards": []}), false),
])]
#[case::sheet("match.results", json!({"round": 1, "match": 2, "results": ["1-0", "0-1"]}), &[
    ("board.sign", json!({"round": 1, "board": "3"}), true),
    ("board.sign", json!({"round": 1, "board": "4"}), true),
    ("board.sign", json!({"round": 1, "board": "1"}), false),
    ("match.results", json!({"round": 1, "match": 2, "results": "10"}), true),
    ("round.close", json!({"round": 1}), true),
])]
#[case::nothing("clock.identify", json!({"clock": "A01"}), &[
    ("board.assign", json!({"board": "1", "clock": "B07"}), false),
    ("board.stop", json!({"board": "1"}), false),
])]
fn what_it_is_about_changed_since(
    #[case] change: &str,
    #[case] params: Value,
    #[case] then: &[(&str, Value, bool)],
) {
    for (method, asked, expected) in then {
        let mut bench = bench();
        let seen = bench.hall.rules.head();
        bench.ask_as(Role::Chief, change, params.clone());
        let request = bench.out.tell.iter().find(|event| event.r#type == "request").expect("it is told").seq;
        let followed = bench.conflict(method, asked, seen);
        assert_eq!(followed.is_some(), *expected, "{change} {params}, then {method} {asked}");
        if let Some(followed) = followed {
            let told = json!({"seq": request, "type": "request"});
            assert!(followed.as_array().unwrap().contains(&told), "{followed}");
        }
        let head = bench.hall.rules.head();
        assert_eq!(bench.conflict(method, asked, head), None, "{method}: he has seen it now");
    }
}

#[test]
fn taking_back_is_about_the_board_of_the_event() {
    for (board, expected) in [("1", true), ("2", false)] {
        let mut bench = bench();
        let foul = |board: &str| json!({"board": board, "player": "first", "article": "五.1"});
        let done = bench.done("foul.record", foul("1"));
        bench.done("foul.record", foul(board));
        let seq = done["seq"].as_u64().unwrap();
        assert_eq!(
            bench.conflict("undo", &json!({"seq": seq}), seq).is_some(),
            expected,
            "a foul on {board}"
        );
    }
}

#[test]
fn taking_a_sheet_back_is_about_all_its_boards() {
    for (board, expected) in [("3", true), ("4", true), ("1", false)] {
        let mut bench = bench();
        let sheet = json!({"round": 1, "match": 2, "results": ["1-0", "0-1"]});
        let seq = bench.done("match.results", sheet)["seq"].as_u64().unwrap();
        bench.done("foul.record", json!({"round": 1, "board": board, "player": "first", "article": "五.1"}));
        assert_eq!(
            bench.conflict("undo", &json!({"seq": seq}), seq).is_some(),
            expected,
            "a foul on {board}"
        );
    }
}

#[test]
fn a_ruling_is_about_its_board_and_changes_it() {
    let mut bench = bench();
    let seen = bench.hall.rules.head();
    let made = json!({"board": "1", "kind": "illegal_move", "offender": "first"});
    let id = bench.done("ruling.make", made)["id"].clone();
    let followed = bench.conflict("board.stop", &json!({"board": "1"}), seen).expect("a ruling on it");
    let types: Vec<&Value> = followed.as_array().unwrap().iter().map(|change| &change["type"]).collect();
    assert_eq!(types, ["ruling", "request"]);
    let seen = bench.hall.rules.head();
    bench.done("foul.record", json!({"board": "2", "player": "first", "article": "五.1"}));
    assert_eq!(bench.conflict("ruling.overrule", &json!({"id": 9_999, "reason": "no"}), seen), None);
    bench.done("foul.record", json!({"board": "1", "player": "first", "article": "五.1"}));
    for params in [json!({"id": id}), json!({"ids": [id]})] {
        assert!(bench.conflict("ruling.confirm", &params, seen).is_some(), "{params}");
    }
}

#[test]
fn a_question_about_a_round_is_about_the_round() {
    let mut bench = bench();
    bench.done("round.start", json!({"round": 1}));
    bench.wait(16 * 60_000);
    let asked = bench.out.tell.iter().find_map(|event| match &event.news {
        flagfall_arbiter::News::Incident(incident) if event.board.is_none() => Some(incident.id),
        _ => None,
    });
    let take = json!({"id": asked.expect("who sits there?")});
    let seen = bench.hall.rules.head();
    bench.done("foul.record", json!({"board": "1", "player": "first", "article": "五.1"}));
    assert_eq!(bench.conflict("incident.close", &json!({"id": 9_999}), seen), None);
    bench.done("round.absent", json!({"round": 1, "players": []}));
    assert!(bench.conflict("incident.take", &take, seen).is_some());
}

#[test]
fn what_was_refused_changed_nothing_and_a_look_is_never_refused() {
    let mut bench = bench();
    let seen = bench.hall.rules.head();
    let stop = json!({"board": "1"});
    bench.ask_as(Role::Viewer, "board.stop", stop.clone()).unwrap().unwrap_err();
    bench.ask_as(Role::Chief, "board.resume", json!({"board": "77"})).unwrap().unwrap_err();
    assert_eq!(bench.conflict("board.swap_sides", &stop, seen), None);
    bench.done("round.pause", json!({"round": 1}));
    bench.ask_as(Role::Viewer, "round.check", json!({"round": 1, "seen": 0})).unwrap().unwrap();
}

#[test]
fn requests_that_do_not_fit_are_kept_so_many_a_second_and_shortened() {
    let mut bench = bench();
    let misread = |bench: &mut Bench, method: &str, params: Value| {
        bench.asks += 1;
        let (id, who) = (AskId(bench.asks), Who { name: "the arbiter".into(), role: Role::Arbiter });
        let refused = Refused::new(Refused::PARAMS, format!("{method}: {}", params));
        let heard = Heard::Misread { id, who, method: method.into(), params, refused: refused.clone() };
        bench.hear(heard);
        assert_eq!(bench.out.answers.last(), Some(&(id, Err(refused))), "answered as it is");
    };
    misread(&mut bench, "board.stop", json!({"bord": "1"}));
    let told = bench.out.tell.last().unwrap();
    let flagfall_arbiter::News::Request(request) = &told.news else { panic!("{told:?}") };
    assert_eq!(
        (request.method.as_str(), request.by.as_str(), request.ok),
        ("board.stop", "the arbiter", false)
    );
    assert_eq!(request.params, json!({"bord": "1"}));
    misread(&mut bench, "round.check", json!({"round": "one"}));
    assert_eq!(bench.refused(), 1, "a look is not kept");
    misread(&mut bench, "board.stop", json!({"board": ["判".repeat(20_000)]}));
    let kept = bench.out.records.iter().rev().find(|record| record.kind == "input").unwrap();
    assert!(kept.body.len() < 2_048, "{} bytes are kept", kept.body.len());
    let told = serde_json::to_string(bench.out.tell.last().unwrap()).unwrap();
    assert!(told.len() < 2_048 && told.contains("…"), "{told}");
    for _ in 0..100 {
        misread(&mut bench, "board.stop", json!({}));
    }
    assert_eq!(bench.refused(), 20);
    let records = bench.out.records.iter().map(|r| (r.at, r.kind, r.seq, r.body.clone()));
    assert_eq!(replay(records).unwrap().differences, []);
}
