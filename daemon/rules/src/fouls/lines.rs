//! The list of fouls: each that was recorded, whatever became of it. Folded from what was told of a board, and asked for
//! the bulletin of the day. Nothing here decides.

use crate::articles;
use crate::state::State;
use flagfall_arbiter::{Event, Foul, FoulLine, FoulWithdrawn, Player, Text, Wall};

/// A foul that was recorded on a board.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub seq: u64,
    at: Wall,
    happened: Wall,
    pub foul: Foul,
    /// So many of it still count.
    pub left: i32,
    withdrawn: Option<FoulWithdrawn>,
}

impl Line {
    fn is(&self, player: Player, article: &str, team: bool) -> bool {
        (self.foul.player, self.foul.article.as_ref(), self.foul.team) == (player, article, team)
    }
}

/// What was told of a foul, taken into the lines of its board.
pub(crate) fn take_in(lines: &mut Vec<Line>, event: &Event, foul: &Foul) {
    if foul.count >= 0 {
        let (seq, at, happened) = (event.seq, event.at, event.happened);
        lines.push(Line { seq, at, happened, foul: foul.clone(), left: foul.count, withdrawn: None });
        return;
    }
    let mut back = -foul.count;
    while back > 0
        && let Some(line) = taken_from(lines, foul)
    {
        let now = back.min(line.left);
        (back, line.left) = (back - now, line.left - now);
        let before = line.withdrawn.as_ref().map_or(0, |withdrawn| withdrawn.count);
        let (count, by) = (before + now.unsigned_abs(), foul.by.clone());
        line.withdrawn = Some(FoulWithdrawn { count, at: event.at, by, waived: foul.waived });
    }
}

/// The line that such a foul is taken back from: the one it names, one of the same ruling, the last of its article.
fn taken_from<'a>(lines: &'a mut [Line], foul: &Foul) -> Option<&'a mut Line> {
    let open = |line: &Line| line.left > 0 && line.is(foul.player, &foul.article, foul.team);
    let named = lines.iter().rposition(|line| open(line) && Some(line.foul.id) == foul.of);
    let of_ruling = || {
        lines.iter().rposition(|line| open(line) && foul.ruling.is_some() && line.foul.ruling == foul.ruling)
    };
    let place = named.or_else(of_ruling).or_else(|| lines.iter().rposition(open))?;
    lines.get_mut(place)
}

impl State {
    /// All fouls, in the order in which they were recorded: of a round, or of the event.
    pub(crate) fn foul_list(&self, round: Option<u32>) -> Vec<FoulLine> {
        let rounds = self.rounds.values().filter(|known| round.is_none_or(|round| known.number == round));
        let boards = rounds.flat_map(|round| round.order.iter()).map(|ix| &self.boards[ix.0]);
        let laws = self.setup.regulations.laws;
        let mut list: Vec<FoulLine> = boards
            .flat_map(|board| board.lines.iter().map(move |line| (board, line)))
            .map(|(board, line)| {
                let foul = &line.foul;
                let who = board.player_setup(foul.player);
                let text = articles::find(laws, &foul.article);
                FoulLine {
                    seq: line.seq,
                    id: foul.id,
                    round: board.round,
                    board: board.name.clone(),
                    player: foul.player,
                    name: who.name.clone(),
                    team: who.team.clone(),
                    article: foul.article.clone(),
                    text: text.map(|article| Text { zh: article.zh.to_owned(), en: article.en.to_owned() }),
                    count: foul.count.unsigned_abs(),
                    in_game: foul.in_game,
                    in_event: foul.in_event,
                    points: foul.points,
                    team_foul: foul.team,
                    waived: foul.waived,
                    at: line.at,
                    happened: line.happened,
                    by: foul.by.clone(),
                    ruling: foul.ruling,
                    withdrawn: line.withdrawn.clone(),
                }
            })
            .collect();
        list.sort_by_key(|line| line.seq);
        list
    }
}
