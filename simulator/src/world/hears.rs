//! What the people at the desk hear, and what they then set out to do.

use super::World;
use super::arbiter::Matter;
use super::judgement::Judgement;
use crate::scenario::{Announces, Explains, When};
use flagfall_arbiter::{
    Cause, Event, ExemptState, Incident, IncidentKind, IncidentState, Lane, News, Ruling, RulingKind,
    RulingState,
};

impl World {
    /// The people at the desk hear an event.
    pub fn hear(&mut self, at: u64, event: &Event) {
        self.now = self.now.max(at);
        let play = event.board.as_deref().and_then(|board| self.play_at(event.round, board));
        self.check_result(event, play);
        let (news_to_him, fresh) = self.told.take(event);
        if !fresh {
            return;
        }
        match news_to_him {
            News::Ruling(ruling) => self.hear_ruling(ruling, event, play),
            News::Incident(incident) => self.hear_incident(incident, event, play),
            News::RecordingExempt(exempt) if exempt.state == ExemptState::Available => {
                // acknowledged once, for both
                if let (true, Some(play)) = (self.scenario.arbiter.exempts, play)
                    && self.desk.exempted.insert(play)
                {
                    let at = self.walk();
                    self.plan_desk(at, Matter::Exempt(play));
                }
            }
            News::RoundStarted(_) => {
                self.desk.started.extend(event.round);
            }
            _ => {}
        }
    }

    fn hear_ruling(&mut self, ruling: &Ruling, event: &Event, play: Option<usize>) {
        let scripted = self.set_off(ruling.id, event, |when| {
            when.ruling == Some(ruling.kind) && when.state.unwrap_or(RulingState::Proposed) == ruling.state
        });
        let Some(play) = play else { return };
        match ruling.state {
            RulingState::Proposed if !scripted && self.desk.fired.insert((usize::MAX - 1, ruling.id)) => {
                let at = self.walk();
                self.plan_desk(at, Matter::Decide(ruling.id));
            }
            RulingState::Confirmed => {
                if !matches!(self.judge(ruling, play), Judgement::True(_)) {
                    return;
                }
                if let Some(affair) = &mut self.plays[play].affair {
                    affair.dealt = true;
                }
                match ruling.effect.result {
                    Some(result) if ruling.kind != RulingKind::TimeForfeit => {
                        let forfeit = ruling.effect.forfeit;
                        let cause = if forfeit { Cause::Default } else { Cause::Article };
                        self.end_play(play, result, cause, forfeit);
                    }
                    Some(_) => {}
                    None if ruling.announced => {}
                    None => {
                        let at = self.now + self.scenario.arbiter.resumes_after.ms();
                        self.plan_desk(at, Matter::Resume(play));
                    }
                }
                let flag = ruling.kind == RulingKind::TimeForfeit;
                let silent = flag && self.scenario.arbiter.announces == Announces::Penalties;
                if !ruling.announced && !silent && self.desk.fired.insert((usize::MAX - 2, ruling.id)) {
                    let at = self.now + self.desk.chance.between(3_000, 20_000) as u64;
                    self.plan_desk(at, Matter::Announce(ruling.id));
                }
            }
            RulingState::Proposed | RulingState::Overruled | RulingState::Withdrawn => {}
        }
    }

    fn hear_incident(&mut self, incident: &Incident, event: &Event, play: Option<usize>) {
        if incident.state == IncidentState::Closed {
            return;
        }
        let scripted = self.set_off(incident.id, event, |when| when.incident == Some(incident.kind));
        if scripted {
            return;
        }
        let at = self.now;
        match incident.kind {
            IncidentKind::UnexplainedStop | IncidentKind::UnexplainedStart => {
                let Some(play) = play else { return };
                let all = self.scenario.arbiter.explains == Explains::All;
                let needed = !self.plays[play].is_over() || all || incident.lane == Lane::Decide;
                if needed && self.desk.attending.insert(play) {
                    let at = self.walk();
                    self.plan_desk(at, Matter::Attend(play));
                }
            }
            IncidentKind::PresenceUnknown if self.desk.fired.insert((usize::MAX - 3, incident.id)) => {
                let at = self.walk();
                self.plan_desk(at, Matter::Presence(incident.id));
            }
            IncidentKind::RoundStartMissing => {
                let round = (1..=self.scenario.rounds).rev().find(|round| self.scenario.word(*round) <= at);
                let round = event.round.or(round);
                if let Some(round) = round.filter(|round| self.scenario.word(*round) <= at)
                    && !self.desk.started.contains(&round)
                {
                    let at = self.walk();
                    self.plan_desk(at, Matter::Start(round));
                }
            }
            // Nothing he knows more of than the daemon does.
            _ => {}
        }
    }

    /// Sets off what the scenario answers this with. True where it answers it at all.
    fn set_off(&mut self, id: u64, event: &Event, fits: impl Fn(&When) -> bool) -> bool {
        let mut any = false;
        for place in 0..self.scenario.when.len() {
            let when = &self.scenario.when[place];
            let here = when.board.is_none() || when.board == event.board;
            let now = when.round.is_none() || when.round == event.round;
            if !(here && now && fits(when)) {
                continue;
            }
            any = true;
            if !when.steps.is_empty() && self.desk.fired.insert((place, id)) {
                let at = self.now + when.after.ms() + when.steps[0].after.ms();
                let (round, board) = (event.round, event.board.clone());
                self.plan_desk(at, Matter::Step { when: place, step: 0, id, round, board });
            }
        }
        any
    }
}
