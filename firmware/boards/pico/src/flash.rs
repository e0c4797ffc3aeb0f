//! The flash of a Pico as a memory: read where it lies, written by the chip's own ROM.
//!
//! While it is written nothing can be fetched from it, so the function that does it lies in RAM, as do all interrupts
//! (`interrupts`); they go on meanwhile. Afterwards the boot loader is run once more from RAM: the ROM leaves the flash in
//! its slowest way of reading.

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};
use rp2040_hal::rom_data;

/// Where the flash is read.
const BASE: u32 = 0x1000_0000;
/// Where the memory begins in it, and how long it is: to the end of a Pico's 2 MiB.
const BEGIN: u32 = 0x10_0000;
const LENGTH: u32 = 0x10_0000;
/// What the flash programs at once, in bytes.
const PAGE: u32 = 256;
const SECTOR: u32 = 4_096;

/// The upper MiB of the flash.
pub struct Flash(());

impl Flash {
    /// To be called once.
    pub const fn new() -> Self {
        Self(())
    }
}

/// What was asked lies outside, or not on a boundary.
#[derive(Clone, Copy, Debug)]
pub struct Refused(NorFlashErrorKind);

impl NorFlashError for Refused {
    fn kind(&self) -> NorFlashErrorKind {
        self.0
    }
}

impl ErrorType for Flash {
    type Error = Refused;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, into: &mut [u8]) -> Result<(), Refused> {
        check_read(self, offset, into.len()).map_err(Refused)?;
        let from = (BASE + BEGIN + offset) as *const u8;
        // SAFETY: within the flash, as was checked, and not being written: only this type writes, by `&mut self`.
        let from = unsafe { core::slice::from_raw_parts(from, into.len()) };
        into.copy_from_slice(from);
        Ok(())
    }

    fn capacity(&self) -> usize {
        LENGTH as usize
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = SECTOR as usize;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Refused> {
        check_erase(self, from, to).map_err(Refused)?;
        for sector in (from..to).step_by(SECTOR as usize) {
            write(BEGIN + sector, None);
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Refused> {
        check_write(self, offset, bytes.len()).map_err(Refused)?;
        let mut rest = bytes;
        let mut at = BEGIN + offset;
        while !rest.is_empty() {
            // A page is programmed as a whole; where it says ones nothing changes.
            let mut page = [0xff_u8; PAGE as usize];
            let within = (at % PAGE) as usize;
            let (now, later) = rest.split_at(rest.len().min(PAGE as usize - within));
            page[within..within + now.len()].copy_from_slice(now);
            write(at - at % PAGE, Some(&page));
            at += now.len() as u32;
            rest = later;
        }
        Ok(())
    }
}

/// All that is called while the flash cannot be read.
struct Rom {
    connect: unsafe extern "C" fn(),
    exit: unsafe extern "C" fn(),
    erase: unsafe extern "C" fn(u32, usize, u32, u8),
    program: unsafe extern "C" fn(u32, *const u8, usize),
    flush: unsafe extern "C" fn(),
    /// The boot loader, in RAM.
    boot2: unsafe extern "C" fn(),
}

/// Erases a sector at `at`, or programs a page there.
fn write(at: u32, page: Option<&[u8; PAGE as usize]>) {
    let mut boot2 = [0_u32; 64];
    // SAFETY: the flash begins with the 256 bytes of the boot loader. They run at any address, and return to who called
    // them. Both pages are in RAM, and so is everything that runs until the flash can be read again.
    unsafe {
        core::ptr::copy_nonoverlapping(BASE as *const u32, boot2.as_mut_ptr(), boot2.len());
        let rom = Rom {
            connect: rom_data::connect_internal_flash::ptr(),
            exit: rom_data::flash_exit_xip::ptr(),
            erase: rom_data::flash_range_erase::ptr(),
            program: rom_data::flash_range_program::ptr(),
            flush: rom_data::flash_flush_cache::ptr(),
            // The lowest bit says that it is Thumb code.
            boot2: core::mem::transmute::<usize, unsafe extern "C" fn()>(boot2.as_ptr() as usize | 1),
        };
        in_ram(&rom, at, page.map_or(core::ptr::null(), |page| page.as_ptr()));
    }
}

/// # Safety
/// `at` must be a sector or page of the memory, `page` null or a page in RAM, and everything in `rom` outside the flash.
#[unsafe(link_section = ".data.ram")]
#[inline(never)]
unsafe fn in_ram(rom: &Rom, at: u32, page: *const u8) {
    /// The command that erases 64 KiB; a sector is smaller, so it is never used.
    const BLOCK: u32 = 1 << 16;
    const BLOCK_COMMAND: u8 = 0xd8;
    // SAFETY: as the caller promised; the order is that of the ROM's documentation (RP2040 data sheet 2.8.3.1.3).
    unsafe {
        (rom.connect)();
        (rom.exit)();
        if page.is_null() {
            (rom.erase)(at, SECTOR as usize, BLOCK, BLOCK_COMMAND);
        } else {
            (rom.program)(at, page, PAGE as usize);
        }
        (rom.flush)();
        (rom.boot2)();
    }
}
