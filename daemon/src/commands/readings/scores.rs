//! Points, signatures.

use super::{Reading, articles, counted, reading};
use flagfall_rules::{DrawWinner, PublicResult, Regulations};

pub(super) fn readings(r: &Regulations) -> [Reading; 2] {
    [points(r), signing(r)]
}

fn points(r: &Regulations) -> Reading {
    let keys = &[
        "points_win",
        "points_draw",
        "points_loss",
        "points_forfeit_win",
        "points_forfeit_loss",
        "draw_winner",
    ];
    let (win, draw, loss) = (r.points_win, r.points_draw, r.points_loss);
    let (forfeit_win, forfeit_loss) = (r.points_forfeit_win, r.points_forfeit_loss);
    let (zh, en) = match r.draw_winner {
        DrawWinner::Nobody => ("", ""),
        DrawWinner::First => ("；和棋判先手胜", "; a draw counts as a win of the first player"),
        DrawWinner::Second => ("；和棋判后手胜", "; a draw counts as a win of the second player"),
    };
    let words = (
        format!("胜{win}分，和{draw}分，负{loss}分；弃权胜{forfeit_win}分，弃权负{forfeit_loss}分{zh}。"),
        format!(
            "A win is {win}, a draw {draw}, a loss {loss}; by forfeit {forfeit_win} and {forfeit_loss}{en}."
        ),
    );
    reading(r, "", &articles("九.1", "10.1", "—"), keys, words)
}

fn signing(r: &Regulations) -> Reading {
    let (zh, en) = match r.public_result {
        PublicResult::Entered => ("成绩登录后即公布", "A result is public once it is entered"),
        PublicResult::Signed => ("成绩经双方签名后公布", "A result is public once both have signed it"),
        PublicResult::Official => ("成绩在本轮结束后公布", "A result is public when the round is closed"),
    };
    let (zh_wrong, en_wrong) = match r.signed_reversed_foul {
        0 => ("签反不记犯规".to_owned(), "signed the wrong way round is no foul".to_owned()),
        fouls => (
            format!("签反双方各记犯规{fouls}次"),
            format!("signed the wrong way round, {} each", counted(fouls, "foul")),
        ),
    };
    let words = (format!("{zh}；{zh_wrong}。"), format!("{en}; {en_wrong}."));
    reading(r, "", &articles("九.2", "8.7", "—"), &["public_result", "signed_reversed_foul"], words)
}
