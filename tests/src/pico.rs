//! The emulated Pico of `firmware/emulator`, which runs the very file a real board is flashed with, in lock step: nothing
//! passes in it but by [`Pico::run`], and two runs with equal words are equal to the byte.

pub mod clock;
mod firmware;
pub mod live;

pub use firmware::{Sizes, firmware, sizes};

use crate::program::workspace;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What the board is plugged to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Display {
    /// The SSD1306 on I2C.
    #[default]
    Oled,
    /// Two MAX7219 on SPI.
    Digits,
    /// Nothing.
    None,
}

/// How a board begins.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// An image of its flash, 2 MiB; without, or if it is not there, a new chip.
    pub flash: Option<PathBuf>,
    /// What it shows on.
    pub display: Display,
    /// How long a sector is erased, 1 to 400 ms; 45 if not said.
    pub erase_ms: Option<u32>,
}

/// What a hand can close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// The left lever.
    Left,
    /// The right lever.
    Right,
    /// The start/stop button.
    Stop,
    /// The arbiter's key.
    Key,
}

impl Contact {
    fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Stop => "stop",
            Self::Key => "key",
        }
    }
}

/// What happened at the board; `us` is microseconds of world time since the first power-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// Bytes left without a gap; `us` is the end of the first one. A chunk ends with a line (0x0A) or a frame (0x00).
    Sent {
        /// When.
        us: u64,
        /// What.
        bytes: Vec<u8>,
    },
    /// `light_left`, `light_right` or `buzzer` went on or off.
    Out {
        /// When.
        us: u64,
        /// Which.
        name: String,
        /// Whether it is on now.
        on: bool,
    },
    /// The chip began anew, by its `watchdog` or by `software`.
    Reset {
        /// When.
        us: u64,
        /// Why.
        cause: String,
    },
    /// So many bytes that were fed found nobody to take them.
    Lost(u64),
}

/// What the display shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// 1024 bytes, page-wise as in the SSD1306's memory; all zero if it is dark.
    Oled(Vec<u8>),
    /// Eight characters each, a point after a digit that has one. Three bars are `≡`, bars at top and bottom `:`.
    Digits {
        /// The left side's module.
        left: String,
        /// The right side's.
        right: String,
    },
}

/// A running emulator. Dropping it ends it.
#[derive(Debug)]
pub struct Pico {
    child: Child,
    words: ChildStdin,
    answers: BufReader<ChildStdout>,
    happened: Vec<Happened>,
    now: u64,
}

impl Drop for Pico {
    fn drop(&mut self) {
        let _ = writeln!(self.words, "quit");
        let _ = self.child.wait();
    }
}

/// The emulator's folder, with its library in it: fetched as its lock file says if it is not there yet.
///
/// # Panics
/// If npm is missing or cannot fetch it.
#[must_use]
pub fn folder() -> PathBuf {
    let folder = workspace().join("firmware/emulator");
    // Tests run beside each other, some as processes of their own; one fetches, the others wait.
    let lock = File::open(folder.join("package-lock.json")).expect("it lies there");
    lock.lock().expect("a file can be locked");
    if !folder.join("node_modules/.package-lock.json").is_file() {
        let mut fetch = Command::new("npm");
        fetch.args(["ci", "--silent", "--no-audit", "--no-fund"]).current_dir(&folder);
        assert!(fetch.status().expect("npm starts").success(), "`npm ci` in {}", folder.display());
    }
    folder
}

/// The command that starts the emulator, without its options.
pub(crate) fn emulator() -> Command {
    let mut command = Command::new("node");
    command.arg(folder().join("pico.mjs"));
    command
}

pub(crate) fn with(command: &mut Command, elf: &Path, options: &Options) {
    command.arg("--trace").arg("--elf").arg(elf);
    if let Some(flash) = &options.flash {
        command.arg("--flash").arg(flash);
    }
    let display = match options.display {
        Display::Oled => "oled",
        Display::Digits => "digits",
        Display::None => "none",
    };
    command.args(["--display", display]);
    if let Some(ms) = options.erase_ms {
        command.args(["--erase-ms", &ms.to_string()]);
    }
}

pub(crate) fn bytes(hex: &str) -> Vec<u8> {
    let digit = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("the emulator writes hex");
    (0..hex.len()).step_by(2).map(digit).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Happened {
    /// Reads one line of the emulator; none if it is no such line.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let (word, first) = (words.next()?, words.next()?.parse().ok()?);
        match (word, words.next()) {
            ("tx", Some(what)) => Some(Self::Sent { us: first, bytes: bytes(what) }),
            ("out", Some(name)) => Some(Self::Out { us: first, name: name.into(), on: words.next()? == "1" }),
            ("reset", Some(cause)) => Some(Self::Reset { us: first, cause: cause.into() }),
            ("lost", None) => Some(Self::Lost(first)),
            _ => None,
        }
    }
}

impl Pico {
    /// Powers a board up with the program of an ELF.
    ///
    /// # Panics
    /// If node or its library is missing, or the ELF is no program for the board.
    #[must_use]
    pub fn start(elf: &Path, options: &Options) -> Self {
        let mut command = emulator();
        with(&mut command, elf, options);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node starts");
        let words = child.stdin.take().expect("it is piped");
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, words, answers, happened: Vec::new(), now: 0 }
    }

    /// Says one line; what happened is kept for [`Pico::run`], any other answer is returned.
    fn say(&mut self, line: &str) -> Result<String, String> {
        writeln!(self.words, "{line}").expect("the emulator listens");
        let mut told = String::new();
        loop {
            let mut answer = String::new();
            let count = self.answers.read_line(&mut answer).expect("the emulator answers");
            assert!(count > 0, "the emulator ended at `{line}`");
            let answer = answer.trim_end_matches('\n');
            if let Some(now) = answer.strip_prefix("ok ") {
                self.now = now.parse().expect("microseconds");
                return Ok(told);
            }
            if let Some(why) = answer.strip_prefix("error ") {
                return Err(why.into());
            }
            match Happened::read(answer) {
                Some(happened) => self.happened.push(happened),
                None => told = answer.into(),
            }
        }
    }

    fn must(&mut self, line: &str) -> String {
        match self.say(line) {
            Ok(told) => told,
            Err(why) => panic!("`{line}` at {} us: {why}", self.now),
        }
    }

    /// World time, in microseconds.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Lets time pass until `us`; what happened since the last time.
    ///
    /// # Panics
    /// If the firmware did what a real board would not survive.
    pub fn run(&mut self, us: u64) -> Vec<Happened> {
        self.must(&format!("run {us}"));
        std::mem::take(&mut self.happened)
    }

    /// As [`Pico::run`], for who expects the board to end there.
    ///
    /// # Errors
    /// What a real board would not have survived.
    pub fn try_run(&mut self, us: u64) -> Result<Vec<Happened>, String> {
        self.say(&format!("run {us}"))?;
        Ok(std::mem::take(&mut self.happened))
    }

    /// Closes or opens a contact, now.
    ///
    /// # Panics
    /// If the emulator is gone, as with every word.
    pub fn press(&mut self, contact: Contact, closed: bool) {
        self.must(&format!("press {} {}", contact.word(), u8::from(closed)));
    }

    /// Sends bytes to its line from now on, 86.8 us each.
    ///
    /// # Panics
    /// If the emulator is gone.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.must(&format!("feed {}", hex(bytes)));
    }

    /// Cuts the power; a flash write under way is torn, how is chosen by the seed.
    ///
    /// # Panics
    /// If the emulator is gone.
    pub fn cut(&mut self, seed: u32) {
        self.must(&format!("cut {seed}"));
    }

    /// The power is back.
    ///
    /// # Panics
    /// If there is no program in the flash.
    pub fn power(&mut self) {
        self.must("power");
    }

    /// The voltage of the battery from now on, in millivolts.
    ///
    /// # Panics
    /// If the emulator is gone.
    pub fn battery(&mut self, millivolts: u32) {
        self.must(&format!("battery {millivolts}"));
    }

    /// What it shows.
    ///
    /// # Panics
    /// If it has no display.
    pub fn display(&mut self) -> Shown {
        let told = self.must("display");
        if let Some(memory) = told.strip_prefix("oled ") {
            return Shown::Oled(bytes(memory));
        }
        let both = told.strip_prefix("digits ").unwrap_or_else(|| panic!("a display, not {told}"));
        // Points take no place of their own, so the left eight end where the ninth sign begins.
        let mut signs = both.char_indices().filter(|(_, sign)| *sign != '.').map(|(at, _)| at);
        let end = signs.nth(8).expect("eight signs and a space");
        Shown::Digits { left: both[..end].into(), right: both[end + 1..].into() }
    }

    /// Plugs the display in or out.
    ///
    /// # Panics
    /// If it has none.
    pub fn plug_display(&mut self, plugged: bool) {
        self.must(if plugged { "display on" } else { "display off" });
    }

    /// The 32-bit word at a symbol of the ELF.
    ///
    /// # Panics
    /// If there is no such symbol.
    pub fn symbol(&mut self, name: &str) -> u32 {
        let told = self.must(&format!("symbol {name}"));
        told.strip_prefix("value ")
            .and_then(|value| value.parse().ok())
            .unwrap_or_else(|| panic!("a value, not {told}"))
    }

    /// The most stack that was ever used, in bytes.
    ///
    /// # Panics
    /// If the emulator is gone.
    pub fn stack(&mut self) -> u32 {
        let told = self.must("stack");
        told.strip_prefix("stack ")
            .and_then(|bytes| bytes.parse().ok())
            .unwrap_or_else(|| panic!("bytes, not {told}"))
    }

    /// Writes the image of its flash to a file.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn flash(&mut self, path: &Path) {
        self.must(&format!("flash {}", path.display()));
    }
}
