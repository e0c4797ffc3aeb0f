//! A clock as docs/api section 3 describes one, written from that page alone: it counts two times down, says what
//! happens to it and does what it is told. It shares no code with the firmware.

use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Events kept for `replay`.
const KEPT: usize = 64;
/// Answers kept, so that each command is carried out once.
const ANSWERS: usize = 8;
/// How often the hands are looked at.
const LOOK: Duration = Duration::from_millis(20);

/// A side of the clock, as seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

use Side::{Left, Right};

impl Side {
    /// As on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Left => "left",
            Right => "right",
        }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Left => Right,
            Right => Left,
        }
    }

    fn read(value: &Value) -> Option<Self> {
        [Left, Right].into_iter().find(|side| value.as_str() == Some(side.name()))
    }
}

/// A report on its way out.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The whole report.
    pub json: String,
    /// Whether it is an event (MQTT: QoS 1) and not a status.
    pub event: bool,
}

impl Said {
    /// The report, to look into.
    ///
    /// # Panics
    /// If a test broke it.
    #[must_use]
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.json).expect("json")
    }
}

struct Face {
    name: String,
    boot: u64,
    on: Instant,
    powered: bool,
    seq: u64,
    events: u64,
    /// Left and right, as of `since` of the uptime.
    ms: [i64; 2],
    since: u64,
    presses: [u64; 2],
    running: Option<Side>,
    /// Who runs on at `resume`.
    ran: Option<Side>,
    flag: Option<Side>,
    stopped_by: Option<&'static str>,
    begun: bool,
    increments: [i64; 2],
    kept: VecDeque<Said>,
    answers: VecDeque<(u64, Value)>,
    highest: u64,
    heard: Vec<Value>,
    spoke: u64,
    out: Option<UnboundedSender<Said>>,
    held: Option<Vec<Said>>,
    deaf: bool,
    no_replay: bool,
}

/// A clock. Cloning it gives another hand on the same one.
#[derive(Clone)]
pub struct Clock {
    face: Arc<Mutex<Face>>,
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clock").field("name", &self.name()).finish()
    }
}

impl Face {
    fn uptime(&self) -> u64 {
        u64::try_from(self.on.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn spent(&self, now: u64) -> i64 {
        i64::try_from(now.saturating_sub(self.since)).unwrap_or(i64::MAX)
    }

    /// Brings the times up to `now`; a flag that fell on the way is said as of when it fell.
    fn settle(&mut self, now: u64) {
        let Some(side) = self.running else {
            self.since = now;
            return;
        };
        let left = self.ms[side as usize];
        let spent = self.spent(now);
        if spent < left {
            self.ms[side as usize] -= spent;
            self.since = now;
            return;
        }
        let fell = self.since + u64::try_from(left.max(0)).unwrap_or(0);
        self.ms[side as usize] = 0;
        self.since = fell;
        self.running = None;
        self.flag = Some(side);
        self.say(fell, Some(json!({"type": "flag", "side": side.name()})));
        self.since = now;
    }

    fn say(&mut self, at: u64, event: Option<Value>) {
        self.seq += 1;
        let is_event = event.is_some();
        self.events += u64::from(is_event);
        let mut report = Map::new();
        let side = |side: Option<Side>| side.map_or(Value::Null, |side| side.name().into());
        for (name, value) in [
            ("clock", json!(self.name)),
            ("boot", json!(self.boot)),
            ("seq", json!(self.seq)),
            ("events", json!(self.events)),
            ("uptime_ms", json!(at)),
            ("left_ms", json!(self.ms[0])),
            ("right_ms", json!(self.ms[1])),
            ("running", side(self.running)),
            ("left_presses", json!(self.presses[0])),
            ("right_presses", json!(self.presses[1])),
            ("flag", side(self.flag)),
            ("battery_pct", json!(87)),
        ] {
            report.insert(name.into(), value);
        }
        if let Some(by) = self.stopped_by {
            report.insert("stopped_by".into(), by.into());
        }
        if let Some(event) = event {
            report.insert("event".into(), event);
        }
        let said = Said { json: Value::Object(report).to_string(), event: is_event };
        if is_event {
            if self.kept.len() == KEPT {
                self.kept.pop_front();
            }
            self.kept.push_back(said.clone());
        }
        self.spoke = at;
        self.send(said);
    }

    fn send(&mut self, said: Said) {
        if let Some(held) = &mut self.held {
            held.push(said);
        } else if let Some(out) = &self.out {
            // Nobody at the other end: lost, as on a line.
            let _ = out.send(said);
        }
    }

    fn event(&mut self, event: Value) {
        let now = self.uptime();
        self.since = now;
        self.say(now, Some(event));
    }

    fn stop(&mut self, by: &'static str) -> Result<(), &'static str> {
        let running = self.running.ok_or("stopped")?;
        self.ran = Some(running);
        self.running = None;
        self.stopped_by = Some(by);
        self.event(json!({"type": "stop", "by": by}));
        Ok(())
    }

    fn resume(&mut self, by: &str) -> Result<(), &'static str> {
        if self.running.is_some() {
            return Err("running");
        }
        if self.flag.is_some() {
            return Err("flag");
        }
        self.running = Some(self.ran.take().ok_or("stopped")?);
        self.stopped_by = None;
        self.event(json!({"type": "resume", "by": by}));
        Ok(())
    }

    fn start(&mut self, side: Side, by: &str) -> Result<(), &'static str> {
        if self.running.is_some() {
            return Err("running");
        }
        // in a game that has begun it says which side runs on
        let event = match self.begun {
            true => json!({"type": "resume", "by": by}),
            false => json!({"type": "start", "side": side.name(), "by": by}),
        };
        self.begun = true;
        self.running = Some(side);
        self.stopped_by = None;
        self.event(event);
        Ok(())
    }

    fn tell(&mut self, command: &Value) {
        self.heard.push(command.clone());
        let action = &command["do"];
        if action["type"] == "ack" {
            return;
        }
        let Some(number) = command["command"].as_u64() else { return };
        if let Some((_, answer)) = self.answers.iter().find(|(known, _)| *known == number).cloned() {
            self.event(answer);
            return;
        }
        let now = self.uptime();
        self.settle(now);
        let result = if number <= self.highest {
            Err("gone")
        } else if command["boot"].as_u64() != Some(self.boot) {
            Err("boot")
        } else if command["until_ms"].as_u64().is_none_or(|until| now > until) {
            Err("expired")
        } else {
            self.carry_out(action)
        };
        let mut done = json!({"type": "done", "command": number, "ok": result.is_ok()});
        if let Err(error) = result {
            done["error"] = error.into();
        }
        self.highest = self.highest.max(number);
        if self.answers.len() == ANSWERS {
            self.answers.pop_front();
        }
        self.answers.push_back((number, done.clone()));
        self.event(done);
    }

    fn carry_out(&mut self, action: &Value) -> Result<(), &'static str> {
        let whole = |name: &str| action[name].as_i64().ok_or("range");
        match action["type"].as_str().unwrap_or_default() {
            "configure" => {
                // A clock that stands does not know whether its game has ended.
                if self.running.is_some() {
                    return Err("in_game");
                }
                let control = &action["time_control"];
                let mut ms = [0; 2];
                let first = if action["first_side"] == "right" { Right } else { Left };
                for (player, side) in [("first", first), ("second", first.other())] {
                    let own = if control[player].is_object() { &control[player] } else { control };
                    ms[side as usize] = own["base_ms"].as_i64().ok_or("range")?;
                    self.increments[side as usize] = own["increment_ms"].as_i64().ok_or("range")?;
                }
                self.anew(ms);
                self.event(json!({"type": "reset", "by": "command"}));
                Ok(())
            }
            "set_times" => {
                if self.running.is_some() {
                    return Err("running");
                }
                self.ms = [whole("left_ms")?, whole("right_ms")?];
                for (side, name) in ["left_presses", "right_presses"].into_iter().enumerate() {
                    if let Some(presses) = action[name].as_u64() {
                        self.presses[side] = presses;
                    }
                }
                self.event(json!({"type": "adjust", "by": "command"}));
                Ok(())
            }
            "adjust" => {
                if self.running.is_some() {
                    return Err("running");
                }
                self.ms[0] += whole("left_delta_ms")?;
                self.ms[1] += whole("right_delta_ms")?;
                self.event(json!({"type": "adjust", "by": "command"}));
                Ok(())
            }
            "start" => {
                let side = Side::read(&action["side"]).ok_or("range")?;
                self.start(side, "command")
            }
            "stop" => self.stop("command"),
            "resume" => self.resume("command"),
            "identify" | "show" if self.running.is_none() => Ok(()),
            "identify" | "show" => Err("running"),
            "describe" => {
                self.event(
                    json!({"type": "about", "firmware": "model 1", "restored": false, "resolution_ms": 1}),
                );
                Ok(())
            }
            "replay" if self.no_replay => Err("gone"),
            "replay" if action["boot"].as_u64() == Some(self.boot) => {
                let from = action["from_seq"].as_u64().ok_or("range")?;
                let again: Vec<Said> = self
                    .kept
                    .iter()
                    .filter(|said| said.value()["seq"].as_u64() >= Some(from))
                    .cloned()
                    .collect();
                for said in again {
                    self.send(said);
                }
                Ok(())
            }
            "replay" => Err("gone"),
            _ => Err("unable"),
        }
    }

    fn anew(&mut self, ms: [i64; 2]) {
        self.ms = ms;
        self.presses = [0; 2];
        (self.running, self.ran, self.flag, self.stopped_by) = (None, None, None, None);
        self.begun = false;
    }
}

impl Clock {
    /// A clock that was just switched on and shows `ms` on both sides. It speaks once a line is laid.
    #[must_use]
    pub fn new(name: &str, ms: i64, increment_ms: i64) -> Self {
        let face = Face {
            name: name.into(),
            boot: 1,
            on: Instant::now(),
            powered: true,
            seq: 0,
            events: 0,
            ms: [ms; 2],
            since: 0,
            presses: [0; 2],
            running: None,
            ran: None,
            flag: None,
            stopped_by: None,
            begun: false,
            increments: [increment_ms; 2],
            kept: VecDeque::new(),
            answers: VecDeque::new(),
            highest: 0,
            heard: Vec::new(),
            spoke: 0,
            out: None,
            held: None,
            deaf: false,
            no_replay: false,
        };
        let clock = Self { face: Arc::new(Mutex::new(face)) };
        let alive = Arc::downgrade(&clock.face);
        tokio::spawn(async move {
            while let Some(face) = alive.upgrade() {
                look(&mut face.lock().expect("no test broke it"));
                drop(face);
                tokio::time::sleep(LOOK).await;
            }
        });
        clock
    }

    fn face(&self) -> MutexGuard<'_, Face> {
        self.face.lock().expect("no test broke it")
    }

    fn settled(&self) -> MutexGuard<'_, Face> {
        let mut face = self.face();
        let now = face.uptime();
        face.settle(now);
        face
    }

    /// Its own name.
    #[must_use]
    pub fn name(&self) -> String {
        self.face().name.clone()
    }

    /// Lays a line; what an older one carried is lost from here on. Says `boot` if it has said nothing yet.
    pub fn line(&self) -> UnboundedReceiver<Said> {
        let (out, said) = unbounded_channel();
        self.face().out = Some(out);
        said
    }

    /// Says the first word of a power-up, or where it has spoken before, a status.
    pub fn greet(&self) {
        let mut face = self.settled();
        let now = face.uptime();
        let first = (face.seq == 0)
            .then(|| json!({"type": "boot", "firmware": "model 1", "restored": false, "resolution_ms": 1}));
        face.say(now, first);
    }

    /// Cuts its line: what it says is lost (and kept for `replay`), what it is told does not arrive.
    pub fn cut(&self) {
        self.face().out = None;
    }

    /// Hears nothing any more, or again.
    pub fn deaf(&self, deaf: bool) {
        self.face().deaf = deaf;
    }

    /// Has forgotten what it said before: `replay` is refused as gone.
    pub fn forget(&self) {
        self.face().no_replay = true;
    }

    /// Switched off and on: a new boot with the times of the control.
    pub fn reboot(&self, ms: i64) {
        let mut face = self.face();
        face.boot += 1;
        face.on = Instant::now();
        (face.seq, face.events, face.since, face.spoke, face.highest) = (0, 0, 0, 0, 0);
        face.kept.clear();
        face.answers.clear();
        face.anew([ms; 2]);
        drop(face);
        self.greet();
    }

    /// Without power: counts and says nothing. For the end of a test's use of it.
    pub fn off(&self) {
        self.face().powered = false;
    }

    /// A command arrives.
    pub fn tell(&self, command: &Value) {
        let mut face = self.face();
        if !face.deaf && face.powered {
            face.tell(command);
        }
    }

    /// Commands that arrived, `ack` too.
    #[must_use]
    pub fn heard(&self) -> Vec<Value> {
        self.face().heard.clone()
    }

    /// Of these, those with this `do.type`.
    #[must_use]
    pub fn heard_of(&self, action: &str) -> Vec<Value> {
        self.heard().into_iter().filter(|command| command["do"]["type"] == action).collect()
    }

    /// Pressed before the start.
    pub fn ready(&self, side: Side) {
        self.settled().event(json!({"type": "ready", "side": side.name()}));
    }

    /// A lever starts the game: `side` runs first.
    ///
    /// # Panics
    /// If a game is on.
    pub fn start(&self, side: Side) {
        self.settled().start(side, "button").expect("no game is on");
    }

    /// A player completes his move.
    ///
    /// # Panics
    /// If his side does not run.
    pub fn press(&self, side: Side) {
        let mut face = self.settled();
        assert_eq!(face.running, Some(side), "{} presses while his side does not run", side.name());
        let increment = face.increments[side as usize];
        face.ms[side as usize] += increment;
        face.presses[side as usize] += 1;
        face.running = Some(side.other());
        face.event(json!({"type": "press", "side": side.name()}));
    }

    /// Both move `pairs` times, as fast as hands can, the side that runs first.
    ///
    /// # Panics
    /// If no side runs.
    pub fn moves(&self, pairs: usize) {
        for _ in 0..pairs * 2 {
            let side = self.running().expect("a game is on");
            self.press(side);
        }
    }

    /// Somebody pushes the stop button.
    ///
    /// # Panics
    /// If no side runs.
    pub fn push_stop(&self) {
        self.settled().stop("button").expect("a side runs");
    }

    /// Somebody pushes it again.
    ///
    /// # Panics
    /// If it does not stand in a game.
    pub fn push_resume(&self) {
        self.settled().resume("button").expect("it stands");
    }

    /// Both players end the game at the clock.
    pub fn over(&self, claim: Option<&str>, agreed: bool) {
        let mut face = self.settled();
        face.ran = face.running.take();
        face.event(json!({"type": "over", "claim": claim, "agreed": agreed}));
    }

    /// Left and right, now.
    #[must_use]
    pub fn times(&self) -> [i64; 2] {
        self.settled().ms
    }

    /// Whose time runs.
    #[must_use]
    pub fn running(&self) -> Option<Side> {
        self.settled().running
    }

    /// Left and right moves.
    #[must_use]
    pub fn presses(&self) -> [u64; 2] {
        self.face().presses
    }

    /// The last report's number.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.face().seq
    }

    /// Its events so far, as said.
    #[must_use]
    pub fn kept(&self) -> Vec<Said> {
        self.face().kept.iter().cloned().collect()
    }

    /// From here on what it says waits.
    pub fn hold(&self) {
        self.face().held = Some(Vec::new());
    }

    /// What waited, in the order in which it was said; it speaks freely again.
    pub fn release(&self) -> Vec<Said> {
        self.face().held.take().unwrap_or_default()
    }

    /// Puts something on its line, as it stands.
    pub fn put(&self, said: Said) {
        self.face().send(said);
    }
}

/// Looks at the hands: a flag, a status that is due.
fn look(face: &mut Face) {
    if !face.powered || face.seq == 0 {
        return;
    }
    let now = face.uptime();
    face.settle(now);
    let every = if face.running.is_some() { 1_000 } else { 5_000 };
    if now >= face.spoke + every {
        face.say(now, None);
    }
}
