//! Records, offences, claims, draws.

use super::{Reading, articles, counted, reading};
use crate::commands::control::minutes;
use flagfall_arbiter::Points;
use flagfall_rules::{
    DrawFrom, EventFouls, ExcessCheck, ExemptBy, ExemptFor, Offence, Phone, PressTimes, Regulations,
};

pub(super) fn readings(r: &Regulations) -> Vec<Reading> {
    let mut page = vec![exemption(r), missed(r)];
    page.extend(offences(r));
    page.extend([event(r), early_draws(r), natural_limit(r), false_claims(r), phone(r), waiting(r)]);
    page
}

/// What an offence costs, without a full stop.
pub(super) fn cost(foul: u32, deduct_ms: u32, opponent_ms: u32, loses_at: u32) -> (String, String) {
    let (mut zh, mut en) = (Vec::new(), Vec::new());
    if foul > 0 {
        zh.push(format!("记犯规{foul}次"));
        en.push(counted(foul, "foul"));
    }
    if deduct_ms > 0 {
        zh.push(format!("扣{}", minutes(deduct_ms)));
        en.push(format!("{} off", minutes(deduct_ms)));
    }
    if opponent_ms > 0 {
        zh.push(format!("对方加{}", minutes(opponent_ms)));
        en.push(format!("{} more for the opponent", minutes(opponent_ms)));
    }
    if loses_at > 0 {
        zh.push(format!("同局第{loses_at}次判负"));
        en.push(format!("number {loses_at} of a game loses it"));
    }
    if zh.is_empty() {
        return ("无固定处罚，由裁判员裁定".to_owned(), "no fixed penalty; an arbiter decides".to_owned());
    }
    (zh.join("，"), en.join(", "))
}

fn exemption(r: &Regulations) -> Reading {
    let keys = &[
        "recording_exempt_ms",
        "recording_exempt_increment_ms",
        "recording_exempt_for",
        "recording_exempt_by",
        "record_task_ms",
    ];
    let below = minutes(r.recording_exempt_ms);
    let (zh_by, en_by) = match r.recording_exempt_by {
        ExemptBy::Arbiter => {
            ("经裁判员同意，双方均可不再记录", "recording may end once an arbiter agrees, then for both")
        }
        ExemptBy::Itself => ("即可不再记录", "he need not record"),
    };
    let (zh_for, en_for) = match r.recording_exempt_for {
        ExemptFor::Game => ("至本局结束", "till the game's end"),
        ExemptFor::Period => ("至该时段结束", "till the period's end"),
    };
    let (zh_if, en_if) = match r.recording_exempt_increment_ms {
        0 => (String::new(), String::new()),
        ms => (
            format!("，仅限每步加秒少于{}", minutes(ms)),
            format!(", only where a move gives less than {}", minutes(ms)),
        ),
    };
    let (zh_task, en_task) = match r.record_task_ms {
        0 => ("；赛后补全".to_owned(), "; completed after the game".to_owned()),
        ms => (
            format!("；赛后{}内补全", minutes(ms)),
            format!("; completed within {} after the game", minutes(ms)),
        ),
    };
    let words = if r.recording_exempt_ms == 0 {
        (
            format!("不因时间少而免除记录{zh_task}。"),
            format!("Little time exempts nobody from recording{en_task}."),
        )
    } else {
        (
            format!("首次少于{below}（真实毫秒，不含等于）{zh_by}，{zh_for}{zh_if}{zh_task}。"),
            format!("Strictly below {below} for the first time {en_by}, {en_for}{en_if}{en_task}."),
        )
    };
    reading(r, "A8", &articles("五.3", "8.4", "—"), keys, words)
}

fn missed(r: &Regulations) -> Reading {
    let most = match r.missed_record_most {
        0 => (String::new(), String::new()),
        most => (format!("，最多{most}次"), format!(", at most {most}")),
    };
    let enter = match r.broadcast_task_ms {
        0 => (String::new(), String::new()),
        ms => (
            format!("；胜方（和棋为先手方）{}内到直播间录谱", minutes(ms)),
            format!("; the winner (in a draw the first player) enters the game within {}", minutes(ms)),
        ),
    };
    let words = match r.missed_record_moves {
        0 => (
            format!("漏记不记犯规{}。", enter.0),
            format!("Missed records are no fouls by count{}.", enter.1),
        ),
        moves => (
            format!("每漏记{moves}着（一方的一步）记犯规1次{}{}。", most.0, enter.0),
            format!("Each {moves} moves of one side not recorded are a foul{}{}.", most.1, enter.1),
        ),
    };
    let keys = &["missed_record_moves", "missed_record_most", "broadcast_task_ms"];
    reading(r, "", &articles("五.1", "8.1.1", "—"), keys, words)
}

fn offences(r: &Regulations) -> [Reading; 3] {
    let of = |offence: Offence| cost(offence.foul, offence.deduct_ms, offence.opponent_ms, offence.loses_at);
    let pooled = if r.pooled_fouls {
        (
            "同一局内，违反行棋规定与未走棋先按钟合并计数。",
            "In a game, illegal moves and early presses count together.",
        )
    } else {
        (
            "同一局内，违反行棋规定与未走棋先按钟分别计数。",
            "In a game, illegal moves and early presses are counted apart.",
        )
    };
    let (illegal, press) = (of(r.illegal_move), of(r.early_press));
    let (zh_times, en_times) = match r.press_times {
        PressTimes::Leave => ("时间照旧", "the times are left as they are"),
        PressTimes::Restore => {
            ("时间恢复到按钟时，不加秒", "the times go back to the press, without its increment")
        }
    };
    [
        reading(r, "A9", &articles("六.2", "7.5.5", "—"), &["pooled_fouls"], pooled),
        reading(
            r,
            "",
            &articles("六.2", "7.5.5", "—"),
            &["illegal_move"],
            (format!("违反行棋规定：{}。", illegal.0), format!("An illegal move: {}.", illegal.1)),
        ),
        reading(
            r,
            "",
            &articles("六.3", "7.5.3", "—"),
            &["early_press", "press_times"],
            (
                format!("未走棋先按钟：{}；两者之后{zh_times}。", press.0),
                format!("A press before moving: {}; after either {en_times}.", press.1),
            ),
        ),
    ]
}

fn event(r: &Regulations) -> Reading {
    let keys = &["event_fouls_every", "event_fouls_points", "event_fouls", "event_fouls_team", "foul_limit"];
    let (every, points) = (r.event_fouls_every, r.event_fouls_points);
    let (mut zh, mut en) = if every == 0 || points == Points::ZERO {
        ("全程累计犯规不扣分".to_owned(), "Fouls over the event cost no points".to_owned())
    } else {
        let (zh_every, en_every) = match r.event_fouls {
            EventFouls::Every => ("每满", "each"),
            EventFouls::Once => ("首次满", "the first"),
        };
        let (zh_team, en_team) = if r.event_fouls_team {
            ("个人和团体各扣", "from him and from his team")
        } else {
            ("扣个人", "from him alone")
        };
        (
            format!("全程累计犯规{zh_every}{every}次{zh_team}{points}分"),
            format!(
                "Over the event {en_every} {} of a player take {points} {en_team}",
                counted(every, "foul")
            ),
        )
    };
    if r.foul_limit == 0 {
        zh += "；一局内犯规次数不直接判负。";
        en += "; no number of fouls by itself loses a game.";
    } else {
        zh += &format!("；一局内犯规满{}次判负。", r.foul_limit);
        en += &format!("; {} in a game lose it.", counted(r.foul_limit, "foul"));
    }
    reading(r, "A10", &articles("六.4", "—", "—"), keys, (zh, en))
}

fn early_draws(r: &Regulations) -> Reading {
    let rounds = r.draw_ban_rounds;
    let words = match (rounds, r.draw_ban_from) {
        (0, _) => ("协议和棋不受回合限制。".to_owned(), "A draw may be agreed at any time.".to_owned()),
        (_, DrawFrom::Complete) => (
            format!("双方走满{rounds}回合后方可协议和棋。"),
            format!("A draw may be agreed once {rounds} rounds are complete."),
        ),
        (_, DrawFrom::After) => (
            format!("从第{}回合起方可协议和棋。", rounds + 1),
            format!("A draw may be agreed from round {} on.", rounds + 1),
        ),
    };
    reading(r, "A11", &articles("六.7", "9.1", "—"), &["draw_ban_rounds", "draw_ban_from"], words)
}

fn natural_limit(r: &Regulations) -> Reading {
    let (rounds, checks) = (r.natural_limit_rounds, r.natural_limit_checks);
    let (zh, en) = match r.natural_limit_excess {
        ExcessCheck::Round => ("一个回合", "a whole round"),
        ExcessCheck::Ply => ("一着", "one side's move"),
    };
    let words = (
        format!("{rounds}回合无吃子可提和；提出方将军至多计{checks}次，每多一次减{zh}。"),
        format!(
            "{rounds} rounds without a capture; at most {checks} of the claimant's checks count, each beyond takes off {en}."
        ),
    );
    let keys = &["natural_limit_rounds", "natural_limit_checks", "natural_limit_excess"];
    reading(r, "A12", &articles("七.4", "9.3", "—"), keys, words)
}

fn false_claims(r: &Regulations) -> Reading {
    let (zh, en) =
        cost(r.false_claim_foul, r.false_claim_deduct_ms, r.false_claim_opponent_ms, r.false_claim_loses_at);
    let keys =
        &["false_claim_foul", "false_claim_deduct_ms", "false_claim_opponent_ms", "false_claim_loses_at"];
    let words = (format!("提和查验不属实：{zh}。"), format!("A claim found wrong: {en}."));
    reading(r, "", &articles("七.4", "9.5", "—"), keys, words)
}

fn phone(r: &Regulations) -> Reading {
    let words = match r.phone {
        Phone::Loss => ("手机铃响判负。", "A ringing telephone loses the game."),
        Phone::Foul => ("手机铃响记犯规1次。", "A ringing telephone is a foul."),
    };
    reading(r, "", &articles("六.11", "11.3.2", "—"), &["phone"], words)
}

fn waiting(r: &Regulations) -> Reading {
    let words = match r.waiting_ms {
        0 => (
            "等待、观望由裁判员发现，程序不提示。".to_owned(),
            "Waiting and watching is for arbiters to see; the program gives no hint.".to_owned(),
        ),
        ms => (
            format!("同一场两台{}未按钟，提示裁判员查看。", minutes(ms)),
            format!("No press for {} on two boards of a match: an arbiter is told to look.", minutes(ms)),
        ),
    };
    reading(r, "", &articles("八.8", "—", "—"), &["waiting_ms"], words)
}
