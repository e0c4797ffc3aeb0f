//! Old readers of newer messages, new readers of older ones.

use crate::any;
use flagfall_clock::{
    Accept, Action, Check, ClockEvent, DecodeError, Encoding, Key, Message, Topic, VERSION, crc32, decode,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value};

/// A frame's content without seal and CRC, as another writer may have it.
fn content(message: &Message) -> Vec<u8> {
    let frame = any::payload(message, Encoding::Binary, Check::Crc);
    let mut content = vec![0; frame.len()];
    let len = cobs::decode(&frame, &mut content).unwrap();
    content.truncate(len - 4);
    content
}

fn frame(mut content: Vec<u8>, key: Option<(&Key, Topic)>) -> Vec<u8> {
    if let Some((key, topic)) = key {
        content[1] |= 0x80;
        let seal = key.seal(&topic, &content);
        content.extend(seal);
    }
    content.extend(crc32(&content).to_le_bytes());
    let mut out = vec![0; cobs::max_encoding_length(content.len()) + 1];
    let len = cobs::encode(&content, &mut out);
    out.truncate(len);
    out
}

fn varint(number: u32) -> Vec<u8> {
    postcard::to_slice(&number, &mut [0; 5]).unwrap().to_vec()
}

fn read(frame: &[u8]) -> Result<Message, DecodeError> {
    decode(frame, Encoding::Binary, &Accept::CHECKED).map(|received| received.message)
}

/// The same without what happened or is to be done, so that the block is empty and last.
fn emptied(message: &Message) -> Option<Vec<u8>> {
    let Message::Report(report) = message else { return None };
    let mut status = report.clone();
    status.event = None;
    Some(content(&Message::Report(status)))
}

/// Any members besides our own, with names that no version has.
fn members() -> impl Strategy<Value = Vec<(String, Value)>> {
    vec(("[a-z]{0,4}[\"\\\\ü\n]?", any::json()), 0..3)
        .prop_map(|members| members.into_iter().map(|(name, value)| (format!("x_{name}"), value)).collect())
}

/// Puts members before and after those of every object of ours.
fn widen(value: &mut Value, more: &[(String, Value)]) {
    let Value::Object(object) = value else { return };
    for own in ["event", "do", "time_control", "first", "second"] {
        if let Some(inner) = object.get_mut(own) {
            widen(inner, more);
        }
    }
    if let Some(Value::Array(periods)) = object.get_mut("periods") {
        periods.iter_mut().for_each(|period| widen(period, more));
    }
    let mut wide = Map::new();
    let half = more.len() / 2;
    wide.extend(more[..half].iter().cloned());
    wide.extend(std::mem::take(object));
    wide.extend(more[half..].iter().cloned());
    *object = wide;
}

fn close(text: &str) -> String {
    let open = text.trim_end().strip_suffix('}').unwrap();
    format!("{open},\"crc\":\"{:08x}\"}}", crc32(open.as_bytes()))
}

proptest! {
    #[test]
    fn members_of_later_versions_are_passed_over(message in any::message(), more in members(), pretty in any::<bool>()) {
        let text = any::payload(&message, Encoding::Json, Check::None);
        let mut value: Value = serde_json::from_slice(&text).unwrap();
        widen(&mut value, &more);
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let received = decode(close(&text).as_bytes(), Encoding::Json, &Accept::CHECKED);
        prop_assert_eq!(received.map(|r| r.message), Ok(message));
    }

    #[test]
    fn members_may_stand_in_any_order(message in any::message(), turn in 0..16_usize) {
        let text = any::payload(&message, Encoding::Json, Check::None);
        let mut value: Value = serde_json::from_slice(&text).unwrap();
        fn turned(value: &mut Value, turn: usize) {
            let Value::Object(object) = value else { return };
            let mut members: Vec<_> = std::mem::take(object).into_iter().collect();
            members.iter_mut().for_each(|(_, value)| turned(value, turn));
            if !members.is_empty() {
                let turn = turn % members.len();
                members.rotate_left(turn);
            }
            object.extend(members);
        }
        turned(&mut value, turn);
        let received = decode(value.to_string().as_bytes(), Encoding::Json, &Accept::UNCHECKED);
        prop_assert_eq!(received.map(|r| r.message), Ok(message));
    }

    #[test]
    fn an_event_of_a_later_version_leaves_the_state_valid(report in any::report(), fields in vec((prop::sample::select(vec![
        "side", "by", "firmware", "restored", "resolution_ms", "can", "claim", "agreed", "command", "ok", "error", "lever",
    ]), any::json()), 0..4), number in 17..u32::MAX, bytes in vec(any::<u8>(), 0..20)) {
        let mut unknown = report.clone();
        unknown.event = Some(ClockEvent::Unknown);
        let unknown = Message::Report(unknown);

        let mut value = serde_json::to_value(&report).unwrap();
        let mut event: Map<String, Value> = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        event.insert("type".to_owned(), "lever_stuck".into());
        value["event"] = Value::Object(event);
        let received = decode(close(&value.to_string()).as_bytes(), Encoding::Json, &Accept::CHECKED);
        prop_assert_eq!(received.map(|r| r.message), Ok(unknown.clone()));

        let mut later = emptied(&Message::Report(report)).unwrap();
        prop_assert_eq!(later.pop(), Some(0));
        let mut block = varint(number);
        block.extend(bytes);
        later.push(block.len() as u8);
        later.extend(block);
        prop_assert_eq!(read(&frame(later, None)), Ok(unknown));
    }

    #[test]
    fn a_command_of_a_later_version_keeps_its_number(command in any::command(), number in 12..u32::MAX, bytes in vec(any::<u8>(), 0..20), more in any::json()) {
        prop_assume!(!matches!(command.action, Action::Ack { .. }));
        let mut unknown = command.clone();
        unknown.action = Action::Unknown;

        let mut value = serde_json::to_value(&command).unwrap();
        value["do"]["type"] = "dance".into();
        value["do"]["side"] = more.clone();
        value["do"]["time_control"] = more;
        let received = decode(value.to_string().as_bytes(), Encoding::Json, &Accept::UNCHECKED);
        prop_assert_eq!(received.map(|r| r.message), Ok(Message::Command(unknown.clone())));

        let mut later = content(&Message::Command(unknown.clone()));
        prop_assert_eq!(later.split_off(later.len() - 2), [1, 0]);
        let mut block = varint(number);
        block.extend(bytes);
        later.push(block.len() as u8);
        later.extend(block);
        prop_assert_eq!(read(&frame(later, None)), Ok(Message::Command(unknown)));
    }

    #[test]
    fn fields_appended_to_a_frame_or_its_block_are_passed_over(message in any::message(), more in vec(any::<u8>(), 0..60)) {
        let mut later = content(&message);
        later.extend(&more);
        prop_assert_eq!(read(&frame(later.clone(), None)), Ok(message.clone()));
        let key = any::key();
        let sealed = frame(later, Some((&key, message.topic(Encoding::Binary))));
        let received = decode(&sealed, Encoding::Binary, &Accept::sealed(&key));
        prop_assert_eq!(received.map(|r| r.message), Ok(message.clone()));

        if let Some(empty) = emptied(&message) {
            let mut later = content(&message);
            let prefix = empty.len() - 1;
            if later[prefix] > 0 {
                let len = later[prefix] as usize + more.len();
                later.splice(prefix..=prefix, varint(len as u32));
                later.extend(&more);
                prop_assert_eq!(read(&frame(later, None)), Ok(message));
            }
        }
    }

    #[test]
    fn fields_an_older_writer_did_not_have_are_unknown(report in any::report(), missing in 0..6_usize) {
        let mut old = report;
        old.flag = None;
        old.stopped_by = None;
        old.battery_pct = None;
        old.periods = None;
        old.event = None;
        let message = Message::Report(old);
        let mut older = content(&message);
        older.truncate(older.len() - missing);
        let read = read(&frame(older, None));
        prop_assert_eq!(read, Ok(message));
    }

    #[test]
    fn a_frame_of_another_version_or_kind_is_refused_by_name(message in any::message(), version in 2..=255_u8, kind in 3..=127_u8) {
        let mut other = content(&message);
        other[0] = version;
        prop_assert_eq!(read(&frame(other, None)), Err(DecodeError::Version(version)));
        let mut other = content(&message);
        other[1] = kind;
        prop_assert_eq!(read(&frame(other, None)), Err(DecodeError::Kind(kind)));
    }

    #[test]
    fn any_fields_with_a_good_crc_are_a_message_or_an_error(bytes in vec(any::<u8>(), 0..80), kind in prop::sample::select(vec![1_u8, 2, 0x81, 0x82])) {
        let content = [&[VERSION, kind][..], &bytes].concat();
        let sent = frame(content, None);
        if let Ok(message) = read(&sent) {
            prop_assert!(message.check().is_ok());
        }
    }
}

#[test]
fn a_control_or_name_this_version_does_not_know_is_unknown_and_not_guessed() {
    let configure = |control: &str, more: &str| {
        let text = format!(
            r#"{{"clock":"A01","command":17,"boot":3,"until_ms":1,"do":{{"type":"configure","time_control":{control},"first_side":"left"{more}}}}}"#
        );
        match decode(text.as_bytes(), Encoding::Json, &Accept::UNCHECKED).map(|received| received.message) {
            Ok(Message::Command(command)) => {
                assert_eq!(command.command, 17);
                Ok(command.action)
            }
            Ok(Message::Report(_)) => panic!("a report"),
            Err(error) => Err(error),
        }
    };
    let plain = r#"{"base_ms":3000000,"increment_ms":15000}"#;
    let wanted = Action::Configure {
        time_control: flagfall_clock::TimeControl::fischer(3_000_000, 15_000),
        first_side: flagfall_clock::Side::Left,
        stop_button: flagfall_clock::StopButton::On,
    };
    assert_eq!(configure(plain, ""), Ok(wanted.clone()));
    assert_eq!(configure(r#"{"kind":"scrabble","main_ms":1}"#, ""), Ok(Action::Unknown));
    let with = |more: &str| configure(&plain.replace('}', &format!(",{more}}}")), "");
    assert_eq!(with(r#""periods_at":"noon""#), Ok(Action::Unknown));
    let five = [r#"{"base_ms":1}"#; 5].join(",");
    assert_eq!(with(&format!(r#""periods":[{five}]"#)), Ok(Action::Unknown), "more than this version holds");
    for (more, named) in [
        (r#""periods":[{"moves":1}]"#, "base_ms of a period"),
        (r#""periods":[7]"#, "of a period"),
        (r#""periods":[{"base_ms":1,"moves":65536}]"#, "moves of a period"),
        (r#""periods":[{"base_ms":360000000}]"#, "base_ms of a period"),
        (r#""periods":{}"#, "periods"),
        (r#""overtime_count":-1"#, "overtime_count"),
        (r#""overtime_ms":360000000"#, "overtime_ms"),
        (r#""cap_ms":360000000"#, "cap_ms"),
        (r#""moves":"many""#, "moves"),
        (r#""repeat":1"#, "repeat"),
    ] {
        let error = with(more).unwrap_err().to_string();
        assert!(error.contains(named), "{more}: {error}");
    }
    assert_eq!(with(r#""cap_ms":null,"periods":null,"moves":null"#), Ok(wanted.clone()));
    assert_eq!(configure(r#"{"base_ms":1,"increment_ms":1,"flag_at":"noon"}"#, ""), Ok(Action::Unknown));
    assert_eq!(configure(plain, r#","stop_button":"shy""#), Ok(Action::Unknown));
    assert!(configure(r#"{"base_ms":1}"#, "").unwrap_err().to_string().contains("increment_ms"));
    assert!(
        configure(r#"{"base_ms":360000000,"increment_ms":1}"#, "")
            .unwrap_err()
            .to_string()
            .contains("base_ms")
    );
    assert!(configure("7", "").is_err());
}

#[test]
fn names_of_later_versions_in_a_known_event_read_as_unknown() {
    let event = |text: &str| serde_json::from_str::<ClockEvent>(text).unwrap();
    use flagfall_clock::{By, Refusal};
    assert_eq!(event(r#"{"type":"stop","by":"cat"}"#), ClockEvent::Stop { by: By::Unknown });
    assert_eq!(
        event(r#"{"type":"over","claim":"adjourned","agreed":true}"#),
        ClockEvent::Over { claim: None, agreed: true }
    );
    assert_eq!(
        event(r#"{"type":"done","command":1,"ok":false,"error":"asleep"}"#),
        ClockEvent::Done { command: 1, ok: false, error: Some(Refusal::Other) }
    );
}

/// As a writer of the first firmware has it: a block that ends with `increment_ms`, or anywhere after it.
#[test]
fn a_control_of_an_older_writer_has_the_defaults() {
    let control = |control: &[u8]| {
        let mut whole = vec![VERSION, 2, 3, b'A', b'0', b'1', 17, 3, 1];
        whole.push(control.len() as u8 + 4);
        whole.extend([1, control.len() as u8]);
        whole.extend(control);
        whole.extend([1, 0]);
        match read(&frame(whole, None)) {
            Ok(Message::Command(command)) => command.action,
            other => panic!("{other:?}"),
        }
    };
    let wanted = |time_control| Action::Configure {
        time_control,
        first_side: flagfall_clock::Side::Right,
        stop_button: flagfall_clock::StopButton::On,
    };
    use flagfall_clock::{Kind, Period, Periods, TimeControl};
    // Kind, 100 ms, 5 ms; then the members in the order of the page.
    let whole = [9, 100, 5, 0, 0, 1, 0, 0, 1, 90, 30, 3, 40, 1, 20, 60, 2, 0, 1];
    let mut all = TimeControl::new(Kind::UpCount, 100, 5);
    assert_eq!(control(&whole[..3]), wanted(all));
    assert_eq!(control(&whole[..8]), wanted(all));
    (all.cap_ms, all.overtime_ms) = (Some(90), 30);
    assert_eq!(control(&whole[..11]), wanted(all));
    (all.overtime_count, all.moves) = (3, 40);
    assert_eq!(control(&whole[..13]), wanted(all));
    all.periods = Periods::of(&[Period { moves: 20, base_ms: 60, increment_ms: 2 }]).unwrap();
    assert_eq!(control(&whole[..17]), wanted(all));
    all.repeat = true;
    assert_eq!(control(&whole), wanted(all));
    let mut five = whole[..13].to_vec();
    five.extend([5, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0]);
    assert_eq!(control(&five), Action::Unknown, "more periods than this version holds");
}
