//! `flagfall clock ask`: who are you?

use super::talk::Talk;
use super::{described, object};
use crate::cli::{AskArgs, Exit, Failure};
use std::io::Write;

pub(super) fn ask(args: &AskArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let clock = Talk::open(&args.line)?.ask()?.clock;
    if args.line.json {
        writeln!(out, "{}", object(&args.line, &clock))?;
    } else {
        writeln!(out, "port {}: {}", args.line.port, described(&clock))?;
    }
    Ok(Exit::Well)
}
