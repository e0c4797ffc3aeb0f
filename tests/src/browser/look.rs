//! How a browser looks at the desk: its size, its language, its colours.

use serde_json::{Value, json};

/// The two languages of the desk.
pub const LANGUAGES: [&str; 2] = ["zh", "en"];

/// A browser's window, and what its owner has set.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Of the page, in CSS pixels.
    pub width: u32,
    /// Of the page, in CSS pixels.
    pub height: u32,
    /// `zh` or `en`: the browser's own language, and the one the page is turned to.
    pub language: &'static str,
    /// Its owner prefers dark colours.
    pub dark: bool,
    /// With fingers and without a mouse.
    pub touch: bool,
    /// Keeps a record of all that goes over its network ([`super::session::Session::network`]). It costs time, so only
    /// where that is looked at.
    pub network: bool,
}

/// The laptop on the arbiters' table.
pub const LAPTOP: Look =
    Look { width: 1366, height: 768, language: "zh", dark: false, touch: false, network: false };
/// A telephone held upright.
pub const PHONE: Look = Look { width: 390, height: 844, touch: true, ..LAPTOP };
/// A wall in the hall.
pub const WALL: Look = Look { width: 1920, height: 1080, ..LAPTOP };

impl Look {
    /// The same in another language.
    #[must_use]
    pub const fn in_language(self, language: &'static str) -> Self {
        Self { language, ..self }
    }

    /// The same in dark colours.
    #[must_use]
    pub const fn in_the_dark(self) -> Self {
        Self { dark: true, ..self }
    }

    /// What a new session asks of chromedriver. Loopback and this machine's fonts are all the browser needs.
    pub(super) fn capabilities(&self, binary: &str, profile: &str) -> Value {
        let locale = if self.language == "zh" { "zh-CN" } else { "en-GB" };
        let mut logs = json!({"browser": "ALL"});
        if self.network {
            logs["performance"] = "ALL".into();
        }
        let args = [
            "--headless=new".to_owned(),
            // Test runs are root's in a container; there is no other way in there, and nothing foreign is opened.
            "--no-sandbox".into(),
            "--disable-dev-shm-usage".into(),
            "--disable-gpu".into(),
            "--hide-scrollbars".into(),
            "--mute-audio".into(),
            "--no-first-run".into(),
            "--disable-background-networking".into(),
            "--disable-component-update".into(),
            // A page in a window nobody looks at is slowed down; here nobody looks at any.
            "--disable-renderer-backgrounding".into(),
            "--disable-backgrounding-occluded-windows".into(),
            "--disable-background-timer-throttling".into(),
            // The browser ends when chromedriver does, however that ends.
            "--remote-debugging-pipe".into(),
            format!("--user-data-dir={profile}"),
            format!("--window-size={},{}", self.width, self.height),
            format!("--lang={locale}"),
            format!("--accept-lang={locale}"),
        ];
        let mut options = json!({"binary": binary, "args": args, "prefs": {"intl.accept_languages": locale}});
        if self.network {
            options["perfLoggingPrefs"] = json!({"enableNetwork": true, "enablePage": false});
        }
        json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "unhandledPromptBehavior": "ignore",
            "goog:loggingPrefs": logs,
            "goog:chromeOptions": options,
        }}})
    }
}
