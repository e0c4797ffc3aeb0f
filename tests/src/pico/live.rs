//! The emulated Pico in the world's own time, its line a pseudo terminal: the daemon opens a port, and behind it runs the
//! file a real board is flashed with.

use super::{Contact, Happened, Options, emulator, with};
use serialport::{SerialPort, TTYPort};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long an answer of the emulator may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A board in real time, plugged in. Dropping it pulls the plug and ends it.
#[derive(Debug)]
pub struct Live {
    child: Child,
    words: ChildStdin,
    answers: mpsc::Receiver<String>,
    happened: Vec<Happened>,
    line: TcpStream,
    path: PathBuf,
    /// The end of the cable, while it is plugged in.
    plug: Option<Plug>,
    outlet: Outlet,
    threads: Vec<JoinHandle<()>>,
}

/// What takes the bytes that come out of the board; none: they are lost, as on a wire.
type Outlet = Arc<Mutex<Option<TTYPort>>>;

/// A pseudo terminal that the board is plugged to.
#[derive(Debug)]
struct Plug {
    pulled: Arc<AtomicBool>,
    inwards: JoinHandle<()>,
}

impl Drop for Live {
    fn drop(&mut self) {
        self.unplug();
        let _ = writeln!(self.words, "quit");
        let _ = self.line.shutdown(Shutdown::Both);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        let _ = self.child.wait();
    }
}

impl Live {
    /// Powers a board up and plugs its line in; the port has this path from now on, as udev would name it.
    ///
    /// # Panics
    /// If node or its library is missing, the ELF is no program for the board, or there are no pseudo terminals.
    #[must_use]
    pub fn start(elf: &Path, options: &Options, path: &Path) -> Self {
        let mut command = emulator();
        with(&mut command, elf, options);
        command.args(["--realtime", "--uart", "127.0.0.1:0"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node starts");
        let words = child.stdin.take().expect("it is piped");
        let (tell, answers) = mpsc::channel();
        let told = BufReader::new(child.stdout.take().expect("it is piped"));
        let ear = std::thread::spawn(move || {
            for line in told.lines().map_while(Result::ok) {
                if line.starts_with("error ") {
                    // It may come while nobody waits for an answer, and whatever is waited for never comes.
                    eprintln!("the emulated board: {line}");
                }
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        let first = answers.recv_timeout(PATIENCE).expect("the emulator listens");
        let address = first.strip_prefix("uart ").unwrap_or_else(|| panic!("an address, not {first}"));
        let line = TcpStream::connect(address).expect("it listens there");
        line.set_nodelay(true).expect("a socket");
        let outlet = Outlet::default();
        let threads = vec![ear, mouth(&line, &outlet)];
        let path = path.to_owned();
        let mut live =
            Self { child, words, answers, happened: Vec::new(), line, path, plug: None, outlet, threads };
        live.plug();
        live
    }

    /// Plugs the cable in: a port of the same name, if it is not in.
    ///
    /// # Panics
    /// If there are no pseudo terminals.
    pub fn plug(&mut self) {
        if self.plug.is_none() {
            self.plug = Some(plugged(&self.line, &self.path, &self.outlet));
        }
    }

    /// Pulls the plug: the port hangs up, its name is gone, and what the board says is lost.
    ///
    /// # Panics
    /// If a thread of the cable broke.
    pub fn unplug(&mut self) {
        let Some(plug) = self.plug.take() else { return };
        plug.pulled.store(true, Ordering::Release);
        let _ = std::fs::remove_file(&self.path);
        let _ = plug.inwards.join();
        // The last hand on it: now it hangs up.
        *self.outlet.lock().expect("no test broke it") = None;
    }

    fn say(&mut self, line: &str) -> String {
        writeln!(self.words, "{line}").expect("the emulator listens");
        let mut told = String::new();
        loop {
            let answer =
                self.answers.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to `{line}`"));
            assert!(!answer.starts_with("error "), "`{line}`: {answer}");
            if answer.starts_with("ok ") {
                return told;
            }
            match Happened::read(&answer) {
                Some(happened) => self.happened.push(happened),
                None => told = answer,
            }
        }
    }

    /// What happened since the last time, but for the bytes of its line: the lights, restarts, bytes lost.
    ///
    /// # Panics
    /// If the firmware did what a real board would not survive, as with every word.
    pub fn happened(&mut self) -> Vec<Happened> {
        self.say("run");
        std::mem::take(&mut self.happened)
    }

    /// Closes or opens a contact, now.
    ///
    /// # Panics
    /// If the firmware did what a real board would not survive.
    pub fn press(&mut self, contact: Contact, closed: bool) {
        self.say(&format!("press {} {}", contact.word(), u8::from(closed)));
    }

    /// Cuts the power; a flash write under way is torn, how is chosen by the seed.
    ///
    /// # Panics
    /// If the firmware did what a real board would not survive.
    pub fn cut(&mut self, seed: u32) {
        self.say(&format!("cut {seed}"));
    }

    /// The power is back.
    ///
    /// # Panics
    /// If there is no program in the flash.
    pub fn power(&mut self) {
        self.say("power");
    }

    /// The path of the port.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A new pseudo terminal with this name; what comes in at it goes to the board.
fn plugged(line: &TcpStream, path: &Path, outlet: &Outlet) -> Plug {
    let (pair, slave) = TTYPort::pair().expect("a pseudo terminal");
    let name = slave.name().expect("it has a name");
    // The daemon takes the port for itself alone.
    drop(slave);
    // A clone is not handed on to programs that are started later; they would keep the plug in.
    let mut master = pair.try_clone_native().expect("a hand on it");
    drop(pair);
    master.set_timeout(Duration::from_millis(20)).expect("a timeout");
    *outlet.lock().expect("no test broke it") = Some(master.try_clone_native().expect("a second hand on it"));
    let _ = std::fs::remove_file(path);
    std::os::unix::fs::symlink(&name, path).expect("a name");
    let mut to = line.try_clone().expect("a socket");
    let pulled = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&pulled);
    let inwards = std::thread::spawn(move || {
        let mut bytes = [0; 512];
        while !stop.load(Ordering::Acquire) {
            match master.read(&mut bytes) {
                Ok(count) if to.write_all(&bytes[..count]).is_err() => return,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::TimedOut => {}
                // Nobody has opened the other end yet.
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    });
    Plug { pulled, inwards }
}

/// Carries what the board says to wherever it is plugged in.
fn mouth(line: &TcpStream, outlet: &Outlet) -> JoinHandle<()> {
    let mut from = line.try_clone().expect("a socket");
    let outlet = Arc::clone(outlet);
    std::thread::spawn(move || {
        let mut bytes = [0; 512];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            if let Some(port) = outlet.lock().expect("no test broke it").as_mut() {
                // What nobody takes is lost.
                let _ = port.write_all(&bytes[..count]);
            }
        }
    })
}
