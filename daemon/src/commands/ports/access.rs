//! Who may open a port, told without opening it.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A port's mode and owners, and whether they let us in.
#[derive(Debug)]
pub(super) struct Access {
    mode: u32,
    owner: String,
    group: String,
    may: bool,
}

/// Who we are, as `/proc/self/status` has it.
#[derive(Debug, Default)]
struct Me {
    user: Option<u32>,
    groups: Vec<u32>,
}

impl Access {
    pub fn of(path: &Path) -> io::Result<Self> {
        let of = fs::metadata(path)?;
        let me = Me::read(&fs::read_to_string("/proc/self/status").unwrap_or_default());
        let (mode, user, group) = (of.mode() & 0o7777, of.uid(), of.gid());
        Ok(Self {
            mode,
            owner: name("/etc/passwd", user),
            group: name("/etc/group", group),
            may: me.may(mode, user, group),
        })
    }

    /// Whether we may open it.
    pub const fn lets_us_in(&self) -> bool {
        self.may
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mode, owner, group, may } = self;
        write!(f, "{mode:04o} {owner}:{group}, ")?;
        if *may {
            f.write_str("you may open it")
        } else if mode & 0o060 == 0o060 {
            write!(f, "you may not: join the group with `sudo usermod -aG {group} $USER` and log in again")
        } else {
            f.write_str("you may not, and nor may its group: a udev rule is wanted")
        }
    }
}

impl Me {
    fn read(status: &str) -> Self {
        let mut me = Self::default();
        for line in status.lines() {
            let mut words = line.split_whitespace();
            match words.next() {
                // real, effective, saved, file system: the last is the one that opens files
                Some("Uid:") => me.user = words.nth(3).and_then(|word| word.parse().ok()),
                Some("Gid:") => me.groups.extend(words.nth(3).and_then(|word| word.parse::<u32>().ok())),
                Some("Groups:") => me.groups.extend(words.filter_map(|word| word.parse::<u32>().ok())),
                _ => {}
            }
        }
        me
    }

    /// Reading and writing both.
    fn may(&self, mode: u32, owner: u32, group: u32) -> bool {
        let bits = match self.user {
            Some(0) => return true,
            Some(user) if user == owner => mode >> 6,
            _ if self.groups.contains(&group) => mode >> 3,
            _ => mode,
        };
        bits & 0o6 == 0o6
    }
}

fn name(file: &str, id: u32) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let found = text.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(id)).then(|| name.to_owned())
    });
    found.unwrap_or_else(|| id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_class_that_fits_decides() {
        let me = Me::read("Name:\tx\nUid:\t5\t5\t5\t1000\nGid:\t5\t5\t5\t1000\nGroups:\t20 27\n");
        assert_eq!((me.user, me.groups.as_slice()), (Some(1000), [1000, 20, 27].as_slice()));
        assert!(me.may(0o660, 0, 20), "a member of the group");
        assert!(!me.may(0o660, 0, 21));
        assert!(!me.may(0o600, 0, 20));
        assert!(!me.may(0o066, 1000, 20), "an owner shut out is not let in as a member");
        assert!(!me.may(0o640, 0, 20), "reading is not enough");
        assert!(me.may(0o666, 0, 99));
        assert!(Me { user: Some(0), groups: Vec::new() }.may(0, 5, 5), "root");
    }

    #[test]
    fn says_what_to_do() {
        let shut =
            |mode| Access { mode, owner: "root".into(), group: "dialout".into(), may: false }.to_string();
        assert!(
            shut(0o660)
                .contains("0660 root:dialout, you may not: join the group with `sudo usermod -aG dialout")
        );
        assert!(shut(0o600).contains("a udev rule is wanted"));
    }
}
