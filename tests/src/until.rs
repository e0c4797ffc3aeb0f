//! Waiting for something to be seen, with a deadline.

use std::time::{Duration, Instant};

/// How long a thing that must come may take, on a machine that does other things too.
pub const SOON: Duration = Duration::from_secs(10);

/// Asks `seen` again and again until it gives something.
///
/// # Panics
/// If it gives nothing within `limit`: the thing is named.
pub async fn until<T>(what: &str, limit: Duration, mut seen: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + limit;
    loop {
        if let Some(thing) = seen() {
            return thing;
        }
        assert!(Instant::now() < end, "{what}: not seen within {limit:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
