//! Sentences for people, Chinese and English. Facts and articles only; no sentence here accuses
//! anyone before an arbiter has spoken.

use crate::board::Board;
use crate::{Laws, PlayerSetup, Variant};
use flagfall_arbiter::{Effect, Grounds, Offender, Outcome, Player, Points, RulingKind, Text};

/// m:ss, rounded up to whole seconds as a clock shows it; a minus sign below zero.
pub(crate) fn clock_face(ms: i64) -> String {
    let seconds = if ms >= 0 { (ms + 999) / 1000 } else { -(-ms / 1000) };
    let sign = if seconds < 0 { "-" } else { "" };
    let s = seconds.abs();
    if s >= 3600 {
        format!("{sign}{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
    } else {
        format!("{sign}{}:{:02}", s / 60, s % 60)
    }
}

pub(crate) fn colour(variant: Variant, player: Player) -> (&'static str, &'static str) {
    match (variant, player) {
        (Variant::Xiangqi, Player::First) => ("红方", "Red"),
        (Variant::Chess, Player::First) => ("白方", "White"),
        (_, Player::Second) => ("黑方", "Black"),
    }
}

fn name(player: &PlayerSetup) -> String {
    if player.name.is_empty() { String::new() } else { format!(" {}", player.name) }
}

pub(crate) struct Words<'a> {
    pub variant: Variant,
    pub board: &'a Board,
}

impl Words<'_> {
    pub fn place(&self) -> (String, String) {
        let (round, name) = (self.board.round, &self.board.name);
        (format!("第{round}轮第{name}台"), format!("Round {round}, board {name}"))
    }

    pub fn who(&self, player: Player) -> (String, String) {
        let (zh, en) = colour(self.variant, player);
        let name = name(match player {
            Player::First => &self.board.setup.first,
            Player::Second => &self.board.setup.second,
        });
        (format!("{zh}{name}"), format!("{en}{name}"))
    }

    pub fn whom(&self, offender: Option<Offender>) -> (String, String) {
        match offender {
            Some(Offender::First) => self.who(Player::First),
            Some(Offender::Second) => self.who(Player::Second),
            Some(Offender::Both) => ("双方".into(), "both players".into()),
            None => ("违者（待裁判指明）".into(), "the offender (an arbiter names him)".into()),
        }
    }

    fn times(&self, times: Option<[i64; 2]>) -> (String, String) {
        let Some([first, second]) = times else { return (String::new(), String::new()) };
        let (zh1, en1) = colour(self.variant, Player::First);
        let (zh2, en2) = colour(self.variant, Player::Second);
        let (first, second) = (clock_face(first), clock_face(second));
        (format!("（{zh1} {first}，{zh2} {second}）"), format!(" ({en1} {first}, {en2} {second})"))
    }

    /// An incident's sentence: where, what, and the times.
    pub fn incident(&self, zh: &str, en: &str, times: Option<[i64; 2]>) -> Text {
        let (place_zh, place_en) = self.place();
        let (times_zh, times_en) = self.times(times);
        Text { zh: format!("{place_zh}：{zh}{times_zh}"), en: format!("{place_en}: {en}{times_en}") }
    }

    /// A ruling's sentence: where, who, what, under which article, what follows, with the times.
    pub fn ruling(
        &self,
        kind: RulingKind,
        article: &str,
        offender: Option<Offender>,
        effect: &Effect,
        times: Option<[i64; 2]>,
        grounds: &Grounds,
    ) -> Text {
        let (place_zh, place_en) = self.place();
        let (whom_zh, whom_en) = self.whom(offender);
        let (what_zh, what_en) = kind_words(kind, article);
        let (follows_zh, follows_en) = effect_words(effect);
        let (times_zh, times_en) = self.times(times);
        let (grounds_zh, grounds_en) = crate::grounds::sentence(grounds);
        Text {
            zh: format!("{place_zh}：{whom_zh}{what_zh}。依{article}：{follows_zh}{times_zh}{grounds_zh}"),
            en: format!("{place_en}: {whom_en}: {what_en}. {article}: {follows_en}{times_en}{grounds_en}"),
        }
    }
}

impl Words<'_> {
    /// What would follow from something for these, and from the how manieth of it in the game.
    pub fn follows(&self, whom: Option<Offender>, which: Option<u32>, effect: &Effect) -> Text {
        let (whom_zh, whom_en) = self.whom(whom);
        let loses = effect.result.is_some_and(|result| result != Outcome::Draw);
        let (zh, en) = match (loses, whom) {
            // the shortest words for the heaviest thing
            (true, Some(Offender::Both)) => ("判负".to_owned(), "lose the game".to_owned()),
            (true, _) => ("判负".to_owned(), "loses the game".to_owned()),
            (false, _) => effect_words(effect),
        };
        let by_time = effect.deduct_ms.filter(|_| loses).map(clock_face);
        let (time_zh, time_en) = by_time.map_or_else(Default::default, |ms| {
            (format!("扣除用时{ms}后超时，"), format!(" with {ms} taken off"))
        });
        let (which_zh, which_en) = which.map_or_else(Default::default, |n| {
            (format!("本局第{n}次，"), format!("number {n} in this game: "))
        });
        let between = if loses { " " } else { ": " };
        Text {
            zh: format!("{which_zh}{whom_zh}：{time_zh}{zh}"),
            en: format!("{which_en}{whom_en}{between}{en}{time_en}"),
        }
    }
}

fn kind_words(kind: RulingKind, article: &str) -> (&'static str, &'static str) {
    match kind {
        RulingKind::TimeForfeit => ("超时", "exceeded the time"),
        RulingKind::Default => ("弃权（开赛后规定时间内未到）", "not at the board at the default time"),
        RulingKind::DoubleDefault => ("弃权（均未按时到场）", "neither at the board at the default time"),
        RulingKind::UnauthorisedStop => ("无故擅停棋钟", "stopped the clock without cause"),
        RulingKind::UnauthorisedStart => ("擅自开钟", "started the clock without cause"),
        RulingKind::EarlyPress => ("未走棋先按钟", "pressed the clock before moving"),
        RulingKind::IllegalMove => ("违反行棋规定", "broke the rules of movement"),
        RulingKind::FalseClaim => ("提出自然限着不属实", "natural-limit claim found false"),
        RulingKind::ShortDraw => ("禁止回合内协议和棋", "agreed a draw too early"),
        RulingKind::FoulLimit => ("犯规次数达到上限", "reached the limit of fouls"),
        RulingKind::Article => [Laws::Wugong, Laws::Fide, Laws::UsChess]
            .into_iter()
            .find_map(|laws| crate::articles::find(laws, article))
            .map_or(("违反规定", "broke an article"), |article| (article.zh, article.en)),
    }
}

fn effect_words(effect: &Effect) -> (String, String) {
    let mut zh = Vec::new();
    let mut en = Vec::new();
    if let Some(count) = effect.foul {
        zh.push(format!("记犯规{count}次"));
        en.push(format!("{count} foul{}", if count == 1 { "" } else { "s" }));
    }
    if let Some(ms) = effect.deduct_ms.filter(|ms| *ms > 0) {
        zh.push(format!("扣除用时{}", clock_face(ms)));
        en.push(format!("{} taken off", clock_face(ms)));
    }
    if let Some(ms) = effect.opponent_ms.filter(|ms| *ms > 0) {
        zh.push(format!("对方加时{}", clock_face(ms)));
        en.push(format!("{} for the opponent", clock_face(ms)));
    }
    if effect.restored {
        zh.push("用时恢复到按钟时，由其走棋".into());
        en.push("the times as at his press, and he is to move".into());
    }
    if let Some(count) = effect.team_foul {
        zh.push(format!("记其所在团队犯规{count}次"));
        en.push(format!("{count} foul{} for his team", if count == 1 { "" } else { "s" }));
    }
    if let Some(points) = effect.points.filter(|points| *points != Points::ZERO) {
        let (zh_word, en_word, by) = if points < Points::ZERO {
            ("扣本人积分", "taken off his own points", -points)
        } else {
            ("加本人积分", "added to his own points", points)
        };
        zh.push(format!("{zh_word}{by}分"));
        en.push(format!("{by} {en_word}"));
    }
    if let Some(result) = effect.result {
        let forfeit = if effect.forfeit { ("（弃权）", " by forfeit") } else { ("", "") };
        let (words_zh, words_en) = match result {
            Outcome::First => ("先手方胜", "the first player wins"),
            Outcome::Second => ("后手方胜", "the second player wins"),
            Outcome::Draw => ("和棋", "draw"),
            Outcome::None => ("双方判负", "both lose"),
        };
        zh.push(format!("{words_zh} {}{}", result.as_str(), forfeit.0));
        en.push(format!("{words_en}, {}{}", result.as_str(), forfeit.1));
    }
    if zh.is_empty() {
        zh.push("不作处罚".into());
        en.push("no penalty".into());
    }
    (zh.join("，"), en.join(", "))
}

#[cfg(test)]
mod tests {
    use super::clock_face;

    #[test]
    fn rule_45_a_face_rounds_up_and_shows_zero_only_at_zero() {
        assert_eq!(clock_face(59_001), "1:00");
        assert_eq!(clock_face(1), "0:01");
        assert_eq!(clock_face(0), "0:00");
        assert_eq!(clock_face(-10), "0:00");
        assert_eq!(clock_face(-10_000), "-0:10");
        assert_eq!(clock_face(3_600_000), "1:00:00");
    }
}
