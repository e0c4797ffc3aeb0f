//! One clock at its table: the real firmware, its power, its crystal and its plug.
//!
//! Decides only when the firmware is looked at; what a press means is the firmware's. World time is milliseconds since
//! the scenario began; the clock's own uptime begins at its power-up and runs off true by its crystal.

use flagfall_clock::{ClockCommand, ClockId, ClockReport, Side};
use flagfall_firmware::{Clock, Input, Saved, Settings, Setup};

/// A millionth.
const MILLION: i128 = 1_000_000;

#[derive(Debug)]
struct Power {
    clock: Clock,
    since: u64,
    /// Uptime of the last report: what memory holds after a power cut.
    reported: u64,
}

/// A clock with its plug and power.
#[derive(Debug)]
pub struct Device {
    id: ClockId,
    drift_ppm: i32,
    boot: u32,
    setup: Setup,
    power: Option<Power>,
    memory: Option<Saved>,
    /// Faults that hold the line down; up at 0.
    down: u32,
}

impl Device {
    /// A clock without power. Fast by `drift_ppm` millionths. Its first boot has the number after `boot`.
    #[must_use]
    pub fn new(id: ClockId, setup: Setup, drift_ppm: i32, boot: u32) -> Self {
        Self { id, drift_ppm, boot, setup, power: None, memory: None, down: 0 }
    }

    /// Its name.
    #[must_use]
    pub const fn id(&self) -> ClockId {
        self.id
    }

    /// Switches it on at `now`: with the game it had, or as new. Nothing where it is on.
    pub fn switch_on(&mut self, now: u64, restore: bool) {
        if self.power.is_some() {
            return;
        }
        self.boot += 1;
        let mut settings = Settings::new(self.id, self.boot);
        settings.setup = self.setup;
        let clock = match self.memory.take() {
            Some(saved) if restore => Clock::restored(settings, saved, 0),
            _ => Clock::new(settings, 0),
        };
        self.power = Some(Power { clock, since: now, reported: 0 });
    }

    /// Switches it off at `now`; its memory keeps the game as of the last report.
    pub fn switch_off(&mut self, now: u64) {
        self.poll(now);
        if let Some(power) = self.power.take() {
            self.setup = *power.clock.setup();
            self.memory = Some(power.clock.saved(power.reported));
        }
    }

    /// Whether it has power.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.power.is_some()
    }

    /// Holds its line down, or lets one hold go.
    pub fn hold_line(&mut self, down: bool) {
        self.down = if down { self.down + 1 } else { self.down.saturating_sub(1) };
    }

    /// Whether its line is up.
    #[must_use]
    pub const fn line_up(&self) -> bool {
        self.down == 0
    }

    /// The clock's own time, in milliseconds of uptime.
    fn uptime(&self, since: u64, now: u64) -> u64 {
        let passed = i128::from(now.saturating_sub(since));
        let true_to = passed + passed * i128::from(self.drift_ppm) / MILLION;
        u64::try_from(true_to).unwrap_or(0)
    }

    /// The earliest world time at which its uptime has reached `uptime`.
    fn world_time(&self, since: u64, uptime: u64) -> u64 {
        let guess = i128::from(uptime) * MILLION / (MILLION + i128::from(self.drift_ppm));
        let mut at = since.saturating_add(u64::try_from(guess).unwrap_or(u64::MAX).saturating_sub(2));
        while self.uptime(since, at) < uptime {
            at += 1;
        }
        at
    }

    /// Does what is due by `now`.
    pub fn poll(&mut self, now: u64) {
        self.act(now, |clock, at| clock.poll(at));
    }

    /// Something reaches it at `now`. Nothing where it has no power.
    pub fn input(&mut self, now: u64, input: Input) {
        self.act(now, |clock, at| clock.input(at, input));
    }

    /// A command reaches it at `now`.
    pub fn command(&mut self, now: u64, command: ClockCommand) {
        self.input(now, Input::Command(command));
        self.poll(now);
    }

    fn act(&mut self, now: u64, act: impl FnOnce(&mut Clock, u64)) {
        let Some(since) = self.power.as_ref().map(|power| power.since) else { return };
        let at = self.uptime(since, now);
        if let Some(power) = &mut self.power {
            act(&mut power.clock, at);
            power.reported = at;
        }
    }

    /// When to poll next, in world time; always later than `now`.
    #[must_use]
    pub fn next_deadline(&self, now: u64) -> Option<u64> {
        let power = self.power.as_ref()?;
        let due = power.clock.next_deadline();
        Some(self.world_time(power.since, due).max(now + 1))
    }

    /// What it says next; nothing while its line is down.
    pub fn next_report(&mut self) -> Option<ClockReport> {
        if self.down > 0 {
            return None;
        }
        self.power.as_mut()?.clock.next_report()
    }

    /// Whose time passes; none without power.
    #[must_use]
    pub fn running(&self) -> Option<Side> {
        self.power.as_ref()?.clock.running()
    }

    /// Which side fell first.
    #[must_use]
    pub fn flag(&self) -> Option<Side> {
        self.power.as_ref()?.clock.flag()
    }

    /// What a side shows at `now`, in milliseconds; none without power.
    #[must_use]
    pub fn remaining_ms(&self, side: Side, now: u64) -> Option<i64> {
        let power = self.power.as_ref()?;
        Some(power.clock.remaining_ms(side, self.uptime(power.since, now)))
    }

    /// Moves a side completed.
    #[must_use]
    pub fn presses(&self, side: Side) -> u32 {
        self.power.as_ref().map_or(0, |power| power.clock.presses(side))
    }

    /// On, and nothing has run since it was made new.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.power.as_ref().is_some_and(|power| power.clock.is_idle())
    }

    /// What it is set to.
    #[must_use]
    pub fn setup(&self) -> Setup {
        self.power.as_ref().map_or(self.setup, |power| *power.clock.setup())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(ppm: i32) -> Device {
        Device::new("A01".parse().unwrap(), Setup::default(), ppm, 0)
    }

    #[test]
    fn a_crystal_off_true_is_off_by_as_much_and_every_deadline_is_met() {
        for ppm in [-100, 0, 100] {
            let mut device = device(ppm);
            device.switch_on(7, false);
            device.input(1_000, Input::StopButton { down: true });
            let mut now = 1_000;
            while now < 3_601_000 {
                device.poll(now);
                while device.next_report().is_some() {}
                now = device.next_deadline(now).unwrap();
                if device.flag().is_some() {
                    break;
                }
            }
            let expected = 3_000_000 - i64::from(ppm) * 3;
            let real = i64::try_from(now).unwrap() - 1_000;
            assert!((real - expected).abs() < 5_100, "{ppm}: {real}");
        }
    }

    #[test]
    fn memory_gives_the_game_back_and_a_new_clock_has_forgotten_it() {
        for restore in [true, false] {
            let mut device = device(0);
            device.switch_on(0, false);
            device.input(1_000, Input::StopButton { down: true });
            device.poll(61_000);
            device.switch_off(61_000);
            assert_eq!(device.running(), None);
            device.switch_on(90_000, restore);
            let left = device.remaining_ms(Side::Left, 90_000).unwrap();
            assert_eq!(left, if restore { 2_940_000 } else { 3_000_000 });
            assert_eq!(device.is_new(), !restore);
        }
    }
}
