//! Which commands were answered, so that each is carried out once.

use flagfall_clock::Refusal;
use heapless::Deque;

/// Answers kept.
const KEPT: usize = 8;

/// An answer that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub command: u32,
    pub result: Result<(), Refusal>,
    /// The report that carried it.
    pub seq: u32,
}

/// What is known of a command's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Not seen before.
    New,
    /// Answered so.
    Answered(Answer),
    /// Seen, or overtaken, and the answer is no longer kept.
    Forgotten,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    kept: Deque<Answer, KEPT>,
    highest: u32,
}

impl Answers {
    pub(crate) fn known(&self, command: u32) -> Known {
        match self.kept.iter().find(|answer| answer.command == command) {
            Some(answer) => Known::Answered(*answer),
            None if command > self.highest => Known::New,
            None => Known::Forgotten,
        }
    }

    /// Keeps an answer, or where the number has one already, the report that carried it last.
    pub(crate) fn keep(&mut self, answer: Answer) {
        self.highest = self.highest.max(answer.command);
        if let Some(known) = self.kept.iter_mut().find(|known| known.command == answer.command) {
            *known = answer;
            return;
        }
        if self.kept.is_full() {
            self.kept.pop_front();
        }
        let _ = self.kept.push_back(answer);
    }
}
