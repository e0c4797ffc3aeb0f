//! An arbiter at the page: with a mouse, or with the keyboard and nothing else.

use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::Look;
use flagfall_tests::browser::page::{Page, act, opens};
use serde_json::{Value, json};

/// What he works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    /// Taps and clicks.
    Mouse,
    /// Keys only.
    Keys,
}

/// The screens in the order of their keys.
const BY_KEY: [&str; 7] = ["hall", "setup", "round", "chairs", "sheet", "tasks", "papers"];
/// So many steps of the tabulator lead anywhere on a screen with eight boards.
const STEPS: usize = 160;

/// An arbiter before his page.
pub struct Hand {
    /// The page.
    pub page: Page,
    with: With,
}

impl Hand {
    /// Sits down with this role's token.
    pub async fn at(driver: &Driver, port: u16, role: &str, look: Look, with: With) -> Self {
        Self { page: Page::open(driver, port, role, look).await, with }
    }

    /// Whether the focus is on something of this selector.
    async fn on(&self, selector: &str) -> bool {
        let script = "return document.activeElement.matches(arguments[0])";
        self.page.session.script(script, json!([selector])).await == true
    }

    /// Steps on with the tabulator until the focus is there.
    async fn reach(&self, selector: &str) {
        self.page.until(&format!("{selector} can be used"),
            "return [...document.querySelectorAll(arguments[0])].some((one) => one.checkVisibility() && !one.disabled)", json!([selector])).await;
        for _ in 0..STEPS {
            if self.on(selector).await {
                return;
            }
            self.page.session.strike(&["Tab"]).await;
        }
        self.page.sees(&format!("{selector}:focus")).await;
    }

    /// Out of a field, so that keys are no text.
    async fn leave_fields(&self) {
        for _ in 0..STEPS {
            if !self.on("input:not([type=radio], [type=checkbox]), textarea, select").await {
                return;
            }
            self.page.session.strike(&["Tab"]).await;
        }
    }

    /// Goes to a screen.
    pub async fn go(&self, screen: &str) {
        if self.with == With::Mouse {
            return self.page.go(screen).await;
        }
        self.leave_fields().await;
        let place = BY_KEY.iter().position(|known| *known == screen).expect("a screen") + 1;
        self.page.session.strike(&[&format!("Alt+{place}")]).await;
        self.page.sees(&format!("#screen-{screen}")).await;
    }

    /// Opens a board's own view.
    pub async fn board(&self, name: &str) {
        match self.with {
            With::Mouse => {
                if self.page.seen("#boards", "").await.is_empty() {
                    self.page.go("hall").await;
                }
                self.page.tap(&format!("#boards [data-board=\"1/{name}\"] button")).await;
            }
            With::Keys => {
                self.leave_fields().await;
                self.page.session.strike(&["/"]).await;
                self.page.sees("#find-board:focus").await;
                self.page.session.type_text(name).await;
                self.page.session.strike(&["Enter"]).await;
            }
        }
        self.page.sees(&format!("#screen-board[data-board=\"1/{name}\"] [data-live]")).await;
    }

    /// Uses a control.
    pub async fn tap(&self, selector: &str) {
        match self.with {
            With::Mouse => self.page.tap(selector).await,
            With::Keys => {
                self.reach(selector).await;
                self.page.session.strike(&["Enter"]).await;
            }
        }
    }

    /// Asks at once, from somewhere within `place`.
    pub async fn act(&self, place: &str, method: &str) {
        self.tap(&format!("{place} {}", act(method))).await;
    }

    /// Opens the box of a request, fills it and sends it.
    pub async fn ask(&self, place: &str, method: &str, values: &[(&str, &str)]) {
        self.tap(&format!("{place} {}", opens(method))).await;
        self.send(method, values).await;
        self.page.gone("dialog[open]").await;
    }

    /// Fills the open box and sends it.
    pub async fn send(&self, method: &str, values: &[(&str, &str)]) {
        self.page.sees("dialog[open]").await;
        self.fill(values).await;
        self.act("#dialog", method).await;
    }

    /// Fills the open box.
    pub async fn fill(&self, values: &[(&str, &str)]) {
        if self.with == With::Mouse {
            return self.page.fill(values).await;
        }
        for (name, value) in values {
            let field = format!("#dialog [name=\"{name}\"]");
            self.reach(&field).await;
            let kind = self.page.session.script("return document.activeElement.type", json!([])).await;
            match kind.as_str().unwrap_or_default() {
                "radio" => self.arrows(&format!("return document.activeElement.name === '{name}' && document.activeElement.checked && document.activeElement.value"), value).await,
                "select-one" => self.arrows("return document.activeElement.value", value).await,
                "checkbox" => {
                    if self.page.session.script("return String(document.activeElement.checked)", json!([])).await != *value {
                        self.page.session.strike(&["Space"]).await;
                    }
                }
                _ => self.replace(value).await,
            }
        }
    }

    /// With arrows down, and from the end up again, until it says this value.
    async fn arrows(&self, script: &str, value: &str) {
        for step in 0..STEPS {
            if self.page.session.script(script, json!([])).await == value {
                return;
            }
            self.page.session.strike(&[if step < STEPS / 2 { "ArrowDown" } else { "ArrowUp" }]).await;
        }
        panic!("the arrows do not lead to {value}");
    }

    async fn replace(&self, text: &str) {
        self.page.session.strike(&["Control+a", "Delete"]).await;
        self.page.session.type_text(text).await;
    }

    /// Writes into a field of the page.
    pub async fn write(&self, selector: &str, text: &str) {
        match self.with {
            With::Mouse => self.page.write(selector, text).await,
            With::Keys => {
                self.reach(selector).await;
                self.replace(text).await;
            }
        }
    }

    /// Sets a box of the page.
    pub async fn tick(&self, selector: &str) {
        match self.with {
            With::Mouse => self.page.tap(selector).await,
            With::Keys => {
                self.reach(selector).await;
                self.page.session.strike(&["Space"]).await;
            }
        }
    }

    /// Confirms a ruling from the board's view: at once where there is one way, else this one.
    pub async fn confirm(&self, ruling: &Value, option: usize) {
        let place = format!("#board-lines [data-ruling=\"{}\"]", ruling["id"]);
        let either = format!("{place} .main:is({}, {})", act("ruling.confirm"), opens("ruling.confirm"));
        let asks = self.page.sees(&either).await;
        let asks = self
            .page
            .session
            .script("return 'opens' in arguments[0].dataset", json!([asks.argument()]))
            .await;
        self.tap(&either).await;
        if asks == true {
            self.send("ruling.confirm", &[("option", &option.to_string())]).await;
            self.page.gone("dialog[open]").await;
        }
    }
}
