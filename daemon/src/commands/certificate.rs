//! `flagfall certificate`: a local authority and a certificate by it, so that tablets reach the desk over TLS where no
//! public authority knows the hall. Made once; nothing is ever overwritten.

use super::hosts;
use crate::cli::{CertificateArgs, Exit, Failure};
use crate::tls::{self, Host, Identity, Made};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The files, in their folder.
struct Files {
    authority: PathBuf,
    authority_key: PathBuf,
    desk: PathBuf,
    desk_key: PathBuf,
}

pub(crate) fn certificate(args: &CertificateArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let folder = &args.out;
    let unwritten =
        |error: io::Error| Failure::new(Exit::Io, format!("folder {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(unwritten)?;
    let folder = folder.canonicalize().map_err(unwritten)?;
    let files = Files {
        authority: folder.join("authority.pem"),
        authority_key: folder.join("authority.key"),
        desk: folder.join("desk.pem"),
        desk_key: folder.join("desk.key"),
    };
    for file in [&files.desk, &files.desk_key] {
        if file.exists() {
            let message = format!(
                "{} is there already, and nothing is overwritten; for a new certificate by the same authority move \
                 desk.pem and desk.key away, for a new authority choose another folder",
                file.display()
            );
            return Err(Failure::new(Exit::Usage, message));
        }
    }
    let mut hosts: Vec<Host> = args.host.iter().cloned().chain(hosts::own()).collect();
    let mut seen = BTreeSet::new();
    hosts.retain(|host| seen.insert(host.clone()));
    let (authority, new) = authority(&files, &hosts)?;
    let desk = tls::server(&authority.key, &hosts).map_err(|why| Failure::new(Exit::Failed, why))?;
    let chain = format!("{}{}", desk.certificate, authority.certificate);
    fits(&files, &authority, &chain, &desk, &hosts)?;
    if new {
        write(&files.authority_key, &authority.key, 0o600)?;
        write(&files.authority, &authority.certificate, 0o644)?;
    }
    write(&files.desk_key, &desk.key, 0o600)?;
    write(&files.desk, &chain, 0o644)?;
    print(&files, &authority, new, &hosts, out)?;
    Ok(Exit::Well)
}

/// The one in the folder, or a new one.
fn authority(files: &Files, hosts: &[Host]) -> Result<(Made, bool), Failure> {
    let read = |file: &Path| match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::new(Exit::Io, format!("{} cannot be read: {error}", file.display()))),
    };
    match (read(&files.authority)?, read(&files.authority_key)?) {
        (None, None) => {
            tls::authority(hosts).map(|made| (made, true)).map_err(|why| Failure::new(Exit::Failed, why))
        }
        (Some(certificate), Some(key)) => {
            let fingerprint = tls::fingerprint_of(certificate.as_bytes())
                .map_err(|why| Failure::new(Exit::Data, format!("{} {why}", files.authority.display())))?;
            Ok((Made { certificate, key, fingerprint }, false))
        }
        (found, _) => {
            let (there, missing) = match found {
                Some(_) => (&files.authority, &files.authority_key),
                None => (&files.authority_key, &files.authority),
            };
            let message = format!(
                "{} is there without {}; put it back, or choose another folder for a new authority",
                there.display(),
                missing.display()
            );
            Err(Failure::new(Exit::Usage, message))
        }
    }
}

/// Whether a device that believes the authority will believe this desk, before anything is written.
fn fits(files: &Files, authority: &Made, chain: &str, desk: &Made, hosts: &[Host]) -> Result<(), Failure> {
    let own = Identity::from_pem(chain.as_bytes(), desk.key.as_bytes());
    own.map_err(|wrong| Failure::new(Exit::Failed, format!("what was made does not fit: {wrong:?}")))?;
    for host in hosts {
        tls::believes(authority.certificate.as_bytes(), chain.as_bytes(), host).map_err(|why| {
            let message = format!(
                "{} does not speak for `{host}`: {why}; an authority speaks for local networks and the names it was \
                 made with: choose another folder for a new one",
                files.authority.display()
            );
            Failure::new(Exit::Failed, message)
        })?;
    }
    Ok(())
}

/// Only where nothing is yet.
fn write(file: &Path, text: &str, mode: u32) -> Result<(), Failure> {
    let written = OpenOptions::new().write(true).create_new(true).mode(mode).open(file);
    let written = written.and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| Failure::new(Exit::Io, format!("{} cannot be written: {error}", file.display())))
}

fn print(
    files: &Files,
    authority: &Made,
    new: bool,
    hosts: &[Host],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let said = if new { "a new authority" } else { "the authority that was there" };
    writeln!(out, "{said}, for tablets to believe:\n  {}", files.authority.display())?;
    writeln!(out, "its SHA-256 fingerprint; write it down, each device shows it before it is believed:")?;
    writeln!(out, "  {}", authority.fingerprint)?;
    let key = files.authority_key.display();
    writeln!(out, "its key stays on this host, or better in a drawer:\n  {key}\n")?;
    writeln!(out, "a certificate for")?;
    let names: BTreeSet<String> = hosts.iter().map(ToString::to_string).collect();
    for name in names {
        writeln!(out, "  {name}")?;
    }
    writeln!(out, "another name or address: --host\n")?;
    let text = |path: &Path| toml::Value::String(path.display().to_string());
    let (certificate, key) = (text(&files.desk), text(&files.desk_key));
    writeln!(out, "for the venue file:\n")?;
    writeln!(out, "[desk]\nlisten = \"0.0.0.0:8470\"")?;
    writeln!(out, "tls = {{ certificate = {certificate}, key = {key} }}\n")?;
    let at = hosts::outward().map_or_else(|| "ADDRESS".into(), |address| Host::Address(address).in_url());
    writeln!(out, "then on each tablet: https://{at}:8470/certificate")?;
    Ok(())
}
