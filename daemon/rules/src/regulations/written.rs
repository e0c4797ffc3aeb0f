//! A value as a regulations file writes it.

use serde_json::Value;

/// In TOML, on one line: `{ foul = 1, loses_at = 2 }`, `["time_forfeit"]`; nothing is `"none"`.
#[must_use]
pub fn written(value: &Value) -> String {
    match value {
        Value::Null => "\"none\"".to_owned(),
        // what JSON writes is TOML too: numbers, words in quotes
        Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(all) => {
            let all: Vec<String> = all.iter().map(written).collect();
            format!("[{}]", all.join(", "))
        }
        Value::Object(table) => {
            let pairs: Vec<String> =
                table.iter().map(|(key, value)| format!("{key} = {}", written(value))).collect();
            if pairs.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", pairs.join(", ")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::written;
    use serde_json::json;

    #[test]
    fn values_stand_as_in_a_file() {
        for (value, text) in [
            (json!(null), "\"none\""),
            (json!(0.5), "0.5"),
            (json!("after"), "\"after\""),
            (json!([]), "[]"),
            (json!([{"base_ms": 1}, {}]), "[{ base_ms = 1 }, {}]"),
            (json!({"foul": 1, "loses_at": 2}), "{ foul = 1, loses_at = 2 }"),
        ] {
            assert_eq!(written(&value), text);
        }
    }
}
