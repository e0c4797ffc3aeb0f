//! A flash memory that does what a real one does when the power goes: what was being written or erased stands there half.

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};
use std::cell::RefCell;
use std::rc::Rc;

pub const SECTOR: usize = 4_096;

/// What the chip holds, whoever has it in hand.
pub struct Chip {
    pub bytes: Vec<u8>,
    /// Erasures of each sector.
    pub erased: Vec<u32>,
    /// Writes and erasures that succeed yet; then the power goes in the middle of the next one.
    pub left: Option<u32>,
    /// Decides what stands of it.
    pub seed: u64,
    /// Sectors that do not keep what is written: a bit of each page stays as it was.
    pub worn: Vec<usize>,
    /// Nothing is taken any more.
    pub broken: bool,
}

#[derive(Clone)]
pub struct Flash(pub Rc<RefCell<Chip>>);

#[derive(Debug)]
pub struct Gone;

impl NorFlashError for Gone {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

impl Flash {
    pub fn new(sectors: usize) -> Self {
        Self(Rc::new(RefCell::new(Chip {
            bytes: vec![0xff; sectors * SECTOR],
            erased: vec![0; sectors],
            left: None,
            seed: 1,
            worn: Vec::new(),
            broken: false,
        })))
    }

    /// The power goes in the middle of the write or erasure after so many.
    pub fn cut_after(&self, operations: u32, seed: u64) {
        let mut chip = self.0.borrow_mut();
        (chip.left, chip.seed, chip.broken) = (Some(operations), seed | 1, false);
    }

    /// The power is back.
    pub fn power(&self) {
        let mut chip = self.0.borrow_mut();
        (chip.left, chip.broken) = (None, false);
    }
}

impl Chip {
    fn chance(&mut self) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.seed >> 33
    }

    /// Whether the next operation is done, or is the one that is cut.
    fn goes(&mut self) -> Result<bool, Gone> {
        if self.broken {
            return Err(Gone);
        }
        match &mut self.left {
            Some(0) => {
                self.broken = true;
                Ok(false)
            }
            Some(left) => {
                *left -= 1;
                Ok(true)
            }
            None => Ok(true),
        }
    }
}

impl ErrorType for Flash {
    type Error = Gone;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, into: &mut [u8]) -> Result<(), Gone> {
        check_read(self, offset, into.len()).map_err(|_| Gone)?;
        let from = offset as usize;
        into.copy_from_slice(&self.0.borrow().bytes[from..from + into.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.borrow().bytes.len()
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 16;
    const ERASE_SIZE: usize = SECTOR;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Gone> {
        check_erase(self, from, to).expect("on sectors");
        let mut chip = self.0.borrow_mut();
        for sector in from as usize / SECTOR..to as usize / SECTOR {
            let whole = chip.goes()?;
            chip.erased[sector] += 1;
            for place in sector * SECTOR..(sector + 1) * SECTOR {
                // Half erased, a bit may be anything between what it was and one.
                let some = if whole { 0xff } else { chip.chance() as u8 };
                chip.bytes[place] |= some;
            }
            if !whole {
                return Err(Gone);
            }
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Gone> {
        check_write(self, offset, bytes.len()).expect("a whole number of words");
        let mut chip = self.0.borrow_mut();
        let whole = chip.goes()?;
        for (place, byte) in (offset as usize..).zip(bytes) {
            assert_eq!(chip.bytes[place] & byte, *byte, "a bit at {place:#x} would have to be set");
            let some = if whole { 0 } else { chip.chance() as u8 };
            let stuck = if chip.worn.contains(&(place / SECTOR)) && place % 256 == 20 { 0xff } else { 0 };
            chip.bytes[place] &= byte | some | stuck;
        }
        if whole { Ok(()) } else { Err(Gone) }
    }
}
