//! The venue file of a scenario: what the real daemon reads, written in its own format.

use super::Scenario;
use flagfall_clock::ClockId;
use std::fmt::Write;
use std::path::PathBuf;
use toml::Value;

/// How the daemon reaches the clocks, and where it keeps and shows things.
#[derive(Clone, Debug)]
pub struct Links {
    /// The clocks' lines.
    pub clocks: ClockLinks,
    /// The journal's file.
    pub journal: PathBuf,
    /// Where the desk listens.
    pub listen: String,
    /// Who may sit there.
    pub users: Vec<User>,
}

/// The clocks' lines.
#[derive(Clone, Debug)]
pub enum ClockLinks {
    /// None: the hall runs in one process.
    None,
    /// A serial port for each clock.
    Ptys(Vec<(ClockId, PathBuf)>),
    /// Serial servers, `host:port` each.
    Tcp(Vec<String>),
    /// A broker.
    Mqtt(String),
}

/// A user of the desk.
#[derive(Clone, Debug)]
pub struct User {
    /// His name.
    pub name: String,
    /// `chief`, `arbiter`, `results`, `technician` or `viewer`.
    pub role: String,
    /// SHA-256 of his token, in hexadecimal.
    pub token_sha256: String,
}

/// A text as TOML writes it.
fn quoted(text: &str) -> Value {
    Value::String(text.into())
}

impl Scenario {
    /// Whether the venue file names the tables: not where a walk binds them, rounds are loaded, and all sit alike.
    #[must_use]
    pub fn names_tables(&self) -> bool {
        let alike = self.first_side != super::Seating::Mixed;
        !(self.arbiter.walks_tables && self.arbiter.loads_rounds && alike)
    }

    /// The whole venue file.
    #[must_use]
    pub fn venue_toml(&self, links: &Links) -> String {
        let mut out = format!("# the hall of the scenario {}\n", quoted(&self.name));
        // Writing to a `String` cannot fail.
        let _ = self.write_event(&mut out).and_then(|()| self.write_links(&mut out, links));
        let _ = self.write_places(&mut out).and_then(|()| self.write_rounds(&mut out));
        out
    }

    fn write_event(&self, out: &mut String) -> std::fmt::Result {
        let event = &self.event;
        writeln!(out, "[event]")?;
        writeln!(out, "name = {}", quoted(event.name.as_deref().unwrap_or(&self.name)))?;
        writeln!(out, "timezone = {}", quoted(&event.timezone))?;
        writeln!(out, "variant = {}", quoted(&event.variant))?;
        writeln!(out, "regulations = {}", quoted(&event.regulations))?;
        writeln!(out, "start_by = {}", quoted(event.start_by.as_str()))?;
        writeln!(out, "mode = {}", quoted(&event.mode))?;
        if !self.regulations.is_empty() {
            writeln!(out, "[regulations]")?;
            for (key, value) in &self.regulations {
                writeln!(out, "{key} = {value}")?;
            }
        }
        Ok(())
    }

    fn write_links(&self, out: &mut String, links: &Links) -> std::fmt::Result {
        writeln!(out, "[journal]\npath = {}", quoted(&links.journal.display().to_string()))?;
        writeln!(out, "[desk]\nlisten = {}", quoted(&links.listen))?;
        for user in &links.users {
            writeln!(out, "[[desk.user]]\nname = {}\nrole = {}", quoted(&user.name), quoted(&user.role))?;
            writeln!(out, "token_sha256 = {}", quoted(&user.token_sha256))?;
        }
        match &links.clocks {
            ClockLinks::None => {}
            ClockLinks::Ptys(ports) => {
                for (_, path) in ports {
                    let path = quoted(&path.display().to_string());
                    writeln!(out, "[[serial]]\nport = {path}\nprotocol = \"flagfall\"")?;
                }
            }
            ClockLinks::Tcp(addresses) => {
                for address in addresses {
                    writeln!(out, "[[serial]]\ntcp = {}\nprotocol = \"flagfall\"", quoted(address))?;
                }
            }
            ClockLinks::Mqtt(url) => writeln!(out, "[mqtt]\nurl = {}", quoted(url))?,
        }
        Ok(())
    }

    fn write_places(&self, out: &mut String) -> std::fmt::Result {
        let tables = if self.names_tables() { self.boards } else { 0 };
        for table in 1..=tables {
            let side = match self.first_side.side(table) {
                flagfall_clock::Side::Left => "left",
                flagfall_clock::Side::Right => "right",
            };
            writeln!(out, "[[table]]\nnumber = {table}\nfirst_side = \"{side}\"")?;
            if !self.arbiter.walks_tables {
                writeln!(out, "clock = \"{}\"", super::clock_name(table))?;
            }
        }
        for team in 1..=self.teams() {
            let (name, city) = self.team(team);
            let players = Value::Array(self.team_players(team).iter().map(|p| quoted(p)).collect());
            writeln!(out, "[[team]]\nnumber = {team}\nname = {}\ncity = {}", quoted(&name), quoted(city))?;
            writeln!(out, "players = {players}")?;
        }
        Ok(())
    }

    fn write_rounds(&self, out: &mut String) -> std::fmt::Result {
        for round in 1..=self.rounds {
            let start = self.begin.local(self.word(round));
            writeln!(out, "[[round]]\nnumber = {round}\nstart = \"{start}\"")?;
            let boards = if self.arbiter.loads_rounds { 0 } else { self.boards };
            for board in 1..=boards {
                let (first, second) = self.seats(round, board);
                writeln!(out, "[[round.board]]\nboard = \"{board}\"\ntable = {board}")?;
                if let Some(number) = self.match_of(board) {
                    writeln!(out, "match = {number}")?;
                }
                for (player, seat) in [("first", first), ("second", second)] {
                    let (name, team) = (quoted(&seat.name), quoted(&seat.team));
                    writeln!(out, "{player} = {{ name = {name}, team = {team} }}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_venue_file_is_whole_and_reads_back() {
        let text = "name = \"a \\\"hall\\\"\"\nbegin = \"2012-06-14T08:00:00+08:00\"\nboards = 8\nrounds = 2\n\
                    first_side = \"mixed\"\n[regulations]\nbase_ms = 600000\nfirst = { base_ms = 1, increment_ms = 2 }\n";
        let scenario = Scenario::parse("x", text).unwrap();
        let links = Links {
            clocks: ClockLinks::Ptys(
                (1..=8).map(|n| (super::super::clock_name(n), format!("/t/A0{n}").into())).collect(),
            ),
            journal: "/t/hall.journal".into(),
            listen: "127.0.0.1:0".into(),
            users: vec![User { name: "chief".into(), role: "chief".into(), token_sha256: "00".repeat(32) }],
        };
        let venue: toml::Table = scenario.venue_toml(&links).parse().unwrap();
        assert_eq!(venue["event"]["name"].as_str(), Some("a \"hall\""));
        assert_eq!(venue["regulations"]["first"]["increment_ms"].as_integer(), Some(2));
        assert_eq!(venue["serial"].as_array().unwrap().len(), 8);
        assert_eq!(venue["table"][1]["first_side"].as_str(), Some("right"));
        assert_eq!(venue["team"].as_array().unwrap().len(), 4);
        let rounds = venue["round"].as_array().unwrap();
        assert_eq!(rounds[1]["start"].as_str(), Some("2012-06-14T11:30:00"));
        assert_eq!(rounds[0]["board"][3]["board"].as_str(), Some("4"));
        assert!(venue["desk"]["user"][0]["token_sha256"].is_str());
    }
}
