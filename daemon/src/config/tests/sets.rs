//! The sets that are built in, read as anybody's file.

use super::read;
use crate::config::Config;
use flagfall_arbiter::{BothLate, RulingKind};
use flagfall_clock::{Kind, Player};
use flagfall_rules::{DrawWinner, FlagCall, Laws, Offence, PROFILES, Regulations};

fn under(name: &str) -> Config {
    let venue = format!("[event]\nname = \"e\"\nregulations = \"{name}\"\n[journal]\npath = \"j\"\n");
    read(&venue, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_set_is_right_goes_by_its_name_and_leaves_no_doubt() {
    for set in PROFILES {
        let config = under(set.name);
        let own: Vec<_> = config.doubts.iter().filter(|doubt| doubt.key.starts_with("regulations")).collect();
        assert!(own.is_empty(), "{}: {own:?}", set.name);
        let regulations = &config.setup.regulations;
        assert_eq!(regulations.profile.name, set.name);
        assert!(regulations.profile.changed.is_empty());
        assert!(set.text.contains(&format!("name = \"{}\"\n", set.name)), "{} has its name", set.name);
        assert!(set.text.contains("\nsource = \""), "{} has a source", set.name);
        assert!(set.text.starts_with("# "), "{} says what it is", set.name);
        // printed and saved, it is a file that says the same
        let venue = "[event]\nname = \"e\"\nregulations = \"own.toml\"\n[journal]\npath = \"j\"\n";
        let copy = read(venue, &[("own.toml", set.text.as_bytes())]).unwrap();
        assert_eq!(copy.setup.regulations, *regulations, "{}", set.name);
    }
}

#[test]
fn the_base_writes_every_value_out_and_they_are_the_defaults() {
    let config = under("wugong-2012");
    assert_eq!(config.setup.regulations, Regulations::default());
    let base = &PROFILES[0];
    for value in Regulations::default().values() {
        let line = format!("\n{} = ", value.key);
        assert!(base.text.contains(&line), "{} is not written out", value.key);
    }
    for value in Regulations::default().values() {
        let placed = config.origins.keys().any(|name| name.split('.').next() == Some(value.key));
        assert!(placed, "{} has no place", value.key);
    }
}

#[test]
fn the_controls_seen_in_events_differ_from_the_base_in_the_control_only() {
    for (name, base_ms, increment_ms) in [
        ("xiangqi-60-30", 3_600_000, 30_000),
        ("xiangqi-50-20", 3_000_000, 20_000),
        ("xiangqi-30-20", 1_800_000, 20_000),
        ("xiangqi-30-10", 1_800_000, 10_000),
        ("xiangqi-25-5", 1_500_000, 5_000),
        ("xiangqi-10-10", 600_000, 10_000),
        ("xiangqi-5-3", 300_000, 3_000),
    ] {
        let mut regulations = under(name).setup.regulations;
        assert_eq!((regulations.base_ms, regulations.increment_ms), (base_ms, increment_ms), "{name}");
        let plain = Regulations::default();
        (regulations.base_ms, regulations.increment_ms) = (plain.base_ms, plain.increment_ms);
        regulations.profile = plain.profile.clone();
        assert_eq!(regulations, plain, "{name}");
    }
}

#[test]
fn play_offs_give_each_side_its_own_times() {
    let short = under("xiangqi-playoff-6-4").setup.regulations;
    assert_eq!([short.at_start(Player::First), short.at_start(Player::Second)], [360_000, 240_000]);
    assert_eq!(short.second.unwrap().increment_ms, 3_000);
    assert_eq!(short.draw_winner, DrawWinner::Second);
    let long = under("xiangqi-playoff-40-20").setup.regulations;
    assert_eq!([long.at_start(Player::First), long.at_start(Player::Second)], [2_400_000, 1_200_000]);
    assert_eq!(long.draw_winner, DrawWinner::Nobody, "not in what was read");
}

#[test]
fn the_laws_of_chess_are_as_they_were_read() {
    for (name, base, increment, penalty) in [
        ("fide-standard", 5_400_000, 30_000, 120_000),
        ("fide-90-40-30", 5_400_000, 30_000, 120_000),
        ("fide-rapid", 900_000, 10_000, 60_000),
        ("fide-blitz", 180_000, 2_000, 60_000),
    ] {
        let r = under(name).setup.regulations;
        assert_eq!((r.laws, r.base_ms, r.increment_ms), (Laws::Fide, base, increment), "{name}");
        assert_eq!(r.at_start(Player::First), i64::from(base + increment), "{name}: from the first move");
        let cost = Offence { foul: 0, deduct_ms: 0, opponent_ms: penalty, loses_at: 2 };
        assert_eq!((r.early_press, r.illegal_move), (cost, cost), "{name}: 7.5.5, A.3");
        assert!(r.pooled_fouls && r.unless_cannot_win && r.player_may_stop, "{name}: 7.5, 6.9, 6.11.2");
        assert_eq!(r.false_claim_opponent_ms, penalty, "{name}: 9.5");
        assert_eq!((r.false_claim_foul, r.false_claim_deduct_ms, r.stop_deduct_ms), (0, 0, 0), "{name}");
        assert_eq!(r.both_late, BothLate::FirstMoverAll, "{name}: 6.7.2");
        assert_eq!((r.draw_ban_rounds, r.event_fouls_every), (0, 0), "{name}");
        assert!(r.automatic.is_empty(), "{name}");
    }
    let exempt = under("fide-standard").setup.regulations;
    assert_eq!((exempt.recording_exempt_ms, exempt.recording_exempt_increment_ms), (300_000, 30_000), "8.4");
    let periods = under("fide-90-40-30").setup.regulations;
    let last = periods.periods.as_slice()[0];
    assert_eq!((periods.moves, last.moves, last.base_ms, last.increment_ms), (40, 0, 1_800_000, 30_000));
}

#[test]
fn us_chess_lets_the_other_clock_run_and_the_players_call() {
    let r = under("us-chess").setup.regulations;
    assert_eq!((r.laws, r.kind, r.increment_ms), (Laws::UsChess, Kind::Delay, 5_000));
    assert!(!r.freeze_on_flag && r.player_may_stop);
    assert_eq!((r.flag_call, r.both_late, r.default_ms), (FlagCall::Players, BothLate::Split, 3_600_000));
    assert!(!r.automatic.contains(&RulingKind::TimeForfeit));
}
