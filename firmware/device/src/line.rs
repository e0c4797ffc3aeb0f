//! The clock's line: bytes to messages and back, one message on its way out at a time.
//!
//! Never waits: what the line does not take now is sent when it does.

use embedded_io::{Read, ReadReady, Write, WriteReady};
use flagfall_clock::{
    Accept, Check, ClockCommand, ClockReport, Encoding, Identity, Key, Lexer, MAX_REPORT, Provision,
    ProvisionAnswer, line_provisioned, line_report, read_provision,
};

/// Bytes taken from the line at once.
const CHUNK: usize = 64;
/// The longest line that gives a name, with the longest key, has 245 bytes.
const ASKED: usize = 256;
/// Chunks taken in one turn: a line that never rests must not keep the clock from its own.
const CHUNKS: usize = 8;

/// What came in.
pub(crate) enum Came {
    Command(ClockCommand),
    /// A technician's tool; None: it could not be read.
    Provision(Option<Provision>),
}

pub(crate) struct Line<U> {
    port: U,
    lexer: Lexer<1024, ClockCommand>,
    /// A line that may be one of provisioning, beside the lexer, which knows nothing of it.
    text: heapless::Vec<u8, ASKED>,
    /// The line is too long to be one.
    too_long: bool,
    out: [u8; MAX_REPORT],
    len: usize,
    sent: usize,
}

impl<U: Read + ReadReady + Write + WriteReady> Line<U> {
    #[inline(always)]
    pub(crate) const fn new(port: U) -> Self {
        Self {
            port,
            lexer: Lexer::of_commands(),
            text: heapless::Vec::new(),
            too_long: false,
            out: [0; MAX_REPORT],
            len: 0,
            sent: 0,
        }
    }

    /// Hands on everything that has come. `identity`: who the clock is, if it knows.
    #[inline(never)]
    pub(crate) fn take(&mut self, identity: Option<&Identity>, mut came: impl FnMut(Came)) {
        let accept = match identity.and_then(|identity| identity.key.as_ref()) {
            Some(key) => Accept::sealed(key),
            None => Accept::CHECKED,
        };
        let mut chunk = [0; CHUNK];
        for _ in 0..CHUNKS {
            if !self.port.read_ready().unwrap_or(false) {
                return;
            }
            let Ok(len) = self.port.read(&mut chunk) else { return };
            let Some(mut bytes) = chunk.get(..len).filter(|bytes| !bytes.is_empty()) else { return };
            for byte in bytes {
                self.provisioning(*byte, &mut came);
            }
            while let Some(item) = self.lexer.next(&mut bytes, &accept) {
                // What is no message is passed over: the daemon repeats what was not answered.
                if let Ok(received) = item {
                    came(Came::Command(received.message));
                }
            }
        }
    }

    #[inline(never)]
    fn provisioning(&mut self, byte: u8, came: &mut impl FnMut(Came)) {
        if byte == 0 {
            // A line that was open, as while the plug goes in, reads as a zero.
            self.text.clear();
            self.too_long = false;
            return;
        }
        if byte != b'\n' {
            self.too_long |= self.text.push(byte).is_err();
            return;
        }
        if !self.too_long
            && let Some(read) = read_provision(&self.text)
        {
            came(Came::Provision(read.ok()));
        }
        self.text.clear();
        self.too_long = false;
    }

    /// Sends a report next. Only where [`Line::send`] has nothing left.
    #[inline(never)]
    pub(crate) fn report(&mut self, report: &ClockReport, encoding: Encoding, key: Option<&Key>) {
        let check = key.map_or(Check::Crc, Check::Seal);
        // What a clock says always fits; if it ever did not, the hole in its numbers would show.
        self.len = line_report(report, encoding, check, &mut self.out).unwrap_or(0);
        self.sent = 0;
    }

    /// Sends an answer to a technician's tool next. Only where [`Line::send`] has nothing left.
    #[inline(never)]
    pub(crate) fn provisioned(&mut self, answer: &ProvisionAnswer) {
        self.len = line_provisioned(answer, &mut self.out).unwrap_or(0);
        self.sent = 0;
    }

    /// Sends what the line takes without waiting. True while something is left.
    #[inline(never)]
    pub(crate) fn send(&mut self) -> bool {
        while let Some(rest) = self.out.get(self.sent..self.len).filter(|rest| !rest.is_empty()) {
            if !self.port.write_ready().unwrap_or(false) {
                return true;
            }
            match self.port.write(rest) {
                Ok(sent) if sent > 0 => self.sent += sent,
                _ => return true,
            }
        }
        false
    }
}
