//! Points of one result, of one player and of a match (九.1, 四).

use crate::{DrawWinner, EventFouls, Regulations};
use flagfall_arbiter::{Outcome, Player, Points};

/// What a result gives a player.
pub(crate) fn points(r: &Regulations, (result, forfeit): (Outcome, bool), player: Player) -> Points {
    let counts = match (result, r.draw_winner) {
        (Outcome::Draw, DrawWinner::First) => Outcome::First,
        (Outcome::Draw, DrawWinner::Second) => Outcome::Second,
        (result, _) => result,
    };
    match (counts, forfeit) {
        (Outcome::Draw, _) => r.points_draw,
        _ if won(counts, player) => {
            if forfeit {
                r.points_forfeit_win
            } else {
                r.points_win
            }
        }
        (_, true) => r.points_forfeit_loss,
        (_, false) => r.points_loss,
    }
}

/// Whether that player won.
pub(crate) const fn won(result: Outcome, player: Player) -> bool {
    matches!((result, player), (Outcome::First, Player::First) | (Outcome::Second, Player::Second))
}

/// Points of the match itself, by the sums over its boards (九.1). Where nobody made a point there (both teams
/// stayed away) nobody gets one for the match.
pub(crate) fn match_points(r: &Regulations, [first, second]: [Points; 2]) -> [Points; 2] {
    match first.cmp(&second) {
        std::cmp::Ordering::Greater => [r.points_win, r.points_loss],
        std::cmp::Ordering::Less => [r.points_loss, r.points_win],
        std::cmp::Ordering::Equal if first == Points::ZERO => [r.points_loss; 2],
        std::cmp::Ordering::Equal => [r.points_draw; 2],
    }
}

/// What so many fouls over the event add to a player's points: nothing, or less (六.4, A10).
pub(crate) fn fouls_cost(r: &Regulations, fouls: i32) -> Points {
    let Ok(every @ 1..) = i32::try_from(r.event_fouls_every) else { return Points::ZERO };
    let times = fouls.max(0) / every;
    -r.event_fouls_points.times(match r.event_fouls {
        EventFouls::Every => times,
        EventFouls::Once => times.min(1),
    })
}

#[cfg(test)]
mod tests {
    use super::{match_points, points};
    use crate::Regulations;
    use flagfall_arbiter::{Outcome, Player, Points};

    #[test]
    fn rule_33_boards_one_half_nothing_one_win_the_match() {
        let r = Regulations::default();
        let boards = [Outcome::First, Outcome::Draw, Outcome::Second, Outcome::First];
        let sum = |player| boards.iter().map(|result| points(&r, (*result, false), player)).sum::<Points>();
        let sums = [sum(Player::First), sum(Player::Second)];
        assert_eq!(sums, [Points::halves(5), Points::halves(3)], "2.5 to 1.5");
        assert_eq!(match_points(&r, sums), [Points::ONE, Points::ZERO]);
        let even = [Points::halves(4); 2];
        assert_eq!(match_points(&r, even), [Points::HALF; 2]);
        assert_eq!(match_points(&r, [Points::ZERO; 2]), [Points::ZERO; 2], "nobody came");
    }

    #[test]
    fn a_forfeit_counts_as_the_regulations_say() {
        let r = Regulations::default();
        assert_eq!(points(&r, (Outcome::First, true), Player::First), Points::ONE);
        assert_eq!(points(&r, (Outcome::First, true), Player::Second), Points::ZERO);
        assert_eq!(points(&r, (Outcome::None, true), Player::First), Points::ZERO, "both defaulted");
        let half = Regulations { points_forfeit_win: Points::HALF, ..Regulations::default() };
        assert_eq!(points(&half, (Outcome::Second, true), Player::Second), Points::HALF);
        assert_eq!(points(&half, (Outcome::Second, false), Player::Second), Points::ONE);
    }
}
