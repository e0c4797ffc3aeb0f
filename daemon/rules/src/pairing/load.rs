//! `round.load`: reads a list, says what cannot be and what looks wrong, and loads the round by one decision.
//! Never touches a clock.

use super::list::{Read, list};
use super::{Doubt, Draft, Finding, Known, check, of_the_list, seat};
use crate::board::BoardIx;
use crate::change::Change;
use crate::turn::Turn;
use crate::{PlayerSetup, TableSetup, Who};
use flagfall_arbiter::{IncidentState, PairingList, Refused, RulingState};
use serde_json::{Value, json};

/// The last round there can be.
const LAST: u32 = 99;
/// So many findings stand in the message itself; all stand in its data.
const IN_MESSAGE: usize = 3;

/// Why the round itself cannot be loaded now.
struct Standing(Finding);

impl Turn<'_> {
    pub(crate) fn round_load(
        &mut self,
        _who: &Who,
        round: Option<u32>,
        pairings: &PairingList,
        dry_run: bool,
        replace: bool,
    ) -> Result<Value, Refused> {
        let number = match round {
            Some(number @ 1..=LAST) => number,
            Some(number) => {
                let message = format!("round.load: round {number}; rounds have numbers from 1 to {LAST}");
                return Err(Refused::new(Refused::PARAMS, message));
            }
            None => self.round_to_load()?,
        };
        let tables: Vec<TableSetup> = self.s.tables.values().map(|(table, _)| table.clone()).collect();
        let known = Known { tables: &tables, teams: &self.s.setup.teams, tables_come: true, row: "row" };
        let mut findings = Vec::new();
        let row = super::list::row(pairings);
        let Read { mut drafts, mut doubts, misread } = list(pairings, known, &mut findings);
        let known = Known { row, ..known };
        seat(&mut drafts, &known);
        check(&mut drafts, &known, &mut findings);
        if let Some(really) = misread.filter(|_| known.teams.is_empty() || !findings.is_empty()) {
            findings = vec![garbled(&really)];
        }
        doubts.extend(of_the_list(&drafts, &known));
        doubts.extend(self.s.doubts_of(number, &drafts));
        let standing = self.loadable(number, round.is_none(), replace, &drafts);
        if standing.is_some() || !findings.is_empty() {
            return Err(refused(number, standing, &findings, row));
        }
        let answer = answer(number, &drafts, &doubts);
        if !dry_run {
            self.load(number, drafts);
        }
        Ok(answer)
    }

    /// The lowest round without boards; the next one where all have some.
    fn round_to_load(&self) -> Result<u32, Refused> {
        let empty = self.s.rounds.values().find(|round| round.order.is_empty() && !round.closed);
        let next = self.s.rounds.last_key_value().map_or(1, |(last, _)| last + 1);
        match empty.map_or(next, |round| round.number) {
            number @ 1..=LAST => Ok(number),
            _ => Err(Refused::new(Refused::STATE, "round.load: every round has its boards; name the round")),
        }
    }

    /// What stands against loading this round, if anything.
    fn loadable(&self, number: u32, unnamed: bool, replace: bool, drafts: &[Draft]) -> Option<Standing> {
        let say = |message: String| Some(Standing(Finding::of_all(message)));
        let same = |round: &crate::state::Round| {
            let mut boards = round.order.iter().map(|ix| &self.board(*ix).setup);
            round.order.len() == drafts.len()
                && drafts.iter().all(|draft| {
                    boards.next().is_some_and(|board| {
                        (&board.first, &board.second) == (&draft.board.first, &draft.board.second)
                    })
                })
        };
        let loaded = self.s.rounds.values().filter(|round| !round.order.is_empty());
        if unnamed
            && !drafts.is_empty()
            && let Some(again) = loaded.max_by_key(|round| round.number).filter(|round| same(round))
        {
            let number = again.number;
            return say(format!(
                "these are the boards of round {number}, loaded already; if they are meant for another round, name it as `round`"
            ));
        }
        let round = self.s.rounds.get(&number)?;
        if round.order.is_empty() && !round.closed {
            return None;
        }
        let count = round.order.len();
        if round.closed || round.started.is_some() {
            let how = if round.closed { "is closed" } else { "has begun" };
            return say(format!("round {number} {how}; its {count} boards stay as they are"));
        }
        if !replace {
            let finding = Finding::of_all(format!("round {number} is loaded already with {count} boards"));
            return Some(Standing(finding.or(Some("replace: true"))));
        }
        let decided = round.order.iter().map(|ix| self.board(*ix)).find(|board| {
            let ruled = |id: &u64| {
                self.s.rulings.get(id).is_some_and(|placed| placed.it.state == RulingState::Confirmed)
            };
            board.decided() || board.rulings.iter().any(ruled)
        });
        decided.and_then(|board| {
            let what = if board.decided() { "a result" } else { "a ruling in force" };
            say(format!(
                "round {number}: board {} has {what}; take it back before the round is loaded anew",
                board.name
            ))
        })
    }

    fn load(&mut self, number: u32, drafts: Vec<Draft>) {
        let old: Vec<BoardIx> =
            self.s.rounds.get(&number).map(|round| round.order.clone()).unwrap_or_default();
        self.let_go(number);
        let boards = drafts.into_iter().map(|draft| draft.board).collect();
        self.change(Change::Loaded { round: number, at: self.at, boards });
        self.moved.extend(old);
    }

    /// What is open on the boards of a round that is loaded anew is closed: nobody is asked about them.
    fn let_go(&mut self, number: u32) {
        let open = |placed: &&crate::state::Placed<flagfall_arbiter::Incident>| {
            placed.round == Some(number) && placed.it.state == IncidentState::Open
        };
        let incidents: Vec<u64> = self.s.incidents.values().filter(open).map(|placed| placed.it.id).collect();
        for id in incidents {
            self.close(id, self.at, "replaced");
        }
        let proposed = |placed: &&crate::state::Placed<flagfall_arbiter::Ruling>| {
            placed.round == Some(number) && placed.it.state == RulingState::Proposed
        };
        let rulings: Vec<u64> = self.s.rulings.values().filter(proposed).map(|placed| placed.it.id).collect();
        for id in rulings {
            self.withdraw(id, "the round was loaded anew");
        }
    }
}

fn garbled(really: &str) -> Finding {
    let word = really.split(|c: char| c.is_ascii()).max_by_key(|word| word.chars().count()).unwrap_or("");
    let word: String = word.chars().take(12).collect();
    Finding::of_all(format!(
        "the text was read in a wrong encoding (it really says `{word}`); send the file's bytes as `csv_base64`, or save it as UTF-8"
    ))
}

fn refused(number: u32, standing: Option<Standing>, findings: &[Finding], row: &str) -> Refused {
    let code = if standing.is_some() { Refused::STATE } else { Refused::PARAMS };
    let standing = standing.map(|standing| (format!("round {number}"), standing.0));
    let place = |finding: &Finding| match (finding.row, finding.column) {
        (None, _) => "the list".to_owned(),
        (Some(at), "") => format!("{row} {at}"),
        (Some(at), column) => format!("{row} {at}, {column}"),
    };
    let all: Vec<(String, Finding)> = standing
        .into_iter()
        .chain(findings.iter().map(|finding| (place(finding), finding.clone())))
        .collect();
    let said = all.iter().take(IN_MESSAGE).map(|(place, finding)| match &finding.proposal {
        // what a request is to say is no name
        Some(what) if place.starts_with("round ") => {
            format!("{}; say `{what}` to load it anew", finding.message)
        }
        _ if place.starts_with("round ") => finding.message.clone(),
        _ => format!("{place}: {finding}"),
    });
    let said = said.collect::<Vec<_>>().join(" | ");
    let more = match all.len().saturating_sub(IN_MESSAGE) {
        0 => String::new(),
        more => format!(" | and {more} more"),
    };
    let findings: Vec<Value> = all
        .iter()
        .map(|(place, finding)| {
            let mut value = json!({ "where": place, "message": finding.message });
            if let Some(proposal) = &finding.proposal {
                value["proposal"] = json!(proposal);
            }
            value
        })
        .collect();
    Refused {
        data: Some(json!({ "findings": findings })),
        ..Refused::new(code, format!("round {number} is not loaded: {said}{more}"))
    }
}

fn answer(number: u32, drafts: &[Draft], doubts: &[Doubt]) -> Value {
    let player = |player: &PlayerSetup| json!({ "name": player.name, "team": player.team });
    let boards: Vec<Value> = drafts
        .iter()
        .map(|Draft { board, .. }| {
            json!({
                "board": board.board,
                "table": board.table,
                "match": board.match_no,
                "first": player(&board.first),
                "second": player(&board.second),
            })
        })
        .collect();
    json!({ "round": number, "boards": boards, "doubts": doubts })
}
