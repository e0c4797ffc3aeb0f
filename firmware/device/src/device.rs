//! The clock as a whole: who is looked at in which order, what is written before what is said.
//!
//! [`Device::turn`] is called again and again by a board's loop and never waits for anything but the memory. Its order is
//! its promise: edges with the stamps of their interrupt, then the line, then what is due by itself; then the game goes to
//! memory; only then a report of it goes out. So no press that was reported can be lost with the power.

use crate::battery;
use crate::board::{Board, Parts};
use crate::line::{Came, Line};
use crate::memory::{Found, Memory};
use crate::outputs::Outputs;
use crate::rings::{Contact, Edges, Levels};
use crate::shown::Shown;
use embedded_storage::nor_flash::NorFlash;
use flagfall_clock::{
    ClockId, Encoding, Identity, MAX_TRIM_PPM, Provision, ProvisionAnswer, ProvisionError, Provisioned, Side,
};
use flagfall_firmware::{Clock, Input, Saved, Settings, Uptime};

/// Ticks of the counter in a second.
const TICKS_PER_S: u32 = 1_000_000;
/// While a side runs its time is written so often, in milliseconds: a cut costs less than a second.
const KEEP: u64 = 900;
/// The battery is measured so often, in milliseconds.
const MEASURE: u64 = 10_000;
/// The battery's sign comes below this, in percent. FIDE asks for 10 hours of work after it: a quarter of three cells of
/// 2,000 mAh is 11 hours at the estimated 46 mA of a Pico with an OLED and one light on.
const BATTERY_LOW: u8 = 25;
/// A line that sends is looked at again after so long, in microseconds: a UART holds 32 bytes, 2.8 ms.
const SENDING: u32 = 2_000;
/// Sectors that are erased ahead while nothing runs: ten minutes of a game, so that its beginning meets no erasure.
const AHEAD: u32 = 8;
/// Both levers and the arbiter's key held from power-up for so long take the clock's name away, in milliseconds.
const FORGET: u64 = 10_000;
const FORGET_BY: Levels = 0b1011;

/// What the board does until it calls again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Sleep, but no longer than until the counter reads this: an edge or a byte wakes it before.
    Sleep(u32),
    /// Begin anew, as after power-up.
    Restart,
}

/// A clock on a board.
///
/// The clock itself lies beside the device: it is the most of both, and a small controller has no room to make it in one place
/// and move it to another.
pub struct Device<'c, B: Board> {
    board: B,
    edges: &'static Edges,
    line: Line<B::Line>,
    outputs: Outputs<B::Out>,
    memory: Option<Memory<B::Memory>>,
    shown: Shown<B::Screen>,
    identity: Option<Identity>,
    uptime: Uptime,
    clock: &'c mut Clock,
    /// Contacts as they were handed to the clock.
    levels: Levels,
    /// The last event that is in memory; none: nothing of this boot is.
    kept: Option<u32>,
    kept_at: u64,
    measure_at: u64,
    answer: Option<ProvisionAnswer>,
    /// The contacts that take its name away are held since power-up.
    forgets: bool,
    restart: bool,
}

/// What a clock that comes up finds in its memory.
pub struct Woken {
    identity: Option<Identity>,
    saved: Option<Saved>,
    boot: u32,
}

impl Woken {
    /// Looks into the memory. One that fails takes nothing from the game: the clock plays without.
    #[must_use]
    #[inline(never)]
    pub fn find<F: NorFlash>(memory: F) -> (Self, Option<Memory<F>>) {
        let Ok((mut memory, Found { boot, saved })) = Memory::open(memory) else {
            return (Self { identity: None, saved: None, boot: 1 }, None);
        };
        let identity = memory.identity().ok().flatten();
        (Self { identity, saved, boot: boot.wrapping_add(1).max(1) }, Some(memory))
    }

    /// The clock as it comes up, with the game it had. It says so once [`Device::new`] has it.
    #[must_use]
    #[inline(never)]
    pub fn clock(&self) -> Clock {
        let name = self.identity.as_ref().map_or(ClockId::NAMELESS, |identity| identity.clock);
        let settings = Settings { battery_low_pct: BATTERY_LOW, ..Settings::new(name, self.boot) };
        Clock::coming_up(settings, self.saved, 0)
    }
}

impl<'c, B: Board> Device<'c, B> {
    /// A clock that comes up. It says nothing before it stands in the memory that it is on.
    ///
    /// ```text
    /// let (woken, memory) = Woken::find(flash);
    /// let mut clock = woken.clock();
    /// let mut device = Device::new(parts, memory, woken, &mut clock);
    /// loop { device.turn(); }
    /// ```
    #[inline(never)]
    pub fn new(
        parts: Parts<B>,
        memory: Option<Memory<B::Memory>>,
        woken: Woken,
        clock: &'c mut Clock,
    ) -> Self {
        let Parts { mut board, edges, line, left_light, right_light, buzzer, screen } = parts;
        let identity = woken.identity;
        let trim = identity.as_ref().map_or(0, |identity| identity.trim_ppm);
        let uptime = Uptime::new(TICKS_PER_S.wrapping_add_signed(i32::from(trim)), board.counter());
        let levels = edges.seen();
        clock.came_up();
        Self {
            board,
            edges,
            line: Line::new(line),
            outputs: Outputs::new(left_light, right_light, buzzer),
            memory,
            shown: Shown::new(screen),
            identity,
            uptime,
            clock,
            levels,
            kept: None,
            kept_at: 0,
            measure_at: 0,
            answer: None,
            forgets: levels & FORGET_BY == FORGET_BY,
            restart: false,
        }
    }

    /// The clock itself, to be looked at.
    #[must_use]
    pub const fn clock(&self) -> &Clock {
        self.clock
    }

    /// Does everything that is to be done now.
    #[inline(never)]
    pub fn turn(&mut self) -> Next {
        // First the time, then what was stamped: nothing stamped before it can be missing then.
        let now = self.uptime.now(self.board.counter());
        self.take_edges();
        self.take_line(now);
        self.clock.poll(now);
        if now >= self.measure_at {
            self.measure_at = now + MEASURE;
            if let Some(millivolts) = self.board.battery_mv() {
                let percent = battery::percent(millivolts, self.board.battery_curve());
                self.clock.input(now, Input::Battery(percent));
            }
        }
        self.keep(now);
        let sending = self.speak();
        self.outputs.set(self.clock, self.identity.as_ref().is_some_and(|identity| identity.sound), now);
        let drawing = self.shown.turn(self.clock, self.identity.is_none(), now);
        if self.forgets && now >= FORGET {
            self.forget();
        }
        if self.restart && !sending {
            return Next::Restart;
        }
        if !sending && drawing.is_none_or(|at| at > now) && self.tend() {
            return Next::Sleep(self.board.counter());
        }
        let wake = self.wake(now, drawing, sending);
        Next::Sleep(wake)
    }

    /// Edges in their order, each with its own time.
    #[inline(never)]
    fn take_edges(&mut self) {
        while let Some((levels, stamp)) = self.edges.next() {
            self.hand_in(self.uptime.of(stamp), levels);
        }
        if self.edges.lost() {
            // More edges than anybody makes by hand: what counts is how the contacts stand now.
            let now = self.uptime.now(self.board.counter());
            self.hand_in(now, self.edges.seen());
        }
    }

    #[inline(never)]
    fn hand_in(&mut self, at: u64, levels: Levels) {
        let changed = self.levels ^ levels;
        self.levels = levels;
        self.forgets &= levels & FORGET_BY == FORGET_BY;
        for (bit, contact) in Contact::ALL.into_iter().enumerate() {
            if changed >> bit & 1 == 0 {
                continue;
            }
            let down = levels >> bit & 1 == 1;
            self.clock.input(
                at,
                match contact {
                    Contact::Left => Input::Lever { side: Side::Left, down },
                    Contact::Right => Input::Lever { side: Side::Right, down },
                    Contact::Stop => Input::StopButton { down },
                    Contact::Key => Input::ArbiterKey { down },
                },
            );
        }
    }

    #[inline(never)]
    fn take_line(&mut self, now: u64) {
        let Self { line, clock, identity, .. } = self;
        let mut provision = None;
        line.take(identity.as_ref(), |came| match came {
            Came::Command(command) => {
                // One without a name has none to be spoken to by.
                if identity.is_some() {
                    clock.input(now, Input::Command(command));
                }
            }
            Came::Provision(said) => provision = Some(said),
        });
        if let Some(said) = provision {
            self.answer = Some(self.provision(said));
        }
    }

    #[inline(never)]
    fn provision(&mut self, said: Option<Provision>) -> ProvisionAnswer {
        match said {
            None => return Err(ProvisionError::Range),
            Some(Provision::Ask) => {}
            Some(Provision::Be(_)) if self.identity.is_some() => return Err(ProvisionError::Already),
            Some(Provision::Be(identity)) => {
                if !(-MAX_TRIM_PPM..=MAX_TRIM_PPM).contains(&identity.trim_ppm) {
                    return Err(ProvisionError::Range);
                }
                let memory = self.memory.as_mut().ok_or(ProvisionError::Memory)?;
                if !memory.name(&identity).unwrap_or(false) {
                    return Err(ProvisionError::Memory);
                }
                // What was played without a name is nobody's game.
                let _ = memory.keep(self.clock.settings().boot, None);
                // It comes up as the one it is now, by its own power-up: a boot of its own.
                self.identity = Some(identity);
                self.restart = true;
            }
        }
        let identity = self.identity.as_ref();
        Ok(Provisioned {
            clock: identity.map(|identity| identity.clock),
            sealed: identity.is_some_and(|identity| identity.key.is_some()),
            encoding: identity.map_or(Encoding::Json, |identity| identity.encoding),
            trim_ppm: identity.map_or(0, |identity| identity.trim_ppm),
            sound: identity.is_some_and(|identity| identity.sound),
            uptime_us: self.uptime.ticks(),
            firmware: self.clock.settings().firmware.clone(),
        })
    }

    /// Writes the game where anything happened, and its times while a side runs. An error is passed over: the memory may
    /// fail, the game goes on.
    #[inline(never)]
    fn keep(&mut self, now: u64) {
        let Some(memory) = &mut self.memory else { return };
        let (events, runs) = (self.clock.events(), self.clock.running().is_some());
        if self.kept != Some(events) {
            let saved = self.clock.saved(now);
            let _ = memory.keep(self.clock.settings().boot, Some(&saved));
        } else if runs && now >= self.kept_at + KEEP {
            let (left_ms, right_ms) = self.clock.saved(now).times();
            if !memory.later(left_ms, right_ms).unwrap_or(true) {
                let saved = self.clock.saved(now);
                let _ = memory.keep(self.clock.settings().boot, Some(&saved));
            }
        } else {
            return;
        }
        self.kept = Some(events);
        self.kept_at = now;
        if runs {
            // Now there is the most time until the next one.
            let _ = memory.tend(1);
        }
    }

    /// Erases ahead while nothing runs, nobody touches it, and nothing else is to be done. True where it did.
    fn tend(&mut self) -> bool {
        let quiet = self.clock.running().is_none() && self.levels == 0 && self.edges.is_empty();
        quiet && self.memory.as_mut().is_some_and(|memory| memory.tend(AHEAD).unwrap_or(false))
    }

    /// Sends what is to be said. True while the line is busy.
    #[inline(never)]
    fn speak(&mut self) -> bool {
        while !self.line.send() {
            if let Some(answer) = self.answer.take() {
                self.line.provisioned(&answer);
                continue;
            }
            if self.restart {
                return false;
            }
            let Some(report) = self.clock.next_report() else { return false };
            // Without a name nobody would know who speaks.
            if let Some(identity) = &self.identity {
                self.line.report(&report, identity.encoding, identity.key.as_ref());
            }
        }
        true
    }

    /// Takes name, key and game away.
    #[inline(never)]
    fn forget(&mut self) {
        self.forgets = false;
        self.restart = true;
        if let Some(memory) = &mut self.memory {
            let _ = memory.forget(self.clock.settings().boot);
        }
    }

    /// When to be called again at the latest, on the counter.
    #[inline(never)]
    fn wake(&mut self, now: u64, drawing: Option<u64>, sending: bool) -> u32 {
        let kept = self.clock.running().map(|_| self.kept_at + KEEP);
        let times = [
            Some(self.clock.next_deadline()),
            Some(self.measure_at),
            kept,
            self.outputs.due(),
            self.forgets.then_some(FORGET),
            drawing,
        ];
        let at = times.into_iter().flatten().min().unwrap_or(now + 1).max(now);
        // The counter wraps: what lies ahead by less than half its turn is what we have, and a status is never further.
        let ticks = self.uptime.ticks_at(at).saturating_sub(self.uptime.ticks());
        let counter = self.board.counter();
        let ahead = u32::try_from(ticks).unwrap_or(u32::MAX / 4).min(u32::MAX / 4);
        let ahead = if sending { ahead.min(SENDING) } else { ahead };
        counter.wrapping_add(ahead)
    }
}
