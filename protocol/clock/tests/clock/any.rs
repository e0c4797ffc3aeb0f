//! Any message, and any JSON that a message of a later version may hold.

use flagfall_clock::{
    About, Action, By, Can, Check, Claim, ClockCommand, ClockEvent, ClockId, ClockReport, Encoding, FlagAt,
    Key, Kind, MAX_PERIODS, MAX_TIME_MS, Message, Period, Periods, PeriodsAt, Refusal, SetTimes, Side,
    SideTimes, StopButton, TimeControl,
};
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value};

pub fn key() -> Key {
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f".parse().unwrap()
}

pub fn clock() -> impl Strategy<Value = ClockId> {
    "[A-Za-z0-9._-]{1,16}".prop_map(|text| text.parse().unwrap())
}

pub fn side() -> impl Strategy<Value = Side> {
    select(vec![Side::Left, Side::Right])
}

fn by() -> impl Strategy<Value = By> {
    select(vec![By::Button, By::ArbiterKey, By::Command, By::Power, By::Unknown])
}

fn ms() -> impl Strategy<Value = i64> {
    prop_oneof![
        -MAX_TIME_MS..=MAX_TIME_MS,
        select(vec![0, -1, 1, MAX_TIME_MS, -MAX_TIME_MS, 3_599_999, 3_600_000, 36_000_000]),
    ]
}

fn given() -> impl Strategy<Value = u32> {
    prop_oneof![0..=MAX_TIME_MS as u32, select(vec![0, 15_000, 3_000_000, MAX_TIME_MS as u32])]
}

fn number() -> impl Strategy<Value = u32> {
    prop_oneof![any::<u32>(), 0..300_u32, Just(u32::MAX)]
}

fn about() -> impl Strategy<Value = About> {
    (any::<String>(), any::<bool>(), number(), of(0..=u16::MAX)).prop_map(
        |(text, restored, resolution_ms, can)| {
            let mut firmware = heapless::String::new();
            for c in text.chars() {
                if firmware.push(c).is_err() {
                    break;
                }
            }
            About { firmware, restored, resolution_ms, can: can.map(Can::from_bits) }
        },
    )
}

fn refusal() -> impl Strategy<Value = Refusal> {
    select(vec![
        Refusal::Expired,
        Refusal::Boot,
        Refusal::Running,
        Refusal::Stopped,
        Refusal::InGame,
        Refusal::Flag,
        Refusal::Range,
        Refusal::Unable,
        Refusal::Gone,
        Refusal::Other,
    ])
}

pub fn event() -> impl Strategy<Value = ClockEvent> {
    prop_oneof![
        about().prop_map(ClockEvent::Boot),
        about().prop_map(ClockEvent::About),
        side().prop_map(|side| ClockEvent::Ready { side }),
        (side(), by()).prop_map(|(side, by)| ClockEvent::Start { side, by }),
        side().prop_map(|side| ClockEvent::Press { side }),
        side().prop_map(|side| ClockEvent::IgnoredPress { side }),
        by().prop_map(|by| ClockEvent::Stop { by }),
        by().prop_map(|by| ClockEvent::Resume { by }),
        by().prop_map(|by| ClockEvent::Adjust { by }),
        by().prop_map(|by| ClockEvent::Reset { by }),
        Just(ClockEvent::IgnoredStop),
        (of(select(vec![Claim::First, Claim::Second, Claim::Draw])), any::<bool>())
            .prop_map(|(claim, agreed)| ClockEvent::Over { claim, agreed }),
        side().prop_map(|side| ClockEvent::Flag { side }),
        side().prop_map(|side| ClockEvent::Period { side }),
        Just(ClockEvent::BatteryLow),
        (number(), any::<bool>(), of(refusal())).prop_map(|(command, ok, error)| ClockEvent::Done {
            command,
            ok,
            error
        }),
        Just(ClockEvent::Unknown),
    ]
}

pub fn report() -> impl Strategy<Value = ClockReport> {
    let counted = (clock(), number(), number(), of(number()), any::<u64>());
    let shown = (ms(), ms(), of(side()), number(), number());
    let more = (of(of(side())), of(by()), of(0..=100_u8), of((1..=255_u8, 1..=255_u8)), of(event()));
    (counted, shown, more).prop_map(
        |(
            (clock, boot, seq, events, uptime_ms),
            (left_ms, right_ms, running, left_presses, right_presses),
            (flag, stopped_by, battery_pct, periods, event),
        )| ClockReport {
            clock,
            boot,
            seq,
            events,
            uptime_ms,
            left_ms,
            right_ms,
            running,
            left_presses,
            right_presses,
            flag,
            stopped_by,
            battery_pct,
            periods,
            event,
        },
    )
}

fn times() -> impl Strategy<Value = SideTimes> {
    (given(), given()).prop_map(|(base_ms, increment_ms)| SideTimes { base_ms, increment_ms })
}

fn plain_control() -> impl Strategy<Value = TimeControl> {
    (
        times(),
        any::<bool>(),
        select(vec![FlagAt::Zero, FlagAt::BelowZero]),
        any::<bool>(),
        of(times()),
        of(times()),
    )
        .prop_map(|(own, increment_on_first_move, flag_at, freeze_on_flag, first, second)| TimeControl {
            increment_on_first_move,
            flag_at,
            freeze_on_flag,
            first,
            second,
            ..TimeControl::fischer(own.base_ms, own.increment_ms)
        })
}

fn kind() -> impl Strategy<Value = Kind> {
    select(Kind::ALL.to_vec())
}

fn count() -> impl Strategy<Value = u16> {
    prop_oneof![Just(0), 1..50_u16, any::<u16>()]
}

fn period() -> impl Strategy<Value = Period> {
    (count(), given(), given()).prop_map(|(moves, base_ms, increment_ms)| Period {
        moves,
        base_ms,
        increment_ms,
    })
}

/// A control with everything that a clock of the first firmware did not know.
fn full_control() -> impl Strategy<Value = TimeControl> {
    let overtime = (of(given()), prop_oneof![Just(0), given()], count());
    let periods = (
        count(),
        proptest::collection::vec(period(), 0..=MAX_PERIODS),
        select(vec![PeriodsAt::Moves, PeriodsAt::Zero]),
        any::<bool>(),
    );
    (plain_control(), kind(), overtime, periods).prop_map(
        |(plain, kind, (cap_ms, overtime_ms, overtime_count), (moves, periods, periods_at, repeat))| {
            TimeControl {
                kind,
                cap_ms,
                overtime_ms,
                overtime_count,
                moves,
                periods: Periods::of(&periods).unwrap(),
                periods_at,
                repeat,
                ..plain
            }
        },
    )
}

fn control() -> impl Strategy<Value = TimeControl> {
    prop_oneof![plain_control(), full_control()]
}

pub fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        (control(), side(), select(vec![StopButton::On, StopButton::Off, StopButton::EndOnly])).prop_map(
            |(time_control, first_side, stop_button)| Action::Configure {
                time_control,
                first_side,
                stop_button
            }
        ),
        (ms(), ms(), of(number()), of(number())).prop_map(
            |(left_ms, right_ms, left_presses, right_presses)| {
                Action::SetTimes(SetTimes { left_ms, right_ms, left_presses, right_presses })
            }
        ),
        (ms(), ms())
            .prop_map(|(left_delta_ms, right_delta_ms)| Action::Adjust { left_delta_ms, right_delta_ms }),
        side().prop_map(|side| Action::Start { side }),
        Just(Action::Stop),
        Just(Action::Resume),
        Just(Action::Identify),
        (0..=9999_u16).prop_map(|number| Action::Show { number }),
        Just(Action::Describe),
        (number(), number()).prop_map(|(boot, from_seq)| Action::Replay { boot, from_seq }),
        (number(), number()).prop_map(|(boot, seq)| Action::Ack { boot, seq }),
        Just(Action::Unknown),
    ]
}

pub fn command() -> impl Strategy<Value = ClockCommand> {
    (clock(), number(), number(), any::<u64>(), action()).prop_map(
        |(clock, command, boot, until_ms, action)| match action {
            Action::Ack { .. } => ClockCommand { clock, command: 0, boot: 0, until_ms: 0, action },
            _ => ClockCommand { clock, command, boot, until_ms, action },
        },
    )
}

pub fn message() -> impl Strategy<Value = Message> {
    prop_oneof![report().prop_map(Message::Report), command().prop_map(Message::Command)]
}

pub fn encoding() -> impl Strategy<Value = Encoding> {
    select(vec![Encoding::Json, Encoding::Binary])
}

/// The message as a payload.
pub fn payload(message: &Message, encoding: Encoding, check: Check<'_>) -> Vec<u8> {
    let mut out = [0; flagfall_clock::MAX_MESSAGE];
    let len = flagfall_clock::encode(message, encoding, check, &mut out).unwrap();
    out[..len].to_vec()
}

/// Any JSON value: text with anything in it, fractions, exponents, nesting.
pub fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[\\\\\"/{}\\[\\],:\n\u{7f}]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}
