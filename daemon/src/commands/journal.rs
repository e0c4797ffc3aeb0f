//! `flagfall journal`: whether a journal is what was written, its records for other programs, and whether
//! these rules would decide the same.

use crate::cli::{Exit, ExportFormat, Failure, JournalCommand};
use flagfall_hall::replay;
use flagfall_journal::{
    ExportError, Filter, Format, Head, OpenError, Reader, VerifyError, export, verify_against,
};
use flagfall_rules::Venue;
use std::io::Write;
use std::path::Path;
use std::str::FromStr;

/// A head noted elsewhere: `N:HASH`.
#[derive(Clone, Debug)]
pub struct Noted(Head);

impl FromStr for Noted {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "a noted head is written N:HASH, a record's number and 64 hex digits";
        let (n, hash) = text.split_once(':').ok_or(FORM)?;
        Ok(Self(Head { n: n.parse().map_err(|_| FORM)?, hash: hash.parse().map_err(|_| FORM)? }))
    }
}

pub(crate) fn journal(command: &JournalCommand, mut out: &mut dyn Write) -> Result<Exit, Failure> {
    match command {
        JournalCommand::Verify { file, noted } => {
            let noted: Vec<Head> = noted.iter().map(|noted| noted.0).collect();
            let found = match verify_against(file, &noted) {
                Ok(found) => found,
                Err(VerifyError::Broken(broken)) => {
                    return Err(Failure::new(Exit::Data, format!("journal {}: {broken}", file.display())));
                }
                Err(VerifyError::Open(error)) => return Err(opening(&error)),
            };
            writeln!(out, "{}: whole", file.display())?;
            writeln!(out, "id      {}", found.id)?;
            writeln!(out, "records {}, {} of them events", found.records, found.events)?;
            writeln!(out, "head    {}:{}", found.head.n, found.head.hash)?;
            for continued in &found.continued {
                writeln!(out, "goes on from {} after record {}", continued.from, continued.n)?;
            }
            Ok(Exit::Well)
        }
        JournalCommand::Export { file, format, events } => {
            let reader = Reader::open(file).map_err(|error| opening(&error))?;
            let format = match format {
                ExportFormat::Jsonl => Format::JsonLines,
                ExportFormat::Json => Format::JsonArray,
            };
            let filter = Filter { events_only: *events, ..Filter::default() };
            export(&reader, &mut out, format, &filter).map_err(|error| match error {
                ExportError::Write(error) => Failure::Output(error),
                ExportError::Read(error) => Failure::new(Exit::Data, error),
            })?;
            Ok(Exit::Well)
        }
        JournalCommand::Replay { file } => again(file, out),
    }
}

/// A difference is a finding: the journal stays what was in force.
fn again(file: &Path, out: &mut dyn Write) -> Result<Exit, Failure> {
    let report = records(file, |records| replay(records))?;
    let report =
        report.map_err(|error| Failure::new(Exit::Data, format!("journal {}: {error}", file.display())))?;
    writeln!(out, "{} inputs decided again, {} decisions compared", report.inputs, report.decisions)?;
    for difference in &report.differences {
        writeln!(out, "  {difference}")?;
    }
    match report.different {
        0 => writeln!(out, "all the same")?,
        many => writeln!(out, "{many} differ; the journal counts")?,
    }
    Ok(if report.different == 0 { Exit::Well } else { Exit::Failed })
}

/// Hands a journal's records on, one by one. What cannot be read of it is an error, whatever was made of the rest.
pub(super) fn records<T>(file: &Path, take: impl FnOnce(Records<'_>) -> T) -> Result<T, Failure> {
    let reader = Reader::open(file).map_err(|error| opening(&error))?;
    let mut broken = None;
    let made = take(Box::new(reader.read(1).map_while(|record| match record {
        Ok(record) => Some((Venue(record.at_ms), record.kind.as_str().to_owned(), record.seq, record.body)),
        Err(error) => {
            broken = Some(error);
            None
        }
    })));
    broken.map_or(Ok(made), |error| Err(Failure::new(Exit::Data, error)))
}

/// Records as the hall takes them: when, what kind, its number where it is an event, and itself.
pub(super) type Records<'a> = Box<dyn Iterator<Item = (Venue, String, Option<u64>, String)> + 'a>;

fn opening(error: &OpenError) -> Failure {
    let exit = match error {
        OpenError::Locked { .. } => Exit::Unavailable,
        OpenError::NotAJournal { .. }
        | OpenError::Empty { .. }
        | OpenError::Nulls { .. }
        | OpenError::Damaged { .. }
        | OpenError::Broken { .. }
        | OpenError::StrangeWal { .. }
        | OpenError::Newer { .. } => Exit::Data,
        _ => Exit::Io,
    };
    Failure::new(exit, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_journal::{Journal, Kind, NewRecord, Options};
    use flagfall_rules::{Input, Setup};
    use std::path::PathBuf;

    fn setup() -> Setup {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../venue.example.toml");
        crate::config::Config::load(Path::new(file)).unwrap().setup
    }

    /// A journal with these inputs, and a last decision that no rules make.
    fn written(folder: &Path, inputs: &[Input], decision: Option<&str>) -> (PathBuf, String) {
        let file = folder.join("e.journal");
        let (mut journal, _) = Journal::open_or_create(&file, "{}", Options::default()).unwrap();
        let inputs = inputs.iter().map(|input| (Kind::Input, serde_json::to_string(input).unwrap()));
        let decision = decision.map(|body| (Kind::Decision, body.to_owned()));
        let records: Vec<_> = inputs
            .chain(decision)
            .map(|(kind, body)| NewRecord { at_ms: 0, kind, seq: None, body })
            .collect();
        journal.append(&records).unwrap();
        let head = journal.head();
        journal.close().unwrap();
        (file, format!("{}:{}", head.n, head.hash))
    }

    fn said(command: &JournalCommand) -> Result<(Exit, String), Failure> {
        let mut out = Vec::new();
        let exit = journal(command, &mut out)?;
        Ok((exit, String::from_utf8(out).unwrap()))
    }

    #[test]
    fn a_whole_journal_is_verified_against_its_noted_head_and_exported() {
        let folder = tempfile::tempdir().unwrap();
        let (file, head) = written(folder.path(), &[Input::Setup(Box::new(setup()))], None);
        let noted = vec![head.parse::<Noted>().unwrap()];
        let (exit, text) = said(&JournalCommand::Verify { file: file.clone(), noted }).unwrap();
        assert_eq!(exit, Exit::Well);
        assert!(text.contains(&format!("head    {head}")), "{text}");
        let export =
            JournalCommand::Export { file: file.clone(), format: ExportFormat::Jsonl, events: false };
        let (_, text) = said(&export).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));

        let other = format!("2:{}", "0".repeat(64)).parse::<Noted>().unwrap();
        let failure = said(&JournalCommand::Verify { file, noted: vec![other] }).unwrap_err();
        assert_eq!(failure.exit(), Exit::Data);
        assert!(failure.to_string().contains("broken at record 2"), "{failure}");
        assert!("2".parse::<Noted>().is_err() && "x:00".parse::<Noted>().is_err());
    }

    #[test]
    fn what_is_no_journal_has_its_own_exit_codes() {
        let folder = tempfile::tempdir().unwrap();
        let missing = JournalCommand::Verify { file: folder.path().join("none"), noted: Vec::new() };
        assert_eq!(said(&missing).unwrap_err().exit(), Exit::Io);
        let file = folder.path().join("text");
        std::fs::write(&file, "not a journal, and long enough not to be taken for an empty one").unwrap();
        let failure = said(&JournalCommand::Verify { file: file.clone(), noted: Vec::new() }).unwrap_err();
        assert_eq!(failure.exit(), Exit::Data, "{failure}");
    }

    #[test]
    fn a_decision_that_these_rules_do_not_make_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = [Input::Setup(Box::new(setup()))];
        let strange = r#"{"change":{"never":"decided"}}"#;
        let (file, _) = written(folder.path(), &inputs, Some(strange));
        let (exit, text) = said(&JournalCommand::Replay { file }).unwrap();
        assert_eq!(exit, Exit::Failed, "{text}");
        assert!(
            text.contains("record 4: journalled") && text.contains("differ; the journal counts"),
            "{text}"
        );
    }

    #[test]
    fn a_journal_without_a_setup_cannot_be_decided_again() {
        let folder = tempfile::tempdir().unwrap();
        let (file, _) = written(folder.path(), &[Input::Due], None);
        assert_eq!(said(&JournalCommand::Replay { file }).unwrap_err().exit(), Exit::Data);
    }
}
