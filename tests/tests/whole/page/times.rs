//! What an arbiter writes for a time, and how times are written for him, as the page's own code has it.

use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::LAPTOP;
use flagfall_tests::browser::page::Page;
use flagfall_tests::hall::Plan;
use serde_json::{Value, json};

/// Written, and the milliseconds it means; null where it is no time.
const READ: &[(&str, Option<i64>)] = &[
    ("42:30", Some(2_550_000)),
    ("0:03", Some(3_000)),
    ("5:00", Some(300_000)),
    ("1:05:00", Some(3_900_000)),
    ("1:00:00", Some(3_600_000)),
    ("42", Some(2_520_000)),
    ("90:00", Some(5_400_000)),
    ("+1:00", Some(60_000)),
    ("-5:00", Some(-300_000)),
    ("−5:00", Some(-300_000)),
    ("１：３０", Some(90_000)),
    (" 0:59.5 ", Some(59_500)),
    ("0:00", Some(0)),
    ("1:60", None),
    ("1:2:3:4", None),
    ("5 min", None),
    ("", None),
    ("1e3", None),
];

/// Milliseconds, and how they are written: up to the next second, so that 0:00 is the flag.
const WRITTEN: &[(Option<i64>, &str)] = &[
    (Some(0), "0:00"),
    (Some(1), "0:01"),
    (Some(59_001), "1:00"),
    (Some(2_550_000), "42:30"),
    (Some(3_600_000), "1:00:00"),
    (Some(-10_000), "-0:10"),
    (Some(-999), "0:00"),
    (None, "–"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn times_are_read_and_written_as_people_do() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let driver = Driver::start();
    let page = Page::open(&driver, hall.port, "viewer", LAPTOP).await;
    let script = "const {read, time} = await import('/time.js'); return [arguments[0].map(read), arguments[1].map(time)]";
    let texts: Vec<&str> = READ.iter().map(|(text, _)| *text).collect();
    let times: Vec<Option<i64>> = WRITTEN.iter().map(|(ms, _)| *ms).collect();
    let found = page.session.script_async(script, json!([texts, times])).await;
    for ((text, ms), found) in READ.iter().zip(found[0].as_array().expect("a list")) {
        assert_eq!(found, &Value::from(*ms), "{text:?} is read so");
    }
    for ((ms, text), found) in WRITTEN.iter().zip(found[1].as_array().expect("a list")) {
        assert_eq!(found, text, "{ms:?} is written so");
    }
    page.end().await;
}
