//! `flagfall journal`: whether a journal is what was written, and its records for other programs.

use crate::cli::{Exit, ExportFormat, Failure, JournalCommand};
use flagfall_journal::{
    ExportError, Filter, Format, Head, OpenError, Reader, VerifyError, export, verify_against,
};
use std::io::Write;
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
    }
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
