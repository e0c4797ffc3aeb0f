//! Which programs have a port open or locked, told by `/proc`, without touching the port.
//!
//! Open files of other users' programs are seen by root only; locks are seen by all.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A program that has a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Holder {
    pid: u32,
    name: String,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (pid {})", self.name, self.pid)
    }
}

/// Those who have `port`, this process left out.
pub(super) fn of(port: &Path) -> Vec<Holder> {
    let mut pids: BTreeMap<u32, ()> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let open = fs::read_dir(entry.path().join("fd")).into_iter().flatten().flatten();
        if open.filter_map(|file| fs::read_link(file.path()).ok()).any(|target| target == port) {
            pids.insert(pid, ());
        }
    }
    if let Ok(of) = fs::metadata(port) {
        let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
        pids.extend(lockers(&locks, of.dev(), of.ino()).map(|pid| (pid, ())));
    }
    pids.remove(&std::process::id());
    pids.into_keys().map(|pid| Holder { pid, name: name(pid) }).collect()
}

fn name(pid: u32) -> String {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    let name: String = name.trim().chars().filter(|c| !c.is_control()).collect();
    if name.is_empty() { "a program".into() } else { name }
}

/// Lines like `1: FLOCK  ADVISORY  WRITE 4242 00:05:123 0 EOF`; the device is in hex.
fn lockers(locks: &str, device: u64, inode: u64) -> impl Iterator<Item = u32> {
    // as the kernel splits a device number for user space
    let major = (device >> 8 & 0xfff) | (device >> 32 & !0xfff);
    let minor = (device & 0xff) | (device >> 12 & !0xff);
    let place = format!("{major:02x}:{minor:02x}:{inode}");
    locks.lines().filter_map(move |line| {
        let mut words =
            line.split_whitespace().skip_while(|word| *word != "READ" && *word != "WRITE").skip(1);
        let pid = words.next()?.parse().ok()?;
        (words.next()? == place).then_some(pid)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn locks_are_found_by_device_and_inode() {
        let locks = "1: FLOCK  ADVISORY  WRITE 4242 00:05:123 0 EOF\n2: POSIX  ADVISORY  READ 7 08:02:123 0 EOF\n\
                     3: -> FLOCK  ADVISORY  WRITE 9 00:05:123 0 EOF\ngarbage\n";
        assert_eq!(lockers(locks, 5, 123).collect::<Vec<_>>(), [4242, 9]);
        assert_eq!(lockers(locks, 0x802, 123).collect::<Vec<_>>(), [7]);
    }

    #[test]
    fn a_program_that_has_a_file_open_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(of(file.path()), []);
        let open = fs::File::open(file.path()).unwrap();
        let mut cat =
            Command::new("tail").arg("-f").stdin(Stdio::from(open)).stdout(Stdio::null()).spawn().unwrap();
        let holders = of(file.path());
        cat.kill().unwrap();
        cat.wait().unwrap();
        assert_eq!(holders.len(), 1, "{holders:?}");
        assert_eq!(holders[0].pid, cat.id());
    }
}
