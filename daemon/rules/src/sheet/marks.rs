//! A line of a match sheet: a mark a board, of the team listed first.

use super::Said;
use flagfall_arbiter::{Outcome, Player};

/// A mark on a sheet, of the team listed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Won,
    Drawn,
    Lost,
    WonByForfeit,
    LostByForfeit,
    Open,
}

impl Mark {
    /// What it says of a board on which that player is of the team listed first.
    pub(super) fn for_board(self, listed: Player) -> Said {
        let won = |player: Player| Outcome::lost_by(player.other());
        match self {
            Self::Won => Some((won(listed), false, None)),
            Self::Drawn => Some((Outcome::Draw, false, None)),
            Self::Lost => Some((Outcome::lost_by(listed), false, None)),
            Self::WonByForfeit => Some((won(listed), true, None)),
            Self::LostByForfeit => Some((Outcome::lost_by(listed), true, None)),
            Self::Open => None,
        }
    }
}

/// A line as on the sheet: `10=1`, `1 0 ½ +`, `胜负和胜`.
pub(super) fn marks(line: &str) -> Result<Vec<Mark>, String> {
    // an input method for Chinese writes wide digits and signs
    let wide = |c: char| match c {
        '！'..='～' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        c => c,
    };
    let plain: String = line.chars().map(wide).collect();
    let mut rest = plain.as_str();
    let mut marks = Vec::new();
    while let Some(c) = rest.chars().next() {
        let (mark, length) = match c {
            _ if rest.starts_with("1/2") => (Some(Mark::Drawn), 3),
            _ if rest.starts_with("0.5") => (Some(Mark::Drawn), 3),
            '1' | '胜' => (Some(Mark::Won), c.len_utf8()),
            '0' | '负' => (Some(Mark::Lost), c.len_utf8()),
            '=' | '½' | '和' => (Some(Mark::Drawn), c.len_utf8()),
            '+' => (Some(Mark::WonByForfeit), 1),
            '-' | '−' | '–' => (Some(Mark::LostByForfeit), c.len_utf8()),
            '.' | '*' => (Some(Mark::Open), 1),
            ' ' | ',' | ';' | '|' | '\t' | '、' => (None, c.len_utf8()),
            _ => {
                return Err(format!(
                    "`{c}` is no result; write 1, 0, = or ½, + or - for a forfeit, . for a board still open"
                ));
            }
        };
        marks.extend(mark);
        rest = &rest[length..];
    }
    Ok(marks)
}

#[cfg(test)]
mod tests {
    use super::{Mark, marks};

    #[test]
    fn a_line_is_read_however_people_write_it() {
        let read = |line| marks(line).unwrap();
        let plain = [Mark::Won, Mark::Lost, Mark::Drawn, Mark::Won];
        for line in ["10=1", "1 0 = 1", "1,0,½,1", "1 0 1/2 1", "1|0|0.5|1", "１０＝１", "胜负和胜", "100.51"]
        {
            assert_eq!(read(line), plain, "{line}");
        }
        assert_eq!(read("+-.*"), [Mark::WonByForfeit, Mark::LostByForfeit, Mark::Open, Mark::Open]);
        assert_eq!(read("−"), [Mark::LostByForfeit]);
        assert!(marks("2").is_err_and(|what| what.contains("`2`")));
        assert!(marks("1;x").is_err());
    }
}
