//! Edges are stamped and bytes taken in interrupts that lie in RAM, their table too.
//!
//! While the flash is being written nothing can be fetched from it, for up to 400 ms. A press in that time must have its
//! own time all the same, and what comes over the line is kept as far as there is room (44 ms at full pace; the daemon
//! repeats what was not answered). So everything that an interrupt runs is here, inlined, in
//! the section that is copied to RAM; an interrupt that is not here is never let loose.

use crate::pins::{ARBITER_KEY, LEFT_LEVER, RIGHT_LEVER, STOP_BUTTON};
use crate::unmask;
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, Ordering};
use cortex_m::asm;
use flagfall_device::{Bytes, Edges, Levels};
use rp2040_hal::pac;
use rp2040_hal::pac::interrupt;

/// What the contacts did.
pub static EDGES: Edges = Edges::new();
/// When the last edge came. For the tests on an emulated board, which see nothing else of how exact a stamp is.
#[used]
#[unsafe(no_mangle)]
static LAST_STAMP: AtomicU32 = AtomicU32::new(0);
/// What came over the line.
pub static BYTES: Bytes<512> = Bytes::new();

/// 16 exceptions and 32 interrupts.
const VECTORS: usize = 48;

/// The table as the chip asks for it: a multiple of its size rounded up to a power of two.
#[repr(C, align(256))]
struct Table(UnsafeCell<[u32; VECTORS]>);

// SAFETY: written once, before any interrupt is let loose; only the chip reads it.
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new([0; VECTORS]));

/// The pins of the contacts lie side by side.
const FIRST: u32 = LEFT_LEVER as u32;
const _: () =
    assert!(RIGHT_LEVER == LEFT_LEVER + 1 && STOP_BUTTON == LEFT_LEVER + 2 && ARBITER_KEY == LEFT_LEVER + 3);
/// Both edges of the four contacts in the register of the first eight pins, four bits a pin.
const BOTH_EDGES: u32 = 0b1100_1100_1100_1100 << (4 * FIRST);
const _: () = assert!(ARBITER_KEY < 8);

/// Puts the table of vectors into RAM.
pub fn into_ram() {
    // SAFETY: the flash begins with the boot loader's 256 bytes, then comes the table; nothing runs yet that could be
    // interrupted.
    unsafe {
        let table = TABLE.0.get();
        core::ptr::copy_nonoverlapping(0x1000_0100 as *const u32, table.cast(), VECTORS);
        (*cortex_m::peripheral::SCB::PTR).vtor.write(table as u32);
    }
}

/// Lets the interrupts loose, once all that they need stands.
#[inline(never)]
pub fn let_loose() {
    // SAFETY: these registers are used nowhere else while the interrupts are masked.
    unsafe {
        let io = &*pac::IO_BANK0::ptr();
        io.intr(0).write(|w| w.bits(BOTH_EDGES));
        io.proc0_inte(0).write(|w| w.bits(BOTH_EDGES));
        (*pac::TIMER::ptr()).inte().write(|w| w.alarm_0().set_bit());
    }
    // From here on an edge waits for its interrupt; what is closed by now is no edge.
    EDGES.stamp(levels(), counter());
    unmask(interrupt::IO_IRQ_BANK0);
    unmask(interrupt::UART0_IRQ);
    unmask(interrupt::TIMER_IRQ_0);
}

/// Microseconds since power-up; wraps.
#[inline(always)]
pub fn counter() -> u32 {
    // SAFETY: reading it changes nothing.
    unsafe { (*pac::TIMER::ptr()).timerawl().read().bits() }
}

/// Which contacts are closed: low is.
#[inline(always)]
fn levels() -> Levels {
    // SAFETY: reading it changes nothing.
    let pins = unsafe { (*pac::SIO::ptr()).gpio_in().read().bits() };
    (!(pins >> FIRST) & 0xf) as Levels
}

/// Sleeps until an interrupt, but no longer than until the counter reads `until`.
#[inline(never)]
pub fn sleep_until(until: u32) {
    /// Less is not worth an alarm, and might be over before it is set.
    const SOON: u32 = 20;
    cortex_m::interrupt::free(|_| {
        let ahead = until.wrapping_sub(counter());
        if ahead < SOON || ahead > u32::MAX / 2 || !EDGES.is_empty() || !BYTES.is_empty() {
            return;
        }
        // SAFETY: the alarm belongs to this function alone.
        unsafe { (*pac::TIMER::ptr()).alarm0().write(|w| w.bits(until)) };
        if until.wrapping_sub(counter()) <= u32::MAX / 2 {
            // An interrupt that is held back wakes it too, and is served as soon as this block ends.
            asm::wfi();
        }
    });
}

/// A contact opened or closed.
#[unsafe(link_section = ".data.ram")]
#[interrupt]
fn IO_IRQ_BANK0() {
    // SAFETY: writing ones forgets the edges seen; those that come after are seen again.
    unsafe { (*pac::IO_BANK0::ptr()).intr(0).write(|w| w.bits(BOTH_EDGES)) };
    let (levels, now) = (levels(), counter());
    LAST_STAMP.store(now, Ordering::Relaxed);
    EDGES.stamp(levels, now);
}

/// Bytes came over the line.
#[unsafe(link_section = ".data.ram")]
#[interrupt]
fn UART0_IRQ() {
    // SAFETY: the loop only writes to the line, never reads from it.
    let uart = unsafe { &*pac::UART0::ptr() };
    while uart.uartfr().read().rxfe().bit_is_clear() {
        BYTES.push((uart.uartdr().read().bits() & 0xff) as u8);
    }
    // SAFETY: forgets that a byte waited for company; one that comes now is told again.
    unsafe { uart.uarticr().write(|w| w.bits(0x7ff)) };
}

/// It is time to look.
#[unsafe(link_section = ".data.ram")]
#[interrupt]
fn TIMER_IRQ_0() {
    // SAFETY: forgets this alarm.
    unsafe { (*pac::TIMER::ptr()).intr().write(|w| w.alarm_0().clear_bit_by_one()) };
}
