//! How often faults are told: one of a kind in ten seconds, with a count of those left out.
//!
//! Two devices with one name, a port that babbles or a broker full of old messages must not fill the
//! journal.

use flagfall_rules::Venue;

/// One of a kind in so many milliseconds.
const EVERY_MS: i64 = 10_000;
/// Kinds remembered; the oldest is forgotten.
const MOST: usize = 64;

#[derive(Clone, Debug)]
struct Told {
    what: String,
    at: Venue,
    left_out: u32,
}

/// The faults told of late, of one clock or of all lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Vec<Told>);

impl Faults {
    /// The message to tell now, if any. `what` says which faults are alike.
    pub(crate) fn admit(&mut self, now: Venue, what: &str, message: String) -> Option<String> {
        let Some(told) = self.0.iter_mut().find(|told| told.what == what) else {
            if self.0.len() >= MOST {
                self.0.remove(0);
            }
            self.0.push(Told { what: what.into(), at: now, left_out: 0 });
            return Some(message);
        };
        if now.since(told.at) < EVERY_MS {
            told.left_out = told.left_out.saturating_add(1);
            return None;
        }
        told.at = now;
        Some(match std::mem::take(&mut told.left_out) {
            0 => message,
            left_out => format!("{message} (and {left_out} more like it since the last)"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Faults;
    use flagfall_rules::Venue;

    #[test]
    fn one_of_a_kind_in_ten_seconds_and_a_count_of_the_rest() {
        let mut faults = Faults::default();
        let mut told = Vec::new();
        for second in 0..25 {
            told.extend(faults.admit(Venue(second * 1_000), "seal", "bad seal".into()));
        }
        assert_eq!(told.len(), 3);
        assert!(told[1].contains("9 more"), "{told:?}");
        assert!(faults.admit(Venue(25_000), "malformed", "no report".into()).is_some());
    }
}
