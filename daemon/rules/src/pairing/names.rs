//! What a person perhaps meant by a word that is not known.

/// The known word that `text` most looks like, if it looks like any. Two of three characters must stand; of
/// a word of two or three characters, as most Chinese names are, all but one. Of several as near the one that
/// begins alike, then the one listed first.
#[must_use]
pub fn nearest<'w>(text: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let lower = text.to_lowercase();
    words
        .into_iter()
        .filter_map(|word| {
            let known = word.to_lowercase();
            let longest = known.chars().count().max(lower.chars().count());
            let most = if longest > 3 { longest / 3 } else { usize::from(longest > 1) };
            let distance = strsim::damerau_levenshtein(&lower, &known);
            (distance <= most).then_some(((distance, known.chars().next() != lower.chars().next()), word))
        })
        .min_by_key(|(near, _)| *near)
        .map(|(_, word)| word)
}

/// `a`, `b`, `c`.
pub(super) fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Why a text is no name, if it is none.
pub(super) fn no_name(text: &str) -> Option<&'static str> {
    /// No name of a person or team is longer, in characters.
    const LONGEST: usize = 250;
    if text.trim().is_empty() {
        Some("is empty")
    } else if text.chars().count() > LONGEST {
        Some("has more than 250 characters")
    } else if text.chars().any(char::is_control) {
        Some("has control characters")
    } else {
        None
    }
}
