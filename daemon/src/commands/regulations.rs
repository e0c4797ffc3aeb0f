//! `flagfall regulations`: the sets of values that are built in, a file of one to begin with, and every key there is.

use super::control::control;
use crate::cli::{Exit, Failure, RegulationsArgs};
use crate::config::{built_in, nearest};
use flagfall_rules::{BuiltIn, PROFILES, Regulations};
use std::fmt::Write as _;
use std::io::{self, Write};

pub(crate) fn regulations(args: &RegulationsArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    match &args.name {
        _ if args.keys => out.write_all(keys().as_bytes())?,
        None => list(out)?,
        Some(name) => match BuiltIn::named(name) {
            Some(set) => out.write_all(set.text.as_bytes())?,
            None => {
                let near = nearest(name, PROFILES.iter().map(|set| set.name));
                let hint = near.map_or_else(
                    || "`flagfall regulations` lists them".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                let message = format!("no regulations `{name}` are built in; {hint}");
                return Err(Failure::new(Exit::Usage, message));
            }
        },
    }
    Ok(Exit::Well)
}

fn list(out: &mut dyn Write) -> io::Result<()> {
    for set in PROFILES {
        let (regulations, source) = built_in(*set);
        writeln!(out, "{:<22} {}. {source}", set.name, control(&regulations).1)?;
    }
    Ok(())
}

/// Every key as a table, and every word that can stand for one; as it is in docs/regulations-files.md.
fn keys() -> String {
    let values = Regulations::default().values();
    let mut text =
        "| key | unit | range | default | article | meaning |\n|---|---|---|---|---|---|\n".to_owned();
    for value in &values {
        let (key, unit, range) = (value.key, value.shape.unit(), value.shape.range());
        // writing to a `String` cannot fail
        let _ = writeln!(
            text,
            "| `{key}` | {unit} | `{range}` | `{}` | {} | {} |",
            value.default, value.article, value.meaning
        );
    }
    text += "\n| key | word | meaning |\n|---|---|---|\n";
    for value in &values {
        for choice in value.shape.choices() {
            let _ = writeln!(text, "| `{}` | `\"{}\"` | {} |", value.key, choice.word, choice.meaning);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: Option<&str>, keys: bool) -> Result<String, Failure> {
        let mut out = Vec::new();
        regulations(&RegulationsArgs { name: name.map(ToOwned::to_owned), keys }, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn each_set_that_is_built_in_has_its_line() {
        let list = said(None, false).unwrap();
        assert_eq!(list.lines().count(), PROFILES.len());
        let line = |name: &str| list.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        assert!(line("wugong-2012").contains("50:00 a side, 0:15 with each move. 2012 武工杯"), "{list}");
        assert!(line("xiangqi-playoff-6-4").contains("6:00 a side, 0:03 with each move; second player 4:00"));
        assert!(line("fide-90-40-30").contains("40 moves in 90:00 a side"), "{list}");
        assert!(line("us-chess").contains("waits 0:05"), "{list}");
        assert!(list.lines().all(|line| !line.ends_with(". ")), "each has a source:\n{list}");
    }

    #[test]
    fn a_set_is_printed_as_a_file_to_begin_with() {
        let file = said(Some("fide-rapid"), false).unwrap();
        assert!(file.contains("name = \"fide-rapid\"\nbased_on = \"fide-standard\""), "{file}");
        let failure = said(Some("fide-rapd"), false).unwrap_err();
        assert_eq!(failure.exit(), Exit::Usage);
        let message = failure.message().unwrap();
        assert_eq!(message, "no regulations `fide-rapd` are built in; did you mean `fide-rapid`?");
    }

    #[test]
    fn the_documentation_has_the_keys_as_they_are() {
        const PAGE: &str = include_str!("../../../docs/regulations-files.md");
        let keys = said(None, true).unwrap();
        assert!(
            PAGE.contains(&keys),
            "docs/regulations-files.md: put in what `flagfall regulations --keys` prints"
        );
    }
}
