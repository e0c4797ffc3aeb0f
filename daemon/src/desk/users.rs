//! Who may come in. Tokens are never kept, never logged; only their SHA-256 is known here.

use crate::config::User;
use flagfall_rules::Who;
use sha2::{Digest, Sha256};
use std::fmt;

/// The desk's users by their tokens' hashes.
pub struct Users {
    users: Vec<([u8; 32], Known)>,
}

/// A user as the desk knows him.
#[derive(Debug, PartialEq)]
pub struct Known {
    /// His name and role.
    pub who: Who,
    /// The tables that are his first, each from and to; none: all alike.
    pub tables: Vec<[u32; 2]>,
}

impl fmt::Debug for Users {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.users.iter().map(|(_, known)| &known.who.name)).finish()
    }
}

impl Users {
    /// As configured.
    #[must_use]
    pub fn new(users: &[User]) -> Self {
        let users = users.iter().map(|user| {
            let tables = user.tables.0.iter().map(|range| [*range.start(), *range.end()]).collect();
            (user.token_sha256, Known { who: Who { name: user.name.clone(), role: user.role }, tables })
        });
        Self { users: users.collect() }
    }

    /// Whose token this is. Takes as long for a wrong one as for a right one.
    #[must_use]
    pub fn of(&self, token: &str) -> Option<&Known> {
        let hash: [u8; 32] = Sha256::digest(token.as_bytes()).into();
        let mut found = None;
        for (token, known) in &self.users {
            if same(token, &hash) {
                found = Some(known);
            }
        }
        found
    }
}

/// Compares without stopping at the first difference.
fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    let differs = a.iter().zip(b).fold(0, |differs, (a, b)| differs | (a ^ b));
    std::hint::black_box(differs) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_arbiter::Role;

    fn user(name: &str, token: &str) -> User {
        let token_sha256 = Sha256::digest(token.as_bytes()).into();
        User { name: name.into(), role: Role::Viewer, tables: Default::default(), token_sha256 }
    }

    #[test]
    fn only_the_whole_token_is_taken_and_it_is_never_shown() {
        let users = Users::new(&[user("chief", "alpha"), user("wall", "beta")]);
        assert_eq!(users.of("beta").map(|known| known.who.name.as_str()), Some("wall"));
        assert_eq!(users.of("alpha").map(|known| known.who.name.as_str()), Some("chief"));
        for wrong in ["", "alph", "alphaa", "ALPHA", "beta "] {
            assert_eq!(users.of(wrong), None, "{wrong:?}");
        }
        assert_eq!(format!("{users:?}"), r#"["chief", "wall"]"#);
    }

    #[test]
    fn every_byte_of_the_hash_counts() {
        let a = [7; 32];
        for place in 0..32 {
            let mut b = a;
            b[place] ^= 1;
            assert!(!same(&a, &b));
        }
        assert!(same(&a, &a));
    }
}
