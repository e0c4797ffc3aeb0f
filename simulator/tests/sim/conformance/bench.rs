//! A clock on a bench, in real time: the reference behind a pseudo terminal, and a jig behind TCP that presses it.

use flagfall_simulator::conformance::{Contact, Core, Specimen};
use serialport::{SerialPort, TTYPort};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub struct Bench {
    pub port: String,
    pub jig: String,
    ended: Arc<AtomicBool>,
    _held: std::fs::File,
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

type Hands = Arc<Mutex<(Core, Vec<u8>)>>;

fn jig(listener: TcpListener, clock: Hands, begun: Instant) {
    let Ok((stream, _)) = listener.accept() else { return };
    stream.set_nodelay(true).unwrap();
    let mut answers = stream.try_clone().unwrap();
    for line in BufReader::new(stream).lines() {
        let Ok(line) = line else { return };
        let answer = {
            let mut bench = clock.lock().unwrap();
            let (core, said) = &mut *bench;
            for heard in core.run_until(begun.elapsed().as_micros() as u64).unwrap() {
                said.extend(heard.bytes);
            }
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["hello"] => "ok power",
                ["power", "off"] => core.cut(0).map_or("error", |()| "ok"),
                ["power", "on"] => core.power().map_or("error", |()| "ok"),
                [contact, level @ ("down" | "up")] => {
                    let contact = Contact::named(contact).unwrap();
                    core.hand(contact, level == "down").map_or("error", |()| "ok")
                }
                _ => "error what?",
            }
        };
        if writeln!(answers, "{answer}").is_err() {
            return;
        }
    }
}

/// Lays the lines and lets the clock run.
pub fn bench(core: Core) -> Bench {
    let (mut master, half) = TTYPort::pair().unwrap();
    master.set_timeout(Duration::from_millis(1)).unwrap();
    let port = half.name().unwrap();
    // Held open without a lock: another takes it for himself.
    let held = std::fs::OpenOptions::new().read(true).write(true).open(&port).unwrap();
    drop(half);
    rustix::termios::ioctl_tiocnxcl(&held).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (begun, ended) = (Instant::now(), Arc::new(AtomicBool::new(false)));
    let clock: Hands = Arc::new(Mutex::new((core, Vec::new())));
    let (at_jig, over) = (Arc::clone(&clock), Arc::clone(&ended));
    std::thread::spawn(move || jig(listener, at_jig, begun));
    std::thread::spawn(move || {
        let mut bytes = [0; 512];
        while !over.load(Ordering::Relaxed) {
            // Waits a millisecond for bytes.
            let read = master.read(&mut bytes).unwrap_or(0);
            let said = {
                let mut bench = clock.lock().unwrap();
                let (core, said) = &mut *bench;
                for heard in core.run_until(begun.elapsed().as_micros() as u64).unwrap() {
                    said.extend(heard.bytes);
                }
                core.feed(&bytes[..read]).unwrap();
                std::mem::take(said)
            };
            if master.write_all(&said).is_err() {
                return;
            }
        }
    });
    Bench { port, jig: address, ended, _held: held }
}
