//! Values that are odd together: told, and nothing is stopped by them.

use super::checks::{Remark, Remarks};
use super::{DefaultReference, DrawWinner, EventFouls, ExemptFor, FlagCall, Offence, Regulations};
use flagfall_arbiter::{Player, Points, RulingKind};
use flagfall_clock::{Kind, PeriodsAt};

/// Whether a kind of control makes anything of the increment.
const fn has_increment(kind: Kind) -> bool {
    matches!(kind, Kind::Fischer | Kind::Bronstein | Kind::Delay)
}

impl Regulations {
    /// Values that are odd; none of them stops anything.
    #[must_use]
    pub fn doubts(&self) -> Vec<Remark> {
        let mut said = Remarks(Vec::new());
        for (key, value) in [
            ("recording_exempt_ms", self.recording_exempt_ms),
            ("low_time_ms", self.low_time_ms),
            ("stop_deduct_ms", self.stop_deduct_ms),
            ("start_deduct_ms", self.start_deduct_ms),
            ("false_claim_deduct_ms", self.false_claim_deduct_ms),
            ("early_press", self.early_press.deduct_ms),
            ("illegal_move", self.illegal_move.deduct_ms),
        ] {
            let text = format!("{value} is above base_ms = {}", self.base_ms);
            said.when(value > self.base_ms, &[key, "base_ms"], text);
        }
        self.odd_controls(&mut said);
        self.odd_flags(&mut said);
        self.odd_fouls(&mut said);
        said.0
    }

    fn odd_controls(&self, said: &mut Remarks) {
        let kind = self.kind_word();
        let increment = self.increment_ms > 0
            || [self.first, self.second].iter().flatten().any(|times| times.increment_ms > 0);
        said.when(
            increment && !has_increment(self.kind),
            &["increment_ms", "kind"],
            format!("does not count with kind = \"{kind}\"; write `increment_ms = 0`"),
        );
        said.when(
            self.increment_on_first_move && self.kind != Kind::Fischer,
            &["increment_on_first_move", "kind"],
            format!("counts with kind = \"fischer\" only, and kind is \"{kind}\""),
        );
        said.when(
            self.cap_ms.is_some() && self.kind != Kind::Fischer,
            &["cap_ms", "kind"],
            format!("counts with kind = \"fischer\" only, and kind is \"{kind}\""),
        );
        let base = self.base_ms;
        said.when(
            self.cap_ms.is_some_and(|cap| cap < base),
            &["cap_ms", "base_ms"],
            format!("is below base_ms = {base}: no increment until so much is used up"),
        );
        said.when(
            (self.overtime_ms > 0 || self.overtime_count > 0)
                && !matches!(self.kind, Kind::Byoyomi | Kind::Canadian),
            &["overtime_ms", "overtime_count", "kind"],
            format!("does not count with kind = \"{kind}\""),
        );
        let least = self.at_start(Player::First).min(self.at_start(Player::Second));
        let later = matches!(self.kind, Kind::Bronstein | Kind::Delay) && increment;
        said.when(
            least == 0 && !later && self.kind != Kind::UpCount,
            &["base_ms"],
            "is 0 and nothing stands beside it: a flag falls as soon as its clock runs",
        );
        said.when(
            self.moves > 0 && (self.periods.is_empty() || self.periods_at == PeriodsAt::Zero),
            &["moves", "periods_at", "periods"],
            "does not count: no period ends with moves",
        );
    }

    fn odd_flags(&self, said: &mut Remarks) {
        let itself = self.automatic.contains(&RulingKind::TimeForfeit);
        said.when(
            itself && self.flag_call == FlagCall::Players,
            &["automatic", "flag_call"],
            "has `time_forfeit`, but with flag_call = \"players\" none is proposed by itself",
        );
        said.when(
            itself && self.unless_cannot_win,
            &["automatic", "unless_cannot_win"],
            "has `time_forfeit`, but with unless_cannot_win an arbiter looks at the board first",
        );
        // the rules confirm no other kind by itself
        let others = self.automatic.iter().find(|kind| {
            !matches!(kind, RulingKind::TimeForfeit | RulingKind::Default | RulingKind::DoubleDefault)
        });
        if let Some(kind) = others {
            said.when(
                true,
                &["automatic"],
                format!("has `{}`, which only an arbiter confirms", kind.as_str()),
            );
        }
        said.when(
            self.default_reference == DefaultReference::OwnClock && self.default_ms > u64::from(self.base_ms),
            &["default_ms", "default_reference", "base_ms"],
            format!(
                "{} by a player's own clock is above base_ms = {}: his flag falls first",
                self.default_ms, self.base_ms
            ),
        );
        said.when(
            self.recording_exempt_for == ExemptFor::Period && self.recording_exempt_ms == 0,
            &["recording_exempt_for", "recording_exempt_ms"],
            "does not count: with recording_exempt_ms = 0 nobody is exempt",
        );
        said.when(
            self.draw_winner != DrawWinner::Nobody && self.points_win == self.points_draw,
            &["draw_winner", "points_draw"],
            "names a winner, but a draw gives the points of a win to both",
        );
    }

    fn odd_fouls(&self, said: &mut Remarks) {
        let (press, illegal): (Offence, Offence) = (self.early_press, self.illegal_move);
        said.when(
            self.pooled_fouls && press.loses_at == 0 && illegal.loses_at == 0,
            &["pooled_fouls", "early_press", "illegal_move"],
            "counts early presses and illegal moves together, but neither ever loses; give them `loses_at`",
        );
        said.when(
            self.pooled_fouls && press.loses_at != illegal.loses_at,
            &["pooled_fouls", "early_press", "illegal_move"],
            format!(
                "counts early presses and illegal moves together, but one loses at {} and the other at {}",
                press.loses_at, illegal.loses_at
            ),
        );
        let points = self.event_fouls_points;
        said.when(
            self.event_fouls_every == 0 && points > Points::ZERO,
            &["event_fouls_points", "event_fouls_every"],
            format!("{points} is never taken: event_fouls_every = 0"),
        );
        said.when(
            self.event_fouls_every > 0 && points == Points::ZERO,
            &["event_fouls_points", "event_fouls_every"],
            format!("is 0, so every {} fouls cost nothing", self.event_fouls_every),
        );
        said.when(
            self.event_fouls_every == 0 && (self.event_fouls_team || self.event_fouls == EventFouls::Once),
            &["event_fouls_every", "event_fouls_team", "event_fouls"],
            "is 0, so event_fouls_team and event_fouls do not count",
        );
        said.when(
            self.points_win == self.points_loss,
            &["points_win", "points_loss"],
            format!("{} is what a loss gives too", self.points_win),
        );
    }
}
