//! Writing, reading back, following, exporting.

use flagfall_journal::{
    AppendError, Filter, Format, Hash, Head, Journal, Kind, OpenError, Options, Reader, Unfit, export, verify,
};
use sha2::{Digest, Sha256};

use crate::{BEGIN, all, closed, create, event, folder, input};

#[test]
fn what_was_appended_reads_back_after_reopening() {
    let dir = folder();
    let path = dir.path().join("wugong.journal");
    let mut journal = create(&path);
    let id = journal.id();
    assert_eq!(journal.append(&[input(5, r#"{"a":"时"}"#), event(5, 1)]).expect("appended"), 4);
    assert_eq!(journal.append(&[]).expect("nothing to do"), 4);
    assert_eq!(journal.append(&[event(9, 2)]).expect("appended"), 5);
    let before = all(&journal);
    journal.close().expect("closed");

    let (journal, opened) = Journal::open(&path, Options::default()).expect("opened");
    assert_eq!(all(&journal), before);
    assert_eq!((opened.id, opened.records, opened.at_ms, opened.seq), (id, 5, 9, 2));
    assert!(
        !opened.created
            && opened.unclean.is_none()
            && opened.continued.is_none()
            && opened.put_aside.is_empty()
    );
    assert_eq!(opened.head, Head { n: 5, hash: before[4].hash });
    assert_eq!(before.iter().map(|r| r.n).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert_eq!(before[0].kind, Kind::Journal);
    assert_eq!((&before[1].kind, before[1].body.as_str()), (&Kind::Begin, BEGIN));
    assert_eq!(before[2].body, r#"{"a":"时"}"#);
}

#[test]
fn an_unfit_record_takes_its_whole_batch_with_it() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut journal = create(&path);
    journal.append(&[input(100, "1")]).expect("appended");
    let head = journal.head();
    let error = journal.append(&[input(100, "2"), input(99, "3")]).expect_err("time goes back");
    assert!(matches!(error, AppendError::Unfit { unfit: Unfit::Time { n: 5, at_ms: 99, last_ms: 100 }, .. }));
    assert!(error.to_string().contains(path.to_str().expect("utf-8")), "{error}");
    assert_eq!(journal.head(), head);
    assert_eq!(all(&journal).len(), 3);
}

#[test]
fn a_reader_follows_the_writer() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut journal = create(&path);
    let reader = Reader::open(&path).expect("reader");
    assert_eq!(reader.id().expect("id"), journal.id());
    assert_eq!(reader.events_after(0, 10).expect("none"), []);
    for seq in 1..=700 {
        journal.append(&[input(seq, "null"), event(seq, seq)]).expect("appended");
    }
    assert_eq!(reader.head().expect("head"), journal.head());
    assert_eq!(reader.tail().expect("tail"), journal.tail());
    let events = reader.events_after(600, 30).expect("events");
    assert_eq!(events.iter().filter_map(|e| e.seq).collect::<Vec<_>>(), (601..=630).collect::<Vec<_>>());
    assert_eq!(reader.events_after(690, 30).expect("events").len(), 10);
    assert_eq!(reader.events_after(u64::MAX, 30).expect("events"), []);
    assert_eq!(reader.read(1).count(), 1402);
    assert_eq!(reader.read_kind(Kind::Decision, 4).count(), 700);
    assert_eq!(reader.read_checked(1000).count(), 403);
    assert_eq!(reader.read_checked(2000).count(), 0);
    assert_eq!(reader.last_of(&Kind::Input).expect("read").expect("one").n, 1401);
    assert_eq!(reader.last_of(&Kind::Sample).expect("read"), None);
    // Readers in the way do not keep the writer from writing or closing.
    journal.append(&[event(701, 701)]).expect("appended");
    journal.close().expect("closed");
    assert_eq!(reader.events_after(700, 9).expect("events").len(), 1);
}

#[test]
fn a_kind_of_a_later_version_is_kept() {
    let mut journal = Journal::in_memory("{}").expect("memory");
    let mut anchor = input(1, "{}");
    anchor.kind = "anchor.2".parse().expect("a kind");
    journal.append(std::slice::from_ref(&anchor)).expect("appended");
    let read = journal.reader().record(3).expect("read").expect("there");
    assert_eq!(read.kind, anchor.kind);
    assert_eq!(journal.reader().read_kind(anchor.kind, 1).count(), 1);
}

#[test]
fn creating_over_a_journal_or_opening_none_is_refused() {
    let dir = folder();
    let path = dir.path().join("j");
    assert!(matches!(Journal::open(&path, Options::default()), Err(OpenError::Missing { .. })));
    assert_eq!(std::fs::read_dir(dir.path()).expect("listed").count(), 0, "looking leaves nothing behind");
    closed(&path, 1);
    assert!(matches!(Journal::create(&path, BEGIN, Options::default()), Err(OpenError::Exists { .. })));
    let (journal, opened) = Journal::open_or_create(&path, "[]", Options::default()).expect("opened");
    assert!(!opened.created);
    assert_eq!(all(&journal)[1].body, BEGIN);
    assert!(matches!(
        Journal::create(dir.path().join("k"), "{", Options::default()),
        Err(OpenError::Unfit { unfit: Unfit::NotJson { n: 2, .. }, .. })
    ));
    let (_, opened) =
        Journal::open_or_create(dir.path().join("k"), BEGIN, Options::default()).expect("created");
    assert!(opened.created);
}

#[test]
fn the_chain_can_be_computed_anew_from_an_export_alone() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut journal = create(&path);
    journal.append(&[input(3, r#"{"b": 1.50,  "a":"\u0041"}"#), event(4, 1)]).expect("appended");
    let mut out = Vec::new();
    let written =
        export(journal.reader(), &mut out, Format::JsonLines, &Filter::default()).expect("exported");
    assert_eq!(written, 4);
    let text = String::from_utf8(out).expect("utf-8");
    assert_eq!(text.lines().count(), 4);
    assert!(
        text.contains(
            r#""n":3,"at_ms":3,"kind":"input","seq":null,"body":{"b": 1.50,  "a":"\u0041"},"hash":""#
        )
    );
    let mut hash: Vec<u8> = Vec::new();
    for line in text.lines() {
        let object: serde_json::Value = serde_json::from_str(line).expect("json");
        // The body as it stands in the line, not as a parser would write it again.
        let at = line.find(r#""body":"#).expect("a body") + 7;
        let body = &line[at..line.rfind(r#","hash":""#).expect("a hash")];
        if hash.is_empty() {
            let id = object["body"]["id"].as_str().expect("an id");
            let id: Vec<u8> =
                (0..16).map(|i| u8::from_str_radix(&id[2 * i..2 * i + 2], 16).expect("hex")).collect();
            hash = Sha256::digest([b"flagfall-journal/1\0".as_slice(), &id].concat()).to_vec();
        }
        let kind = object["kind"].as_str().expect("a kind");
        let mut bytes = hash;
        bytes.extend(object["n"].as_u64().expect("n").to_be_bytes());
        bytes.extend(object["at_ms"].as_u64().expect("at").to_be_bytes());
        bytes.extend((kind.len() as u32).to_be_bytes());
        bytes.extend(kind.as_bytes());
        match object["seq"].as_u64() {
            None => bytes.push(0),
            Some(seq) => {
                bytes.push(1);
                bytes.extend(seq.to_be_bytes());
            }
        }
        bytes.extend((body.len() as u64).to_be_bytes());
        bytes.extend(body.as_bytes());
        hash = Sha256::digest(bytes).to_vec();
        assert_eq!(
            object["hash"].as_str().and_then(|text| text.parse().ok()),
            hash.clone().try_into().ok().map(Hash)
        );
    }
    assert_eq!(hash, journal.head().hash.0);
}

#[test]
fn an_export_can_be_narrowed() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut journal = create(&path);
    for seq in 1..=400 {
        journal.append(&[input(seq, "1"), event(seq, seq)]).expect("appended");
    }
    let count = |format, filter: Filter| {
        let mut out = Vec::new();
        let written = export(journal.reader(), &mut out, format, &filter).expect("exported");
        let text = String::from_utf8(out).expect("utf-8");
        if format == Format::JsonArray {
            let array: Vec<serde_json::Value> = serde_json::from_str(&text).expect("an array");
            assert_eq!(array.len() as u64, written);
        } else {
            assert_eq!(text.lines().count() as u64, written);
        }
        written
    };
    for format in [Format::JsonLines, Format::JsonArray] {
        assert_eq!(count(format, Filter::default()), 802);
        assert_eq!(count(format, Filter { n: 10..=19, ..Filter::default() }), 10);
        assert_eq!(count(format, Filter { events_only: true, ..Filter::default() }), 400);
        assert_eq!(count(format, Filter { kinds: vec![Kind::Begin, Kind::Sample], ..Filter::default() }), 1);
        assert_eq!(count(format, Filter { n: 900..=950, ..Filter::default() }), 0);
    }
    assert_eq!(verify(&path).expect("whole").events, 400);
}
