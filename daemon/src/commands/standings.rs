//! `flagfall standings`: players by board and teams in order (十.2, 十.3), from the journal of the event. It reads and
//! changes nothing, also while the daemon writes.

use super::journal::records;
use crate::cli::{Exit, Failure, StandingsArgs, StandingsFormat, StandingsOf};
use crate::config::Config;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use flagfall_hall::Hall;
use flagfall_rules::{PlayerLine, Standings, TeamLine};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) fn standings(args: &StandingsArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let journal = journal_of(&args.file)?;
    let mut standings = read(&journal)?;
    match args.of {
        StandingsOf::All => {}
        StandingsOf::Teams => standings.players.clear(),
        StandingsOf::Players => standings.teams.clear(),
    }
    if let Some(board) = args.board {
        standings.players.retain(|player| player.board == Some(board));
        if args.of == StandingsOf::All {
            standings.teams.clear();
        }
    }
    let format = if args.csv { StandingsFormat::Csv } else { args.format };
    match format {
        StandingsFormat::Text => text(&standings, out)?,
        StandingsFormat::Csv => csv(&standings, out)?,
        StandingsFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &standings).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    Ok(Exit::Well)
}

/// The journal itself, or that of a venue file.
fn journal_of(file: &Path) -> Result<PathBuf, Failure> {
    let venue = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    if venue { Ok(Config::load(file)?.journal) } else { Ok(file.to_owned()) }
}

fn read(file: &Path) -> Result<Standings, Failure> {
    let recovered = records(file, |records| Hall::recover(records))?;
    let (hall, _) = recovered
        .map_err(|error| Failure::new(Exit::Data, format!("journal {}: {error}", file.display())))?;
    Ok(hall.rules().standings())
}

const TEAMS: [&str; 10] = [
    "place",
    "number",
    "team",
    "points",
    "opponents",
    "board_points",
    "match_wins",
    "board_wins",
    "fouls",
    "remark",
];
const PLAYERS: [&str; 11] = [
    "board",
    "place",
    "name",
    "team",
    "points",
    "progressive",
    "wins",
    "fouls",
    "second_games",
    "taken_off",
    "remark",
];

fn team(line: &TeamLine) -> Vec<String> {
    let remark = match (line.last_of_its_score, line.by_lot) {
        (true, _) => "last_of_its_score",
        (false, true) => "by_lot",
        (false, false) => "",
    };
    vec![
        line.place.to_string(),
        line.number.map_or_else(String::new, |number| number.to_string()),
        line.team.clone(),
        line.points.to_string(),
        line.opponents.to_string(),
        line.board_points.to_string(),
        line.match_wins.to_string(),
        line.board_wins.to_string(),
        line.fouls.to_string(),
        remark.to_owned(),
    ]
}

fn player(line: &PlayerLine) -> Vec<String> {
    vec![
        line.board.map_or_else(String::new, |board| board.to_string()),
        line.place.to_string(),
        line.name.clone(),
        line.team.clone(),
        line.points.to_string(),
        line.progressive.to_string(),
        line.wins.to_string(),
        line.fouls.to_string(),
        line.second_games.to_string(),
        line.taken_off.to_string(),
        if line.by_lot { "by_lot".to_owned() } else { String::new() },
    ]
}

fn csv(standings: &Standings, out: &mut dyn Write) -> Result<(), Failure> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(out);
    let mut wrote = |row: Vec<String>| writer.write_record(row.iter().map(|field| harmless(field)));
    let head = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let write = |wrote: &mut dyn FnMut(Vec<String>) -> csv::Result<()>| -> csv::Result<()> {
        if !standings.teams.is_empty() {
            wrote(head(&TEAMS))?;
            standings.teams.iter().map(team).try_for_each(&mut *wrote)?;
        }
        if !standings.players.is_empty() {
            wrote(head(&PLAYERS))?;
            standings.players.iter().map(player).try_for_each(&mut *wrote)?;
        }
        Ok(())
    };
    write(&mut wrote).map_err(|error| Failure::new(Exit::Io, error))?;
    writer.flush()?;
    Ok(())
}

/// A name that a table program would carry out as a formula is text there. Numbers may be negative.
fn harmless(field: &str) -> String {
    let formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']) && field.parse::<f64>().is_err();
    if formula { format!("'{field}") } else { field.to_owned() }
}

fn table(head: &[&str], rows: Vec<Vec<String>>, words: &[usize]) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(head);
    let remarks = rows.iter().any(|row| row.last().is_some_and(|remark| !remark.is_empty()));
    for row in rows {
        // a name with a line break or an escape would draw over its neighbours
        table.add_row(row.iter().map(|field| field.replace(char::is_control, " ")));
    }
    for (number, column) in table.column_iter_mut().enumerate() {
        let align = if words.contains(&number) { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(align);
    }
    if let Some(last) = table.column_mut(head.len() - 1).filter(|_| !remarks) {
        last.set_constraint(ColumnConstraint::Hidden);
    }
    table.trim_fmt()
}

fn text(standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    let rounds: Vec<String> = standings.rounds.iter().map(ToString::to_string).collect();
    let rounds = if rounds.is_empty() { "none yet".to_owned() } else { rounds.join(", ") };
    writeln!(out, "{}\n轮次 rounds {rounds}", standings.event)?;
    if !standings.open.is_empty() {
        let open: Vec<String> =
            standings.open.iter().map(|(round, board)| format!("{round}/{board}")).collect();
        writeln!(out, "未报成绩 no result yet (round/board): {}", open.join(", "))?;
    }
    if !standings.teams.is_empty() {
        let head = ["名次", "序号", "队", "场分", "对手分", "总局分", "胜场", "胜局", "犯规", "备注 remark"];
        writeln!(out, "\n团体 teams (十.2)")?;
        writeln!(
            out,
            "{}",
            table(&head, standings.teams.iter().map(|line| words(team(line))).collect(), &[2, 9])
        )?;
    }
    let mut boards: Vec<Option<u32>> = standings.players.iter().map(|player| player.board).collect();
    boards.dedup();
    for board in boards {
        match board {
            Some(board) => writeln!(out, "\n第{board}台 board {board} (十.3)")?,
            None => writeln!(out, "\n个人 players (十.3)")?,
        }
        let head = ["名次", "姓名", "队", "积分", "累进分", "胜局", "犯规", "后手局", "扣分", "备注 remark"];
        let rows = standings
            .players
            .iter()
            .filter(|player| player.board == board)
            .map(|line| words(player(line).split_off(1)))
            .collect();
        writeln!(out, "{}", table(&head, rows, &[1, 2, 9]))?;
    }
    Ok(())
}

/// The last column in words.
fn words(mut row: Vec<String>) -> Vec<String> {
    if let Some(remark) = row.last_mut() {
        *remark = match remark.as_str() {
            "last_of_its_score" => "同分末位 last of its score (八.11)".to_owned(),
            "by_lot" => "条款未能区分 equal by every article".to_owned(),
            _ => String::new(),
        };
    }
    row
}
