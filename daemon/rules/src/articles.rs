//! The articles that an arbiter can name: what each is about and what it gives, by the laws in force.
//!
//! Only what the sources say is here. Of US Chess few article numbers were read; what has none of its own goes under
//! the director's discretion (1C2).

use crate::Laws;
use flagfall_arbiter::{Refused, RulingKind};

/// What an article gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    /// A foul.
    Foul,
    /// A foul or the game, as the arbiter finds (三(2): 根据情况记犯规或判负).
    FoulOrLoss,
    /// A foul for each so many moves that are not written down (五.1).
    MissedRecord,
    /// What the regulations say of a press before moving.
    EarlyPress,
    /// What the regulations say of a move against the rules of movement.
    IllegalMove,
    /// What the regulations say of a natural limit wrongly claimed.
    FalseClaim,
    /// A foul of both; the second time both lose (八.8).
    Idle,
    /// A foul of the team (八.11).
    Team,
    /// A foul of both, whose result was signed the wrong way round (九.2).
    Reversed,
    /// The game.
    Loss,
    /// The game for both (六.6).
    BothLose,
    /// The game or a foul, as the event says (六.11).
    Phone,
    /// The game, for a draw agreed too early or not avoided (六.7).
    ShortDraw,
    /// A warning, minutes or the game, as the arbiter chooses (FIDE 12.9).
    Discretion,
    /// Nothing by itself.
    Nothing,
}

impl Gives {
    /// The kind of ruling under which such an offence is counted in its game.
    pub(crate) const fn kind(self) -> Option<RulingKind> {
        match self {
            Self::EarlyPress => Some(RulingKind::EarlyPress),
            Self::IllegalMove => Some(RulingKind::IllegalMove),
            Self::FalseClaim => Some(RulingKind::FalseClaim),
            _ => None,
        }
    }
}

/// An article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Article {
    pub key: &'static str,
    pub gives: Gives,
    pub zh: &'static str,
    pub en: &'static str,
}

const fn article(key: &'static str, gives: Gives, zh: &'static str, en: &'static str) -> Article {
    Article { key, gives, zh, en }
}

/// The supplementary regulations of 2012.
const WUGONG: &[Article] = &[
    article("三(1)", Gives::Nothing, "超时", "exceeded the time"),
    article("三(2)", Gives::FoulOrLoss, "擅自开、停计时钟", "started or stopped the clock himself"),
    article("三(3)", Gives::Nothing, "计时钟故障", "a fault of the clock"),
    article("四.1", Gives::Nothing, "迟到", "late"),
    article("四.2", Gives::Nothing, "双方迟到", "both late"),
    article("五.1", Gives::MissedRecord, "漏记着法", "moves not written down"),
    article("五.3", Gives::Foul, "赛后未补全记录", "did not complete his record after the game"),
    article("五.4", Gives::Foul, "记录不清，未誊清补正", "did not write his unclear record again"),
    article(
        "五.5",
        Gives::Foul,
        "未按时到直播间录谱或录谱严重错误",
        "did not enter the game for the broadcast in time, or with grave errors",
    ),
    article(
        "六.1",
        Gives::Loss,
        "离手后将帅对面、送吃或未应将",
        "left his general to be taken, or facing the other",
    ),
    article("六.2", Gives::IllegalMove, "违反行棋规定", "broke the rules of movement"),
    article("六.3", Gives::EarlyPress, "未走棋先按钟", "pressed the clock before moving"),
    article("六.4", Gives::Nothing, "全程累计犯规", "fouls over the event"),
    article("六.5", Gives::Loss, "同局第二次提出自然限着不属实", "a second natural-limit claim found false"),
    article("六.6", Gives::BothLose, "不正当交易，相互让分、媾和", "collusion"),
    article(
        "六.7",
        Gives::ShortDraw,
        "规定回合内协议和棋或不变着",
        "a draw within the rounds in which none is allowed",
    ),
    article("六.8", Gives::Loss, "不服最终裁定或无理取闹", "refused a final ruling, or made play impossible"),
    article("六.9", Gives::Loss, "无故擅停棋钟且无法证实余时", "stopped the clock; the times are not proved"),
    article("六.10", Gives::Loss, "舞弊行为", "cheated"),
    article("六.11", Gives::Phone, "手机铃响", "his telephone rang"),
    article("七.1", Gives::Nothing, "双方均无取胜可能", "neither can win"),
    article("七.2", Gives::Nothing, "官和局面", "a book draw"),
    article("七.3", Gives::Nothing, "循环不变作和", "a draw by repetition"),
    article("七.4", Gives::FalseClaim, "提出自然限着不属实", "a natural-limit claim found false"),
    article("八.1", Gives::Foul, "干扰对方", "disturbed his opponent"),
    article("八.2", Gives::Foul, "无故擅停棋钟", "stopped the clock without cause"),
    article("八.3", Gives::FalseClaim, "提出自然限着不属实", "a natural-limit claim found false"),
    article(
        "八.4",
        Gives::Foul,
        "摸触不能走动或不能吃的棋子",
        "touched a piece that cannot move or be taken",
    ),
    article("八.5", Gives::Foul, "记录违反规定", "his record breaks the rules"),
    article("八.6", Gives::EarlyPress, "未走棋先按钟", "pressed the clock before moving"),
    article("八.7", Gives::IllegalMove, "违反行棋规定", "broke the rules of movement"),
    article(
        "八.8",
        Gives::Idle,
        "等待、观望，经警告不改",
        "waiting and watching instead of playing, after a warning",
    ),
    article("八.9", Gives::Foul, "违反运动员须知", "broke the players' rules"),
    article("八.10", Gives::Foul, "赛后拒不退场", "did not leave the hall after the game"),
    article(
        "八.11",
        Gives::Team,
        "为同队支招或提醒按钟",
        "prompted a team mate, or reminded him of the clock",
    ),
    article("八.12", Gives::Nothing, "犯规的指出与宣布", "how fouls are reported and announced"),
    article("八.13", Gives::Nothing, "棋子落在两点之间", "a piece between two points"),
    article("九.2", Gives::Reversed, "成绩签名胜负颠倒", "signed the result the wrong way round"),
];

/// The FIDE Laws of Chess of 2023, as far as they touch clock, conduct and result.
const FIDE: &[Article] = &[
    article("6.2.3", Gives::Discretion, "行棋与按钟未用同一只手", "moved and pressed with different hands"),
    article("6.2.4", Gives::Discretion, "手指停留在钟上", "kept a finger on the clock"),
    article("6.7.1", Gives::Nothing, "迟到", "late"),
    article("6.9", Gives::Nothing, "超时", "exceeded the time"),
    article("6.11.4", Gives::Discretion, "无正当理由停钟", "stopped the clock without a valid reason"),
    article("7.5.1", Gives::IllegalMove, "违例着法", "an illegal move"),
    article("7.5.2", Gives::IllegalMove, "升变未换子", "did not replace the pawn"),
    article("7.5.3", Gives::EarlyPress, "未走棋先按钟", "pressed the clock without a move"),
    article("7.5.4", Gives::IllegalMove, "双手走棋并按钟", "used both hands and pressed"),
    article("8.1.1", Gives::Discretion, "未按规定记录", "did not record as required"),
    article("9.1", Gives::ShortDraw, "规定步数内议和", "a draw offered before it is allowed"),
    article("9.5", Gives::FalseClaim, "提和不成立", "a draw claim found wrong"),
    article("11.3.2", Gives::Loss, "携带电子设备", "an electronic device"),
    article("11.5", Gives::Discretion, "干扰对方", "disturbed his opponent"),
    article("11.7", Gives::Loss, "拒不服从", "refused to comply with the Laws"),
    article("12.9", Gives::Discretion, "由裁判酌情处罚", "as the arbiter sees fit"),
];

/// The few US Chess rules whose numbers were read.
const US_CHESS: &[Article] = &[
    article("13C1", Gives::Nothing, "超时", "exceeded the time"),
    article("13D1", Gives::Nothing, "迟到", "late"),
    article("1C2", Gives::Discretion, "由裁判长酌情处理", "as the director sees fit"),
];

/// All articles of these laws.
pub(crate) const fn all(laws: Laws) -> &'static [Article] {
    match laws {
        Laws::Wugong => WUGONG,
        Laws::Fide => FIDE,
        Laws::UsChess => US_CHESS,
    }
}

/// The article of this key.
pub(crate) fn find(laws: Laws, key: &str) -> Option<&'static Article> {
    all(laws).iter().find(|article| article.key == key)
}

/// The article that a person names, in whichever brackets.
pub(crate) fn named(laws: Laws, said: &str) -> Result<&'static Article, Refused> {
    let key: String = said
        .trim()
        .chars()
        .filter_map(|c| match c {
            '（' => Some('('),
            '）' => Some(')'),
            '．' | '。' => Some('.'),
            c if c.is_whitespace() => None,
            c => Some(c),
        })
        .collect();
    find(laws, &key).ok_or_else(|| {
        let short: String = said.chars().take(24).collect();
        let keys: Vec<&str> = all(laws).iter().map(|article| article.key).collect();
        Refused::new(
            Refused::PARAMS,
            format!("`{short}` is no article of {}; there are {}", book(laws), keys.join(", ")),
        )
    })
}

const fn book(laws: Laws) -> &'static str {
    match laws {
        Laws::Wugong => "the regulations of 2012",
        Laws::Fide => "the FIDE Laws that is ruled on here",
        Laws::UsChess => "the US Chess rules that is ruled on here",
    }
}

/// The article of a kind of ruling.
pub(crate) const fn of_kind(laws: Laws, kind: RulingKind) -> &'static str {
    match (laws, kind) {
        (Laws::Wugong, RulingKind::TimeForfeit) => "三(1)",
        (Laws::Wugong, RulingKind::Default) => "四.1",
        (Laws::Wugong, RulingKind::DoubleDefault) => "四.2",
        (Laws::Wugong, RulingKind::UnauthorisedStop) => "八.2",
        (Laws::Wugong, RulingKind::UnauthorisedStart) => "三(2)",
        (Laws::Wugong, RulingKind::EarlyPress) => "六.3",
        (Laws::Wugong, RulingKind::IllegalMove) => "六.2",
        (Laws::Wugong, RulingKind::FalseClaim) => "七.4",
        (Laws::Wugong, RulingKind::ShortDraw) => "六.7",
        (Laws::Wugong, RulingKind::FoulLimit) => "六.4",
        (Laws::Wugong, RulingKind::Article) => "八.9",
        (Laws::Fide, RulingKind::TimeForfeit) => "6.9",
        (Laws::Fide, RulingKind::Default | RulingKind::DoubleDefault) => "6.7.1",
        (Laws::Fide, RulingKind::UnauthorisedStop | RulingKind::UnauthorisedStart) => "6.11.4",
        (Laws::Fide, RulingKind::EarlyPress) => "7.5.3",
        (Laws::Fide, RulingKind::IllegalMove) => "7.5.1",
        (Laws::Fide, RulingKind::FalseClaim) => "9.5",
        (Laws::Fide, RulingKind::ShortDraw) => "9.1",
        (Laws::Fide, RulingKind::FoulLimit | RulingKind::Article) => "12.9",
        (Laws::UsChess, RulingKind::TimeForfeit) => "13C1",
        (Laws::UsChess, RulingKind::Default | RulingKind::DoubleDefault) => "13D1",
        (Laws::UsChess, _) => "1C2",
    }
}

/// The article under which an offence that repeats loses the game.
pub(crate) const fn of_loss(laws: Laws, kind: RulingKind) -> &'static str {
    match (laws, kind) {
        (Laws::Wugong, RulingKind::FalseClaim) => "六.5",
        (Laws::Wugong, RulingKind::UnauthorisedStop) => "六.9",
        (Laws::Fide, RulingKind::EarlyPress | RulingKind::IllegalMove) => "7.5.5",
        (Laws::Fide, RulingKind::UnauthorisedStop | RulingKind::UnauthorisedStart) => "12.9",
        (laws, kind) => of_kind(laws, kind),
    }
}

#[cfg(test)]
mod tests {
    use super::{Gives, all, find, named, of_kind, of_loss};
    use crate::Laws;
    use flagfall_arbiter::RulingKind;

    #[test]
    fn an_article_is_found_in_any_brackets_and_an_unknown_one_is_named() {
        assert_eq!(named(Laws::Wugong, " 三（2） ").unwrap().key, "三(2)");
        assert_eq!(named(Laws::Fide, "7.5.3").unwrap().gives, Gives::EarlyPress);
        let refused = named(Laws::Wugong, "六.99").unwrap_err();
        assert!(
            refused.message.starts_with("`六.99` is no article of the regulations of 2012"),
            "{refused:?}"
        );
        assert!(named(Laws::Fide, "六.3").is_err(), "the laws in force count");
    }

    #[test]
    fn every_kind_has_an_article_that_exists() {
        let kinds = [
            RulingKind::TimeForfeit,
            RulingKind::Default,
            RulingKind::DoubleDefault,
            RulingKind::UnauthorisedStop,
            RulingKind::UnauthorisedStart,
            RulingKind::EarlyPress,
            RulingKind::IllegalMove,
            RulingKind::FalseClaim,
            RulingKind::ShortDraw,
            RulingKind::FoulLimit,
            RulingKind::Article,
        ];
        for laws in [Laws::Wugong, Laws::Fide, Laws::UsChess] {
            for kind in kinds {
                assert!(find(laws, of_kind(laws, kind)).is_some(), "{laws:?} {kind:?}");
                let lost = of_loss(laws, kind);
                assert!(lost == "7.5.5" || find(laws, lost).is_some(), "{laws:?} {kind:?}");
            }
            let mut keys: Vec<&str> = all(laws).iter().map(|article| article.key).collect();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), all(laws).len(), "no key twice");
        }
    }
}
