//! `matches = [[1, 13], [14, 2]]`: team matches, spread over boards by the rules.

use super::listed::{InHall, seated};
use super::page::Section;
use flagfall_arbiter::TeamName;
use flagfall_rules::BoardSetup;
use flagfall_rules::pairing::{Finding, Pair, spread};
use toml::Spanned;
use toml::de::DeValue;

/// The boards of a round's matches.
pub(super) fn read(round: &Section<'_>, hall: &InHall) -> Vec<BoardSetup> {
    let Some(found) = round.raw("matches") else { return Vec::new() };
    let DeValue::Array(array) = found.get_ref() else {
        round.wrong_type("matches", found.get_ref(), "a list of team numbers by two, `[[1, 13], [14, 2]]`");
        return Vec::new();
    };
    let (mut pairs, mut findings) = (Vec::new(), Vec::new());
    for (match_no, value) in (1..).zip(array) {
        let row = round.page.line(value.span().start);
        match pair(value) {
            Some(teams) => pairs.push(Pair { match_no: Some(match_no), teams, row }),
            None => findings.push(Finding::at(
                row,
                format!("match {match_no} is not two team numbers; write it as `[14, 2]`"),
            )),
        }
    }
    let drafts = spread(&pairs, &hall.known(), &mut findings);
    seated(round.page, &round.key("matches"), hall, drafts, findings)
}

fn pair(value: &Spanned<DeValue<'_>>) -> Option<[TeamName; 2]> {
    let array = value.get_ref().as_array()?;
    let number = |value: &Spanned<DeValue<'_>>| value.get_ref().as_integer()?.as_str().parse().ok();
    let numbers: Option<Vec<u32>> = array.iter().map(number).collect();
    Some(<[u32; 2]>::try_from(numbers?).ok()?.map(TeamName::Number))
}
