//! What happens at a table again and again: a game is set, started, and moves are made.

use flagfall_clock::{Action, ClockEvent, ClockReport, Encoding, Side, StopButton, TimeControl};
use flagfall_tests::pico::clock::{PicoClock, identity};
use flagfall_tests::pico::{Contact, Options, firmware};

/// A clock that says JSON, has no key, and is plugged so.
pub fn clock(options: &Options) -> PicoClock {
    PicoClock::named(&firmware(options.display), options, &identity(Encoding::Json, None))
}

pub fn lever(side: Side) -> Contact {
    match side {
        Side::Left => Contact::Left,
        Side::Right => Contact::Right,
    }
}

/// Sets a game: the first player on the left.
pub fn set(clock: &mut PicoClock, time_control: TimeControl) {
    let configure = Action::Configure { time_control, first_side: Side::Left, stop_button: StopButton::On };
    clock.order(configure).expect("a clock that stands can be set");
}

/// A game by the regulations: 50:00 and 15 s.
pub fn usual() -> TimeControl {
    TimeControl::fischer(3_000_000, 15_000)
}

/// Starts the game with the button; the instant of its edge.
pub fn start(clock: &mut PicoClock) -> u64 {
    let (at, from) = (clock.now(), clock.said.len());
    clock.push(Contact::Stop);
    clock.heard_from(from, "the start", started);
    at
}

/// A move of this side, told; the instant of its edge.
pub fn make_move(clock: &mut PicoClock, side: Side) -> u64 {
    let (at, from) = (clock.now(), clock.said.len());
    clock.push(lever(side));
    clock.heard_from(from, "a move", |report| report.event == Some(ClockEvent::Press { side }));
    at
}

fn started(report: &ClockReport) -> bool {
    matches!(report.event, Some(ClockEvent::Start { .. } | ClockEvent::Resume { .. }))
}

/// Closes a lever as a hand does: the contact bounces for some milliseconds, `edges` times; then it is let go.
pub fn bounce(clock: &mut PicoClock, side: Side, edges: u64) {
    for edge in 0..edges {
        clock.pico.press(lever(side), edge % 2 == 0);
        clock.pass(137 + edge * 61);
    }
    clock.pico.press(lever(side), true);
    clock.pass(80_000);
    clock.pico.press(lever(side), false);
}

/// The moves that were told, in order: side, and the clock's own time in milliseconds.
pub fn moves(clock: &PicoClock) -> Vec<(Side, u64)> {
    let press = |report: &ClockReport| match report.event {
        Some(ClockEvent::Press { side }) => Some((side, report.uptime_ms)),
        _ => None,
    };
    clock.said.iter().filter_map(|said| press(&said.report)).collect()
}
