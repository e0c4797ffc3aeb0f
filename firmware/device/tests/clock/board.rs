//! A board of the host: hands, time and every part of it are the test's.

use crate::flash::Flash;
use embedded_hal::digital::{ErrorType as PinError, OutputPin};
use embedded_io::{ErrorKind, ErrorType, Read, ReadReady, Write, WriteReady};
use flagfall_clock::{
    Accept, ClockReport, Identity, Lexer, MAX_PROVISION, Message, Provision, ProvisionAnswer, Side,
    line_provision, read_provisioned,
};
use flagfall_device::screen::{Face, Screen};
use flagfall_device::{Board, Device, Edges, Next, Parts, Point, THREE_ALKALINE, Woken};
use flagfall_firmware::Clock;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// Sees what goes out.
pub type Watch = Box<dyn Fn(&[u8])>;

/// What board and test share.
#[derive(Default)]
pub struct Table {
    pub counter: Cell<u32>,
    pub millivolts: Cell<Option<u16>>,
    pub to_clock: RefCell<VecDeque<u8>>,
    pub from_clock: RefCell<Vec<u8>>,
    /// Bytes that the line takes before it is looked at again.
    pub room: Cell<usize>,
    pub pins: RefCell<[bool; 3]>,
    pub screen_fails: Cell<bool>,
    pub restarts: Cell<u32>,
    pub slices: Cell<u32>,
    /// Whose power goes with its memory's: what is said after that never was.
    pub flash: RefCell<Option<Flash>>,
    /// Called when bytes go out.
    pub watches: RefCell<Option<Watch>>,
}

impl Table {
    pub fn is_dead(&self) -> bool {
        self.flash.borrow().as_ref().is_some_and(|flash| flash.0.borrow().broken)
    }
}

pub struct Line(Rc<Table>);
pub struct Pin(Rc<Table>, usize);
pub struct Shows(Rc<Table>);
pub struct HostBoard(Rc<Table>);

impl ErrorType for Line {
    type Error = ErrorKind;
}

impl ReadReady for Line {
    fn read_ready(&mut self) -> Result<bool, ErrorKind> {
        Ok(!self.0.to_clock.borrow().is_empty())
    }
}

impl Read for Line {
    fn read(&mut self, into: &mut [u8]) -> Result<usize, ErrorKind> {
        let mut bytes = self.0.to_clock.borrow_mut();
        let len = bytes.len().min(into.len());
        into.iter_mut().zip(bytes.drain(..len)).for_each(|(place, byte)| *place = byte);
        Ok(len)
    }
}

impl WriteReady for Line {
    fn write_ready(&mut self) -> Result<bool, ErrorKind> {
        Ok(self.0.room.get() > 0)
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        let len = bytes.len().min(self.0.room.get());
        self.0.room.set(self.0.room.get() - len);
        if self.0.is_dead() {
            return Ok(len);
        }
        if let Some(watch) = &*self.0.watches.borrow() {
            watch(&bytes[..len]);
        }
        self.0.from_clock.borrow_mut().extend(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

impl PinError for Pin {
    type Error = core::convert::Infallible;
}

impl OutputPin for Pin {
    fn set_low(&mut self) -> Result<(), Self::Error> {
        self.0.pins.borrow_mut()[self.1] = false;
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Self::Error> {
        self.0.pins.borrow_mut()[self.1] = true;
        Ok(())
    }
}

impl Screen for Shows {
    type Error = ();

    fn show(&mut self, _: &Face) {}

    fn slice(&mut self) -> Result<bool, ()> {
        self.0.slices.set(self.0.slices.get() + 1);
        if self.0.screen_fails.get() { Err(()) } else { Ok(false) }
    }

    fn restart(&mut self) {
        self.0.restarts.set(self.0.restarts.get() + 1);
    }
}

impl Board for HostBoard {
    type Line = Line;
    type Out = Pin;
    type Memory = Flash;
    type Screen = Shows;

    fn counter(&mut self) -> u32 {
        self.0.counter.get()
    }

    fn battery_mv(&mut self) -> Option<u16> {
        self.0.millivolts.get()
    }

    fn battery_curve(&self) -> &'static [Point] {
        &THREE_ALKALINE
    }
}

pub const LEFT: u8 = 1;
pub const RIGHT: u8 = 2;
pub const STOP: u8 = 4;
pub const KEY: u8 = 8;

/// A clock on its table, switched on.
pub struct Bench {
    pub table: Rc<Table>,
    pub edges: &'static Edges,
    pub flash: Flash,
    device: Device<'static, HostBoard>,
    levels: u8,
    pub resets: u32,
    /// Microseconds since it came up.
    up: u64,
    /// Bytes the line takes at once: a UART 32, a USB port a whole report.
    pub takes: usize,
}

fn device(table: &Rc<Table>, edges: &'static Edges, flash: &Flash) -> Device<'static, HostBoard> {
    let (woken, memory) = Woken::find(flash.clone());
    let clock: &'static mut Clock = Box::leak(Box::new(woken.clock()));
    let pin = |place| Pin(table.clone(), place);
    let parts = Parts {
        board: HostBoard(table.clone()),
        edges,
        line: Line(table.clone()),
        left_light: pin(0),
        right_light: pin(1),
        buzzer: pin(2),
        screen: Shows(table.clone()),
    };
    Device::new(parts, memory, woken, clock)
}

impl Bench {
    pub fn new(flash: Flash) -> Self {
        Self::with(flash, 0)
    }

    /// With these contacts held at power-up.
    pub fn with(flash: Flash, levels: u8) -> Self {
        let table = Rc::new(Table::default());
        // Near its end, so that it wraps within the first seconds of each test.
        table.counter.set(u32::MAX - 3_000_000);
        let edges: &'static Edges = Box::leak(Box::new(Edges::new()));
        edges.stamp(levels, table.counter.get());
        let device = device(&table, edges, &flash);
        Self { table, edges, flash, device, levels, resets: 0, up: 0, takes: 32 }
    }

    /// Lets time pass as the board's loop would, in microseconds.
    pub fn run(&mut self, us: u32) {
        let end = self.table.counter.get().wrapping_add(us);
        loop {
            self.table.room.set(self.takes);
            let now = self.table.counter.get();
            let left = end.wrapping_sub(now);
            let next = self.device.turn();
            if self.table.is_dead() {
                return;
            }
            match next {
                Next::Restart => {
                    self.resets += 1;
                    self.up = 0;
                    self.device = device(&self.table, self.edges, &self.flash);
                }
                Next::Sleep(_) if left == 0 => return,
                Next::Sleep(until) => {
                    let ahead = until.wrapping_sub(now);
                    let ahead = if ahead > u32::MAX / 2 { 0 } else { ahead };
                    let ahead = ahead.max(200).min(left);
                    self.up += u64::from(ahead);
                    self.table.counter.set(now.wrapping_add(ahead));
                }
            }
        }
    }

    pub fn run_ms(&mut self, ms: u32) {
        self.run(ms * 1_000);
    }

    /// A contact closes or opens now.
    pub fn set(&mut self, contact: u8, down: bool) {
        self.levels = if down { self.levels | contact } else { self.levels & !contact };
        self.edges.stamp(self.levels, self.table.counter.get());
    }

    /// A hand for 100 ms.
    pub fn press(&mut self, contact: u8) {
        self.set(contact, true);
        self.run_ms(100);
        self.set(contact, false);
        self.run_ms(100);
    }

    pub fn say(&mut self, bytes: &[u8]) {
        self.table.to_clock.borrow_mut().extend(bytes);
        self.run_ms(50);
    }

    /// A technician's tool.
    pub fn provision(&mut self, said: &Provision) -> ProvisionAnswer {
        let mut out = [0; MAX_PROVISION];
        let len = line_provision(said, &mut out).unwrap();
        self.said();
        self.say(&out[..len]);
        self.run_ms(100);
        let said = self.table.from_clock.borrow().clone();
        let answer = said.split(|byte| *byte == b'\n').find_map(read_provisioned);
        answer.expect("an answer").unwrap()
    }

    pub fn name(&mut self, identity: Identity) {
        self.provision(&Provision::Be(identity)).unwrap();
        self.run_ms(200);
    }

    /// The reports since it was last asked.
    pub fn reports(&mut self, accept: &Accept<'_>) -> Vec<ClockReport> {
        let said = self.said();
        let (mut lexer, mut bytes) = (Lexer::<1024>::new(), &said[..]);
        let mut reports = Vec::new();
        while let Some(item) = lexer.next(&mut bytes, accept) {
            if let Ok(received) = item
                && let Message::Report(report) = received.message
            {
                reports.push(report);
            }
        }
        reports
    }

    pub fn said(&mut self) -> Vec<u8> {
        self.table.from_clock.take()
    }

    /// Moves of the left and of the right side.
    pub fn presses(&self) -> (u32, u32) {
        (self.clock().presses(Side::Left), self.clock().presses(Side::Right))
    }

    /// What a side has now, in milliseconds.
    pub fn has(&self, side: Side) -> i64 {
        self.clock().remaining_ms(side, self.up / 1_000)
    }

    pub fn clock(&self) -> &Clock {
        self.device.clock()
    }
}
