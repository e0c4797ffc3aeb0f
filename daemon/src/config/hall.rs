//! `[[table]]` and `[[team]]`: what stands in the hall, and who came.

use super::clocks;
use super::page::{Section, Written};
use flagfall_clock::Side;
use flagfall_rules::{TableSetup, TeamSetup};
use std::collections::BTreeMap;

const SIDES: [(&str, Side); 2] = [("left", Side::Left), ("right", Side::Right)];

/// Where the first player sits, under `first_side`.
pub(super) fn first_side(section: &Section<'_>) -> Option<Side> {
    section.choice("first_side", &SIDES)
}

/// The tables, in the file's order; no number and no clock twice.
pub(super) fn tables(root: &Section<'_>) -> Vec<Written<TableSetup>> {
    let mut tables: Vec<Written<TableSetup>> = Vec::new();
    let mut lines = BTreeMap::new();
    let mut clocks_at = BTreeMap::new();
    for section in root.sections("table") {
        let number = section.needed("number", "1", section.number("number", 1..=9_999));
        let clock = clocks::id(&section, "clock");
        let first_side = first_side(&section).unwrap_or(Side::Left);
        if let Some(Written { value: number, .. }) = number {
            if let Some(first) = lines.insert(number, section.line) {
                section.fault("number", format!("table {number} is there twice, first in line {first}"));
            } else if let Some(other) = clock.and_then(|clock| clocks_at.insert(clock, number)) {
                let clock = clock.map_or_else(String::new, |clock| clock.to_string());
                section.fault("clock", format!("clock {clock} stands on tables {other} and {number}"));
            }
            let value = TableSetup { number, clock, first_side };
            tables.push(Written { value, line: section.line, key: section.key("clock") });
        }
        section.end();
    }
    tables
}

/// The teams, in the file's order; no number and no name twice.
pub(super) fn teams(root: &Section<'_>) -> Vec<Written<TeamSetup>> {
    let mut teams = Vec::new();
    let mut numbers = BTreeMap::new();
    let mut names = BTreeMap::new();
    for section in root.sections("team") {
        let number = section.needed("number", "13", section.number("number", 1..=9_999));
        let name = section.needed("name", "\"Wuhan Steel\"", section.name("name"));
        let city = section.name("city").map(|city| city.value);
        let players = section.needed("players", "[\"board 1\", \"board 2\"]", section.texts("players"));
        if let Some(first) = number.as_ref().and_then(|number| numbers.insert(number.value, section.line)) {
            section.fault("number", format!("the team's number is there twice, first in line {first}"));
        }
        if let Some(first) = name.as_ref().and_then(|name| names.insert(name.value.clone(), section.line)) {
            section.fault("name", format!("the team's name is there twice, first in line {first}"));
        }
        if let Some(players) = &players {
            for (board, player) in (1..).zip(&players.value) {
                if player.trim().is_empty() {
                    section.fault("players", format!("the player of board {board} has no name"));
                } else if players.value[..board - 1].contains(player) {
                    section.fault("players", format!("`{player}` is there twice"));
                }
            }
            if players.value.is_empty() {
                section.fault("players", "is empty; a team has a player for each board, board 1 first");
            }
        }
        let (line, key) = (section.line, section.key("number"));
        section.end();
        if let (Some(number), Some(name), Some(players)) = (number, name, players) {
            let value = TeamSetup { number: number.value, name: name.value, city, players: players.value };
            teams.push(Written { value, line, key });
        }
    }
    teams
}
