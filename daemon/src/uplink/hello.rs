//! The first word on a line, and what the arbiter system answers: from where it wants to hear.

use super::dial::Socket;
use super::trouble::Trouble;
use crate::config::Uplink;
use crate::shell::Bulletin;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

const PATIENCE: Duration = Duration::from_secs(10);
/// The version of the contract.
const VERSION: u32 = 1;
/// What a peer says of itself is shown no longer than that.
const SHOWN: usize = 200;

/// Says hello. The event the other end has last, where it says so.
pub(super) async fn hello(
    socket: &mut Socket,
    uplink: &Uplink,
    bulletin: &Bulletin,
) -> Result<Option<u64>, Trouble> {
    let params = json!({
        "token": uplink.token.reveal(),
        "client": concat!("flagfall ", env!("CARGO_PKG_VERSION")),
        "version": VERSION,
        "journal": bulletin.journal,
        "head": bulletin.ring.head(),
        "audience": uplink.audience,
        "speed": bulletin.speed,
    });
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "hello", "params": params});
    let asking = async {
        socket.send(Message::text(call.to_string())).await.map_err(|error| Trouble::broken(&error))?;
        loop {
            match socket.next().await {
                Some(Ok(Message::Text(text))) => {
                    if let Some(answer) = answer(&text)? {
                        return after(answer, &bulletin.journal, bulletin.ring.head());
                    }
                }
                // Whoever does not answer but shows us the door means our token.
                Some(Ok(Message::Close(Some(frame)))) if frame.code == CloseCode::Policy => {
                    return Err(Trouble::Refused(format!("it refuses our hello: {}", shown(&frame.reason))));
                }
                Some(Ok(Message::Close(frame))) => {
                    return Err(closed(frame.map(|frame| frame.reason.to_string())));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(Trouble::broken(&error)),
                None => return Err(closed(None)),
            }
        }
    };
    let asked = timeout(PATIENCE, asking).await;
    asked
        .unwrap_or_else(|_| Err(Trouble::Down(format!("no answer to hello within {} s", PATIENCE.as_secs()))))
}

/// How a connection ended that the other end closed.
pub(super) fn closed(reason: Option<String>) -> Trouble {
    match reason.filter(|reason| !reason.is_empty()) {
        Some(reason) => Trouble::Down(format!("it closed the connection: {}", shown(&reason))),
        None => Trouble::Down("it closed the connection".into()),
    }
}

pub(super) fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(SHOWN).collect()
}

/// The result of our hello, if this is its answer.
fn answer(text: &str) -> Result<Option<Value>, Trouble> {
    let Ok(Value::Object(mut message)) = serde_json::from_str(text) else {
        return Err(Trouble::Down(format!("it answers hello with what is no JSON object: {}", shown(text))));
    };
    if message.contains_key("method")
        || (message.get("id") != Some(&json!(1)) && !message.contains_key("error"))
    {
        return Ok(None);
    }
    if let Some(error) = message.get("error").filter(|error| !error.is_null()) {
        let why = error.get("message").and_then(Value::as_str).unwrap_or("it does not say why");
        return Err(Trouble::Refused(format!("it refuses our hello: {}", shown(why))));
    }
    Ok(Some(message.remove("result").unwrap_or_default()))
}

/// What of the answer says where to go on.
fn after(answer: Value, journal: &str, head: u64) -> Result<Option<u64>, Trouble> {
    let Some(after) = answer.get("after").filter(|after| !after.is_null()) else { return Ok(None) };
    let Some(after) = after.as_u64() else {
        let what = shown(&after.to_string());
        return Err(Trouble::Down(format!("its `after` is no number of an event: {what}")));
    };
    // What it has of another journal says nothing of this one.
    if answer.get("journal").and_then(Value::as_str).is_some_and(|own| own != journal) {
        return Ok(Some(0));
    }
    if after > head {
        return Err(Trouble::Down(format!(
            "it has events up to {after}, and this journal tells none after {head}: it holds another journal's events; \
             let it forget them, or say `journal` with its `after`"
        )));
    }
    Ok(Some(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_to_our_hello_is_one() {
        assert_eq!(answer(r#"{"jsonrpc":"2.0","method":"ack","params":{"seq":1}}"#), Ok(None));
        assert_eq!(answer(r#"{"jsonrpc":"2.0","id":7,"result":{"after":1}}"#), Ok(None));
        assert_eq!(answer(r#"{"jsonrpc":"2.0","id":1,"result":{"after":1}}"#), Ok(Some(json!({"after": 1}))));
        assert_eq!(answer(r#"{"jsonrpc":"2.0","id":1}"#), Ok(Some(Value::Null)));
        assert!(matches!(answer("[1"), Err(Trouble::Down(_))));
        let refusal = answer(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"who are you?"}}"#);
        assert_eq!(refusal, Err(Trouble::Refused("it refuses our hello: who are you?".into())));
    }

    #[test]
    fn where_to_go_on() {
        let after = |answer: Value| after(answer, "J", 300);
        for nothing in [json!(null), json!({}), json!({"after": null}), json!("yes")] {
            assert_eq!(after(nothing.clone()), Ok(None), "{nothing}");
        }
        assert_eq!(after(json!({"after": 0})), Ok(Some(0)));
        assert_eq!(after(json!({"after": 300, "journal": "J"})), Ok(Some(300)));
        assert_eq!(after(json!({"after": 900, "journal": "another"})), Ok(Some(0)));
        for wrong in [json!({"after": 301}), json!({"after": -1}), json!({"after": "7"})] {
            assert!(matches!(after(wrong.clone()), Err(Trouble::Down(_))), "{wrong}");
        }
    }
}
