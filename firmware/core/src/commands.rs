//! What the daemon may tell a clock, and when a clock refuses.
//!
//! A command is for one boot, has an end on this clock's own uptime, and is carried out once: the last 8 answers are
//! kept, and a repeat brings the same answer again, not the deed. `ack` is no command in this sense.

use crate::answers::{Answer, Known};
use crate::clock::Clock;
use crate::game::{Phase, settable};
use crate::outbox::Happened;
use crate::settings::Setup;
use flagfall_clock::{Action, By, ClockCommand, Refusal, SetTimes, Side};

/// How long `identify` blinks, in milliseconds.
const IDENTIFY: u64 = 10_000;

impl Clock {
    #[inline(never)]
    pub(crate) fn command(&mut self, at: u64, command: ClockCommand) {
        if command.clock != self.settings.clock {
            return; // Another clock's, on a shared line.
        }
        let number = command.command;
        if command.boot != self.settings.boot {
            // Not remembered: numbers of another boot say nothing about this one's.
            self.done(at, number, Err(Refusal::Boot));
            return;
        }
        match self.answers.known(number) {
            Known::Answered(answer) => {
                if !self.outbox.repeat(answer.seq) {
                    self.answer(at, number, answer.result);
                }
            }
            Known::Forgotten => {
                self.done(at, number, Err(Refusal::Gone));
            }
            Known::New if at > command.until_ms => self.answer(at, number, Err(Refusal::Expired)),
            Known::New if !self.settings.can.has(command.action.name()) => {
                self.answer(at, number, Err(Refusal::Unable));
            }
            Known::New => {
                let result = self.act(at, command.action);
                self.answer(at, number, result);
            }
        }
    }

    fn answer(&mut self, at: u64, command: u32, result: Result<(), Refusal>) {
        let seq = self.done(at, command, result);
        self.answers.keep(Answer { command, result, seq });
    }

    fn done(&mut self, at: u64, command: u32, result: Result<(), Refusal>) -> u32 {
        self.tell(at, Happened::Done(command, result))
    }

    #[inline(never)]
    fn act(&mut self, at: u64, action: Action) -> Result<(), Refusal> {
        match action {
            Action::Configure { time_control, first_side, stop_button } => {
                self.configure(at, Setup { control: time_control, first_side, stop_button })
            }
            Action::SetTimes(times) => self.set_times(at, times),
            Action::Adjust { left_delta_ms, right_delta_ms } => {
                self.adjust(at, [(Side::Left, left_delta_ms), (Side::Right, right_delta_ms)])
            }
            Action::Start { side } => {
                self.may_begin()?;
                match self.game.phase {
                    Phase::Idle => self.start(at, side, By::Command),
                    // In a game that has begun it says which side runs on.
                    Phase::Stopped { .. } | Phase::Running { .. } => self.resume(at, side, By::Command),
                }
                Ok(())
            }
            Action::Stop => match self.game.phase {
                Phase::Running { .. } => {
                    self.stop(at, By::Command);
                    Ok(())
                }
                Phase::Idle | Phase::Stopped { .. } => Err(Refusal::Stopped),
            },
            Action::Resume => {
                self.may_begin()?;
                let Phase::Stopped { side, .. } = self.game.phase else { return Err(Refusal::Stopped) };
                self.resume(at, side, By::Command);
                Ok(())
            }
            Action::Identify => {
                self.stands()?;
                self.identify_until = Some(at.saturating_add(IDENTIFY));
                Ok(())
            }
            Action::Show { number } => {
                self.stands()?;
                if number > 9_999 {
                    return Err(Refusal::Range);
                }
                self.number = Some((number, at));
                Ok(())
            }
            Action::Describe => {
                self.tell(at, Happened::About);
                Ok(())
            }
            Action::Replay { boot, from_seq } => {
                if boot != self.settings.boot {
                    return Err(Refusal::Gone);
                }
                // The answer itself needs room: what it displaces is no longer promised.
                self.outbox.make_room();
                if self.outbox.replay(from_seq) { Ok(()) } else { Err(Refusal::Gone) }
            }
            // Has no number and no answer; it never waits.
            Action::Ack { .. } => Err(Refusal::Other),
            Action::Unknown => Err(Refusal::Unable),
        }
    }

    /// A game is on while a side runs. A clock that stands does not know whether its game has ended: most players
    /// simply stop it. Whoever sets it for the next round knows.
    #[inline(never)]
    fn configure(&mut self, at: u64, setup: Setup) -> Result<(), Refusal> {
        if self.game.running().is_some() {
            return Err(Refusal::InGame);
        }
        if !setup.in_range() {
            return Err(Refusal::Range);
        }
        self.reset(at, setup, By::Command);
        Ok(())
    }

    #[inline(never)]
    fn set_times(&mut self, at: u64, times: SetTimes) -> Result<(), Refusal> {
        self.stands()?;
        if !settable(times.left_ms) || !settable(times.right_ms) {
            return Err(Refusal::Range);
        }
        for (side, ms, presses) in [
            (Side::Left, times.left_ms, times.left_presses),
            (Side::Right, times.right_ms, times.right_presses),
        ] {
            self.game.set(side, ms, presses);
        }
        if self.is_idle() && (self.presses(Side::Left) > 0 || self.presses(Side::Right) > 0) {
            self.game.carried_over();
        }
        self.tell(at, Happened::Adjust(By::Command));
        Ok(())
    }

    #[inline(never)]
    fn adjust(&mut self, at: u64, deltas: [(Side, i64); 2]) -> Result<(), Refusal> {
        self.stands()?;
        if deltas.iter().any(|(side, delta)| !settable(self.game.account(*side).ms.saturating_add(*delta))) {
            return Err(Refusal::Range);
        }
        for (side, delta) in deltas {
            self.game.shift(side, delta);
        }
        self.tell(at, Happened::Adjust(By::Command));
        Ok(())
    }

    fn stands(&self) -> Result<(), Refusal> {
        if self.game.running().is_some() { Err(Refusal::Running) } else { Ok(()) }
    }

    fn may_begin(&self) -> Result<(), Refusal> {
        self.stands()?;
        if self.may_run() { Ok(()) } else { Err(Refusal::Flag) }
    }
}
