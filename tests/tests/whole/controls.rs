//! The clock's own time controls and the checking model, written apart, held against each other: random
//! controls, presses, stops, times set and changed, to the millisecond. And what holds for both.

use flagfall_clock::{
    Action, ClockCommand, ClockId, FlagAt, Kind, Period, Periods, PeriodsAt, Player, SetTimes, Side,
    SideTimes, TimeControl,
};
use flagfall_firmware::{Clock, Input, Settings, Setup};
use flagfall_rules::control::Course;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// How long a lever stays down, and a little more.
const HELD_MS: u64 = 120;

fn name() -> ClockId {
    "A01".parse().unwrap()
}

/// A clock and what the model says of it.
struct Pair {
    clock: Clock,
    course: Course,
    now: u64,
    command: u32,
    done: Vec<String>,
}

impl Pair {
    fn new(control: TimeControl) -> Option<Self> {
        let setup = Setup { control, ..Setup::default() };
        if !setup.in_range() {
            return None;
        }
        let clock = Clock::new(Settings { setup, ..Settings::new(name(), 1) }, 0);
        Some(Self { clock, course: Course::new(&control), now: 0, command: 0, done: Vec::new() })
    }

    fn pass(&mut self, ms: u64) {
        let until = self.now + ms;
        while self.clock.next_deadline() <= until {
            self.clock.poll(self.clock.next_deadline());
            while self.clock.next_report().is_some() {}
        }
        self.clock.poll(until);
        while self.clock.next_report().is_some() {}
        self.now = until;
        self.course.pass(ms);
    }

    fn command(&mut self, action: Action) {
        self.command += 1;
        let (command, until_ms) = (self.command, self.now + 1_000);
        self.clock.input(
            self.now,
            Input::Command(ClockCommand { clock: name(), command, boot: 1, until_ms, action }),
        );
        self.clock.poll(self.now);
    }

    /// A lever goes down now and up again.
    fn lever(&mut self, player: Player) {
        let side = player.side(Side::Left);
        self.clock.input(self.now, Input::Lever { side, down: true });
        self.course.press(player);
        self.pass(HELD_MS - 20);
        self.clock.input(self.now, Input::Lever { side, down: false });
        self.pass(20);
    }

    fn deed(&mut self, deed: &Deed) {
        self.done.push(format!("{deed:?} at {}", self.now));
        match *deed {
            Deed::Think(ms) => {
                self.pass(ms);
                if let Some(player) = self.course.running() {
                    self.lever(player);
                }
            }
            Deed::Nearly(ms) => {
                // to the last milliseconds of the flag, one way or the other
                if let Some(falls) = self.course.falls_in().filter(|falls| *falls < 10_000_000) {
                    self.pass((falls + ms).saturating_sub(3));
                    if let Some(player) = self.course.turn() {
                        self.lever(player);
                    }
                }
            }
            Deed::Vain(ms) => {
                self.pass(ms);
                if let Some(player) = self.course.turn() {
                    self.lever(player.other());
                }
            }
            Deed::Stand(ms, change, ref deltas) => {
                self.pass(ms);
                if self.course.running().is_none() || self.course.flag().is_some() {
                    return;
                }
                self.command(Action::Stop);
                self.course.stop();
                self.pass(ms / 2 + 1);
                let [first, second] = *deltas;
                match change {
                    Some(true) => {
                        let ms = self.course.ms();
                        let (left_ms, right_ms) = (ms[0] + first, ms[1] + second);
                        let none = None;
                        self.command(Action::SetTimes(SetTimes {
                            left_ms,
                            right_ms,
                            left_presses: none,
                            right_presses: none,
                        }));
                        self.course.set([left_ms, right_ms]);
                    }
                    Some(false) => {
                        self.command(Action::Adjust { left_delta_ms: first, right_delta_ms: second });
                        self.course.adjust([first, second]);
                    }
                    None => {}
                }
                self.agree();
                self.command(Action::Resume);
                self.course.resume();
            }
        }
    }

    fn agree(&self) {
        let side = |player: Player| player.side(Side::Left);
        let clock = Player::BOTH.map(|player| self.clock.remaining_ms(side(player), self.now));
        let moves = Player::BOTH.map(|player| self.clock.presses(side(player)));
        let running = self.clock.running().map(|side| Player::at(side, Side::Left));
        let flag = self.clock.flag().map(|side| Player::at(side, Side::Left));
        assert_eq!(
            (clock, running, flag, moves),
            (self.course.ms(), self.course.running(), self.course.flag(), self.course.moves()),
            "the clock and the model at {} after {:#?}",
            self.now,
            self.done
        );
    }
}

/// What happens at the board.
#[derive(Clone, Debug)]
enum Deed {
    /// The side to move thinks so long and presses.
    Think(u64),
    /// It presses three milliseconds before its flag, and so much later.
    Nearly(u64),
    /// The side that waits presses.
    Vain(u64),
    /// The clock is stopped, perhaps set (`true`) or changed by so much, and resumed.
    Stand(u64, Option<bool>, [i64; 2]),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let change = (-9_000_i64..9_000, -9_000_i64..9_000).prop_map(|(first, second)| [first, second]);
    let one = prop_oneof![
        8 => (0_u64..20_000).prop_map(Deed::Think),
        2 => (0_u64..800).prop_map(Deed::Think),
        1 => (0_u64..6).prop_map(Deed::Nearly),
        1 => (0_u64..5_000).prop_map(Deed::Vain),
        1 => (0_u64..5_000, proptest::option::of(any::<bool>()), change)
            .prop_map(|(ms, set, deltas)| Deed::Stand(ms, set, deltas)),
    ];
    proptest::collection::vec(one, 1..40)
}

fn controls() -> impl Strategy<Value = TimeControl> {
    let kind = prop_oneof![
        3 => Just(Kind::Fischer),
        1 => Just(Kind::SuddenDeath),
        1 => Just(Kind::Bronstein),
        1 => Just(Kind::Delay),
        1 => Just(Kind::Byoyomi),
        1 => Just(Kind::Canadian),
        1 => Just(Kind::Hourglass),
        1 => Just(Kind::PerMove),
        1 => Just(Kind::Gong),
        1 => Just(Kind::UpCount),
    ];
    let times =
        (0_u32..90_000, 0_u32..9_000).prop_map(|(base_ms, increment_ms)| SideTimes { base_ms, increment_ms });
    let period = (0_u16..5, 1_u32..40_000, 0_u32..9_000).prop_map(|(moves, base_ms, increment_ms)| Period {
        moves,
        base_ms,
        increment_ms,
    });
    let parts = (
        (kind, 1_u32..90_000, 0_u32..9_000, any::<[bool; 4]>()),
        (proptest::option::of(times), proptest::option::of(1_000_u32..90_000)),
        (1_u32..40_000, 1_u16..6),
        (0_u16..6, proptest::collection::vec(period, 0..4), any::<bool>(), any::<bool>()),
    );
    parts.prop_map(
        |((kind, base, increment, [first_move, below, freeze, odds]), (times, cap), over, periods)| {
            let (moves, list, zero, repeat) = periods;
            let plain = TimeControl::new(kind, base, increment);
            let periodic = matches!(kind, Kind::Fischer | Kind::SuddenDeath | Kind::Bronstein | Kind::Delay);
            let overtime = matches!(kind, Kind::Byoyomi | Kind::Canadian);
            let list = if periodic { list } else { Vec::new() };
            TimeControl {
                increment_on_first_move: first_move && kind == Kind::Fischer,
                flag_at: if below { FlagAt::BelowZero } else { FlagAt::Zero },
                freeze_on_flag: freeze,
                first: times.filter(|_| odds),
                second: times.filter(|_| !odds),
                cap_ms: cap.filter(|_| kind == Kind::Fischer),
                overtime_ms: if overtime { over.0 } else { 0 },
                overtime_count: if overtime { over.1 } else { 0 },
                moves: if list.is_empty() || zero { 0 } else { moves },
                repeat: repeat && !list.is_empty(),
                periods: Periods::of(&list).unwrap(),
                periods_at: if zero && !list.is_empty() { PeriodsAt::Zero } else { PeriodsAt::Moves },
                ..plain
            }
        },
    )
}

/// Plays random deeds under random controls; `look` is called after each. Gives how many games were played.
fn games(cases: u32, look: impl Fn(&Pair, &Deed)) -> u32 {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let played = std::cell::Cell::new(0_u32);
    let run = TestRunner::new(config).run(&(controls(), deeds()), |(control, deeds)| {
        let Some(mut pair) = Pair::new(control) else { return Ok(()) };
        played.set(played.get() + 1);
        pair.pass(1_000);
        pair.command(Action::Start { side: Side::Left });
        pair.course.start(Player::First);
        for deed in &deeds {
            pair.deed(deed);
            look(&pair, deed);
        }
        Ok(())
    });
    run.unwrap_or_else(|failed| panic!("{failed}"));
    played.get()
}

#[test]
fn the_clock_and_the_model_agree_to_the_millisecond_under_any_control() {
    let played = games(8_000, |pair, _| pair.agree());
    assert!(played > 6_000, "only {played} of the controls can be played");
}

/// What a side was granted by the periods it has completed by its moves, in milliseconds: each period's base,
/// and the increment of each of its moves.
fn granted(control: &TimeControl, player: Player, moves: u32) -> i64 {
    let own = control.of(player);
    let (mut quota, mut increment) = (u32::from(control.moves), i64::from(own.increment_ms));
    let mut list = control.periods.as_slice().iter().peekable();
    let (mut sum, mut done) = (i64::from(own.base_ms), 0);
    for _ in 0..moves {
        done += 1;
        sum += if control.kind == Kind::Fischer { increment } else { 0 };
        if quota > 0 && done == quota {
            let next = if control.repeat && list.len() == 1 { list.peek().copied() } else { list.next() };
            if let Some(next) = next {
                (quota, increment, done) = (u32::from(next.moves), i64::from(next.increment_ms), 0);
                sum += i64::from(next.base_ms);
            }
        }
    }
    sum
}

/// The sum of both sides is what was granted and credited less the time that ran, and never more after a flag.
#[test]
fn nothing_comes_from_nowhere_and_nothing_after_a_flag() {
    let (counted, fallen) = (std::cell::Cell::new(0_u32), std::cell::Cell::new(0_u32));
    let before = std::cell::Cell::new(None);
    games(4_000, |pair, deed| {
        let control = *pair.course.control();
        let sum: i64 =
            [Side::Left, Side::Right].map(|side| pair.clock.remaining_ms(side, pair.now)).iter().sum();
        if pair.done.len() == 1 {
            before.set(None);
        }
        if let Some(before) = before.get()
            && control.kind != Kind::UpCount
        {
            assert!(sum <= before, "after a flag {before} became {sum}: {:#?}", pair.done);
            fallen.set(fallen.get() + 1);
        }
        before.set(pair.clock.flag().map(|_| sum));
        let changed =
            pair.done.iter().any(|done| done.starts_with("Stand")) || matches!(deed, Deed::Stand(..));
        let plain = matches!(control.kind, Kind::Fischer | Kind::SuddenDeath)
            && control.periods_at == PeriodsAt::Moves
            && !control.increment_on_first_move
            && control.cap_ms.is_none();
        if !plain || changed || pair.clock.flag().is_some() {
            return;
        }
        let all: i64 = Player::BOTH
            .iter()
            .map(|player| granted(&control, *player, pair.clock.presses(player.side(Side::Left))))
            .sum();
        assert_eq!(sum, all - (pair.now as i64 - 1_000), "{control:?} {:#?}", pair.done);
        counted.set(counted.get() + 1);
    });
    assert!(counted.get() > 500 && fallen.get() > 1_000, "{} {}", counted.get(), fallen.get());
}
