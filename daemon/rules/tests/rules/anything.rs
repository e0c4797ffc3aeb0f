//! Anything in any order: whatever people, players and links do, nothing hangs, what was kept gives the state
//! back, nobody has fewer than no fouls, and nothing is public that no person has said.

use crate::bulletin::the_list_is_the_ledger;
use crate::foretold::record_as_foretold;
use crate::hall::{BEGIN, Hall, setup};
use flagfall_arbiter::{Audience, News, Points, Status, Wall};
use flagfall_clock::{By, ClockEvent, Side};
use flagfall_rules::{Input, Mode, Regulations, StartBy};
use rstest::rstest;
use serde_json::{Value, json};

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

fn request(hall: &Hall, dice: &mut Dice) -> (&'static str, Value) {
    let (board, round) = ((dice.below(4) + 1).to_string(), dice.below(2) + 1);
    let player = dice.of(&["first", "second"]);
    let at = Wall(BEGIN + hall.now as i64 - dice.below(1_500_000) as i64);
    let result = dice.of(&["1-0", "0-1", "1/2-1/2", "0-0"]);
    let some = |dice: &mut Dice, n: usize| if n == 0 { 0 } else { dice.below(n as u64) as usize };
    let rulings = hall.rulings();
    let ruling = rulings.get(some(dice, rulings.len())).map_or(0, |ruling| ruling.id);
    let incidents = hall.incidents();
    let incident = incidents.get(some(dice, incidents.len())).map_or(0, |incident| incident.id);
    let offender = dice.of(&["first", "second", "both"]);
    let on = |mut more: Value| {
        more["round"] = json!(round);
        more["board"] = json!(board);
        more
    };
    let of = |mut more: Value| {
        more["round"] = json!(round);
        more
    };
    let article =
        dice.of(&["五.1", "五.4", "六.2", "六.3", "六.10", "八.2", "八.6", "八.8", "八.11", "九.2"]);
    let kind =
        dice.of(&["early_press", "illegal_move", "false_claim", "short_draw", "foul_limit", "article"]);
    match dice.below(40) {
        0 => ("round.start", of(json!({}))),
        1 => ("round.start", of(json!({ "at": at }))),
        2 => ("round.absent", of(json!({ "players": [{ "board": board, "player": player }] }))),
        3 => ("round.absent", of(json!({ "players": [], "complete": true }))),
        4 => ("round.pause", of(json!({ "at": at }))),
        5 | 6 => ("round.resume", of(json!({ "seated": true }))),
        7 => ("round.close", of(json!({}))),
        8 => ("round.prepare", of(json!({}))),
        9 => ("match.hold", of(json!({ "match": dice.below(2) + 1, "until": Wall(at.0 + 1_000_000) }))),
        10 => ("player.arrived", on(json!({ "player": player }))),
        11 => ("player.arrived", on(json!({ "player": player, "at": at }))),
        12 => ("board.start", on(json!({}))),
        13 => ("board.stop", on(json!({}))),
        14 | 15 => ("board.resume", on(json!({}))),
        16 => ("board.swap_sides", on(json!({}))),
        17 => ("board.adjust", on(json!({ "player": player, "delta_ms": 60_000 }))),
        18 => ("board.result", on(json!({ "result": result, "over": ruling }))),
        19 => ("match.results", of(json!({ "match": dice.below(2) + 1, "results": "1=" }))),
        20 => ("board.sign", on(json!({}))),
        21 => ("board.withdraw_result", on(json!({}))),
        22 => ("stop.explain", on(json!({ "cause": "without_cause", "offender": offender }))),
        23 => ("foul.record", on(json!({ "player": player, "article": "八.2" }))),
        24 => ("foul.withdraw", on(json!({ "player": player, "article": "八.2" }))),
        25 => ("claim.open", on(json!({ "player": player, "kind": "natural_limit" }))),
        26 => ("claim.decide", on(json!({ "player": player, "outcome": dice.of(&["true", "false"]) }))),
        27 => ("ruling.confirm", json!({ "id": ruling, "offender": dice.of(&["first", "second"]) })),
        28 => ("ruling.overrule", json!({ "id": ruling, "reason": "a mistake" })),
        29 => ("incident.close", json!({ "id": incident })),
        30 => ("event.mode", json!({ "mode": dice.of(&["observe", "assist", "act", "act"]) })),
        31 | 32 => ("foul.record", on(json!({ "player": player, "article": article, "at": at }))),
        33 => (
            "foul.record",
            on(
                json!({ "player": player, "article": article, "not_player": true, "waived": dice.below(3) == 0 }),
            ),
        ),
        34 => ("foul.withdraw", on(json!({ "player": player, "article": article }))),
        35 => ("ruling.make", on(json!({ "kind": kind, "article": article, "offender": offender }))),
        36 => ("ruling.make", on(json!({ "kind": kind, "offender": offender }))),
        37 => ("ruling.confirm", json!({ "id": ruling, "option": dice.below(3) })),
        38 => ("task.done", json!({ "id": dice.below(60) })),
        _ => ("undo", json!({ "seq": dice.below(hall.events.len() as u64) + 1 })),
    }
}

fn play(hall: &mut Hall, dice: &mut Dice) {
    let n = dice.below(4) as u32 + 1;
    let clock = &hall.clocks[n as usize - 1];
    let runs = clock.running;
    let ms = if runs == Some(Side::Left) { clock.left } else { clock.right };
    let has_time = ms > (hall.now - clock.at) as i64;
    match (dice.below(12), runs) {
        (0, Some(_)) => drop(hall.stop(n, By::Button)),
        (1, Some(_)) => drop(hall.stop(n, By::ArbiterKey)),
        (2, Some(_)) if has_time => drop(hall.flag(n)),
        (3, None) => hall.reset(n, By::Button),
        (4, _) => hall.link(n, false, "silence"),
        (5, _) => hall.link(n, true, "back"),
        (6, None) => drop(hall.report(n, Some(ClockEvent::Ready { side: Side::Right }), Some(0))),
        (7, None) => drop(hall.report(n, Some(ClockEvent::Over { claim: None, agreed: true }), Some(0))),
        (_, Some(_)) => hall.press(n),
        (_, None) if hall.clocks[n as usize - 1].presses == [0, 0] => hall.start(n),
        (_, None) => hall.resume(n, dice.of(&[Side::Left, Side::Right]), By::Button),
    }
}

/// Nobody has fewer than no fouls under any article, and nobody gains points by having had some.
fn ledger_holds(hall: &Hall, seed: u64) {
    let mut fouls = std::collections::BTreeMap::<_, i32>::new();
    let mut points = std::collections::BTreeMap::<_, Points>::new();
    for event in &hall.events {
        let News::Foul(foul) = &event.news else { continue };
        let chair = (event.round, event.board.clone(), foul.player as usize);
        let count = fouls.entry((chair.clone(), foul.article.to_string(), foul.team)).or_default();
        *count += foul.count;
        assert!(*count >= 0 && foul.in_event >= 0, "seed {seed}: {event:?}");
        let sum = points.entry(chair).or_default();
        *sum += foul.points.unwrap_or_default();
        assert!(*sum <= Points::ZERO, "seed {seed}: points are gained by {event:?}");
    }
    let standings = hall.rules.standings();
    let off: Points = standings.players.iter().map(|line| line.taken_off).sum();
    assert!(off <= Points::ZERO, "seed {seed}");
}

#[rstest]
fn anything_in_any_order_is_taken(
    #[values(StartBy::Players, StartBy::Daemon)] start_by: StartBy,
    #[values(1, 2, 3, 4, 5, 6, 7, 8)] hundred: u64,
) {
    for seed in hundred * 100..hundred * 100 + 40 {
        let regulations = Regulations {
            base_ms: 900_000,
            broadcast_task_ms: 120_000,
            record_task_ms: 60_000,
            foul_limit: if seed % 2 == 0 { 4 } else { 0 },
            pooled_fouls: seed % 3 == 0,
            ..Regulations::default()
        };
        let mut setup = setup(4, regulations, start_by, Mode::Act);
        for round in &mut setup.rounds {
            for (place, board) in round.boards.iter_mut().enumerate() {
                board.match_no = Some(place as u32 / 2 + 1);
            }
        }
        let mut hall = Hall::of(4, setup);
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..150 {
            match dice.below(10) {
                0..4 => {
                    let (method, params) = request(&hall, &mut dice);
                    if method == "foul.record" && params.get("waived").is_none() {
                        record_as_foretold(&mut hall, &params);
                    } else {
                        let _ = hall.ask(method, params);
                    }
                }
                4..7 => play(&mut hall, &mut dice),
                7 => {
                    for n in 1..=4 {
                        hall.obey(n);
                    }
                }
                8 if dice.below(20) == 0 => drop(hall.input(Input::Restarted { unobserved_ms: 1_000 })),
                _ => {
                    let ms = dice.of(&[500, 20_000, 61_000, 300_000]);
                    hall.wait(ms);
                }
            }
            let desk = hall.rules.snapshot(Audience::Desk);
            assert!(desk.boards.iter().all(|b| b.first.fouls >= 0 && b.second.fouls >= 0), "seed {seed}");
        }
        ledger_holds(&hall, seed);
        the_list_is_the_ledger(&mut hall, seed);
        for event in hall.events.iter().filter(|event| event.audience == Audience::Public) {
            match &event.news {
                News::Result(result) => assert!(result.status >= Status::Signed, "seed {seed}"),
                News::Ruling(ruling) => assert!(ruling.announced, "seed {seed}"),
                News::RoundStarted(_) => {}
                other => panic!("seed {seed}: {} is public", other.name()),
            }
        }
        // an answer that waits for clocks is owed by the process, not by the journal
        hall.wait(10_000);
        hall.recovers();
    }
}
