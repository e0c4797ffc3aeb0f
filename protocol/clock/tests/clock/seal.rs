//! Seals, keys, topics.

use crate::any;
use flagfall_clock::{Channel, Key, KeyError, Topic, TopicError, crc32};
use proptest::prelude::*;

#[test]
fn the_crc_is_that_of_zlib() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
}

#[test]
fn the_seal_is_hmac_sha_256_over_topic_00_and_bytes() {
    // python: hmac.new(bytes(range(32)), b"flagfall/1/A01/report\0" + b'{"clock":"A01"', "sha256")
    let topic: Topic = "flagfall/1/A01/report".parse().unwrap();
    let seal = any::key().seal(&topic, br#"{"clock":"A01""#);
    let hex: String = seal.iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(hex, "2fd95c1faf62f548ee78d71c9c6af52d");
    assert!(any::key().fits(&topic, br#"{"clock":"A01""#, &seal));
    let other: Topic = "flagfall/1/A02/report".parse().unwrap();
    assert!(!any::key().fits(&other, br#"{"clock":"A01""#, &seal));
}

#[test]
fn a_key_is_read_from_hex_and_never_shown() {
    let hex = "00112233445566778899AABBccddeeff";
    let key: Key = hex.parse().unwrap();
    assert_eq!(format!("{key:?}"), "Key(..)");
    assert_eq!(format!("{:?}", flagfall_clock::Check::Seal(&key)), "Seal(Key(..))");
    for (text, error) in [
        ("", KeyError::Length),
        ("00", KeyError::Length),
        (&hex[1..], KeyError::Hex),
        ("zz112233445566778899AABBccddeeff", KeyError::Hex),
        (&"00".repeat(65), KeyError::Length),
    ] {
        assert_eq!(text.parse::<Key>().unwrap_err(), error, "{text}");
    }
}

proptest! {
    #[test]
    fn topics_go_and_come_back(clock in any::clock(), channel in prop::sample::select(Channel::ALL.to_vec())) {
        let topic = Topic::new(clock, channel);
        let text = topic.text();
        prop_assert_eq!(text.as_str(), topic.to_string());
        prop_assert_eq!(text.parse::<Topic>(), Ok(topic));
        prop_assert_eq!(channel.of_every_clock().replace('+', clock.as_str()), topic.to_string());
    }
}

#[test]
fn what_is_no_topic_of_ours_is_refused_with_its_reason() {
    for (text, error) in [
        ("", TopicError::Shape),
        ("flagfall/1/A01", TopicError::Shape),
        ("flagfall/1/A01/report/", TopicError::Shape),
        ("other/1/A01/report", TopicError::Shape),
        ("flagfall/2/A01/report", TopicError::Version),
        ("flagfall/1/A01/reports", TopicError::Channel),
        ("flagfall/1//report", TopicError::Clock(flagfall_clock::ClockIdError::Length)),
        ("flagfall/1/+/report", TopicError::Clock(flagfall_clock::ClockIdError::Character)),
    ] {
        assert_eq!(text.parse::<Topic>(), Err(error), "{text}");
    }
}
