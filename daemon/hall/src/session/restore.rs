//! A session as its journal leaves it.

use super::reckon::State;
use super::{BOOTS, Course, Session};
use flagfall_clock::ClockEvent;
use flagfall_rules::Observation;

impl Session {
    /// Takes in a report as journalled.
    pub fn restore(&mut self, observation: &Observation) {
        let report = &observation.report;
        if self.course.as_ref().is_none_or(|course| course.boot != report.boot) {
            if let Some(course) = &self.course {
                self.past.push_back((course.boot, course.seq));
                if self.past.len() > BOOTS {
                    self.past.pop_front();
                }
            }
            self.past.retain(|(boot, _)| *boot != report.boot);
            self.course = Some(Course::new(report.boot, 0, None));
        }
        let Some(course) = &mut self.course else { return };
        let state = State::of(report, course.last.as_ref());
        course.seq = report.seq;
        course.events = report.events;
        course.last = Some(state);
        course.told = Some(state);
        course.told_battery = report.battery_pct;
        course.described |= matches!(report.event, Some(ClockEvent::Boot(_) | ClockEvent::About(_)));
        if report.event.is_some() {
            course.event_seq = report.seq;
        }
        if let Some(ClockEvent::Boot(about) | ClockEvent::About(about)) = &report.event {
            self.resolution_ms = about.resolution_ms;
        }
        self.happened = observation.happened;
        self.mapping.remember(observation.happened, report.uptime_ms);
        self.battery_pct = report.battery_pct.or(self.battery_pct);
        self.heard = observation.happened;
        self.pass_next = true;
    }

    /// Takes in a gap as journalled.
    pub fn restore_gap(&mut self, to_seq: u32) {
        if let Some(course) = &mut self.course {
            course.seq = course.seq.max(to_seq);
            course.events = None;
            course.gap = true;
        }
    }
}
