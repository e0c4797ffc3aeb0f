//! A hall in virtual time: what is recorded, told, sent and answered.

mod back;
mod seen;
mod shown;

use super::*;
use crate::{AskId, replay};
use flagfall_arbiter::{Ask, Refused, Role};
use flagfall_clock::{About, Side};
use flagfall_clock::{ClockEvent, ClockReport};
use flagfall_rules::Who;
use flagfall_rules::{BoardSetup, Mode, PlayerSetup, Regulations, RoundSetup, StartBy, TableSetup, Variant};
use serde_json::Value;

const WALL: Wall = Wall(1_339_633_800_000);
const SERIAL: LineId = LineId(1);
const BROKER: LineId = LineId(2);

fn setup() -> Setup {
    let player = |name: &str| PlayerSetup { name: name.into(), team: String::new() };
    Setup {
        event: "test".into(),
        timezone: None,
        variant: Variant::Xiangqi,
        regulations: Regulations::default(),
        start_by: StartBy::Players,
        mode: Mode::Act,
        clocks: Vec::new(),
        tables: vec![TableSetup { number: 1, clock: Some(clock()), first_side: Side::Left }],
        teams: Vec::new(),
        rounds: vec![RoundSetup {
            number: 1,
            planned: None,
            boards: vec![BoardSetup {
                board: "1".into(),
                table: Some(1),
                clock: None,
                first_side: None,
                match_no: None,
                first: player("red"),
                second: player("black"),
            }],
        }],
    }
}

fn clock() -> ClockId {
    "A01".parse().unwrap()
}

fn report(seq: u32, uptime_ms: u64, running: Option<Side>, event: Option<ClockEvent>) -> ClockReport {
    let ran = if running.is_some() { uptime_ms as i64 } else { 0 };
    ClockReport {
        clock: clock(),
        boot: 1,
        seq,
        events: None,
        uptime_ms,
        left_ms: 3_000_000 - ran,
        right_ms: 3_000_000,
        running,
        left_presses: 0,
        right_presses: 0,
        flag: Some(None),
        stopped_by: None,
        battery_pct: Some(90),
        periods: None,
        event,
    }
}

fn boot() -> ClockReport {
    report(1, 0, None, Some(ClockEvent::Boot(About::default())))
}

struct Bench {
    hall: Hall,
    now: Venue,
    out: Out,
    asks: u64,
}

impl Bench {
    fn new() -> Self {
        let mut bench = Self { hall: Hall::new(setup()), now: Venue(0), out: Out::default(), asks: 0 };
        bench.hall.begin(Venue(0), setup(), WALL, &mut bench.out);
        for (line, name) in [(SERIAL, "/dev/ttyUSB0"), (BROKER, "mqtt://127.0.0.1:1883")] {
            bench.hear(Heard::LineUp { line, name: name.into() });
        }
        bench
    }

    /// The same hall as its journal leaves it.
    fn restarted(&self, at: Venue) -> Self {
        Self::from_journal(&self.out.records, at)
    }

    /// The same hall as its journal leaves it, where `before` wrote the beginning of it.
    fn after(&self, before: &Self) -> Self {
        let records = [&before.out.records[..], &self.out.records].concat();
        Self::from_journal(&records, self.now)
    }

    fn from_journal(records: &[Record], at: Venue) -> Self {
        let read = records.iter().map(|r| (r.at, r.kind, r.seq, r.body.as_str()));
        let (hall, stats) = Hall::recover(read).unwrap();
        assert_eq!(stats.records, records.len() as u64);
        let mut bench = Self { hall, now: at, out: Out::default(), asks: 1_000 };
        bench.hall.resume(at, setup(), WALL, 3_000, &mut bench.out);
        bench
    }

    fn hear(&mut self, heard: Heard) {
        self.hall.handle(self.now, heard, &mut self.out);
    }

    fn reports(&mut self, line: LineId, report: ClockReport) {
        self.hear(Heard::Report { line, report, sealed: false });
    }

    fn wait(&mut self, ms: u64) {
        let end = self.now + ms;
        while let Some(due) = self.hall.next_deadline().filter(|due| *due <= end) {
            self.now = due.max(self.now);
            self.hear(Heard::Time);
        }
        self.now = end;
    }

    fn ask_as(&mut self, role: Role, method: &str, params: Value) -> Option<Result<Value, Refused>> {
        self.asks += 1;
        let id = AskId(self.asks);
        let ask = Ask::parse(method, Some(params)).unwrap();
        let name = format!("{role:?}");
        self.hear(Heard::Ask { id, who: Who { name, role }, ask });
        self.out.answers.iter().find(|(to, _)| *to == id).map(|(_, answer)| answer.clone())
    }

    fn inputs(&self) -> Vec<Input> {
        self.out
            .records
            .iter()
            .filter(|record| matches!(record.kind, "input" | "sample"))
            .map(|record| serde_json::from_str(&record.body).unwrap())
            .collect()
    }

    fn links(&self) -> Vec<(bool, String, String)> {
        self.inputs()
            .into_iter()
            .filter_map(|input| match input {
                Input::Link { online, by, cause, .. } => Some((online, by, cause)),
                _ => None,
            })
            .collect()
    }

    fn asked(&self) -> usize {
        self.inputs().iter().filter(|input| matches!(input, Input::Ask { .. })).count()
    }

    fn refused(&self) -> usize {
        self.inputs().iter().filter(|input| matches!(input, Input::Refused { .. })).count()
    }

    fn order(&mut self, action: Action, urgent: bool) {
        let outcome = Outcome { orders: vec![Order { clock: clock(), action }], ..Outcome::default() };
        let mut inputs = VecDeque::new();
        self.hall.follow(self.now, outcome, urgent, &mut inputs, &mut self.out);
        for input in inputs {
            self.hall.put(self.now, input, &mut self.out);
        }
    }
}

#[test]
fn a_journal_begins_with_wall_time_and_setup() {
    let bench = Bench::new();
    let inputs = bench.inputs();
    assert!(matches!(inputs[0], Input::Anchor { wall: WALL }));
    assert!(matches!(inputs[1], Input::Setup(_)));
}

#[test]
fn a_first_report_brings_its_clock_online_and_is_acknowledged_after_its_record() {
    let mut bench = Bench::new();
    bench.reports(SERIAL, boot());
    assert_eq!(bench.links(), [(true, "/dev/ttyUSB0".into(), "first".into())]);
    let inputs = bench.inputs();
    let link = inputs.iter().position(|input| matches!(input, Input::Link { .. })).unwrap();
    assert!(matches!(&inputs[link + 1], Input::Report(o) if o.report.seq == 1));
    let ack = Action::Ack { boot: 1, seq: 1 };
    assert!(bench.out.send.iter().any(|send| send.line == SERIAL && send.command.action == ack));
}

#[test]
fn statuses_that_confirm_leave_one_sample_a_second_and_nothing_when_none_runs() {
    let mut bench = Bench::new();
    bench.reports(SERIAL, boot());
    bench.reports(
        SERIAL,
        report(
            2,
            0,
            Some(Side::Left),
            Some(ClockEvent::Start { side: Side::Left, by: flagfall_clock::By::Button }),
        ),
    );
    bench.wait(500);
    let before = bench.inputs().len();
    for second in 1..=20_u32 {
        bench.reports(SERIAL, report(2 + second, u64::from(second) * 500, Some(Side::Left), None));
        bench.wait(500);
    }
    let samples = bench.inputs()[before..].iter().filter(|input| matches!(input, Input::Sample(_))).count();
    let others = bench.inputs()[before..]
        .iter()
        .filter(|input| matches!(input, Input::Report(_) | Input::Link { .. }))
        .count();
    assert!((9..=11).contains(&samples), "{samples}");
    assert_eq!(others, 0);
}

#[test]
fn silence_is_told_sooner_while_a_side_runs() {
    for (running, patience) in [(Some(Side::Left), 3_500), (None, 12_000)] {
        let mut bench = Bench::new();
        bench.reports(SERIAL, report(1, 0, running, None));
        bench.wait(patience - 1);
        assert_eq!(bench.links().len(), 1);
        bench.wait(1);
        assert_eq!(bench.links()[1], (false, "/dev/ttyUSB0".into(), "silence".into()));
        bench.reports(SERIAL, report(2, patience, running, None));
        assert_eq!(bench.links()[2], (true, "/dev/ttyUSB0".into(), "back".into()));
        // the first status after it is passed on, though it confirms what was reckoned
        assert!(bench.inputs().iter().any(|input| matches!(input, Input::Report(o) if o.report.seq == 2)));
    }
}

#[test]
fn live_data_beats_the_will() {
    let mut bench = Bench::new();
    bench.hear(Heard::Will { line: BROKER, clock: clock(), online: true });
    assert_eq!(bench.links(), [], "a retained word makes no clock");
    bench.reports(BROKER, boot());
    bench.hear(Heard::Will { line: BROKER, clock: clock(), online: false });
    bench.wait(100);
    bench.reports(BROKER, report(2, 100, None, None));
    let causes: Vec<_> = bench.links().into_iter().map(|(online, _, cause)| (online, cause)).collect();
    assert_eq!(causes, [(true, "first".into()), (false, "will".into()), (true, "back".into())]);
}

#[test]
fn a_clock_moves_between_lines_and_its_old_line_no_longer_speaks_for_it() {
    let mut bench = Bench::new();
    bench.reports(BROKER, boot());
    bench.reports(SERIAL, report(2, 10, None, None));
    bench.hear(Heard::LineDown { line: BROKER, cause: "broker gone".into() });
    bench.hear(Heard::Will { line: BROKER, clock: clock(), online: false });
    assert_eq!(bench.links().len(), 1);
    bench.order(Action::Stop, false);
    assert_eq!(bench.out.send.last().unwrap().line, SERIAL);
    bench.hear(Heard::LineDown { line: SERIAL, cause: "unplugged".into() });
    assert_eq!(bench.links()[1], (false, "/dev/ttyUSB0".into(), "unplugged".into()));
}

#[test]
fn what_fell_due_before_something_was_heard_is_done_before_it() {
    let mut bench = Bench::new();
    bench.reports(SERIAL, report(1, 0, Some(Side::Left), None));
    bench.now = bench.now + 5_000;
    bench.reports(SERIAL, report(2, 5_000, Some(Side::Left), None));
    let causes: Vec<_> = bench.links().into_iter().map(|(_, _, cause)| cause).collect();
    assert_eq!(causes, ["first", "silence", "back"]);
    let at: Vec<_> = bench.out.records.iter().map(|record| record.at).collect();
    assert!(at.is_sorted());
}

#[test]
fn a_daemon_that_slept_blames_no_clock() {
    let mut bench = Bench::new();
    bench.reports(SERIAL, report(1, 0, Some(Side::Left), None));
    bench.wait(1_000);
    bench.now = bench.now + 600_000;
    bench.reports(SERIAL, report(2, 601_000, Some(Side::Left), None));
    assert!(bench.links().iter().all(|(online, _, _)| *online), "nobody is said to be away");
    let slept = bench
        .inputs()
        .iter()
        .any(|input| matches!(input, Input::Restarted { unobserved_ms } if *unobserved_ms > 500_000));
    assert!(slept, "silence that nobody listened to shows nothing");
}

#[test]
fn faults_of_one_kind_do_not_flood() {
    let mut bench = Bench::new();
    for _ in 0..500 {
        let message = "port /dev/ttyUSB0: no report".into();
        bench.hear(Heard::Fault { clock: None, kind: "malformed", message });
        bench.wait(20);
    }
    let faults = bench.inputs().iter().filter(|input| matches!(input, Input::Fault { .. })).count();
    assert_eq!(faults, 1);
}

#[test]
fn two_devices_with_one_name_do_not_flood() {
    let mut bench = Bench::new();
    for n in 1..=200_u32 {
        bench.reports(SERIAL, report(n, u64::from(n) * 50, None, None));
        let other = ClockReport { boot: 7, left_ms: 1_000_000, ..report(n, u64::from(n) * 50, None, None) };
        bench.reports(SERIAL, other);
        bench.wait(50);
    }
    assert!(bench.inputs().len() < 60, "{}", bench.inputs().len());
}

#[test]
fn a_repeat_of_a_request_gets_the_first_answer_also_after_a_restart() {
    let mut bench = Bench::new();
    let params = json!({"board": "1", "request_id": "r-1"});
    let first = bench.ask_as(Role::Viewer, "board.stop", params.clone()).unwrap();
    assert_eq!(first.as_ref().unwrap_err().code, Refused::ROLE);
    assert_eq!(bench.ask_as(Role::Viewer, "board.stop", params.clone()), Some(first.clone()));
    assert_eq!(bench.refused(), 1, "the repeat is not recorded");
    let other = bench.ask_as(Role::Arbiter, "board.stop", params.clone()).unwrap();
    assert_eq!(other.unwrap_err().code, Refused::PARAMS);
    let mut back = bench.restarted(Venue(60_000));
    assert_eq!(back.ask_as(Role::Viewer, "board.stop", params), Some(first));
}

#[test]
fn an_answer_of_the_rules_is_kept_and_given_to_all_who_asked() {
    let mut bench = Bench::new();
    let who = Who { name: "Chief".into(), role: Role::Chief };
    let params = json!({"round": 1, "request_id": "r-2"});
    let ask = Ask::parse("round.prepare", Some(params.clone())).unwrap();
    let no = bench.hall.requests.open(Some(AskId(77)), &who, &ask);
    assert_eq!(bench.ask_as(Role::Chief, "round.prepare", params.clone()), None, "it waits with the first");
    let answer = Ok(json!({"tables": []}));
    let outcome = Outcome { answers: vec![(no, answer.clone())], ..Outcome::default() };
    bench.hall.follow(bench.now, outcome, false, &mut VecDeque::new(), &mut bench.out);
    assert_eq!(bench.out.answers, [(AskId(77), answer.clone()), (AskId(1), answer.clone())]);
    assert_eq!(bench.restarted(Venue(9_000)).ask_as(Role::Chief, "round.prepare", params), Some(answer));
}

#[test]
fn refusals_are_recorded_so_many_a_second_and_all_answered() {
    let mut bench = Bench::new();
    for _ in 0..100 {
        assert!(bench.ask_as(Role::Viewer, "board.stop", json!({"board": "1"})).unwrap().is_err());
    }
    assert_eq!(bench.refused(), 20);
    bench.wait(1_000);
    bench.ask_as(Role::Viewer, "board.stop", json!({"board": "1"}));
    assert_eq!(bench.refused(), 21);
}

#[test]
fn while_the_journal_cannot_be_written_only_a_stop_goes_on_and_at_once() {
    let mut bench = Bench::new();
    bench.reports(SERIAL, report(1, 0, Some(Side::Left), None));
    bench.hear(Heard::Journal(Some("disk full".into())));
    let params = json!({"board": "1", "request_id": "r-3"});
    let busy = bench.ask_as(Role::Chief, "board.resume", params.clone()).unwrap().unwrap_err();
    assert_eq!(busy.code, Refused::BUSY);
    assert!(busy.message.contains("disk full"));
    let before = bench.asked();
    bench.ask_as(Role::Arbiter, "board.stop", json!({"board": "1"}));
    assert_eq!(bench.asked(), before + 1);
    assert!(bench.out.urgent.iter().any(|send| send.command.action == Action::Stop));
    assert!(!bench.out.send.iter().any(|send| send.command.action == Action::Stop));
    bench.wait(11_000);
    bench.out.urgent.clear();
    bench.order(Action::Identify, true);
    assert_eq!(bench.out.urgent, [], "only a stop");
    bench.order(Action::Stop, true);
    bench.wait(12_000);
    assert!(bench.out.urgent.iter().any(|send| send.command.action == Action::Stop));
    bench.hear(Heard::Journal(None));
    bench.ask_as(Role::Chief, "board.resume", params);
    assert_eq!(bench.asked(), before + 2, "asked again it is tried");
    let told =
        |ok| bench.inputs().iter().any(|input| matches!(input, Input::Journal { ok: is } if *is == ok));
    assert!(told(false) && told(true));
}

#[test]
fn command_numbers_rise_over_restarts_and_what_was_open_has_expired() {
    let mut bench = Bench::new();
    bench.reports(SERIAL, report(1, 0, Some(Side::Left), None));
    bench.order(Action::Stop, false);
    let last = bench.out.send.iter().map(|send| send.command.command).max().unwrap();
    let mut back = bench.restarted(Venue(5_000));
    let expired = back.inputs().iter().any(
        |input| matches!(input, Input::Command { state: CommandState::Expired, command, .. } if *command <= last),
    );
    assert!(expired);
    back.hear(Heard::LineUp { line: SERIAL, name: "/dev/ttyUSB0".into() });
    back.reports(SERIAL, report(2, 5_000, Some(Side::Left), None));
    back.order(Action::Stop, false);
    let next = back
        .out
        .send
        .iter()
        .filter(|send| send.command.action == Action::Stop)
        .map(|send| send.command.command);
    assert!(next.min().unwrap() > last + RESTART_NUMBERS - 1);
}

#[test]
fn wall_time_is_told_anew_when_it_steps_and_each_hour() {
    let mut bench = Bench::new();
    let anchors =
        |bench: &Bench| bench.inputs().iter().filter(|input| matches!(input, Input::Anchor { .. })).count();
    bench.hear(Heard::Wall(bench.hall.rules.wall(bench.now)));
    assert_eq!(anchors(&bench), 1);
    let stepped = Wall(bench.hall.rules.wall(bench.now).0 + 10_800_000);
    bench.hear(Heard::Wall(stepped));
    assert_eq!(anchors(&bench), 2);
    assert!(
        bench
            .inputs()
            .iter()
            .any(|input| matches!(input, Input::Fault { kind, .. } if kind == "wall_clock_step"))
    );
    bench.wait(3_600_000);
    bench.hear(Heard::Wall(bench.hall.rules.wall(bench.now)));
    assert_eq!(anchors(&bench), 3);
}

#[test]
fn a_journal_decided_again_comes_out_the_same() {
    let mut bench = Bench::new();
    bench.reports(SERIAL, boot());
    bench.reports(
        SERIAL,
        report(
            2,
            0,
            Some(Side::Left),
            Some(ClockEvent::Start { side: Side::Left, by: flagfall_clock::By::Button }),
        ),
    );
    for second in 1..30_u32 {
        bench.wait(1_000);
        bench.reports(SERIAL, report(2 + second, u64::from(second) * 1_000, Some(Side::Left), None));
    }
    bench.ask_as(Role::Viewer, "board.stop", json!({"board": "1"}));
    bench.ask_as(Role::Arbiter, "board.stop", json!({"board": "1"}));
    bench.wait(60_000);
    let records = || bench.out.records.iter().map(|r| (r.at, r.kind, r.seq, r.body.clone()));
    let report = replay(records()).unwrap();
    assert_eq!(report.differences, []);
    assert!(report.inputs > 30);
    // a decision nobody made
    let forged = (bench.now, "decision", Some(1), r#"{"tell":{"seq":1}}"#.to_owned());
    let report = replay(records().chain([forged])).unwrap();
    assert_eq!(report.different, 1);
    assert_eq!(report.differences[0].record, bench.out.records.len() as u64 + 1);
}

#[test]
fn a_journal_that_cannot_be_read_names_the_record() {
    let bench = Bench::new();
    let records = bench.out.records.iter().map(|r| (r.at, r.kind, r.seq, r.body.clone()));
    let broken = records.chain([(Venue(9), "input", None, "{".to_owned())]);
    let error = Hall::recover(broken).unwrap_err().to_string();
    assert!(error.starts_with(&format!("record {} of the journal", bench.out.records.len() + 1)), "{error}");
    let empty = Hall::recover(std::iter::empty::<(Venue, &str, Option<u64>, &str)>());
    assert!(matches!(empty, Err(RecoverError::NoSetup { records: 0 })));
}

#[test]
fn a_board_that_somebody_changed_since_is_left_as_it_is() {
    let mut bench = Bench::new();
    bench.reports(SERIAL, report(1, 0, Some(Side::Left), None));
    let seen = bench.hall.rules.head();
    bench.ask_as(Role::Arbiter, "board.stop", json!({"board": "1"})).unwrap().unwrap();
    let conflict = bench.ask_as(Role::Chief, "board.resume", json!({"board": "1", "seen": seen}));
    let conflict = conflict.unwrap().unwrap_err();
    assert_eq!(conflict.code, Refused::CONFLICT);
    let followed = conflict.data.unwrap()["followed"].clone();
    assert_eq!(followed[0]["type"], "request");
    // also by the board's number, and after a restart
    let mut back = bench.restarted(Venue(60_000));
    let again = back.ask_as(Role::Chief, "board.resume", json!({"board": 1, "seen": seen}));
    assert_eq!(again.unwrap().unwrap_err().code, Refused::CONFLICT);
    let head = back.hall.rules.head();
    let now = back.ask_as(Role::Chief, "board.stop", json!({"board": "1", "seen": head}));
    assert!(!matches!(now, Some(Err(refused)) if refused.code == Refused::CONFLICT));
}
