//! Every message comes back as it went.

use crate::any;
use flagfall_clock::{
    About, Accept, Action, Can, Check, Checked, ClockCommand, ClockEvent, ClockReport, DecodeError,
    EncodeError, Encoding, FlagAt, Keys, Kind, MAX_LINE, MAX_MESSAGE, MAX_PERIODS, MAX_TIME_MS, Message,
    Period, Periods, PeriodsAt, Side, SideTimes, StopButton, TimeControl, decode, decode_command,
    decode_report, encode, encode_report, line_command, line_report,
};
use proptest::prelude::*;

fn checks(key: &flagfall_clock::Key) -> [(Check<'_>, Accept<'_>); 3] {
    [(Check::None, Accept::UNCHECKED), (Check::Crc, Accept::CHECKED), (Check::Seal(key), Accept::sealed(key))]
}

proptest! {
    #[test]
    fn any_message_in_any_encoding_with_any_check(message in any::message(), encoding in any::encoding()) {
        let key = any::key();
        for (check, accept) in checks(&key) {
            let payload = any::payload(&message, encoding, check);
            prop_assert!(payload.len() <= MAX_MESSAGE);
            let received = decode(&payload, encoding, &accept).unwrap();
            prop_assert_eq!(&received.message, &message);
            prop_assert_eq!(received.encoding, encoding);
            let wanted = match check {
                Check::Seal(_) => Checked::Seal,
                Check::None if encoding == Encoding::Json => Checked::Not,
                _ => Checked::Crc,
            };
            prop_assert_eq!(received.checked, wanted);
        }
    }

    #[test]
    fn serde_json_reads_and_writes_the_same(report in any::report(), command in any::command()) {
        let text = serde_json::to_string(&report).unwrap();
        prop_assert_eq!(&decode_report(text.as_bytes(), Encoding::Json, &Accept::UNCHECKED).unwrap(), &report);
        let ours = any::payload(&Message::Report(report.clone()), Encoding::Json, Check::None);
        prop_assert_eq!(core::str::from_utf8(&ours).unwrap(), &text, "what a clock writes is what serde writes");
        prop_assert_eq!(serde_json::from_slice::<ClockReport>(&ours).unwrap(), report);
        let text = serde_json::to_string(&command).unwrap();
        prop_assert_eq!(&decode_command(text.as_bytes(), Encoding::Json, &Accept::UNCHECKED).unwrap(), &command);
    }

    #[test]
    fn events_alone_pass_through_serde_json(event in any::event()) {
        let text = serde_json::to_string(&event).unwrap();
        prop_assert_eq!(serde_json::from_str::<ClockEvent>(&text).unwrap(), event);
    }

    #[test]
    fn a_small_buffer_is_an_error_and_no_panic(message in any::message(), encoding in any::encoding(), len in 0..MAX_LINE) {
        let key = any::key();
        for check in [Check::None, Check::Crc, Check::Seal(&key)] {
            let whole = any::payload(&message, encoding, check);
            let mut out = vec![0; len];
            match encode(&message, encoding, check, &mut out) {
                Ok(written) => prop_assert_eq!(&out[..written], &whole[..]),
                Err(error) => {
                    prop_assert_eq!(error, EncodeError::Full);
                    // COBS may want a byte more than it ends up using
                    prop_assert!(len <= whole.len());
                }
            }
            let mut out = vec![0; len];
            let line = match &message {
                Message::Report(report) => line_report(report, encoding, check, &mut out),
                Message::Command(command) => line_command(command, encoding, check, &mut out),
            };
            prop_assert!(line.is_ok() || len <= whole.len() + 2);
        }
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..700)) {
        for accept in [Accept::CHECKED, Accept::UNCHECKED] {
            let _ = decode(&bytes, Encoding::Json, &accept);
            prop_assert!(decode(&bytes, Encoding::Binary, &accept).is_err());
        }
    }
}

#[test]
fn the_longest_messages_fit_and_the_limit_is_not_idle() {
    let key = any::key();
    let clock = "ABCDEFGHIJKLMNOP".parse().unwrap();
    let mut firmware = heapless::String::new();
    while firmware.push('\u{1f}').is_ok() {}
    let report = Message::Report(ClockReport {
        clock,
        boot: u32::MAX,
        seq: u32::MAX,
        events: Some(u32::MAX),
        uptime_ms: u64::MAX,
        left_ms: -MAX_TIME_MS,
        right_ms: -MAX_TIME_MS,
        running: Some(Side::Right),
        left_presses: u32::MAX,
        right_presses: u32::MAX,
        flag: Some(Some(Side::Right)),
        stopped_by: Some(flagfall_clock::By::ArbiterKey),
        battery_pct: Some(100),
        periods: Some((255, 255)),
        event: Some(ClockEvent::About(About {
            firmware,
            restored: false,
            resolution_ms: u32::MAX,
            can: Some(Can::ALL),
        })),
    });
    let longest_period =
        Period { moves: u16::MAX, base_ms: MAX_TIME_MS as u32, increment_ms: MAX_TIME_MS as u32 };
    let odds = Some(SideTimes { base_ms: MAX_TIME_MS as u32, increment_ms: MAX_TIME_MS as u32 });
    let command = Message::Command(ClockCommand {
        clock,
        command: u32::MAX,
        boot: u32::MAX,
        until_ms: u64::MAX,
        action: Action::Configure {
            time_control: TimeControl {
                kind: Kind::SuddenDeath,
                base_ms: MAX_TIME_MS as u32,
                increment_ms: MAX_TIME_MS as u32,
                increment_on_first_move: false,
                flag_at: FlagAt::BelowZero,
                freeze_on_flag: false,
                first: odds,
                second: odds,
                cap_ms: Some(MAX_TIME_MS as u32),
                overtime_ms: MAX_TIME_MS as u32,
                overtime_count: u16::MAX,
                moves: u16::MAX,
                periods: Periods::of(&[longest_period; MAX_PERIODS]).unwrap(),
                periods_at: PeriodsAt::Zero,
                repeat: true,
            },
            first_side: Side::Right,
            stop_button: StopButton::EndOnly,
        },
    });
    let longest = [report, command]
        .iter()
        .flat_map(|message| {
            [Encoding::Json, Encoding::Binary].map(|e| any::payload(message, e, Check::Seal(&key)).len())
        })
        .max();
    assert!(longest.is_some_and(|len| len <= MAX_MESSAGE && len > MAX_MESSAGE - 32), "{longest:?}");
}

#[test]
fn values_out_of_range_are_refused_both_ways_by_name() {
    let report = |member: &str| {
        format!(
            r#"{{"clock":"A01","boot":3,"seq":118,"uptime_ms":1,"left_ms":1,"right_ms":2,"running":null,"left_presses":0,"right_presses":0{member}}}"#
        )
    };
    let read = |text: &str| decode_report(text.as_bytes(), Encoding::Json, &Accept::UNCHECKED);
    let mut good = read(&report("")).unwrap();
    for (member, named) in [
        (r#","battery_pct":101"#, "battery_pct"),
        (r#","periods":[0,1]"#, "periods"),
        (r#","event":{"type":"press"}"#, "side"),
        (r#","event":{"type":"press","side":"top"}"#, "side"),
        (r#","event":{}"#, "type"),
        (r#","event":{"type":"done","ok":true}"#, "command"),
    ] {
        let error = read(&report(member)).unwrap_err().to_string();
        assert!(error.contains(named), "{member}: {error}");
    }
    let error = read(&report("").replace(r#""left_ms":1"#, r#""left_ms":360000000"#)).unwrap_err();
    assert!(error.to_string().contains("left_ms"), "{error}");
    for field in ["clock", "boot", "seq", "uptime_ms", "left_ms", "right_ms", "running", "left_presses"] {
        let text = report("").replace(&format!("\"{field}\":"), "\"else\":");
        let error = read(&text).unwrap_err().to_string();
        assert_eq!(error, format!("field {field} is missing"));
    }
    good.left_ms = MAX_TIME_MS + 1;
    for encoding in [Encoding::Json, Encoding::Binary] {
        let error = encode_report(&good, encoding, Check::Crc, &mut [0; MAX_MESSAGE]).unwrap_err();
        assert!(matches!(error, EncodeError::Range(range) if range.field == "left_ms"));
    }
}

#[test]
fn an_absent_flag_is_unknown_and_null_is_none_fallen() {
    let text = r#"{"clock":"A01","boot":3,"seq":1,"uptime_ms":1,"left_ms":1,"right_ms":2,"running":null,"left_presses":0,"right_presses":0"#;
    let flag = |member: &str| {
        let text = format!("{text}{member}}}");
        decode_report(text.as_bytes(), Encoding::Json, &Accept::UNCHECKED).unwrap().flag
    };
    assert_eq!(flag(""), None);
    assert_eq!(flag(r#","flag":null"#), Some(None));
    assert_eq!(flag(r#","flag":"left""#), Some(Some(Side::Left)));
}

#[test]
fn a_message_of_the_other_direction_is_refused() {
    let stop = br#"{"clock":"A01","command":17,"boot":3,"until_ms":915345,"do":{"type":"stop"}}"#;
    assert_eq!(decode_report(stop, Encoding::Json, &Accept::UNCHECKED), Err(DecodeError::NotReport));
    let report = br#"{"clock":"A01","boot":3,"seq":1,"uptime_ms":1,"left_ms":1,"right_ms":2,"running":null,"left_presses":0,"right_presses":0}"#;
    assert_eq!(decode_command(report, Encoding::Json, &Accept::UNCHECKED), Err(DecodeError::NotCommand));
}

#[test]
fn each_clock_of_a_shared_line_has_its_own_key() {
    let keys = [("A01", any::key()), ("A02", flagfall_clock::Key::new(&[9; 32]).unwrap())];
    let of = |clock: &flagfall_clock::ClockId| {
        keys.iter().find(|(name, _)| *name == clock.as_str()).map(|(_, key)| key)
    };
    let accept = Accept::CHECKED.with(Keys::Each(&of));
    let stop = |clock: &str| {
        Message::Command(ClockCommand {
            clock: clock.parse().unwrap(),
            command: 1,
            boot: 1,
            until_ms: 1,
            action: Action::Stop,
        })
    };
    for encoding in [Encoding::Json, Encoding::Binary] {
        let read = |clock: &str, check| {
            decode(&any::payload(&stop(clock), encoding, check), encoding, &accept)
                .map(|received| received.checked)
        };
        assert_eq!(read("A01", Check::Seal(&keys[0].1)), Ok(Checked::Seal));
        assert_eq!(read("A02", Check::Seal(&keys[1].1)), Ok(Checked::Seal));
        assert_eq!(read("A02", Check::Seal(&keys[0].1)), Err(DecodeError::Seal("A02".parse().unwrap())));
        assert_eq!(read("A01", Check::Crc), Err(DecodeError::Unsealed("A01".parse().unwrap())));
        assert_eq!(read("A03", Check::Crc), Ok(Checked::Crc));
    }
}

/// The longest that a clock says, in either encoding and sealed, leaves little of its buffer.
#[test]
fn the_longest_report_fits_and_the_limit_is_not_idle() {
    let key = any::key();
    let about = About {
        firmware: "\u{1}".repeat(24).as_str().try_into().unwrap(),
        restored: false,
        resolution_ms: u32::MAX,
        can: Some(Can::ALL),
    };
    let report = ClockReport {
        clock: "A123456789abcdef".parse().unwrap(),
        boot: u32::MAX,
        seq: u32::MAX,
        events: Some(u32::MAX),
        uptime_ms: u64::MAX,
        left_ms: -MAX_TIME_MS,
        right_ms: -MAX_TIME_MS,
        running: Some(Side::Right),
        left_presses: u32::MAX,
        right_presses: u32::MAX,
        flag: Some(Some(Side::Right)),
        stopped_by: Some(flagfall_clock::By::ArbiterKey),
        battery_pct: Some(100),
        periods: Some((255, 255)),
        event: Some(ClockEvent::About(about)),
    };
    let mut out = [0; MAX_LINE];
    let longest = [Encoding::Json, Encoding::Binary]
        .map(|encoding| line_report(&report, encoding, Check::Seal(&key), &mut out).unwrap());
    assert!(longest[0] > longest[1]);
    assert!(
        (flagfall_clock::MAX_REPORT - 16..=flagfall_clock::MAX_REPORT).contains(&longest[0]),
        "{longest:?}"
    );
}
