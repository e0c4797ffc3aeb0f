//! What docs/hardware says is so: its lines are lines, its pins are those of the board, its pages are there, its sheet
//! fits its paper.

use flagfall_clock::{Accept, Encoding, decode_command, decode_report, read_provision, read_provisioned};
use flagfall_tests::program::workspace;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    workspace().join("docs/hardware")
}

/// The pages of docs/hardware, name and text.
fn pages() -> Vec<(String, String)> {
    let mut pages: Vec<(String, String)> = fs::read_dir(folder())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
            (name, fs::read_to_string(&path).expect("a page"))
        })
        .collect();
    pages.sort();
    pages
}

/// What a line is, if it is one that a clock writes or reads.
fn kind(line: &[u8]) -> Option<&'static str> {
    if matches!(read_provision(line), Some(Ok(_))) {
        return Some("provision");
    }
    if matches!(read_provisioned(line), Some(Ok(_))) {
        return Some("provisioned");
    }
    if decode_report(line, Encoding::Json, &Accept::CHECKED).is_ok() {
        return Some("report");
    }
    decode_command(line, Encoding::Json, &Accept::CHECKED).is_ok().then_some("command")
}

#[test]
fn every_line_of_the_hardware_pages_is_one_and_its_check_fits() {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, text) in pages() {
        let blocks = text.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next());
        for line in blocks.flat_map(str::lines) {
            let kind = kind(line.as_bytes()).unwrap_or_else(|| panic!("{name}: {line}"));
            *found.entry(kind).or_default() += 1;
        }
        // Nor does one stand elsewhere, where nobody would look at it.
        let checked = text.matches("\"crc\":\"").count();
        let inside: usize = text
            .split("```json\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .map(|block| block.matches("\"crc\":\"").count())
            .sum();
        assert_eq!(checked, inside, "{name}: a line outside of ```json");
    }
    assert!(found.len() == 4 && found["report"] >= 4, "{found:?}");
}

/// Pin and what it goes to, as the table of wiring.md has it.
fn table() -> BTreeMap<u8, String> {
    let text = fs::read_to_string(folder().join("wiring.md")).expect("the page");
    text.lines()
        .filter_map(|line| line.strip_prefix("| GP"))
        .map(|row| {
            let cells: Vec<&str> = row.split(" | ").collect();
            (cells[0].parse().expect("a number"), cells[2].to_owned())
        })
        .collect()
}

/// Which GP is on which pin of a Pico, from 1 on, as its maker draws it; none: ground, supply, control.
const PINS: [Option<u8>; 34] = {
    const fn gp(number: u8) -> Option<u8> {
        Some(number)
    }
    [
        gp(0),
        gp(1),
        None,
        gp(2),
        gp(3),
        gp(4),
        gp(5),
        None,
        gp(6),
        gp(7),
        gp(8),
        gp(9),
        None,
        gp(10),
        gp(11),
        gp(12),
        gp(13),
        None,
        gp(14),
        gp(15),
        gp(16),
        gp(17),
        None,
        gp(18),
        gp(19),
        gp(20),
        gp(21),
        None,
        gp(22),
        None,
        gp(26),
        gp(27),
        None,
        gp(28),
    ]
};

#[test]
fn the_pins_of_the_page_and_of_the_picture_are_the_same() {
    let picture = fs::read_to_string(folder().join("pictures/wiring.svg")).expect("the picture");
    let drawn: BTreeMap<u8, String> = picture
        .split("data-part=\"")
        .skip(1)
        .map(|rest| {
            let (part, rest) = rest.split_once("\">GP").expect("the pin's name follows");
            let pin = rest.split('<').next().and_then(|pin| pin.parse().ok()).expect("a number");
            (pin, part.to_owned())
        })
        .collect();
    assert_eq!(drawn.len(), picture.matches(">GP").count(), "each pin in the picture says what it goes to");
    assert_eq!(table(), drawn);
    // The board's own numbers of these pins.
    let text = fs::read_to_string(folder().join("wiring.md")).expect("the page");
    for row in text.lines().filter_map(|line| line.strip_prefix("| GP")) {
        let cells: Vec<u8> = row.split(" | ").take(2).map(|cell| cell.parse().expect("a number")).collect();
        let place = PINS.iter().position(|pin| *pin == Some(cells[0])).expect("a pin of the Pico") + 1;
        assert_eq!(usize::from(cells[1]), place, "GP{}", cells[0]);
    }
}

/// What the board's source calls each of them.
const NAMES: [(&str, &str); 15] = [
    ("UART_TX", "line, out of the clock"),
    ("UART_RX", "line, into the clock"),
    ("LEFT_LEVER", "left lever"),
    ("RIGHT_LEVER", "right lever"),
    ("STOP_BUTTON", "start/stop button"),
    ("ARBITER_KEY", "arbiter's key"),
    ("LEFT_LIGHT", "left light"),
    ("RIGHT_LIGHT", "right light"),
    ("BUZZER", "buzzer"),
    ("OLED_SDA", "OLED, SDA"),
    ("OLED_SCL", "OLED, SCL"),
    ("DIGITS_CS", "digits, CS (LOAD)"),
    ("DIGITS_CLK", "digits, CLK"),
    ("DIGITS_DIN", "digits, DIN of the left module"),
    ("BATTERY", "battery"),
];

#[test]
fn the_pins_of_the_page_are_those_of_the_program() {
    let source = workspace().join("firmware/boards/pico/src/pins.rs");
    let source = fs::read_to_string(source).expect("the board's pins");
    let pins: BTreeMap<u8, String> = source
        .lines()
        .filter_map(|line| line.strip_prefix("pub const ")?.strip_suffix(';')?.split_once(": u8 = "))
        .map(|(name, pin)| {
            let known = NAMES.iter().find(|(known, _)| *known == name);
            let (_, part) = known.unwrap_or_else(|| panic!("wiring.md does not speak of {name}"));
            (pin.parse().expect("a number"), (*part).to_owned())
        })
        .collect();
    assert_eq!(pins, table());
    let board = workspace().join("firmware/boards/pico/src/pico.rs");
    let board = fs::read_to_string(board).expect("the board");
    for (pin, part) in pins {
        let taken = [')', '.', ',', ';'].iter().any(|end| board.contains(&format!(".gpio{pin}{end}")));
        assert!(taken, "the board does not take GP{pin} ({part})");
    }
}

#[test]
fn every_link_of_the_hardware_pages_leads_somewhere() {
    let mut links = 0;
    for (name, text) in pages() {
        for rest in text.split("](").skip(1) {
            let target = rest.split([')', '#']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            links += 1;
            assert!(folder().join(target).exists(), "{name}: {target} is not there");
        }
        if name != "README.md" {
            let start = fs::read_to_string(folder().join("README.md")).expect("the page to begin with");
            assert!(start.contains(&name), "README.md does not speak of {name}");
        }
    }
    assert!(links > 20, "{links} links");
}

/// Pages of a printed page of HTML.
fn printed(page: &Path, into: &Path) -> usize {
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"])
        .arg(format!("--user-data-dir={}", into.join("profile").display()))
        .arg(format!("--print-to-pdf={}", into.join("sheet.pdf").display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("chromium is there: tests/run brings it");
    let pdf = fs::read(into.join("sheet.pdf"))
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let text = String::from_utf8_lossy(&pdf);
    text.split("/Type /Page").skip(1).filter(|rest| !rest.starts_with('s')).count()
}

#[test]
fn the_sheet_beside_the_clock_has_one_page_for_each_language() {
    let page = folder().join("manual.zh-en.html");
    let into = tempfile::tempdir().expect("a folder");
    assert_eq!(printed(&page, into.path()), 2, "one A4 page each");
    let text = fs::read_to_string(&page).expect("the sheet");
    let halves: Vec<&str> = text.split("<section class=\"page\"").skip(1).collect();
    assert_eq!(halves.len(), 2);
    // Both languages have the same headings, points and rows, in the same order.
    let bones = |half: &str| -> Vec<String> {
        half.split('<')
            .filter_map(|tag| tag.split(['>', ' ']).next())
            .filter(|tag| matches!(*tag, "h1" | "h2" | "li" | "tr" | "td" | "ol" | "ul"))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(bones(halves[0]), bones(halves[1]));
}
