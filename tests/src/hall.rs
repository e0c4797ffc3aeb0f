//! A hall of one test's own: a venue file, a broker, the daemon, clocks and desks.

use crate::broker::{Broker, free_port};
use crate::clock::Clock;
use crate::desk::{self, Desk};
use crate::http;
use crate::lines::Speech;
use crate::mqtt::{self, AtBroker};
use crate::program::{Ended, program, workspace};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Everybody who may come in; the token of each is `token of ROLE`.
pub const ROLES: [&str; 5] = ["chief", "arbiter", "results", "technician", "viewer"];

/// What the daemon says hello with at the arbiter system; its variable is `UPLINK_TOKEN`.
pub const UPLINK_TOKEN: &str = "token of the hall";

/// A role's token.
#[must_use]
pub fn token(role: &str) -> String {
    format!("token of {role}")
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// What a venue file says.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Boards `1` to this, at tables of the same number, with clocks `A01`, `A02`, ... and Red on the left.
    pub boards: u32,
    /// Rounds with all these boards.
    pub rounds: u32,
    /// Two boards and two make a match.
    pub matches: bool,
    /// Above the first table, as `keys_file` must be; whole lines.
    pub top: String,
    /// Under `[event]`, beside the name.
    pub event: String,
    /// Under `[regulations]`.
    pub regulations: String,
    /// Under `[desk]`, beside where it listens.
    pub desk: String,
    /// Anywhere after all that.
    pub more: String,
    /// With a broker.
    pub broker: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            boards: 1,
            rounds: 1,
            matches: false,
            top: String::new(),
            event: String::new(),
            regulations: String::new(),
            desk: String::new(),
            more: String::new(),
            broker: true,
        }
    }
}

impl Plan {
    /// The file.
    #[must_use]
    pub fn venue(&self, desk: u16, broker: Option<u16>) -> String {
        let mut text = format!(
            "{}[event]\nname = \"a test\"\ntimezone = \"Asia/Shanghai\"\nvariant = \"xiangqi\"\n{}\n\n\
             [regulations]\n{}\n\n[journal]\npath = \"hall.journal\"\n\n[desk]\nlisten = \"127.0.0.1:{desk}\"\n{}\n",
            self.top, self.event, self.regulations, self.desk
        );
        for role in ROLES {
            let _ = write!(
                text,
                "\n[[desk.user]]\nname = \"the {role}\"\nrole = \"{role}\"\ntoken_sha256 = \"{}\"\n",
                hash(&token(role))
            );
        }
        if let Some(port) = broker {
            let _ = write!(text, "\n[mqtt]\nurl = \"mqtt://127.0.0.1:{port}\"\n");
        }
        for number in 1..=self.boards {
            let _ = write!(
                text,
                "\n[[table]]\nnumber = {number}\nclock = \"{}\"\nfirst_side = \"left\"\n",
                clock_name(number)
            );
        }
        let _ = write!(text, "\n{}\n", self.more);
        for round in 1..=self.rounds {
            let _ =
                write!(text, "\n[[round]]\nnumber = {round}\nstart = \"2012-06-{}T08:30:00\"\n", 13 + round);
            for number in 1..=self.boards {
                // The team listed first has the first move on odd boards (二.4).
                let of = number.div_ceil(2);
                let (of, first, second) = match (self.matches, number % 2) {
                    (false, _) => (String::new(), "R".to_owned(), "B".to_owned()),
                    (true, 1) => (format!("match = {of}\n"), format!("R{of}"), format!("B{of}")),
                    (true, _) => (format!("match = {of}\n"), format!("B{of}"), format!("R{of}")),
                };
                let _ = write!(
                    text,
                    "\n[[round.board]]\nboard = \"{number}\"\ntable = {number}\n{of}\
                     first = {{ name = \"Red {number}\", team = \"{first}\" }}\n\
                     second = {{ name = \"Black {number}\", team = \"{second}\" }}\n"
                );
            }
        }
        text
    }

    /// Opens the hall.
    pub async fn open(self) -> Hall {
        let broker = self.broker.then(Broker::start);
        self.open_with(broker).await
    }

    /// Opens it with a broker that is there already.
    ///
    /// # Panics
    /// If the daemon does not come up.
    pub async fn open_with(self, broker: Option<Broker>) -> Hall {
        let folder = tempfile::tempdir().expect("a folder");
        let port = free_port();
        let venue = folder.path().join("venue.toml");
        std::fs::write(&venue, self.venue(port, broker.as_ref().map(|broker| broker.port))).expect("a venue");
        let mut hall = Hall { plan: self, folder, broker, port, venue, daemon: None, runs: 0 };
        hall.start().await;
        hall
    }
}

/// The name of the clock at a table.
#[must_use]
pub fn clock_name(table: u32) -> String {
    format!("A{table:02}")
}

/// A hall with its daemon running. All of it ends with the test.
#[derive(Debug)]
pub struct Hall {
    /// As it was planned.
    pub plan: Plan,
    folder: tempfile::TempDir,
    /// The broker, if the plan has one.
    pub broker: Option<Broker>,
    /// Where the desk listens.
    pub port: u16,
    /// The venue file.
    pub venue: PathBuf,
    daemon: Option<Child>,
    runs: u32,
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            let log = self.log();
            let from = log.len().saturating_sub(4_000);
            let from = (from..log.len()).find(|at| log.is_char_boundary(*at)).unwrap_or(0);
            eprintln!("--- the daemon's log ends so:\n{}", &log[from..]);
        }
    }
}

impl Hall {
    /// A path in the hall's own folder.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Its journal.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.path("hall.journal")
    }

    /// Starts the daemon and waits until it answers.
    ///
    /// # Panics
    /// If it does not.
    pub async fn start(&mut self) {
        self.runs += 1;
        let log = std::fs::File::create(self.path(&format!("log.{}", self.runs))).expect("a log");
        let child = Command::new(program("flagfall"))
            .arg("serve")
            .arg("--config")
            .arg(&self.venue)
            .current_dir(self.folder.path())
            .env_remove("RUST_LOG")
            .env("UPLINK_TOKEN", UPLINK_TOKEN)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn();
        self.daemon = Some(child.expect("the daemon starts"));
        let end = Instant::now() + Duration::from_secs(15);
        // Over TLS it shows plain HTTP the way (308).
        while http::get(self.port, "/healthz", None)
            .await
            .is_none_or(|answer| !matches!(answer.status, 200 | 308))
        {
            let ended = self.daemon.as_mut().and_then(|child| child.try_wait().ok().flatten());
            assert!(ended.is_none(), "the daemon ended: {ended:?}\n{}", self.log());
            assert!(Instant::now() < end, "the daemon does not answer\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Ends it with -9, in the middle of whatever it does.
    pub fn kill(&mut self) {
        if let Some(mut daemon) = self.daemon.take() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }

    /// Tells it to end, and waits for that; its exit code.
    ///
    /// # Panics
    /// If it does not end.
    pub async fn end(&mut self) -> i32 {
        let mut daemon = self.daemon.take().expect("it runs");
        let told = Command::new("kill").arg(daemon.id().to_string()).status().expect("kill");
        assert!(told.success());
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            if let Some(status) = daemon.try_wait().expect("its end") {
                return status.code().unwrap_or(-1);
            }
            if Instant::now() > end {
                let _ = daemon.kill();
                panic!("the daemon does not end when told\n{}", self.log());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        self.daemon.as_mut().is_some_and(|daemon| daemon.try_wait().is_ok_and(|ended| ended.is_none()))
    }

    /// What the daemon logged in its last run.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.path(&format!("log.{}", self.runs))).unwrap_or_default()
    }

    /// The broker's port.
    ///
    /// # Panics
    /// If the plan has no broker.
    #[must_use]
    pub fn broker_port(&self) -> u16 {
        self.broker.as_ref().expect("a broker is planned").port
    }

    /// Comes in with a role's token and hears everything from the first event.
    ///
    /// # Panics
    /// If he is refused.
    pub async fn desk(&self, role: &str) -> Desk {
        self.hello(json!({"token": token(role), "client": "tests", "after": 0})).await
    }

    /// Comes in as the parameters say.
    ///
    /// # Panics
    /// If he is refused.
    pub async fn hello(&self, params: Value) -> Desk {
        desk::hello(self.port, params).await.unwrap_or_else(|refused| panic!("hello: {refused}"))
    }

    /// Reads by HTTP.
    ///
    /// # Panics
    /// If nobody answers.
    pub async fn get(&self, path: &str, role: &str) -> http::Answer {
        http::get(self.port, path, Some(&token(role))).await.unwrap_or_else(|| panic!("{path}: no answer"))
    }

    /// A clock for a table, connected with the broker.
    pub async fn clock(&self, table: u32, ms: i64, increment_ms: i64) -> (Clock, AtBroker) {
        let clock = Clock::new(&clock_name(table), ms, increment_ms);
        let line = mqtt::connect(&clock, self.broker_port(), Speech::Json).await;
        (clock, line)
    }

    /// Runs `flagfall` in the hall's folder.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn flagfall(&self, arguments: &[&str]) -> Ended {
        let mut command = Command::new(program("flagfall"));
        command.args(arguments).current_dir(self.folder.path()).env_remove("RUST_LOG");
        command.output().expect("flagfall starts").into()
    }

    /// The workspace's own file of this name.
    #[must_use]
    pub fn of_workspace(name: &str) -> PathBuf {
        workspace().join(name)
    }
}
