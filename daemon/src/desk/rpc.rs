//! JSON-RPC 2.0, one message at a time.

use axum::extract::ws::Utf8Bytes;
use flagfall_arbiter::{Ask, ParamsError, Refused};
use serde::Serialize;
use serde_json::{Map, Value};

/// The message is not JSON.
pub(super) const PARSE: i32 = -32700;
/// It is JSON, but no request.
pub(super) const INVALID: i32 = -32600;

/// A request as it came.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    /// For the answer; none where none is wanted.
    pub id: Option<Value>,
    pub method: String,
    pub params: Option<Value>,
}

/// Why a message cannot be answered as it was meant, and to which id that is said.
#[derive(Debug)]
pub(super) struct Unread {
    pub id: Value,
    pub refused: Box<Refused>,
}

impl Unread {
    fn new(id: Value, code: i32, why: impl Into<String>) -> Self {
        Self { id, refused: Box::new(Refused::new(code, why)) }
    }
}

/// Reads a message.
///
/// # Errors
/// What is wrong with it, and the id if there is one to answer to.
pub(super) fn read(text: &str) -> Result<Call, Unread> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| Unread::new(Value::Null, PARSE, format!("not json: {error}")))?;
    let mut message = match value {
        Value::Object(message) => message,
        Value::Array(_) => {
            let why = "batches are not taken: send one request a message";
            return Err(Unread::new(Value::Null, INVALID, why));
        }
        _ => return Err(Unread::new(Value::Null, INVALID, "a request is an object")),
    };
    let id = message.remove("id");
    if id.as_ref().is_some_and(|id| !matches!(id, Value::String(_) | Value::Number(_) | Value::Null)) {
        return Err(Unread::new(Value::Null, INVALID, "id is a text or a number"));
    }
    let invalid = |what: &str| Err(Unread::new(id.clone().unwrap_or_default(), INVALID, what));
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid("jsonrpc is \"2.0\"");
    }
    let Some(Value::String(method)) = message.remove("method") else {
        return invalid("method is a text");
    };
    Ok(Call { id, method, params: message.remove("params") })
}

/// Reads what a call asks of the hall.
pub(super) fn ask(call: &Call) -> Result<Ask, Refused> {
    Ask::parse(&call.method, call.params.clone()).map_err(|error| {
        let code = match error {
            ParamsError::Method(_) => Refused::METHOD,
            ParamsError::Params { .. } => Refused::PARAMS,
        };
        Refused::new(code, error.to_string())
    })
}

/// Writes an answer.
pub(super) fn answer<T: Serialize>(id: Value, answer: &Result<T, Refused>) -> Utf8Bytes {
    let (name, value) = match answer {
        Ok(result) => ("result", serde_json::to_value(result)),
        Err(refused) => ("error", serde_json::to_value(refused)),
    };
    let mut message = Map::new();
    message.insert("jsonrpc".into(), "2.0".into());
    message.insert("id".into(), id);
    // Only texts are keys in what we answer, so it can always be written.
    message.insert(name.into(), value.unwrap_or_default());
    Utf8Bytes::from(Value::Object(message).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (Value, i32) {
        let unread = read(text).expect_err("no request");
        (unread.id, unread.refused.code)
    }

    #[test]
    fn what_is_no_request_is_refused_by_name() {
        assert_eq!(refused("{"), (Value::Null, PARSE));
        assert_eq!(refused("[]"), (Value::Null, INVALID));
        assert_eq!(refused("7"), (Value::Null, INVALID));
        assert_eq!(refused(r#"{"id":3,"method":"x"}"#), (3.into(), INVALID));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":3}"#), (3.into(), INVALID));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":[],"method":"x"}"#), (Value::Null, INVALID));
    }

    #[test]
    fn unknown_methods_and_wrong_parameters_have_their_codes() {
        let code = |text: &str| ask(&read(text).expect("a call")).expect_err("refused").code;
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"no.such"}"#), Refused::METHOD);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"board.stop","params":{}}"#), Refused::PARAMS);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"board.stop","params":["1"]}"#), Refused::PARAMS);
        let call = read(r#"{"jsonrpc":"2.0","id":1,"method":"board.stop","params":{"board":"1"}}"#);
        assert!(ask(&call.expect("a call")).is_ok());
    }

    #[test]
    fn answers_carry_their_id() {
        let ok: Result<u32, Refused> = Ok(5);
        assert_eq!(answer("a".into(), &ok).as_str(), r#"{"jsonrpc":"2.0","id":"a","result":5}"#);
        let no: Result<u32, Refused> = Err(Refused::new(Refused::ROLE, "no"));
        let text = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no"}}"#;
        assert_eq!(answer(Value::Null, &no).as_str(), text);
    }
}
