//! Whether this host's clock is worth measuring by.

use std::process::Command;

/// What is known of the host's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// The kernel says that something disciplines it.
    Disciplined,
    /// Nothing does.
    Free,
    /// It cannot be told.
    Unknown,
}

impl Reference {
    /// Asks `timedatectl`, which asks the kernel: true for chrony and ntpd as for its own.
    pub(super) fn look() -> Self {
        let asked =
            Command::new("timedatectl").args(["show", "--property=NTPSynchronized", "--value"]).output();
        asked.map_or(Self::Unknown, |said| Self::read(&said.stdout))
    }

    fn read(said: &[u8]) -> Self {
        match said.trim_ascii() {
            b"yes" => Self::Disciplined,
            b"no" => Self::Free,
            _ => Self::Unknown,
        }
    }

    /// By how many millionths its rate may be off: hours of discipline leave less than 1; a host's own crystal is no
    /// better than a clock's.
    pub(super) const fn ppm(self) -> f64 {
        match self {
            Self::Disciplined => 1.0,
            Self::Free | Self::Unknown => 50.0,
        }
    }

    /// What to do about it.
    pub(super) const fn warning(self) -> Option<&'static str> {
        match self {
            Self::Disciplined => None,
            Self::Free => Some(
                "this host's clock is not disciplined (`timedatectl`): it may be off by 50 ppm itself. Set NTP up, wait some \
                 hours, measure then",
            ),
            Self::Unknown => Some(
                "whether NTP disciplines this host's clock cannot be told (no `timedatectl`): if nothing does, it may be off \
                 by 50 ppm itself",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_is_one() {
        assert_eq!(Reference::read(b"yes\n"), Reference::Disciplined);
        assert_eq!(Reference::read(b"no\n"), Reference::Free);
        assert_eq!(Reference::read(b""), Reference::Unknown);
        assert!(Reference::Disciplined.warning().is_none() && Reference::Free.warning().is_some());
    }
}
