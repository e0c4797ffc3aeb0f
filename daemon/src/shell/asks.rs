//! The way from a desk to the core.

use flagfall_arbiter::{Ask, Audience, Refused, Snapshot, Wall};
use flagfall_rules::Who;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// What a desk wants of the core.
#[derive(Debug)]
pub enum Asked {
    /// A person's request.
    Request {
        /// Who.
        who: Who,
        /// What.
        ask: Box<Ask>,
        /// For the answer.
        reply: oneshot::Sender<Result<Value, Refused>>,
    },
    /// A request whose parameters do not fit it.
    Misread {
        /// Who.
        who: Who,
        /// The method.
        method: String,
        /// The parameters, as they came.
        params: Value,
        /// What does not fit.
        refused: Refused,
        /// For the answer.
        reply: oneshot::Sender<Result<Value, Refused>>,
    },
    /// The hall as of now.
    View {
        /// For whom.
        audience: Audience,
        /// For the answer.
        reply: oneshot::Sender<View>,
    },
}

/// The hall as of an event.
#[derive(Clone, Debug)]
pub struct View {
    /// Wall time of the hall then.
    pub now: Wall,
    /// The event.
    pub head: u64,
    /// The hall.
    pub snapshot: Arc<Snapshot>,
}

/// Asks the core. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Asks {
    asked: mpsc::Sender<Asked>,
}

impl Asks {
    /// Through this channel.
    #[must_use]
    pub const fn new(asked: mpsc::Sender<Asked>) -> Self {
        Self { asked }
    }

    /// Asks as `who`. Waits where the core is busy.
    ///
    /// # Errors
    /// The hall's refusal, or that the daemon is stopping.
    pub async fn ask(&self, who: Who, ask: Ask) -> Result<Value, Refused> {
        let (reply, answer) = oneshot::channel();
        if self.asked.send(Asked::Request { who, ask: Box::new(ask), reply }).await.is_err() {
            return Err(stopping());
        }
        answer.await.unwrap_or_else(|_| Err(stopping()))
    }

    /// Has it kept that a request was misread, and answered. Waits where the core is busy.
    pub async fn misread(&self, who: Who, method: String, params: Value, refused: Refused) -> Refused {
        let (reply, answer) = oneshot::channel();
        if self.asked.send(Asked::Misread { who, method, params, refused, reply }).await.is_err() {
            return stopping();
        }
        match answer.await {
            Ok(Err(refused)) => refused,
            Ok(Ok(_)) | Err(_) => stopping(),
        }
    }

    /// The hall as of now, or as of the last event that is durable.
    ///
    /// # Errors
    /// The daemon is stopping.
    pub async fn view(&self, audience: Audience) -> Result<View, Refused> {
        let (reply, answer) = oneshot::channel();
        if self.asked.send(Asked::View { audience, reply }).await.is_err() {
            return Err(stopping());
        }
        answer.await.map_err(|_| stopping())
    }
}

fn stopping() -> Refused {
    Refused::new(Refused::BUSY, "the daemon is stopping")
}
