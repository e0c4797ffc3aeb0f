//! `flagfall check --readings`: how this event reads what its regulations leave open, on one page, to be signed
//! before the first round (十一.2 leaves interpretation to the event's arbiters).
//!
//! The letters A1 to A12 are those of the analysis of the regulations of 2012. Each line is written from the values in
//! force and knows which they are; none is made up. What looks after the clocks only (`low_time_ms`,
//! `still_playing_ms`) is nobody's to sign.

mod clock;
mod fouls;
mod scores;

use crate::config::Config;
use flagfall_rules::{Laws, Regulations};
use std::io::{self, Write};

/// A line of the page.
struct Reading {
    /// A1 to A12, or nothing.
    mark: &'static str,
    /// By the laws in force.
    article: &'static str,
    /// The values it is written from.
    keys: &'static [&'static str],
    zh: String,
    en: String,
}

/// Where a reading stands in each of the laws; a dash where none was read.
struct Articles {
    wugong: &'static str,
    fide: &'static str,
    us_chess: &'static str,
}

const fn articles(wugong: &'static str, fide: &'static str, us_chess: &'static str) -> Articles {
    Articles { wugong, fide, us_chess }
}

fn reading(
    r: &Regulations,
    mark: &'static str,
    articles: &Articles,
    keys: &'static [&'static str],
    (zh, en): (impl Into<String>, impl Into<String>),
) -> Reading {
    let article = match r.laws {
        Laws::Wugong => articles.wugong,
        Laws::Fide => articles.fide,
        Laws::UsChess => articles.us_chess,
    };
    Reading { mark, article, keys, zh: zh.into(), en: en.into() }
}

impl Reading {
    /// The event reads it otherwise than usual. Only where the articles are those that the letters are about.
    fn otherwise(&self, r: &Regulations) -> bool {
        let plain = Regulations::default();
        let differs = |key: &&str| r.get(key) != plain.get(key);
        r.laws == Laws::Wugong && !self.mark.is_empty() && self.keys.iter().any(differs)
    }
}

pub(super) fn write(config: &Config, out: &mut dyn Write) -> io::Result<()> {
    let r = &config.setup.regulations;
    let (zh, en) = book(r.laws);
    writeln!(out, "{}", config.setup.event)?;
    writeln!(out, "规则的读法 / How this event reads its regulations ({})", r.profile.name)?;
    writeln!(out, "条款号：{zh} / Articles: {en}\n")?;
    let readings = readings(r);
    for reading in &readings {
        let mark = format!("{}{}", reading.mark, if reading.otherwise(r) { "*" } else { "" });
        writeln!(out, "{mark:<4} {:<6} {}", reading.article, reading.zh)?;
        writeln!(out, "            {}", reading.en)?;
    }
    if readings.iter().any(|reading| reading.otherwise(r)) {
        writeln!(out, "* 本次比赛另作规定 / this event reads it otherwise than usual")?;
    }
    writeln!(out, "\n裁判长 / Chief arbiter  ______________________   日期 / Date  ______________")?;
    writeln!(
        out,
        "领队签名 / Captains     ______________________   ______________________   ______________________"
    )
}

fn book(laws: Laws) -> (&'static str, &'static str) {
    match laws {
        Laws::Wugong => ("2012 武工杯补充规定", "the supplementary regulations of 2012"),
        Laws::Fide => ("国际棋联国际象棋规则", "the FIDE Laws of Chess"),
        Laws::UsChess => ("美国国际象棋规则", "the US Chess rules"),
    }
}

fn readings(r: &Regulations) -> Vec<Reading> {
    let mut page = clock::readings(r);
    page.extend(fouls::readings(r));
    page.extend(scores::readings(r));
    page
}

/// `1 foul`, `2 fouls`.
fn counted(count: u32, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests;
