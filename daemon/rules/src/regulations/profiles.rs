//! The sets of values that are built in, each a file in the documented format.
//!
//! Here they are texts only: the program reads them as it reads anybody's file.

use serde::{Deserialize, Serialize};

/// The set every other one rests on.
pub const BASE: &str = "wugong-2012";

/// A set of values that is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

macro_rules! built_in {
    ($($name:literal,)*) => {
        /// All of them; [`BASE`] is the first.
        pub const PROFILES: &[BuiltIn] =
            &[$(BuiltIn { name: $name, text: include_str!(concat!("profiles/", $name, ".toml")) },)*];
    };
}

built_in! {
    "wugong-2012",
    "xiangqi-60-30",
    "xiangqi-50-20",
    "xiangqi-30-20",
    "xiangqi-30-10",
    "xiangqi-25-5",
    "xiangqi-10-10",
    "xiangqi-5-3",
    "xiangqi-playoff-6-4",
    "xiangqi-playoff-40-20",
    "fide-standard",
    "fide-90-40-30",
    "fide-rapid",
    "fide-blitz",
    "us-chess",
}

impl BuiltIn {
    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        PROFILES.iter().find(|profile| profile.name == name).copied()
    }
}

/// Whose values an event plays by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    /// The name of the set: built in, or as its file says.
    pub name: String,
    /// The keys of which the event says otherwise, in the order of the values.
    pub changed: Vec<String>,
}

impl Default for Profile {
    fn default() -> Self {
        Self { name: BASE.to_owned(), changed: Vec::new() }
    }
}
