//! What a ruling rests on, as a sentence: who proves the times, and why it did not confirm itself.

use flagfall_arbiter::{Grounds, Proof, ProofBy};

/// Chinese and English, empty where there is nothing to say.
pub(crate) fn sentence(grounds: &Grounds) -> (String, String) {
    let mut zh = Vec::new();
    let mut en = Vec::new();
    if let Some(proof) = &grounds.proof {
        let (one, other) = proved(proof);
        zh.push(one);
        en.push(other);
    }
    for remark in &grounds.remarks {
        zh.push(in_chinese(remark));
        en.push(remark.to_string());
    }
    if zh.is_empty() {
        return (String::new(), String::new());
    }
    (format!("。依据：{}", zh.join("；")), format!(". Grounds: {}", en.join("; ")))
}

fn proved(proof: &Proof) -> (String, String) {
    let bound = |ms: u64| {
        (
            format!("，误差不超过{}.{:03}秒", ms / 1_000, ms % 1_000),
            format!(" to {}.{:03} s", ms / 1_000, ms % 1_000),
        )
    };
    let (zh, en) = proof.bound_ms.map_or_else(Default::default, bound);
    match proof.by.filter(|_| proof.provable) {
        Some(ProofBy::Journal) => {
            (format!("余时由记录证实{zh}"), format!("the journal proves the times{en}"))
        }
        Some(ProofBy::ClockFace) => ("余时由棋钟显示证实".into(), "the clock still shows the times".into()),
        Some(ProofBy::Arbiter) => ("余时由裁判员证实".into(), "an arbiter saw the times".into()),
        Some(ProofBy::Opponent) => ("余时由对方证实".into(), "the opponent confirms the times".into()),
        None if proof.bound_ms.is_some() => (
            format!("余时未能证实{}", zh.replace("不超过", "可达")),
            format!("the times are not proved, they are known only{en}"),
        ),
        None => ("余时未能证实".into(), "the times are not proved".into()),
    }
}

/// The remarks that the rules make themselves; what a person wrote stays as he wrote it.
const REMARKS: &[(&str, &str)] = &[
    ("an arbiter confirms flags", "超时由裁判员确认"),
    (
        "a draw where the opponent cannot win; an arbiter sees the position",
        "对方无法取胜时判和，须裁判员看局面",
    ),
    ("the journal could not be written", "当时记录无法写入"),
    ("not heard as it happened", "并非实时收到"),
    ("nothing was known from which to reckon it", "此前无可供推算的用时"),
    ("the round has not begun", "本轮尚未开赛"),
    ("the players had claimed a result", "双方已报告结果"),
    ("the board was stopped", "当时已停钟"),
    ("the times were corrected within the last minute", "一分钟内曾校正用时"),
    ("the clock was made new under the game", "对局中棋钟被重置"),
    ("no start of this game was seen", "未见本局开钟"),
    ("a result stood when it fell", "旗落时已有结果"),
    ("recording was no longer required; the record must be complete", "已免记录；提和须记录完整"),
    ("a flag had fallen before the claim was entered", "提出之前旗已落"),
    ("entered at the clock by both players", "双方在棋钟上报告"),
    ("a signed result was withdrawn and the reverse of it signed", "已签名的成绩撤回后改为相反结果"),
    ("its time is past", "已过规定时间"),
    ("the foul is in the ledger already", "犯规已登记"),
];

/// Those with a number or a name in the middle.
const PATTERNS: &[(&str, &str, &str, &str)] = &[
    ("incident ", " is open", "问题", "未结"),
    ("ruling ", " waits", "判决", "待定"),
    ("", " ms away from our reckoning", "与推算相差", "毫秒"),
    ("made by ", "", "提出人：", ""),
    ("brought by ", "", "报告人：", ""),
];

fn in_chinese(remark: &str) -> String {
    if let Some((_, zh)) = REMARKS.iter().find(|(en, _)| *en == remark) {
        return (*zh).to_owned();
    }
    for (before, after, zh_before, zh_after) in PATTERNS {
        if let Some(middle) = remark.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)) {
            return format!("{zh_before}{middle}{zh_after}");
        }
    }
    remark.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{REMARKS, in_chinese, sentence};
    use flagfall_arbiter::{Grounds, Proof, ProofBy};

    #[test]
    fn grounds_are_read_in_both_languages() {
        let proof = Proof { provable: true, by: Some(ProofBy::Journal), bound_ms: Some(20) };
        let remarks = vec!["not heard as it happened".into(), "incident 7 is open".into()];
        let (zh, en) = sentence(&Grounds { events: vec![3], proof: Some(proof), remarks });
        assert_eq!(zh, "。依据：余时由记录证实，误差不超过0.020秒；并非实时收到；问题7未结");
        assert_eq!(
            en,
            ". Grounds: the journal proves the times to 0.020 s; not heard as it happened; incident 7 is open"
        );
        let unknown = Proof { provable: false, by: None, bound_ms: Some(230_792) };
        let (zh, en) = sentence(&Grounds { proof: Some(unknown), ..Grounds::default() });
        assert_eq!(zh, "。依据：余时未能证实，误差可达230.792秒");
        assert_eq!(en, ". Grounds: the times are not proved, they are known only to 230.792 s");
        assert_eq!(sentence(&Grounds::default()), (String::new(), String::new()));
    }

    /// Every remark written in the sources is known here, or a pattern fits it.
    #[test]
    fn no_remark_is_left_in_english_alone() {
        let sources = [
            include_str!("flag.rs"),
            include_str!("claims.rs"),
            include_str!("game.rs"),
            include_str!("made.rs"),
            include_str!("signing.rs"),
            include_str!("tasks.rs"),
            include_str!("stop.rs"),
        ];
        let mut seen = 0;
        for line in sources.iter().flat_map(|source| source.lines()) {
            let made = line.contains("remarks.push(") || line.contains("remarks") || line.contains("why: &");
            let Some(text) = line.split('"').nth(1).filter(|_| made) else { continue };
            let text = text.replace("{off}", "1200").replace("{id}", "7").replace("{}", "a name");
            assert_ne!(in_chinese(&text), text, "no Chinese for `{text}`");
            seen += 1;
        }
        assert!(seen >= 12, "only {seen} remarks were found: does the test still read them?");
        assert!(REMARKS.iter().all(|(en, zh)| !en.is_empty() && !zh.is_ascii()));
    }
}
