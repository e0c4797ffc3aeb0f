//! `[uplink]`, `[[serial]]` and `[mqtt]`: the lines that leave this host.

use super::page::{Page, Section};
use super::{Audience, Line, Mqtt, Protocol, Secret, Serial, Surroundings, Uplink};
use crate::tls::Authorities;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// The variable that a key names, with something in it.
pub(super) fn variable(section: &Section<'_>, key: &'static str, around: Surroundings<'_>) -> Option<String> {
    let name = section.name(key)?.value;
    let value = (around.env)(&name).filter(|value| !value.trim().is_empty());
    if value.is_none() {
        section.fault(key, format!("the environment has no variable `{name}`, or nothing is in it"));
    }
    value
}

pub(super) fn uplink(root: &Section<'_>, around: Surroundings<'_>) -> Option<Uplink> {
    let section = root.section("uplink")?;
    let url = section.needed("url", "\"wss://arbiter.example/feed\"", section.name("url"));
    let token = section.needed("token_env", "\"UPLINK_TOKEN\"", variable(&section, "token_env", around));
    let audiences = [("desk", Audience::Desk), ("public", Audience::Public)];
    let audience = section.choice("audience", &audiences).unwrap_or(Audience::Desk);
    let url = url.and_then(|url| {
        let (tls, rest) = match url.value.split_once("://") {
            Some(("ws", rest)) => (false, rest),
            Some(("wss", rest)) => (true, rest),
            _ => (false, ""),
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
        let default = if tls { 443 } else { 80 };
        let whole = url.value.parse::<axum::http::Uri>().is_ok();
        let Some((host, port)) = host_and_port(authority, default).filter(|_| whole) else {
            let message = format!("`{}` is no address; write it as `wss://arbiter.example/feed`", url.value);
            section.fault("url", message);
            return None;
        };
        if !tls && !is_loopback(&host) {
            section.doubt("url", "the token goes in clear; `wss://` hides it");
        }
        Some((url.value, tls, host, port))
    });
    let authorities = authorities(&section, around);
    if section.has("ca") && url.as_ref().is_some_and(|(_, tls, ..)| !tls) {
        section.doubt("ca", "is of no use with `ws://`");
    }
    section.end();
    let (url, tls, host, port) = url?;
    Some(Uplink { url, host, port, tls, authorities: authorities?, token: Secret::new(token?), audience })
}

/// Those of the file named; the host's own where none is.
fn authorities(section: &Section<'_>, around: Surroundings<'_>) -> Option<Authorities> {
    let Some(name) = section.name("ca") else {
        return (!section.has("ca")).then(Authorities::default);
    };
    let file = section.page.beside(&name.value);
    let read = (around.read)(&file).map_err(|error| format!("cannot be read: {error}"));
    read.and_then(|pem| Authorities::from_pem(&pem))
        .inspect_err(|wrong| section.fault("ca", format!("{} {wrong}", file.display())))
        .ok()
}

pub(super) fn serial(root: &Section<'_>) -> Vec<Serial> {
    let mut lines = Vec::new();
    let mut seen = BTreeMap::new();
    for section in root.sections("serial") {
        let port = section.name("port");
        let tcp = section.name("tcp");
        let line = match (port, tcp) {
            (Some(_), Some(_)) => {
                section.fault("tcp", "has both `port` and `tcp`; each line is a [[serial]] of its own");
                None
            }
            (Some(port), None) if port.value == "auto" => Some(Line::Auto),
            (Some(port), None) => Some(Line::Path(port.value.into())),
            (None, Some(tcp)) => match host_and_port(&tcp.value, 0) {
                Some((_, port)) if port != 0 => Some(Line::Tcp(tcp.value)),
                _ => {
                    section.fault(
                        "tcp",
                        format!("`{}` is no host with a port; write it as `10.0.0.7:4001`", tcp.value),
                    );
                    None
                }
            },
            (None, None) => {
                if !section.has("port") && !section.has("tcp") {
                    section.fault(
                        "port",
                        "is missing; write `port = \"auto\"`, a path, or `tcp = \"host:port\"`",
                    );
                }
                None
            }
        };
        let protocol = section.text("protocol").and_then(|protocol| match protocol.value.as_str() {
            "flagfall" => Some(Protocol::Flagfall),
            later @ ("dgt" | "dgt-bus" | "livechess") => {
                section.fault("protocol", format!("`{later}` is not read yet; possible now: `flagfall`"));
                None
            }
            other => {
                section.fault("protocol", format!("`{other}` is no protocol; possible: `flagfall`"));
                None
            }
        });
        let unchecked_lines = section.yes("unchecked_lines").unwrap_or(false);
        if let Some(line) = line {
            let name = line.to_string();
            if let Some(first) = seen.insert(name.clone(), section.line) {
                section.fault(
                    if matches!(line, Line::Tcp(_)) { "tcp" } else { "port" },
                    format!("{name} is there twice, first in line {first}"),
                );
            }
            lines.push(Serial { line, protocol: protocol.unwrap_or_default(), unchecked_lines });
        }
        section.end();
    }
    lines
}

pub(super) fn mqtt(root: &Section<'_>, around: Surroundings<'_>) -> Option<Mqtt> {
    let section = root.section("mqtt")?;
    let url = section.needed("url", "\"mqtt://127.0.0.1:1883\"", section.name("url"));
    let user = variable(&section, "user_env", around);
    let password = variable(&section, "password_env", around);
    if section.has("user_env") != section.has("password_env") {
        let missing = if section.has("user_env") { "password_env" } else { "user_env" };
        section.fault(missing, "is missing; `user_env` and `password_env` go together");
    }
    let parsed = url.as_ref().and_then(|url| {
        let parsed = broker(&url.value);
        if let Err(wrong) = &parsed {
            section.fault("url", format!("`{}` {wrong}", url.value));
        }
        parsed.ok()
    });
    if let Some((tls, host, _)) = &parsed
        && !tls
        && user.is_some()
        && !is_loopback(host)
    {
        section.doubt("url", "the password goes in clear; `mqtts://` hides it");
    }
    section.end();
    let (tls, host, port) = parsed?;
    let login = user.zip(password.map(Secret::new));
    Some(Mqtt { url: url?.value, host, port, tls, login })
}

fn broker(url: &str) -> Result<(bool, String, u16), &'static str> {
    const FORM: &str = "is no broker's address; write it as `mqtt://127.0.0.1:1883`";
    let (tls, rest) = match url.split_once("://") {
        Some(("mqtt" | "tcp", rest)) => (false, rest),
        Some(("mqtts" | "ssl", rest)) => (true, rest),
        _ => return Err(FORM),
    };
    if rest.contains('@') {
        return Err("holds a login; name it in `user_env` and `password_env` instead");
    }
    let authority = rest.strip_suffix('/').unwrap_or(rest);
    let (host, port) = host_and_port(authority, if tls { 8883 } else { 1883 }).ok_or(FORM)?;
    Ok((tls, host, port))
}

/// `host`, `host:port`, `[::1]:port`; the host without brackets.
fn host_and_port(authority: &str, default: u16) -> Option<(String, u16)> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (host, port) = rest.split_once(']')?;
            host.parse::<std::net::Ipv6Addr>().ok()?;
            (host, if port.is_empty() { None } else { Some(port.strip_prefix(':')?) })
        }
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        },
    };
    let port = match port {
        Some(port) => port.parse().ok().filter(|port| *port != 0)?,
        None => default,
    };
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    (!host.is_empty() && host.chars().all(plain)).then(|| (host.to_owned(), port))
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Without a line no clock is ever heard; a hall may still be set up so.
pub(super) fn whether_any(page: Page<'_>, serial: &[Serial], mqtt: Option<&Mqtt>) {
    if serial.is_empty() && mqtt.is_none() {
        page.doubt(None, "serial", "neither [[serial]] nor [mqtt] is there, so no clock is heard");
    }
}
