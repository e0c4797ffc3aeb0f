//! `flagfall clock provision`: a clock gets its name, and a key nobody is shown.
//!
//! It is asked first, told once, and asked again: what counts is what it says after it began anew with its name.

use super::keys::{self, KeysFile};
use super::talk::Talk;
use super::{described, object};
use crate::cli::{Exit, Failure, ProvisionArgs};
use flagfall_clock::{ClockId, Identity, Key, ProvisionError, Provisioned};
use std::io::Write;

/// How a name is taken away; docs/hardware/flashing.md says the same.
const TAKE_AWAY: &str = "to take it away, hold the left lever, the right lever and the arbiter's key while switching on, and for 10 s";

pub(super) fn provision(args: &ProvisionArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    // files before the line: a slip of the pen must not cost a clock its name
    let given = args.key_file.as_ref().map(|file| keys::read(file, args.name)).transpose()?;
    let mut file = args.new_key.as_ref().map(|file| KeysFile::open(file, args.name)).transpose()?;
    let (port, json) = (&args.line.port, args.line.json);
    let mut talk = Talk::open(&args.line)?;
    let before = talk.ask()?.clock;
    if let Some(name) = before.clock {
        return Err(talk.failure(Exit::Failed, format!("this clock has a name already, {name}; {TAKE_AWAY}")));
    }
    if !json {
        writeln!(out, "port {port}: {}", described(&before))?;
        out.flush()?;
    }
    let key = match &mut file {
        Some(file) => Some(file.add(args.name)?),
        None => given,
    };
    let after = match named(&mut talk, args, key) {
        Ok(after) => after,
        Err((failure, taken)) => {
            let Some(file) = &mut file else { return Err(failure) };
            let (exit, message) = (failure.exit(), failure.message().unwrap_or_default());
            let path = args.new_key.as_deref().unwrap_or_else(|| "".as_ref()).display();
            let what = match taken {
                Taken::No => match file.withdraw() {
                    Ok(()) => return Err(failure),
                    Err(error) => format!("its key stays in {path}, which cannot be written: {error}"),
                },
                Taken::Perhaps => format!("its key stays in {path}, for it may have taken it"),
            };
            return Err(Failure::new(exit, format!("{message}; {what}")));
        }
    };
    let open = file.as_ref().and_then(KeysFile::open_to_others);
    if json {
        let mut object = object(&args.line, &after);
        object["keys_file"] = args.new_key.as_ref().map(|file| file.display().to_string()).into();
        writeln!(out, "{object}")?;
        return Ok(Exit::Well);
    }
    writeln!(out, "port {port}: {}", described(&after))?;
    if let Some(path) = &args.new_key {
        writeln!(out, "{}: has its key now; in the venue file it is `keys_file`", path.display())?;
    }
    if let Some(open) = open {
        writeln!(out, "{open}")?;
    }
    Ok(Exit::Well)
}

/// Whether a clock may have what it was given, although it did not come to a good end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    No,
    Perhaps,
}

/// Tells it and asks again.
fn named(talk: &mut Talk, args: &ProvisionArgs, key: Option<Key>) -> Result<Provisioned, (Failure, Taken)> {
    let wanted = Identity {
        clock: args.name,
        key,
        encoding: args.encoding.into(),
        trim_ppm: args.trim_ppm,
        sound: args.sound,
    };
    let answer = talk.give(wanted.clone()).map_err(|failure| (failure, Taken::Perhaps))?;
    if let Some(Err(error)) = answer {
        return Err((talk.failure(Exit::Failed, refusal(error)), Taken::No));
    }
    let after = talk.ask().map_err(|failure| {
        let what = format!(
            "it was given its name and does not answer since: {}",
            failure.message().unwrap_or_default()
        );
        (Failure::new(failure.exit(), what), Taken::Perhaps)
    })?;
    let after = after.clock;
    match after.clock {
        Some(_) if stands(&wanted, &after) => Ok(after),
        None => Err((talk.failure(Exit::Failed, "it did not take its name; try again"), Taken::No)),
        Some(_) => {
            let what = format!("it is not what it was to be: {}; {TAKE_AWAY}", described(&after));
            Err((talk.failure(Exit::Failed, what), Taken::Perhaps))
        }
    }
}

fn stands(wanted: &Identity, after: &Provisioned) -> bool {
    let sealed = wanted.key.is_some();
    after.clock.as_ref().map(ClockId::as_str) == Some(wanted.clock.as_str())
        && (after.sealed, after.encoding, after.trim_ppm, after.sound)
            == (sealed, wanted.encoding, wanted.trim_ppm, wanted.sound)
}

fn refusal(error: ProvisionError) -> String {
    match error {
        ProvisionError::Already => format!("this clock has a name already; {TAKE_AWAY}"),
        ProvisionError::Range => {
            "it refused: it does not understand what it was given, or a value is out of its range".into()
        }
        ProvisionError::Memory => "its memory did not keep it; try again, then take another board".into(),
    }
}
