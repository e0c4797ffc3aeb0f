//! Boxes and fields, filled as a person fills them.

use super::page::{Page, act};
use super::seen::{AGAIN, SOON};
use serde_json::json;
use std::time::Instant;

impl Page {
    /// Fills the open dialog, and sends it by its own button.
    pub async fn send(&self, method: &str, values: &[(&str, &str)]) {
        self.fill(values).await;
        self.tap(&format!("#dialog {}", act(method))).await;
    }

    /// Fills the open dialog: a field, a choice, a box to tick (`true`, `false`) for each `name`.
    ///
    /// # Panics
    /// If it has no such field, or the field no such choice.
    pub async fn fill(&self, values: &[(&str, &str)]) {
        self.sees("dialog[open]").await;
        for (name, value) in values {
            let choice = format!("#dialog [name=\"{name}\"][value=\"{value}\"]");
            let script = "const field = document.querySelector(`#dialog [name=\"${arguments[0]}\"]`); \
                          return field && [field.tagName, field.type, String(field.checked)]";
            let kind = self.until(&format!("a field {name}"), script, json!([name])).await;
            let (tag, kind, checked) = (&kind[0], kind[1].as_str().unwrap_or_default(), &kind[2]);
            match kind {
                "radio" | "submit" | "button" => self.tap_labelled(&choice).await,
                "checkbox" if checked == *value => {}
                "checkbox" => self.tap_labelled(&format!("#dialog [name=\"{name}\"]")).await,
                _ if tag == "SELECT" => self.choose(&format!("#dialog select[name=\"{name}\"]"), value).await,
                _ => self.write(&format!("#dialog [name=\"{name}\"]"), value).await,
            }
        }
    }

    /// Taps a box or a choice, or where it is drawn by its label, that.
    async fn tap_labelled(&self, selector: &str) {
        let script = "const field = document.querySelector(arguments[0]); if (!field) return []; \
                      const drawn = (element) => element.getClientRects().length && element.offsetWidth > 1; \
                      return [field, ...(field.labels || [])].filter(drawn)";
        let end = Instant::now() + SOON;
        loop {
            for element in self.session.elements(script, json!([selector])).await.unwrap_or_default() {
                if self.try_tap(&element).await.is_ok() {
                    return;
                }
            }
            if Instant::now() > end {
                self.fail(&format!("{selector} cannot be tapped")).await;
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Chooses from a list, by the choice's value, with the keyboard's means: the list itself opens outside of the page.
    ///
    /// # Panics
    /// If there is no such choice.
    pub async fn choose(&self, selector: &str, value: &str) {
        let script = "const list = document.querySelector(arguments[0]); \
                      const option = list && [...list.options].find((option) => option.value === arguments[1]); \
                      return option && !list.disabled ? [option] : []";
        self.until(&format!("{selector} offers {value}"), script, json!([selector, value])).await;
        let options = self.session.elements(script, json!([selector, value])).await.unwrap_or_default();
        if self.session.click(&options[0]).await.is_err() {
            self.fail(&format!("{value} of {selector} cannot be chosen")).await;
        }
    }

    /// Writes into a field, in place of what is there.
    pub async fn write(&self, selector: &str, text: &str) {
        let field = self.sees(selector).await;
        // A field for a time of day is typed part by part, as the browser's language has it; its value is the same in all.
        let special = "const field = arguments[0]; if (!['time', 'date', 'datetime-local'].includes(field.type)) return false; \
                       field.value = arguments[1]; field.dispatchEvent(new Event('input', {bubbles: true})); \
                       field.dispatchEvent(new Event('change', {bubbles: true})); return true";
        if self.session.script(special, json!([field.argument(), text])).await == true {
            return;
        }
        let written = match self.session.clear(&field).await {
            Ok(()) => self.session.type_into(&field, text).await,
            refused => refused,
        };
        if let Err(refused) = written {
            self.fail(&format!("{selector} takes no «{text}»: {refused:?}")).await;
        }
    }
}
