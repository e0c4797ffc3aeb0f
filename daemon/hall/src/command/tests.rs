//! Commands in virtual time.

use super::*;
use flagfall_clock::{About, ClockEvent, ClockReport, Refusal, SetTimes, Side, TimeControl};
use rstest::rstest;

fn report(seq: u32, uptime_ms: u64, running: Option<Side>) -> ClockReport {
    ClockReport {
        clock: "A01".parse().unwrap(),
        boot: 3,
        seq,
        events: None,
        uptime_ms,
        left_ms: 3_000_000,
        right_ms: 3_000_000,
        running,
        left_presses: 0,
        right_presses: 0,
        flag: None,
        stopped_by: None,
        battery_pct: None,
        periods: None,
        event: None,
    }
}

struct Bench {
    session: Session,
    commands: Commands,
    now: Venue,
    steps: Vec<Step>,
    seq: u32,
}

impl Bench {
    /// A clock heard at 50,000 ms, its uptime 20,000 ms then, its left side running.
    fn new() -> Self {
        let mut bench = Self {
            session: Session::new("A01".parse().unwrap()),
            commands: Commands::new("A01".parse().unwrap()),
            now: Venue(50_000),
            steps: Vec::new(),
            seq: 0,
        };
        bench.hear(report(0, 20_000, Some(Side::Left)));
        bench
    }

    /// A report that a stop, a start and the like explain.
    fn hear(&mut self, mut report: ClockReport) {
        self.seq += 1;
        report.seq = self.seq;
        report.event = Some(ClockEvent::Unknown);
        self.session.take(self.now, report, false, &mut Vec::new());
        self.commands.heard(self.now, &mut self.session, &mut self.steps);
    }

    fn order(&mut self, action: Action) {
        self.batch(vec![action]);
    }

    fn batch(&mut self, actions: Vec<Action>) {
        self.commands.order(self.now, actions, false, &mut self.session, &mut self.steps);
    }

    /// What became last of commands of this name.
    fn became(&self, name: &str) -> Option<CommandState> {
        self.steps.iter().rev().find_map(|step| match step {
            Step::Tell { action, state, .. } if action.name() == name => Some(*state),
            _ => None,
        })
    }

    fn wait(&mut self, ms: u64) {
        let end = self.now + ms;
        while let Some(due) = self.commands.next_deadline().filter(|due| *due <= end) {
            self.now = due;
            self.commands.due(due, &mut self.session, &mut self.steps);
        }
        self.now = end;
    }

    fn done(&mut self, command: u32, ok: bool, error: Option<Refusal>) {
        self.commands.done(self.now, (command, ok, error), &mut self.session, &mut self.steps);
    }

    fn told(&self) -> Vec<(u32, CommandState)> {
        self.steps
            .iter()
            .filter_map(|step| match step {
                Step::Tell { command, state, .. } => Some((*command, *state)),
                _ => None,
            })
            .collect()
    }

    fn sent(&self) -> Vec<ClockCommand> {
        self.steps
            .iter()
            .filter_map(|step| match step {
                Step::Send { command, .. } => Some(command.clone()),
                _ => None,
            })
            .collect()
    }
}

#[test]
fn a_command_is_repeated_each_second_as_it_was_and_expires_after_ten() {
    let mut bench = Bench::new();
    bench.now = bench.now + 500;
    bench.order(Action::Stop);
    bench.wait(30_000);
    let sent = bench.sent();
    assert_eq!(sent.len(), 10);
    assert!(sent.iter().all(|command| *command == sent[0]));
    assert_eq!((sent[0].boot, sent[0].until_ms), (3, 30_500));
    assert_eq!(bench.told(), [(1, CommandState::Sent), (1, CommandState::Expired)]);
}

#[test]
fn the_state_proves_the_effect_without_a_word() {
    let mut bench = Bench::new();
    bench.order(Action::Stop);
    bench.hear(report(0, 21_000, Some(Side::Left)));
    assert!(bench.commands.busy());
    bench.hear(report(0, 22_000, None));
    assert_eq!(bench.told().last(), Some(&(1, CommandState::Done)));
    assert_eq!(bench.commands.next_deadline(), None);
}

#[test]
fn a_word_that_the_state_contradicts_proves_nothing() {
    let mut bench = Bench::new();
    bench.order(Action::Stop);
    bench.done(1, true, None);
    assert_eq!(bench.told(), [(1, CommandState::Sent)]);
    bench.wait(20_000);
    assert_eq!(bench.told(), [(1, CommandState::Sent), (1, CommandState::Expired)]);
    assert_eq!(bench.sent().len(), 1, "it is not sent again once the clock says done");
}

#[rstest]
#[case(Some(Refusal::InGame), CommandState::Refused)]
#[case(None, CommandState::Refused)]
#[case(Some(Refusal::Expired), CommandState::Expired)]
fn a_refusal_is_told(#[case] error: Option<Refusal>, #[case] state: CommandState) {
    let mut bench = Bench::new();
    bench.order(Action::Stop);
    bench.done(1, false, error);
    assert_eq!(bench.told(), [(1, CommandState::Sent), (1, state)]);
}

#[test]
fn one_is_open_at_a_time_and_the_rest_wait_in_order() {
    let mut bench = Bench::new();
    bench.order(Action::Stop);
    bench.order(Action::Identify);
    bench.order(Action::Stop);
    assert_eq!(bench.sent().len(), 1, "the same again is one");
    bench.hear(report(0, 21_000, None));
    bench.done(2, true, None);
    let wanted =
        [(1, CommandState::Sent), (1, CommandState::Done), (2, CommandState::Sent), (2, CommandState::Done)];
    assert_eq!(bench.told(), wanted);
}

#[test]
fn a_stop_does_not_wait_for_a_clock_that_never_answers_something_else() {
    let mut bench = Bench::new();
    bench.order(Action::Identify);
    bench.order(Action::Show { number: 1 });
    bench.wait(100);
    bench.order(Action::Stop);
    bench.wait(2_000);
    assert_eq!(bench.sent().last().map(|command| command.action.clone()), Some(Action::Stop));
    bench.hear(report(0, 23_000, None));
    assert!(bench.sent().is_sorted_by_key(|command| command.command), "a clock refuses what was overtaken");
    assert_eq!(bench.sent().last().map(|command| command.action.clone()), Some(Action::Show { number: 1 }));
    assert!(bench.told().contains(&(1, CommandState::Expired)));
}

#[test]
fn the_same_adjustment_twice_is_two() {
    let mut bench = Bench::new();
    let adjust = Action::Adjust { left_delta_ms: -300_000, right_delta_ms: 0 };
    bench.order(adjust.clone());
    bench.order(adjust);
    bench.hear(ClockReport { left_ms: 2_700_000, ..report(0, 20_000, None) });
    bench.hear(ClockReport { left_ms: 2_400_000, ..report(0, 20_000, None) });
    assert_eq!(bench.told().iter().filter(|(_, state)| *state == CommandState::Done).count(), 2);
}

#[test]
fn only_so_many_wait() {
    let mut bench = Bench::new();
    for number in 0..40 {
        bench.order(Action::Show { number });
    }
    let refused = bench.told().iter().filter(|(_, state)| *state == CommandState::Refused).count();
    assert_eq!(refused, 40 - 1 - MOST_WAITING);
    bench.wait(20_000);
    let expired = bench.told().iter().filter(|(_, state)| *state == CommandState::Expired).count();
    assert_eq!(expired, 1 + MOST_WAITING, "none of them is kept for later");
    assert!(!bench.commands.busy());
}

#[test]
fn another_boot_ends_a_command() {
    let mut bench = Bench::new();
    bench.order(Action::Resume);
    bench.order(Action::Identify);
    bench.hear(ClockReport { boot: 4, ..report(0, 1_000, None) });
    let expired = bench.told().iter().filter(|(_, state)| *state == CommandState::Expired).count();
    assert_eq!(expired, 2);
}

#[test]
fn what_a_clock_cannot_is_for_a_person() {
    let mut bench = Bench::new();
    bench.commands.can(Some(Can::none().with("stop")));
    bench.order(Action::SetTimes(SetTimes {
        left_ms: 1,
        right_ms: 1,
        left_presses: None,
        right_presses: None,
    }));
    assert_eq!(bench.told(), [(1, CommandState::ByHand)]);
    assert_eq!(bench.sent(), []);
}

#[test]
fn nobody_waits_for_a_question_of_ours_and_nobody_is_told_of_it() {
    let mut bench = Bench::new();
    let replay = Action::Replay { boot: 3, from_seq: 7 };
    bench.commands.ask(bench.now, replay.clone(), &mut bench.session, &mut bench.steps);
    bench.order(Action::Stop);
    bench.hear(report(0, 21_000, None));
    let actions: Vec<(u32, Action)> =
        bench.sent().into_iter().map(|command| (command.command, command.action)).collect();
    assert_eq!(actions, [(1, replay.clone()), (2, Action::Stop), (3, replay)]);
    assert_eq!(bench.told(), [(2, CommandState::Sent), (2, CommandState::Done)]);
    bench.commands.replay_over(bench.now, &mut bench.session, &mut bench.steps);
    assert!(!bench.commands.busy());
}

#[test]
fn a_setting_is_done_when_the_clock_says_so_and_shows_it() {
    let mut bench = Bench::new();
    bench.hear(report(0, 20_500, None));
    let time_control = TimeControl::fischer(3_000_000, 15_000);
    bench.order(Action::Configure { time_control, first_side: Side::Left, stop_button: Default::default() });
    bench.hear(report(0, 21_000, None));
    assert!(bench.commands.busy(), "it showed these times before");
    bench.done(1, true, None);
    assert_eq!(bench.told().last(), Some(&(1, CommandState::Done)));
}

#[test]
fn about_tells_what_it_can() {
    let about = About { can: None, ..About::default() };
    let mut commands = Commands::new("A01".parse().unwrap());
    commands.can(about.can);
    assert_eq!(commands.can, None, "a clock that never said is taken to can everything");
}

/// A game set from the beginning, as `board.start` orders it.
fn anew(left_ms: i64) -> Vec<Action> {
    let time_control = TimeControl::fischer(3_000_000, 15_000);
    let set = SetTimes { left_ms, right_ms: left_ms, left_presses: Some(0), right_presses: Some(0) };
    vec![
        Action::Configure { time_control, first_side: Side::Left, stop_button: Default::default() },
        Action::SetTimes(set),
        Action::Start { side: Side::Left },
    ]
}

#[rstest]
#[case::refused(Some(Refusal::InGame))]
#[case::unanswered(None)]
fn a_batch_whose_first_step_fails_expires_whole(#[case] refusal: Option<Refusal>) {
    let mut bench = Bench::new();
    bench.hear(report(0, 20_500, None));
    bench.batch(anew(2_000_000));
    match refusal {
        Some(refusal) => bench.done(1, false, Some(refusal)),
        None => bench.wait(10_000),
    }
    assert_eq!(bench.became("set_times"), Some(CommandState::Expired));
    assert_eq!(bench.became("start"), Some(CommandState::Expired));
    assert!(bench.sent().iter().all(|command| command.action.name() == "configure"), "nothing more is sent");
    assert!(!bench.commands.busy());
}

#[test]
fn a_batch_that_a_stop_pushes_aside_expires_whole_and_the_stop_goes_out() {
    let mut bench = Bench::new();
    bench.hear(report(0, 20_500, None));
    bench.batch(anew(2_000_000));
    bench.order(Action::Stop);
    bench.wait(2_000);
    assert_eq!(bench.became("set_times"), Some(CommandState::Expired));
    assert_eq!(bench.became("start"), Some(CommandState::Expired));
    assert_eq!(bench.sent().last().map(|command| command.action.clone()), Some(Action::Stop));
}

#[test]
fn what_a_clock_cannot_of_a_batch_is_for_a_person_and_the_rest_is_not_done() {
    let mut bench = Bench::new();
    bench.hear(report(0, 20_500, None));
    bench.commands.can(Some(Can::none().with("start").with("stop")));
    bench.batch(anew(2_000_000));
    assert_eq!(bench.became("configure"), Some(CommandState::ByHand));
    assert_eq!(bench.became("set_times"), Some(CommandState::ByHand), "a person reads the times there");
    assert_eq!(bench.became("start"), Some(CommandState::Expired));
    assert_eq!(bench.sent(), []);
}

#[test]
fn the_same_batch_twice_is_one_and_another_takes_its_place() {
    let mut bench = Bench::new();
    bench.hear(report(0, 20_500, None));
    bench.batch(anew(2_000_000));
    bench.batch(anew(2_000_000));
    assert_eq!(bench.told(), [(1, CommandState::Sent)]);
    // other times: what was to follow on the old ones does not
    bench.batch(anew(1_000_000));
    bench.hear(report(0, 21_000, None));
    bench.done(1, true, None);
    let second = bench.sent().last().cloned().unwrap();
    assert_eq!(second.action.name(), "configure");
    bench.done(second.command, true, None);
    bench.hear(ClockReport { left_ms: 1_000_000, right_ms: 1_000_000, ..report(0, 21_500, None) });
    let sent: Vec<Action> = bench.sent().into_iter().map(|command| command.action).collect();
    let wanted = [&anew(2_000_000)[..1], &anew(1_000_000)].concat();
    assert_eq!(sent, wanted, "never the times of the first with the start of the second");
}
