//! A venue file at a time, from files and an environment that exist only here.

mod broken;
mod garbage;
mod good;
mod keys;
mod regulations;
mod sets;

use super::{Config, ConfigError, Surroundings};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The example of the public contract, whole.
const CONTRACT: &str = r#"
[event]
name = "2012 武工杯"
timezone = "Asia/Shanghai"
variant = "xiangqi"                 # or "chess"
regulations = "wugong-2012"         # built in, or a path
start_by = "players"
mode = "act"
[regulations]                       # optional: overrides of single values
base_ms = 3000000
[journal]
path = "wugong.journal"
[desk]
listen = "127.0.0.1:8470"
[[desk.user]]
name = "chief"
role = "chief"
token_sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
[uplink]
url = "wss://arbiter.example/feed"
token_env = "UPLINK_TOKEN"
audience = "desk"
[[serial]]
port = "/dev/serial/by-id/usb-1"
protocol = "flagfall"
[mqtt]
url = "mqtt://127.0.0.1:1883"
[[clock]]
id = "A01"
key_env = "CLOCK_A01"
[[table]]
number = 1
clock = "A01"
first_side = "left"
[[team]]
number = 13
name = "武汉"
city = "武汉"
players = ["甲", "乙", "丙", "丁"]
[[team]]
number = 1
name = "黄石"
players = ["子", "丑", "寅", "卯"]
[[round]]
number = 1
start = "2012-06-14T08:30:00"
[[round.board]]
board = "1"
table = 1
first = { name = "甲", team = "武汉" }
second = { name = "子", team = "黄石" }
"#;

const ENVIRONMENT: [(&str, &str); 5] = [
    ("UPLINK_TOKEN", "letmein"),
    ("CLOCK_A01", "00112233445566778899aabbccddeeff"),
    ("SHORT_KEY", "0011"),
    ("BROKER_USER", "hall"),
    ("BROKER_PASSWORD", "secret"),
];

/// Reads `venue.toml` with other files beside it.
fn read(venue: &str, files: &[(&str, &[u8])]) -> Result<Config, ConfigError> {
    let mut all: BTreeMap<&str, &[u8]> = files.iter().copied().collect();
    all.insert("venue.toml", venue.as_bytes());
    let env =
        |name: &str| ENVIRONMENT.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
    let read = |path: &Path| {
        let name = path.to_str().unwrap_or("");
        all.get(name).map(|bytes| bytes.to_vec()).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    Config::load_from(Path::new("venue.toml"), Surroundings { env: &env, read: &read })
}

/// The faults, a line each.
fn faults(venue: &str, files: &[(&str, &[u8])]) -> Vec<String> {
    match read(venue, files) {
        Ok(_) => Vec::new(),
        Err(ConfigError::Faults(faults)) => faults.iter().map(ToString::to_string).collect(),
        Err(other) => vec![other.to_string()],
    }
}

/// A venue that is right, with more after it.
fn with(more: &str) -> String {
    format!("[event]\nname = \"e\"\ntimezone = \"Asia/Shanghai\"\n[journal]\npath = \"j\"\n{more}\n")
}
