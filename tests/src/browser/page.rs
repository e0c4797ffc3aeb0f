//! The desk's page as a person has it before him.

use super::driver::{Driver, Refused};
use super::look::Look;
use super::seen::{AGAIN, SOON};
use super::session::{Element, Session};
use crate::hall::token;
use crate::program::workspace;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What stands still for so long can be tapped.
const STILL: Duration = Duration::from_millis(40);

/// A page with the desk on it. [`Page::end`] looks at its console and closes it.
#[derive(Debug)]
pub struct Page {
    /// The browser under it.
    pub session: Session,
    /// How its owner looks at it.
    pub look: Look,
    /// What the console said that is no fault of the page's.
    excused: Mutex<Vec<String>>,
    said: Mutex<Vec<String>>,
}

/// A control that sends this request.
#[must_use]
pub fn act(method: &str) -> String {
    format!("[data-act=\"{method}\"]")
}

/// A control that opens the dialog for this request.
#[must_use]
pub fn opens(method: &str) -> String {
    format!("[data-opens=\"{method}\"]")
}

/// A board of round 1 where boards are listed.
#[must_use]
pub fn board(name: &str) -> String {
    format!("[data-board=\"1/{name}\"]")
}

impl Page {
    /// Opens the desk at this port with the token in the address, as from a code on paper, and waits until it is connected
    /// and speaks the language of `look`.
    pub async fn open(driver: &Driver, port: u16, role: &str, look: Look) -> Self {
        let page =
            Self::at(driver, &format!("http://127.0.0.1:{port}/#token={}", escaped(&token(role))), look)
                .await;
        page.up().await;
        page.speak(look.language).await;
        page
    }

    /// Opens an address and waits for nothing.
    pub async fn at(driver: &Driver, url: &str, look: Look) -> Self {
        let session = Session::open(driver, &look).await;
        session.goto(url).await;
        Self { session, look, excused: Mutex::default(), said: Mutex::default() }
    }

    /// Waits until the page says that its line is up.
    pub async fn up(&self) {
        self.sees("#link.up").await;
    }

    /// Turns it to a language, if it is not.
    pub async fn speak(&self, language: &str) {
        if !self.attribute("html", "lang").await.is_some_and(|now| now.starts_with(language)) {
            self.tap("#language").await;
        }
        self.until(
            "the language",
            "return document.documentElement.lang.startsWith(arguments[0])",
            json!([language]),
        )
        .await;
    }

    /// Goes to a screen by its place in the navigation.
    pub async fn go(&self, screen: &str) {
        // A count that appears beside a name moves those behind it: whoever taps just then looks, and taps again.
        for _ in 0..3 {
            self.tap(&format!("nav [data-screen=\"{screen}\"]")).await;
            if self.attribute("body", "data-screen").await.as_deref() == Some(screen) {
                break;
            }
        }
        self.sees(&format!("#screen-{screen}")).await;
    }

    /// Goes to an address within the page, as its own links do, and waits until that is drawn.
    pub async fn go_address(&self, address: &str) {
        let script = "location.hash = encodeURI(arguments[0]); \
                      await new Promise((then) => setTimeout(then, 60)); \
                      await new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))";
        self.session.script_async(script, json!([address])).await;
        let place = match address.split_once('=') {
            Some(("board", _)) => "#screen-board [data-live]".to_owned(),
            Some(("paper", _)) => "#paper article".to_owned(),
            _ => format!("#screen-{address}"),
        };
        // Who may not go there stays where he is.
        self.until(
            &format!("{address} drawn"),
            "return document.querySelector(arguments[0])?.checkVisibility() || document.body.dataset.screen === 'hall'",
            json!([place]),
        )
        .await;
    }

    /// The requests for which something that can be tapped now opens a dialog; not those that want a time of day
    /// first.
    pub async fn openers(&self) -> Vec<String> {
        let script = "return [...new Set([...document.querySelectorAll('[data-opens]:not([id$=\"-at\"])')] \
                      .filter((button) => button.checkVisibility() && !button.disabled).map((button) => button.dataset.opens))]";
        let found = self.session.script(script, json!([])).await;
        found
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|method| method.as_str().map(str::to_owned))
            .collect()
    }

    /// Opens the dialog for a request by the first control that does.
    pub async fn open_first(&self, method: &str) {
        self.tap(&format!("{}:not([id$=\"-at\"])", opens(method))).await;
        self.sees("dialog[open]").await;
    }

    /// Taps the first that is seen of this selector, as soon as it can be tapped.
    pub async fn tap(&self, selector: &str) {
        self.tap_text(selector, "").await;
    }

    /// Taps the first that is seen of this selector with this text.
    ///
    /// # Panics
    /// If it cannot be tapped: is not there, disabled, covered or out of reach.
    pub async fn tap_text(&self, selector: &str, text: &str) {
        let end = Instant::now() + SOON;
        loop {
            let found = self.seen(selector, text).await;
            let mut why = "not seen".to_owned();
            for element in found {
                match self.try_tap(&element).await {
                    Ok(()) => return,
                    Err(refused) => why = format!("{}: {}", refused.error, refused.message),
                }
            }
            if Instant::now() > end {
                self.fail(&format!("{selector} «{text}» cannot be tapped: {why}")).await;
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    pub(super) async fn try_tap(&self, element: &Element) -> Result<(), Refused> {
        let enabled =
            "return !arguments[0].disabled && arguments[0].getAttribute('aria-disabled') !== 'true'";
        let enabled = self.session.try_script(enabled, json!([element.argument()])).await?;
        if enabled != true {
            return Err(Refused { error: "disabled".into(), message: String::new() });
        }
        // Nobody hits what moves: the browser reckons the place first and presses afterwards.
        let place = "const place = arguments[0].getBoundingClientRect(); return [place.x, place.y, place.width, place.height]";
        let before = self.session.try_script(place, json!([element.argument()])).await?;
        tokio::time::sleep(STILL).await;
        if self.session.try_script(place, json!([element.argument()])).await? != before {
            return Err(Refused { error: "moving".into(), message: String::new() });
        }
        self.session.click(element).await
    }

    /// Opens the dialog for a request, from something in `place`; where the control sends at once, taps it.
    pub async fn ask_for(&self, place: &str, method: &str) {
        self.tap(&format!("{place} {}, {place} {}", opens(method), act(method))).await;
    }

    /// From here on the console may say this.
    ///
    /// # Panics
    /// If a test broke it.
    pub fn excuse(&self, text: &str) {
        self.excused.lock().expect("no test broke it").push(text.into());
    }

    /// What the console complained of so far, beyond what is excused.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.session.log("browser").await;
        let excused = self.excused.lock().expect("no test broke it");
        let mut said = self.said.lock().expect("no test broke it");
        let new = log
            .iter()
            .filter(|entry| entry["level"] == "SEVERE")
            .map(|entry| entry["message"].as_str().map_or_else(|| entry.to_string(), str::to_owned));
        said.extend(new.filter(|text| !excused.iter().any(|excuse| text.contains(excuse))));
        said.clone()
    }

    /// A picture of what is seen, in a folder of the workspace; where it lies.
    pub async fn picture(&self, folder: &str, name: &str) -> PathBuf {
        written(folder, name, &self.session.picture().await)
    }

    /// The same of one part of the page.
    pub async fn picture_of(&self, selector: &str, folder: &str, name: &str) -> PathBuf {
        self.sees(selector).await;
        written(folder, name, &self.session.picture_of(selector).await)
    }

    pub(super) async fn failure_picture(&self) -> String {
        let name = std::thread::current().name().unwrap_or("test").replace("::", "-");
        self.picture("target/screenshots", &format!("failed-{name}-{}", std::process::id()))
            .await
            .display()
            .to_string()
    }

    /// Looks at the console, and closes the browser.
    ///
    /// # Panics
    /// If the console holds an error: an exception, something the policy forbids, something that could not be loaded.
    pub async fn end(self) {
        let complaints = self.complaints().await;
        self.session.close().await;
        assert!(complaints.is_empty(), "the console complains: {complaints:#?}");
    }
}

fn written(folder: &str, name: &str, picture: &[u8]) -> PathBuf {
    let folder = workspace().join(folder);
    std::fs::create_dir_all(&folder).expect("a folder for pictures");
    let path = folder.join(format!("{name}.png"));
    std::fs::write(&path, picture).expect("a picture");
    path
}

/// A text as part of an address.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => escaped.push(char::from(byte)),
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}
