//! Why the arbiter system is not reached, in plain words.

use rustls::CertificateError;
use std::io;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::error::ProtocolError;

/// Why a line could not be had, or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// We are told to end; nothing is wrong.
    Stopping,
    /// It does not take our token.
    Refused(String),
    /// Anything else.
    Down(String),
}

impl Trouble {
    /// What a connection says of itself, once it is one.
    pub fn broken(error: &Error) -> Self {
        Self::Down(match error {
            Error::ConnectionClosed
            | Error::AlreadyClosed
            | Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => {
                "it ended the connection without a word".into()
            }
            Error::Protocol(error) => format!("it does not keep to WebSocket: {error}"),
            Error::Capacity(error) => format!("it said more than fits: {error}"),
            Error::Io(error) => told(error),
            other => other.to_string(),
        })
    }

    /// What became of the WebSocket handshake.
    pub fn of_handshake(error: &Error) -> Self {
        match error {
            Error::Http(answer) if matches!(answer.status().as_u16(), 401 | 403) => {
                Self::Refused(format!("it refuses us ({})", answer.status()))
            }
            Error::Http(answer) => Self::Down(format!(
                "it answers {} where a WebSocket is wanted; look at `uplink.url`",
                answer.status()
            )),
            Error::Io(error) => Self::Down(told(error)),
            other => Self::Down(format!("it does not speak WebSocket: {other}")),
        }
    }
}

/// What the system, or TLS below it, says.
pub(super) fn told(error: &io::Error) -> String {
    let tls = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match tls {
        Some(rustls::Error::InvalidCertificate(wrong)) => certificate(wrong),
        Some(rustls::Error::InvalidMessage(_)) => {
            "it does not speak TLS; `ws://` is without, where the network is the hall's own".into()
        }
        Some(other) => format!("TLS: {other}"),
        None if error.kind() == io::ErrorKind::UnexpectedEof => {
            "it ended the connection without a word".into()
        }
        None => error.to_string(),
    }
}

fn certificate(wrong: &CertificateError) -> String {
    match wrong {
        // The latter: an authority of the same name, made anew.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "its certificate is by an authority that is not believed here; name that one in `uplink.ca`"
                .into()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired (or this host's date is wrong)".into()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet (or this host's date is wrong)".into()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another name than `uplink.url` has".into()
        }
        other => format!("its certificate is not taken: {other}"),
    }
}
