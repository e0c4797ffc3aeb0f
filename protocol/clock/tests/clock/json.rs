//! What clocks of third parties may write and still be JSON.

use crate::any;
use flagfall_clock::{Accept, ClockEvent, ClockReport, Encoding, Side, decode_report, from_json};
use proptest::prelude::*;
use serde::de::IgnoredAny;

/// `event` may be anything.
fn report(event: &str) -> Result<ClockReport, flagfall_clock::DecodeError> {
    let text = format!(
        r#"{{"clock":"A01","boot":3,"seq":118,"uptime_ms":1,"left_ms":1,"right_ms":2,"running":null,"left_presses":0,"right_presses":0,"event":{event}}}"#
    );
    decode_report(text.as_bytes(), Encoding::Json, &Accept::UNCHECKED)
}

proptest! {
    #[test]
    fn our_reader_takes_what_serde_json_takes(text in "[\\[\\]{}\",:0-9eE.+\\-\\\\untrfalsb /\t\u{1}ü]{0,24}") {
        let ours = from_json::<IgnoredAny>(text.as_bytes()).is_ok();
        let theirs = serde_json::from_str::<IgnoredAny>(&text).is_ok();
        prop_assert_eq!(ours, theirs, "{}", text);
    }

    #[test]
    fn our_reader_takes_any_json_and_not_its_beginning(value in any::json(), cut in any::<prop::sample::Index>()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            prop_assert!(from_json::<IgnoredAny>(text.as_bytes()).is_ok(), "{}", text);
            let cut = &text.as_bytes()[..cut.index(text.len())];
            prop_assert_eq!(
                from_json::<IgnoredAny>(cut).is_ok(),
                serde_json::from_slice::<IgnoredAny>(cut).is_ok()
            );
        }
    }

    #[test]
    fn a_whole_number_may_be_written_in_any_way(number in any::<u32>(), zeros in 0..8_usize, shift in 0..5_usize) {
        let shifted = format!("{number}{}e-{shift}", "0".repeat(shift));
        let fraction = format!("{number}.{}", "0".repeat(zeros + 1));
        let pointed = format!("{}.{:05}E+5", number / 100_000, number % 100_000);
        for text in [shifted, fraction, pointed] {
            prop_assert_eq!(from_json::<u32>(text.as_bytes()), Ok(number), "{}", text);
        }
    }

    #[test]
    fn strings_are_unescaped_as_by_serde_json(text in "([a-z\"\\\\/]|\\\\u[0-9a-f]{4}|\\\\[nrtbf\"\\\\/]){0,9}") {
        let quoted = format!("\"{text}\"");
        if let Ok(theirs) = serde_json::from_str::<String>(&quoted) {
            let ours: heapless::String<96> = from_json(quoted.as_bytes()).unwrap();
            prop_assert_eq!(ours.as_str(), theirs);
        }
    }
}

#[test]
fn numbers_that_are_no_whole_ones_are_refused_where_one_is_due_and_skipped_elsewhere() {
    for text in [
        "1.5",
        "1e-1",
        "4294967296",
        "1e10",
        "-1",
        "1e400",
        "1e99999999999999999999",
        "123456789012345678901234567890",
    ] {
        assert!(from_json::<u32>(text.as_bytes()).is_err(), "{text}");
        assert!(from_json::<IgnoredAny>(text.as_bytes()).is_ok(), "{text}");
    }
    assert_eq!(from_json::<i64>(b"-9223372036854775808"), Ok(i64::MIN));
    assert_eq!(from_json::<u64>(b"18446744073709551615"), Ok(u64::MAX));
    assert_eq!(from_json::<i64>(b"-0"), Ok(0));
    assert_eq!(from_json::<i64>(b"-0.0e99999"), Ok(0));
    for text in ["01", "-", "1.", ".5", "1e", "+1", "1e+", "0x1"] {
        assert!(from_json::<u32>(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn nesting_however_deep_costs_no_stack() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    // an empty list is no level of its own
    assert!(from_json::<IgnoredAny>(deep(65).as_bytes()).is_ok());
    assert!(from_json::<IgnoredAny>(deep(66).as_bytes()).is_err());
    assert!(from_json::<IgnoredAny>("[{\"a\":".repeat(500_000).as_bytes()).is_err());
    assert!(report(&deep(500_000)).is_err());
}

#[test]
fn escaped_names_and_values_are_the_same_names_and_values() {
    let read = report(r#"{"\u0074ype":"pre\u0073s","s\u0069de":"le\u0066t"}"#).unwrap();
    assert_eq!(read.event, Some(ClockEvent::Press { side: Side::Left }));
    let ClockEvent::Boot(about) = report(
        r#"{"type":"boot","firmware":"\ud83d\ude00 \"\ud83d\u4e00","can":["stop",3,null,{"a":[]},"dance"]}"#,
    )
    .unwrap()
    .event
    .unwrap() else {
        panic!("no boot")
    };
    assert_eq!(about.firmware, "\u{1f600} \"\u{fffd}\u{4e00}");
    assert_eq!(about.can.unwrap().names().collect::<Vec<_>>(), ["stop"]);
}

#[test]
fn what_a_clock_leaves_out_of_a_hint_has_its_default() {
    let Ok(Some(ClockEvent::Boot(about))) = report(r#"{"type":"boot"}"#).map(|read| read.event) else {
        panic!("no boot")
    };
    assert_eq!(about, flagfall_clock::About::default());
    let long =
        report(r#"{"type":"about","firmware":"a name that is longer than twenty-four bytes"}"#).unwrap();
    assert!(
        matches!(long.event, Some(ClockEvent::About(about)) if about.firmware == "a name that is longer th")
    );
    assert_eq!(
        report(r#"{"type":"stop"}"#).unwrap().event,
        Some(ClockEvent::Stop { by: flagfall_clock::By::Unknown })
    );
}

#[test]
fn a_list_of_fields_is_no_message() {
    let list = br#"["A01",3,118,null,1,1,2,null,0,0]"#;
    assert!(decode_report(list, Encoding::Json, &Accept::UNCHECKED).is_err());
    assert!(report("[]").is_err());
}

#[test]
fn a_member_said_twice_is_refused() {
    assert!(report(r#"{"type":"press","side":"left","side":"right"}"#).is_err());
}

#[test]
fn errors_say_what_and_where() {
    let error = |text: &str| from_json::<ClockReport>(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(error("{\"clock\":\"A01\",}"), "no json: a name was due at byte 15");
    assert!(error("{\"clock\":\"A 1\"}").starts_with("a clock's id is made of"));
    assert!(error("{\"clock\":7}").contains("clock's id"), "{}", error("{\"clock\":7}"));
    assert_eq!(error("\u{feff}{}"), "no json: an object was due at byte 0");
}
