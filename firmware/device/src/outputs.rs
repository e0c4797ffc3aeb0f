//! The running lights and the buzzer.

use embedded_hal::digital::{OutputPin, PinState};
use flagfall_clock::Side;
use flagfall_firmware::Clock;

/// How long it sounds at a flag, in milliseconds.
const SOUND: u64 = 2_000;

pub(crate) struct Outputs<O> {
    left: O,
    right: O,
    buzzer: O,
    /// What they were last set to: left, right, buzzer.
    set: Option<[bool; 3]>,
    flag: Option<Side>,
    sounds_until: Option<u64>,
}

impl<O: OutputPin> Outputs<O> {
    pub(crate) const fn new(left: O, right: O, buzzer: O) -> Self {
        Self { left, right, buzzer, set: None, flag: None, sounds_until: None }
    }

    /// As the clock stands at `now`. `sound`: it may be heard, which no tournament allows.
    #[inline(never)]
    pub(crate) fn set(&mut self, clock: &Clock, sound: bool, now: u64) {
        if clock.flag() != self.flag {
            self.flag = clock.flag();
            // A clock that comes up with a fallen flag was heard when it fell.
            let fell = self.flag.is_some() && self.set.is_some();
            self.sounds_until = (fell && sound).then_some(now + SOUND);
        }
        self.sounds_until = self.sounds_until.filter(|until| *until > now);
        let running = clock.running();
        let wanted = [running == Some(Side::Left), running == Some(Side::Right), self.sounds_until.is_some()];
        if self.set == Some(wanted) {
            return;
        }
        self.set = Some(wanted);
        for (pin, high) in [&mut self.left, &mut self.right, &mut self.buzzer].into_iter().zip(wanted) {
            // A pin that refuses takes nothing from the game; it is set again with the next change.
            if pin.set_state(PinState::from(high)).is_err() {
                self.set = None;
            }
        }
    }

    /// When the buzzer falls silent.
    pub(crate) const fn due(&self) -> Option<u64> {
        self.sounds_until
    }
}
