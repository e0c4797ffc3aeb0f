//! Time, flags, lateness, stops.

use super::{Reading, articles, reading};
use crate::commands::control::{control, minutes};
use flagfall_arbiter::{Player, RulingKind};
use flagfall_clock::{FlagAt, Kind};
use flagfall_rules::{BothLate, Boundary, DefaultReference, FlagCall, Regulations, StopAsked, Unprovable};

pub(super) fn readings(r: &Regulations) -> Vec<Reading> {
    let (zh, en) = control(r);
    let keys = &[
        "kind",
        "base_ms",
        "increment_ms",
        "cap_ms",
        "overtime_ms",
        "overtime_count",
        "moves",
        "periods",
        "periods_at",
        "repeat",
        "first",
        "second",
    ];
    let time = articles("三(1)", "6.3", "5");
    let mut page =
        vec![reading(r, "", &time, keys, (format!("{zh}。"), format!("{en}."))), first_increment(r)];
    page.extend(flag(r));
    page.extend(lateness(r));
    page.extend(stops(r));
    page
}

fn first_increment(r: &Regulations) -> Reading {
    let shown = Player::BOTH.map(|player| minutes(u64::try_from(r.at_start(player)).unwrap_or(0)));
    let shown = if shown[0] == shown[1] { shown[0].clone() } else { shown.join(" / ") };
    let words = if r.increment_on_first_move && r.kind == Kind::Fischer {
        (
            format!("第一步之前已加秒，开钟显示{shown}。"),
            format!("The first increment is there before the first move: clocks show {shown}."),
        )
    } else {
        (
            format!("第一步之前不加秒，开钟显示{shown}。"),
            format!("No increment before the first move: clocks show {shown}."),
        )
    };
    reading(r, "A1", &articles("三(1)", "6.3.1", "—"), &["increment_on_first_move"], words)
}

fn flag(r: &Regulations) -> [Reading; 2] {
    let (zh, en) = match r.flag_at {
        FlagAt::Zero => ("余时为零即超时", "The flag falls at zero"),
        FlagAt::BelowZero => ("余时小于零才超时", "The flag falls only below zero"),
    };
    let (zh_loss, en_loss) = if r.unless_cannot_win {
        (
            "超时判负，对方不可能取胜时判和",
            "who exceeds the time loses, unless the opponent cannot win: then a draw",
        )
    } else {
        ("超时即判负，不论对方能否取胜", "who exceeds the time loses, whatever is on the board")
    };
    let falls = (format!("{zh}；{zh_loss}。"), format!("{en}; {en_loss}."));
    let (zh_call, en_call) = match r.flag_call {
        FlagCall::Anyone => ("旗落由钟显示即可处理", "A flag that the clock shows is acted on"),
        FlagCall::Players => ("旗落仅对局者可以提出", "Only the players call a flag"),
    };
    let (zh_other, en_other) = if r.freeze_on_flag {
        ("另一方停走", "the other side stands still")
    } else {
        ("另一方续走", "the other side runs on")
    };
    let (zh_by, en_by) = if r.automatic.contains(&RulingKind::TimeForfeit) {
        ("无疑点时自动确认", "confirmed by itself where nothing speaks against it")
    } else {
        ("由裁判员确认", "an arbiter confirms the loss")
    };
    let called = (format!("{zh_call}；{zh_other}；{zh_by}。"), format!("{en_call}; {en_other}; {en_by}."));
    let flags = articles("三(1)", "6.8", "13C1");
    [
        reading(r, "A2", &articles("三(1)", "6.9", "13C1"), &["flag_at", "unless_cannot_win"], falls),
        reading(r, "", &flags, &["flag_call", "freeze_on_flag", "automatic"], called),
    ]
}

fn lateness(r: &Regulations) -> [Reading; 5] {
    let limit = minutes(r.default_ms);
    let late = articles("四.1", "6.7.1", "13D1");
    let reference = match r.default_reference {
        DefaultReference::RoundStart => (
            format!("弃权时限{limit}从本轮实际开赛起按挂钟计算，不按棋钟。"),
            format!("The default time of {limit} counts by wall clock from the round's actual start."),
        ),
        DefaultReference::OwnClock => (
            format!("弃权时限{limit}按迟到者自己的棋钟计算。"),
            format!("The default time of {limit} counts by what the late player's own clock has run."),
        ),
    };
    let boundary = match r.default_boundary {
        Boundary::After => {
            ("恰在时限到场不算迟到弃权，超过才算。", "Arriving exactly at the default time is in time.")
        }
        Boundary::At => {
            ("恰在时限仍未就座即可判弃权。", "Who is not there at the default time itself is late.")
        }
    };
    let itself = |kind| r.automatic.contains(&kind);
    let confirmed = match (itself(RulingKind::Default), itself(RulingKind::DoubleDefault)) {
        (false, false) => (
            "弃权由裁判员确认，程序只提议。",
            "A default is confirmed by an arbiter; the program only proposes it.",
        ),
        (true, false) => (
            "已知缺席者到时自动判弃权；双方弃权由裁判员确认。",
            "A player known absent is defaulted without an arbiter's word; two are an arbiter's to confirm.",
        ),
        (false, true) => (
            "一方弃权由裁判员确认；双方已知缺席到时自动判双方弃权。",
            "One player's default is an arbiter's to confirm; two known absent are defaulted without his word.",
        ),
        (true, true) => (
            "已知缺席者到时自动判弃权，双方亦然。",
            "Players known absent are defaulted without an arbiter's word, one or both.",
        ),
    };
    let one = (
        "一方在时限内到、另一方超过时限：先到者胜，不判双方弃权。",
        "One inside the default time and one beyond it: the first wins; only two beyond it are both defaulted.",
    );
    let both = articles("四.2", "6.7.2", "16K");
    [
        reading(r, "A3", &both, &["both_late"], both_late(r.both_late)),
        reading(r, "A4", &late, &["default_reference", "default_ms"], reference),
        reading(r, "A5", &late, &["default_boundary"], boundary),
        reading(r, "A6", &late, &["automatic"], confirmed),
        reading(r, "A7", &both, &[], one),
    ]
}

fn both_late(policy: BothLate) -> (&'static str, &'static str) {
    match policy {
        BothLate::OwnLateness => (
            "双方各扣自己的迟到时间，都就座后开钟。",
            "Both late: each loses his own lateness, once both sit.",
        ),
        BothLate::JointThenTurn => (
            "先到者到场时双方各扣共同迟到时间并开钟，另一方轮走时再计。",
            "Both late: the common lateness is taken from both at the first arrival; then the other's clock, at his turn.",
        ),
        BothLate::FirstMoverAll => (
            "双方迟到：时间全由先手方承担，直至其到场。",
            "Both late: the first mover loses all the time until he arrives.",
        ),
        BothLate::Split => {
            ("双方迟到：已过时间双方平分。", "Both late: the time gone is split between them.")
        }
        BothLate::Doubled => {
            ("双方迟到：各扣自己迟到时间的两倍。", "Both late: each loses twice his own lateness.")
        }
    }
}

fn stops(r: &Regulations) -> [Reading; 4] {
    let (zh_may, en_may) = if r.player_may_stop {
        ("运动员可停钟请裁判", "A player may stop the clock to call an arbiter")
    } else {
        ("运动员不得停钟，须由裁判停钟", "A player may not stop the clock; an arbiter does")
    };
    let (zh_asked, en_asked) = match r.unexplained_stop {
        StopAsked::Ask => {
            ("停钟本身不算犯规，先询问原因", "a stop is no offence by itself, its cause is asked first")
        }
        StopAsked::Propose => {
            ("停钟即提议判罚，由裁判员确认", "a stop is proposed as an offence at once, an arbiter confirms")
        }
    };
    let may = (format!("{zh_may}；{zh_asked}。"), format!("{en_may}; {en_asked}."));
    let stop = super::fouls::cost(r.stop_foul, r.stop_deduct_ms, r.stop_opponent_ms, 0);
    let start = super::fouls::cost(r.start_foul, r.start_deduct_ms, 0, 0);
    let within = minutes(r.provable_within_ms);
    let (zh_un, en_un) = match r.stop_unprovable {
        Unprovable::Ask => {
            ("裁判员在上述处罚与判负之间选择", "the arbiter chooses between that penalty and the loss")
        }
        Unprovable::Loss => ("提议判负", "the loss is proposed"),
    };
    let unprovable = (
        format!("余时误差超过{within}即无法证实，届时{zh_un}。"),
        format!("Times not known to {within} are not proved, and then {en_un}."),
    );
    let stops = articles("八.2", "6.11.4", "—");
    [
        reading(r, "", &articles("三(2)", "6.11.2", "—"), &["player_may_stop", "unexplained_stop"], may),
        reading(
            r,
            "",
            &stops,
            &["stop_foul", "stop_deduct_ms", "stop_opponent_ms"],
            (format!("无故擅停棋钟：{}。", stop.0), format!("Stopping without cause: {}.", stop.1)),
        ),
        reading(
            r,
            "",
            &articles("六.9", "6.10.1", "—"),
            &["stop_unprovable", "provable_within_ms"],
            unprovable,
        ),
        reading(
            r,
            "",
            &articles("三(2)", "6.11.4", "—"),
            &["start_foul", "start_deduct_ms"],
            (format!("擅自开钟：{}。", start.0), format!("Starting without cause: {}.", start.1)),
        ),
    ]
}
