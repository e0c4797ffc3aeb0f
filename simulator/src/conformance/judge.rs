//! What comes, held against what is expected.

use super::expect::Expect;
use super::expr::Value;
use super::history::Told;
use super::link::Came;
use super::member::{self, Held};
use super::restored::restored;
use super::run::{Cause, Due, Over, Run, text};
use super::specimen::Hands;
use super::tie::Tie;
use flagfall_clock::{By, ClockEvent, Refusal};

impl Run<'_, '_> {
    pub(super) fn heard(&mut self, came: Came) -> Result<(), Over> {
        let report = came.what.map_err(Over::Failed)?;
        self.said.push(report.clone());
        if let Some(ClockEvent::Reset { by: By::Command | By::Unknown }) = report.event
            && let Some(control) = self.next_control.take()
        {
            self.history.control = control;
        }
        let told = self.history.take(report).map_err(Over::Failed)?;
        if told.again {
            return self.heard_again(&told);
        }
        if let Some(ClockEvent::Boot(_)) = told.report.event {
            if let (Some(cut), Some(was)) = (self.cut_at.take(), &told.was) {
                restored(&self.history.control, was, &told.report, self.tie.uptime(cut))
                    .map_err(Over::Failed)?;
            }
            self.tie = Tie::new(self.link.specimen.means().drift_ppm);
        }
        let at = i64::try_from(came.at).unwrap_or(i64::MAX);
        let latency = i64::try_from(self.link.specimen.means().latency_us).unwrap_or(i64::MAX);
        if !self.tie.narrow(came.at, told.report.uptime_ms, at.saturating_sub(latency), at) {
            let (first, last) = self.tie.uptime(came.at);
            let said = told.report.uptime_ms;
            return Err(Over::Failed(format!(
                "uptime_ms {said} was heard when it was {first} to {last} at most"
            )));
        }
        match told.report.event {
            None => Ok(()),
            // Its battery may be low whatever is tested.
            Some(ClockEvent::BatteryLow) => Ok(()),
            Some(_) => self.judge(&told),
        }
    }

    fn heard_again(&mut self, told: &Told) -> Result<(), Over> {
        let seq_of = |due: &Due| if let Due::Again { seq, .. } = due { Some(*seq) } else { None };
        while self.due.front().is_some_and(|due| due.maybe() && seq_of(due) != Some(told.report.seq)) {
            self.due.pop_front();
        }
        match self.due.pop_front() {
            Some(due) if seq_of(&due) == Some(told.report.seq) => Ok(()),
            Some(due) => Err(Over::Failed(format!(
                "{} was expected; {} came again",
                self.named(&due),
                text(&told.report)
            ))),
            None => Err(Over::Failed(format!("{} came again, and nobody asked for it", text(&told.report)))),
        }
    }

    fn judge(&mut self, told: &Told) -> Result<(), Over> {
        let came = text(&told.report);
        let name = told.report.event.as_ref().map_or("", ClockEvent::name);
        let is_it = |due: &Due| matches!(due, Due::Event { expect, .. } if expect.is(name));
        while self.due.front().is_some_and(|due| due.maybe() && !is_it(due)) {
            self.due.pop_front();
        }
        let Some(due) = self.due.pop_front() else {
            return Err(Over::Failed(format!("nothing was expected; came {came}")));
        };
        let Due::Event { expect: Expect::Event { members, mark, conditions, .. }, cause } = &due else {
            return Err(Over::Failed(format!("{} was expected; came {came}", self.named(&due))));
        };
        if let Some(ClockEvent::Done { error: Some(Refusal::Unable), .. }) = told.report.event
            && self.next_control.is_some()
            && !members.iter().any(|(_, expected)| expected == "unable")
        {
            return Err(Over::Skipped("it cannot play a control of this case".into()));
        }
        if !is_it(&due) {
            return Err(Over::Failed(format!("{} was expected; came {came}", self.named(&due))));
        }
        for (member, expected) in members {
            match member::member(&told.report, member) {
                Some(Value::Unsaid) => drop(self.notes.insert(format!("does not say {member}"))),
                Some(value) if value.to_string() == *expected => {}
                _ => return Err(Over::Failed(format!("{} was expected; came {came}", self.named(&due)))),
            }
        }
        if let Some(mark) = mark {
            self.marks.insert(mark.clone(), told.report.clone());
        }
        for condition in conditions {
            match member::holds(condition, told, &self.marks).map_err(Over::Failed)? {
                Held::Yes => {}
                Held::Unsaid(member) => drop(self.notes.insert(format!("does not say {member}"))),
                Held::No(why) => return Err(Over::Failed(format!("{why}, in {came}"))),
            }
        }
        cause.map_or(Ok(()), |cause| self.by_its_cause(told, cause))
    }

    /// What a hand does happens at its first edge, what a command does once it is sent.
    fn by_its_cause(&mut self, told: &Told, cause: Cause) -> Result<(), Over> {
        let means = self.link.specimen.means();
        let (Cause::Edge(at) | Cause::Order(at)) = cause;
        let instant = |at: u64| i64::try_from(at).unwrap_or(0);
        let off = i64::try_from(means.exact_us).unwrap_or(i64::MAX);
        let (earliest, latest) = match (cause, self.moved.get(&at)) {
            (Cause::Edge(_), Some((first, last))) if means.hands != Hands::Person => {
                (instant(*first) - off, instant(*last) + off)
            }
            // A person moves some time after he was asked to.
            _ => (instant(at), i64::MAX / 4),
        };
        let uptime = told.report.uptime_ms;
        if self.tie.narrow(self.now(), uptime, earliest, latest) {
            return Ok(());
        }
        let (first, last) = self.tie.uptime(at);
        let what = if matches!(cause, Cause::Edge(_)) { "its contact moved" } else { "it was commanded" };
        let off = means.exact_us.div_ceil(1_000);
        let came = text(&told.report);
        Err(Over::Failed(format!(
            "{what} at an uptime of {first} to {last} ms, give or take {off} ms; came {came}"
        )))
    }

    pub(super) fn named(&self, due: &Due) -> String {
        match due {
            Due::Event { expect: Expect::Event { text, .. }, .. } => format!("`{text}`"),
            Due::Event { expect: Expect::Again(_), .. } => "what was said before".into(),
            Due::Again { seq, .. } => format!("event {seq} once more"),
        }
    }
}
