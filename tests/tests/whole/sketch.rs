//! The worked example of docs/hardware/arduino.md, compiled for this host: a stranger's clock, in another language, that
//! shares nothing with ours but the page it was written from. In lock step it is held against the firmware, to the
//! millisecond; on a pseudo terminal a real daemon plays a round on it ([`hall`]).

mod hall;

use flagfall_clock::{
    About, Accept, Action, Check, ClockCommand, ClockEvent, ClockReport, Encoding, FlagAt, Refusal, SetTimes,
    Side, SideTimes, StopButton, TimeControl, decode_report, line_command,
};
use flagfall_firmware::{Clock, Input, Settings};
use flagfall_tests::lines::crc32;
use flagfall_tests::program::workspace;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The pins of its left lever, right lever and stop button, and of the left light.
const PINS: [u8; 3] = [25, 26, 27];
const LEFT_LIGHT: u8 = 32;

fn name() -> flagfall_clock::ClockId {
    "A01".parse().unwrap()
}

/// Compiles the sketch into a folder. With the sanitizers a read or write beside a buffer ends it.
fn compile(folder: &Path) -> std::path::PathBuf {
    let program = folder.join("sketch");
    let output = Command::new("g++")
        .args(["-std=c++11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined"])
        .args(["-fno-sanitize-recover=all", "-I", "tests/sketch", "-x", "c++"])
        .arg("docs/hardware/esp32/flagfall_clock/flagfall_clock.ino")
        .arg("-o")
        .arg(&program)
        .current_dir(workspace())
        .output()
        .expect("g++ is there: tests/run brings it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// The sketch in lock step: time passes by [`Bench::run`] alone.
struct Bench {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    now: u64,
    boot: u32,
    command: u32,
    /// What it wrote, line by line, and the rows of its displays.
    lines: Vec<String>,
    shown: [[u8; 8]; 2],
    _folder: tempfile::TempDir,
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = compile(folder.path());
        Self::of(&program, folder)
    }

    fn of(program: &Path, folder: tempfile::TempDir) -> Self {
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut bench = Self {
            child,
            stdin,
            stdout,
            now: 0,
            boot: 0,
            command: 0,
            lines: Vec::new(),
            shown: [[0; 8]; 2],
            _folder: folder,
        };
        bench.run(20);
        bench.boot = bench.reports()[0].boot;
        bench
    }

    fn tell(&mut self, word: &str) {
        writeln!(self.stdin, "{word}").expect("the sketch runs");
    }

    fn pin(&mut self, contact: usize, down: bool) {
        self.tell(&format!("pin {} {}", PINS[contact], u8::from(!down)));
    }

    fn run(&mut self, until: u64) {
        self.now = self.now.max(until);
        self.tell(&format!("run {}", self.now));
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).unwrap() > 0, "the sketch ended");
            let words: Vec<&str> = line.trim_end().splitn(2, ' ').collect();
            match words[..] {
                ["ok"] => return,
                ["tx", line] => self.lines.push(line.to_owned()),
                ["shown", row] => {
                    let row: Vec<&str> = row.split(' ').collect();
                    let place: usize = row[0].parse().unwrap();
                    for side in 0..2 {
                        self.shown[side][place - 1] = u8::from_str_radix(row[side + 1], 16).unwrap();
                    }
                }
                _ => {}
            }
        }
    }

    fn pass(&mut self, ms: u64) {
        self.run(self.now + ms);
    }

    fn press(&mut self, contact: usize) {
        self.pin(contact, true);
        self.pass(50);
        self.pin(contact, false);
        self.pass(50);
    }

    fn send(&mut self, command: u32, boot: u32, until_ms: u64, action: Action) {
        let command = ClockCommand { clock: name(), command, boot, until_ms, action };
        let mut line = [0; 1_024];
        let count = line_command(&command, Encoding::Json, Check::Crc, &mut line).unwrap();
        self.tell(&format!("feed {}", std::str::from_utf8(&line[..count]).unwrap().trim_end()));
    }

    fn order(&mut self, action: Action) {
        self.command += 1;
        self.send(self.command, self.boot, self.now + 1_000, action);
    }

    /// What it answers to the command of this number.
    fn answer(&mut self, number: u32) -> Result<(), Refusal> {
        let from = self.lines.len();
        for _ in 0..10 {
            self.pass(20);
            for report in &self.reports()[from..] {
                match report.event {
                    Some(ClockEvent::Done { command, error, .. }) if command == number => {
                        return error.map_or(Ok(()), Err);
                    }
                    _ => {}
                }
            }
        }
        panic!("no answer, but {:?}", &self.lines[from..]);
    }

    fn obey(&mut self, action: Action) -> Result<(), Refusal> {
        self.order(action);
        self.answer(self.command)
    }

    /// Everything it said, read as the daemon reads it.
    fn reports(&self) -> Vec<ClockReport> {
        let read = |line: &String| {
            decode_report(line.as_bytes(), Encoding::Json, &Accept::CHECKED)
                .unwrap_or_else(|error| panic!("{error}: {line}"))
        };
        self.lines.iter().map(read).collect()
    }

    fn last(&self) -> ClockReport {
        self.reports().pop().expect("it said something")
    }

    /// What a side's display shows, as text.
    fn text(&self, side: usize) -> String {
        let sign = |row: u8| match row & 0x7f {
            0 => ' ',
            0x47 => 'F',
            0x01 => '-',
            other => {
                let digits = [0x7e, 0x30, 0x6d, 0x79, 0x33, 0x5b, 0x5f, 0x70, 0x7f, 0x7b];
                let digit = digits.iter().position(|digit| *digit == other).expect("a digit");
                char::from_digit(digit as u32, 10).unwrap()
            }
        };
        let mut text = String::new();
        for row in self.shown[side].iter().rev() {
            text.push(sign(*row));
            if row & 0x80 != 0 {
                text.push('.');
            }
        }
        text
    }
}

fn fischer(base_ms: u32, increment_ms: u32) -> Action {
    configure(TimeControl::fischer(base_ms, increment_ms))
}

const fn configure(time_control: TimeControl) -> Action {
    Action::Configure { time_control, first_side: Side::Left, stop_button: StopButton::On }
}

#[test]
fn a_sketch_hears_what_is_a_line_and_nothing_else() {
    let mut bench = Bench::new();
    assert_eq!(bench.obey(Action::Describe), Ok(()));
    let about = |can| About {
        firmware: "flagfall-arduino 1".try_into().unwrap(),
        resolution_ms: 1,
        restored: false,
        can,
    };
    let expected = ClockEvent::About(about(Some(flagfall_clock::Can::ALL)));
    assert!(bench.reports().iter().any(|report| report.event.as_ref() == Some(&expected)));

    let heard = bench.lines.len();
    let good = json!({"clock": "A01", "command": 900, "boot": bench.boot, "until_ms": 99_999, "do": {"type": "stop"}});
    let with_check = |text: &str| {
        format!("{},\"crc\":\"{:08x}\"}}", &text[..text.len() - 1], crc32(&text.as_bytes()[..text.len() - 1]))
    };
    let line = with_check(&good.to_string());
    let deep = "[".repeat(500);
    for bad in [
        good.to_string(),
        line.replace("900", "901"),
        line[1..].to_owned(),
        line[..line.len() - 1].to_owned(),
        format!("{line} "),
        format!("noise{line}"),
        with_check(&good.to_string().replace("A01", "A02")),
        with_check("{\"clock\":\"A01\",\"do\":{\"type\":\"stop\"}}"),
        with_check(
            "{\"clock\":\"A01\",\"clock\":\"A01\",\"command\":1,\"boot\":1,\"until_ms\":1,\"do\":{\"type\":\"stop\"}}",
        ),
        with_check(
            "{\"clock\":\"A01\",\"command\":1.5,\"boot\":1,\"until_ms\":1,\"do\":{\"type\":\"stop\"}}",
        ),
        with_check(&format!("{{\"x\":{deep},\"clock\":\"A01\"}}")),
        with_check("{\"clock\":\"A01\",\"do\":\"}"),
        with_check("{}"),
        "x".repeat(5_000),
        String::new(),
        "\u{fffd}\u{1}{{{\"".into(),
    ] {
        bench.tell(&format!("feed {bad}"));
        bench.pass(20);
    }
    let said: Vec<_> = bench.lines[heard..]
        .iter()
        .filter(|line| line.contains("event"))
        .filter(|line| line.contains("\"event\":"))
        .collect();
    assert!(said.is_empty(), "{said:?}");
    // And after all that it listens: members in another order, numbers written otherwise, what it does not know.
    let odd = format!(
        "{{ \"do\" : {{\"more\":[{{}}, null],\"number\":4.2e1,\"type\":\"show\"}},\"until_ms\":999990e-1,\"x\":\"}}\\\"\",\"boot\":{},\"command\":900, \"clock\":\"A01\"}}",
        bench.boot
    );
    bench.tell(&format!("feed {}\r", with_check(&odd)));
    assert_eq!(bench.answer(900), Ok(()));
    assert_eq!((bench.text(0).trim(), bench.text(1).trim()), ("42", "42"));
}

#[test]
fn a_sketch_refuses_what_it_cannot_do_and_does_each_command_once() {
    let mut bench = Bench::new();
    let control = |kind| TimeControl::new(kind, 60_000, 0);
    let unable = [
        configure(control(flagfall_clock::Kind::Byoyomi)),
        configure(control(flagfall_clock::Kind::SuddenDeath)),
    ];
    for action in unable {
        assert_eq!(bench.obey(action.clone()), Err(Refusal::Unable), "{action:?}");
    }
    for (action, refusal) in [
        (fischer(359_999_001, 0), Refusal::Range),
        (Action::Adjust { left_delta_ms: 359_999_000, right_delta_ms: 0 }, Refusal::Range),
        (Action::Stop, Refusal::Stopped),
        (Action::Resume, Refusal::Stopped),
        (Action::Replay { boot: bench.boot.wrapping_add(1), from_seq: 1 }, Refusal::Gone),
    ] {
        assert_eq!(bench.obey(action.clone()), Err(refusal), "{action:?}");
    }
    assert_eq!(bench.obey(fischer(10_000, 0)), Ok(()));
    assert_eq!(bench.obey(Action::Start { side: Side::Left }), Ok(()));
    for (action, refusal) in [
        (fischer(1, 0), Refusal::InGame),
        (Action::Adjust { left_delta_ms: 1, right_delta_ms: 0 }, Refusal::Running),
        (Action::Start { side: Side::Left }, Refusal::Running),
        (Action::Identify, Refusal::Running),
        (Action::Show { number: 1 }, Refusal::Running),
    ] {
        assert_eq!(bench.obey(action.clone()), Err(refusal), "{action:?}");
    }
    let (boot, now) = (bench.boot, bench.now);
    bench.send(100, boot, now - 1, Action::Stop);
    assert_eq!(bench.answer(100), Err(Refusal::Expired));
    bench.send(101, boot.wrapping_add(1), now + 1_000, Action::Stop);
    assert_eq!(bench.answer(101), Err(Refusal::Boot));
    bench.send(99, boot, now + 1_000, Action::Stop);
    assert_eq!(bench.answer(99), Err(Refusal::Gone));

    bench.send(102, boot, now + 1_000, Action::Stop);
    assert_eq!(bench.answer(102), Ok(()));
    let done = bench.lines.iter().rfind(|line| line.contains("\"done\"")).unwrap().clone();
    let (stopped, heard) = (bench.last(), bench.lines.len());
    bench.send(102, boot, now + 1_000, Action::Stop);
    bench.pass(20);
    assert_eq!(bench.lines[heard..], [done], "the same report again, and nothing more happened");
    assert_eq!(bench.last().left_ms, stopped.left_ms);

    // Enough for the oldest to be forgotten, then everything that is still known.
    for _ in 0..40 {
        bench.command = bench.command.max(102);
        assert_eq!(bench.obey(Action::Describe), Ok(()));
    }
    let first = bench.lines.clone();
    let heard = bench.lines.len();
    assert_eq!(bench.obey(Action::Replay { boot, from_seq: 1 }), Err(Refusal::Gone));
    let mut again = bench.lines[heard..].to_vec();
    again.pop();
    assert_eq!(again.len(), 63, "the answer took one's place");
    let events: Vec<_> = first.iter().filter(|line| line.contains("\"event\":")).collect();
    assert!(again.iter().eq(events[events.len() - 63..].iter().copied()), "as first sent");
    let from_seq = bench.last().seq - 3;
    let heard = bench.lines.len();
    assert_eq!(bench.obey(Action::Replay { boot, from_seq }), Ok(()));
    assert!(
        bench.reports()[heard..]
            .iter()
            .take(2)
            .all(|report| report.seq >= from_seq && report.event.is_some())
    );
}

#[test]
fn a_sketch_shows_the_times_the_flag_and_the_table() {
    let mut bench = Bench::new();
    let shown = |bench: &Bench| [bench.text(0).trim().to_owned(), bench.text(1).trim().to_owned()];
    assert_eq!(shown(&bench), ["50.00", "50.00"]);
    bench.obey(fischer(3_723_000, 0)).unwrap();
    assert_eq!(shown(&bench), ["1.02.03", "1.02.03"]);
    bench
        .obey(Action::SetTimes(SetTimes {
            left_ms: 21_000,
            right_ms: 359_999_000,
            left_presses: None,
            right_presses: None,
        }))
        .unwrap();
    assert_eq!(shown(&bench), ["0.21", "99.59.59"]);
    bench.press(1);
    assert_eq!(bench.text(1), "- 99.59.59", "a sign that he is there");
    bench.press(1);
    bench.pass(1_500);
    assert!(bench.text(0).trim().starts_with("0.19."), "{}", bench.text(0));
    bench.pass(30_000);
    assert_eq!(shown(&bench)[0], "F    0.00");
    assert_eq!(bench.obey(Action::Resume), Err(Refusal::Flag));
}

/// What happens to a clock.
#[derive(Clone, Debug)]
enum Act {
    Contact { which: usize, down: bool },
    Order(Action),
}

fn acts() -> impl Strategy<Value = Vec<(u64, Act)>> {
    let control = (
        prop_oneof![0_u32..40_000, Just(3_000_000)],
        0_u32..6_000,
        any::<[bool; 3]>(),
        proptest::option::of(0_u32..60_000),
        proptest::option::of((0_u32..30_000, 0_u32..3_000)),
    )
        .prop_map(|(base, increment, [early, below, freeze], cap_ms, odds)| TimeControl {
            increment_on_first_move: early,
            flag_at: if below { FlagAt::BelowZero } else { FlagAt::Zero },
            freeze_on_flag: freeze,
            cap_ms,
            second: odds.map(|(base_ms, increment_ms)| SideTimes { base_ms, increment_ms }),
            ..TimeControl::fischer(base, increment)
        });
    let side = prop_oneof![Just(Side::Left), Just(Side::Right)];
    let button = prop_oneof![Just(StopButton::On), Just(StopButton::Off), Just(StopButton::EndOnly)];
    let count = proptest::option::of(0_u32..5);
    let order = prop_oneof![
        3 => (control, side.clone(), button).prop_map(|(time_control, first_side, stop_button)| Action::Configure {
            time_control, first_side, stop_button
        }),
        2 => (-3_000_i64..9_000, -3_000_i64..9_000, count.clone(), count).prop_map(
            |(left_ms, right_ms, left_presses, right_presses)| Action::SetTimes(SetTimes { left_ms, right_ms, left_presses, right_presses })
        ),
        1 => (-9_000_i64..9_000, -9_000_i64..9_000).prop_map(|(left_delta_ms, right_delta_ms)| Action::Adjust { left_delta_ms, right_delta_ms }),
        2 => side.prop_map(|side| Action::Start { side }),
        1 => Just(Action::Stop),
        2 => Just(Action::Resume),
        1 => Just(Action::Describe),
    ];
    let act = prop_oneof![
        8 => (prop_oneof![4 => 0_usize..2, 1 => Just(2)], any::<bool>()).prop_map(|(which, down)| Act::Contact { which, down }),
        2 => order.prop_map(Act::Order),
    ];
    let gap = prop_oneof![3 => 1_u64..9, 3 => 9_u64..200, 3 => 200_u64..3_000, 1 => 3_000_u64..20_000];
    proptest::collection::vec((gap, act), 1..80)
}

/// The event of a report, and all that both clocks know beside it.
fn told(report: &ClockReport) -> Option<ClockReport> {
    let mut report = report.clone();
    (report.boot, report.seq, report.battery_pct, report.periods) = (0, 0, None, None);
    match report.event.as_mut()? {
        ClockEvent::Boot(about) | ClockEvent::About(about) => about.firmware.clear(),
        _ => {}
    }
    Some(report)
}

#[test]
fn a_sketch_does_what_the_firmware_does() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile(folder.path());
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(48);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let ran = TestRunner::new(config).run(&acts(), |acts| {
        let mut bench = Bench::of(&program, tempfile::tempdir().unwrap());
        let mut clock = Clock::new(Settings::new(name(), bench.boot), 0);
        let (mut said, mut ordered) = (Vec::new(), 0);
        let mut run = |clock: &mut Clock, at: u64| {
            while clock.next_deadline() < at {
                clock.poll(clock.next_deadline());
                said.extend(std::iter::from_fn(|| clock.next_report()));
            }
        };
        for (gap, act) in acts {
            let at = bench.now + gap;
            bench.run(at);
            run(&mut clock, at);
            match act {
                Act::Contact { which, down } => {
                    bench.pin(which, down);
                    clock.input(
                        at,
                        match which {
                            0 => Input::Lever { side: Side::Left, down },
                            1 => Input::Lever { side: Side::Right, down },
                            _ => Input::StopButton { down },
                        },
                    );
                }
                // It reads one line at a time, and a line waits for an edge that is not decided: up to 20 ms.
                Act::Order(action) if at > ordered + 40 => {
                    ordered = at;
                    bench.order(action.clone());
                    let command = ClockCommand {
                        clock: name(),
                        command: bench.command,
                        boot: bench.boot,
                        until_ms: at + 1_000,
                        action,
                    };
                    clock.input(at, Input::Command(command));
                }
                Act::Order(_) => {}
            }
        }
        bench.pass(15_000);
        run(&mut clock, bench.now);
        let ours: Vec<_> = said.iter().filter_map(told).collect();
        let theirs: Vec<_> = bench.reports().iter().filter_map(told).collect();
        for (ours, theirs) in ours.iter().zip(&theirs) {
            prop_assert_eq!(ours, theirs);
        }
        prop_assert_eq!(ours.len(), theirs.len());
        Ok(())
    });
    ran.unwrap_or_else(|failed| panic!("{failed}"));
}
