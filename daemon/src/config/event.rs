//! `[event]`: what is played, by which regulations, and how much the daemon does by itself.

use super::page::{Section, Written};
use flagfall_rules::{Mode, StartBy, Variant};
use jiff::tz::TimeZone;

/// What `[event]` says.
pub(super) struct Event {
    pub name: Option<String>,
    pub timezone: Option<TimeZone>,
    pub variant: Variant,
    pub regulations: Option<Written<String>>,
    pub start_by: StartBy,
    pub mode: Mode,
}

pub(super) fn read(root: &Section<'_>) -> Event {
    let section = root.needed("event", "name = \"Spring Open\"", root.section("event"));
    let Some(section) = section else {
        return Event {
            name: None,
            timezone: None,
            variant: Variant::default(),
            regulations: None,
            start_by: StartBy::default(),
            mode: Mode::default(),
        };
    };
    let event = Event {
        name: section.needed("name", "\"Spring Open\"", section.name("name")).map(|name| name.value),
        timezone: timezone(&section),
        variant: section
            .choice("variant", &[("xiangqi", Variant::Xiangqi), ("chess", Variant::Chess)])
            .unwrap_or_default(),
        regulations: section.name("regulations"),
        start_by: section
            .choice("start_by", &[("players", StartBy::Players), ("daemon", StartBy::Daemon)])
            .unwrap_or_default(),
        mode: section
            .choice("mode", &[("observe", Mode::Observe), ("assist", Mode::Assist), ("act", Mode::Act)])
            .unwrap_or_default(),
    };
    section.end();
    event
}

fn timezone(section: &Section<'_>) -> Option<TimeZone> {
    let name = section.name("timezone")?.value;
    // `get` takes names of the IANA database only: no offsets, which know nothing of summer time
    TimeZone::get(&name)
        .inspect_err(|_| {
            section.fault(
                "timezone",
                format!("`{name}` is no time zone; write one as `Asia/Shanghai` or `UTC`"),
            );
        })
        .ok()
}
