//! Seeded chance: the same seed gives the same hall, on every machine and in every later version.
//!
//! Each thing that is left to chance has a stream of its own, named by what it is for, so that one more draw for one
//! board changes nothing for another. Integers only. Not for secrets.

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Chance(u64);

/// Quantiles of a log-normal distribution (sigma 0.85) with mean 1,000: think times are many short ones and a few
/// very long ones.
const LOG_NORMAL: [u32; 64] = [
    90, 130, 158, 181, 202, 221, 239, 257, 274, 291, 307, 324, 340, 356, 373, 389, 406, 423, 440, 457, 474,
    492, 510, 529, 547, 567, 586, 607, 627, 649, 671, 694, 717, 741, 767, 793, 820, 848, 878, 909, 941, 975,
    1011, 1049, 1089, 1131, 1177, 1226, 1278, 1334, 1396, 1463, 1537, 1619, 1712, 1817, 1938, 2080, 2253,
    2468, 2750, 3153, 3819, 5505,
];

const fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

impl Chance {
    /// The stream of `seed` for what `name` and `numbers` (a round, a board, ...) say.
    #[must_use]
    pub fn new(seed: u64, name: &str, numbers: &[u64]) -> Self {
        let mut state = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
        for word in name.bytes().map(u64::from).chain(numbers.iter().copied()) {
            state = mix(state.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word);
        }
        Self(state)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// One of 0 to `n - 1`; 0 where `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        // The high half of a product: off by at most n / 2^64.
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// One of `low` to `high`, both included; `low` where they cross.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        if high <= low {
            return low;
        }
        low + self.below(high.abs_diff(low) + 1) as i64
    }

    /// True in so many of a thousand cases.
    pub fn permille(&mut self, n: u32) -> bool {
        self.below(1_000) < u64::from(n)
    }

    /// Around `mean`, as log-normal as a table of 64 makes it, and even between its steps.
    pub fn log_normal(&mut self, mean: u64) -> u64 {
        let place = self.below(63) as usize;
        let (low, high) = (u64::from(LOG_NORMAL[place]), u64::from(LOG_NORMAL[place + 1]));
        (u128::from(mean) * u128::from(low + self.below(high - low + 1)) / 1_000) as u64
    }

    /// One of `weights`, by its place; 0 where all are 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut draw = self.below(weights.iter().map(|w| u64::from(*w)).sum());
        for (place, weight) in weights.iter().enumerate() {
            match draw.checked_sub(u64::from(*weight)) {
                Some(rest) => draw = rest,
                None => return place,
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::Chance;

    #[test]
    fn a_stream_is_the_same_for_the_same_name_and_another_for_another() {
        let draw = |mut chance: Chance| (0..8).map(|_| chance.below(1_000_000)).collect::<Vec<_>>();
        let one = draw(Chance::new(1, "think", &[1, 7]));
        assert_eq!(one, draw(Chance::new(1, "think", &[1, 7])));
        for other in [
            Chance::new(2, "think", &[1, 7]),
            Chance::new(1, "late", &[1, 7]),
            Chance::new(1, "think", &[7, 1]),
        ] {
            assert_ne!(one, draw(other));
        }
    }

    #[test]
    fn draws_keep_within_their_bounds_and_reach_them() {
        let mut chance = Chance::new(3, "bounds", &[]);
        let draws: Vec<_> = (0..1_000).map(|_| chance.between(-2, 2)).collect();
        assert!((-2..=2).all(|n| draws.contains(&n)) && draws.iter().all(|n| (-2..=2).contains(n)));
        assert_eq!(chance.between(5, 5), 5);
        assert_eq!(chance.below(0), 0);
        let mean = (0..10_000).map(|_| chance.log_normal(40_000)).sum::<u64>() / 10_000;
        assert!((36_000..44_000).contains(&mean), "{mean}");
        let stops = (0..4_300).filter(|_| chance.weighted(&[280, 110, 40]) == 0).count();
        assert!((2_600..3_000).contains(&stops), "{stops}");
    }
}
