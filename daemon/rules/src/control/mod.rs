//! The checking model of every time control: what both sides have, given what happened.
//!
//! Written from the definitions alone and apart from the clock's own reckoning; both meet in tests. Pure
//! arithmetic, in whole milliseconds: nothing here decides about a game or knows of a clock.
//!
//! A side's time is **the time until its flag falls if nobody presses**. A delay, byo-yomi periods and a
//! Canadian block are part of it. Where a clock counts up it is what has been used.

mod own;
mod press;
mod times;

use flagfall_clock::{FlagAt, Kind, PeriodsAt, Player, TimeControl};
use own::Own;

/// A game's times under its control, from its start on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    control: TimeControl,
    sides: [Own; 2],
    /// Whose turn it is, once one has begun.
    turn: Option<Player>,
    running: bool,
    flag: Option<Player>,
}

impl Course {
    /// Before the start: both have what the control gives.
    #[must_use]
    pub fn new(control: &TimeControl) -> Self {
        let own = |player| Own::new(control.at_start(player));
        let sides = [own(Player::First), own(Player::Second)];
        Self { control: *control, sides, turn: None, running: false, flag: None }
    }

    /// A game that is on already: these times (first, second, in milliseconds) after so many moves of each.
    /// Nothing runs yet. How far a Canadian block has come no count of all moves tells: it is taken as begun.
    #[must_use]
    pub fn after(control: &TimeControl, ms: [i64; 2], moves: [u32; 2]) -> Self {
        let mut course = Self::new(control);
        for player in Player::BOTH {
            course.count(player, moves[player as usize]);
        }
        course.set(ms);
        course
    }

    /// The control.
    #[must_use]
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// What both have, first and second, in milliseconds.
    #[must_use]
    pub fn ms(&self) -> [i64; 2] {
        self.sides.map(|own| own.ms)
    }

    /// The moves both have completed.
    #[must_use]
    pub fn moves(&self) -> [u32; 2] {
        self.sides.map(|own| own.moves)
    }

    /// Whose time runs.
    #[must_use]
    pub fn running(&self) -> Option<Player> {
        self.turn.filter(|_| self.running)
    }

    /// Whose turn it is, also where the clock stands.
    #[must_use]
    pub const fn turn(&self) -> Option<Player> {
        self.turn
    }

    /// Who fell first.
    #[must_use]
    pub const fn flag(&self) -> Option<Player> {
        self.flag
    }

    /// The period a player is in, from 1.
    #[must_use]
    pub fn period(&self, player: Player) -> u32 {
        self.sides[player as usize].period + 1
    }

    /// A side runs for the first time, or another turn is begun by hand.
    pub fn start(&mut self, player: Player) {
        if self.flag.is_none() {
            self.running = true;
            self.begin(player);
        }
    }

    /// Both stand; the turn stays whose it is, with what is left of its delay.
    pub const fn stop(&mut self) {
        self.running = false;
    }

    /// The turn goes on.
    pub fn resume(&mut self) {
        self.running = self.turn.is_some();
        self.pass(0);
    }

    /// So many milliseconds pass: at each instant in them that happens which is due in it.
    pub fn pass(&mut self, ms: u64) {
        let mut left = i64::try_from(ms).unwrap_or(i64::MAX);
        loop {
            let Some(player) = self.running() else { return };
            left =
                if self.flag.is_some() { self.after_the_flag(player, left) } else { self.run(player, left) };
            if left == 0 && !self.is_due() {
                return;
            }
        }
    }

    /// When the flag of the side that runs falls if nobody presses, in milliseconds from now; `None` where
    /// nothing runs or it never falls.
    #[must_use]
    pub fn falls_in(&self) -> Option<u64> {
        let player = self.running().filter(|_| self.flag.is_none())?;
        if matches!(self.control.kind, Kind::Gong | Kind::UpCount) {
            return None;
        }
        let mut all = self.until_flag(player);
        if self.ends_at_zero() {
            all = self.sides[player as usize].ms.max(0);
            let mut period = self.sides[player as usize].period;
            while let Some(next) = self.next_period(period) {
                if self.control.repeat && period as usize >= self.control.periods.as_slice().len() {
                    return None; // again and again
                }
                all = all.saturating_add(i64::from(next.base_ms));
                period += 1;
            }
            all = all.saturating_add(i64::from(self.control.flag_at == FlagAt::BelowZero));
        }
        u64::try_from(all).ok()
    }

    /// What both have if the side that runs presses after so many milliseconds.
    #[must_use]
    pub fn after_press(&self, used_ms: u64) -> Self {
        let mut then = self.clone();
        then.pass(used_ms);
        if let Some(player) = then.running() {
            then.press(player);
        }
        then
    }

    /// How far times shown are from these, first and second, in milliseconds; positive: more is shown.
    #[must_use]
    pub fn apart(&self, shown: [i64; 2]) -> [i64; 2] {
        let own = self.ms();
        [shown[0].saturating_sub(own[0]), shown[1].saturating_sub(own[1])]
    }

    /// Whether a clock can show these times so many milliseconds later, `pressed` at that instant: within
    /// `within_ms` on each side, whenever in that span of doubt the press was.
    #[must_use]
    pub fn reaches(&self, shown: [i64; 2], later_ms: u64, pressed: Option<Player>, within_ms: u64) -> bool {
        let within = i64::try_from(within_ms).unwrap_or(i64::MAX);
        [later_ms.saturating_sub(within_ms), later_ms, later_ms.saturating_add(within_ms)].into_iter().any(
            |at| {
                let mut then = self.clone();
                then.pass(at);
                if let Some(player) = pressed {
                    then.press(player);
                }
                then.apart(shown).iter().all(|off| off.abs() <= within)
            },
        )
    }

    /// Whether something happens in this very instant.
    fn is_due(&self) -> bool {
        let Some(player) = self.running().filter(|_| self.flag.is_none()) else { return false };
        match self.control.kind {
            Kind::UpCount => false,
            Kind::Gong => self.sides[player as usize].ms <= 0 && self.base(player) > 0,
            _ if self.ends_at_zero() && self.next_period(self.sides[player as usize].period).is_some() => {
                self.sides[player as usize].ms <= 0
            }
            _ => self.until_flag(player) == 0,
        }
    }

    /// The side that runs uses up at most `left` of its time, to the next instant in which something
    /// happens. Gives what is left of `left`.
    fn run(&mut self, player: Player, left: i64) -> i64 {
        let ms = self.sides[player as usize].ms;
        match self.control.kind {
            Kind::UpCount => {
                self.sides[player as usize].shift(left);
                0
            }
            Kind::Gong if self.base(player) <= 0 => 0, // no turn ever ends
            Kind::Gong => {
                let used = left.min(ms.max(0));
                self.sides[player as usize].shift(-used);
                if self.is_due() {
                    // the clock itself passes the turn on, and each turn is a whole one, whatever was set before
                    for side in Player::BOTH {
                        self.sides[side as usize].put(self.base(side));
                    }
                    self.turn = Some(player.other());
                }
                left - used
            }
            _ if self.ends_at_zero() && self.next_period(self.sides[player as usize].period).is_some() => {
                let used = left.min(ms.max(0));
                self.sides[player as usize].ms -= used;
                if self.is_due()
                    && let Some(next) = self.next_period(self.sides[player as usize].period)
                {
                    for own in &mut self.sides {
                        own.shift(i64::from(next.base_ms));
                        own.period += 1;
                    }
                }
                left - used
            }
            kind => {
                let used = left.min(self.until_flag(player));
                let own = &mut self.sides[player as usize];
                own.ms -= used;
                own.block |= kind == Kind::Canadian && own.ms < i64::from(self.control.overtime_ms);
                if self.is_due() {
                    self.flag = Some(player);
                    // it stands at nothing, whichever side of zero it fell on; what was taken off below stays
                    let own = &mut self.sides[player as usize];
                    own.ms = own.ms.max(ms.min(0));
                    // an hourglass stands in any case: the other side would have no end
                    if self.control.freeze_on_flag || kind == Kind::Hourglass {
                        self.running = false;
                    }
                }
                if kind == Kind::Hourglass {
                    let given = ms - self.sides[player as usize].ms;
                    self.sides[player.other() as usize].shift(given);
                }
                left - used
            }
        }
    }

    /// After a flag without a freeze: the fallen side stands at nothing in its turn, the other runs down
    /// without a flag of its own.
    fn after_the_flag(&mut self, player: Player, left: i64) -> i64 {
        if self.flag != Some(player) {
            let own = &mut self.sides[player as usize];
            own.ms = (own.ms - left).max(own.ms.min(0));
        }
        0
    }

    /// How long until this side's flag by its own time, in milliseconds.
    fn until_flag(&self, player: Player) -> i64 {
        let ms = self.sides[player as usize].ms;
        let more = i64::from(self.control.flag_at == FlagAt::BelowZero);
        ms.saturating_add(more).max(0)
    }

    pub(super) fn ends_at_zero(&self) -> bool {
        self.has_periods() && self.control.periods_at == PeriodsAt::Zero
    }

    /// Whether periods mean anything here: they add to a time that is kept from move to move.
    const fn has_periods(&self) -> bool {
        matches!(self.control.kind, Kind::Fischer | Kind::SuddenDeath | Kind::Bronstein | Kind::Delay)
    }

    fn base(&self, player: Player) -> i64 {
        i64::from(self.control.of(player).base_ms)
    }
}
