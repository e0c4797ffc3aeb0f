//! A report as it waits and stays: a third of its size, since a small controller keeps 80 of them.
//!
//! What cannot change while the clock is on (its name, the boot, what it says of itself) is put back when it is sent.

use flagfall_clock::{About, By, Claim, ClockEvent, ClockId, ClockReport, Refusal, Side};

/// What is the same in every report of a boot.
pub(crate) struct Origin {
    pub clock: ClockId,
    pub boot: u32,
    pub about: About,
}

/// The state of a clock when something happened, and what it was.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kept {
    pub seq: u32,
    pub events: u32,
    /// Milliseconds, low and high part: a clock is not on for 8,900 years.
    pub uptime: (u32, u16),
    /// Times are within 100 h either way, so 32 bits hold them.
    pub left_ms: i32,
    pub right_ms: i32,
    pub left_presses: u32,
    pub right_presses: u32,
    pub running: Option<Side>,
    pub flag: Option<Side>,
    pub stopped_by: Option<By>,
    pub battery_pct: Option<u8>,
    pub periods: (u8, u8),
    /// None: a status.
    pub event: Option<Happened>,
}

/// A [`ClockEvent`] of this version, without what a clock says of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Happened {
    Boot,
    About,
    Ready(Side),
    Start(Side, By),
    Press(Side),
    IgnoredPress(Side),
    Stop(By),
    Resume(By),
    Adjust(By),
    Reset(By),
    IgnoredStop,
    Over(Option<Claim>),
    Flag(Side),
    Period(Side),
    BatteryLow,
    Done(u32, Result<(), Refusal>),
}

impl Happened {
    fn event(self, about: About) -> ClockEvent {
        match self {
            Self::Boot => ClockEvent::Boot(about),
            Self::About => ClockEvent::About(about),
            Self::Ready(side) => ClockEvent::Ready { side },
            Self::Start(side, by) => ClockEvent::Start { side, by },
            Self::Press(side) => ClockEvent::Press { side },
            Self::IgnoredPress(side) => ClockEvent::IgnoredPress { side },
            Self::Stop(by) => ClockEvent::Stop { by },
            Self::Resume(by) => ClockEvent::Resume { by },
            Self::Adjust(by) => ClockEvent::Adjust { by },
            Self::Reset(by) => ClockEvent::Reset { by },
            Self::IgnoredStop => ClockEvent::IgnoredStop,
            Self::Over(claim) => ClockEvent::Over { claim, agreed: true },
            Self::Flag(side) => ClockEvent::Flag { side },
            Self::Period(side) => ClockEvent::Period { side },
            Self::BatteryLow => ClockEvent::BatteryLow,
            Self::Done(command, result) => {
                ClockEvent::Done { command, ok: result.is_ok(), error: result.err() }
            }
        }
    }
}

impl Kept {
    /// With the clock's own time, in milliseconds.
    pub(crate) const fn at(self, uptime_ms: u64) -> Self {
        Self { uptime: ((uptime_ms & 0xffff_ffff) as u32, (uptime_ms >> 32 & 0xffff) as u16), ..self }
    }

    const fn uptime_ms(&self) -> u64 {
        (self.uptime.1 as u64) << 32 | self.uptime.0 as u64
    }

    /// As it goes out.
    pub(crate) fn report(self, origin: Origin) -> ClockReport {
        ClockReport {
            clock: origin.clock,
            boot: origin.boot,
            seq: self.seq,
            events: Some(self.events),
            uptime_ms: self.uptime_ms(),
            left_ms: i64::from(self.left_ms),
            right_ms: i64::from(self.right_ms),
            running: self.running,
            left_presses: self.left_presses,
            right_presses: self.right_presses,
            flag: Some(self.flag),
            stopped_by: self.stopped_by,
            battery_pct: self.battery_pct,
            periods: Some(self.periods),
            event: self.event.map(|event| event.event(origin.about)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eighty_of_them_fit_into_a_small_controller() {
        assert!(size_of::<Kept>() <= 48, "{} bytes", size_of::<Kept>());
    }
}
