//! `board.history`: all events of a board. Answered from the ring and the journal; the hall keeps no past.

use super::Desk;
use crate::shell::Following;
use flagfall_arbiter::{Audience, Event, ForBoard, Refused};
use serde_json::{Value, json};

/// Events in one answer; `more` says where to go on.
const MOST: usize = 1_000;
/// Events looked through at a time.
const PAGE: usize = 1_000;

impl Desk {
    /// The board's events after `after`, as far as they are for `audience`.
    pub(super) async fn history(
        &self,
        on: &ForBoard,
        after: u64,
        audience: Audience,
    ) -> Result<Value, Refused> {
        let round = match on.round {
            Some(round) => round,
            None => self.round_of(&on.board, audience).await?,
        };
        let mut events = Vec::new();
        let mut seen = after;
        let mut more = false;
        'pages: loop {
            let told = self.after(seen, PAGE).await?;
            if told.is_empty() {
                break;
            }
            for told in &told {
                seen = told.seq;
                let ours =
                    |event: &Event| event.round == Some(round) && event.board.as_deref() == Some(&on.board);
                let heard = told.clone().heard_by(audience);
                if let Some(event) = heard.and_then(|told| told.event()).filter(ours) {
                    events.push(event);
                    if events.len() == MOST {
                        more = seen < self.bulletin.ring.head();
                        break 'pages;
                    }
                }
            }
        }
        Ok(json!({ "round": round, "board": on.board, "after": seen, "more": more, "events": events }))
    }

    /// At most `most` events after `seq`, from wherever they are.
    pub(super) async fn after(&self, seq: u64, most: usize) -> Result<Vec<crate::shell::Told>, Refused> {
        match self.bulletin.ring.after(seq, most) {
            Following::Here(told) => Ok(told),
            Following::Older(oldest) => {
                let head = self.bulletin.ring.head().min(oldest.saturating_sub(1));
                self.bulletin
                    .past
                    .after(seq, head, most)
                    .await
                    .map_err(|why| Refused::new(Refused::BUSY, why))
            }
        }
    }

    async fn round_of(&self, board: &str, audience: Audience) -> Result<u32, Refused> {
        let view = self.asks.view(audience).await?;
        let mut rounds =
            view.snapshot.boards.iter().filter(|known| known.board == board).map(|known| known.round);
        let Some(round) = rounds.next() else {
            return Err(Refused::new(
                Refused::UNKNOWN,
                format!("there is no board {board} in an open round"),
            ));
        };
        if rounds.next().is_some() {
            return Err(Refused::new(
                Refused::STATE,
                format!("board {board} is in two open rounds: say which"),
            ));
        }
        Ok(round)
    }
}
