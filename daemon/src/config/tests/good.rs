//! Venue files that are right, and what they mean.

use super::{CONTRACT, faults, read, with};
use crate::config::{Line, Origin, Role, Tables};
use flagfall_clock::Side;

const EXAMPLE: &str = include_str!("../../../../venue.example.toml");

#[test]
fn the_contracts_example_is_read_whole() {
    let config = read(CONTRACT, &[]).unwrap();
    assert_eq!(config.setup.event, "2012 武工杯");
    assert_eq!(config.setup.regulations.base_ms, 3_000_000);
    assert_eq!(config.origins["base_ms"], Origin::File { file: "venue.toml".into(), line: 10 });
    assert_eq!(config.desk.users[0].role, Role::Chief);
    assert_eq!(config.desk.users[0].token_sha256[..2], [0x01, 0x23]);
    assert_eq!(config.uplink.as_ref().unwrap().token.reveal(), "letmein");
    assert_eq!(config.serial[0].line, Line::Path("/dev/serial/by-id/usb-1".into()));
    assert_eq!(
        (config.mqtt.as_ref().unwrap().host.as_str(), config.mqtt.as_ref().unwrap().port),
        ("127.0.0.1", 1883)
    );
    assert!(config.keys.contains_key(&"A01".parse().unwrap()));
    assert_eq!(config.setup.tables[0].first_side, Side::Left);
    assert_eq!(config.setup.teams[0].players.len(), 4);
    // 08:30 at UTC+8
    assert_eq!(config.setup.rounds[0].planned.unwrap().to_string(), "2012-06-14T00:30:00.000Z");
    assert_eq!(config.setup.rounds[0].boards[0].table, Some(1));
    let uplink = config.uplink.as_ref().unwrap();
    assert_eq!((uplink.host.as_str(), uplink.port, uplink.tls), ("arbiter.example", 443, true));
    assert!(config.beyond_this_build().is_empty());
    assert!(config.doubts.is_empty(), "{:?}", config.doubts);
}

#[test]
fn the_example_file_is_right_and_its_token_is_warned_of() {
    let config = read(EXAMPLE, &[]).unwrap();
    let doubts: Vec<String> = config.doubts.iter().map(ToString::to_string).collect();
    assert_eq!(doubts.len(), 1, "{doubts:?}");
    assert!(doubts[0].ends_with("desk.user.token_sha256: is the example's; anybody knows that token"));
}

#[test]
fn the_least_file_has_an_event_and_a_journal() {
    let config = read(&with(""), &[]).unwrap();
    assert_eq!(config.desk.listen.to_string(), "127.0.0.1:8470");
    assert_eq!(config.setup.regulations, flagfall_rules::Regulations::default());
    assert_eq!(config.doubts.len(), 2, "nobody may come in, no clock is heard");
}

/// 24 teams of four, in the manner of 二.4: 1 against 13, 14 against 2, and so on.
fn first_round() -> String {
    let mut venue = String::new();
    for number in 1..=48 {
        venue += &format!("[[table]]\nnumber = {number}\nclock = \"A{number:02}\"\n");
    }
    for number in 1..=24 {
        let players: Vec<String> = (1..=4).map(|board| format!("\"{number}-{board}\"")).collect();
        venue += &format!(
            "[[team]]\nnumber = {number}\nname = \"team {number}\"\nplayers = [{}]\n",
            players.join(", ")
        );
    }
    let matches: Vec<String> = (1..=12)
        .map(|place| {
            if place % 2 == 1 {
                format!("[{place}, {}]", place + 12)
            } else {
                format!("[{}, {place}]", place + 12)
            }
        })
        .collect();
    with(&format!("{venue}[[round]]\nnumber = 1\nmatches = [{}]", matches.join(", ")))
}

#[test]
fn rule_32_the_team_listed_first_has_red_on_odd_boards() {
    let config = read(&first_round(), &[]).unwrap();
    let boards = &config.setup.rounds[0].boards;
    assert_eq!(boards.len(), 48);
    // match 2 is "14 v 2": boards 5 to 8
    let red: Vec<(&str, &str, &str)> = boards[4..8]
        .iter()
        .map(|board| (board.board.as_str(), board.first.name.as_str(), board.second.name.as_str()))
        .collect();
    assert_eq!(red, [("5", "14-1", "2-1"), ("6", "2-2", "14-2"), ("7", "14-3", "2-3"), ("8", "2-4", "14-4")]);
    assert_eq!(boards[4].match_no, Some(2));
    assert_eq!(boards[47].table, Some(48));
    assert_eq!(boards[0].first.team, "team 1");
}

#[test]
fn pairings_are_read_with_quotes_marks_and_in_any_column_order() {
    let venue =
        with("[[table]]\nnumber = 2\n[[table]]\nnumber = 1\n[[round]]\nnumber = 1\npairings = \"p.csv\"");
    let csv = "\u{feff}Second,first,BOARD,first_team\r\n\"乙, \"\"小\"\"\",甲,1,武汉\r\n\r\n丁,丙,2,\r\n";
    let boards = &read(&venue, &[("p.csv", csv.as_bytes())]).unwrap().setup.rounds[0].boards.clone();
    assert_eq!(boards.len(), 2);
    assert_eq!((boards[0].first.name.as_str(), boards[0].first.team.as_str()), ("甲", "武汉"));
    assert_eq!(boards[0].second.name, "乙, \"小\"");
    // seated lowest table first, not as the file lists them
    assert_eq!([boards[0].table, boards[1].table], [Some(1), Some(2)]);
}

#[test]
fn pairings_in_gb18030_are_read_and_said_to_be() {
    let venue = with("[[table]]\nnumber = 1\n[[round]]\nnumber = 1\npairings = \"p.csv\"");
    let config = read(&venue, &[("p.csv", b"board,first,second\n1,\xbc\xd7,\xd2\xd2\n")]).unwrap();
    assert_eq!(config.setup.rounds[0].boards[0].first.name, "甲");
    let doubts: Vec<String> = config.doubts.iter().map(ToString::to_string).collect();
    let told = "venue.toml:10: round.pairings: p.csv is read as GB18030; look at the names";
    assert!(doubts.iter().any(|doubt| doubt == told), "{doubts:?}");
}

#[test]
fn pairings_may_list_teams_only() {
    let hall = (1..=4).map(|n| format!("[[table]]\nnumber = {n}\n")).collect::<String>();
    let team =
        |n: u32| format!("[[team]]\nnumber = {n}\nname = \"T{n}\"\nplayers = [\"{n}-1\", \"{n}-2\"]\n");
    let teams = (1..=5).map(team).collect::<String>();
    let venue = with(&format!("{hall}{teams}[[round]]\nnumber = 1\npairings = \"p.csv\""));
    for csv in
        ["1,3\n4,2\n5,bye\n", "T1;T3\nT4;T2\n", "场次\t先走队\t后走队\n1\tT1\tT3\n2\t4\tT2\n3\t5\t轮空\n"]
    {
        let config = read(&venue, &[("p.csv", csv.as_bytes())]).unwrap();
        let boards = &config.setup.rounds[0].boards;
        let names: Vec<&str> = boards.iter().map(|board| board.first.name.as_str()).collect();
        assert_eq!(names, ["1-1", "3-2", "4-1", "2-2"], "{csv}");
        let bye = "5 teams are odd: T5 has the bye";
        assert!(config.doubts.iter().any(|doubt| doubt.message == bye), "{:?}", config.doubts);
    }
}

#[test]
fn a_board_with_its_own_clock_needs_no_table_and_a_table_no_clock() {
    let players = "first = { name = \"a\" }\nsecond = { name = \"b\" }";
    let venue = with(&format!(
        "[[table]]\nnumber = 1\n[[round]]\nnumber = 1\n[[round.board]]\nboard = \"x\"\nclock = \"B\"\nfirst_side = \"right\"\n{players}\n"
    ));
    let config = read(&venue, &[]).unwrap();
    assert_eq!(config.setup.tables[0].clock, None);
    assert_eq!(config.setup.rounds[0].boards[0].first_side, Some(Side::Right));
}

#[test]
fn keys_of_a_file_make_the_seal_compulsory() {
    let venue = format!("keys_file = \"keys.toml\"\n{}", with(""));
    let keys = "A01 = \"00112233445566778899aabbccddeeff\"\n\"B.2\" = \"ffeeddccbbaa99887766554433221100\"\n";
    let config = read(&venue, &[("keys.toml", keys.as_bytes())]).unwrap();
    assert_eq!(config.keys.len(), 2);
    assert!(!format!("{:?}", config.keys).contains("0011"), "a key is never printed");
    assert_eq!(
        faults(&venue, &[("keys.toml", b"A01 = \"zz\"\n")]),
        ["keys.toml:1: A01: a key is written in pairs of hex digits"]
    );
    let key = "00112233445566778899aabbccddeeff";
    let twice = format!("A01 = \"{key}\"\nA01 = \"{key}\"\n");
    assert_eq!(faults(&venue, &[("keys.toml", twice.as_bytes())]), ["keys.toml:2: duplicate key"]);
    let bare = format!("A01 = \"{key}\"\nB.2 = \"{key}\"\nC = 3\n");
    assert_eq!(
        faults(&venue, &[("keys.toml", bare.as_bytes())]),
        [
            "keys.toml:2: B: is a table; write a clock's name with a dot as `\"A.1\" = ...`",
            "keys.toml:3: C: a key is text in quotes: 32 to 128 hex digits"
        ]
    );
}

#[test]
fn a_key_of_a_clock_that_is_nowhere_is_named_with_its_line() {
    let tables = "[[table]]\nnumber = 1\nclock = \"A01\"\n[[table]]\nnumber = 2\nclock = \"A02\"";
    let venue = format!("keys_file = \"keys.toml\"\n{}", with(tables));
    let key = "00112233445566778899aabbccddeeff";
    let keys = format!("A01 = \"{key}\"\n\nA2 = \"{key}\"\n");
    let config = read(&venue, &[("keys.toml", keys.as_bytes())]).unwrap();
    let doubts: Vec<String> = config.doubts.iter().map(ToString::to_string).collect();
    let told = "keys.toml:3: A2: no table, board or [[clock]] has this clock; did you mean `A02`?";
    assert!(doubts.iter().any(|doubt| doubt == told), "{doubts:?}");
}

#[test]
fn an_arbiters_tables_are_ranges() {
    let tables = Tables(vec![1..=12, 20..=20]);
    assert_eq!(tables.to_string(), "1-12, 20");
    assert!(tables.contains(12) && tables.contains(20) && !tables.contains(13));
}

#[test]
fn a_broker_has_a_port_by_its_scheme_and_a_login_from_the_environment() {
    let venue =
        "[mqtt]\nurl = \"mqtts://[::1]\"\nuser_env = \"BROKER_USER\"\npassword_env = \"BROKER_PASSWORD\"";
    let config = read(&with(venue), &[]).unwrap();
    assert!(config.beyond_this_build()[0].contains("mqtts://"));
    let mqtt = config.mqtt.unwrap();
    assert_eq!((mqtt.host.as_str(), mqtt.port, mqtt.tls), ("::1", 8883, true));
    let (user, password) = mqtt.login.unwrap();
    assert_eq!((user.as_str(), password.reveal()), ("hall", "secret"));
    assert_eq!(format!("{password:?}"), "Secret(..)");
}
