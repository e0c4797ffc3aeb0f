//! A hall in which requests are tried out one after the other, each on a board of its own, and the daemon is killed
//! after each.

use super::table::{Part, ROWS, is_pending, of};
use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::desk::{Desk, holds, is, shown};
use flagfall_tests::hall::{Hall, Plan, ROLES, clock_name};
use flagfall_tests::lines::Speech;
use flagfall_tests::tcp::{self, SerialServer};
use flagfall_tests::until::{SOON, until};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const NOT_HIS: i64 = -32001;
const CHANGED: i64 = -32002;
const DOES_NOT_FIT: i64 = -32602;

/// A request, what another does to the same thing first, and what it must do.
pub struct Try {
    /// The method.
    pub method: &'static str,
    /// Its parameters.
    pub params: Value,
    /// What the chief does just before it: whoever has not seen that is refused.
    pub change: (&'static str, Value),
    /// At least this stands in the answer.
    pub answer: Value,
    /// These events follow from it: a type, and at least these fields.
    pub told: Vec<(&'static str, Value)>,
}

/// A hall, its clocks, and a desk for each role.
pub struct Stage {
    /// The hall.
    pub hall: Hall,
    part: Part,
    clocks: BTreeMap<String, (Clock, SerialServer)>,
    desks: BTreeMap<&'static str, Desk>,
    tried: Vec<&'static str>,
    ids: Vec<String>,
    kills: usize,
}

impl Stage {
    /// Opens it, with clocks at these tables, and others that belong to none, on lines of their own.
    pub async fn open(part: Part, mut plan: Plan, tables: &[u32], others: &[&str]) -> Self {
        let mut clocks = BTreeMap::new();
        for name in
            tables.iter().map(|table| clock_name(*table)).chain(others.iter().map(|name| (*name).into()))
        {
            let clock = Clock::new(&name, 3_000_000, 15_000);
            let server = tcp::serve(&clock, Speech::Json).await;
            let _ = write!(plan.more, "[[serial]]\ntcp = \"127.0.0.1:{}\"\n", server.port);
            clocks.insert(name, (clock, server));
        }
        let hall = Plan { broker: false, ..plan }.open().await;
        let (tried, ids) = (Vec::new(), Vec::new());
        let mut stage = Self { hall, part, clocks, desks: BTreeMap::new(), tried, ids, kills: 0 };
        stage.come_in().await;
        stage
    }

    async fn come_in(&mut self) {
        for role in ROLES {
            self.desks.insert(role, self.hall.desk(role).await);
        }
        until("every clock is heard since the last restart", SOON, || {
            let events = self.chief().events();
            let restarted = |event: &&Value| is(event, "notice", &json!({"kind": "restarted"}));
            let begun = match self.kills {
                0 => 0,
                kills if events.iter().filter(restarted).count() < kills => return None,
                _ => events.iter().rposition(|event| restarted(&event))?,
            };
            let online = |name: &String| {
                let heard =
                    |event: &Value| event["type"] == "clock_online" && event["clock"] == name.as_str();
                events[begun..].iter().any(heard)
            };
            self.clocks.keys().all(online).then_some(())
        })
        .await;
    }

    /// No more power, in the middle of whatever it does.
    fn kill(&mut self) {
        self.hall.kill();
        self.kills += 1;
    }

    /// The chief's desk, which hears everything from the first event.
    pub fn chief(&self) -> &Desk {
        &self.desks["chief"]
    }

    /// A role's desk.
    pub fn desk(&self, role: &str) -> &Desk {
        &self.desks[role]
    }

    /// The clock of this name.
    pub fn clock(&self, name: &str) -> &Clock {
        &self.clocks[name].0
    }

    /// A game on this board, with a move of each.
    pub async fn play(&self, board: u32) {
        let clock = self.clock(&clock_name(board));
        clock.start(Side::Left);
        clock.moves(1);
        self.wait_on(board, "press", json!({"player": "second", "moves": 1})).await;
    }

    /// A game on this board that an arbiter has stopped.
    pub async fn stop(&self, board: u32) {
        self.play(board).await;
        self.chief().done("board.stop", json!({"round": 1, "board": board})).await;
        self.wait_on(board, "stopped", json!({"ordered": true})).await;
    }

    /// Waits for what is told of a board of round 1.
    pub async fn wait_on(&self, board: u32, kind: &str, fields: Value) -> Value {
        let name = board.to_string();
        let told = |event: &Value| event["board"] == name && event["round"] == 1 && is(event, kind, &fields);
        self.chief().wait(&format!("board {board}: {kind} {fields}"), told).await
    }

    /// Tries one out: see the module.
    pub async fn try_out(&mut self, asked: Try) -> Value {
        let Try { method, params, change, answer, told } = asked;
        let row = of(method);
        assert_eq!(row.part, self.part, "{method} is tried elsewhere");
        self.tried.push(method);
        if is_pending(method) {
            return Value::Null;
        }
        let changed = self.chief().done(change.0, change.1).await["seq"].as_u64().expect("a seq");
        let from = self.chief().mark();
        self.refuse(method, &params, changed, &told).await;

        // Twice at once, and then no more power: the answer says that it is on the disk.
        let mut params = params;
        params["seen"] = changed.into();
        params["request_id"] = self.id(method).into();
        let by = row.may.first().copied().unwrap_or("chief");
        let desk = self.desk(by);
        let (first, second) =
            tokio::join!(desk.ask(method, params.clone()), desk.ask(method, params.clone()));
        self.kill();
        let done = first.unwrap_or_else(|refused| panic!("{method} {params}: {refused}"));
        assert_eq!(second.as_ref(), Ok(&done), "{method}: the same answer to the same request");
        assert!(holds(&done, &answer), "{method}: {done}, which should have {answer}");
        let before = self.chief().events();
        self.hall.start().await;
        self.come_in().await;

        let events = self.chief().events();
        assert_eq!(events[..before.len()], before[..], "{method}: what was told never changes");
        for (at, event) in events.iter().enumerate() {
            assert_eq!(event["seq"].as_u64(), u64::try_from(at + 1).ok(), "{method}: without holes: {event}");
        }
        let killed = events.iter().rposition(|event| is(event, "notice", &json!({"kind": "restarted"})));
        let followed = &events[from..killed.expect("it was killed")];
        for (kind, fields) in &told {
            let found = followed.iter().any(|event| is(event, kind, fields));
            assert!(found, "{method}: {kind} {fields} is not among\n{}", shown(followed));
        }

        // The daemon that came back knows the request, and no other under its id.
        let desk = self.desk(by);
        assert_eq!(desk.ask(method, params.clone()).await.as_ref(), Ok(&done), "{method}: after a restart");
        params["reason"] = "another".into();
        assert_eq!(
            desk.refused(method, params).await,
            DOES_NOT_FIT,
            "{method}: its id means another request"
        );
        done
    }

    /// Everybody asks without having seen the change: those who may not are told so, the others what followed.
    async fn refuse(&mut self, method: &str, params: &Value, changed: u64, told: &[(&'static str, Value)]) {
        let may = of(method).may;
        let from = self.chief().mark();
        for role in ROLES {
            let mut params = params.clone();
            params["seen"] = (changed - 1).into();
            params["request_id"] = self.id(method).into();
            let desk = self.desk(role);
            let refused = desk.ask(method, params.clone()).await.expect_err("the change was not seen");
            let allowed = role == "chief" || may.contains(&role);
            let code = if allowed { CHANGED } else { NOT_HIS };
            assert_eq!(refused["code"], code, "{method} by {role}: {refused}");
            if allowed {
                let followed = refused["data"]["followed"].as_array().expect("what followed");
                let seen = json!({"seq": changed, "type": "request"});
                assert!(followed.contains(&seen), "{method} by {role}: {refused}");
            }
            assert_eq!(desk.ask(method, params.clone()).await.as_ref(), Err(&refused), "{method}: a repeat");
            let news = json!({
                "method": method, "params": params, "by": format!("the {role}"),
                "ok": false, "error": refused["message"],
            });
            self.chief().since(from, "the refusal", |event| is(event, "request", &news)).await;
        }
        let events = self.chief().events();
        let done =
            events[from..].iter().find(|event| told.iter().any(|(kind, fields)| is(event, kind, fields)));
        assert_eq!(done, None, "{method}: it was refused five times");
    }

    /// Looks at something: whoever may does, nobody is told, nothing is in conflict.
    pub async fn look(&mut self, method: &'static str, params: Value, answer: Value) {
        self.tried.push(method);
        let from = self.chief().mark();
        let mut params = params;
        params["seen"] = 0.into();
        let mut first = None;
        let may = of(method).may;
        for role in ROLES {
            if role != "chief" && !may.contains(&role) {
                assert_eq!(
                    self.desk(role).refused(method, params.clone()).await,
                    NOT_HIS,
                    "{method} by {role}"
                );
                continue;
            }
            let mut said = self.desk(role).done(method, params.clone()).await;
            if let Some(answer) = said.as_object_mut() {
                answer.remove("now"); // each asks at his own time
            }
            // A viewer sees less of some things, and nobody sees anything else.
            if role != "viewer" {
                assert!(holds(&said, &answer), "{method} by {role}: {said}, which should have {answer}");
                assert_eq!(first.get_or_insert_with(|| said.clone()), &said, "{method} by {role}");
            }
        }
        self.kill();
        let before = self.chief().events();
        self.hall.start().await;
        self.come_in().await;
        assert_eq!(self.chief().events()[..before.len()], before[..]);
        let asked = before[from..].iter().find(|event| is(event, "request", &json!({"method": method})));
        assert_eq!(asked, None, "a look is no act");
        let again = self.desk("arbiter").done(method, params).await;
        assert!(holds(&again, &answer), "{method} after a restart: {again}");
    }

    fn id(&mut self, method: &str) -> String {
        self.ids.push(format!("{method}-{}", self.ids.len() + 1));
        self.ids.last().expect("just put there").clone()
    }

    /// All rows of this part were tried, each request stands in the journal once, and deciding it again comes out
    /// the same.
    pub async fn end(mut self) {
        let rows = ROWS.iter().filter(|row| row.part == self.part).map(|row| row.method);
        let left: Vec<&str> = rows.filter(|method| !self.tried.contains(method)).collect();
        assert!(left.is_empty(), "not tried: {left:?}");
        let events = self.chief().events();
        for id in &self.ids {
            let asked = json!({"params": {"request_id": id}});
            let count = events.iter().filter(|event| is(event, "request", &asked)).count();
            assert_eq!(count, 1, "{id} was told {count} times");
        }
        assert_eq!(self.hall.end().await, 0, "{}", self.hall.log());
        let file = self.hall.journal();
        let replayed = self.hall.flagfall(&["journal", "replay", file.to_str().expect("a path")]);
        assert_eq!(replayed.code, 0, "{replayed:?}");
        assert!(replayed.stdout.contains("all the same"), "{}", replayed.stdout);
    }
}
