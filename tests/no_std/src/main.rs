//! The exit status is 0 if both encodings make their round trip, and the clock itself plays a move and reports it,
//! without std and without alloc.
#![no_std]
#![no_main]

use core::panic::PanicInfo;
use flagfall_clock::{
    Accept, Check, ClockEvent, ClockReport, Encoding, Key, Lexer, MAX_LINE, Message, Side, line_report,
};
use flagfall_firmware::{Clock, Input, Settings};

#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: abort has no conditions
    unsafe { abort() }
}

/// core as delivered names the function that unwinds; with panic = "abort" nothing calls it.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

fn report() -> Option<ClockReport> {
    Some(ClockReport {
        clock: "A01".parse().ok()?,
        boot: 3,
        seq: 118,
        events: Some(41),
        uptime_ms: 912_345,
        left_ms: 2_715_000,
        right_ms: 2_988_123,
        running: Some(Side::Right),
        left_presses: 4,
        right_presses: 3,
        flag: Some(None),
        stopped_by: None,
        battery_pct: Some(87),
        periods: None,
        event: Some(ClockEvent::Press { side: Side::Left }),
    })
}

fn round_trip(encoding: Encoding) -> Option<bool> {
    let report = report()?;
    let key = Key::new(&[7; 32]).ok()?;
    let mut line = [0; MAX_LINE];
    let len = line_report(&report, encoding, Check::Seal(&key), &mut line).ok()?;
    let mut lexer: Lexer = Lexer::new();
    let received = lexer.next(&mut &line[..len], &Accept::sealed(&key))?.ok()?;
    Some(received.message == Message::Report(report))
}

/// Red is started, thinks for 20 s and presses: 50:00 less 20 s and 15 s more, and Black's time runs.
fn a_move() -> Option<bool> {
    let mut clock = Clock::new(Settings::new("A01".parse().ok()?, 3), 0);
    clock.input(1_000, Input::StopButton { down: true });
    clock.poll(1_050);
    let started = clock.running() == Some(Side::Left);
    clock.input(1_100, Input::StopButton { down: false });
    clock.input(21_000, Input::Lever { side: Side::Left, down: true });
    clock.poll(21_050);
    let mut pressed = false;
    while let Some(report) = clock.next_report() {
        let mut line = [0; MAX_LINE];
        let len = line_report(&report, Encoding::Binary, Check::Crc, &mut line).ok()?;
        let received = Lexer::<1024>::new().next(&mut &line[..len], &Accept::CHECKED)?.ok()?;
        pressed |= report.event == Some(ClockEvent::Press { side: Side::Left })
            && report.left_ms == 2_995_000
            && received.message == Message::Report(report);
    }
    Some(started && pressed && clock.running() == Some(Side::Right))
}

#[unsafe(no_mangle)]
extern "C" fn main(_: i32, _: *const *const u8) -> i32 {
    let both = [Encoding::Json, Encoding::Binary].map(round_trip);
    i32::from(both != [Some(true); 2] || a_move() != Some(true))
}
