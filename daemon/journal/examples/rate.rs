//! Records a second, by batch size and durability: `cargo run -p flagfall-journal --example rate --release [FOLDER]`.

use std::path::PathBuf;
use std::time::Instant;

use flagfall_journal::{Durability, Journal, Kind, NewRecord, Options, verify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("rate-{}.journal", std::process::id()));
    let body = format!("{{\"clock\":\"A01\",\"event\":\"press\",\"text\":\"{}\"}}", "x".repeat(110));
    println!("bodies of {} bytes", body.len());
    for (durability, size, total) in [
        (Durability::Full, 1, 5_000_u64),
        (Durability::Full, 100, 100_000),
        (Durability::Full, 1000, 500_000),
        (Durability::None, 1, 50_000),
        (Durability::None, 1000, 500_000),
    ] {
        let options = Options { durability, ..Options::default() };
        let (mut journal, _) = Journal::create(&path, "{}", options)?;
        let since = Instant::now();
        for batch in 0..total / size {
            let record = |i| {
                let seq = 1 + batch * size + i;
                NewRecord { at_ms: seq / 10, kind: Kind::Decision, seq: Some(seq), body: body.clone() }
            };
            journal.append(&(0..size).map(record).collect::<Vec<_>>())?;
        }
        let wrote = since.elapsed();
        journal.close()?;
        let since = Instant::now();
        let found = verify(&path)?;
        let rate = |time: std::time::Duration| u128::from(total) * 1000 / time.as_millis().max(1);
        println!(
            "{durability:?}, {size} a batch: {} records/s; verify {} records/s; {} bytes a record",
            rate(wrote),
            rate(since.elapsed()),
            std::fs::metadata(&path)?.len() / found.records,
        );
        std::fs::remove_file(&path)?;
        std::fs::remove_file(path.with_extension("journal.lock"))?;
    }
    Ok(())
}
