//! Whatever a file holds, reading it answers.

use super::{CONTRACT, faults};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// The right file with a piece cut out and something else put in its place.
    #[test]
    fn a_file_changed_anywhere_is_read_or_refused(
        from in 0..CONTRACT.len(),
        length in 0..40usize,
        other in "[\\[\\]{}\"'=,.#a-z0-9_ \n\u{4e2d}-]{0,12}",
    ) {
        let boundary = |mut at: usize| {
            while !CONTRACT.is_char_boundary(at) {
                at += 1;
            }
            at
        };
        let (from, to) = (boundary(from), boundary((from + length).min(CONTRACT.len())));
        let venue = format!("{}{other}{}", &CONTRACT[..from], &CONTRACT[to..]);
        for fault in faults(&venue, &[]) {
            prop_assert!(fault.starts_with("venue.toml"), "{fault}");
        }
    }

    /// Pairings of any bytes.
    #[test]
    fn pairings_of_any_kind_are_read_or_refused(csv in "[\"a,\n\r1\u{feff}\u{4e2d} -]{0,60}", head: bool) {
        let venue = super::with("[[table]]\nnumber = 1\n[[round]]\nnumber = 1\npairings = \"p.csv\"");
        let csv = if head { format!("board,table,first,second\n{csv}") } else { csv };
        for fault in faults(&venue, &[("p.csv", csv.as_bytes())]) {
            prop_assert!(fault.starts_with("p.csv") || fault.starts_with("venue.toml"), "{fault}");
        }
    }
}
