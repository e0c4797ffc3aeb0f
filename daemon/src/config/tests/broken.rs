//! Broken venue files, each with what is said of it.

use super::{faults, with};

/// What follows line 5 of a venue that is right, and the one fault it makes.
#[rustfmt::skip]
const BROKEN: &[(&str, &str)] = &[
    // TOML itself
    ("[desk", "venue.toml:6: unclosed table, expected `]`"),
    ("[desk]\nlisten = \"127.0.0.1:1\"\nlisten = \"127.0.0.1:2\"", "venue.toml:8: duplicate key"),
    // keys, types, words, ranges
    ("[desk]\nlistn = \"127.0.0.1:8470\"", "venue.toml:7: desk.listn: unknown key; did you mean `listen`?"),
    ("[dsk]", "venue.toml:6: dsk: unknown key; did you mean `desk`?"),
    ("[uplink]\nurl = \"ws://localhost/x\"\ntoken_env = \"UPLINK_TOKEN\"\nxyz = 1",
        "venue.toml:9: uplink.xyz: unknown key; known here: `audience`, `ca`, `token_env`, `url`"),
    ("[desk]\nlisten = 8470", "venue.toml:7: desk.listen: a number where text is expected; write `listen = \"8470\"`"),
    ("[desk]\ninsecure = \"yes\"", "venue.toml:7: desk.insecure: text where true or false is expected"),
    ("[desk]\nuser = { name = \"chief\" }", "venue.toml:7: desk.user: is written with two brackets on each side: [[desk.user]]"),
    ("desk = 3", "venue.toml:6: journal.desk: unknown key; known here: `path`"),
    ("[[table]]\nnumber = 0", "venue.toml:7: table.number: 0 is outside 1 to 9999"),
    ("[[table]]\nnumber = 1.5", "venue.toml:7: table.number: a number with a fraction where a whole number is expected"),
    ("[[table]]\nnumber = 99999999999999999999", "venue.toml:7: table.number: 99999999999999999999 is outside 1 to 9999"),
    ("[[table]]", "venue.toml:6: table.number: is missing; write for example `number = 1`"),
    ("[[table]]\nnumber = 1\nfirst_side = \"lef\"",
        "venue.toml:8: table.first_side: `lef` is none of `left`, `right`; did you mean `left`?"),
    // regulations
    ("[regulations]\nbase_mss = 3", "venue.toml:7: regulations.base_mss: unknown key; did you mean `base_ms`?"),
    ("[regulations]\nbase_ms = -1", "venue.toml:7: regulations.base_ms: -1 is outside 0 to 86400000"),
    ("[regulations]\ndefault_ms = 999", "venue.toml:7: regulations.default_ms: 999 is outside 1000 to 86400000"),
    ("[regulations]\nflag_at = \"one\"",
        "venue.toml:7: regulations.flag_at: `one` is none of `zero`, `below_zero`"),
    ("[regulations]\nfirst = { base_ms = 1, increment_ms = 2, bonus = 3 }",
        "venue.toml:7: regulations.first.bonus: unknown key; known here: `base_ms`, `increment_ms`"),
    // the desk
    ("[desk]\nlisten = \"here\"", "venue.toml:7: desk.listen: `here` is no address with a port; write it as `127.0.0.1:8470`"),
    ("[desk]\nlisten = \"0.0.0.0:8470\"",
        "venue.toml:7: desk.listen: 0.0.0.0:8470 is reached from other machines and tokens would go in clear; \
         give it a certificate (`flagfall certificate` makes one for `tls`), or say `insecure = true`"),
    ("[[desk.user]]\nname = \"a\"\nrole = \"boss\"\ntoken_sha256 = \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"",
        "venue.toml:8: desk.user.role: `boss` is none of `chief`, `arbiter`, `results`, `technician`, `viewer`"),
    ("[[desk.user]]\nname = \"a\"\nrole = \"chief\"\ntoken_sha256 = \"abc\"",
        "venue.toml:9: desk.user.token_sha256: is not 64 hex digits; `flagfall token` prints a token and its hash"),
    ("[[desk.user]]\nname = \"a\"\nrole = \"chief\"\ntoken_sha256 = \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"\n\
      [[desk.user]]\nname = \"a\"\nrole = \"viewer\"\ntoken_sha256 = \"1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"",
        "venue.toml:11: desk.user.name: user `a` is there twice, first in line 6"),
    ("[[desk.user]]\nname = \"a\"\nrole = \"chief\"\ntoken_sha256 = \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"\n\
      [[desk.user]]\nname = \"b\"\nrole = \"viewer\"\ntoken_sha256 = \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"",
        "venue.toml:13: desk.user.token_sha256: `b` and `a` have the same token"),
    ("[[desk.user]]\nname = \"a\"\nrole = \"arbiter\"\ntables = \"12-1\"\ntoken_sha256 = \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"",
        "venue.toml:9: desk.user.tables: `12-1` names no tables; write them as `1-12` or `1-12, 20`"),
    // links
    ("[uplink]\nurl = \"http://x\"\ntoken_env = \"UPLINK_TOKEN\"",
        "venue.toml:7: uplink.url: `http://x` is no address; write it as `wss://arbiter.example/feed`"),
    ("[uplink]\nurl = \"wss://x\"\ntoken_env = \"NOT_THERE\"",
        "venue.toml:8: uplink.token_env: the environment has no variable `NOT_THERE`, or nothing is in it"),
    ("[[serial]]\nport = \"/dev/ttyUSB0\"\n[[serial]]\nport = \"/dev/ttyUSB0\"",
        "venue.toml:9: serial.port: /dev/ttyUSB0 is there twice, first in line 6"),
    ("[[serial]]\nprotocol = \"flagfall\"",
        "venue.toml:6: serial.port: is missing; write `port = \"auto\"`, a path, or `tcp = \"host:port\"`"),
    ("[[serial]]\nport = \"auto\"\ntcp = \"a:1\"", "venue.toml:8: serial.tcp: has both `port` and `tcp`; each line is a [[serial]] of its own"),
    ("[[serial]]\ntcp = \"10.0.0.7\"", "venue.toml:7: serial.tcp: `10.0.0.7` is no host with a port; write it as `10.0.0.7:4001`"),
    ("[[serial]]\nport = \"auto\"\nprotocol = \"dgt\"", "venue.toml:8: serial.protocol: `dgt` is not read yet; possible now: `flagfall`"),
    ("[mqtt]\nurl = \"127.0.0.1:1883\"", "venue.toml:7: mqtt.url: `127.0.0.1:1883` is no broker's address; write it as `mqtt://127.0.0.1:1883`"),
    ("[mqtt]\nurl = \"mqtt://a:99999\"", "venue.toml:7: mqtt.url: `mqtt://a:99999` is no broker's address; write it as `mqtt://127.0.0.1:1883`"),
    ("[mqtt]\nurl = \"mqtt://u:p@a\"", "venue.toml:7: mqtt.url: `mqtt://u:p@a` holds a login; name it in `user_env` and `password_env` instead"),
    ("[mqtt]\nurl = \"mqtt://a\"\nuser_env = \"BROKER_USER\"", "venue.toml:6: mqtt.password_env: is missing; `user_env` and `password_env` go together"),
    // clocks, tables, teams
    ("[[clock]]\nid = \"A 1\"", "venue.toml:7: clock.id: `A 1`: a clock's id is made of A-Z a-z 0-9 . _ -"),
    ("[[clock]]\nid = \"A1\"\nkey_env = \"NO_KEY\"", "venue.toml:8: clock.key_env: the environment has no variable `NO_KEY`, or nothing is in it"),
    ("[[clock]]\nid = \"A1\"\nkey_env = \"SHORT_KEY\"", "venue.toml:8: clock.key_env: the variable holds no key: a key has 16 to 64 bytes"),
    ("[[clock]]\nid = \"A1\"\n[[clock]]\nid = \"A1\"", "venue.toml:9: clock.id: clock A1 is there twice, first in line 6"),
    ("[[table]]\nnumber = 1\n[[table]]\nnumber = 1", "venue.toml:9: table.number: table 1 is there twice, first in line 6"),
    ("[[table]]\nnumber = 1\nclock = \"A\"\n[[table]]\nnumber = 2\nclock = \"A\"", "venue.toml:11: table.clock: clock A stands on tables 1 and 2"),
    ("[[team]]\nnumber = 1\nname = \"a\"\nplayers = []", "venue.toml:9: team.players: is empty; a team has a player for each board, board 1 first"),
    ("[[team]]\nnumber = 1\nname = \"a\"\nplayers = [\"x\", \"x\"]", "venue.toml:9: team.players: `x` is there twice"),
    // rounds
    ("[[round]]\nnumber = 1\n[[round]]\nnumber = 1", "venue.toml:9: round.number: round 1 is there twice, first in line 6"),
    ("[[round]]\nnumber = 2\n[[round]]\nnumber = 1", "venue.toml:9: round.number: round 1 stands after round 2 of line 6; write rounds in order"),
    ("[[round]]\nnumber = 1\nstart = \"tomorrow\"", "venue.toml:8: round.start: `tomorrow` is no time; write it as \"2012-06-14T08:30:00\""),
    ("[[round]]\nnumber = 1\nstart = 2012-06-14", "venue.toml:8: round.start: `2012-06-14` is no time; write it as \"2012-06-14T08:30:00\""),
    ("[[round]]\nnumber = 1\nstart = 8", "venue.toml:8: round.start: a whole number where a time such as \"2012-06-14T08:30:00\" is expected"),
    ("[[round]]\nnumber = 1\nstart = 2012-06-14T08:30:00\n[[round]]\nnumber = 2\nstart = 2012-06-14T08:30:00",
        "venue.toml:11: round.start: round 2 starts 2012-06-14T08:30, the same as round 1 at 2012-06-14T08:30"),
    // boards
    ("[[round]]\nnumber = 1\n[[round.board]]\nboard = \"1\"\ntable = 9\nfirst = { name = \"a\" }\nsecond = { name = \"b\" }",
        "venue.toml:8: round.board: board 1 is at table 9, which is unknown; there is no [[table]]"),
    ("[[round]]\nnumber = 1\n[[round.board]]\nboard = \"1\"\nclock = \"A\"\nsecond = { name = \"b\" }",
        "venue.toml:8: round.board.first: is missing; write `first = { name = \"...\", team = \"...\" }`"),
    ("[[round]]\nnumber = 1\n[[round.board]]\nboard = 1\nclock = \"A\"\nfirst = { name = \"a\" }\nsecond = { name = \"b\" }",
        "venue.toml:9: round.board.board: a number where text is expected; write `board = \"1\"`"),
    ("[[round]]\nnumber = 1\nmatches = [[1, 2]]",
        "venue.toml:8: round.matches: match 1: no team is known; a list of matches needs teams; \
         name them as [[team]] in the venue file, or load boards"),
    ("[[team]]\nnumber = 1\nname = \"a\"\nplayers = [\"x\"]\n[[round]]\nnumber = 1\nmatches = [[1, 2]]",
        "venue.toml:12: round.matches: match 1: there is no team 2 among [[team]]"),
    ("[[round]]\nnumber = 1\nmatches = [[1]]", "venue.toml:8: round.matches: match 1 is not two team numbers; write it as `[14, 2]`"),
    ("[[round]]\nnumber = 1\nmatches = 3",
        "venue.toml:8: round.matches: a whole number where a list of team numbers by two, `[[1, 13], [14, 2]]` is expected"),
    ("[[round]]\nnumber = 1\npairings = \"r1.csv\"", "venue.toml:8: round.pairings: r1.csv cannot be read: entity not found"),
    ("[[round]]\nnumber = 1\nmatches = []\npairings = \"p.csv\"",
        "venue.toml:9: round.pairings: the round has `matches` already; its boards come from one of them"),
];

const PAIRINGS: &[u8] = b"board,first,second\n1,a,b\n";

#[test]
fn each_fault_names_file_line_and_key_and_what_would_be_right() {
    let mut wrong = Vec::new();
    for (venue, expected) in BROKEN {
        let said = faults(&with(venue), &[("p.csv", PAIRINGS)]).join("\n");
        if said != *expected {
            wrong.push(format!("{venue}\n  said:     {said}\n  expected: {expected}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

#[test]
fn the_event_itself_is_checked() {
    let said = faults("[event]\ntimezone = \"Asia/Shangai\"\nmode = \"watch\"", &[]);
    assert_eq!(
        said,
        [
            "venue.toml:1: event.name: is missing; write for example `name = \"Spring Open\"`",
            "venue.toml:1: journal: is missing; write a table [journal] with at least `path = \"event.journal\"`",
            "venue.toml:2: event.timezone: `Asia/Shangai` is no time zone; write one as `Asia/Shanghai` or `UTC`",
            "venue.toml:3: event.mode: `watch` is none of `observe`, `assist`, `act`",
        ]
    );
}

#[test]
fn all_faults_are_told_and_not_only_the_first() {
    let venue = with(
        "[desk]\nlistn = 1\n[regulations]\nbase_ms = -1\nincrement_ms = 9999999\nflag_at = 3\n[[table]]",
    );
    assert_eq!(faults(&venue, &[]).len(), 5);
}

#[test]
fn two_boards_with_one_clock_are_both_named() {
    let board = |name: &str, place: &str, player: &str| {
        format!(
            "[[round.board]]\nboard = \"{name}\"\n{place}\nfirst = {{ name = \"{player}1\" }}\nsecond = {{ name = \"{player}2\" }}\n"
        )
    };
    let hall = "[[table]]\nnumber = 7\nclock = \"A07\"\n[[round]]\nnumber = 1\n";
    let said = |boards: String| faults(&with(&format!("{hall}{boards}")), &[]).join("\n");
    let clock = said(board("3", "table = 7", "a") + &board("4", "clock = \"A07\"", "b"));
    assert_eq!(clock, "venue.toml:16: round.board: boards 3 and 4 both have clock A07");
    let table = said(board("3", "table = 7", "a") + &board("4", "table = 7", "b"));
    assert!(table.contains("boards 3 and 4 are both at table 7"), "{table}");
    let name = said(board("3", "table = 7", "a") + &board("3", "clock = \"B\"", "b"));
    assert_eq!(name, "venue.toml:16: round.board: board 3 is there twice in the round, first in line 11");
    let player = said(board("3", "table = 7", "a") + &board("4", "clock = \"B\"", "a"));
    assert!(player.contains("a1 sits at board 3 and at board 4"), "{player}");
    let other = said(board("3", "table = 7\nclock = \"B\"", "a"));
    assert_eq!(other, "venue.toml:11: round.board: board 3 has clock B, but on its table 7 stands clock A07");
}

const TEAMS: &str = "[[team]]\nnumber = 1\nname = \"甲队\"\nplayers = [\"a1\", \"a2\"]\n\
                     [[team]]\nnumber = 2\nname = \"乙队\"\nplayers = [\"b1\", \"b2\"]\n\
                     [[team]]\nnumber = 3\nname = \"丙队\"\nplayers = [\"c1\"]\n[[round]]\nnumber = 1\n";

#[test]
fn matches_that_cannot_be_are_refused() {
    let said = |matches: &str| faults(&with(&format!("{TEAMS}matches = {matches}")), &[]).join("\n");
    let at = "venue.toml:20: round.matches:";
    assert_eq!(
        said("[[1, 2], [3, 1]]"),
        format!(
            "{at} team 1 plays in match 1 and in match 2\n{at} match 2: team 3 has 1 players and team 1 has 2"
        )
    );
    assert_eq!(said("[[1, 3]]"), format!("{at} match 1: team 1 has 2 players and team 3 has 1"));
    assert!(said("[[2, 2]]").contains("match 1: team 2 against itself"));
}

#[test]
fn teams_and_players_at_boards_are_looked_up() {
    let board = "[[round.board]]\nboard = \"1\"\nclock = \"A\"\n";
    let said = |players: &str| faults(&with(&format!("{TEAMS}{board}{players}")), &[]).join("\n");
    let right = "second = { name = \"b1\", team = \"乙队\" }";
    let team = said(&format!("first = {{ name = \"a1\", team = \"申队\" }}\n{right}"));
    assert_eq!(team, "venue.toml:20: round.board: board 1: team `申队` is unknown; did you mean `甲队`?");
    let name = said(&format!("first = {{ name = \"b2\", team = \"甲队\" }}\n{right}"));
    assert!(name.contains("`b2` does not play for 甲队"), "{name}");
}

#[test]
fn rule_34_the_printed_timetable_is_refused_and_not_sorted() {
    let printed = [
        "14T08:30", "14T14:00", "14T19:00", "15T09:00", "15T14:30", "15T08:30", "16T14:00", "16T19:00",
        "17T08:30",
    ];
    let rounds = |starts: &[&str]| {
        let rounds = (1..)
            .zip(starts)
            .map(|(number, start)| format!("[[round]]\nnumber = {number}\nstart = \"2012-06-{start}:00\"\n"));
        with(&rounds.collect::<String>())
    };
    assert_eq!(
        faults(&rounds(&printed), &[]),
        ["venue.toml:23: round.start: round 6 starts 2012-06-15T08:30 before round 5 at 2012-06-15T14:30"]
    );
    let mut meant = printed;
    meant[5] = "16T08:30";
    assert!(faults(&rounds(&meant), &[]).is_empty());
}

#[test]
fn a_start_that_summer_time_leaves_out_or_has_twice_is_refused() {
    let said = |start: &str| {
        let venue = with(&format!("[[round]]\nnumber = 1\nstart = \"{start}\""));
        faults(&venue.replace("Asia/Shanghai", "Europe/Berlin"), &[]).join("\n")
    };
    assert_eq!(
        said("2012-03-25T02:30:00"),
        "venue.toml:8: round.start: 2012-03-25T02:30:00 does not exist in Europe/Berlin: \
         the clocks go forward there from +01 to +02"
    );
    assert_eq!(
        said("2012-10-28T02:30:00"),
        "venue.toml:8: round.start: 2012-10-28T02:30:00 is there twice in Europe/Berlin, \
         as the clocks go back; add its offset, +02 or +01"
    );
    assert_eq!(said("2012-10-28T02:30:00+02:00"), "");
    assert_eq!(said("2012-03-25T03:30:00"), "");
}

#[test]
fn pairings_are_refused_by_line_of_their_own_file() {
    let venue = with("[[table]]\nnumber = 1\n[[round]]\nnumber = 1\npairings = \"p.csv\"");
    let said = |csv: &[u8]| faults(&venue, &[("p.csv", csv)]).join("\n");
    assert_eq!(said("board,first,second\n1,甲,乙\n".as_bytes()), "", "a file that is right");
    assert_eq!(
        said(b"board,first,second\n1,M\xfcller,Gr\xf6ning\n"),
        "venue.toml:10: round.pairings: p.csv is neither UTF-8 nor Chinese text in GB18030; save it as UTF-8"
    );
    assert_eq!(
        said("board,first,second\n1,ÕÅÈý,ÀîËÄ\n".as_bytes()),
        "p.csv: was read in a wrong encoding once (it really says `张三李四`); save it anew as UTF-8"
    );
    assert_eq!(
        said("board,first,second\n1,甲,\u{fffd}\n".as_bytes()),
        "p.csv:2: has a character that was lost in another encoding; send the file's bytes as `csv_base64`, or save it as UTF-8"
    );
    assert!(said(b"\xff\xfeb\0").contains("p.csv is UTF-16; save it as UTF-8"));
    assert_eq!(
        said(b"board,frist,second\n"),
        "p.csv:1: unknown column `frist`; did you mean `first`?\np.csv:1: the columns `first` are missing"
    );
    assert_eq!(
        said(b"board,first,second\n1,a,b\n2,c\n"),
        "p.csv:3: 2 fields where the first line names 3 columns"
    );
    assert_eq!(
        said(b"board,table,first,second\n1,x,a,b\n"),
        "p.csv:2: table: `x` is no number from 1 to 9999"
    );
    assert_eq!(
        said(b"board,table,first,second\n1,1,a,b\n\n2,1,c,d\n"),
        "p.csv:4: boards 1 and 2 are both at table 1"
    );
    assert_eq!(
        said(b"board,first,second\n1,\"a,b\n"),
        "p.csv:2: a quote is opened and never closed\np.csv:2: 2 fields where the first line names 3 columns"
    );
    assert!(said(b"").contains("p.csv: is empty; its first line names the columns"));
}

#[test]
fn a_file_that_is_not_there_says_how_to_make_one() {
    let around = super::Surroundings { env: &|_| None, read: &|_| Err(std::io::ErrorKind::NotFound.into()) };
    let error =
        super::Config::load_from(std::path::Path::new("/etc/flagfall/venue.toml"), around).unwrap_err();
    assert_eq!(
        error.to_string(),
        "/etc/flagfall/venue.toml does not exist; begin with a copy of venue.example.toml and see whether it is right \
         with `flagfall check /etc/flagfall/venue.toml`"
    );
}
