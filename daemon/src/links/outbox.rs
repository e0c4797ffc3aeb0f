//! Commands on their way to a line: a short queue that the core fills and the line empties.
//!
//! The core never waits for a line. What waits already is not queued twice: a command sent again takes the place of
//! itself, an `ack` that of the clock's last one. A full queue drops the oldest command without a number (`ack`), which the next one
//! makes up for; only where all have numbers the oldest goes, which the hall sends again each second. A line that is
//! down keeps nothing: a command that could not go out at once is not carried out later by surprise.

use flagfall_clock::ClockCommand;
use flagfall_hall::{LineId, Send};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tokio::sync::Notify;

/// What became of a command handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Posted {
    /// It waits to be written.
    Queued,
    /// It waits; this one had to go for it.
    Dropped(ClockCommand),
    /// The line is down or unknown; it is gone.
    Down,
}

/// One line's queue.
#[derive(Clone, Debug)]
pub struct Outbox {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    open: bool,
    commands: VecDeque<ClockCommand>,
}

impl Outbox {
    /// How many commands wait at most: several for each clock of a large hall behind one broker.
    pub const MOST: usize = 4096;

    fn new() -> Self {
        Self { shared: Arc::new(Shared { queue: Mutex::default(), filled: Notify::new() }) }
    }

    fn queue(&self) -> std::sync::MutexGuard<'_, Queue> {
        // Every change of the queue is a single step, so it is right whatever panicked.
        self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The line is there.
    pub fn open(&self) {
        self.queue().open = true;
    }

    /// The line is gone; what waited is gone with it.
    pub fn close(&self) {
        *self.queue() = Queue::default();
    }

    /// Hands a command over. Never waits.
    pub fn post(&self, command: ClockCommand) -> Posted {
        let mut queue = self.queue();
        if !queue.open {
            return Posted::Down;
        }
        // The same again, or a newer word of the same kind: it takes the place of the one that waits.
        let same = |waiting: &&mut ClockCommand| {
            waiting.clock == command.clock && waiting.command == command.command
        };
        if let Some(waiting) = queue.commands.iter_mut().find(same) {
            *waiting = command;
            return Posted::Queued;
        }
        let dropped = if queue.commands.len() >= Self::MOST {
            let unnumbered = queue.commands.iter().position(|waiting| waiting.command == 0);
            queue.commands.remove(unnumbered.unwrap_or(0))
        } else {
            None
        };
        queue.commands.push_back(command);
        drop(queue);
        self.shared.filled.notify_one();
        dropped.map_or(Posted::Queued, Posted::Dropped)
    }

    /// The next command, as soon as there is one. For one reader at a time.
    pub async fn next(&self) -> ClockCommand {
        loop {
            if let Some(command) = self.try_next() {
                return command;
            }
            self.shared.filled.notified().await;
        }
    }

    /// The next command, if there is one.
    pub fn try_next(&self) -> Option<ClockCommand> {
        self.queue().commands.pop_front()
    }
}

/// All lines, by number.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    lines: Arc<RwLock<HashMap<LineId, Outbox>>>,
}

impl Lines {
    /// A new line with its number. Lines are few and keep theirs for good.
    #[must_use]
    pub fn add(&self) -> (LineId, Outbox) {
        let mut lines = self.lines.write().unwrap_or_else(PoisonError::into_inner);
        let id = LineId(u32::try_from(lines.len()).unwrap_or(u32::MAX));
        let outbox = Outbox::new();
        lines.insert(id, outbox.clone());
        (id, outbox)
    }

    /// Hands a command to its line. Never waits.
    pub fn post(&self, send: Send) -> Posted {
        let lines = self.lines.read().unwrap_or_else(PoisonError::into_inner);
        lines.get(&send.line).map_or(Posted::Down, |outbox| outbox.post(send.command))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_clock::Action;

    fn command(number: u32) -> ClockCommand {
        let action = if number == 0 { Action::Ack { boot: 1, seq: 1 } } else { Action::Stop };
        let clock = "A01".parse().expect("a clock");
        ClockCommand { clock, command: number, boot: 1, until_ms: 1, action }
    }

    #[test]
    fn a_line_that_is_down_keeps_nothing() {
        let lines = Lines::default();
        let (line, outbox) = lines.add();
        assert_eq!(lines.post(Send { line, command: command(1) }), Posted::Down);
        outbox.open();
        assert_eq!(lines.post(Send { line, command: command(2) }), Posted::Queued);
        outbox.close();
        outbox.open();
        assert_eq!(outbox.try_next(), None);
        assert_eq!(lines.post(Send { line: LineId(9), command: command(3) }), Posted::Down);
    }

    #[test]
    fn a_full_queue_drops_the_oldest_without_a_number_first() {
        let outbox = Outbox::new();
        outbox.open();
        for number in 1..Outbox::MOST as u32 {
            assert_eq!(outbox.post(command(number)), Posted::Queued);
        }
        assert_eq!(outbox.post(command(0)), Posted::Queued);
        assert_eq!(outbox.post(command(90_000)), Posted::Dropped(command(0)));
        assert_eq!(outbox.post(command(90_001)), Posted::Dropped(command(1)));
        assert_eq!(outbox.try_next(), Some(command(2)));
    }

    #[test]
    fn what_is_sent_again_waits_once_and_an_ack_is_the_newest() {
        let outbox = Outbox::new();
        outbox.open();
        for seq in 1..=500 {
            outbox.post(ClockCommand { action: Action::Ack { boot: 1, seq }, ..command(0) });
            outbox.post(command(1));
        }
        let newest = ClockCommand { action: Action::Ack { boot: 1, seq: 500 }, ..command(0) };
        assert_eq!([outbox.try_next(), outbox.try_next()], [Some(newest), Some(command(1))]);
        assert_eq!(outbox.try_next(), None);
    }
}
