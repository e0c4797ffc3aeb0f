//! A board started by an arbiter: with his times, or with the lateness of both deducted (四.2).

use crate::BothLate;
use crate::board::BoardIx;
use crate::change::Change;
use crate::turn::Turn;
use flagfall_arbiter::{Player, Refused};
use flagfall_clock::{Action, SetTimes, Side, StopButton};
use serde_json::{Value, json};

/// What a board would be started with.
pub(crate) struct StartTimes {
    /// First and second, in milliseconds.
    times: [i64; 2],
    /// Both were late, and it is taken off.
    both_late: bool,
    /// How late each came, or is by now where that counts, in milliseconds; none where he is not known to be.
    late: [Option<u64>; 2],
}

impl Turn<'_> {
    /// The times with which a board can be started now: as given, or reckoned by this policy.
    fn start_times(
        &self,
        ix: BoardIx,
        given: [Option<i64>; 2],
        policy: Option<BothLate>,
    ) -> Result<StartTimes, Refused> {
        let board = self.board(ix);
        let name = &board.name;
        let cannot = |what: String| Err(Refused::new(Refused::STATE, what));
        if board.decided() {
            return cannot(format!("board {name} has its result"));
        }
        let Some(seen) = self.s.seen(ix) else {
            return cannot(format!("board {name}: its clock was never heard"));
        };
        if seen.running.is_some() {
            return cannot(format!("board {name} runs already"));
        }
        if board.started.is_some() {
            return cannot(format!("board {name} has begun; resume it"));
        }
        let policy = policy.unwrap_or(self.s.setup.regulations.both_late);
        // where the common lateness counts, the clock is started when the first one comes: the other is late so far
        let at_the_first =
            matches!(policy, BothLate::JointThenTurn | BothLate::FirstMoverAll | BothLate::Split);
        let late = Player::BOTH.map(|player| {
            let so_far = || self.s.late_so_far(ix, player, self.at).filter(|_| at_the_first);
            self.s.late_ms(ix, player).or_else(so_far)
        });
        let mut times = Player::BOTH.map(|player| self.s.setup.regulations.at_start(player));
        let both_late = late.iter().all(|late| late.is_some_and(|ms| ms > 0)) && given == [None, None];
        if both_late {
            let take = taken_off(policy, late.map(|late| late.unwrap_or(0) as i64));
            times = [times[0] - take[0], times[1] - take[1]];
        }
        if self.by_hand(ix) {
            // a person sets whole seconds; the part is the player's
            times = times
                .map(|ms| ms.div_euclid(1_000) * 1_000 + if ms.rem_euclid(1_000) > 0 { 1_000 } else { 0 });
        }
        times = [given[0].unwrap_or(times[0]), given[1].unwrap_or(times[1])];
        let fallen = Player::BOTH.into_iter().find(|p| self.s.setup.regulations.fallen(times[*p as usize]));
        if let Some(player) = fallen {
            let (_, who) = self.words(ix).who(player);
            return cannot(format!("board {name}: no time would be left for {who}"));
        }
        Ok(StartTimes { times, both_late, late })
    }

    /// `board.start_times`: what `board.start` would set, to be looked at before.
    pub(crate) fn would_start(&self, ix: BoardIx, policy: Option<BothLate>) -> Result<Value, Refused> {
        let StartTimes { times, both_late, late } = self.start_times(ix, [None, None], policy)?;
        Ok(json!({
            "board": self.board(ix).name,
            "first_ms": times[0],
            "second_ms": times[1],
            "both_late": both_late,
            "first_late_ms": late[0],
            "second_late_ms": late[1],
        }))
    }

    /// `board.start`: with these times, or with the lateness deducted (四.2).
    pub(crate) fn board_start(
        &mut self,
        ix: BoardIx,
        given: [Option<i64>; 2],
        policy: Option<BothLate>,
    ) -> Result<Value, Refused> {
        let StartTimes { times, both_late, .. } = self.start_times(ix, given, policy)?;
        let name = self.board(ix).name.clone();
        let first_side = self.board(ix).first_side;
        let control = self.s.setup.regulations.time_control();
        let fresh = Player::BOTH.iter().all(|&player| {
            self.s.seen(ix).is_some_and(|seen| seen.ms(player.side(first_side)) == times[player as usize])
        });
        self.serve(ix, self.at);
        let at = self.board(ix).at();
        self.change(Change::Starting { board: at, both_late });
        if !fresh {
            self.order(
                ix,
                Action::Configure { time_control: control, first_side, stop_button: StopButton::On },
            );
            let of = |side: Side| times[Player::at(side, first_side) as usize];
            self.order(
                ix,
                Action::SetTimes(SetTimes {
                    left_ms: of(Side::Left),
                    right_ms: of(Side::Right),
                    left_presses: Some(0),
                    right_presses: Some(0),
                }),
            );
        }
        if !self.order(ix, Action::Start { side: first_side }) {
            return Err(Refused::new(Refused::STATE, format!("board {name} has no clock")));
        }
        // both sit there now: an arbiter starts their clocks
        Ok(json!({ "board": name, "first_ms": times[0], "second_ms": times[1], "both_late": both_late }))
    }
}

/// What each loses of his time where both came so late, in milliseconds (A3).
const fn taken_off(policy: BothLate, late: [i64; 2]) -> [i64; 2] {
    let joint = if late[0] < late[1] { late[0] } else { late[1] };
    match policy {
        BothLate::OwnLateness => late,
        BothLate::Doubled => [late[0] * 2, late[1] * 2],
        BothLate::JointThenTurn => [joint; 2],
        BothLate::FirstMoverAll => [late[0], 0],
        BothLate::Split => [joint / 2, joint - joint / 2],
    }
}
