//! `flagfall check --readings`: how this event reads what its regulations leave open, on one page, to be
//! signed before the first round (十一.2 leaves interpretation to the event's arbiters).
//!
//! The letters A1 to A12 are those of the analysis of the regulations of 2012. What is decided by a value is
//! written from that value; what no value decides is said to be left to the arbiters, never made up.

use crate::config::Config;
use flagfall_arbiter::RulingKind;
use flagfall_clock::FlagAt;
use flagfall_rules::{BothLate, Boundary, PublicResult, Regulations, StopAsked, Unprovable};
use std::io::{self, Write};

struct Reading {
    mark: &'static str,
    article: &'static str,
    zh: String,
    en: String,
}

pub(super) fn write(config: &Config, out: &mut dyn Write) -> io::Result<()> {
    let regulations = &config.setup.regulations;
    writeln!(out, "{}", config.setup.event)?;
    writeln!(out, "规则的读法 / How this event reads its regulations\n")?;
    for Reading { mark, article, zh, en } in readings(regulations) {
        writeln!(out, "{mark:<3} {article:<5} {zh}")?;
        writeln!(out, "          {en}")?;
    }
    writeln!(out, "\n裁判长 / Chief arbiter  ______________________   日期 / Date  ______________")?;
    writeln!(
        out,
        "领队签名 / Captains     ______________________   ______________________   ______________________"
    )
}

fn reading(
    mark: &'static str,
    article: &'static str,
    zh: impl Into<String>,
    en: impl Into<String>,
) -> Reading {
    Reading { mark, article, zh: zh.into(), en: en.into() }
}

fn readings(r: &Regulations) -> Vec<Reading> {
    let mut page = vec![time_control(r), first_increment(r), flag(r)];
    page.push(both_late(r));
    page.push(reading(
        "A4",
        "四.1",
        format!("弃权时限{}从本轮实际开赛起按挂钟计算，不按棋钟。", minutes(r.default_ms)),
        format!(
            "The default time of {} counts by wall clock from the round's actual start.",
            minutes(r.default_ms)
        ),
    ));
    page.push(match r.default_boundary {
        Boundary::After => reading(
            "A5",
            "四.1",
            "恰在时限到场不算迟到弃权，超过才算。",
            "Arriving exactly at the default time is in time.",
        ),
        Boundary::At => reading(
            "A5",
            "四.1",
            "恰在时限仍未就座即可判弃权。",
            "Who is not there at the default time itself is late.",
        ),
    });
    page.push(if r.automatic.contains(&RulingKind::Default) {
        reading(
            "A6",
            "四.1",
            "已知缺席者到时自动判弃权。",
            "A player known absent is defaulted without an arbiter's word.",
        )
    } else {
        reading(
            "A6",
            "四.1",
            "弃权由裁判员确认，程序只提议。",
            "A default is confirmed by an arbiter; the program only proposes it.",
        )
    });
    page.push(reading(
        "A7",
        "四.2",
        "一方在时限内到、另一方超过时限：先到者胜，不判双方弃权。",
        "One inside the default time and one beyond it: the first wins; only two beyond it are both defaulted.",
    ));
    page.push(reading(
        "A8",
        "五.3",
        format!(
            "首次少于{}（按真实毫秒，不含等于）可申请不记录，经裁判员同意，双方均可不再记录。",
            minutes(r.recording_exempt_ms.into())
        ),
        format!(
            "Strictly below {} for the first time, recording may end once an arbiter agrees; then for both.",
            minutes(r.recording_exempt_ms.into())
        ),
    ));
    page.push(if r.pooled_fouls {
        reading(
            "A9",
            "六.2",
            "同一局内，违反行棋规定与未走棋先按钟合并计数。",
            "In a game, illegal moves and early presses count together.",
        )
    } else {
        reading(
            "A9",
            "六.2",
            "同一局内，违反行棋规定与未走棋先按钟分别计数。",
            "In a game, illegal moves and early presses are counted apart.",
        )
    });
    for (mark, article, zh, en) in [
        ("A10", "六.4", "全程累计犯规扣分", "points off for fouls over the event"),
        ("A11", "六.7", "20回合内协议和棋的界限", "where the ban on early draws ends"),
        ("A12", "七.4", "自然限着中将军次数的计法", "how checks count in the natural limit"),
    ] {
        page.push(reading(
            mark,
            article,
            format!("{zh}：由裁判员裁定，程序不计算。"),
            format!("The arbiters decide {en}; the program does not."),
        ));
    }
    page.extend(stops(r));
    page.push(match r.public_result {
        PublicResult::Entered => {
            reading("", "九.2", "成绩登录后即公布。", "A result is public once it is entered.")
        }
        PublicResult::Signed => {
            reading("", "九.2", "成绩经双方签名后公布。", "A result is public once both have signed it.")
        }
        PublicResult::Official => {
            reading("", "九.2", "成绩在本轮结束后公布。", "A result is public when the round is closed.")
        }
    });
    page
}

fn time_control(r: &Regulations) -> Reading {
    let (base, plus) = (minutes(r.base_ms.into()), minutes(r.increment_ms.into()));
    let odds = [("先手", "first player", r.first), ("后手", "second player", r.second)];
    let (mut zh, mut en) =
        (format!("每方{base}，每走一步后加{plus}"), format!("{base} a side, {plus} after each move"));
    for (zh_who, en_who, times) in odds {
        if let Some(times) = times {
            let (base, plus) = (minutes(times.base_ms.into()), minutes(times.increment_ms.into()));
            zh += &format!("；{zh_who}{base}，每步加{plus}");
            en += &format!("; {en_who} {base}, {plus} a move");
        }
    }
    reading("", "三(1)", zh + "。", en + ".")
}

fn first_increment(r: &Regulations) -> Reading {
    let start =
        minutes(u64::from(r.base_ms) + if r.increment_on_first_move { u64::from(r.increment_ms) } else { 0 });
    if r.increment_on_first_move {
        reading(
            "A1",
            "三(1)",
            format!("第一步之前已加秒，开钟显示{start}。"),
            format!("The first increment is there before the first move: clocks show {start}."),
        )
    } else {
        reading(
            "A1",
            "三(1)",
            format!("第一步之前不加秒，开钟显示{start}。"),
            format!("No increment before the first move: clocks show {start}."),
        )
    }
}

fn flag(r: &Regulations) -> Reading {
    let (zh, en) = match r.flag_at {
        FlagAt::Zero => ("余时为零即超时", "The flag falls at zero"),
        FlagAt::BelowZero => ("余时小于零才超时", "The flag falls only below zero"),
    };
    reading(
        "A2",
        "三(1)",
        format!("{zh}；超时即判负，不论对方能否取胜。"),
        format!("{en}; who exceeds the time loses, whatever is on the board."),
    )
}

fn both_late(r: &Regulations) -> Reading {
    let (zh, en) = match r.both_late {
        BothLate::OwnLateness => (
            "双方各扣自己的迟到时间，都就座后开钟。",
            "Both late: each loses his own lateness, once both sit.",
        ),
        BothLate::JointThenTurn => (
            "先到者到场时双方各扣共同迟到时间并开钟，另一方依四.1。",
            "Both late: the common lateness is taken from both at the first arrival; then 四.1 for the other.",
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
    };
    reading("A3", "四.2", zh, en)
}

fn stops(r: &Regulations) -> Vec<Reading> {
    let (fouls, time) = (r.stop_foul, minutes(r.stop_deduct_ms.into()));
    let may = if r.player_may_stop {
        reading("", "三(2)", "运动员可停钟请裁判。", "A player may stop the clock to call an arbiter.")
    } else {
        reading(
            "",
            "三(2)",
            "运动员不得停钟；须由裁判停钟。",
            "A player may not stop the clock; an arbiter does.",
        )
    };
    let asked = match r.unexplained_stop {
        StopAsked::Ask => reading(
            "",
            "三(2)",
            "停钟本身不算犯规；先询问原因。",
            "A stop is no offence by itself; its cause is asked first.",
        ),
        StopAsked::Propose => reading(
            "",
            "三(2)",
            "停钟即提议判罚，由裁判员确认。",
            "A stop is proposed as an offence at once; an arbiter confirms.",
        ),
    };
    let unprovable = match r.stop_unprovable {
        Unprovable::Ask => reading(
            "",
            "六.9",
            "余时无法证实时，裁判员在八.2与判负之间选择。",
            "Where the times cannot be proved, the arbiter chooses between 八.2 and the loss.",
        ),
        Unprovable::Loss => reading(
            "",
            "六.9",
            "余时无法证实时，提议判负。",
            "Where the times cannot be proved, the loss is proposed.",
        ),
    };
    let penalty = reading(
        "",
        "八.2",
        format!("无故擅停棋钟：记犯规{fouls}次，扣{time}。"),
        format!("Stopping without cause: {fouls} foul(s) and {time} off."),
    );
    let (fouls, time) = (r.start_foul, minutes(r.start_deduct_ms.into()));
    let start = reading(
        "",
        "三(2)",
        format!(
            "擅自开钟：记犯规{fouls}次{}。",
            if r.start_deduct_ms > 0 { format!("，扣{time}") } else { String::new() }
        ),
        format!("Starting without cause: {fouls} foul(s) and {time} off."),
    );
    vec![may, asked, penalty, unprovable, start]
}

/// `m:ss`, with what is left of a second where there is any.
fn minutes(ms: u64) -> String {
    let (minutes, seconds, rest) = (ms / 60_000, ms / 1000 % 60, ms % 1000);
    if rest == 0 { format!("{minutes}:{seconds:02}") } else { format!("{minutes}:{seconds:02}.{rest:03}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_signed_follows_the_values() {
        let text = |regulations: &Regulations| {
            readings(regulations)
                .iter()
                .map(|reading| format!("{} {}\n", reading.mark, reading.en))
                .collect::<String>()
        };
        let plain = text(&Regulations::default());
        assert!(plain.contains("A1 No increment before the first move: clocks show 50:00."));
        assert!(plain.contains("A6 A default is confirmed by an arbiter"));
        assert!(plain.contains("1 foul(s) and 5:00 off"));
        let mut other = Regulations {
            increment_on_first_move: true,
            both_late: BothLate::Split,
            ..Regulations::default()
        };
        other.automatic.push(RulingKind::Default);
        let other = text(&other);
        assert!(other.contains("clocks show 50:15."));
        assert!(other.contains("A3 Both late: the time gone is split between them."));
        assert!(other.contains("A6 A player known absent is defaulted"));
    }

    #[test]
    fn times_are_minutes_and_seconds() {
        assert_eq!(
            [minutes(0), minutes(15_000), minutes(3_000_000), minutes(61_005)],
            ["0:00", "0:15", "50:00", "1:01.005"]
        );
    }
}
