//! A time control in words, Chinese and English.

use flagfall_clock::{Kind, PeriodsAt, SideTimes};
use flagfall_rules::Regulations;

/// `m:ss`, with what is left of a second where there is any.
pub(super) fn minutes(ms: impl Into<u64>) -> String {
    let ms = ms.into();
    let (minutes, seconds, rest) = (ms / 60_000, ms / 1000 % 60, ms % 1000);
    if rest == 0 { format!("{minutes}:{seconds:02}") } else { format!("{minutes}:{seconds:02}.{rest:03}") }
}

/// The control, without a full stop.
pub(super) fn control(r: &Regulations) -> (String, String) {
    let own = SideTimes { base_ms: r.base_ms, increment_ms: r.increment_ms };
    let (mut zh, mut en) = times(r, own, ("每方", " a side"));
    if r.moves > 0 && !r.periods.is_empty() && r.periods_at == PeriodsAt::Moves {
        zh = format!("前{}着{zh}", r.moves);
        en = format!("{} moves in {en}", r.moves);
    }
    periods(r, &mut zh, &mut en);
    if let Some(cap) = r.cap_ms {
        let cap = minutes(cap);
        zh += &format!("，加秒后不超过{cap}");
        en += &format!(", never lifted above {cap}");
    }
    for (zh_who, en_who, own) in [("先手", "first player", r.first), ("后手", "second player", r.second)]
    {
        if let Some(own) = own {
            let (zh_own, en_own) = times(r, own, ("", ""));
            zh += &format!("；{zh_who}{zh_own}");
            en += &format!("; {en_who} {en_own}");
        }
    }
    (zh, en)
}

fn times(r: &Regulations, own: SideTimes, (zh_who, en_who): (&str, &str)) -> (String, String) {
    let (base, plus) = (minutes(own.base_ms), minutes(own.increment_ms));
    let over = minutes(r.overtime_ms);
    let count = r.overtime_count;
    let (zh, en) = match r.kind {
        Kind::Fischer if own.increment_ms == 0 => (String::new(), String::new()),
        Kind::Fischer => (format!("，每走一步加{plus}"), format!(", {plus} with each move")),
        Kind::SuddenDeath => ("包干".to_owned(), " for all moves".to_owned()),
        Kind::Bronstein => {
            (format!("，每步返还至多{plus}"), format!(", up to {plus} of each move given back"))
        }
        Kind::Delay => (format!("，每步延时{plus}后计时"), format!(", the clock waits {plus} at each move")),
        Kind::Byoyomi => {
            (format!("，另读秒{count}次每次{over}"), format!(", then {count} periods of {over}"))
        }
        Kind::Canadian => {
            (format!("，此后每{count}着{over}"), format!(", then {over} for each {count} moves"))
        }
        Kind::Hourglass => {
            ("，沙漏制，一方所用归对方".to_owned(), ", hourglass: what one uses the other gets".to_owned())
        }
        Kind::PerMove => ("，每步重新计时".to_owned(), " for each move".to_owned()),
        Kind::Gong => {
            ("，到时自动轮换".to_owned(), " for each turn, and the clock itself passes it on".to_owned())
        }
        Kind::UpCount => ("起正计时，不判超时".to_owned(), ", counting up, and no flag".to_owned()),
    };
    (format!("{zh_who}{base}{zh}"), format!("{base}{en_who}{en}"))
}

fn periods(r: &Regulations, zh: &mut String, en: &mut String) {
    for period in r.periods.as_slice() {
        let (base, plus) = (minutes(period.base_ms), minutes(period.increment_ms));
        let (zh_plus, en_plus) = if period.increment_ms > 0 {
            (format!("、每步{plus}"), format!(" and {plus} a move"))
        } else {
            (String::new(), String::new())
        };
        if r.periods_at == PeriodsAt::Zero {
            *zh += &format!("；任一方用完后双方各加{base}{zh_plus}");
            *en += &format!("; once one side has used it, {base}{en_plus} more for both");
        } else if period.moves > 0 {
            *zh += &format!("；然后{}着加{base}{zh_plus}", period.moves);
            *en += &format!("; then {base}{en_plus} for {} moves", period.moves);
        } else {
            *zh += &format!("；然后其余各着加{base}{zh_plus}");
            *en += &format!("; then {base}{en_plus} for the rest");
        }
    }
    if r.repeat && !r.periods.is_empty() {
        *zh += "，如此反复";
        *en += ", again and again";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_clock::{Period, Periods};

    #[test]
    fn times_are_minutes_and_seconds() {
        assert_eq!(
            [minutes(0_u32), minutes(15_000_u32), minutes(3_000_000_u32), minutes(61_005_u32)],
            ["0:00", "0:15", "50:00", "1:01.005"]
        );
    }

    #[test]
    fn each_kind_is_said_in_words_of_its_own() {
        let said = |kind| {
            let (zh, en) = control(&Regulations {
                kind,
                overtime_ms: 30_000,
                overtime_count: 3,
                ..Regulations::default()
            });
            format!("{zh} {en}")
        };
        for (kind, part) in [
            (Kind::Fischer, "每走一步加0:15 50:00 a side, 0:15 with each move"),
            (Kind::SuddenDeath, "包干 50:00 a side for all moves"),
            (Kind::Bronstein, "up to 0:15 of each move given back"),
            (Kind::Delay, "the clock waits 0:15 at each move"),
            (Kind::Byoyomi, "读秒3次每次0:30 50:00 a side, then 3 periods of 0:30"),
            (Kind::Canadian, "then 0:30 for each 3 moves"),
            (Kind::Hourglass, "hourglass"),
            (Kind::PerMove, "for each move"),
            (Kind::Gong, "for each turn"),
            (Kind::UpCount, "counting up, and no flag"),
        ] {
            assert!(said(kind).contains(part), "{}", said(kind));
        }
    }

    #[test]
    fn periods_odds_and_a_cap_are_said() {
        let periods = |moves| {
            let last = Period { moves, base_ms: 1_800_000, increment_ms: 30_000 };
            Periods::of(&[last]).unwrap_or_default()
        };
        let (zh, en) = control(&Regulations {
            moves: 40,
            periods: periods(0),
            cap_ms: Some(3_600_000),
            second: Some(SideTimes { base_ms: 240_000, increment_ms: 3_000 }),
            ..Regulations::default()
        });
        assert_eq!(
            en,
            "40 moves in 50:00 a side, 0:15 with each move; then 30:00 and 0:30 a move for the rest, never lifted \
             above 60:00; second player 4:00, 0:03 with each move"
        );
        assert!(zh.starts_with("前40着每方50:00") && zh.contains("后手4:00"), "{zh}");
        let again = Regulations { moves: 40, periods: periods(20), repeat: true, ..Regulations::default() };
        assert!(control(&again).1.ends_with("then 30:00 and 0:30 a move for 20 moves, again and again"));
        let zero = Regulations { periods: periods(0), periods_at: PeriodsAt::Zero, ..Regulations::default() };
        assert!(control(&zero).1.ends_with("once one side has used it, 30:00 and 0:30 a move more for both"));
    }
}
