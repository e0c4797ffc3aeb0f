//! What waits until the records it rests on are durable.
//!
//! Nothing leaves the process before that, and nothing overtakes: what was decided first goes out first.

use std::collections::VecDeque;

/// A queue of things, each resting on all records up to a number.
#[derive(Debug)]
pub struct Waiting<T> {
    queue: VecDeque<(u64, T)>,
    durable: u64,
}

impl<T> Waiting<T> {
    /// Nothing waits; everything up to record `durable` is on the disk.
    #[must_use]
    pub const fn new(durable: u64) -> Self {
        Self { queue: VecDeque::new(), durable }
    }

    /// `thing` rests on every record up to `on`. Not less than for what was put in before.
    pub fn push(&mut self, on: u64, thing: T) {
        debug_assert!(self.queue.back().is_none_or(|(before, _)| *before <= on));
        self.queue.push_back((on, thing));
    }

    /// Everything up to record `n` is durable.
    pub fn durable(&mut self, n: u64) {
        self.durable = self.durable.max(n);
    }

    /// The next thing that may go, if any.
    pub fn next(&mut self) -> Option<T> {
        let (on, _) = self.queue.front()?;
        if *on > self.durable {
            return None;
        }
        self.queue.pop_front().map(|(_, thing)| thing)
    }

    /// Takes out, in order, what need not wait after all.
    pub fn take_if(&mut self, mut urgent: impl FnMut(&T) -> bool) -> Vec<T> {
        if !self.queue.iter().any(|(_, thing)| urgent(thing)) {
            return Vec::new();
        }
        let all = std::mem::take(&mut self.queue);
        let (taken, rest): (VecDeque<_>, VecDeque<_>) = all.into_iter().partition(|(_, thing)| urgent(thing));
        self.queue = rest;
        taken.into_iter().map(|(_, thing)| thing).collect()
    }

    /// How many things wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_goes_before_its_records_and_nothing_overtakes() {
        let mut waiting = Waiting::new(2);
        waiting.push(2, "rests on old records");
        waiting.push(5, "a");
        waiting.push(5, "b");
        waiting.push(6, "c");
        assert_eq!(waiting.next(), Some("rests on old records"));
        assert_eq!(waiting.next(), None);
        waiting.durable(4);
        assert_eq!(waiting.next(), None);
        waiting.durable(5);
        assert_eq!([waiting.next(), waiting.next(), waiting.next()], [Some("a"), Some("b"), None]);
        waiting.durable(3);
        waiting.durable(9);
        assert_eq!([waiting.next(), waiting.next()], [Some("c"), None]);
    }

    #[test]
    fn what_is_urgent_is_taken_out_in_order() {
        let mut waiting = Waiting::new(0);
        for n in 1..=6 {
            waiting.push(n, n);
        }
        assert_eq!(waiting.take_if(|n| n % 3 == 0), [3, 6]);
        waiting.durable(9);
        assert_eq!(std::iter::from_fn(|| waiting.next()).collect::<Vec<_>>(), [1, 2, 4, 5]);
    }
}
