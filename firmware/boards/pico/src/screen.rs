//! The display, and what happens when it hangs the whole chip.
//!
//! A wire that is pulled in the middle of a byte can hold its bus for ever, and with it the loop. Then the watchdog
//! begins anew; so that it does not hang again and again, the display is left alone in the boot after that.

use flagfall_device::screen::{Face, Screen};
use rp2040_hal::pac;
use rp2040_hal::watchdog::{ScratchRegister, Watchdog};

/// Stands in a register that survives the watchdog while the display is being written.
const WRITING: u32 = 0x5c1e_e0ff;

/// Whether the watchdog struck while the display was being written.
pub fn hung(watchdog: &mut Watchdog) -> bool {
    let hung = watchdog.read_scratch(ScratchRegister::Scratch0) == WRITING;
    watchdog.write_scratch(ScratchRegister::Scratch0, 0);
    hung
}

fn mark(value: u32) {
    // SAFETY: the register is used nowhere else once the clock runs.
    unsafe { (*pac::WATCHDOG::ptr()).scratch0().write(|w| w.bits(value)) };
}

/// A display that may be left alone.
pub struct Guarded<S> {
    screen: S,
    alone: bool,
}

impl<S> Guarded<S> {
    /// `alone`: it is not to be touched in this boot.
    pub const fn new(screen: S, alone: bool) -> Self {
        Self { screen, alone }
    }
}

impl<S: Screen> Screen for Guarded<S> {
    type Error = S::Error;

    fn show(&mut self, face: &Face) {
        if !self.alone {
            self.screen.show(face);
        }
    }

    fn slice(&mut self) -> Result<bool, S::Error> {
        if self.alone {
            return Ok(false);
        }
        mark(WRITING);
        let more = self.screen.slice();
        mark(0);
        more
    }

    fn restart(&mut self) {
        self.screen.restart();
    }

    fn refresh(&mut self) {
        if !self.alone {
            self.screen.refresh();
        }
    }
}
