//! What a hand at the clock does: the levers, the start/stop button, the arbiter's key.

use crate::clock::Clock;
use crate::game::Phase;
use crate::outbox::Happened;
use flagfall_clock::{By, Side, StopButton};

impl Clock {
    /// A lever goes down.
    ///
    /// Before the start the first press of a side says that its player is there. The side that moves second starts the
    /// game with a further press, as players are used to: one who only presses when the arbiter says so sees nothing
    /// run and presses again. A side that was tried before the round starts it with one press.
    pub(crate) fn lever_pressed(&mut self, at: u64, side: Side) {
        self.ending.down(side, at, !self.is_idle());
        if self.is_idle() {
            self.pressed_before_the_start(at, side);
        } else if self.ending.takes_claims() {
            self.ending.gives_up(side, at);
        } else if self.game.press(side, at) {
            self.tell(at, Happened::Press(side));
        } else {
            self.tell(at, Happened::IgnoredPress(side));
        }
    }

    fn pressed_before_the_start(&mut self, at: u64, side: Side) {
        if side != self.game.setup.first_side && self.is_ready(side) {
            self.start(at, side.other(), By::Button);
            return;
        }
        match side {
            Side::Left => self.ready.0 = true,
            Side::Right => self.ready.1 = true,
        }
        self.tell(at, Happened::Ready(side));
    }

    const fn is_ready(&self, side: Side) -> bool {
        match side {
            Side::Left => self.ready.0,
            Side::Right => self.ready.1,
        }
    }

    /// The start/stop button goes down.
    pub(crate) fn stop_button_pressed(&mut self, at: u64) {
        match self.game.setup.stop_button {
            StopButton::Off => {}
            StopButton::EndOnly => {
                self.tell(at, Happened::IgnoredStop);
            }
            StopButton::On => match self.game.phase {
                Phase::Idle => self.start(at, self.game.setup.first_side, By::Button),
                Phase::Running { .. } => self.stop(at, By::Button),
                // A game the players ended stays ended but for an arbiter.
                Phase::Stopped { side, .. } if self.may_run() && !self.ending.is_over() => {
                    self.resume(at, side, By::Button);
                }
                Phase::Stopped { .. } => {}
            },
        }
    }

    /// The arbiter's key goes down: a running clock stops in that instant. On one that stands it acts when it comes up
    /// again, so that it can also be held to make all as new.
    pub(crate) fn key_pressed(&mut self, at: u64) {
        if self.game.running().is_some() {
            self.stop(at, By::ArbiterKey);
        } else {
            self.key_down_at = Some(at);
        }
    }

    /// The arbiter's key comes up.
    pub(crate) fn key_released(&mut self, at: u64) {
        if self.key_down_at.take().is_none() {
            return;
        }
        match self.game.phase {
            Phase::Idle => self.start(at, self.game.setup.first_side, By::ArbiterKey),
            Phase::Stopped { side, .. } if self.may_run() => self.resume(at, side, By::ArbiterKey),
            Phase::Stopped { .. } | Phase::Running { .. } => {}
        }
    }

    /// Whether a side may run at all: not after a flag that froze the clock.
    pub(crate) fn may_run(&self) -> bool {
        self.game.flag.is_none() || !self.game.freezes()
    }

    pub(crate) fn start(&mut self, at: u64, side: Side, by: By) {
        self.begin(at, side);
        self.tell(at, Happened::Start(side, by));
    }

    pub(crate) fn resume(&mut self, at: u64, side: Side, by: By) {
        self.begin(at, side);
        self.tell(at, Happened::Resume(by));
    }

    fn begin(&mut self, at: u64, side: Side) {
        self.game.run(side, at);
        self.ending.forget();
        self.key_down_at = None;
        self.identify_until = None;
    }

    pub(crate) fn stop(&mut self, at: u64, by: By) {
        if self.game.stop(by, at) {
            self.tell(at, Happened::Stop(by));
        }
    }
}
