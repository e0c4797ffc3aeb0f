//! `[desk]`: where it listens and who may come in.

use super::page::{Page, Section};
use super::{Desk, Role, Surroundings, Tables, User};
use crate::tls::{Identity, Wrong};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};

/// Where the desk listens when nothing is said: this host only.
const LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8470);

/// SHA-256 of `example`, the token of venue.example.toml.
const EXAMPLE: [u8; 32] = [
    0x50, 0xd8, 0x58, 0xe0, 0x98, 0x5e, 0xcc, 0x7f, 0x60, 0x41, 0x8a, 0xaf, 0x0c, 0xc5, 0xab, 0x58, 0x7f,
    0x42, 0xc2, 0x57, 0x0a, 0x88, 0x40, 0x95, 0xa9, 0xe8, 0xcc, 0xac, 0xd0, 0xf6, 0x54, 0x5c,
];

/// The roles by their names.
pub const ROLES: [(&str, Role); 5] = [
    ("chief", Role::Chief),
    ("arbiter", Role::Arbiter),
    ("results", Role::Results),
    ("technician", Role::Technician),
    ("viewer", Role::Viewer),
];

pub(super) fn read(root: &Section<'_>, around: Surroundings<'_>) -> Option<Desk> {
    let Some(section) = root.section("desk") else {
        if root.has("desk") {
            return None;
        }
        nobody(root.page, None);
        return Some(Desk { listen: LISTEN, insecure: false, tls: None, users: Vec::new() });
    };
    let listen = listen(&section).or_else(|| (!section.has("listen")).then_some(LISTEN));
    let insecure = section.yes("insecure").unwrap_or(false);
    let tls = section.section("tls").and_then(|tls| identity(tls, around));
    if let Some(listen) = listen.filter(|at| !at.ip().is_loopback() && !insecure && !section.has("tls")) {
        section.fault(
            "listen",
            format!(
                "{listen} is reached from other machines and tokens would go in clear; \
                 give it a certificate (`flagfall certificate` makes one for `tls`), or say `insecure = true`"
            ),
        );
    }
    let users = users(&section);
    section.end();
    Some(Desk { listen: listen?, insecure, tls, users })
}

/// Certificate and key, read and looked at.
fn identity(tls: Section<'_>, around: Surroundings<'_>) -> Option<Identity> {
    let page = tls.page;
    let file = |key: &'static str, example: &str| {
        let name = tls.needed(key, example, tls.name(key))?;
        let path = page.beside(&name.value);
        let read = (around.read)(&path);
        let read =
            read.map_err(|error| tls.fault(key, format!("{} cannot be read: {error}", path.display())));
        Some((path, read.ok()?))
    };
    let certificate = file("certificate", "\"desk.pem\"");
    let key = file("key", "\"desk.key\"");
    let identity = certificate.zip(key).and_then(|((certificate, chain), (key, secret))| {
        let identity = Identity::from_pem(&chain, &secret);
        match &identity {
            Ok(identity) if identity.ends_soon => {
                tls.doubt("certificate", format!("{} ends within two weeks", certificate.display()));
            }
            Ok(_) => {}
            Err(Wrong::Certificate(how)) => {
                tls.fault("certificate", format!("{} {how}", certificate.display()))
            }
            Err(Wrong::Key(how)) => tls.fault("key", format!("{} {how}", key.display())),
        }
        identity.ok()
    });
    tls.end();
    identity
}

fn listen(section: &Section<'_>) -> Option<SocketAddr> {
    let text = section.text("listen")?.value;
    let address = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.clone(),
    };
    address
        .parse()
        .inspect_err(|_| {
            section
                .fault("listen", format!("`{text}` is no address with a port; write it as `127.0.0.1:8470`"));
        })
        .ok()
}

fn users(desk: &Section<'_>) -> Vec<User> {
    let mut users = Vec::new();
    let mut names = BTreeMap::new();
    let mut tokens = BTreeMap::new();
    for section in desk.sections("user") {
        let name = section.needed("name", "\"chief\"", section.name("name")).map(|name| name.value);
        let role = section.needed("role", "\"chief\"", section.choice("role", &ROLES));
        let tables = tables(&section);
        let hash =
            section.needed("token_sha256", "\"...\" (see `flagfall token`)", section.text("token_sha256"));
        let hash = hash.and_then(|hash| {
            let bytes = sha256(&hash.value);
            if bytes.is_none() {
                section.fault(
                    "token_sha256",
                    "is not 64 hex digits; `flagfall token` prints a token and its hash",
                );
            }
            bytes
        });
        if let Some(name) = &name {
            if let Some(line) = names.insert(name.clone(), section.line) {
                section.fault("name", format!("user `{name}` is there twice, first in line {line}"));
            }
            if let Some(first) = hash.and_then(|hash| tokens.insert(hash, name.clone())) {
                section.fault("token_sha256", format!("`{name}` and `{first}` have the same token"));
            }
        }
        if hash == Some(EXAMPLE) {
            section.doubt("token_sha256", "is the example's; anybody knows that token");
        }
        if section.has("tables") && role.is_some_and(|role| role != Role::Arbiter) {
            section.doubt("tables", "only an arbiter has tables of his own");
        }
        section.end();
        if let (Some(name), Some(role), Some(tables), Some(token_sha256)) = (name, role, tables, hash) {
            users.push(User { name, role, tables, token_sha256 });
        }
    }
    if !desk.has("user") {
        nobody(desk.page, Some(desk.line));
    }
    users
}

fn nobody(page: Page<'_>, line: Option<usize>) {
    page.doubt(line, "desk.user", "nobody is named, so nobody can come in; `flagfall token` makes a user");
}

/// `1-12, 20`.
fn tables(section: &Section<'_>) -> Option<Tables> {
    let Some(text) = section.text("tables") else {
        return (!section.has("tables")).then(Tables::default);
    };
    let ranges: Option<Vec<_>> = text
        .value
        .split(',')
        .map(|part| {
            let (low, high) = part.split_once('-').unwrap_or((part, part));
            let (low, high): (u32, u32) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
            (low <= high).then_some(low..=high)
        })
        .collect();
    if ranges.is_none() {
        let found = format!("`{}` names no tables; write them as `1-12` or `1-12, 20`", text.value);
        section.fault("tables", found);
    }
    Some(Tables(ranges?))
}

/// 64 hex digits.
fn sha256(text: &str) -> Option<[u8; 32]> {
    let mut hash = [0; 32];
    if text.len() != 64 {
        return None;
    }
    for (pair, byte) in text.as_bytes().chunks_exact(2).zip(&mut hash) {
        let digit = |at: usize| char::from(pair[at]).to_digit(16);
        *byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
    }
    Some(hash)
}
