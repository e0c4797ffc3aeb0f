//! Five hundred boards on one page: how busy its main thread is.

use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::LAPTOP;
use flagfall_tests::browser::measure::Clock;
use flagfall_tests::browser::page::Page;
use flagfall_tests::hall::{Plan, clock_name};
use flagfall_tests::program::program;
use serde_json::json;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const BOARDS: u32 = 500;

/// The simulator, with hands on its clocks. Ends with the test.
struct Clocks(Child);

impl Drop for Clocks {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_boards_leave_the_page_time() {
    let hall = Plan { boards: BOARDS, matches: true, ..Plan::default() }.open().await;
    let desk = hall.hello(json!({"token": flagfall_tests::hall::token("chief"), "client": "tests"})).await;
    let simulator = Command::new(program("flagfall-sim"))
        .args(["clocks", &BOARDS.to_string(), "--mqtt", &format!("mqtt://127.0.0.1:{}", hall.broker_port())])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut clocks = Clocks(simulator.expect("the simulator starts"));
    let mut hands = clocks.0.stdin.take().expect("its input");
    desk.within(Duration::from_secs(60), 0, "the last clock is heard", |event| {
        event["type"] == "clock_online" && event["clock"] == clock_name(BOARDS)
    })
    .await;
    desk.done("round.start", json!({"round": 1})).await;
    for table in 1..=BOARDS {
        writeln!(hands, "{} stop", clock_name(table)).expect("the button that starts");
    }
    let running = || async {
        let boards = hall.get("/api/1/boards", "chief").await.json();
        boards["boards"]
            .as_array()
            .map_or(0, |boards| boards.iter().filter(|board| board["running"] == "first").count())
    };
    let end = std::time::Instant::now() + Duration::from_secs(60);
    while running().await < BOARDS as usize {
        assert!(std::time::Instant::now() < end, "{} of {BOARDS} run", running().await);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }

    let driver = Driver::start();
    let page = Page::open(&driver, hall.port, "chief", LAPTOP).await;
    page.until(
        "five hundred cards",
        "return document.querySelectorAll('#boards [data-board]').length === 500",
        json!([]),
    )
    .await;
    // Three or four boards press each second, as in a hall of so many; the longest wait for a picture is kept by the page.
    let pressing = tokio::task::spawn_blocking(move || {
        for press in 0..100_u32 {
            let (table, side) = (press * 37 % BOARDS + 1, "left");
            if writeln!(hands, "{} {side}", clock_name(table)).is_err() {
                break;
            }
            std::thread::sleep(Duration::from_millis(280));
        }
        hands
    });
    let times =
        "return [...document.querySelectorAll('#boards [data-board] .time')].map((time) => time.textContent)";
    let before = page.session.script(times, json!([])).await;
    let frames = "window.longest = 0; let last = performance.now(); \
                  const frame = (now) => { window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(frame); }; \
                  requestAnimationFrame(frame)";
    let busy = page.busy(Duration::from_secs(20), Clock::Thread).await;
    page.session.script(frames, json!([])).await;
    let wall = page.busy(Duration::from_secs(8), Clock::Wall).await;
    let longest = page.session.script("return window.longest", json!([])).await;
    let after = page.session.script(times, json!([])).await;
    let (before, after) = (before.as_array().expect("times"), after.as_array().expect("times"));
    let moved = before.iter().zip(after).filter(|(before, after)| before != after).count();
    let said = format!(
        "{BOARDS} boards, {moved} times moved; by the thread's own time: {busy}; by the wall: {wall}; longest wait for a frame {longest} ms"
    );
    eprintln!("{said}");
    std::fs::create_dir_all(flagfall_tests::program::workspace().join("target/measured")).expect("a folder");
    std::fs::write(flagfall_tests::program::workspace().join("target/measured/page-500.txt"), &said)
        .expect("written");
    assert!(moved >= BOARDS as usize, "all of them count: {said}");
    assert!(busy.share() < 0.5, "{said}");
    let _ = pressing.await;
    page.end().await;
}
