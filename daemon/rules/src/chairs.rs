//! One line a round: the chairs of whom nobody has said who sits there. Listed from two thirds of the
//! default time, asked about once it has come.

use crate::board::BoardIx;
use crate::turn::Turn;
use crate::{Mode, Stage};
use flagfall_arbiter::{Incident, IncidentKind, IncidentState, Lane, Player, PresenceState, Text};
use std::collections::BTreeMap;

impl Turn<'_> {
    /// The chairs of whom nobody has said who sits there, once their default time is near, and how near it is.
    fn unknown_chairs(&self, order: &[BoardIx]) -> (Vec<(String, Player)>, Lane) {
        let mut chairs = Vec::new();
        let mut lane = Lane::Look;
        for &ix in order {
            let board = self.board(ix);
            if board.decided() || board.looked == Stage::None {
                continue;
            }
            for player in Player::BOTH {
                if board.there(player).state == PresenceState::Unknown {
                    chairs.push((board.name.clone(), player));
                    if board.looked == Stage::Default {
                        lane = Lane::Decide;
                    }
                }
            }
        }
        (chairs, lane)
    }

    /// The line, if it stands, says who is still asked about; with nobody left it is closed.
    pub(crate) fn ask_again_who_sits(&mut self, number: u32) {
        let Some(round) = self.s.rounds.get(&number) else { return };
        let Some(&id) = round.open.get(&IncidentKind::PresenceUnknown) else { return };
        let order = round.order.clone();
        let (chairs, lane) = self.unknown_chairs(&order);
        let same =
            |placed: &crate::state::Placed<Incident>| placed.it.chairs == chairs && placed.it.lane == lane;
        if self.s.incidents.get(&id).is_none_or(same) {
            return;
        }
        let text = self.chairs_in_words(number, lane, &order, &chairs);
        self.retell(id, self.at, |incident| {
            incident.boards = boards_of(&chairs);
            if chairs.is_empty() {
                incident.state = IncidentState::Closed;
                incident.outcome = Some("answered".to_owned());
            } else {
                incident.lane = lane;
                incident.text = text;
            }
            incident.chairs = chairs;
        });
    }

    /// One line a round: the chairs of whom nobody has said who sits there.
    pub(crate) fn ask_who_sits(&mut self, number: u32) {
        let Some(round) = self.s.rounds.get(&number) else { return };
        if round.open.contains_key(&IncidentKind::PresenceUnknown) {
            self.ask_again_who_sits(number);
            return;
        }
        let order = round.order.clone();
        let (chairs, lane) = self.unknown_chairs(&order);
        if chairs.is_empty() || self.s.mode() == Mode::Observe {
            return;
        }
        let text = self.chairs_in_words(number, lane, &order, &chairs);
        self.open_for_round(number, self.at, IncidentKind::PresenceUnknown, lane, text, |incident| {
            incident.boards = boards_of(&chairs);
            incident.chairs = chairs;
        });
    }

    /// Teams of whom nobody is known to be there in one word, the other chairs one by one.
    fn chairs_in_words(
        &self,
        number: u32,
        lane: Lane,
        order: &[BoardIx],
        chairs: &[(String, Player)],
    ) -> Text {
        let mut teams: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut single = Vec::new();
        for &ix in order {
            let board = self.board(ix);
            for player in Player::BOTH {
                let team = board.player_setup(player).team.as_str();
                let missing = chairs.iter().any(|(name, who)| *name == board.name && *who == player);
                let (all, gone) = teams.entry(team).or_default();
                *all += 1;
                *gone += usize::from(missing);
                if missing {
                    single.push((team, board.name.as_str(), player));
                }
            }
        }
        let whole = |team: &str| {
            !team.is_empty() && teams.get(team).is_some_and(|(all, gone)| all == gone && *all > 1)
        };
        let variant = self.s.setup.variant;
        let (mut zh, mut en) = (Vec::new(), Vec::new());
        for (team, (_, gone)) in teams.iter().filter(|(team, _)| whole(team)) {
            zh.push(format!("{team}全队（{gone}人）"));
            en.push(format!("all {gone} of {team}"));
        }
        for (_, board, player) in single.iter().filter(|(team, ..)| !whole(team)) {
            let (word_zh, word_en) = crate::words::colour(variant, *player);
            zh.push(format!("{board}台{word_zh}"));
            en.push(format!("{board} {word_en}"));
        }
        let (zh, en) = (zh.join("、"), en.join(", "));
        if lane == Lane::Decide {
            Text {
                zh: format!("第{number}轮：迟到时限已到，尚无人确认到场：{zh}"),
                en: format!("Round {number}: the default time has come; nobody has said who sits at: {en}"),
            }
        } else {
            Text {
                zh: format!("第{number}轮：迟到时限将到，尚未确认到场：{zh}"),
                en: format!("Round {number}: the default time is near; nobody has said who sits at: {en}"),
            }
        }
    }
}

fn boards_of(chairs: &[(String, Player)]) -> Vec<String> {
    let mut boards: Vec<String> = chairs.iter().map(|(board, _)| board.clone()).collect();
    boards.dedup();
    boards
}
