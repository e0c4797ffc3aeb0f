//! A line that may split, join, damage, cut and invent.

use crate::any;
use flagfall_clock::{
    Accept, Check, Checked, DecodeError, Encoding, Key, Lexer, LineError, MAX_LINE, Message, Received,
    line_command, line_report,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn line(message: &Message, encoding: Encoding, check: Check<'_>) -> Vec<u8> {
    let mut out = [0; MAX_LINE];
    let len = match message {
        Message::Report(report) => line_report(report, encoding, check, &mut out),
        Message::Command(command) => line_command(command, encoding, check, &mut out),
    };
    out[..len.unwrap()].to_vec()
}

/// As by a writer that sends no 00 in front of a frame.
fn bare(message: &Message, encoding: Encoding, check: Check<'_>) -> Vec<u8> {
    let line = line(message, encoding, check);
    line.strip_prefix(&[0]).map(<[u8]>::to_vec).unwrap_or(line)
}

fn read(lexer: &mut Lexer, mut bytes: &[u8], accept: &Accept<'_>) -> Vec<Result<Received, LineError>> {
    std::iter::from_fn(|| lexer.next(&mut bytes, accept)).collect()
}

fn messages(bytes: &[u8], accept: &Accept<'_>) -> Vec<Message> {
    read(&mut Lexer::new(), bytes, accept).into_iter().flatten().map(|received| received.message).collect()
}

#[derive(Clone, Debug)]
enum Chunk {
    /// A message with everything that belongs to it.
    Intact(Message, Encoding),
    /// Anything.
    Noise(Vec<u8>),
    /// A message of which only the beginning came, without its end.
    Cut(Message, Encoding, prop::sample::Index),
    /// A message with one bit turned.
    Turned(Message, Encoding, prop::sample::Index, u8),
}

/// What may come between messages, with a liking for what looks like one.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => vec(any::<u8>(), 1..40),
        2 => vec(prop::sample::select(b"{}\"\n\r\x00\x01\x02\x05 crc:,".to_vec()), 1..60),
        1 => vec(any::<u8>(), 400..1400),
        1 => vec(1..=255_u8, 400..1400),
        1 => vec(prop::sample::select(vec![5_u8, 1, 10]), 1..700),
        1 => vec(prop::sample::select(b"[{\"a1:\n".to_vec()), 1..1400),
        1 => Just(b"ESP-ROM:esp32c3-api1-20210207\r\nBuild:Feb  7 2021\r\n".to_vec()),
        1 => Just(b"\x05\x01".to_vec()),
    ]
}

fn chunk() -> impl Strategy<Value = Chunk> {
    let message = || (any::message(), any::encoding());
    prop_oneof![
        6 => message().prop_map(|(m, e)| Chunk::Intact(m, e)),
        2 => noise().prop_map(Chunk::Noise),
        1 => (message(), any::<prop::sample::Index>()).prop_map(|((m, e), at)| Chunk::Cut(m, e, at)),
        1 => (message(), any::<prop::sample::Index>(), 0..8_u8).prop_map(|((m, e), at, bit)| Chunk::Turned(m, e, at, bit)),
    ]
}

fn turn(mut bytes: Vec<u8>, at: prop::sample::Index, bit: u8) -> Vec<u8> {
    let at = at.index(bytes.len());
    bytes[at] ^= 1 << bit;
    bytes
}

/// How a stream's messages are written.
struct Style<'a> {
    check: Check<'a>,
    accept: Accept<'a>,
    surrounded: bool,
}

impl Style<'_> {
    fn bytes(&self, message: &Message, encoding: Encoding) -> Vec<u8> {
        if self.surrounded {
            line(message, encoding, self.check)
        } else {
            bare(message, encoding, self.check)
        }
    }
}

/// The bytes of the chunks; the messages in order, each with whether it must arrive. Garbage may
/// cost the one that stands against it, a damaged one may arrive as it was.
fn stream(chunks: &[Chunk], style: &Style<'_>) -> (Vec<u8>, Vec<(Message, bool)>) {
    let (mut bytes, mut sent, mut clean) = (Vec::new(), Vec::new(), true);
    for chunk in chunks {
        let (piece, message) = match chunk {
            Chunk::Intact(message, encoding) => {
                sent.push((message.clone(), clean));
                clean = true;
                bytes.extend(style.bytes(message, *encoding));
                continue;
            }
            Chunk::Noise(noise) => (noise.clone(), None),
            Chunk::Cut(message, encoding, at) => {
                let line = style.bytes(message, *encoding);
                (line[..at.index(line.len())].to_vec(), Some(message))
            }
            Chunk::Turned(message, encoding, at, bit) => {
                (turn(style.bytes(message, *encoding), *at, *bit), Some(message))
            }
        };
        // a letter of a hex digit may change its case, a delimiter be replaced by what follows
        sent.extend(message.map(|message| (message.clone(), false)));
        clean = false;
        bytes.extend(piece);
    }
    (bytes, sent)
}

/// Every message that had to arrive did, in order, and none that was not sent.
fn explain(sent: &[(Message, bool)], got: &[Message]) -> Result<(), String> {
    // a message may be equal to another one, so look for any way to match
    let mut open = vec![0_usize];
    for (message, due) in sent {
        let mut next: Vec<usize> = Vec::new();
        for at in open {
            if got.get(at) == Some(message) {
                next.push(at + 1);
            }
            if !due {
                next.push(at);
            }
        }
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return Err(format!("lost {message:?}"));
        }
        open = next;
    }
    if open.contains(&got.len()) { Ok(()) } else { Err(format!("more than was sent: {got:?}")) }
}

fn styles(key: &Key) -> Vec<Style<'_>> {
    let mut styles = Vec::new();
    for surrounded in [true, false] {
        styles.push(Style { check: Check::Crc, accept: Accept::CHECKED, surrounded });
        styles.push(Style { check: Check::Seal(key), accept: Accept::sealed(key), surrounded });
    }
    styles
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn garbage_costs_at_most_the_message_it_stands_against(chunks in vec(chunk(), 1..14)) {
        let key = any::key();
        for style in styles(&key) {
            let (bytes, sent) = stream(&chunks, &style);
            let got = messages(&bytes, &style.accept);
            prop_assert!(explain(&sent, &got).is_ok(), "{}", explain(&sent, &got).unwrap_err());
        }
    }

    #[test]
    fn that_holds_for_unchecked_lines_too(chunks in vec(chunk(), 1..14)) {
        let undamaged: Vec<Chunk> =
            chunks.into_iter().filter(|chunk| !matches!(chunk, Chunk::Turned(..))).collect();
        for surrounded in [true, false] {
            let style = Style { check: Check::None, accept: Accept::UNCHECKED, surrounded };
            let (bytes, sent) = stream(&undamaged, &style);
            let got = messages(&bytes, &style.accept);
            prop_assert!(explain(&sent, &got).is_ok(), "{}", explain(&sent, &got).unwrap_err());
        }
    }

    #[test]
    fn how_the_bytes_are_split_changes_nothing(chunks in vec(chunk(), 1..8), cuts in vec(any::<prop::sample::Index>(), 0..20)) {
        let key = any::key();
        let style = &styles(&key)[0];
        let (bytes, _) = stream(&chunks, style);
        let whole = read(&mut Lexer::new(), &bytes, &style.accept);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        let (mut lexer, mut pieces, mut from) = (Lexer::new(), Vec::new(), 0);
        for to in cuts.into_iter().chain([bytes.len()]) {
            pieces.extend(read(&mut lexer, &bytes[from..to], &style.accept));
            from = to;
        }
        prop_assert_eq!(&pieces, &whole);
        let mut lexer = Lexer::<1024>::new();
        let single: Vec<_> = bytes.iter().filter_map(|byte| lexer.push(*byte, &style.accept)).collect();
        prop_assert_eq!(&single, &whole);
        let good = whole.iter().filter(|item| item.is_ok()).count() as u64;
        prop_assert_eq!(lexer.counters().messages, good);
        prop_assert!(lexer.counters().errors() >= whole.len() as u64 - good);
    }

    #[test]
    fn boot_text_and_noise_directly_in_front_cost_nothing_where_there_is_a_check(
        message in any::message(),
        encoding in any::encoding(),
        noise in "[ -z|~]{0,60}",
    ) {
        let key = any::key();
        // a frame may hold a newline, which ends the noise within it: hence the 00 in front
        for style in styles(&key).iter().filter(|style| style.surrounded || encoding == Encoding::Json) {
            let bytes = [noise.as_bytes(), &style.bytes(&message, encoding)].concat();
            prop_assert_eq!(messages(&bytes, &style.accept), [message.clone()]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_turned_bit_makes_another_message(message in any::message(), encoding in any::encoding()) {
        let key = any::key();
        for style in styles(&key) {
            let good = style.bytes(&message, encoding);
            for bit in 0..good.len() * 8 {
                let mut bad = good.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                bad.extend(b"\n\0");
                let got = messages(&bad, &style.accept);
                prop_assert!(got.is_empty() || got == [message.clone()], "bit {}: {:?}", bit, got);
            }
        }
    }

    #[test]
    fn no_beginning_of_a_message_is_one(message in any::message(), encoding in any::encoding()) {
        let key = any::key();
        for style in styles(&key) {
            let good = style.bytes(&message, encoding);
            for len in 0..good.len() - 1 {
                for end in [&b"\n"[..], b"\0", b"\r\n", b"\n\0"] {
                    let bad = [&good[..len], end].concat();
                    let got = messages(&bad, &style.accept);
                    // the newline put there may be the very byte that was cut off
                    let restored = bad.starts_with(&good[..good.len() - 1]);
                    prop_assert!(got.is_empty() || restored, "{}: {:?}", len, got);
                }
            }
        }
    }
}

fn sample(seq: u32) -> Message {
    let text = format!(
        r#"{{"clock":"A01","boot":3,"seq":{seq},"uptime_ms":912345,"left_ms":2715000,"right_ms":2988123,"running":"right","left_presses":4,"right_presses":3}}"#
    );
    Message::Report(serde_json::from_str(&text).unwrap())
}

#[test]
fn both_encodings_share_a_line_and_say_which_they_are() {
    let mut bytes = Vec::new();
    for (seq, encoding) in
        [Encoding::Json, Encoding::Binary, Encoding::Binary, Encoding::Json].into_iter().enumerate()
    {
        bytes.extend(line(&sample(seq as u32), encoding, Check::Crc));
    }
    let got: Vec<_> = read(&mut Lexer::new(), &bytes, &Accept::CHECKED)
        .into_iter()
        .map(|item| item.unwrap().encoding)
        .collect();
    assert_eq!(got, [Encoding::Json, Encoding::Binary, Encoding::Binary, Encoding::Json]);
}

#[test]
fn line_ends_of_any_kind_and_empty_lines_are_no_errors() {
    let text = line(&sample(1), Encoding::Json, Check::Crc);
    let text = text.strip_suffix(b"\n").unwrap();
    let bytes = [b"\n\r\n\0\0\n".as_slice(), text, b"\r\n\r\n", text, b" \n\0", text, b"\n"].concat();
    let mut lexer = Lexer::new();
    assert_eq!(read(&mut lexer, &bytes, &Accept::CHECKED).len(), 3);
    assert_eq!((lexer.counters().messages, lexer.counters().errors()), (3, 0));
}

#[test]
fn a_line_without_its_crc_needs_the_setting() {
    let text = line(&sample(1), Encoding::Json, Check::None);
    let strict = read(&mut Lexer::new(), &text, &Accept::CHECKED);
    assert!(matches!(
        &strict[..],
        [Err(LineError { error: DecodeError::Unchecked, encoding: Some(Encoding::Json), .. })]
    ));
    let loose = read(&mut Lexer::new(), &text, &Accept::UNCHECKED);
    assert!(matches!(&loose[..], [Ok(Received { checked: Checked::Not, .. })]));
}

#[test]
fn a_wrong_crc_is_refused_even_where_none_is_needed() {
    let text = line(&sample(1), Encoding::Json, Check::Crc);
    let text = String::from_utf8(text).unwrap().replace("2715000", "2715001");
    let read = read(&mut Lexer::new(), text.as_bytes(), &Accept::UNCHECKED);
    assert!(matches!(&read[..], [Err(LineError { error: DecodeError::Crc, .. })]));
}

#[test]
fn a_sealed_line_without_the_key_counts_as_unchecked() {
    let key = any::key();
    let text = line(&sample(1), Encoding::Json, Check::Seal(&key));
    let strict = read(&mut Lexer::new(), &text, &Accept::CHECKED);
    assert!(matches!(&strict[..], [Err(LineError { error: DecodeError::Unchecked, .. })]));
    let frame = line(&sample(1), Encoding::Binary, Check::Seal(&key));
    let strict = read(&mut Lexer::new(), &frame, &Accept::CHECKED);
    assert!(matches!(&strict[..], [Ok(Received { checked: Checked::Crc, .. })]));
}

#[test]
fn what_is_too_long_is_dropped_up_to_the_next_delimiter_and_said_once() {
    for end in [b"\n", b"\0"] {
        let bytes = [&b"x".repeat(5000)[..], end, &line(&sample(1), Encoding::Json, Check::Crc)].concat();
        let got = read(&mut Lexer::new(), &bytes, &Accept::CHECKED);
        assert!(matches!(&got[..], [Err(LineError { error: DecodeError::TooLong, .. }), Ok(_)]), "{got:?}");
    }
}

#[test]
fn errors_are_counted_by_what_is_wrong() {
    let key = any::key();
    let mut lexer = Lexer::new();
    let mut bytes = b"hello\n".to_vec();
    bytes.extend(line(&sample(1), Encoding::Json, Check::None));
    let damaged = String::from_utf8(line(&sample(2), Encoding::Json, Check::Crc)).unwrap();
    bytes.extend(damaged.replace("2715000", "2715001").bytes());
    bytes.extend(b"{\"clock\":\"A01\"\n");
    read(&mut lexer, &bytes, &Accept::CHECKED);
    read(&mut lexer, &line(&sample(3), Encoding::Binary, Check::Crc), &Accept::sealed(&key));
    let counted = lexer.counters();
    assert_eq!(
        (counted.garbage, counted.unchecked, counted.crc, counted.malformed, counted.seal, counted.messages),
        (1, 1, 1, 1, 1, 0)
    );
}

#[test]
fn a_reset_forgets_the_half_line_of_an_old_connection() {
    let text = line(&sample(1), Encoding::Json, Check::Crc);
    let mut lexer = Lexer::new();
    assert!(read(&mut lexer, &text[..30], &Accept::CHECKED).is_empty());
    lexer.reset();
    let got = read(&mut lexer, &text, &Accept::CHECKED);
    assert!(matches!(&got[..], [Ok(_)]));
    assert_eq!(lexer.counters().errors(), 0);
}
