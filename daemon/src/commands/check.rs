//! `flagfall check`: what a venue file puts in force, and where each value comes from.

use super::{journalled, readings};
use crate::cli::{CheckArgs, Exit, Failure};
use crate::config::{Config, ROLES};
use flagfall_journal::{OpenError, Reader};
use flagfall_rules::{RoundSetup, StartBy, Variant, written};
use std::io::{self, Write};

pub(crate) fn check(args: &CheckArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let config = Config::load(&args.file)?;
    if args.readings {
        readings::write(&config, out)?;
    } else {
        write(&config, out)?;
    }
    Ok(Exit::Well)
}

fn write(config: &Config, out: &mut dyn Write) -> io::Result<()> {
    event(config, out)?;
    regulations(config, out)?;
    hall(config, out)?;
    rounds(config, out)?;
    journal(config, out)?;
    let beyond = config.beyond_this_build();
    if !beyond.is_empty() {
        writeln!(out, "\n`flagfall serve` will refuse this:")?;
        for what in beyond {
            writeln!(out, "  {what}")?;
        }
    }
    if !config.doubts.is_empty() {
        writeln!(out, "\ndoubts, none of which stops anything:")?;
        for doubt in &config.doubts {
            writeln!(out, "  {doubt}")?;
        }
    }
    let doubts = match config.doubts.len() {
        0 => "no doubts".to_owned(),
        1 => "1 doubt".to_owned(),
        many => format!("{many} doubts"),
    };
    writeln!(out, "\n{}: right, {doubts}", config.path.display())
}

/// The journal of an event that has begun may know better.
fn journal(config: &Config, out: &mut dyn Write) -> io::Result<()> {
    let found = match Reader::open(&config.journal) {
        Err(OpenError::Missing { .. }) => return writeln!(out, "\njournal    not begun yet"),
        Err(error) => return writeln!(out, "\njournal    cannot be compared: {error}"),
        Ok(reader) => journalled::differences(config, &reader),
    };
    match found {
        Err(error) => writeln!(out, "\njournal    cannot be compared: {error}"),
        Ok(found) if found.is_empty() => {
            writeln!(out, "\njournal    begun; it says nothing else than this file")
        }
        Ok(found) => {
            writeln!(out, "\njournal    begun; it says otherwise of")?;
            found.iter().try_for_each(|difference| writeln!(out, "  {difference}"))
        }
    }
}

fn event(config: &Config, out: &mut dyn Write) -> io::Result<()> {
    let setup = &config.setup;
    let variant = match setup.variant {
        Variant::Xiangqi => "xiangqi",
        Variant::Chess => "chess",
    };
    let start_by = match setup.start_by {
        StartBy::Players => "the players, or an arbiter at the clock",
        StartBy::Daemon => "round.start",
    };
    writeln!(out, "event      {} ({variant})", setup.event)?;
    writeln!(out, "timezone   {}", config.timezone.iana_name().unwrap_or("UTC"))?;
    writeln!(out, "mode       {}", setup.mode.as_str())?;
    writeln!(out, "started by {start_by}")?;
    writeln!(out, "journal    {}", config.journal.display())?;
    let insecure = if config.desk.insecure { ", in clear (insecure = true)" } else { "" };
    let tls = if config.desk.tls.is_some() { ", over TLS" } else { insecure };
    writeln!(out, "desk       {}{tls}", config.desk.listen)?;
    if let Some(authority) = config.desk.tls.as_ref().and_then(|tls| tls.authority.as_ref()) {
        writeln!(out, "  believed by its authority, SHA-256 {}", authority.fingerprint())?;
    }
    for user in &config.desk.users {
        let role = ROLES.iter().find(|(_, role)| *role == user.role).map_or("?", |(word, _)| word);
        let tables = user.tables.to_string();
        let tables = if tables.is_empty() { tables } else { format!(", tables {tables} first") };
        writeln!(out, "  user     {} ({role}{tables})", user.name)?;
    }
    for line in &config.serial {
        let unchecked = if line.unchecked_lines { ", also lines without a checksum" } else { "" };
        writeln!(out, "serial     {}{unchecked}", line.line)?;
    }
    if let Some(mqtt) = &config.mqtt {
        let login = mqtt.login.as_ref().map_or_else(String::new, |(user, _)| format!(" as {user}"));
        writeln!(out, "mqtt       {}:{}{login}", mqtt.host, mqtt.port)?;
    }
    if let Some(uplink) = &config.uplink {
        let audience = match uplink.audience {
            flagfall_arbiter::Audience::Desk => "desk",
            flagfall_arbiter::Audience::Public => "public",
        };
        writeln!(out, "uplink     {} ({audience})", uplink.url)?;
    }
    Ok(())
}

fn regulations(config: &Config, out: &mut dyn Write) -> io::Result<()> {
    let regulations = &config.setup.regulations;
    writeln!(out, "\nregulations {}", regulations.profile.name)?;
    let mut lines = Vec::new();
    for value in regulations.values() {
        match regulations.get(value.key) {
            // each part of a table may come from another layer
            Some(serde_json::Value::Object(parts)) => {
                for (place, (part, now)) in parts.iter().enumerate() {
                    let meaning = if place == 0 { value.meaning } else { "" };
                    lines.push((format!("{}.{part}", value.key), written(now), value.article, meaning));
                }
            }
            _ => lines.push((value.key.to_owned(), value.now, value.article, value.meaning)),
        }
    }
    for (key, now, article, meaning) in lines {
        let origin = config.origins.get(&key).map(ToString::to_string).unwrap_or_default();
        writeln!(out, "  {key:<29} {now:<18} {article:<6} {origin:<24} {meaning}")?;
    }
    Ok(())
}

fn hall(config: &Config, out: &mut dyn Write) -> io::Result<()> {
    let setup = &config.setup;
    writeln!(out, "\ntables     {}", setup.tables.len())?;
    for table in &setup.tables {
        let clock = table.clock.map_or_else(|| "no clock yet".to_owned(), |clock| format!("clock {clock}"));
        let sealed = table.clock.is_some_and(|clock| config.keys.contains_key(&clock));
        let sealed = if sealed { ", sealed" } else { "" };
        let side = match table.first_side {
            flagfall_clock::Side::Left => "left",
            flagfall_clock::Side::Right => "right",
        };
        writeln!(out, "  {:<8} {clock}{sealed}, first player {side}", table.number)?;
    }
    if !setup.clocks.is_empty() {
        let names: Vec<String> = setup.clocks.iter().map(ToString::to_string).collect();
        writeln!(out, "clocks     {}", names.join(", "))?;
    }
    writeln!(out, "teams      {}", setup.teams.len())?;
    for team in &setup.teams {
        let city = team.city.as_ref().map_or_else(String::new, |city| format!(" ({city})"));
        writeln!(out, "  {:<8} {}{city}: {}", team.number, team.name, team.players.join(", "))?;
    }
    Ok(())
}

fn rounds(config: &Config, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "rounds     {}", config.setup.rounds.len())?;
    for round in &config.setup.rounds {
        writeln!(out, "  {:<8} {}, {}", round.number, planned(config, round), boards(round))?;
        for board in &round.boards {
            let table = board.table.map_or_else(|| "-".to_owned(), |table| table.to_string());
            let own = board.clock.map_or_else(String::new, |clock| format!(" (clock {clock})"));
            let person = |player: &flagfall_rules::PlayerSetup| match player.team.as_str() {
                "" => player.name.clone(),
                team => format!("{} ({team})", player.name),
            };
            let (first, second) = (person(&board.first), person(&board.second));
            writeln!(out, "    board {:<4} table {table:<4}{own} {first} - {second}", board.board)?;
        }
    }
    Ok(())
}

fn planned(config: &Config, round: &RoundSetup) -> String {
    let instant = round.planned.and_then(|wall| jiff::Timestamp::from_millisecond(wall.0).ok());
    instant.map_or_else(
        || "no planned start".to_owned(),
        |instant| {
            let local = instant.to_zoned_datetime(config.timezone.clone());
            local.strftime("planned %a %Y-%m-%d %H:%M %:z").to_string()
        },
    )
}

fn boards(round: &RoundSetup) -> String {
    let matches = round.boards.iter().filter_map(|board| board.match_no).max();
    match (round.boards.len(), matches) {
        (0, _) => "boards by round.load".to_owned(),
        (1, None) => "1 board".to_owned(),
        (boards, None) => format!("{boards} boards"),
        (boards, Some(matches)) => format!("{boards} boards, matches 1 to {matches}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn example(readings: bool) -> String {
        let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../venue.example.toml"));
        let mut out = Vec::new();
        assert_eq!(check(&CheckArgs { file, readings }, &mut out).unwrap(), Exit::Well);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn says_what_is_in_force_and_where_it_comes_from() {
        let text = example(false);
        for part in [
            "event      2012 武工杯 (xiangqi)",
            "timezone   Asia/Shanghai",
            "clock A01, first player left",
            "planned Thu 2012-06-14 08:30 +08:00, 2 boards, matches 1 to 1",
            "board 1    table 1    丙 (黄石) - 甲 (汉阳)",
            "board 2    table 2    乙 (汉阳) - 丁 (黄石)",
            "boards by round.load",
            "desk.user.token_sha256: is the example's",
            "right, 1 doubt",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        let value =
            |key: &str| text.lines().find(|line| line.trim_start().starts_with(key)).unwrap().to_owned();
        assert!(value("base_ms").contains("venue.example.toml:13"), "{}", value("base_ms"));
        assert!(value("default_ms").contains("wugong-2012 (built in)"), "{}", value("default_ms"));
    }

    #[test]
    fn the_readings_are_one_page_in_both_languages() {
        let text = example(true);
        for part in ["A1", "A12", "50:00", "每走一步加0:15", "Chief arbiter", "签名"] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        assert!(text.lines().count() <= 66, "{} lines are more than a page", text.lines().count());
    }

    #[test]
    fn a_missing_file_is_a_fault_of_usage() {
        let args = CheckArgs { file: "/nowhere/venue.toml".into(), readings: false };
        let failure = check(&args, &mut Vec::new()).unwrap_err();
        assert_eq!(failure.exit(), Exit::Usage);
        assert!(failure.message().unwrap().contains("/nowhere/venue.toml does not exist"));
    }
}
