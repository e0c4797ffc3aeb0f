//! axe-core's look at a page: can everybody use it?

use super::page::Page;
use crate::program::workspace;
use serde_json::{Value, json};

/// Where `npm ci` in tests/browser puts it.
const PLACE: &str = "tests/browser/node_modules/axe-core/axe.min.js";

/// The findings' lines: rule, impact, what it is about, where.
fn line(finding: &Value) -> String {
    let nodes = finding["nodes"].as_array().into_iter().flatten();
    let places = nodes.take(4).map(|node| format!("\n    {} {}", node["html"], node["failureSummary"]));
    format!("{} ({}): {}{}", finding["id"], finding["impact"], finding["help"], places.collect::<String>())
}

impl Page {
    /// What axe-core finds serious or critical on what is shown now.
    ///
    /// # Panics
    /// If axe-core is not installed, or does not come to an end.
    pub async fn barriers(&self) -> Vec<String> {
        let loaded = self.session.script("return typeof axe === 'object'", json!([])).await;
        if loaded != true {
            let path = workspace().join(PLACE);
            let source = std::fs::read_to_string(&path).unwrap_or_else(|error| {
                panic!("{}: {error}: run `npm ci` in tests/browser, or tests/run, which does", path.display())
            });
            // Through the browser's debugger, so that the page's own policy stays as it is.
            self.session.cdp("Runtime.evaluate", json!({"expression": source})).await;
        }
        let found = self
            .session
            .script_async(
                "const found = await axe.run(document, {resultTypes: ['violations']}); \
                 return {rules: found.passes.length + found.violations.length, violations: found.violations}",
                json!([]),
            )
            .await;
        assert!(found["rules"].as_u64() > Some(5), "axe-core looked at next to nothing: {found}");
        let findings = found["violations"].as_array().cloned().unwrap_or_default();
        let bad = |finding: &&Value| finding["impact"] == "serious" || finding["impact"] == "critical";
        findings.iter().filter(bad).map(line).collect()
    }
}
