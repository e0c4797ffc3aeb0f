//! A file's bytes as text: UTF-8, or GB18030 as Windows in Chinese writes it. Nothing is guessed that could
//! turn one name into another: what is neither is refused.

use encoding_rs::{GB18030, WINDOWS_1252};
use std::borrow::Cow;

/// How a text was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a mark at its start.
    Utf8,
    /// GB18030, which holds GBK and GB2312.
    Gb18030,
}

/// A file's text.
///
/// # Errors
/// What it is instead, and what to do.
pub fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), &'static str> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err("is UTF-16; save it as UTF-8");
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok((Cow::Borrowed(text), Encoding::Utf8));
    }
    match han(bytes) {
        Some(text) => Ok((Cow::Owned(text), Encoding::Gb18030)),
        None => Err("is neither UTF-8 nor Chinese text in GB18030; save it as UTF-8"),
    }
}

/// What a text really says that was read in the wrong encoding on its way here: bytes of GB18030 or UTF-8
/// that somebody took for Latin letters.
#[must_use]
pub fn misread(text: &str) -> Option<String> {
    if text.is_ascii() || text.chars().any(is_han) {
        return None;
    }
    let (bytes, _, lost) = WINDOWS_1252.encode(text);
    if lost {
        return None;
    }
    let utf8 = std::str::from_utf8(&bytes).ok().filter(|text| text.chars().any(is_han));
    utf8.map(str::to_owned).or_else(|| han(&bytes))
}

/// Chinese text in GB18030, without a doubt. Almost any bytes can be read as GB18030, so it must also look
/// like it: Han and its signs only, and mostly of GB2312, whose second bytes are no letters. Of `Müller` in
/// Latin letters the bytes of `ül` would make a rare Han character.
fn han(bytes: &[u8]) -> Option<String> {
    let text = GB18030.decode_without_bom_handling_and_without_replacement(bytes)?;
    let signs = |c: char| matches!(c, '·' | '‐'..='‧' | '\u{3000}'..='〿' | '！'..='～' | 'Ⅰ'..='Ⅻ');
    if !text.chars().all(|c| c.is_ascii() || is_han(c) || signs(c)) || !text.chars().any(is_han) {
        return None;
    }
    let (mut pairs, mut plain, mut at) = (0_usize, 0_usize, 0_usize);
    while let Some(&lead) = bytes.get(at) {
        if lead < 0x80 {
            at += 1;
            continue;
        }
        let trail = bytes.get(at + 1).copied().unwrap_or(0);
        pairs += 1;
        plain += usize::from(trail >= 0xa1);
        at += if trail.is_ascii_digit() { 4 } else { 2 };
    }
    (plain * 2 > pairs).then(|| text.into_owned())
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{323af}' | '〇')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gb(text: &str) -> Vec<u8> {
        GB18030.encode(text).0.into_owned()
    }

    #[test]
    fn gb18030_is_read_with_rare_names_too() {
        for text in ["台次,红方\n1,张三\n", "1,王喆\n2,李镕\n3,陈䶮\n", "1,阿布都·热合曼\n"]
        {
            assert_eq!(decode(&gb(text)), Ok((Cow::Borrowed(text), Encoding::Gb18030)), "{text}");
        }
    }

    #[test]
    fn latin_letters_are_not_taken_for_han() {
        let (bytes, _, _) =
            WINDOWS_1252.encode("board,first,second\n1,Müller,Gröning\n2,Vallejo Pons,Ivanišević\n");
        assert!(decode(&bytes).is_err());
        assert_eq!(misread("Müller, Gröning, Ivanišević"), None);
    }

    #[test]
    fn what_was_read_in_the_wrong_encoding_is_known_again() {
        let bytes = gb("张三,李四,武汉钢铁");
        let (as_latin, _) = WINDOWS_1252.decode_without_bom_handling(&bytes);
        assert_eq!(misread(&as_latin).as_deref(), Some("张三,李四,武汉钢铁"));
        let (as_latin, _) = WINDOWS_1252.decode_without_bom_handling("张三,李四".as_bytes());
        assert_eq!(misread(&as_latin).as_deref(), Some("张三,李四"));
        assert_eq!(misread("张三"), None);
    }

    #[test]
    fn marks_and_utf_16_are_told_apart() {
        assert_eq!(decode("\u{feff}a".as_bytes()), Ok((Cow::Borrowed("a"), Encoding::Utf8)));
        assert!(decode(b"\xff\xfea\0").is_err_and(|what| what.contains("UTF-16")));
    }
}
