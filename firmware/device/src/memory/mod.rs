//! What a clock keeps without power: who it is, and the game.
//!
//! Over any NOR flash of `embedded-storage`. The last two sectors hold the identity twice, all before them is a ring of
//! games, so that every sector wears alike. A library of key and value would erase when it likes; here a sector is erased
//! ahead, right after the game was written or while nothing runs, so that no press and no second waits behind it.

mod identity;
mod record;
mod ring;

use embedded_storage::nor_flash::NorFlash;
use flagfall_clock::Identity;
use flagfall_firmware::Saved;
use ring::Ring;

/// A clock's memory.
pub struct Memory<F> {
    flash: F,
    ring: Ring,
}

/// What was found in it.
#[derive(Debug)]
pub struct Found {
    /// The last boot that was written; 0: none ever.
    pub boot: u32,
    /// The game as it was last written.
    pub saved: Option<Saved>,
}

/// Why a game is not in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed<E> {
    /// The flash says so.
    Flash(E),
    /// Three sectors in a row gave back something else than was written.
    Worn,
}

impl<F: NorFlash> Memory<F> {
    /// Looks for what was kept.
    ///
    /// # Errors
    /// Where the flash cannot be read.
    #[inline(never)]
    pub fn open(mut flash: F) -> Result<(Self, Found), F::Error> {
        let end = Self::ring_end(&flash);
        let (ring, found) = Ring::open(&mut flash, end)?;
        Ok((Self { flash, ring }, found))
    }

    fn ring_end(flash: &F) -> u32 {
        // A flash of 4 GiB is on no clock.
        let all = u32::try_from(flash.capacity()).unwrap_or(u32::MAX);
        all.saturating_sub(2 * Self::sector())
    }

    fn sector() -> u32 {
        u32::try_from(F::ERASE_SIZE).unwrap_or(u32::MAX)
    }

    /// Writes the game, or that there is none, and the boot it belongs to.
    ///
    /// # Errors
    /// Where the flash does not take it.
    pub fn keep(&mut self, boot: u32, saved: Option<&Saved>) -> Result<(), Failed<F::Error>> {
        let stands = self.ring.keep(&mut self.flash, boot, saved).map_err(Failed::Flash)?;
        if stands { Ok(()) } else { Err(Failed::Worn) }
    }

    /// Writes what both sides have now, in milliseconds, where nothing has happened since [`Memory::keep`] but that time
    /// passed. False where there is no room beside that game: it is to be written anew.
    ///
    /// # Errors
    /// Where the flash does not take it.
    pub fn later(&mut self, left_ms: i64, right_ms: i64) -> Result<bool, F::Error> {
        self.ring.later(&mut self.flash, left_ms, right_ms)
    }

    /// Erases a sector ahead where none is ready, or up to `ahead` of them. True where it did; one at most, so it takes
    /// as long as this flash needs for a sector.
    ///
    /// # Errors
    /// Where the flash refuses.
    pub fn tend(&mut self, ahead: u32) -> Result<bool, F::Error> {
        self.ring.tend(&mut self.flash, ahead)
    }

    /// Who the clock is, if anybody told it.
    ///
    /// # Errors
    /// Where the flash cannot be read.
    #[inline(never)]
    pub fn identity(&mut self) -> Result<Option<Identity>, F::Error> {
        for copy in 0..2 {
            let at = self.identity_at(copy);
            if let Some(identity) = identity::read(&mut self.flash, at)? {
                return Ok(Some(identity));
            }
        }
        Ok(None)
    }

    /// Writes who the clock is from now on. False where it does not stand there afterwards.
    ///
    /// # Errors
    /// Where the flash does not take it.
    #[inline(never)]
    pub fn name(&mut self, identity: &Identity) -> Result<bool, F::Error> {
        for copy in 0..2 {
            let at = self.identity_at(copy);
            identity::write(&mut self.flash, at, identity)?;
        }
        Ok(self.identity()?.is_some_and(|read| read.clock == identity.clock))
    }

    /// Forgets name and key, and the game. The boots go on counting: a clock that gets the same name and key again must
    /// not say a second time what it said before.
    ///
    /// # Errors
    /// Where the flash refuses.
    #[inline(never)]
    pub fn forget(&mut self, boot: u32) -> Result<(), Failed<F::Error>> {
        // The game first: cut in between, it has its name yet and no game, and not a game that was nobody's.
        self.keep(boot, None)?;
        for copy in 0..2 {
            let at = self.identity_at(copy);
            self.flash.erase(at, at + Self::sector()).map_err(Failed::Flash)?;
        }
        Ok(())
    }

    fn identity_at(&self, copy: u32) -> u32 {
        Self::ring_end(&self.flash) + copy * Self::sector()
    }
}
