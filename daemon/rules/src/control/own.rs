//! One side of a control.

/// What one side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Own {
    /// Until its flag falls, in milliseconds.
    pub ms: i64,
    /// What it had when its turn began, without the delay of that turn, in milliseconds.
    pub kept: i64,
    /// Moves completed.
    pub moves: u32,
    /// The period, from 0.
    pub period: u32,
    /// Moves completed in the period, or in the Canadian block.
    pub done: u32,
    /// In a Canadian block.
    pub block: bool,
}

impl Own {
    pub const fn new(ms: i64) -> Self {
        Self { ms, kept: ms, moves: 0, period: 0, done: 0, block: false }
    }

    /// So much it has now, whatever it had: in mid-turn no delay comes back on top.
    pub const fn put(&mut self, ms: i64) {
        self.ms = ms;
        self.kept = ms;
    }

    /// So much more, or less.
    pub const fn shift(&mut self, ms: i64) {
        self.ms = self.ms.saturating_add(ms);
        self.kept = self.kept.saturating_add(ms);
    }
}
