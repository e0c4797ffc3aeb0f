//! Standings of a nine-round event of 24 teams, held against a calculation of its own: from the exported journal alone,
//! in plain halves, written from 九.1, 十.2 and 十.3 without a look at the product's.

use flagfall_tests::hall::Hall;
use flagfall_tests::program::flagfall;
use rstest::rstest;
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A player: name and team.
type Who = (String, String);

#[derive(Clone, Debug, Default)]
struct Seat {
    board: usize,
    who: Who,
    met: Who,
    second: bool,
    /// In halves; `None` without a result.
    halves: Option<i64>,
    won: bool,
    forfeit: bool,
    fouls: i64,
    team_fouls: i64,
    off: i64,
}

/// Round -> everybody who sat at a board.
type Event = BTreeMap<u64, Vec<Seat>>;

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The event as the journal tells it.
fn read(export: &str) -> Event {
    let mut boards: BTreeMap<(u64, String), (usize, Who, Who)> = BTreeMap::new();
    let mut results: BTreeMap<(u64, String), (String, bool)> = BTreeMap::new();
    let mut fouls: Vec<(u64, String, String, Value)> = Vec::new();
    for line in export.lines() {
        let record: Value = serde_json::from_str(line).expect("an exported record");
        if let Some(rounds) = record["body"]["setup"]["rounds"].as_array() {
            for round in rounds {
                let mut of_match: BTreeMap<u64, usize> = BTreeMap::new();
                for board in round["boards"].as_array().into_iter().flatten() {
                    let no = board["match_no"].as_u64().expect("a match");
                    let place = of_match.entry(no).or_default();
                    *place += 1;
                    let who = |key: &str| (text(&board[key]["name"]), text(&board[key]["team"]));
                    let key = (round["number"].as_u64().expect("a round"), text(&board["board"]));
                    boards.insert(key, (*place, who("first"), who("second")));
                }
            }
        }
        let event = &record["body"]["tell"];
        let key = || (event["round"].as_u64().unwrap_or_default(), text(&event["board"]));
        match event["type"].as_str() {
            Some("result") => {
                let result = &event["result"];
                let counts = ["entered", "signed", "official"].contains(&text(&result["status"]).as_str());
                if counts && result["withdrawn"] != true {
                    results.insert(key(), (text(&result["result"]), result["forfeit"] == true));
                } else {
                    results.remove(&key());
                }
            }
            Some("foul") => {
                let (round, board) = key();
                fouls.push((round, board, text(&event["foul"]["player"]), event["foul"].clone()));
            }
            _ => {}
        }
    }
    let mut event: Event = BTreeMap::new();
    for (key, (board, first, second)) in boards {
        let result = results.get(&key);
        let score = |own: &str| {
            result.map(|(result, _)| match result.as_str() {
                "1/2-1/2" => 1,
                result if result == own => 2,
                _ => 0,
            })
        };
        for (chair, who, met, own) in [("first", &first, &second, "1-0"), ("second", &second, &first, "0-1")]
        {
            let here: Vec<&Value> = fouls
                .iter()
                .filter(|(round, board, player, _)| {
                    (*round, board.as_str()) == (key.0, &key.1) && player == chair
                })
                .map(|(.., foul)| foul)
                .collect();
            let count = |team: bool| -> i64 {
                let of = here.iter().filter(|foul| (foul["team"] == true) == team);
                of.map(|foul| foul["count"].as_i64().expect("a count")).sum()
            };
            event.entry(key.0).or_default().push(Seat {
                board,
                who: who.clone(),
                met: met.clone(),
                second: chair == "second",
                halves: score(own),
                won: result.is_some_and(|(result, _)| result == own),
                forfeit: result.is_some_and(|(_, forfeit)| *forfeit),
                fouls: count(false),
                team_fouls: count(true),
                // 八.11: a player who prompts loses a point of his own
                off: -2 * count(true),
            });
        }
    }
    // 六.4: each third foul over the event costs a point, in the round in which it is given
    let players: BTreeSet<Who> = event.values().flatten().map(|seat| seat.who.clone()).collect();
    for player in players {
        let mut fouls = 0;
        for seats in event.values_mut() {
            for seat in seats.iter_mut().filter(|seat| seat.who == player) {
                let before = fouls / 3;
                fouls += seat.fouls;
                seat.off -= 2 * (fouls / 3 - before);
            }
        }
    }
    event
}

/// Points, 累进分, wins, fouls, games as second.
fn of_player(event: &Event, rounds: &[u64], who: &Who) -> [i64; 5] {
    let mut line = [0; 5];
    for round in rounds {
        for seat in event[round].iter().filter(|seat| seat.who == *who) {
            line[0] += seat.halves.unwrap_or(0) + seat.off;
            line[2] += i64::from(seat.won);
            line[3] += seat.fouls;
            line[4] += i64::from(seat.second && seat.halves.is_some() && !seat.forfeit);
        }
        line[1] += line[0];
    }
    line
}

fn better_player(event: &Event, rounds: &[u64], one: &Who, other: &Who) -> Ordering {
    for from in 0..rounds.len() {
        let (a, b) = (of_player(event, &rounds[from..], one), of_player(event, &rounds[from..], other));
        let order = (b[0], b[1], b[2], a[3], b[4]).cmp(&(a[0], a[1], a[2], b[3], a[4]));
        if order != Ordering::Equal {
            return order;
        }
    }
    one.cmp(other)
}

/// What a team's players scored at their boards in a round, in halves.
fn boards_of(event: &Event, round: u64, team: &str) -> i64 {
    event[&round].iter().filter(|seat| seat.who.1 == team).map(|seat| seat.halves.unwrap_or(0)).sum()
}

/// Whom it met, and the match points in halves.
fn match_of(event: &Event, round: u64, team: &str) -> (String, i64) {
    let met = event[&round].iter().find(|seat| seat.who.1 == team).expect("a match").met.1.clone();
    let (own, theirs) = (boards_of(event, round, team), boards_of(event, round, &met));
    let points = match own.cmp(&theirs) {
        Ordering::Greater => 2,
        Ordering::Equal if own > 0 => 1,
        _ => 0,
    };
    (met, points)
}

/// Match points, last of its score, 对手分, board points, matches won, boards won, fouls.
fn of_team(event: &Event, rounds: &[u64], team: &str) -> [i64; 7] {
    let score = |team: &str| rounds.iter().map(|round| match_of(event, *round, team).1).sum::<i64>();
    let seats = || rounds.iter().flat_map(|round| &event[round]).filter(|seat| seat.who.1 == team);
    [
        score(team),
        i64::from(seats().any(|seat| seat.team_fouls > 0)),
        rounds.iter().map(|round| score(&match_of(event, *round, team).0)).sum(),
        rounds.iter().map(|round| boards_of(event, *round, team)).sum(),
        rounds.iter().filter(|round| match_of(event, **round, team).1 == 2).count() as i64,
        seats().filter(|seat| seat.won).count() as i64,
        seats().map(|seat| seat.fouls + seat.team_fouls).sum(),
    ]
}

fn better_team(event: &Event, rounds: &[u64], one: &str, other: &str) -> Ordering {
    for to in (1..=rounds.len()).rev() {
        let (a, b) = (of_team(event, &rounds[..to], one), of_team(event, &rounds[..to], other));
        let order =
            (b[0], a[1], b[2], b[3], b[4], b[5], a[6]).cmp(&(a[0], b[1], a[2], a[3], a[4], a[5], b[6]));
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

fn halves(value: &Value) -> i64 {
    (value.as_f64().expect("points") * 2.0) as i64
}

/// Fouls by hundreds, so that points go off and teams are placed last.
fn with_fouls(scenario: &str, seed: u64) -> String {
    let mut text = scenario.to_owned();
    let mut chance = seed;
    let mut act = |round: u64, board: u64, player: &str, article: &str| {
        let params = format!(
            "{{ round = {round}, board = \"{board}\", player = \"{player}\", article = \"{article}\" }}"
        );
        let _ = write!(
            text,
            "\n[[act]]\nround = {round}\nat = \"70m\"\nmethod = \"foul.record\"\nparams = {params}\n"
        );
    };
    for round in 1..=9 {
        for board in 1..=48 {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            match chance >> 60 {
                0..=3 => act(round, board, "first", "五.4"),
                4..=7 => act(round, board, "second", "八.1"),
                8 if board % 16 == 1 => act(round, board, "second", "八.11"),
                _ => {}
            }
        }
    }
    // in any case two teams
    (2..=3).for_each(|round| act(round, 1, "first", "八.11"));
    text
}

#[rstest]
fn standings_of_a_nine_round_event_are_those_of_a_calculation_of_its_own(#[values(1, 2, 3)] seed: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let scenario = folder.path().join("event.toml");
    let plain = std::fs::read_to_string(Hall::of_workspace("scenarios/event.toml")).expect("the scenario");
    std::fs::write(&scenario, with_fouls(&plain, seed)).expect("written");
    let journal = folder.path().join("e.journal");
    let (scenario, journal) = (scenario.to_str().expect("a path"), journal.to_str().expect("a path"));
    let ended = flagfall(&["rehearse", scenario, "--seed", &seed.to_string(), "--journal", journal]);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    let export = flagfall(&["journal", "export", journal]);
    let event = read(&export.stdout);
    let rounds: Vec<u64> = event.keys().copied().collect();
    assert_eq!((rounds.len(), event[&9].len()), (9, 96));
    let told = flagfall(&["standings", journal, "--format", "json"]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    let standings: Value = serde_json::from_str(&told.stdout).expect("one object");
    assert_eq!(standings["open"].as_array().map(Vec::len), Some(0), "every board has its result");

    let mut teams: Vec<String> = event[&1].iter().map(|seat| seat.who.1.clone()).collect();
    teams.sort();
    teams.dedup();
    assert_eq!(teams.len(), 24);
    teams.sort_by(|one, other| better_team(&event, &rounds, one, other));
    let mut last_of_score = 0;
    for (team, line) in teams.iter().zip(standings["teams"].as_array().expect("teams")) {
        let [points, last, opponents, boards, matches, wins, fouls] = of_team(&event, &rounds, team);
        let found = (
            text(&line["team"]),
            [halves(&line["points"]), i64::from(line["last_of_its_score"] == true)],
            [halves(&line["opponents"]), halves(&line["board_points"])],
            ["match_wins", "board_wins", "fouls"].map(|key| line[key].as_i64().expect("a number")),
        );
        assert_eq!(found, (team.clone(), [points, last], [opponents, boards], [matches, wins, fouls]));
        last_of_score += last;
    }
    assert!(last_of_score > 0, "some team's own foul shows in the order");

    let mut points_off = 0;
    let all = standings["players"].as_array().expect("players");
    for board in 1..=4 {
        let mut players: Vec<Who> =
            event[&1].iter().filter(|seat| seat.board == board).map(|seat| seat.who.clone()).collect();
        assert_eq!(players.len(), 24);
        players.sort_by(|one, other| better_player(&event, &rounds, one, other));
        let lines: Vec<&Value> = all.iter().filter(|line| line["board"] == board).collect();
        assert_eq!(lines.len(), 24);
        for (place, (who, line)) in players.iter().zip(lines).enumerate() {
            let [points, progress, wins, fouls, second] = of_player(&event, &rounds, who);
            let found = (
                (text(&line["name"]), text(&line["team"])),
                line["place"].as_u64(),
                [halves(&line["points"]), halves(&line["progressive"])],
                ["wins", "fouls", "second_games"].map(|key| line[key].as_i64().expect("a number")),
            );
            assert_eq!(
                found,
                (who.clone(), Some(place as u64 + 1), [points, progress], [wins, fouls, second]),
                "board {board}"
            );
            points_off += i64::from(halves(&line["taken_off"]) < 0);
        }
    }
    assert!(points_off >= 10, "{points_off} players lost points to fouls: too few to show anything");

    // as a table program gets it
    let csv = flagfall(&["standings", journal, "--csv", "--of", "players", "--board", "2"]);
    let rows: Vec<&str> = csv.stdout.lines().collect();
    assert_eq!((csv.code, rows.len()), (0, 25));
    assert!(rows[0].starts_with("board,place,name,team,points,progressive,wins,fouls,second_games"));
    let people = flagfall(&["standings", journal]);
    assert!(people.stdout.contains("第4台 board 4 (十.3)"), "{}", people.stdout);
}

#[test]
fn standings_of_what_is_no_journal_say_so() {
    let ended = flagfall(&["standings", "/no/such.journal"]);
    assert_eq!(ended.code, 74, "{}", ended.stderr);
    assert!(ended.stderr.contains("/no/such.journal"), "{}", ended.stderr);
    let ended = flagfall(&["standings", "no-such-venue.toml"]);
    assert!(ended.code != 0 && ended.stderr.contains("no-such-venue.toml"), "{}", ended.stderr);
}
