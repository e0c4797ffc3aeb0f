//! What a cause is called, Chinese and English, and what is owed for it.

use super::Cause;
use crate::Variant;
use crate::words::{clock_face, colour};
use flagfall_clock::Player;

/// Seconds, as finely as they are known.
fn seconds(ms: i64) -> String {
    if ms % 1_000 == 0 { format!("{}", ms / 1_000) } else { format!("{:.1}", ms as f64 / 1_000.0) }
}

/// A difference, with its sign.
fn signed(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "+" };
    if ms % 1_000 == 0 {
        format!("{sign}{}", clock_face(ms.abs()))
    } else {
        format!("{sign}{} s", seconds(ms.abs()))
    }
}

/// A pair of times, once where both are the same.
fn both(of: [i64; 2], show: impl Fn(i64) -> String) -> String {
    if of[0] == of[1] { show(of[0]) } else { format!("{} / {}", show(of[0]), show(of[1])) }
}

/// What is owed, first and second in milliseconds: of each side what would make it right.
pub(super) fn owed(variant: Variant, over: [i64; 2]) -> (String, String) {
    let each = |player: Player| {
        let ms = -over[player as usize];
        let (zh, en) = colour(variant, player);
        (format!("{zh} {}", signed(ms)), format!("{en} {}", signed(ms)))
    };
    let ((zh1, en1), (zh2, en2)) = (each(Player::First), each(Player::Second));
    (format!("至今应补：{zh1}，{zh2}"), format!("owed so far: {en1}, {en2}"))
}

/// A cause in words, without the place.
pub(super) fn cause(variant: Variant, cause: &Cause) -> (String, String) {
    let who = |player: Player| colour(variant, player);
    match cause {
        Cause::Base { has, should } => {
            let (has, should) = (both(*has, clock_face), both(*should, clock_face));
            (
                format!("棋钟起始用时与规程不符：棋钟为 {has}，应为 {should}"),
                format!("the clock began with {has} where the regulations give {should}"),
            )
        }
        Cause::Increment { has, should } => {
            let (has, should) = (both(*has, seconds), both(*should, seconds));
            (
                format!("棋钟每步加秒与规程不符：棋钟加 {has} 秒，应加 {should} 秒"),
                format!("the clock gives {has} s with each move where the regulations give {should} s"),
            )
        }
        Cause::Delay { has, should } => {
            let (has, should) = (both(*has, seconds), both(*should, seconds));
            (
                format!("棋钟每步延时与规程不符：棋钟为 {has} 秒，应为 {should} 秒"),
                format!("the clock's delay is {has} s where the regulations give {should} s"),
            )
        }
        Cause::Left { off } => {
            let off = both(*off, signed);
            (
                format!("每步走完后棋钟所余用时与规程不符，每步相差 {off}"),
                format!("what the clock leaves after each move is {off} from what the regulations give"),
            )
        }
        Cause::Period { at_move: 0, off } => {
            let off = signed(*off);
            (
                format!("一方用时到零时双方各变动 {off}，规程无此时段"),
                format!("when a side reached zero both got {off}, which the regulations do not give"),
            )
        }
        Cause::Period { at_move, off } => {
            let off = signed(*off);
            (
                format!("第 {at_move} 步后棋钟的时段与规程不符，双方各差 {off}"),
                format!(
                    "with move {at_move} the clock's period is {off} on each side from what the regulations give"
                ),
            )
        }
        Cause::Drift { off } => {
            let (zh, en) = if *off < 0 { ("少", "less") } else { ("多", "more") };
            let off = seconds(off.abs());
            (
                format!("双方用时合计比步数与走时所得{zh} {off} 秒，原因不明"),
                format!(
                    "both sides together have {off} s {en} than moves and time used give; nothing shows why"
                ),
            )
        }
        Cause::Seconds { off, ran } => {
            let (zh, en) = if *off < 0 { ("慢", "slow") } else { ("快", "fast") };
            let (off, ran) = (seconds(off.abs()), clock_face(*ran));
            (
                format!("棋钟走时偏{zh}：{ran} 内相差 {off} 秒"),
                format!("the clock runs {en}: {off} s in {ran} of play"),
            )
        }
        Cause::Silent(player) => {
            let ((zh, en), (other_zh, other_en)) = (who(*player), who(player.other()));
            (
                format!("{zh}一侧久未按钟，{other_zh}一侧已多次按下；{zh}一侧的按键是否有效？"),
                format!(
                    "{en}'s side runs and does not press though {other_en}'s was pressed again and again; does its lever work?"
                ),
            )
        }
        Cause::Misses(player) => {
            let (zh, en) = who(*player);
            (
                format!("{zh}一侧的按钟时有未计；按键可能接触不良"),
                format!("presses on {en}'s side seem to be missed now and then; its lever may be worn"),
            )
        }
        Cause::Bounces(player) => {
            let (zh, en) = who(*player);
            (
                format!("{zh}一侧每按一次常有两次接触；按键可能磨损"),
                format!("presses on {en}'s side often come twice; its lever may be worn"),
            )
        }
        Cause::Reversed => {
            let ((zh, en), _) = (who(Player::Second), ());
            (
                format!("棋钟先走{zh}一侧；双方方位可能相反（可对调，用时不变）"),
                format!(
                    "{en}'s side ran first; the sides may be reversed (they can be swapped, times stay as they are)"
                ),
            )
        }
    }
}
