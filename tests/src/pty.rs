//! A clock on a serial port that is a pseudo terminal, with a plug that can be pulled.

use crate::clock::Clock;
use crate::lines::{Ear, Speech, written};
use serialport::{SerialPort, TTYPort};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// A plugged-in clock. [`Plugged::pull`] or dropping it pulls the plug.
#[derive(Debug)]
pub struct Plugged {
    clock: Clock,
    path: PathBuf,
    pulled: Arc<AtomicBool>,
    heard: Arc<Mutex<Vec<u8>>>,
    threads: Vec<JoinHandle<()>>,
}

impl Drop for Plugged {
    fn drop(&mut self) {
        self.clock.cut();
        self.pulled.store(true, Ordering::Release);
        let _ = std::fs::remove_file(&self.path);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Plugs a clock in; the port has this path from now on, as udev would name it.
///
/// # Panics
/// If there are no pseudo terminals.
#[must_use]
pub fn plug(clock: &Clock, path: &Path, speech: Speech) -> Plugged {
    let (mut master, slave) = TTYPort::pair().expect("a pseudo terminal");
    let name = slave.name().expect("it has a name");
    // The daemon takes the port for itself alone.
    drop(slave);
    let _ = std::fs::remove_file(path);
    std::os::unix::fs::symlink(&name, path).expect("a name");
    let pulled = Arc::new(AtomicBool::new(false));
    master.set_timeout(Duration::from_millis(20)).expect("a timeout");
    let mut writer = master.try_clone_native().expect("a second hand on it");
    let mut said = clock.line();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = {
        let (clock, pulled, heard) = (clock.clone(), Arc::clone(&pulled), Arc::clone(&heard));
        std::thread::spawn(move || {
            let mut ear = Ear::new(speech);
            let mut bytes = [0; 512];
            while !pulled.load(Ordering::Acquire) {
                match master.read(&mut bytes) {
                    Ok(count) => {
                        heard.lock().expect("no test broke it").extend_from_slice(&bytes[..count]);
                        ear.hear(&bytes[..count], &clock);
                    }
                    Err(error) if error.kind() == ErrorKind::TimedOut => {}
                    // Nobody has opened the other end yet.
                    Err(_) => std::thread::sleep(Duration::from_millis(5)),
                }
            }
        })
    };
    let mouth = {
        let pulled = Arc::clone(&pulled);
        std::thread::spawn(move || {
            // A clock's line has room for little; what nobody takes is lost, as on a wire.
            while !pulled.load(Ordering::Acquire) {
                match said.try_recv() {
                    Ok(said) => {
                        let _ = writer.write_all(&written(&said, speech));
                    }
                    Err(tokio::sync::mpsc::error::TryRecvError::Empty) => {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    Err(tokio::sync::mpsc::error::TryRecvError::Disconnected) => return,
                }
            }
        })
    };
    clock.greet();
    Plugged { clock: clock.clone(), path: path.to_owned(), pulled, heard, threads: vec![ear, mouth] }
}

impl Plugged {
    /// Every byte that was ever written to the clock.
    ///
    /// # Panics
    /// If a test broke it.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.heard.lock().expect("no test broke it").clone()
    }

    /// Pulls the plug: the port hangs up and its name is gone.
    pub fn pull(self) {
        drop(self);
    }
}
