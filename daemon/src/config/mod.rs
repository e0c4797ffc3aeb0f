//! What a person writes in `venue.toml`, read once into types that cannot be wrong.
//!
//! Reading collects every fault with its file, line and key before it gives up. It never starts anything
//! and never writes. Files and the environment are looked at only through [`Surroundings`].

use crate::tls::{Authorities, Identity};
use flagfall_clock::{ClockId, Key};
use flagfall_rules::Setup;
use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;

mod boards;
mod clocks;
mod desk;
mod event;
mod fault;
mod hall;
mod links;
mod listed;
mod load;
mod matches;
mod page;
mod pairings;
mod regulations;
mod rounds;
#[cfg(test)]
mod tests;
mod words;

pub use desk::ROLES;
pub use fault::{ConfigError, Fault};
pub use flagfall_arbiter::{Audience, Role};
pub use load::Surroundings;
pub use regulations::Origin;
pub(crate) use regulations::built_in;
pub(crate) use words::nearest;

/// A whole configuration, checked.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file it was read from.
    pub path: PathBuf,
    /// The event: tables, teams, rounds, regulations.
    pub setup: Setup,
    /// The zone in which the event's times are written.
    pub timezone: jiff::tz::TimeZone,
    /// Where the proof is kept.
    pub journal: PathBuf,
    /// Whom the desk listens to.
    pub desk: Desk,
    /// The arbiter system to dial, if any.
    pub uplink: Option<Uplink>,
    /// Serial lines and serial servers.
    pub serial: Vec<Serial>,
    /// The broker, if any.
    pub mqtt: Option<Mqtt>,
    /// The clocks whose messages must be sealed, each with its key.
    pub keys: BTreeMap<ClockId, Key>,
    /// Where each value of the regulations comes from, by key; a value that is a table by the keys in it, as
    /// `early_press.loses_at`.
    pub origins: BTreeMap<String, Origin>,
    /// What is allowed and yet looks wrong; nothing is stopped by it.
    pub doubts: Vec<Fault>,
}

impl Config {
    /// What is asked for and not in this build; `serve` must refuse it rather than do less.
    #[must_use]
    pub fn beyond_this_build(&self) -> Vec<&'static str> {
        let asked = [(
            self.mqtt.as_ref().is_some_and(|mqtt| mqtt.tls),
            "mqtt.url: no TLS in this build, so no mqtts://",
        )];
        asked.into_iter().filter_map(|(is, what)| is.then_some(what)).collect()
    }
}

/// The desk's listener and its users.
#[derive(Clone, Debug)]
pub struct Desk {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Plain HTTP beyond loopback was asked for explicitly.
    pub insecure: bool,
    /// Certificate and key, where TLS is asked for.
    pub tls: Option<Identity>,
    /// Who may come in; names and tokens are unique.
    pub users: Vec<User>,
}

/// A user of the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// His name, as the journal keeps it.
    pub name: String,
    /// What he may.
    pub role: Role,
    /// The tables that are his first; none means all alike.
    pub tables: Tables,
    /// SHA-256 of his token's UTF-8 text.
    pub token_sha256: [u8; 32],
}

/// Tables by number, as `1-12, 20` says it. Empty: none named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables(pub Vec<RangeInclusive<u32>>);

impl Tables {
    /// Whether `table` is among them.
    #[must_use]
    pub fn contains(&self, table: u32) -> bool {
        self.0.iter().any(|range| range.contains(&table))
    }
}

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, range) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            let (low, high) = (range.start(), range.end());
            if low == high { write!(f, "{comma}{low}")? } else { write!(f, "{comma}{low}-{high}")? }
        }
        Ok(())
    }
}

/// The arbiter system, which we dial.
#[derive(Clone, Debug)]
pub struct Uplink {
    /// `ws://` or `wss://`.
    pub url: String,
    /// Its host: a name or an address, without brackets.
    pub host: String,
    /// Its port; 80 or 443 where the url has none.
    pub port: u16,
    /// It begins with `wss://`.
    pub tls: bool,
    /// Who may say of a server that it is this one.
    pub authorities: Authorities,
    /// What we say in `hello`.
    pub token: Secret,
    /// What it gets.
    pub audience: Audience,
}

/// A line to one clock, or to a hub of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serial {
    /// Where it is.
    pub line: Line,
    /// What is spoken on it.
    pub protocol: Protocol,
    /// JSON lines without `crc` are taken too.
    pub unchecked_lines: bool,
}

/// Where a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A port by its path.
    Path(PathBuf),
    /// Every USB serial port there is, also those that come later.
    Auto,
    /// A serial server: `host:port`.
    Tcp(String),
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(f, "{}", path.display()),
            Self::Auto => f.write_str("auto"),
            Self::Tcp(address) => write!(f, "tcp://{address}"),
        }
    }
}

/// What is spoken on a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// Our own, JSON Lines or frames, told apart by themselves.
    #[default]
    Flagfall,
}

/// The broker.
#[derive(Clone, Debug)]
pub struct Mqtt {
    /// As written.
    pub url: String,
    /// Its host: a name or an address, without brackets.
    pub host: String,
    /// Its port; 1883 or 8883 where the url has none.
    pub port: u16,
    /// `mqtts://`.
    pub tls: bool,
    /// User and password, where `user_env` (and `password_env`) are given.
    pub login: Option<(String, Secret)>,
}

/// A text that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps a text from being printed.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for the one who must send it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
