//! `pairings = "round1.csv"`: a round's boards or matches as a pairing program writes them, read by the rules.

use super::Surroundings;
use super::listed::{InHall, seated, tell};
use super::page::{Page, Section};
use flagfall_rules::BoardSetup;
use flagfall_rules::pairing::{self, Encoding, Finding, Rows, spread};

/// The boards of a round's file.
pub(super) fn read(round: &Section<'_>, hall: &InHall, around: Surroundings<'_>) -> Vec<BoardSetup> {
    let Some(file) = round.name("pairings") else { return Vec::new() };
    let path = round.page.beside(&file.value);
    let bytes = match (around.read)(&path) {
        Ok(bytes) => bytes,
        Err(cause) => {
            round.fault("pairings", format!("{} cannot be read: {cause}", path.display()));
            return Vec::new();
        }
    };
    let (text, encoding) = match pairing::decode(&bytes) {
        Ok(read) => read,
        Err(what) => {
            round.fault("pairings", format!("{} {what}", path.display()));
            return Vec::new();
        }
    };
    if encoding == Encoding::Gb18030 {
        round.doubt("pairings", format!("{} is read as GB18030; look at the names", path.display()));
    }
    let page = Page { file: &path, text: &text, findings: round.page.findings };
    let mut findings = Vec::new();
    let drafts = match pairing::read(&text, &mut findings) {
        Some(Rows::Boards(drafts)) => drafts,
        Some(Rows::Matches(pairs)) => spread(&pairs, &hall.known(), &mut findings),
        None => {
            tell(page, "", findings);
            return Vec::new();
        }
    };
    if let Some(really) = pairing::misread(&text) {
        let word: String = really.chars().filter(|c| !c.is_ascii()).take(12).collect();
        let message =
            format!("was read in a wrong encoding once (it really says `{word}`); save it anew as UTF-8");
        findings.push(Finding::of_all(message));
    }
    seated(page, "", hall, drafts, findings)
}
