//! The chess clock on a Raspberry Pi Pico.
//!
//! Which pin a lever is on, how its edges are stamped, and how the chip sleeps. What a press means is in
//! `flagfall-firmware`, what is written before what is said in `flagfall-device`.
#![no_std]
#![no_main]

mod flash;
#[cfg(not(feature = "digits"))]
mod i2c;
mod interrupts;
mod line;
mod pico;
mod pins;

use cortex_m::peripheral::NVIC;
use flagfall_device::memory::Memory;
use flagfall_device::{Clock, Device, Next, Woken};
use fugit::ExtU32;
use rp2040_hal::pac::{self, interrupt};
use rp2040_hal::watchdog::Watchdog;

/// The second stage boot loader, for the flash that a Pico has.
#[unsafe(link_section = ".boot2")]
#[used]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

/// If the loop does not come round in this time, the chip begins anew with the game from memory. An erasure of the flash
/// may take 400 ms.
const WATCHDOG_MS: u32 = 4_000;

#[rp2040_hal::entry]
fn main() -> ! {
    let Some(pac) = pac::Peripherals::take() else { restart() };
    let mut watchdog = Watchdog::new(pac.WATCHDOG);
    let chip = pico::Chip {
        clocks: pac.CLOCKS,
        xosc: pac.XOSC,
        pll_sys: pac.PLL_SYS,
        pll_usb: pac.PLL_USB,
        resets: pac.RESETS,
        sio: pac.SIO,
        io: pac.IO_BANK0,
        pads: pac.PADS_BANK0,
        uart: pac.UART0,
        #[cfg(not(feature = "digits"))]
        i2c: pac.I2C0,
        #[cfg(feature = "digits")]
        spi: pac.SPI0,
        adc: pac.ADC,
    };
    interrupts::into_ram();
    let (woken, memory) = Woken::find(flash::Flash::new());
    let mut clock = woken.clock();
    let mut device = set_up(chip, &mut watchdog, woken, memory, &mut clock);
    loop {
        watchdog.feed();
        match device.turn() {
            Next::Sleep(until) => interrupts::sleep_until(until),
            Next::Restart => {
                // The last bytes of an answer are still on their way.
                line::flush();
                restart()
            }
        }
    }
}

/// The board with its clock on it. Apart, so that what only the setting up needs leaves the stack with it.
#[inline(never)]
fn set_up<'c>(
    chip: pico::Chip,
    watchdog: &mut Watchdog,
    woken: Woken,
    memory: Option<Memory<flash::Flash>>,
    clock: &'c mut Clock,
) -> Device<'c, pico::Pico> {
    let parts = pico::parts(chip, watchdog);
    watchdog.pause_on_debug(true);
    watchdog.start(WATCHDOG_MS.millis());
    interrupts::let_loose();
    Device::new(parts, memory, woken, clock)
}

/// Begins anew, as after power-up.
fn restart() -> ! {
    /// All that the watchdog resets: everything but the two oscillators. After power-up it is set to nothing.
    const ALL: u32 = 0x1_fffc;
    // SAFETY: the chip is reset by it; what else the registers hold does not matter any more.
    unsafe {
        (*pac::PSM::ptr()).wdsel().write(|w| w.bits(ALL));
        (*pac::WATCHDOG::ptr()).ctrl().write(|w| w.trigger().set_bit());
    }
    loop {
        cortex_m::asm::nop();
    }
}

/// Nothing is left to be said or saved: the game is in memory as of the last second. The chip begins anew.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    restart()
}

#[cortex_m_rt::exception]
unsafe fn HardFault(_: &cortex_m_rt::ExceptionFrame) -> ! {
    restart()
}

/// Lets an interrupt through.
fn unmask(interrupt: interrupt) {
    // SAFETY: no critical section rests on this interrupt being masked.
    unsafe { NVIC::unmask(interrupt) };
}
