//! Time per observation in the rules: a press on one of 48 boards, told as an event.

use criterion::{Criterion, criterion_group, criterion_main};
use flagfall_arbiter::Wall;
use flagfall_clock::{By, ClockEvent, ClockReport, Side};
use flagfall_rules::{
    BoardSetup, Input, Mode, Observation, Outcome, PlayerSetup, Regulations, RoundSetup, Rules, Setup,
    StartBy, TableSetup, Variant, Venue,
};

fn setup() -> Setup {
    Setup {
        event: "bench".into(),
        timezone: None,
        variant: Variant::Xiangqi,
        regulations: Regulations::default(),
        start_by: StartBy::Players,
        mode: Mode::Act,
        clocks: vec![],
        tables: (1..=48)
            .map(|n| TableSetup { number: n, clock: format!("C{n}").parse().ok(), first_side: Side::Left })
            .collect(),
        teams: vec![],
        rounds: vec![RoundSetup {
            number: 1,
            planned: None,
            boards: (1..=48)
                .map(|n| BoardSetup {
                    board: n.to_string(),
                    table: Some(n),
                    clock: None,
                    first_side: None,
                    match_no: None,
                    first: PlayerSetup::default(),
                    second: PlayerSetup::default(),
                })
                .collect(),
        }],
    }
}

fn report(n: u32, seq: u32, now: u64, event: ClockEvent) -> Input {
    let side = if seq % 2 == 1 { Side::Left } else { Side::Right };
    Input::Report(Box::new(Observation {
        report: ClockReport {
            clock: format!("C{n}").parse().unwrap(),
            boot: 1,
            seq,
            events: Some(seq),
            uptime_ms: now,
            left_ms: 2_000_000,
            right_ms: 2_000_000,
            running: Some(side),
            left_presses: seq / 2,
            right_presses: (seq - 1) / 2,
            flag: Some(None),
            stopped_by: None,
            battery_pct: Some(90),
            periods: None,
            event: Some(event),
        },
        happened: Venue(now),
        bound_ms: 20,
        live: true,
        off_ms: Some(0),
    }))
}

fn observation(c: &mut Criterion) {
    let mut rules = Rules::new(setup());
    let mut out = Outcome::default();
    rules.handle(Venue(0), &Input::Anchor { wall: Wall(0) }, &mut out);
    rules.handle(Venue(0), &Input::Setup(Box::new(setup())), &mut out);
    for n in 1..=48 {
        rules.handle(
            Venue(0),
            &report(n, 1, 0, ClockEvent::Start { side: Side::Left, by: By::Button }),
            &mut out,
        );
    }
    let inputs: Vec<Input> = (2..200u32)
        .flat_map(|seq| {
            let side = if seq % 2 == 0 { Side::Left } else { Side::Right };
            (1..=48).map(move |n| report(n, seq, u64::from(seq) * 1_000, ClockEvent::Press { side }))
        })
        .collect();
    let mut next = inputs.iter().cycle();
    c.bench_function("a press on one of 48 boards", |b| {
        b.iter(|| {
            out.decisions.clear();
            if let Some(input) = next.next() {
                rules.handle(Venue(200_000), input, &mut out);
            }
            out.decisions.len()
        });
    });
}

criterion_group!(benches, observation);
criterion_main!(benches);
