//! The arithmetic of a case: whole milliseconds and names, as in `r - u + 5s` or `roundup(r - u, 30s)`.
//!
//! What the names stand for is somebody else's. Nothing overflows: beyond what fits, a sum stays at the most there is.

use crate::Span;
use std::fmt;

/// What a name or an expression stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Number(i64),
    /// A side, who did it, a refusal, ...
    Word(String),
    /// The clock does not say.
    Unsaid,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
            Self::Unsaid => f.write_str("(unsaid)"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    Number(i64),
    Name(String),
    Add(Box<Expr>, Box<Expr>),
    Sub(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
    Min(Box<Expr>, Box<Expr>),
    Max(Box<Expr>, Box<Expr>),
    /// The next whole multiple.
    RoundUp(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// Reads an expression, all of `text`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { rest: text.trim() };
        let expr = parser.sum()?;
        if parser.rest.is_empty() {
            Ok(expr)
        } else {
            Err(format!("`{}` is too much in `{text}`", parser.rest))
        }
    }

    /// The names in it.
    pub(crate) fn names(&self) -> Vec<&str> {
        match self {
            Self::Number(_) => vec![],
            Self::Name(name) => vec![name],
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Min(a, b)
            | Self::Max(a, b)
            | Self::RoundUp(a, b) => [a.names(), b.names()].concat(),
        }
    }

    /// What it comes to, where `named` says what names stand for.
    pub(crate) fn value(&self, named: &dyn Fn(&str) -> Result<Value, String>) -> Result<Value, String> {
        let both = |a: &Self, b: &Self, sum: fn(i64, i64) -> i64| match (a.value(named)?, b.value(named)?) {
            (Value::Number(a), Value::Number(b)) => Ok(Value::Number(sum(a, b))),
            (Value::Unsaid, _) | (_, Value::Unsaid) => Ok(Value::Unsaid),
            (a, b) => Err(format!("`{a}` and `{b}` are no numbers")),
        };
        match self {
            Self::Number(number) => Ok(Value::Number(*number)),
            Self::Name(name) => named(name),
            Self::Add(a, b) => both(a, b, i64::saturating_add),
            Self::Sub(a, b) => both(a, b, i64::saturating_sub),
            Self::Mul(a, b) => both(a, b, i64::saturating_mul),
            Self::Min(a, b) => both(a, b, i64::min),
            Self::Max(a, b) => both(a, b, i64::max),
            Self::RoundUp(a, b) => both(a, b, |a, b| {
                let rest = a.checked_rem_euclid(b).unwrap_or(0);
                if rest == 0 { a } else { a - rest + b }
            }),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn skip(&mut self, sign: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn sum(&mut self) -> Result<Expr, String> {
        let mut left = self.product()?;
        loop {
            let sum = if self.skip('+') {
                Expr::Add
            } else if self.skip('-') {
                Expr::Sub
            } else {
                return Ok(left);
            };
            left = sum(left.into(), self.product()?.into());
        }
    }

    fn product(&mut self) -> Result<Expr, String> {
        let mut left = self.atom()?;
        while self.skip('*') {
            left = Expr::Mul(left.into(), self.atom()?.into());
        }
        Ok(left)
    }

    fn atom(&mut self) -> Result<Expr, String> {
        if self.skip('-') {
            return Ok(Expr::Sub(Expr::Number(0).into(), self.atom()?.into()));
        }
        if self.skip('(') {
            let inner = self.sum()?;
            return if self.skip(')') { Ok(inner) } else { Err("a `)` is missing".into()) };
        }
        let word = self.word();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return number(word).map(Expr::Number);
        }
        let of: fn(Box<Expr>, Box<Expr>) -> Expr = match word {
            "" => return Err(format!("something is missing before `{}`", self.rest)),
            "min" => Expr::Min,
            "max" => Expr::Max,
            "roundup" => Expr::RoundUp,
            name => return Ok(Expr::Name(name.into())),
        };
        if !self.skip('(') {
            return Err(format!("`{word}` wants two in brackets"));
        }
        let first = self.sum()?;
        let second = if self.skip(',') { self.sum()? } else { return Err(format!("`{word}` wants two")) };
        if self.skip(')') { Ok(of(first.into(), second.into())) } else { Err("a `)` is missing".into()) }
    }
}

/// A number of milliseconds, or with its unit.
pub(crate) fn number(word: &str) -> Result<i64, String> {
    let plain = word.replace('_', "");
    plain
        .parse()
        .or_else(|_| plain.parse::<Span>().map(|span| span.0))
        .map_err(|_| format!("`{word}` is no number of milliseconds, nor 90s, 5m, 1h or 250ms"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Value, String> {
        Expr::parse(text)?.value(&|name| match name {
            "r" => Ok(Value::Number(60_000)),
            "u" => Ok(Value::Number(2_500)),
            "p1.left_ms" => Ok(Value::Unsaid),
            "left" => Ok(Value::Word("left".into())),
            name => Err(format!("`{name}`?")),
        })
    }

    #[test]
    fn sums_are_read_as_people_read_them() {
        for (text, expected) in [
            ("r - u + 5s", 62_500),
            ("r-u-1", 57_499),
            ("2 * (u + 1) - 1", 5_001),
            ("min(r, r - u + 10s)", 60_000),
            ("roundup(r - u, 30s)", 60_000),
            ("roundup(r, 30s)", 60_000),
            ("max(-u, -1m)", -2_500),
            ("1_000", 1_000),
        ] {
            assert_eq!(value(text), Ok(Value::Number(expected)), "{text}");
        }
        assert_eq!(value("left"), Ok(Value::Word("left".into())));
        assert_eq!(value("p1.left_ms + 5"), Ok(Value::Unsaid));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in ["", "r -", "r u", "(r", "min(r)", "5x", "left + 1", "nobody"] {
            assert!(value(text).is_err(), "{text}");
        }
    }
}
