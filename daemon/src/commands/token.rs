//! `flagfall token`: a new token, shown once, and what of it goes into the venue file.

use super::hosts;
use crate::cli::{Exit, Failure, TokenArgs};
use crate::config::{Config, ROLES};
use crate::tls::Host;
use flagfall_arbiter::Role;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::Write;

/// Letters and digits that nobody takes for another: no i, l, o, u.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// 160 bits in 32 letters.
const BYTES: usize = 20;

pub(crate) fn token(args: &TokenArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let token = new_token()?;
    let link = match &args.config {
        Some(file) => Some(link(&Config::load(file)?, args.host.as_ref(), &token)?),
        None => None,
    };
    writeln!(out, "token, shown this once: {token}\n")?;
    if let Some(link) = &link {
        writeln!(out, "address that logs in, as secret as the token: {link}\n")?;
        let loopback = ["//127.", "//[::1]", "//localhost"].into_iter().any(|part| link.contains(part));
        if loopback {
            writeln!(
                out,
                "only this host reaches that address; tablets need another `desk.listen` and --host\n"
            )?;
        }
    }
    if args.qr {
        writeln!(out, "{}", code(link.as_ref().unwrap_or(&token))?)?;
    }
    writeln!(out, "for the venue file:\n")?;
    write!(out, "{}", snippet(&args.name, args.role, &token))?;
    Ok(Exit::Well)
}

/// A token nobody can guess.
pub(super) fn new_token() -> Result<String, Failure> {
    let mut random = [0; BYTES];
    getrandom::fill(&mut random).map_err(|error| {
        Failure::new(Exit::Unavailable, format!("no random bytes from the system: {error}"))
    })?;
    Ok(spell(random))
}

/// What the venue file keeps of a token.
pub(super) fn hash_of(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().fold(String::new(), |mut hash, byte| {
        let _ = write!(hash, "{byte:02x}");
        hash
    })
}

/// Five bits a letter.
fn spell(bytes: [u8; BYTES]) -> String {
    let mut text = String::with_capacity(BYTES * 8 / 5);
    for five in bytes.chunks_exact(5) {
        let bits = five.iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
        for place in (0..8).rev() {
            text.push(char::from(LETTERS[(bits >> (place * 5) & 31) as usize]));
        }
    }
    text
}

/// The desk's address with the token behind `#`: browsers keep that part to themselves, so no server and no log between
/// has it, and the page wipes it.
fn link(config: &Config, host: Option<&Host>, token: &str) -> Result<String, Failure> {
    let file = config.path.display();
    let (listen, tls) = (config.desk.listen, config.desk.tls.as_ref());
    let usage = |message: String| Failure::new(Exit::Usage, message);
    if listen.port() == 0 {
        return Err(usage(format!("{file}: desk.listen: port 0 is another one at each start; name one")));
    }
    let host = match host {
        Some(host) => host.clone(),
        None if !listen.ip().is_unspecified() => Host::Address(listen.ip()),
        None => hosts::outward().map(Host::Address).ok_or_else(|| {
            usage("this host has no address but its own; say with --host how tablets reach it".into())
        })?,
    };
    if tls.is_some_and(|tls| !tls.is_for(&host)) {
        return Err(usage(format!(
            "{file}: desk.tls.certificate: is not for `{host}`, and tablets would warn of it; say another --host, or make \
             one with `flagfall certificate --host {host}`"
        )));
    }
    let scheme = if tls.is_some() { "https" } else { "http" };
    Ok(format!("{scheme}://{}:{}/#token={token}", host.in_url(), listen.port()))
}

fn snippet(name: &str, role: Role, token: &str) -> String {
    let role = ROLES.iter().find(|(_, own)| *own == role).map_or("viewer", |(word, _)| word);
    let hash = hash_of(token);
    // a name may hold quotes; TOML's own writer knows how to keep them
    let name = toml::Value::String(name.to_owned());
    format!("[[desk.user]]\nname = {name}\nrole = \"{role}\"\ntoken_sha256 = \"{hash}\"\n")
}

/// Two rows a line, dark on light whatever the terminal's colours: scanners want the light margin.
fn code(token: &str) -> Result<String, Failure> {
    let code = qrcode::QrCode::new(token)
        .map_err(|error| Failure::new(Exit::Failed, format!("no code: {error}")))?;
    let picture = code
        .render::<qrcode::render::unicode::Dense1x2>()
        .dark_color(qrcode::render::unicode::Dense1x2::Light)
        .light_color(qrcode::render::unicode::Dense1x2::Dark)
        .build();
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_snippet_is_a_user_with_the_tokens_hash() {
        let text = snippet("张 \"三\"", Role::Arbiter, "example");
        let toml: toml::Table = toml::from_str(&text).unwrap();
        let user = &toml["desk"]["user"][0];
        assert_eq!(user["name"].as_str(), Some("张 \"三\""));
        assert_eq!(user["role"].as_str(), Some("arbiter"));
        assert_eq!(
            user["token_sha256"].as_str(),
            Some("50d858e0985ecc7f60418aaf0cc5ab587f42c2570a884095a9e8ccacd0f6545c")
        );
    }

    #[test]
    fn a_token_has_160_bits_spelt_in_32_letters() {
        assert_eq!(spell([0; 20]), "0".repeat(32));
        assert_eq!(spell([255; 20]), "z".repeat(32));
        let mut bytes = [0; 20];
        bytes[4] = 1;
        assert_eq!(spell(bytes), format!("00000001{}", "0".repeat(24)));
    }

    #[test]
    fn a_new_token_is_printed_with_its_own_hash_and_never_the_same() {
        let print = || {
            let mut out = Vec::new();
            let args = TokenArgs { name: "a".into(), role: Role::Chief, qr: true, config: None, host: None };
            assert_eq!(token(&args, &mut out).unwrap(), Exit::Well);
            String::from_utf8(out).unwrap()
        };
        let text = print();
        let token = text.lines().next().unwrap().rsplit(' ').next().unwrap();
        assert!(text.ends_with(&snippet("a", Role::Chief, token)));
        assert!(text.contains('█'), "the code");
        assert_ne!(text, print());
    }
}
