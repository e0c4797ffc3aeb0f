//! How the reporting stands: what is said of it at the desk and in the metrics, and the last acknowledgement on disk.
//!
//! The line writes here what it knows ([`Standing::up`], [`Standing::trouble`], the window); [`Standing::tell`] puts it
//! up twice a second. It waits for nobody.

use super::kept::Kept;
use super::trouble::Trouble;
use super::window::Window;
use crate::config::Uplink;
use crate::shell::{Bulletin, Instants, Listener};
use flagfall_arbiter::{Audience, Event, UplinkState, UplinkView, Wall};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval, timeout};

const EVERY: Duration = Duration::from_millis(500);
/// How long the oldest event that waits is looked for at a time.
const LOOK: Duration = Duration::from_millis(100);

/// What is known of the line.
#[derive(Debug)]
pub(super) struct Standing {
    bulletin: Arc<Bulletin>,
    audience: Audience,
    known: Mutex<Known>,
    /// Something was acknowledged.
    pub acked: Notify,
}

#[derive(Debug)]
struct Known {
    state: UplinkState,
    since: Wall,
    error: Option<String>,
    window: Window,
}

impl Standing {
    pub fn new(uplink: &Uplink, bulletin: &Arc<Bulletin>, acked: u64) -> Self {
        let (state, since) = (UplinkState::Dialling, Instants::now().wall);
        let known = Known { state, since, error: None, window: Window::after(acked) };
        let bulletin = Arc::clone(bulletin);
        Self { bulletin, audience: uplink.audience, known: Mutex::new(known), acked: Notify::new() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the window, or changes it. Never held across a wait.
    pub fn window<T>(&self, look: impl FnOnce(&mut Window) -> T) -> T {
        look(&mut self.known().window)
    }

    /// Hello was answered; the other end has everything up to `after`.
    pub fn up(&self, after: u64) {
        let mut known = self.known();
        known.window = Window::after(after);
        (known.state, known.since, known.error) = (UplinkState::Up, Instants::now().wall, None);
    }

    /// The line is not there. Whether that is news.
    pub fn trouble(&self, trouble: &Trouble) -> bool {
        let (state, why) = match trouble {
            Trouble::Stopping => return false,
            Trouble::Refused(why) => (UplinkState::Refused, why),
            Trouble::Down(why) => (UplinkState::Down, why),
        };
        let mut known = self.known();
        let news = known.state != state || known.error.as_ref() != Some(why);
        if known.state != state {
            known.since = Instants::now().wall;
        }
        known.state = state;
        known.error = Some(why.clone());
        news
    }

    /// Puts up how it stands, as long as it runs.
    pub async fn tell(&self, kept: &mut Kept) {
        let mut every = interval(EVERY);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut oldest = Oldest::default();
        loop {
            every.tick().await;
            let view = self.view(&mut oldest).await;
            self.bulletin.metrics.uplink(&view, self.audience);
            kept.keep(view.acked).await;
            self.bulletin.uplink.send_replace(Some(view));
        }
    }

    async fn view(&self, oldest: &mut Oldest) -> UplinkView {
        let (mut view, on_its_way) = {
            let known = self.known();
            let window = &known.window;
            let view = UplinkView {
                state: known.state,
                since: known.since,
                sent: window.sent(),
                acked: window.acked(),
                waiting: u64::try_from(window.open()).unwrap_or(u64::MAX),
                oldest: window.oldest(),
                error: known.error.clone(),
            };
            (view, window.open() > 0)
        };
        let from = if on_its_way { view.sent } else { view.acked };
        view.waiting += self.bulletin.count_after(from, self.audience);
        if view.waiting > 0 && view.oldest.is_none() {
            view.oldest = oldest.after(view.acked, &self.bulletin, self.audience).await;
        }
        view
    }
}

/// When the first event after an acknowledgement was recorded: looked for once, kept until the next acknowledgement.
#[derive(Debug, Default)]
struct Oldest {
    looking: Option<(u64, Listener)>,
    found: Option<(u64, Wall)>,
}

impl Oldest {
    async fn after(&mut self, acked: u64, bulletin: &Arc<Bulletin>, audience: Audience) -> Option<Wall> {
        if let Some((_, at)) = self.found.filter(|(after, _)| *after == acked) {
            return Some(at);
        }
        let listener = match self.looking.take().filter(|(after, _)| *after == acked) {
            Some((_, listener)) => listener,
            None => bulletin.listen(acked, audience),
        };
        let (_, listener) = self.looking.insert((acked, listener));
        let first = match timeout(LOOK, listener.next()).await {
            Ok(Ok(told)) => told.first().and_then(|told| told.event()),
            Ok(Err(_)) | Err(_) => None,
        };
        let at = first.map(|event: Event| event.at)?;
        self.found = Some((acked, at));
        Some(at)
    }
}
