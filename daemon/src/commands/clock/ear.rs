//! What was heard on a line: answers, and what else was said there. Reads no line itself.

use super::place::Place;
use flagfall_clock::{Accept, ClockId, Lexer, MAX_PROVISION, Message, ProvisionAnswer, read_provisioned};
use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

/// Bytes to answers.
#[derive(Debug)]
pub(super) struct Ear {
    /// Answers not taken yet, each with the instant of its first byte.
    pub answers: VecDeque<(ProvisionAnswer, Instant)>,
    /// Since the last end of a line or frame.
    piece: Vec<u8>,
    began: Instant,
    lexer: Lexer,
    clocks: BTreeSet<ClockId>,
    bytes: u64,
    /// Our own question came back.
    echo: bool,
}

impl Ear {
    pub(super) fn new() -> Self {
        Self {
            answers: VecDeque::new(),
            piece: Vec::new(),
            began: Instant::now(),
            lexer: Lexer::new(),
            clocks: BTreeSet::new(),
            bytes: 0,
            echo: false,
        }
    }

    /// These bytes came at `now`.
    pub(super) fn hear(&mut self, bytes: &[u8], now: Instant) {
        self.bytes += bytes.len() as u64;
        for byte in bytes {
            if self.piece.is_empty() {
                self.began = now;
            }
            match byte {
                b'\n' | 0 => self.ended(),
                byte if self.piece.len() < 4 * MAX_PROVISION => self.piece.push(*byte),
                _ => {}
            }
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            if let Some(Ok(received)) = self.lexer.next(&mut rest, &Accept::UNCHECKED)
                && let Message::Report(report) = received.message
            {
                self.clocks.insert(report.clock);
            }
        }
    }

    /// Looks for an answer in a piece; noise may stand before it.
    fn ended(&mut self) {
        let find = |sign: &[u8]| self.piece.windows(sign.len()).rposition(|part| part == sign);
        self.echo |= find(br#"{"provision":"#).is_some();
        if let Some(at) = find(br#"{"provisioned":"#)
            && let Some(Ok(answer)) = read_provisioned(&self.piece[at..])
        {
            self.answers.push_back((answer, self.began));
        }
        self.piece.clear();
    }

    /// Why nobody answered, as far as what came instead tells, and what to do.
    pub(super) fn why_none(&self, place: &Place, baud: u32) -> String {
        let speed = match place {
            Place::Port(_) => format!(" at {baud} baud"),
            Place::Server(_) => String::new(),
        };
        if self.echo {
            return "what is sent comes back and nothing else: TX and RX are joined, or the adapter echoes"
                .into();
        }
        if !self.clocks.is_empty() {
            let names: Vec<_> = self.clocks.iter().map(ToString::to_string).collect();
            return format!(
                "clock {} speaks here and does not answer: look at the wire to its RX; or its firmware cannot be asked",
                names.join(", ")
            );
        }
        if self.bytes > 0 {
            return format!(
                "{} bytes came{speed} that are no line of a clock: another device, or another speed (--baud)",
                self.bytes
            );
        }
        format!(
            "nothing answers{speed}: is it the clock's port (`flagfall ports`), is the clock on, does TX go to RX? Another \
             speed is --baud"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &[u8] = br#"{"provisioned":{"clock":"A01","sealed":false,"encoding":"json","trim_ppm":19,"sound":false,"uptime_us":4711000,"firmware":"flagfall 0.1.0"},"crc":"b1e78bad"}"#;

    fn heard(bytes: &[u8]) -> Ear {
        let mut ear = Ear::new();
        // as a line hands them on: in any parts
        for part in bytes.chunks(7) {
            ear.hear(part, Instant::now());
        }
        ear
    }

    fn why(bytes: &[u8]) -> String {
        heard(bytes).why_none(&Place::Port("/dev/ttyUSB0".into()), 9_600)
    }

    #[test]
    fn an_answer_is_found_behind_noise_and_between_reports() {
        for before in [&b""[..], b"\xffnoise", b"{\"clock\":\"A01\",\"bo\n", b"\x01\x02\0"] {
            let ear = heard(&[before, ANSWER, b"\r\n"].concat());
            assert_eq!(ear.answers.len(), 1, "{before:?}");
            assert_eq!(ear.answers[0].0.as_ref().unwrap().uptime_us, 4_711_000);
        }
        let mut wrong = ANSWER.to_vec();
        wrong[40] ^= 1;
        assert!(heard(&[&wrong[..], b"\n"].concat()).answers.is_empty(), "its check does not fit");
        assert!(heard(ANSWER).answers.is_empty(), "its end is missing");
    }

    #[test]
    fn an_answer_came_when_its_first_byte_did() {
        let (mut ear, now) = (Ear::new(), Instant::now());
        let later = |ms| now + std::time::Duration::from_millis(ms);
        ear.hear(b"noise\n", now);
        ear.hear(&ANSWER[..5], later(10));
        ear.hear(&ANSWER[5..], later(20));
        ear.hear(b"\n", later(30));
        assert_eq!(ear.answers[0].1, later(10));
    }

    #[test]
    fn what_came_instead_says_why_nobody_answers() {
        assert!(why(b"").starts_with("nothing answers at 9600 baud"));
        let noise = why(b"OK\r\n");
        assert!(noise.starts_with("4 bytes came at 9600 baud that are no line of a clock"), "{noise}");
        assert!(why(b"\n{\"provision\":{},\"crc\":\"bba64158\"}\n").contains("TX and RX are joined"));
        let report = br#"{"clock":"A07","boot":3,"seq":118,"uptime_ms":912345,"left_ms":1,"right_ms":2,"running":null,"left_presses":4,"right_presses":3}"#;
        let speaks = why(&[&report[..], b"\n"].concat());
        assert!(speaks.starts_with("clock A07 speaks here and does not answer"), "{speaks}");
    }
}
