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
use crate::rings::{Contact, EDGES, Edges, Levels};
use crate::shown::Shown;
use embedded_storage::nor_flash::NorFlash;
use flagfall_clock::{
    ClockId, Encoding, Identity, Provision, ProvisionAnswer, ProvisionError, Provisioned, Side,
};
use flagfall_firmware::{Clock, Input, Saved, Settings, Uptime};

/// Ticks of the counter in a second.
const TICKS_PER_S: u32 = 1_000_000;
/// While a side runs its time is written so often, in milliseconds, and before each status that tells of it: a cut costs
/// half a second at most, and nothing that was told.
const KEEP: u64 = 500;
/// A memory that failed is tried again after so long, in milliseconds.
const RETRY: u64 = 5_000;
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
    /// The memory failed, and is left alone until then.
    fails_until: Option<u64>,
    /// When this turn began.
    now: u64,
    measure_at: u64,
    answer: Option<ProvisionAnswer>,
    /// The last that was sent was such an answer.
    answered: bool,
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
            fails_until: None,
            now: 0,
            measure_at: 0,
            answer: None,
            answered: false,
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
        self.now = now;
        self.take_edges();
        self.take_line();
        self.clock.poll(now);
        if now >= self.measure_at {
            self.measure_at = now + MEASURE;
            if let Some(millivolts) = self.board.battery_mv() {
                let percent = battery::percent(millivolts, self.board.battery_curve());
                self.clock.input(now, Input::Battery(percent));
            }
        }
        self.keep(false);
        let sending = self.speak();
        self.outputs.set(self.clock, self.identity.as_ref().is_some_and(|identity| identity.sound), now);
        let drawing = self.shown.turn(self.clock, self.identity.is_none(), now);
        if self.forgets && now >= FORGET {
            self.forget();
        }
        if self.restart && !sending {
            return Next::Restart;
        }
        self.tend(!sending && drawing.is_none_or(|at| at > now));
        let wake = self.wake(drawing, sending);
        Next::Sleep(wake)
    }

    /// Edges in their order, each with its own time; no more at once than there is room for, so that a contact that chatters
    /// without end holds nothing else up.
    #[inline(never)]
    fn take_edges(&mut self) {
        for _ in 0..EDGES {
            let Some((levels, stamp)) = self.edges.next() else { break };
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
    fn take_line(&mut self) {
        let Self { line, clock, identity, now, .. } = self;
        let mut provision = None;
        line.take(identity.as_ref(), |came| match came {
            Came::Command(command) => {
                // One without a name has none to be spoken to by.
                if identity.is_some() {
                    clock.input(*now, Input::Command(command));
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
                let memory = self.memory.as_mut().ok_or(ProvisionError::Memory)?;
                // What was played without a name is nobody's game.
                let forgot = memory.keep(self.clock.settings().boot, None).is_ok();
                // Unless it is named after all: then it plays on as it did.
                self.kept = None;
                if !forgot || !memory.name(&identity).unwrap_or(false) {
                    return Err(ProvisionError::Memory);
                }
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

    /// Writes the game where anything happened, and its times while a side runs. Where the memory fails, the game goes on,
    /// and it is tried again after a while.
    ///
    /// `told`: a status of this instant is about to tell of them.
    #[inline(never)]
    fn keep(&mut self, told: bool) {
        let now = self.now;
        // Begins anew: what is in memory by now is what it is to come up with.
        if self.restart || self.fails_until.is_some_and(|until| now < until) {
            return;
        }
        let Some(memory) = &mut self.memory else { return };
        let events = self.clock.events();
        let changed = self.kept != Some(events);
        let due = told || now >= self.kept_at + KEEP;
        if !changed && (self.clock.running().is_none() || !due) {
            return;
        }
        let saved = self.clock.saved(now);
        let (left_ms, right_ms) = saved.times();
        let kept = if !changed && memory.later(left_ms, right_ms).unwrap_or(false) {
            Ok(())
        } else {
            memory.keep(self.clock.settings().boot, Some(&saved))
        };
        self.fails_until = kept.is_err().then_some(now + RETRY);
        if kept.is_ok() {
            self.kept = Some(events);
        }
        self.kept_at = now;
    }

    /// Erases ahead, at the end of a turn: while a side runs a sector, if none is ready, right after its times were written,
    /// since then there is the most time; else some more while nobody touches anything and nothing else is to be done.
    fn tend(&mut self, quiet: bool) {
        let ahead = match (self.clock.running(), self.kept_at == self.now) {
            (Some(_), true) => 1,
            (None, _) if quiet && self.edges.is_empty() => AHEAD,
            _ => return,
        };
        if let Some(memory) = &mut self.memory {
            let _ = memory.tend(ahead);
        }
    }

    /// Sends what is to be said. True while the line is busy.
    #[inline(never)]
    fn speak(&mut self) -> bool {
        while !self.line.send() {
            // In turn, so that one who asks and asks does not keep the clock from saying anything else.
            if (!self.answered || self.restart)
                && let Some(answer) = self.answer.take()
            {
                self.answered = true;
                self.line.provisioned(&answer);
                continue;
            }
            self.answered = false;
            if self.restart {
                return false;
            }
            let Some(report) = self.clock.next_report() else {
                if self.answer.is_some() {
                    continue;
                }
                return false;
            };
            if report.event.is_none() && report.uptime_ms > self.kept_at {
                self.keep(true);
            }
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
    fn wake(&mut self, drawing: Option<u64>, sending: bool) -> u32 {
        let kept = self.clock.running().map(|_| self.kept_at + KEEP);
        let times = [
            Some(self.clock.next_deadline()),
            Some(self.measure_at),
            kept,
            self.outputs.due(),
            self.forgets.then_some(FORGET),
            drawing,
        ];
        let at = times.into_iter().flatten().min().unwrap_or(self.now + 1).max(self.now);
        let wake = self.uptime.counter_at(at);
        let soon = self.board.counter().wrapping_add(SENDING);
        // Whichever comes first; both lie within a quarter of a turn of the counter.
        if sending && soon.wrapping_sub(wake) > u32::MAX / 2 { soon } else { wake }
    }
}
