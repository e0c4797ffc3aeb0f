//! Words for a person who wrote something else than was meant.

/// `a`, `b`, `c`.
pub(super) fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// The known word that `text` most looks like, if it looks like any.
pub(crate) fn nearest<'w>(text: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let lower = text.to_lowercase();
    words
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&lower, word), word))
        .filter(|(distance, word)| *distance <= word.chars().count().max(lower.chars().count()) / 3)
        .min()
        .map(|(_, word)| word)
}

/// `; did you mean ...?`, if one is near.
pub(super) fn meant<'w>(text: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    nearest(text, words).map_or_else(String::new, |word| format!("; did you mean `{word}`?"))
}
