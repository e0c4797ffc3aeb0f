//! What the clock says and when: statuses, numbers, replay, acknowledgement.

use crate::bench::{BASE, Bench, LEFT, RIGHT};
use flagfall_clock::{Action, ClockCommand, ClockEvent, ClockReport, Refusal};
use flagfall_firmware::Input;

fn seqs(reports: &[ClockReport]) -> Vec<u32> {
    reports.iter().map(|report| report.seq).collect()
}

#[test]
fn it_comes_up_with_boot_and_says_what_it_is() {
    let bench = Bench::new();
    let boot = &bench.reports[0];
    let Some(ClockEvent::Boot(about)) = &boot.event else { panic!("{boot:?}") };
    assert!(about.firmware.starts_with("flagfall "));
    assert_eq!((about.restored, about.resolution_ms), (false, 1));
    assert_eq!((boot.clock.as_str(), boot.boot, boot.seq, boot.events), ("A01", 3, 1, Some(1)));
    assert_eq!((boot.left_ms, boot.right_ms, boot.running, boot.flag), (BASE, BASE, None, Some(None)));
}

#[test]
fn a_status_every_5_s_and_every_second_while_a_side_runs() {
    let mut bench = Bench::new();
    bench.run_to(12_000);
    let at: Vec<_> = bench.reports.iter().map(|report| report.uptime_ms).collect();
    assert_eq!(at, [0, 5_000, 10_000]);
    bench.button(12_500);
    bench.hush();
    bench.run_to(15_000);
    bench.press(15_200, LEFT);
    bench.run_to(17_000);
    let said: Vec<_> =
        bench.reports.iter().map(|r| (r.uptime_ms, r.left_ms - BASE, r.right_ms - BASE)).collect();
    assert_eq!(
        said,
        [(13_500, -1_000, 0), (14_500, -2_000, 0), (15_200, 12_300, 0), (16_200, 12_300, -1_000),]
    );
}

#[test]
fn reports_are_counted_without_holes_and_events_among_them() {
    let mut bench = Bench::new();
    bench.button(1_000);
    for move_ in 0..50 {
        bench.press(10_000 + move_ * 5_300, if move_ % 2 == 0 { LEFT } else { RIGHT });
    }
    let mut events = 0;
    for (place, report) in bench.reports.iter().enumerate() {
        events += u32::from(report.event.is_some());
        assert_eq!((report.seq as usize, report.events), (place + 1, Some(events)));
    }
    assert!(events < bench.last().seq);
}

#[test]
fn statuses_nobody_fetches_are_merged_and_events_stay() {
    let mut bench = Bench::new();
    bench.hush();
    bench.clock.input(1_000, Input::StopButton { down: true });
    for at in 2..600 {
        bench.clock.poll(at * 1_000);
    }
    bench.collect();
    let (events, statuses): (Vec<_>, Vec<_>) =
        bench.reports.iter().partition(|report| report.event.is_some());
    assert_eq!(events.len(), 1);
    assert_eq!(statuses.len(), 16);
    assert_eq!(bench.last().uptime_ms, 599_000);
    assert!(seqs(&bench.reports).is_sorted());
}

#[test]
fn a_clock_not_looked_at_for_ages_is_soon_up_to_date() {
    let mut bench = Bench::new();
    bench.clock.poll(u64::MAX);
    bench.collect();
    assert!(bench.reports.len() < 40);
    assert!(bench.clock.next_deadline() > bench.last().uptime_ms);
    bench.clock.input(u64::MAX, Input::StopButton { down: true });
    bench.clock.poll(0);
}

#[test]
fn events_are_sent_again_as_first_sent_and_then_the_answer() {
    let mut bench = Bench::new();
    bench.button(1_000);
    for move_ in 0..10 {
        bench.press(10_000 + move_ * 5_000, if move_ % 2 == 0 { LEFT } else { RIGHT });
    }
    let events: Vec<_> = bench.reports.iter().filter(|report| report.event.is_some()).cloned().collect();
    bench.hush();
    let from_seq = events[3].seq;
    bench.command(60_100, Action::Replay { boot: 3, from_seq }).unwrap();
    let first = bench.reports.iter().position(|report| report.event.is_some()).unwrap();
    assert_eq!(bench.reports[first..first + 9], events[3..]);
    assert_eq!(bench.reports.len(), first + 10);
}

#[test]
fn sixty_four_events_are_kept_and_what_is_lost_is_said() {
    let mut bench = Bench::new();
    for press in 0..100 {
        bench.press(1_000 + press * 200, LEFT);
    }
    let events: Vec<_> = bench.reports.iter().filter(|report| report.event.is_some()).cloned().collect();
    assert_eq!(events.len(), 101);
    bench.hush();
    let oldest = events[101 - 63].seq;
    // The answer is the 64th.
    bench.command(30_000, Action::Replay { boot: 3, from_seq: oldest }).unwrap();
    let again: Vec<_> = bench.reports.iter().filter(|r| r.event.is_some()).cloned().collect();
    assert_eq!(again[..63], events[101 - 63..]);
    bench.hush();
    let answer = bench.command(31_000, Action::Replay { boot: 3, from_seq: 1 });
    assert_eq!(answer, Err(Refusal::Gone));
    let again = bench.reports.iter().filter(|r| r.event.is_some()).count();
    assert_eq!(again, 64, "what is left is sent all the same");
    assert_eq!(bench.command(32_000, Action::Replay { boot: 2, from_seq: 1 }), Err(Refusal::Gone));
}

#[test]
fn events_nobody_fetches_stay_up_to_64_and_the_hole_shows() {
    let mut bench = Bench::new();
    bench.hush();
    for press in 0..200 {
        bench.clock.input(1_000 + press * 100, Input::Lever { side: LEFT, down: press % 2 == 0 });
    }
    bench.clock.poll(30_000);
    bench.collect();
    bench.reports.retain(|report| report.event.is_some());
    let counts: Vec<_> = bench.reports.iter().map(|report| report.events.unwrap()).collect();
    // Boot is the first event, then a press with each second edge.
    assert_eq!(counts, (38..=101).collect::<Vec<_>>());
}

#[test]
fn what_was_never_sent_is_not_sent_twice() {
    let mut bench = Bench::new();
    bench.button(1_000);
    bench.clock.input(2_000, Input::Lever { side: LEFT, down: true });
    let action = Action::Replay { boot: 3, from_seq: 1 };
    let command =
        ClockCommand { clock: "A01".parse().unwrap(), command: 1, boot: 3, until_ms: 9_000, action };
    bench.clock.input(2_100, Input::Command(command));
    bench.hush();
    bench.collect();
    let presses = bench.events().iter().filter(|event| matches!(event, ClockEvent::Press { .. })).count();
    assert_eq!(presses, 1);
}

#[test]
fn an_ack_has_no_answer_and_counts_what_is_durable() {
    let mut bench = Bench::new();
    for press in 0..4 {
        bench.press(1_000 + press * 200, LEFT);
    }
    assert_eq!(bench.clock.unacked(), 5);
    let seq = bench.reports[2].seq;
    let said = bench.reports.len();
    for boot in [2, 3] {
        let action = Action::Ack { boot, seq };
        let command =
            ClockCommand { clock: "A01".parse().unwrap(), command: 0, boot: 0, until_ms: 0, action };
        bench.input(2_000, Input::Command(command));
        assert_eq!(bench.clock.unacked(), if boot == 3 { 2 } else { 5 });
    }
    assert_eq!(bench.reports.len(), said);
    bench.command(2_500, Action::Replay { boot: 3, from_seq: 1 }).unwrap();
}
