//! One browser, in WebDriver's words: addresses, elements, input, scripts to look with, pictures.

use super::driver::{self, Driver, Refused, installed};
use super::look::Look;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

static OPENED: AtomicU32 = AtomicU32::new(0);

/// A browser of its own, with a profile of its own.
#[derive(Debug)]
pub struct Session {
    port: u16,
    id: String,
}

/// The member of an answer that names an element (W3C WebDriver, 12.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// An element of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element(pub(super) String);

impl Element {
    /// As a script's argument.
    #[must_use]
    pub fn argument(&self) -> Value {
        json!({ELEMENT: self.0})
    }

    fn read(value: &Value) -> Option<Self> {
        value[ELEMENT].as_str().map(|id| Self(id.into()))
    }
}

impl Session {
    /// Opens a browser.
    ///
    /// # Panics
    /// If Chromium is not installed or does not start.
    pub async fn open(driver: &Driver, look: &Look) -> Self {
        let binary = installed("chromium", "chromium");
        let profile = driver.folder.path().join(OPENED.fetch_add(1, Ordering::Relaxed).to_string());
        let asked = look.capabilities(&binary, profile.to_str().expect("a path"));
        let answer = driver::ask(driver.port, "POST", "/session", Some(&asked)).await;
        let answer = answer.unwrap_or_else(|refused| panic!("chromium does not start: {refused:?}"));
        let id = answer["sessionId"].as_str().expect("a session has an id").to_owned();
        let session = Self { port: driver.port, id };
        session.looks(look).await;
        session
    }

    /// Sizes the page itself, not the window around it, and sets what its owner prefers.
    async fn looks(&self, look: &Look) {
        let screen = json!({
            "width": look.width, "height": look.height, "deviceScaleFactor": 1, "mobile": look.touch,
        });
        self.cdp("Emulation.setDeviceMetricsOverride", screen).await;
        self.cdp("Emulation.setTouchEmulationEnabled", json!({"enabled": look.touch})).await;
        self.colours(look.dark).await;
    }

    /// Its owner prefers dark colours, or light ones.
    pub async fn colours(&self, dark: bool) {
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.cdp("Emulation.setEmulatedMedia", json!({"features": features})).await;
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> Result<Value, Refused> {
        driver::ask(self.port, "POST", &format!("/session/{}/{path}", self.id), Some(&body)).await
    }

    async fn get(&self, path: &str) -> Result<Value, Refused> {
        driver::ask(self.port, "GET", &format!("/session/{}/{path}", self.id), None).await
    }

    async fn must(&self, path: &str, body: Value) -> Value {
        self.post(path, body).await.unwrap_or_else(|refused| panic!("{path}: {refused:?}"))
    }

    /// Goes to an address.
    pub async fn goto(&self, url: &str) {
        self.must("url", json!({"url": url})).await;
    }

    /// Loads the page anew.
    pub async fn reload(&self) {
        self.must("refresh", json!({})).await;
    }

    /// One step back, as by the browser's own button.
    pub async fn back(&self) {
        self.must("back", json!({})).await;
    }

    /// Where it is.
    ///
    /// # Panics
    /// If it does not say.
    pub async fn url(&self) -> String {
        let url = self.get("url").await.expect("an address");
        url.as_str().expect("a text").to_owned()
    }

    /// Runs a script in the page; what it returns.
    ///
    /// # Panics
    /// If it throws.
    pub async fn script(&self, script: &str, args: Value) -> Value {
        self.try_script(script, args).await.unwrap_or_else(|refused| panic!("{script}: {refused:?}"))
    }

    /// As [`Session::script`].
    ///
    /// # Errors
    /// If it throws, or the page went away under it.
    pub async fn try_script(&self, script: &str, args: Value) -> Result<Value, Refused> {
        self.post("execute/sync", json!({"script": script, "args": args})).await
    }

    /// Runs a script that awaits; what it returns.
    ///
    /// # Panics
    /// If it throws.
    pub async fn script_async(&self, script: &str, args: Value) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1];\
             (async () => {{ {script} }})().then((value) => done({{value}}), (error) => done({{error: String(error)}}));"
        );
        let answer = self.must("execute/async", json!({"script": script, "args": args})).await;
        assert!(answer.get("error").is_none(), "the script threw: {}\n{script}", answer["error"]);
        answer["value"].clone()
    }

    /// Asks the browser in the words of its own developers' protocol.
    ///
    /// # Panics
    /// If it will not.
    pub async fn cdp(&self, command: &str, params: Value) -> Value {
        self.must("goog/cdp/execute", json!({"cmd": command, "params": params})).await
    }

    /// What it logged since it was last asked: `browser` (the console) or `performance`.
    ///
    /// # Panics
    /// If it keeps no such log.
    pub async fn log(&self, kind: &str) -> Vec<Value> {
        let log = self.must("se/log", json!({"type": kind})).await;
        log.as_array().expect("a log is a list").clone()
    }

    /// What went over its network since it was last asked, as `(method, params)` of the protocol's `Network` domain.
    ///
    /// # Panics
    /// If it was not opened with [`Look::network`].
    pub async fn network(&self) -> Vec<(String, Value)> {
        let log = self.log("performance").await;
        let read = log.iter().filter_map(|entry| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let method = message["message"]["method"].as_str()?.to_owned();
            method.starts_with("Network.").then(|| (method, message["message"]["params"].clone()))
        });
        read.collect()
    }

    /// The elements that a script returns.
    ///
    /// # Errors
    /// If it throws, or the page went away under it.
    pub async fn elements(&self, script: &str, args: Value) -> Result<Vec<Element>, Refused> {
        let found = self.try_script(script, args).await?;
        Ok(found.as_array().into_iter().flatten().filter_map(Element::read).collect())
    }

    /// A click or tap in its middle, as a person does it.
    ///
    /// # Errors
    /// If something else lies over it, or it is gone or out of reach.
    pub async fn click(&self, element: &Element) -> Result<(), Refused> {
        self.post(&format!("element/{}/click", element.0), json!({})).await.map(drop)
    }

    /// Types into it.
    ///
    /// # Errors
    /// If it takes no input.
    pub async fn type_into(&self, element: &Element, text: &str) -> Result<(), Refused> {
        self.post(&format!("element/{}/value", element.0), json!({"text": text})).await.map(drop)
    }

    /// Empties a field.
    ///
    /// # Errors
    /// If it takes no input.
    pub async fn clear(&self, element: &Element) -> Result<(), Refused> {
        self.post(&format!("element/{}/clear", element.0), json!({})).await.map(drop)
    }

    /// What is seen, as PNG.
    ///
    /// # Panics
    /// If there is no picture.
    pub async fn picture(&self) -> Vec<u8> {
        let shot = self.cdp("Page.captureScreenshot", json!({"format": "png"})).await;
        STANDARD.decode(shot["data"].as_str().expect("a picture")).expect("base64")
    }

    /// A picture of one part of the page, as far as it goes, as PNG.
    ///
    /// # Panics
    /// If there is no such part.
    pub async fn picture_of(&self, selector: &str) -> Vec<u8> {
        let script = "const box = document.querySelector(arguments[0]).getBoundingClientRect(); \
                      return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 1}";
        let clip = self.script(script, json!([selector])).await;
        let wanted = json!({"format": "png", "clip": clip, "captureBeyondViewport": true});
        let shot = self.cdp("Page.captureScreenshot", wanted).await;
        STANDARD.decode(shot["data"].as_str().expect("a picture")).expect("base64")
    }

    /// Ends the browser.
    pub async fn close(&self) {
        let _ = driver::ask(self.port, "DELETE", &format!("/session/{}", self.id), None).await;
    }
}
