//! What shows that a command was carried out.

use super::{FITS_MS, Open};
use crate::session::State;
use flagfall_clock::{Action, Player, Side};

/// Whether a start that waits behind it rests on it.
pub(super) const fn prepares(action: &Action) -> bool {
    matches!(action, Action::Configure { .. } | Action::SetTimes(_) | Action::Adjust { .. })
}

/// Whether it makes a clock ready for a game, or starts one.
pub(super) const fn sets(action: &Action) -> bool {
    prepares(action) || matches!(action, Action::Start { .. })
}

/// Whether a state shows that a command was carried out; `None` where no state can.
pub(super) fn proved(open: &Open, state: &State) -> Option<bool> {
    let near = |left: i64, right: i64| {
        state.left_ms.saturating_sub(left).abs() <= FITS_MS
            && state.right_ms.saturating_sub(right).abs() <= FITS_MS
    };
    match &open.action {
        Action::Stop => Some(state.running.is_none()),
        Action::Start { .. } | Action::Resume => Some(state.running.is_some()),
        Action::SetTimes(set) => Some(
            near(set.left_ms, set.right_ms)
                && set.left_presses.is_none_or(|presses| presses == state.left_presses)
                && set.right_presses.is_none_or(|presses| presses == state.right_presses),
        ),
        Action::Adjust { left_delta_ms, right_delta_ms } => {
            // a small step cannot be told from none
            let shows = left_delta_ms.abs().max(right_delta_ms.abs()) > 2 * FITS_MS;
            open.expected.filter(|_| shows).map(|(left, right)| near(left, right))
        }
        Action::Configure { time_control, first_side, .. } => {
            let at_start = |side| time_control.at_start(Player::at(side, *first_side));
            Some(
                state.running.is_none()
                    && state.left_presses == 0
                    && state.right_presses == 0
                    && near(at_start(Side::Left), at_start(Side::Right)),
            )
        }
        _ => None,
    }
}
