//! Files of regulations that are wrong, each with what is said of it; layers that are right.

use super::{faults, read};

const VENUE: &str = "[event]\nname = \"e\"\nregulations = \"own.toml\"\n[journal]\npath = \"j\"\n";

fn said(own: &str) -> String {
    faults(VENUE, &[("own.toml", own.as_bytes())]).join("\n")
}

/// A file of regulations, and what is said of it.
#[rustfmt::skip]
const BROKEN: &[(&str, &str)] = &[
    // keys
    ("\nbase_m = 1", "own.toml:2: base_m: unknown key; did you mean `base_ms`?"),
    ("base_on = \"fide-rapid\"", "own.toml:1: base_on: unknown key; did you mean `based_on`?"),
    ("early_press = { lose_at = 3 }", "own.toml:1: early_press.lose_at: unknown key; did you mean `loses_at`?"),
    ("[illegal_move]\nfoul = 1\npenalty_ms = 3",
        "own.toml:3: illegal_move.penalty_ms: unknown key; known here: `foul`, `deduct_ms`, `opponent_ms`, `loses_at`"),
    ("moves = 40\n[[periods]]\nbase_ms = 1\n[[periods]]\nbase_ms = 1\nincrment_ms = 1",
        "own.toml:6: periods.incrment_ms: unknown key; did you mean `increment_ms`?"),
    // types
    ("base_ms = \"50\"", "own.toml:1: base_ms: text where a whole number is expected"),
    ("base_ms = 50.5", "own.toml:1: base_ms: a number with a fraction where a whole number is expected"),
    ("repeat = 1", "own.toml:1: repeat: a whole number where true or false is expected"),
    ("flag_at = 0", "own.toml:1: flag_at: a whole number where one of `zero`, `below_zero` in quotes is expected"),
    ("first = 5", "own.toml:1: first: a whole number where a table such as { base_ms = 1800000, increment_ms = 30000 } is expected"),
    ("first = \"no\"", "own.toml:1: first: text where a table or \"none\" is expected"),
    ("cap_ms = \"never\"", "own.toml:1: cap_ms: text where a whole number or \"none\" is expected"),
    ("periods = 40", "own.toml:1: periods: a whole number where a list such as [{ moves = 20, base_ms = 1800000, increment_ms = 30000 }] is expected"),
    ("automatic = \"time_forfeit\"", "own.toml:1: automatic: text where a list such as [\"time_forfeit\"] is expected"),
    ("points_win = \"1\"", "own.toml:1: points_win: text where points such as 1 or 0.5 is expected"),
    ("name = 3", "own.toml:1: name: a number where text is expected; write `name = \"3\"`"),
    // ranges and words
    ("base_ms = -1", "own.toml:1: base_ms: -1 is outside 0 to 86400000"),
    ("default_ms = 999", "own.toml:1: default_ms: 999 is outside 1000 to 86400000"),
    ("base_ms = 99999999999999999999", "own.toml:1: base_ms: 99999999999999999999 is outside 0 to 86400000"),
    ("early_press = { foul = 11 }", "own.toml:1: early_press.foul: 11 is outside 0 to 10"),
    ("flag_at = \"Zero\"", "own.toml:1: flag_at: `Zero` is none of `zero`, `below_zero`; did you mean `zero`?"),
    ("automatic = [\"default\", \"time_forfiet\"]",
        "own.toml:1: automatic: `time_forfiet` is none of `time_forfeit`, `default`, `double_default`, `unauthorised_stop`, \
         `unauthorised_start`, `early_press`, `illegal_move`, `false_claim`, `short_draw`, `foul_limit`, `article`; \
         did you mean `time_forfeit`?"),
    ("automatic = [\"default\", \"default\"]", "own.toml:1: automatic: has \"default\" twice"),
    ("points_draw = 0.3", "own.toml:1: points_draw: 0.3 is no whole or half number from -100 to 100"),
    ("points_draw = nan", "own.toml:1: points_draw: nan is no whole or half number from -100 to 100"),
    ("points_win = 1000", "own.toml:1: points_win: 1000 is no whole or half number from -100 to 100"),
    ("event_fouls_points = -1", "own.toml:1: event_fouls_points: -1 is no whole or half number from 0 to 100"),
    ("moves = 1\nperiods = [{ moves = 1, base_ms = 1 }, { moves = 1, base_ms = 1 }, { moves = 1, base_ms = 1 }, { moves = 1, base_ms = 1 }, { base_ms = 1 }]",
        "own.toml:2: periods: has 5 of them; at most 4 are possible"),
    // what is left out of a table where no lower layer has it
    ("second = { base_ms = 1 }", "own.toml:1: second.increment_ms: is missing; write for example `{ base_ms = 1800000, increment_ms = 30000 }`"),
    ("moves = 40\nperiods = [{ moves = 20 }]",
        "own.toml:2: periods.base_ms: is missing; write for example `{ moves = 20, base_ms = 1800000, increment_ms = 30000 }`"),
    // contradictions
    ("kind = \"byoyomi\"\novertime_count = 3", "own.toml:1: overtime_ms: is 0; kind = \"byoyomi\" needs it, for example `overtime_ms = 30000`"),
    ("kind = \"byoyomi\"\novertime_ms = 30000", "own.toml:1: overtime_count: is 0; kind = \"byoyomi\" needs it, for example `overtime_count = 3` periods"),
    ("kind = \"canadian\"\novertime_ms = 30000\novertime_count = 0",
        "own.toml:3: overtime_count: is 0; kind = \"canadian\" needs it, for example `overtime_count = 10` moves in a block"),
    ("kind = \"byoyomi\"\novertime_ms = 86400000\novertime_count = 1000",
        "own.toml:3: overtime_count: makes 86403000000 ms with all that is given; a clock holds at most 359999000 ms"),
    ("repeat = true", "own.toml:1: repeat: is true, but there are no periods; which should come again?"),
    ("moves = 40\nrepeat = true\nperiods = [{ base_ms = 1 }]",
        "own.toml:2: repeat: is true, but the last period has no moves and so no end; write for example `moves = 20` in it"),
    ("periods = [{ base_ms = 1 }]",
        "own.toml:1: moves: is 0, so the first period has no end and the others never begin; write for example `moves = 40`, \
         or `periods_at = \"zero\"`"),
    ("moves = 40\nperiods = [{ base_ms = 1 }, { base_ms = 1 }]",
        "own.toml:2: periods: have one without moves, number 1, so those after it never begin; only the last may do without"),
    ("kind = \"hourglass\"\nincrement_ms = 0\nmoves = 1\nperiods = [{ base_ms = 1 }]",
        "own.toml:4: periods: are given, but kind = \"hourglass\" has none; write `periods = []` or another kind"),
    ("kind = \"gong\"", "own.toml:1: automatic: has `time_forfeit`, but no flag falls with kind = \"gong\"; write `automatic = []`"),
    ("kind = \"up_count\"\nautomatic = [\"time_forfeit\"]",
        "own.toml:2: automatic: has `time_forfeit`, but no flag falls with kind = \"up_count\"; write `automatic = []`"),
    ("repeat = true\nperiods_at = \"zero\"\nperiods = [{ base_ms = 1 }]",
        "own.toml:1: repeat: is true with periods that end at zero: no flag would ever end the game"),
    ("kind = \"gong\"\nautomatic = []\nincrement_ms = 0\nbase_ms = 0",
        "own.toml:4: base_ms: is 0, and a turn of no length never ends with kind = \"gong\""),
    ("moves = 1\nbase_ms = 86400000\nperiods = [{ moves = 1, base_ms = 86400000 }, { moves = 1, base_ms = 86400000 }, { moves = 1, base_ms = 86400000 }, { base_ms = 86400000 }]",
        "own.toml:3: periods: makes 432000000 ms with all that is given; a clock holds at most 359999000 ms"),
    ("points_win = 0", "own.toml:1: points_win: is 0, less than points_draw = 0.5"),
    ("points_loss = 1", "own.toml:1: points_draw: is 0.5, less than points_loss = 1"),
    ("points_forfeit_loss = 1.5", "own.toml:1: points_forfeit_win: is 1, less than points_forfeit_loss = 1.5"),
    ("natural_limit_checks = 61", "own.toml:1: natural_limit_checks: is 61 and natural_limit_rounds is 60; more checks than rounds cannot count"),
    // what it is based on
    ("based_on = \"fide-rapit\"",
        "own.toml:1: based_on: `fide-rapit` is neither built in nor a file (fide-rapit: entity not found); did you mean `fide-rapid`?"),
    ("based_on = \"own.toml\"",
        "own.toml:1: based_on: goes round in a circle: own.toml, based on own.toml; let one of them be based on `wugong-2012`"),
    ("based_on = \"./x/../own.toml\"",
        "own.toml:1: based_on: goes round in a circle: own.toml, based on own.toml; let one of them be based on `wugong-2012`"),
    ("based_on = [", "own.toml:1: unclosed array, expected `]`"),
];

#[test]
fn each_fault_of_a_file_of_regulations_names_file_line_and_key() {
    let mut wrong = Vec::new();
    for (own, expected) in BROKEN {
        let said = said(own);
        if said != *expected {
            wrong.push(format!("{own}\n  said:     {said}\n  expected: {expected}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

#[test]
fn all_faults_of_a_file_are_told_and_no_contradiction_that_comes_of_them() {
    let said = said(
        "points_win = \"one\"\npoints_loss = 0.9\nkind = \"byoyomi\"\nearly_press = { foul = 99, x = 1 }",
    );
    let keys: Vec<&str> = said.lines().filter_map(|line| line.split(": ").nth(1)).collect();
    assert_eq!(keys, ["points_win", "points_loss", "early_press.foul", "early_press.x"], "{said}");
}

#[test]
fn a_file_that_is_not_there_is_named_with_what_is_built_in() {
    let said = faults(VENUE, &[]).join("\n");
    let begin = "venue.toml:3: event.regulations: `own.toml` is neither built in nor a file (own.toml: entity not found); built in are `wugong-2012`, `xiangqi-60-30`, ";
    assert!(said.starts_with(begin) && said.ends_with("`us-chess`"), "{said}");
    let utf16 = faults(VENUE, &[("own.toml", b"\xff\xfea\0")]).join("\n");
    assert_eq!(utf16, "venue.toml:3: event.regulations: own.toml is UTF-16; save it as UTF-8");
}

#[test]
fn sets_that_rest_on_each_other_too_deep_or_in_a_circle_are_refused() {
    let based = |on: usize| format!("based_on = \"{on}.toml\"");
    let texts: Vec<(String, String)> =
        (0..12).map(|n| (format!("{n}.toml"), if n == 11 { String::new() } else { based(n + 1) })).collect();
    let mut files: Vec<(&str, &[u8])> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    files.push(("own.toml", b"based_on = \"0.toml\""));
    let deep = faults(VENUE, &files).join("\n");
    assert!(
        deep.starts_with("6.toml:1: based_on: is more than 8 sets deep: own.toml, based on 0.toml"),
        "{deep}"
    );
    let circle: [(&str, &[u8]); 3] = [
        ("own.toml", b"based_on = \"a/a.toml\""),
        ("a/a.toml", b"based_on = \"b.toml\""),
        ("a/b.toml", b"\nbased_on = \"../own.toml\""),
    ];
    assert_eq!(
        faults(VENUE, &circle).join("\n"),
        "a/b.toml:2: based_on: goes round in a circle: own.toml, based on a/a.toml, based on a/b.toml, based on \
         own.toml; let one of them be based on `wugong-2012`"
    );
}

#[test]
fn regulations_in_layers_say_where_each_value_comes_from() {
    let venue = format!("{VENUE}[regulations]\nbase_ms = 7\nearly_press = {{ foul = 2 }}\n");
    let base = "base_ms = 5\nincrement_ms = 6\nautomatic = []\n[second]\nbase_ms = 1\nincrement_ms = 2\n";
    let own = "name = \"ours\"\nbased_on = \"base.toml\"\nearly_press = { loses_at = 3 }\nsecond = { increment_ms = 9 }\n";
    let config = read(&venue, &[("own.toml", own.as_bytes()), ("base.toml", base.as_bytes())]).unwrap();
    let regulations = &config.setup.regulations;
    assert_eq!((regulations.base_ms, regulations.increment_ms, regulations.default_ms), (7, 6, 900_000));
    assert!(regulations.automatic.is_empty());
    let press = regulations.early_press;
    assert_eq!((press.foul, press.deduct_ms, press.loses_at), (2, 0, 3), "part by part");
    let second = regulations.second.unwrap();
    assert_eq!((second.base_ms, second.increment_ms), (1, 9));
    for (key, place) in [
        ("base_ms", "venue.toml:7"),
        ("increment_ms", "base.toml:2"),
        ("default_ms", "wugong-2012 (built in)"),
        ("early_press.foul", "venue.toml:8"),
        ("early_press.deduct_ms", "wugong-2012 (built in)"),
        ("early_press.loses_at", "own.toml:3"),
        ("second.base_ms", "base.toml:5"),
        ("second.increment_ms", "own.toml:4"),
        ("first", "wugong-2012 (built in)"),
    ] {
        assert_eq!(config.origins.get(key).map(ToString::to_string).as_deref(), Some(place), "{key}");
    }
    assert!(!config.origins.contains_key("second"), "{:?}", config.origins);
    assert_eq!(regulations.profile.name, "ours");
    assert_eq!(regulations.profile.changed, ["base_ms", "early_press"]);
}

#[test]
fn a_table_is_taken_back_whole_by_the_word_none() {
    let own = "based_on = \"xiangqi-playoff-6-4\"\nsecond = \"none\"\ndraw_winner = \"nobody\"\n";
    let config = read(VENUE, &[("own.toml", own.as_bytes())]).unwrap();
    assert_eq!(config.setup.regulations.second, None);
    let place = |key: &str| config.origins.get(key).map(ToString::to_string);
    assert_eq!(place("second").as_deref(), Some("own.toml:2"));
    assert_eq!(place("second.base_ms"), None);
    assert_eq!(place("base_ms").as_deref(), Some("xiangqi-playoff-6-4 (built in)"));
    assert_eq!(config.setup.regulations.profile.name, "own.toml", "a file without a name goes by its path");
}

/// What is odd, and what is told of it.
#[rustfmt::skip]
const ODD: &[(&str, &str)] = &[
    ("base_ms = 180000\nstop_deduct_ms = 0\nfalse_claim_deduct_ms = 0\nrecording_exempt_ms = 180001",
        "own.toml:4: recording_exempt_ms: 180001 is above base_ms = 180000"),
    ("kind = \"sudden_death\"", "own.toml:1: increment_ms: does not count with kind = \"sudden_death\"; write `increment_ms = 0`"),
    ("kind = \"delay\"\nincrement_on_first_move = true",
        "own.toml:2: increment_on_first_move: counts with kind = \"fischer\" only, and kind is \"delay\""),
    ("cap_ms = 60000", "own.toml:1: cap_ms: is below base_ms = 3000000: no increment until so much is used up"),
    ("overtime_ms = 1", "own.toml:1: overtime_ms: does not count with kind = \"fischer\""),
    ("moves = 40", "own.toml:1: moves: does not count: no period ends with moves"),
    ("flag_call = \"players\"", "own.toml:1: automatic: has `time_forfeit`, but with flag_call = \"players\" none is proposed by itself"),
    ("unless_cannot_win = true",
        "own.toml:1: automatic: has `time_forfeit`, but with unless_cannot_win an arbiter looks at the board first"),
    ("automatic = [\"default\", \"illegal_move\"]", "own.toml:1: automatic: has `illegal_move`, which only an arbiter confirms"),
    ("default_reference = \"own_clock\"\ndefault_ms = 3000001",
        "own.toml:2: default_ms: 3000001 by a player's own clock is above base_ms = 3000000: his flag falls first"),
    ("recording_exempt_for = \"period\"\nrecording_exempt_ms = 0",
        "own.toml:1: recording_exempt_for: does not count: with recording_exempt_ms = 0 nobody is exempt"),
    ("draw_winner = \"first\"\npoints_draw = 1", "own.toml:1: draw_winner: names a winner, but a draw gives the points of a win to both"),
    ("pooled_fouls = true\nearly_press = { loses_at = 0 }\nillegal_move = { loses_at = 0 }",
        "own.toml:1: pooled_fouls: counts early presses and illegal moves together, but neither ever loses; give them `loses_at`"),
    ("pooled_fouls = true\nearly_press = { loses_at = 3 }",
        "own.toml:1: pooled_fouls: counts early presses and illegal moves together, but one loses at 3 and the other at 2"),
    ("event_fouls_every = 0", "own.toml:1: event_fouls_points: 1 is never taken: event_fouls_every = 0"),
    ("event_fouls_points = 0", "own.toml:1: event_fouls_points: is 0, so every 3 fouls cost nothing"),
    ("event_fouls_every = 0\nevent_fouls_points = 0\nevent_fouls_team = true",
        "own.toml:1: event_fouls_every: is 0, so event_fouls_team and event_fouls do not count"),
    ("points_win = 0\npoints_draw = 0", "own.toml:1: points_win: 0 is what a loss gives too"),
    ("base_ms = 0\nlow_time_ms = 0\nrecording_exempt_ms = 0\nstop_deduct_ms = 0\nfalse_claim_deduct_ms = 0",
        "own.toml:1: base_ms: is 0 and nothing stands beside it: a flag falls as soon as its clock runs"),
    ("name = \"fide-rapid\"\nbase_ms = 3000001", "own.toml:1: name: `fide-rapid` is built in and says something else; name this one otherwise"),
];

#[test]
fn what_is_odd_is_told_and_stops_nothing() {
    let mut wrong = Vec::new();
    for (own, expected) in ODD {
        let doubts = read(VENUE, &[("own.toml", own.as_bytes())]).map(|config| config.doubts);
        let said = match doubts {
            Ok(doubts) => {
                let own = doubts.iter().filter(|doubt| doubt.file.as_os_str() == "own.toml");
                own.map(ToString::to_string).collect::<Vec<_>>().join("\n")
            }
            Err(error) => error.to_string(),
        };
        if said != *expected {
            wrong.push(format!("{own}\n  said:     {said}\n  expected: {expected}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}
