//! Why a serial port cannot be opened, in one sentence a technician can act on.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

/// One sentence: the path, what is in the way, what to do. The same for the same state of things, so that it can be
/// said once.
#[must_use]
pub fn explain(path: &Path, error: &tokio_serial::Error) -> String {
    let port = format!("port {}", path.display());
    let kind = match error.kind() {
        tokio_serial::ErrorKind::Io(kind) => Some(kind),
        _ => None,
    };
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return format!("{port} is not there: unplugged, or named otherwise; it is taken when it comes");
        }
        Err(error) => return format!("{port} cannot be looked at: {error}"),
    };
    if !about.file_type().is_char_device() {
        return format!("{port} is no serial port");
    }
    if kind == Some(ErrorKind::PermissionDenied) || error.description.contains("ermission denied") {
        let (us, owner, group) = (user(uid()), user(about.uid()), named("/etc/group", about.gid()));
        let mode = about.mode() & 0o777;
        let remedy = if mode & 0o060 == 0o060 {
            format!("add {us} to group {group} (usermod -a -G {group} {us}) and start the daemon again")
        } else {
            format!("let the group read and write it (chmod g+rw, better a udev rule) and put {us} into it")
        };
        return format!(
            "{port}: permission denied for user {us}; it belongs to {owner}:{group} ({mode:o}): {remedy}"
        );
    }
    if kind == Some(ErrorKind::ResourceBusy)
        || error.description.contains("busy")
        || error.description.contains("exclusive lock")
        || matches!(error.kind(), tokio_serial::ErrorKind::NoDevice)
    {
        if let Some(holder) = holder(path) {
            return format!("port {} is held by {holder}; it is taken when that lets go", path.display());
        }
        if error.description.contains("busy") || error.description.contains("lock") {
            return format!("{port} is held by another program; it is taken when that lets go");
        }
    }
    format!("{port} cannot be opened: {}", error.description)
}

/// Which program has the file open, as far as we may look.
fn holder(path: &Path) -> Option<String> {
    let real = fs::canonicalize(path).ok()?;
    let ours = std::process::id();
    fs::read_dir("/proc").ok()?.flatten().find_map(|process| {
        let pid: u32 = process.file_name().to_str()?.parse().ok()?;
        let open = fs::read_dir(process.path().join("fd")).ok()?;
        let holds = open.flatten().any(|fd| fs::read_link(fd.path()).is_ok_and(|to| to == real));
        if !holds || pid == ours {
            return None;
        }
        let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
        Some(format!("{} (pid {pid})", name.trim()))
    })
}

fn uid() -> u32 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    line.and_then(|ids| ids.split_whitespace().nth(1)?.parse().ok()).unwrap_or(u32::MAX)
}

fn user(id: u32) -> String {
    named("/etc/passwd", id)
}

/// The name of a number in a file like `/etc/passwd`, or the number.
fn named(file: &str, id: u32) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let found = text.lines().find_map(|line| {
        let mut parts = line.split(':');
        let name = parts.next()?;
        (parts.nth(1)?.parse::<u32>().ok()? == id).then(|| name.to_owned())
    });
    found.unwrap_or_else(|| id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(kind: ErrorKind, text: &str) -> tokio_serial::Error {
        tokio_serial::Error::new(tokio_serial::ErrorKind::Io(kind), text)
    }

    #[test]
    fn what_is_in_the_way_is_named_with_what_to_do() {
        let gone = explain(Path::new("/dev/no-such-port"), &error(ErrorKind::NotFound, "No such file"));
        assert!(gone.starts_with("port /dev/no-such-port is not there"), "{gone}");
        let text = explain(Path::new("/etc/passwd"), &error(ErrorKind::Other, "Not a typewriter"));
        assert_eq!(text, "port /etc/passwd is no serial port");
        let denied =
            explain(Path::new("/dev/null"), &error(ErrorKind::PermissionDenied, "Permission denied"));
        assert!(denied.contains("/dev/null: permission denied for user"), "{denied}");
        assert!(denied.contains("it belongs to root:root"), "{denied}");
        let busy =
            explain(Path::new("/dev/zero"), &error(ErrorKind::ResourceBusy, "Device or resource busy"));
        assert!(busy.contains("/dev/zero is held by"), "{busy}");
    }
}
