//! Who sits where: empty chairs named, arrivals said, chairs that the desk asks about.

use super::World;
use super::arbiter::Matter;
use flagfall_arbiter::{IncidentState, PresenceState};
use flagfall_clock::Player;
use serde_json::json;

/// So long before the default time an arbiter says who has come and has not moved yet, in milliseconds.
const NEAR_DEFAULT: u64 = 120_000;

impl World {
    /// Who comes late is known to come; the boards of this round have their plans now.
    pub(super) fn plan_round(&mut self, round: u32) {
        let both: Vec<_> = (0..self.plays.len())
            .filter(|play| self.plays[*play].round == round)
            .filter(|play| Player::BOTH.into_iter().all(|player| self.plays[*play].plan.late(player)))
            .collect();
        for play in both {
            let arrivals = Player::BOTH.map(|player| self.plays[play].arrival(player));
            for (player, arrival) in Player::BOTH.into_iter().zip(arrivals) {
                if let Some(at) = arrival {
                    let said = self.desk.chance.between(4_000, 20_000) as u64;
                    self.plan_desk(at + said, Matter::Arrived(play, player));
                }
            }
            if let [Some(first), Some(second)] = arrivals {
                self.plan_desk(first.max(second) + 30_000, Matter::StartBoth(play));
            }
        }
    }

    pub(super) fn name_absent(&mut self, round: u32) {
        let mut players = Vec::new();
        let mut coming = Vec::new();
        for (place, play) in
            self.plays.iter().enumerate().filter(|(_, play)| play.round == round && !play.is_over())
        {
            for player in Player::BOTH {
                if !play.is_there(player, self.now) {
                    players.push(json!({ "board": play.board.to_string(), "player": player }));
                    let both = Player::BOTH.into_iter().all(|player| play.plan.late(player));
                    if let (false, Some(at)) = (both, play.arrival(player)) {
                        coming.push((at, place, player));
                    }
                }
            }
        }
        if !self.scenario.arbiter.names_absent {
            return;
        }
        for (at, play, player) in coming {
            let said = self.desk.chance.between(4_000, 30_000) as u64;
            // his press shows that he is there; a word is needed only where the default time comes first
            let word = self.plays[play].word;
            let near = word + self.scenario.default_ms().saturating_sub(NEAR_DEFAULT);
            self.plan_desk((at + said).max(near), Matter::Arrived(play, player));
        }
        let complete = self.scenario.arbiter.complete;
        if complete || !players.is_empty() {
            let params = json!({ "round": round, "players": players, "complete": complete });
            self.ask("round.absent", params, Matter::Absent(round));
        }
    }

    pub(super) fn say_arrived(&mut self, play: usize, player: Player, matter: Matter) {
        let Some(arrival) = self.plays[play].arrival(player) else { return };
        if self.plays[play].is_over() || self.shows_himself(play, player) {
            return;
        }
        let mut params = self.of(play);
        params["player"] = json!(player);
        params["at"] = self.wall(arrival.max(self.plays[play].word)).into();
        self.ask("player.arrived", params, matter);
    }

    /// The desk knows that he is there, and no start of both is waited for.
    fn shows_himself(&self, play: usize, player: Player) -> bool {
        let game = &self.plays[play];
        let both = Player::BOTH.into_iter().all(|player| game.plan.late(player));
        let told = self.told.presence.get(&(game.round, game.board, player));
        !both && told == Some(&PresenceState::Present)
    }

    pub(super) fn look_who_sits(&mut self, id: u64) {
        let Some(told) = self.told.incidents.get(&id) else { return };
        if told.it.state == IncidentState::Closed {
            return;
        }
        let (round, mut chairs) = (told.round, told.it.chairs.clone());
        if let (true, Some(board)) = (chairs.is_empty(), &told.board) {
            chairs = Player::BOTH.map(|player| (board.clone(), player)).to_vec();
        }
        let mut empty = Vec::new();
        for (board, player) in chairs {
            let Some(play) = self.play_at(round, &board) else { continue };
            if self.plays[play].is_there(player, self.now) {
                self.say_arrived(play, player, Matter::Presence(id));
            } else {
                empty.push(json!({ "board": board, "player": player }));
            }
        }
        if !empty.is_empty() {
            let mut params = json!({ "players": empty, "complete": false });
            if let Some(round) = round {
                params["round"] = round.into();
            }
            self.ask("round.absent", params, Matter::Presence(id));
        }
    }
}
