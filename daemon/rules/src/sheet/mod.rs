//! Results of a match from its sheet: all boards in one decision, checked before the first is entered.

mod marks;

use crate::Who;
use crate::board::{Board, BoardIx};
use crate::change::Act;
use crate::results::Against;
use crate::standings::score::{match_points, points};
use crate::turn::Turn;
use flagfall_arbiter::{
    Cause, Outcome, Player, Points, Refused, ResultEntry, SheetResult, SheetResults, Status,
};
use marks::{Mark, marks};
use serde_json::{Value, json};

/// What a sheet says of a board; nothing where it leaves the board open.
type Said = Option<(Outcome, bool, Option<Cause>)>;

/// A match as loaded.
pub(crate) struct Played {
    /// Its boards, in board order, each with the player of the team listed first.
    pub boards: Vec<(BoardIx, Player)>,
    /// The team listed first, and the other.
    pub teams: [String; 2],
}

impl Turn<'_> {
    /// The boards of a match. The team listed first has the first move on its first board (二.4); where no
    /// teams are named, parity says who is of which.
    pub(crate) fn played(&self, round: u32, match_no: u32) -> Option<Played> {
        let order = &self.s.rounds.get(&round)?.order;
        let boards: Vec<BoardIx> =
            order.iter().copied().filter(|ix| self.board(*ix).setup.match_no == Some(match_no)).collect();
        let setup = &self.board(*boards.first()?).setup;
        let teams = [setup.first.team.clone(), setup.second.team.clone()];
        let listed_first = |(place, ix): (usize, BoardIx)| {
            let setup = &self.board(ix).setup;
            let by_parity = if place % 2 == 0 { Player::First } else { Player::Second };
            let of = |team: &str| (team == setup.first.team, team == setup.second.team);
            let player = match of(&teams[0]) {
                (true, false) => Player::First,
                (false, true) => Player::Second,
                _ => by_parity,
            };
            (ix, player)
        };
        let boards = boards.into_iter().enumerate().map(listed_first).collect();
        Some(Played { boards, teams })
    }

    pub(crate) fn match_results(
        &mut self,
        who: &Who,
        round: Option<u32>,
        match_no: u32,
        results: &SheetResults,
        (cause, status): (&Cause, Status),
    ) -> Result<Value, Refused> {
        let number = self.which_round(round)?;
        let Some(played) = self.played(number, match_no) else {
            let all = self.s.rounds.get(&number).into_iter().flat_map(|round| &round.order);
            let last = all.filter_map(|ix| self.board(*ix).setup.match_no).max();
            let has = last
                .map_or("its boards belong to no match; enter each by board.result".to_owned(), |last| {
                    format!("its matches are 1 to {last}")
                });
            return Err(Refused::new(
                Refused::UNKNOWN,
                format!("round {number} has no match {match_no}: {has}"),
            ));
        };
        let said = self.said(match_no, &played, results)?;
        let mut entries: Vec<(BoardIx, ResultEntry, Vec<Against>)> = Vec::new();
        let mut conflicts = Vec::new();
        for (&(ix, _), said) in played.boards.iter().zip(said) {
            let Some((result, forfeit, own)) = said else { continue };
            let stated = own.unwrap_or_else(|| if forfeit { Cause::Default } else { cause.clone() });
            let entry = ResultEntry { result, cause: stated, status, forfeit, over: None, rounds: None };
            if self.stands(ix, &entry) {
                continue;
            }
            match self.check_entry(who, ix, &entry) {
                Ok(against) => entries.push((ix, entry, against)),
                Err(refused) => conflicts.push((self.board(ix).name.clone(), refused)),
            }
        }
        if let Some((_, first)) = conflicts.first() {
            let all: Vec<Value> = conflicts
                .iter()
                .map(|(board, refused)| json!({ "board": board, "message": refused.message }))
                .collect();
            let message = format!("match {match_no} is not entered: {}", first.message);
            return Err(Refused {
                data: Some(json!({ "conflicts": all })),
                ..Refused::new(first.code, message)
            });
        }
        let since = self.s.head;
        let mut before = Vec::new();
        for (ix, entry, against) in entries {
            before.push(self.put_in(who, ix, &entry, against));
        }
        if let Some((first, _)) = before.first() {
            self.acted(since, Act::Sheet(first.clone(), before));
        }
        Ok(self.sheet(number, match_no, &played))
    }

    /// A board that has this result already, as far on or further, is left as it is.
    fn stands(&self, ix: BoardIx, entry: &ResultEntry) -> bool {
        self.board(ix).result.as_ref().is_some_and(|(now, _)| {
            now.status >= entry.status && now.result == entry.result && now.forfeit == entry.forfeit
        })
    }

    /// What a sheet says, board by board of the match.
    fn said(&self, match_no: u32, played: &Played, results: &SheetResults) -> Result<Vec<Said>, Refused> {
        let wrong = |message: String| Refused::new(Refused::PARAMS, format!("match {match_no}: {message}"));
        let name =
            |place: usize| played.boards.get(place).map_or("", |(ix, _)| self.board(*ix).name.as_str());
        let most = played.boards.len();
        let missing = |places: Vec<usize>| {
            let names: Vec<&str> = places.into_iter().map(name).collect();
            wrong(format!(
                "no result for board {}; write `.` in a line for a board that is still open",
                names.join(", ")
            ))
        };
        let list = match results {
            SheetResults::Line(line) => {
                let marks = marks(line).map_err(wrong)?;
                if marks.len() > most {
                    return Err(wrong(format!("{} results for {most} boards", marks.len())));
                }
                if marks.len() < most {
                    return Err(missing((marks.len()..most).collect()));
                }
                let of = |(mark, (_, player)): (Mark, &(BoardIx, Player))| mark.for_board(*player);
                return Ok(marks.into_iter().zip(&played.boards).map(of).collect());
            }
            SheetResults::Boards(list) => list,
        };
        let mut said: Vec<Said> = vec![None; most];
        let mut next = 0;
        for result in list {
            let (place, result, cause, forfeit) = match result {
                SheetResult::Next(result) => (next, *result, None, false),
                SheetResult::Of { board, result, cause, forfeit } => {
                    let place = (0..most).find(|place| name(*place) == board);
                    let place = place.ok_or_else(|| wrong(format!("board {board} is none of its boards")))?;
                    let cause = Some(cause.clone()).filter(|cause| *cause != Cause::Unstated);
                    (place, *result, cause, *forfeit)
                }
            };
            let Some(slot) = said.get_mut(place) else {
                return Err(wrong(format!("more results than its {most} boards")));
            };
            if slot.replace((result, forfeit, cause)).is_some() {
                return Err(wrong(format!("board {} is there twice", name(place))));
            }
            next = place + 1;
        }
        let open = |place: &usize| {
            let has = played.boards.get(*place).is_some_and(|(ix, _)| counts(self.board(*ix)));
            said.get(*place).is_some_and(Option::is_none) && !has
        };
        let open: Vec<usize> = (0..most).filter(open).collect();
        if open.is_empty() { Ok(said) } else { Err(missing(open)) }
    }

    /// A match as it stands, for people to look at: whom the sheet was taken to speak of.
    pub(crate) fn sheet(&self, round: u32, match_no: u32, played: &Played) -> Value {
        let r = &self.s.setup.regulations;
        let mut score = [Points::ZERO; 2];
        let mut complete = true;
        let mut boards = Vec::new();
        for &(ix, listed) in &played.boards {
            let board = self.board(ix);
            let result = board.result.as_ref().map(|(result, _)| result);
            let said = result.filter(|_| counts(board));
            complete &= said.is_some();
            let mut of = |player: Player| {
                let setup = if player == Player::First { &board.setup.first } else { &board.setup.second };
                let own = said.map(|said| points(r, (said.result, said.forfeit), player));
                score[usize::from(player != listed)] += own.unwrap_or_default();
                json!({ "name": setup.name, "team": setup.team, "points": own })
            };
            let (first, second) = (of(Player::First), of(Player::Second));
            boards.push(json!({
                "board": board.name,
                "first": first,
                "second": second,
                "result": result.map(|result| result.result),
                "forfeit": result.is_some_and(|result| result.forfeit),
                "status": result.map(|result| result.status),
            }));
        }
        json!({
            "round": round,
            "match": match_no,
            "first_team": played.teams[0],
            "second_team": played.teams[1],
            "boards": boards,
            "score": { "first_team": score[0], "second_team": score[1] },
            "match_points": complete.then(|| {
                let [first, second] = match_points(r, score);
                json!({ "first_team": first, "second_team": second })
            }),
            "complete": complete,
        })
    }
}

fn counts(board: &Board) -> bool {
    crate::pairing::counted(board).is_some()
}
