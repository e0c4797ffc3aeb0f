//! A cursor over JSON: no allocation, no recursion on what is skipped, strict syntax.
//!
//! Decides what is legal JSON, nothing about messages. A number with a fraction or an exponent is
//! taken as the whole number it stands for (`2.5e3` is 2500); one that stands for none is handed on
//! as bytes, which every visitor of a whole number refuses and every skipping one takes. Serde reads by it (`deserialize`), and
//! so do commands ([`super::members`]).

mod deserialize;
mod fault;

use super::members::Member;
use core::fmt::{self, Write};
pub use fault::{Fault, JsonError, Reason};
use heapless::String;

/// Objects and arrays within each other in what is skipped.
const MAX_DEPTH: u32 = 64;
/// Longer strings are cut here. No name or value of ours comes near, so a cut one matches none.
const TEXT: usize = 136;

/// Keeps what fits: an error is for a person, and its end matters least.
struct Cut<'a, const N: usize>(&'a mut String<N>);

impl<const N: usize> Write for Cut<'_, N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if self.0.push(c).is_err() {
                break;
            }
        }
        Ok(())
    }
}

type Result<T> = core::result::Result<T, Fault>;

/// A cursor over one JSON text.
pub struct Reader<'de> {
    text: &'de str,
    at: usize,
}

/// A number, as far as it is a whole one.
enum Number {
    Positive(u64),
    Negative(i64),
    NotWhole,
}

/// An exponent beyond all numbers of digits; ten times as much fits, too.
const FAR: i32 = 100_000_000;

/// `value` x 10^`tens`, where that is a whole number that fits.
#[inline(never)]
fn scaled(value: Option<u64>, tens: i32) -> Option<u64> {
    let mut value = value?;
    if value == 0 {
        return Some(0);
    }
    if tens < 0 {
        return None;
    }
    for _ in 0..tens {
        if value > u64::MAX / 10 {
            return None;
        }
        value *= 10;
    }
    Some(value)
}

/// A string as it stands between its quotes.
enum Text<'de> {
    Plain(&'de str),
    /// With escapes in it, which are in order.
    Escaped(&'de str),
}

/// What an escaped text says, cut to fit.
fn unescaped(text: &str) -> String<TEXT> {
    let mut reader = Reader { text, at: 0 };
    let mut says = String::new();
    while let Some(byte) = reader.peek() {
        let from = reader.at;
        if byte == b'\\' {
            reader.at += 1;
            // It was looked at before, so there is always one.
            let _ = Cut(&mut says).write_char(reader.escape().unwrap_or(char::REPLACEMENT_CHARACTER));
        } else {
            while reader.peek().is_some_and(|byte| byte != b'\\') {
                reader.at += 1;
            }
            let _ = Cut(&mut says).write_str(&text[from..reader.at]);
        }
    }
    says
}

impl<'de> Reader<'de> {
    pub fn new(text: &'de [u8]) -> Result<Self> {
        let text = core::str::from_utf8(text)
            .map_err(|e| Fault::syntax(e.valid_up_to(), "bytes that are no utf-8"))?;
        Ok(Self { text, at: 0 })
    }

    /// One on nothing.
    pub const fn empty() -> Self {
        Self { text: "", at: 0 }
    }

    pub const fn at(&self) -> usize {
        self.at
    }

    /// Another one on the same text, at a place that this one passed.
    pub fn from(&self, at: usize) -> Self {
        Self { text: self.text, at }
    }

    /// The text that follows.
    pub fn text<T>(&mut self, read: impl FnOnce(&str) -> T) -> Result<T> {
        Ok(match self.string()? {
            Text::Plain(text) => read(text),
            Text::Escaped(text) => read(&unescaped(text)),
        })
    }

    /// The value that stands at a place that was passed, as far as it can be said without reading into it.
    #[inline(never)]
    pub fn member(&self, at: usize) -> Member {
        let mut reader = self.from(at);
        match reader.peek() {
            Some(b'"') => Member::Text,
            Some(b'{') => Member::Object,
            Some(b'[') => Member::List,
            Some(b't') => Member::Bool(true),
            Some(b'f') => Member::Bool(false),
            Some(b'n') => Member::Null,
            // Read before, so there is no fault.
            _ => match reader.number() {
                Ok(Number::Positive(n)) => Member::Positive(n),
                Ok(Number::Negative(n)) => Member::Negative(n),
                Ok(Number::NotWhole) | Err(_) => Member::Other,
            },
        }
    }

    /// Passes over a value; says where it begins.
    fn pass(&mut self) -> Result<usize> {
        self.token();
        let at = self.at;
        self.skip()?;
        Ok(at)
    }

    /// The members of the object that follows: where those of these names stand, 0 where there is none. One said twice is an
    /// error.
    #[inline(never)]
    pub fn members(&mut self, names: &[&'static str], into: &mut [usize]) -> Result<()> {
        self.take(b'{', "an object was due")?;
        let mut first = true;
        while self.more(b'}', &mut first)? {
            if self.token() != Some(b'"') {
                return self.wrong("a name was due");
            }
            let place = self.text(|name| names.iter().position(|other| *other == name))?;
            self.take(b':', "a colon was due")?;
            let at = self.pass()?;
            if let Some(place) = place.and_then(|place| into.get_mut(place)) {
                if *place != 0 {
                    return self.wrong("a member said twice");
                }
                *place = at;
            }
        }
        self.take(b'}', "the end of an object was due")
    }

    /// Where each element of the list that follows stands.
    pub fn elements(&mut self, each: &mut dyn FnMut(usize)) -> Result<()> {
        self.take(b'[', "a list was due")?;
        let mut first = true;
        while self.more(b']', &mut first)? {
            each(self.pass()?);
        }
        self.take(b']', "the end of a list was due")
    }

    /// Whether another one follows before `end`; takes the comma.
    fn more(&mut self, end: u8, first: &mut bool) -> Result<bool> {
        match self.token() {
            Some(b) if b == end => Ok(false),
            _ if *first => {
                *first = false;
                Ok(true)
            }
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            _ => self.wrong("a comma or an end was due"),
        }
    }

    /// Nothing but white space may follow.
    pub fn end(&mut self) -> Result<()> {
        match self.token() {
            None => Ok(()),
            Some(_) => self.wrong("more after the end"),
        }
    }

    fn wrong<T>(&self, what: &'static str) -> Result<T> {
        Err(Fault::syntax(self.at, what))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is no white space, not yet taken.
    fn token(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
        self.peek()
    }

    fn take(&mut self, wanted: u8, otherwise: &'static str) -> Result<()> {
        if self.token() == Some(wanted) {
            self.at += 1;
            Ok(())
        } else {
            self.wrong(otherwise)
        }
    }

    fn word(&mut self, word: &str) -> Result<()> {
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            self.wrong("an unknown word")
        }
    }

    /// Digits, each handed on; says how many.
    fn digits(&mut self, each: &mut dyn FnMut(u8)) -> Result<i32> {
        let start = self.at;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            each(digit - b'0');
            self.at += 1;
        }
        if self.at == start {
            return self.wrong("a number without digits");
        }
        Ok(i32::try_from(self.at - start).unwrap_or(FAR))
    }

    #[inline(never)]
    fn number(&mut self) -> Result<Number> {
        // value x 10^zeros; zeros wait, so that 1.000 is 1 and a long tail of zeros is no overflow
        let mut value = Some(0_u64);
        let mut zeros = 0_i32;
        let mut digit = |d: u8| {
            if d == 0 {
                zeros = zeros.saturating_add(1);
            } else {
                value = scaled(value, zeros.saturating_add(1)).and_then(|v| v.checked_add(u64::from(d)));
                zeros = 0;
            }
        };
        let negative = self.peek() == Some(b'-');
        if negative {
            self.at += 1;
        }
        let leading_zero = self.peek() == Some(b'0');
        if self.digits(&mut digit)? > 1 && leading_zero {
            return self.wrong("a number with a leading zero");
        }
        let mut exponent = 0_i32;
        if self.peek() == Some(b'.') {
            self.at += 1;
            exponent -= self.digits(&mut digit)?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            let down = self.peek() == Some(b'-');
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            let mut stated = 0_i32;
            self.digits(&mut |d| {
                if stated < FAR {
                    stated = stated * 10 + i32::from(d);
                }
            })?;
            exponent = exponent.saturating_add(if down { -stated } else { stated });
        }
        let whole = scaled(value, exponent.saturating_add(zeros));
        Ok(match (whole, negative) {
            (Some(v), false) => Number::Positive(v),
            (Some(v), true) => 0_i64.checked_sub_unsigned(v).map_or(Number::NotWhole, Number::Negative),
            (None, _) => Number::NotWhole,
        })
    }

    fn hex4(&mut self) -> Result<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|b| char::from(b).to_digit(16)) else {
                return self.wrong("a bad \\u escape");
            };
            code = code << 4 | digit;
            self.at += 1;
        }
        Ok(code)
    }

    /// After a backslash.
    fn escape(&mut self) -> Result<char> {
        let Some(kind) = self.peek() else { return self.wrong("a string without end") };
        self.at += 1;
        Ok(match kind {
            b'"' | b'\\' | b'/' => char::from(kind),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.hex4()?;
                let rest = &self.text.as_bytes()[self.at..];
                if (0xd800..0xdc00).contains(&first) && rest.starts_with(b"\\u") {
                    let back = self.at;
                    self.at += 2;
                    let second = self.hex4()?;
                    if (0xdc00..0xe000).contains(&second) {
                        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                        return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                    self.at = back;
                }
                // a lone surrogate is legal JSON and no character
                char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return self.wrong("an unknown escape"),
        })
    }

    #[inline(never)]
    fn string(&mut self) -> Result<Text<'de>> {
        self.take(b'"', "a string was due")?;
        let start = self.at;
        let mut plain = true;
        loop {
            match self.peek() {
                Some(b'"') => {
                    let text = &self.text[start..self.at];
                    self.at += 1;
                    return Ok(if plain { Text::Plain(text) } else { Text::Escaped(text) });
                }
                Some(b'\\') => {
                    plain = false;
                    self.at += 1;
                    self.escape()?;
                }
                Some(byte) if byte >= b' ' => self.at += 1,
                Some(_) => return self.wrong("a control character in a string"),
                None => return self.wrong("a string without end"),
            }
        }
    }

    /// Passes over one value, checking its syntax, without recursion: one bit per level says whether
    /// it is an object.
    #[inline(never)]
    fn skip(&mut self) -> Result<()> {
        let (mut depth, mut objects) = (0_u32, 0_u64);
        loop {
            match self.token() {
                Some(open @ (b'{' | b'[')) => {
                    self.at += 1;
                    let object = open == b'{';
                    if self.token() == Some(if object { b'}' } else { b']' }) {
                        self.at += 1;
                    } else {
                        if depth == MAX_DEPTH {
                            return self.wrong("too many levels");
                        }
                        depth += 1;
                        objects = objects << 1 | u64::from(object);
                        if object {
                            self.key()?;
                        }
                        continue;
                    }
                }
                Some(b'"') => {
                    self.string()?;
                }
                Some(b'-' | b'0'..=b'9') => {
                    self.number()?;
                }
                Some(b't') => self.word("true")?,
                Some(b'f') => self.word("false")?,
                Some(b'n') => self.word("null")?,
                _ => return self.wrong("a value was due"),
            }
            loop {
                if depth == 0 {
                    return Ok(());
                }
                let object = objects & 1 == 1;
                match (self.token(), object) {
                    (Some(b','), _) => {
                        self.at += 1;
                        if object {
                            self.key()?;
                        }
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        depth -= 1;
                        objects >>= 1;
                    }
                    _ => return self.wrong("a comma or an end was due"),
                }
            }
        }
    }

    fn key(&mut self) -> Result<()> {
        self.string()?;
        self.take(b':', "a colon was due")
    }
}
