//! Any batches read back equal.

use flagfall_journal::{Durability, Journal, Kind, NewRecord, Options, Reader, verify};
use proptest::prelude::*;

use crate::{BEGIN, folder};

fn body() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        ".{0,20}".prop_map(serde_json::Value::String),
        "\\PC{0,20}".prop_map(serde_json::Value::String),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::vec((".{0,5}", inner), 0..4)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
    .prop_map(|value| value.to_string())
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Begin),
        Just(Kind::Input),
        Just(Kind::Decision),
        Just(Kind::Sample),
        "[a-z0-9_.-]{1,32}"
            .prop_map(|text| text.parse().expect("a kind"))
            .prop_filter("ours", |k| *k != Kind::Journal),
    ]
}

/// Batches; `true` closes and opens the journal after one.
fn batches() -> impl Strategy<Value = Vec<(Vec<NewRecord>, bool)>> {
    let record =
        (prop_oneof![Just(0_u64), 0..5_u64, any::<u32>().prop_map(u64::from)], kind(), any::<bool>(), body());
    let batches = prop::collection::vec((prop::collection::vec(record, 0..8), any::<bool>()), 0..8);
    batches.prop_map(|batches| {
        let (mut at_ms, mut seq) = (0, 0);
        let mut fit = |(later, kind, tells, body): (u64, Kind, bool, String)| {
            at_ms += later;
            seq += u64::from(tells);
            NewRecord { at_ms, kind, seq: tells.then_some(seq), body }
        };
        batches
            .into_iter()
            .map(|(records, reopen)| (records.into_iter().map(&mut fit).collect(), reopen))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn any_batches_read_back_equal(batches in batches()) {
        let dir = folder();
        let path = dir.path().join("j");
        let options = Options { durability: Durability::None, ..Options::default() };
        let (mut journal, _) = Journal::create(&path, BEGIN, options).expect("created");
        let mut memory = Journal::in_memory(BEGIN).expect("memory");
        let mut appended: Vec<NewRecord> = Vec::new();
        for (batch, reopen) in batches {
            appended.extend(batch.iter().cloned());
            let n = journal.append(&batch).expect("appended");
            prop_assert_eq!(n, appended.len() as u64 + 2);
            prop_assert_eq!(memory.append(&batch).expect("appended"), n);
            if reopen {
                let before = (journal.id(), journal.head(), journal.tail());
                journal.close().expect("closed");
                journal = Journal::open(&path, options).expect("opened").0;
                prop_assert_eq!((journal.id(), journal.head(), journal.tail()), before);
            }
        }
        for journal in [&journal, &memory] {
            let read: Vec<NewRecord> = journal
                .read_checked(3)
                .map(|record| record.expect("fits"))
                .map(|r| NewRecord { at_ms: r.at_ms, kind: r.kind, seq: r.seq, body: r.body })
                .collect();
            prop_assert_eq!(&read, &appended);
        }
        let told: Vec<u64> = appended.iter().filter_map(|record| record.seq).collect();
        let reader = Reader::open(&path).expect("reader");
        let events = reader.events_after(0, usize::MAX).expect("events");
        prop_assert_eq!(events.iter().filter_map(|event| event.seq).collect::<Vec<_>>(), told);
        let found = verify(&path).expect("whole");
        prop_assert_eq!((found.head, found.id), (journal.head(), journal.id()));
    }

    #[test]
    fn any_text_is_kept_as_it_is_or_refused(body in "\\PC{0,40}|[\\[\\]{}\",:0-9a-z \\\\\n]{0,12}") {
        let mut journal = Journal::in_memory(BEGIN).expect("memory");
        let json = serde_json::from_str::<serde_json::Value>(&body).is_ok() && !body.contains('\n');
        let appended = journal.append(&[crate::input(0, body.clone())]);
        prop_assert_eq!(appended.is_ok(), json);
        let read = journal.reader().record(3).expect("read").map(|record| record.body);
        prop_assert_eq!(read, json.then_some(body));
    }
}
