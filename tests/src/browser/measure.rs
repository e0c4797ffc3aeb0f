//! How busy a page's main thread is, by the browser's own account.

use super::page::Page;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

/// Which clock the browser counts its work by.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    /// The processor's time of that thread: what the page costs, however much else the machine does.
    Thread,
    /// Time as it passes: what a person at this machine feels, with all else that is going on there.
    Wall,
}

/// What a page's main thread did in a span of time.
#[derive(Clone, Copy, Debug)]
pub struct Busy {
    /// How long was looked.
    pub span: Duration,
    /// All its tasks.
    pub task: Duration,
    /// Of these, scripts.
    pub script: Duration,
    /// Of these, layout.
    pub layout: Duration,
    /// Of these, working out styles.
    pub style: Duration,
}

impl Busy {
    /// The share of the span in which it worked.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.task.as_secs_f64() / self.span.as_secs_f64()
    }
}

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |part: Duration| 100.0 * part.as_secs_f64() / self.span.as_secs_f64();
        let (task, script, layout, style) = (of(self.task), of(self.script), of(self.layout), of(self.style));
        write!(
            f,
            "busy {task:.1} % of {:.1} s (scripts {script:.1} %, layout {layout:.1} %, styles {style:.1} %)",
            self.span.as_secs_f64()
        )
    }
}

impl Page {
    async fn metrics(&self) -> BTreeMap<String, f64> {
        let told = self.session.cdp("Performance.getMetrics", json!({})).await;
        let told = told["metrics"].as_array().cloned().unwrap_or_default();
        let pair = |metric: &serde_json::Value| {
            Some((metric["name"].as_str()?.to_owned(), metric["value"].as_f64()?))
        };
        told.iter().filter_map(pair).collect()
    }

    /// Looks on for a time, and says how busy the main thread was.
    ///
    /// # Panics
    /// If the browser does not count its work.
    pub async fn busy(&self, span: Duration, clock: Clock) -> Busy {
        let domain = match clock {
            Clock::Thread => "threadTicks",
            Clock::Wall => "timeTicks",
        };
        self.session.cdp("Performance.enable", json!({"timeDomain": domain})).await;
        let (from, before) = (Instant::now(), self.metrics().await);
        // The span is what is measured; nothing is waited for.
        tokio::time::sleep(span).await;
        let (span, after) = (from.elapsed(), self.metrics().await);
        self.session.cdp("Performance.disable", json!({})).await;
        let spent = |name: &str| {
            let found = after.get(name).zip(before.get(name)).map(|(after, before)| after - before);
            Duration::from_secs_f64(
                found.unwrap_or_else(|| panic!("the browser does not count {name}")).max(0.0),
            )
        };
        Busy {
            span,
            task: spent("TaskDuration"),
            script: spent("ScriptDuration"),
            layout: spent("LayoutDuration"),
            style: spent("RecalcStyleDuration"),
        }
    }
}
