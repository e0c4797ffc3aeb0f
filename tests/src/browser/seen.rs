//! What is seen on a page, waited for. Where it does not come, the failure says what was there instead.

use super::page::Page;
use super::session::Element;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long a thing that must come may take on a page, on a machine that does other things too.
pub const SOON: Duration = Duration::from_secs(20);
/// How often is looked.
pub(super) const AGAIN: Duration = Duration::from_millis(40);

/// The elements a person sees: of this selector, with an extent, and not hidden. Returns them, with this text in them
/// if one is asked for.
pub(super) const SEEN: &str = "
    const [selector, text] = arguments;
    const seen = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';
    return [...document.querySelectorAll(selector)].filter((element) => seen(element) &&
        (!text || element.innerText.includes(text) || (element.value || '').includes(text)));";

impl Page {
    /// Waits until a script gives something else than null, false, 0 or an empty text or list.
    ///
    /// # Panics
    /// If it does not within `limit`; says what is there instead.
    pub async fn within(&self, limit: Duration, what: &str, script: &str, args: Value) -> Value {
        let end = Instant::now() + limit;
        loop {
            // While the page is loaded anew there is nothing to see.
            let found = self.session.try_script(script, args.clone()).await.unwrap_or(Value::Null);
            let empty = match &found {
                Value::Null => true,
                Value::Bool(there) => !there,
                Value::Number(number) => number.as_f64() == Some(0.0),
                Value::String(text) => text.is_empty(),
                Value::Array(list) => list.is_empty(),
                Value::Object(_) => false,
            };
            if !empty {
                return found;
            }
            if Instant::now() > end {
                self.fail(&format!("{what}: not seen within {limit:?}")).await;
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Waits for a script as [`Page::within`] does.
    pub async fn until(&self, what: &str, script: &str, args: Value) -> Value {
        self.within(SOON, what, script, args).await
    }

    /// Waits until something of this selector is seen.
    pub async fn sees(&self, selector: &str) -> Element {
        self.sees_text(selector, "").await
    }

    /// Waits until something of this selector is seen with this text in it, or in its field.
    ///
    /// # Panics
    /// If it is not.
    pub async fn sees_text(&self, selector: &str, text: &str) -> Element {
        let what = if text.is_empty() { selector.to_owned() } else { format!("{selector} with «{text}»") };
        let end = Instant::now() + SOON;
        loop {
            if let Some(first) = self.seen(selector, text).await.into_iter().next() {
                return first;
            }
            if Instant::now() > end {
                self.fail(&format!("{what}: not seen within {SOON:?}")).await;
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Waits until nothing of this selector is seen.
    pub async fn gone(&self, selector: &str) {
        self.gone_text(selector, "").await;
    }

    /// Waits until nothing of this selector with this text is seen.
    pub async fn gone_text(&self, selector: &str, text: &str) {
        let script = format!(
            "return ((...args) => {{ const list = (function () {{ {SEEN} }})(...args); return list.length === 0; }})(...arguments)"
        );
        self.until(&format!("{selector} «{text}» gone"), &script, json!([selector, text])).await;
    }

    /// What is seen now of this selector, with this text in it if one is asked for.
    pub async fn seen(&self, selector: &str, text: &str) -> Vec<Element> {
        self.session.elements(SEEN, json!([selector, text])).await.unwrap_or_default()
    }

    /// The visible texts of what is seen of this selector.
    ///
    /// # Panics
    /// If the page cannot be looked at.
    pub async fn texts(&self, selector: &str) -> Vec<String> {
        let script =
            format!("return (function () {{ {SEEN} }})(...arguments).map((element) => element.innerText)");
        let texts = self.session.script(&script, json!([selector, ""])).await;
        texts.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// An attribute of the first element of this selector, shown or not.
    pub async fn attribute(&self, selector: &str, name: &str) -> Option<String> {
        let script = "const found = document.querySelector(arguments[0]); return found && found.getAttribute(arguments[1])";
        self.session.script(script, json!([selector, name])).await.as_str().map(str::to_owned)
    }

    /// Fails, with what the page shows.
    ///
    /// # Panics
    /// Always.
    pub(super) async fn fail(&self, what: &str) -> ! {
        let url = self.session.url().await;
        let text = self.session.try_script("return document.body.innerText", json!([])).await;
        let text: String = text.ok().and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default();
        let text: String = text.chars().take(4_000).collect();
        let dialog =
            "const box = document.querySelector('dialog[open]'); return box && box.outerHTML.slice(0, 3000)";
        let dialog = self.session.try_script(dialog, json!([])).await.unwrap_or_default();
        let console = self.complaints().await;
        let shot = self.failure_picture().await;
        panic!(
            "{what}\n--- at {url}\n--- picture: {shot}\n--- console: {console:#?}\n--- dialog: {dialog}\n--- it shows:\n{text}"
        );
    }
}
