//! One line a round: the chairs of whom nobody has said who sits there. Listed from two thirds of the
//! default time, asked about once it has come.

use crate::Stage;
use crate::board::BoardIx;
use crate::turn::Turn;
use flagfall_arbiter::{IncidentKind, IncidentState, Lane, Player, PresenceState, Text};
use std::collections::BTreeMap;

impl Turn<'_> {
    pub(crate) fn no_longer_unknown(&mut self, ix: BoardIx, player: Player) {
        let name = self.board(ix).name.clone();
        let round = self.s.rounds.get(&self.board(ix).round);
        let Some(&id) = round.and_then(|round| round.open.get(&IncidentKind::PresenceUnknown)) else {
            return;
        };
        self.no_longer_asked(id, |board, who| board == name && who == player);
    }

    /// These chairs are no longer asked about.
    fn no_longer_asked(&mut self, id: u64, gone: impl Fn(&str, Player) -> bool) {
        let Some(placed) = self.s.incidents.get(&id) else { return };
        let chairs: Vec<(String, Player)> =
            placed.it.chairs.iter().filter(|(board, who)| !gone(board, *who)).cloned().collect();
        if chairs.len() == placed.it.chairs.len() {
            return;
        }
        self.retell(id, self.at, |incident| {
            if chairs.is_empty() {
                incident.state = IncidentState::Closed;
                incident.outcome = Some("answered".to_owned());
            }
            incident.boards = boards_of(&chairs);
            incident.chairs = chairs;
        });
    }

    /// A board has its result: nobody asks any more who sits there.
    pub(crate) fn nobody_asks_who_sits(&mut self, ix: BoardIx) {
        let name = self.board(ix).name.clone();
        let round = self.s.rounds.get(&self.board(ix).round);
        if let Some(&id) = round.and_then(|round| round.open.get(&IncidentKind::PresenceUnknown)) {
            self.no_longer_asked(id, |board, _| board == name);
        }
    }

    /// One line a round: the chairs of whom nobody has said who sits there.
    pub(crate) fn ask_who_sits(&mut self, number: u32, order: &[BoardIx]) {
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
        if chairs.is_empty() {
            return;
        }
        let boards = boards_of(&chairs);
        let text = self.chairs_in_words(number, lane, order, &chairs);
        let asked =
            self.s.rounds.get(&number).and_then(|round| round.open.get(&IncidentKind::PresenceUnknown));
        if let Some(&id) = asked {
            self.retell(id, self.at, |incident| {
                incident.lane = lane;
                incident.text = text;
                incident.boards = boards;
                incident.chairs = chairs;
            });
            return;
        }
        self.open_for_round(number, IncidentKind::PresenceUnknown, lane, text, |incident| {
            incident.boards = boards;
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
