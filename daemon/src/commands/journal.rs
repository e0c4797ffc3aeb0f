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
    let reader = Reader::open(file).map_err(|error| opening(&error))?;
    let mut broken = None;
    let records = reader.read(1).map_while(|record| match record {
        Ok(record) => Some((Venue(record.at_ms), record.kind.as_str().to_owned(), record.seq, record.body)),
        Err(error) => {
            broken = Some(error);
            None
        }
    });
    let report = replay(records);
    if let Some(error) = broken {
        return Err(Failure::new(Exit::Data, error));
    }
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
