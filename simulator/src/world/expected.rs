//! Whether something told is what an `[[expect]]` asks for.

use super::World;
use super::told::{Kept, Mark, name};
use super::verdict::Finding;
use crate::scenario::Expect;
use flagfall_arbiter::{Incident, Ruling};

/// Times fit within this, in milliseconds: a message takes its way, a crystal has its own second.
const TIMES: i64 = 1_000;

impl World {
    pub(super) fn expected(&self, expect: &Expect) -> Finding {
        let told = &self.told;
        let place = |round: Option<u32>, board: &Option<String>| {
            (expect.round.is_none() || expect.round == round)
                && (expect.board.is_none() || expect.board == *board)
        };
        let rulings = told.rulings.values().filter(|told| told.it.kind.as_str() == expect.kind);
        let incidents = told.incidents.values().filter(|told| name(&told.it.kind) == expect.kind);
        let marks = told.marks.iter().filter(|mark| mark.kind == expect.kind);
        let here: Vec<(bool, String)> = rulings
            .filter(|told| place(told.round, &told.board))
            .map(|told| (ruling_fits(expect, told), ruling_words(told)))
            .chain(incidents.filter(|told| place(told.round, &told.board)).map(|told| {
                (incident_fits(expect, told), format!("{} {}", name(&told.it.lane), name(&told.it.state)))
            }))
            .chain(
                marks
                    .filter(|mark| place(mark.round, &mark.board))
                    .map(|mark| (mark_fits(expect, mark), mark_words(mark))),
            )
            .collect();
        let bare = told.counts.contains_key(expect.kind.as_str()) && is_bare(expect);
        let holds = here.iter().any(|(fits, _)| *fits) || here.is_empty() && bare;
        let found = match here.iter().find(|(fits, _)| *fits == holds) {
            Some((_, words)) => words.clone(),
            None if bare => "told".into(),
            None => "nothing of the kind".into(),
        };
        Finding { expected: words(expect), holds, found }
    }
}

const fn is_bare(expect: &Expect) -> bool {
    expect.board.is_none() && expect.round.is_none() && expect.offender.is_none() && expect.state.is_none()
}

fn fits<T: PartialEq>(wanted: &Option<T>, is: Option<&T>) -> bool {
    wanted.as_ref().is_none_or(|wanted| Some(wanted) == is)
}

fn ruling_fits(expect: &Expect, told: &Kept<Ruling>) -> bool {
    let ruling = &told.it;
    fits(&expect.article, Some(&ruling.article.to_string()))
        && fits(&expect.offender, ruling.offender.as_ref())
        && fits(&expect.effect, Some(&ruling.effect))
        && fits(&expect.result, ruling.effect.result.as_ref())
        && fits(&expect.state, Some(&name(&ruling.state)))
        && fits(&expect.provable, ruling.grounds.proof.as_ref().map(|proof| &proof.provable))
}

fn ruling_words(told: &Kept<Ruling>) -> String {
    let ruling = &told.it;
    let offender = ruling.offender.map_or_else(|| "-".into(), |offender| name(&offender));
    let effect = serde_json::to_string(&ruling.effect).unwrap_or_default();
    let proof =
        ruling.grounds.proof.map_or("", |proof| if proof.provable { " provable" } else { " not provable" });
    format!("{} {offender} {effect} {}{proof}", ruling.article, name(&ruling.state))
}

fn incident_fits(expect: &Expect, told: &Kept<Incident>) -> bool {
    fits(&expect.state, Some(&name(&told.it.state)))
}

fn near(wanted: Option<i64>, is: Option<i64>) -> bool {
    wanted.is_none_or(|wanted| is.is_some_and(|is| (wanted - is).abs() <= TIMES))
}

fn mark_fits(expect: &Expect, mark: &Mark) -> bool {
    fits(&expect.offender, mark.offender.as_ref())
        && fits(&expect.state, mark.state.as_ref())
        && fits(&expect.article, mark.article.as_ref())
        && fits(&expect.both_late, mark.both_late.as_ref())
        && near(expect.first_ms, mark.times.map(|times| times.0))
        && near(expect.second_ms, mark.times.map(|times| times.1))
}

fn mark_words(mark: &Mark) -> String {
    let mut words = mark.offender.map_or_else(String::new, |offender| name(&offender));
    for more in [&mark.state, &mark.article].into_iter().flatten() {
        words += &format!(" {more}");
    }
    if let Some((first, second)) = mark.times {
        words += &format!(" {first}/{second} ms");
    }
    words
}

fn words(expect: &Expect) -> String {
    let mut words = expect.kind.clone();
    let mut add = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            words += &format!(" {key}={value}");
        }
    };
    add("round", expect.round.map(|round| round.to_string()));
    add("board", expect.board.clone());
    add("article", expect.article.clone());
    add("offender", expect.offender.map(|offender| name(&offender)));
    add("effect", expect.effect.as_ref().map(|effect| serde_json::to_string(effect).unwrap_or_default()));
    add("result", expect.result.map(|result| result.as_str().to_owned()));
    add("state", expect.state.clone());
    add("provable", expect.provable.map(|provable| provable.to_string()));
    add("first_ms", expect.first_ms.map(|ms| ms.to_string()));
    add("second_ms", expect.second_ms.map(|ms| ms.to_string()));
    add("both_late", expect.both_late.map(|both| both.to_string()));
    words
}
