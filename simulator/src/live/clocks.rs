//! Clocks for a person to play with: a few words on a line make a hand at a clock.

use super::lines::{Encodings, LineError, LineWord, Lines, Transport};
use crate::device::Device;
use crate::scenario::clock_name;
use flagfall_clock::{ClockCommand, ClockId, Side};
use flagfall_firmware::{Input, Setup};
use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncBufReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Why there are no clocks.
#[derive(Debug, thiserror::Error)]
pub enum ClocksError {
    /// A line.
    #[error(transparent)]
    Line(#[from] LineError),
    /// What is said cannot be written, or what is asked not read.
    #[error("standard input or output: {0}")]
    Io(#[from] std::io::Error),
}

const HELP: &str = "\
list                     all clocks and what they show
CLOCK left | right       a press of that side
CLOCK stop               the start/stop button
CLOCK key                the arbiter's key
CLOCK reset              the arbiter's key held, for a clock that stands: all as new
CLOCK hold               both levers held: the players end the game
CLOCK off | on | new     power off; on again with its game; on as new
CLOCK unplug | plug      its line
quit                     or the end of input
";

/// A lever, button or key that comes up later.
struct Up {
    at: u64,
    clock: usize,
    input: Input,
}

struct Hall {
    devices: Vec<Device>,
    ups: Vec<Up>,
    begin: Instant,
}

/// Lets a person play with `number` clocks set up so: words from `input`, answers to `output`.
///
/// # Errors
/// The lines cannot be laid, or standard input or output fails.
pub async fn play_clocks(
    number: u32,
    setup: Setup,
    transport: &Transport,
    encodings: Encodings,
    input: impl tokio::io::AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
    stop: CancellationToken,
) -> Result<(), ClocksError> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let boots = u32::try_from(seconds.saturating_sub(1_700_000_000)).unwrap_or(0);
    let device = |table| Device::new(clock_name(table), setup, 0, boots);
    let mut hall =
        Hall { devices: (1..=number).map(device).collect(), ups: Vec::new(), begin: Instant::now() };
    let clocks: Vec<ClockId> = hall.devices.iter().map(Device::id).collect();
    let (mut lines, mut commands) = Lines::lay(transport, &clocks, encodings, seconds).await?;
    for device in &mut hall.devices {
        device.switch_on(0, false);
    }
    output
        .write_all(
            format!(
                "{number} clocks, {} to {}; `help` tells the words\n",
                clocks[0],
                clocks[clocks.len() - 1]
            )
            .as_bytes(),
        )
        .await?;
    let mut words = BufReader::new(input).lines();
    loop {
        hall.let_time_pass(&mut lines);
        output.flush().await?;
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep_until(hall.next()) => {}
            Some(command) = commands.recv() => hall.command(command),
            word = words.next_line() => match word? {
                None => break,
                Some(word) if word.trim() == "quit" => break,
                Some(word) => {
                    let answer = hall.word(&word, &mut lines);
                    output.write_all(answer.as_bytes()).await?;
                }
            },
        }
    }
    lines.close().await;
    Ok(())
}

impl Hall {
    fn now(&self) -> u64 {
        u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn next(&self) -> Instant {
        let now = self.now();
        let due = self.devices.iter().filter_map(|device| device.next_deadline(now));
        let next = due.chain(self.ups.iter().map(|up| up.at)).min().unwrap_or(now + 1_000);
        self.begin + Duration::from_millis(next)
    }

    fn let_time_pass(&mut self, lines: &mut Lines) {
        let now = self.now();
        let (due, later) = std::mem::take(&mut self.ups).into_iter().partition(|up| up.at <= now);
        self.ups = later;
        let due: Vec<Up> = due;
        for up in due {
            self.devices[up.clock].input(now, up.input);
        }
        for device in &mut self.devices {
            device.poll(now);
            while let Some(report) = device.next_report() {
                lines.tell(report.clock, LineWord::Report(Box::new(report)));
            }
        }
    }

    fn command(&mut self, command: ClockCommand) {
        let now = self.now();
        if let Some(device) = self.devices.iter_mut().find(|device| device.id() == command.clock) {
            device.command(now, command);
        }
    }

    /// A hand: down now, up later.
    fn press(&mut self, clock: usize, hold: u64, inputs: &[(Input, Input)]) {
        let now = self.now();
        for (down, up) in inputs {
            self.devices[clock].input(now, down.clone());
            self.ups.push(Up { at: now + hold, clock, input: up.clone() });
        }
    }

    fn word(&mut self, word: &str, lines: &mut Lines) -> String {
        let parts: Vec<&str> = word.split_whitespace().collect();
        let (name, act) = match parts[..] {
            [] => return String::new(),
            ["list"] => return self.list(),
            ["help"] => return HELP.into(),
            [name, act] => (name, act),
            _ => return format!("`{word}`: a clock and what is done to it; `help` tells the words\n"),
        };
        let Some(clock) = self.devices.iter().position(|device| device.id().as_str() == name) else {
            return format!("there is no clock {name}\n");
        };
        let (now, id) = (self.now(), self.devices[clock].id());
        let lever = |side| (Input::Lever { side, down: true }, Input::Lever { side, down: false });
        let key = (Input::ArbiterKey { down: true }, Input::ArbiterKey { down: false });
        match act {
            "left" => self.press(clock, 150, &[lever(Side::Left)]),
            "right" => self.press(clock, 150, &[lever(Side::Right)]),
            "stop" | "start" => {
                self.press(
                    clock,
                    150,
                    &[(Input::StopButton { down: true }, Input::StopButton { down: false })],
                );
            }
            "key" => self.press(clock, 150, &[key]),
            "reset" => self.press(clock, crate::play::RESET_HOLD, &[key]),
            "hold" => self.press(clock, 2_400, &[lever(Side::Left), lever(Side::Right)]),
            "off" => self.devices[clock].switch_off(now),
            "on" => self.devices[clock].switch_on(now, true),
            "new" => self.devices[clock].switch_on(now, false),
            "unplug" if self.devices[clock].line_up() => {
                self.devices[clock].hold_line(true);
                lines.tell(id, LineWord::Unplug);
            }
            "plug" if !self.devices[clock].line_up() => {
                self.devices[clock].hold_line(false);
                lines.tell(id, LineWord::Plug);
            }
            "unplug" | "plug" => return format!("{name} is {act}ged already\n"),
            _ => return format!("`{act}` can nobody do to a clock; `help` tells the words\n"),
        }
        String::new()
    }

    fn list(&self) -> String {
        let now = self.now();
        let mut list = String::new();
        for device in &self.devices {
            let shown = |side| {
                let ms = device.remaining_ms(side, now).unwrap_or(0);
                let seconds = (ms.max(0) + 999) / 1_000;
                let mark = if device.running() == Some(side) { '*' } else { ' ' };
                format!("{}:{:02}:{:02}{mark}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
            };
            let state = match (device.is_on(), device.line_up(), device.flag()) {
                (false, _, _) => " off",
                (true, false, _) => " unplugged",
                (true, true, Some(Side::Left)) => " flag left",
                (true, true, Some(Side::Right)) => " flag right",
                (true, true, None) => "",
            };
            // Writing to a `String` cannot fail.
            let _ = writeln!(list, "{} {} {}{state}", device.id(), shown(Side::Left), shown(Side::Right));
        }
        list
    }
}
