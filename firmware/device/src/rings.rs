//! What an interrupt leaves for the loop: edges with their stamps, and bytes from the line.
//!
//! One side writes, one reads, nothing locks. Everything an interrupt calls is inlined into it, so that a board can keep
//! its interrupts in RAM: while a flash memory is being written nothing else can be fetched from it, and a press must be
//! stamped all the same.

use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};

/// A contact of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// The left side's lever.
    Left,
    /// The right side's lever.
    Right,
    /// The start/stop button.
    Stop,
    /// The arbiter's key.
    Key,
}

impl Contact {
    /// All of them, in the order of their bits in [`Levels`].
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Stop, Self::Key];
}

/// Which contacts are closed, a bit each: 1 left, 2 right, 4 stop button, 8 arbiter's key.
pub type Levels = u8;

/// Edges kept; a power of two. A contact that bounces makes a dozen.
pub(crate) const EDGES: usize = 64;

/// Edges on their way from the interrupt to the loop.
pub struct Edges {
    stamps: [AtomicU32; EDGES],
    /// What all contacts were after the edge.
    levels: [AtomicU8; EDGES],
    head: AtomicU32,
    tail: AtomicU32,
    lost: AtomicBool,
    /// As last seen by the interrupt.
    seen: AtomicU8,
}

impl Default for Edges {
    fn default() -> Self {
        Self::new()
    }
}

impl Edges {
    /// None yet; every contact is taken to be open.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            stamps: [const { AtomicU32::new(0) }; EDGES],
            levels: [const { AtomicU8::new(0) }; EDGES],
            head: AtomicU32::new(0),
            tail: AtomicU32::new(0),
            lost: AtomicBool::new(false),
            seen: AtomicU8::new(0),
        }
    }

    /// The contacts are at `levels`, read at `stamp`. For the interrupt of an edge, and once before it is let loose.
    #[inline(always)]
    pub fn stamp(&self, levels: Levels, stamp: u32) {
        if levels == self.seen.load(Ordering::Relaxed) {
            // It was there and gone before anybody could look: no contact is that quick.
            return;
        }
        self.seen.store(levels, Ordering::Relaxed);
        let head = self.head.load(Ordering::Relaxed);
        if head.wrapping_sub(self.tail.load(Ordering::Acquire)) as usize >= EDGES {
            self.lost.store(true, Ordering::Release);
            return;
        }
        let place = head as usize % EDGES;
        self.stamps[place].store(stamp, Ordering::Relaxed);
        self.levels[place].store(levels, Ordering::Relaxed);
        self.head.store(head.wrapping_add(1), Ordering::Release);
    }

    /// The contacts as the interrupt last saw them.
    #[must_use]
    pub fn seen(&self) -> Levels {
        self.seen.load(Ordering::Acquire)
    }

    /// Whether anything waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.head.load(Ordering::Acquire) == self.tail.load(Ordering::Relaxed)
            && !self.lost.load(Ordering::Acquire)
    }

    /// The next levels and when they came about. For the loop.
    pub(crate) fn next(&self) -> Option<(Levels, u32)> {
        let tail = self.tail.load(Ordering::Relaxed);
        if tail == self.head.load(Ordering::Acquire) {
            return None;
        }
        let place = tail as usize % EDGES;
        let edge = (self.levels[place].load(Ordering::Relaxed), self.stamps[place].load(Ordering::Relaxed));
        self.tail.store(tail.wrapping_add(1), Ordering::Release);
        Some(edge)
    }

    /// Whether some were lost since this was last asked: then the contacts are to be looked at as they are.
    pub(crate) fn lost(&self) -> bool {
        let lost = self.lost.load(Ordering::Acquire);
        if lost {
            self.lost.store(false, Ordering::Release);
        }
        lost
    }
}

/// Bytes on their way from the line's interrupt to the loop. `N` is a power of two.
pub struct Bytes<const N: usize> {
    bytes: [AtomicU8; N],
    head: AtomicU32,
    tail: AtomicU32,
}

impl<const N: usize> Default for Bytes<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Bytes<N> {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N.is_power_of_two(), "the places are counted round") };
        Self { bytes: [const { AtomicU8::new(0) }; N], head: AtomicU32::new(0), tail: AtomicU32::new(0) }
    }

    /// A byte came. Where the loop left no room it is lost, as on any line: the message fails its check, and is sent again.
    #[inline(always)]
    pub fn push(&self, byte: u8) {
        let head = self.head.load(Ordering::Relaxed);
        if (head.wrapping_sub(self.tail.load(Ordering::Acquire)) as usize) < N {
            self.bytes[head as usize % N].store(byte, Ordering::Relaxed);
            self.head.store(head.wrapping_add(1), Ordering::Release);
        }
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.head.load(Ordering::Acquire) == self.tail.load(Ordering::Relaxed)
    }

    /// Takes as many as are there and fit. For the loop.
    pub fn take(&self, into: &mut [u8]) -> usize {
        let mut tail = self.tail.load(Ordering::Relaxed);
        let mut taken = 0;
        for place in into {
            if tail == self.head.load(Ordering::Acquire) {
                break;
            }
            *place = self.bytes[tail as usize % N].load(Ordering::Relaxed);
            tail = tail.wrapping_add(1);
            taken += 1;
        }
        self.tail.store(tail, Ordering::Release);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_come_out_as_they_went_in_and_an_unchanged_level_is_none() {
        let edges = Edges::new();
        edges.stamp(0b01, 10);
        edges.stamp(0b01, 11);
        edges.stamp(0b11, 12);
        assert_eq!((edges.next(), edges.next(), edges.next()), (Some((1, 10)), Some((3, 12)), None));
        assert!(edges.is_empty() && edges.seen() == 3);
    }

    #[test]
    fn where_more_come_than_fit_the_first_stay_and_it_shows() {
        let edges = Edges::new();
        for stamp in 0..100 {
            edges.stamp(1 + (stamp % 2) as u8, stamp);
        }
        assert!(!edges.is_empty() && edges.lost() && !edges.lost());
        assert_eq!(core::iter::from_fn(|| edges.next()).count(), EDGES);
        assert_eq!(edges.seen(), 2);
    }

    #[test]
    fn bytes_go_round_and_what_has_no_room_is_lost() {
        let bytes = Bytes::<8>::new();
        for round in 0..10_u8 {
            for byte in 0..12 {
                bytes.push(round + byte);
            }
            let mut out = [0; 16];
            assert_eq!(bytes.take(&mut out), 8);
            assert!(out[..8].iter().eq((round..round + 8).collect::<heapless::Vec<_, 8>>().iter()));
            assert!(bytes.is_empty());
        }
    }
}
