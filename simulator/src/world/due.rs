//! What is due in a hall, in the order of its time.

use super::arbiter::Matter;
use super::overrun::Turnover;
use super::rounds::Step;
use crate::chance::Chance;
use crate::play::{Errand, Gesture};
use flagfall_clock::ClockReport;
use flagfall_firmware::Input;

/// What is due at some time.
#[derive(Clone, Debug)]
pub(super) enum Todo {
    /// Look at this clock; only if it is still the latest appointment with it.
    Poll(usize),
    /// A lever, button or key moves.
    Edge(usize, Input),
    Gesture(usize, Gesture),
    Errand(usize, Errand),
    /// A fault begins or ends.
    Fault(usize, usize, bool),
    /// A blackout begins or ends.
    Blackout(usize, bool),
    /// An arbiter shouts that the clocks be stopped.
    Shout(Chance),
    /// A report that was late.
    Deliver(Box<ClockReport>),
    Round(u32, Step),
    /// A table whose next players wait.
    Turnover(usize, Turnover),
    /// The technician on his walk stands at this table.
    Walk(usize),
    Desk(Matter),
}

#[derive(Debug)]
pub(super) struct Due {
    pub at: u64,
    /// What was planned first comes first within a millisecond.
    pub order: u64,
    pub todo: Todo,
}

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        (self.at, self.order) == (other.at, other.order)
    }
}
impl Eq for Due {}
impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Due {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.order).cmp(&(other.at, other.order))
    }
}
