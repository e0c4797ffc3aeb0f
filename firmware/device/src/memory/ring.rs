//! Games one after the other in a ring of sectors.
//!
//! A place of 256 bytes holds a game as it was at an event (176 bytes, its number among all that were ever written, the
//! boot, a check) and up to 5 pairs of times of the seconds after it (16 bytes each, with a check of their own over the
//! game's number, so that an old one is never taken for a new one). The newest whole game with its last whole pair is
//! what the clock comes back with: what was being written when the power went does not fit its check and counts for
//! nothing.
//!
//! A pair is written into the page of its game. By the makers' words only the bytes being written are at stake when the power
//! goes; a chip that put the whole page at stake would lose the last event with it.
//!
//! After each boot writing begins in a sector erased in this boot: what a cut left behind may look erased and be
//! half written. An event costs 256 bytes and each two and a half seconds of thinking as much, so 1 MiB is a lap of nearly
//! three hours, and a flash that stands 100,000 erasures stands as many laps.

use super::Found;
use super::record::{Fields, LENGTH, read, sealed};
use embedded_storage::nor_flash::NorFlash;
use flagfall_clock::crc32;
use flagfall_firmware::{SAVED, Saved};

const LAYOUT: [u8; 4] = *b"FGM1";
/// Bytes of a place.
const PLACE: u32 = 256;
/// Bytes of a pair of times.
const PAIR: usize = 16;
/// Sectors that are tried for one game before the memory is given up.
const TRIES: u32 = 3;
/// Pairs beside a game.
const PAIRS: u32 = (PLACE - LENGTH as u32) / PAIR as u32;

pub(super) struct Ring {
    /// End of the ring in the flash.
    end: u32,
    sector: u32,
    /// Number of the last game written.
    number: u32,
    /// Where it stands; none in this boot yet.
    at: Option<u32>,
    /// Pairs beside it.
    pairs: u32,
    /// The sector in use; before the first write that of the newest game found.
    current: u32,
    /// Sectors after it that are known to be erased.
    erased: u32,
}

impl Ring {
    #[inline(never)]
    pub(super) fn open<F: NorFlash>(flash: &mut F, end: u32) -> Result<(Self, Found), F::Error> {
        let sector = u32::try_from(F::ERASE_SIZE).unwrap_or(u32::MAX).max(PLACE);
        let end = end - end % sector;
        let mut newest: Option<(u32, u32)> = None;
        // The first place of a sector is written first, so the newest sector is known by it.
        for at in (0..end).step_by(sector as usize) {
            if let Some(number) = number_at(flash, at)?
                && newest.is_none_or(|(newest, _)| number > newest)
            {
                newest = Some((number, at));
            }
        }
        let mut ring =
            Self { end, sector, number: 0, at: None, pairs: 0, current: end - sector.min(end), erased: 0 };
        let mut found = Found { boot: 0, saved: None };
        if let Some((_, first)) = newest {
            ring.current = first;
            let mut last = first;
            for at in (first..first + sector).step_by(PLACE as usize) {
                if let Some(number) = number_at(flash, at)?.filter(|number| *number > ring.number) {
                    (ring.number, last) = (number, at);
                }
            }
            game(flash, last, &mut found)?;
            let mut place = 0;
            while let Some((left_ms, right_ms)) = pair(flash, last, place, ring.number)? {
                found.saved = found.saved.map(|saved| saved.later(left_ms, right_ms).unwrap_or(saved));
                place += 1;
            }
        }
        Ok((ring, found))
    }

    /// The sector after `at`'s.
    const fn after(&self, sector: u32) -> u32 {
        if sector + self.sector >= self.end { 0 } else { sector + self.sector }
    }

    #[inline(never)]
    pub(super) fn tend<F: NorFlash>(&mut self, flash: &mut F, ahead: u32) -> Result<bool, F::Error> {
        // One in use, one that holds the last game of before.
        let most = (self.end / self.sector).saturating_sub(2);
        if self.erased >= ahead.clamp(1, most.max(1)) {
            return Ok(false);
        }
        let mut next = self.after(self.current);
        for _ in 0..self.erased {
            next = self.after(next);
        }
        flash.erase(next, next + self.sector)?;
        self.erased += 1;
        Ok(true)
    }

    /// Writes a game where it stands afterwards: a place that does not take it is passed over with its sector. False where
    /// none took it.
    pub(super) fn keep<F: NorFlash>(
        &mut self,
        flash: &mut F,
        boot: u32,
        saved: Option<&Saved>,
    ) -> Result<bool, F::Error> {
        for _ in 0..TRIES {
            if self.place(flash, boot, saved)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes a game at the next place. False where it does not stand there afterwards.
    #[inline(never)]
    fn place<F: NorFlash>(
        &mut self,
        flash: &mut F,
        boot: u32,
        saved: Option<&Saved>,
    ) -> Result<bool, F::Error> {
        let at = match self.at {
            Some(at) if !(at + PLACE).is_multiple_of(self.sector) => at + PLACE,
            _ => {
                self.tend(flash, 1)?;
                self.erased -= 1;
                self.current = self.after(self.current);
                self.current
            }
        };
        // Used up, whatever comes of it.
        self.at = Some(at);
        self.pairs = PAIRS;
        self.number += 1;
        let mut fields = Fields::new(LAYOUT);
        fields.put(&self.number.to_le_bytes());
        fields.put(&boot.to_le_bytes());
        if let Some(saved) = saved {
            fields.put(&saved.to_bytes());
        }
        let bytes = sealed(fields);
        flash.write(at, &bytes)?;
        let mut stands = [0; LENGTH];
        flash.read(at, &mut stands)?;
        if stands != bytes {
            // So that the first place of a sector in use is always whole, by which it is found.
            self.at = None;
            return Ok(false);
        }
        self.pairs = 0;
        Ok(true)
    }

    #[inline(never)]
    pub(super) fn later<F: NorFlash>(
        &mut self,
        flash: &mut F,
        left_ms: i64,
        right_ms: i64,
    ) -> Result<bool, F::Error> {
        let Some(at) = self.at.filter(|_| self.pairs < PAIRS) else { return Ok(false) };
        let (Ok(left), Ok(right)) = (i32::try_from(left_ms), i32::try_from(right_ms)) else {
            return Ok(false);
        };
        let mut bytes = [0; PAIR];
        bytes[..4].copy_from_slice(&self.number.to_le_bytes());
        bytes[4..8].copy_from_slice(&left.to_le_bytes());
        bytes[8..12].copy_from_slice(&right.to_le_bytes());
        let check = crc32(&bytes[..12]).to_le_bytes();
        bytes[12..].copy_from_slice(&check);
        let place = self.pairs;
        self.pairs += 1;
        flash.write(at + LENGTH as u32 + place * PAIR as u32, &bytes)?;
        Ok(true)
    }
}

/// The number of the game at a place, if one stands there whole.
#[inline(never)]
fn number_at<F: NorFlash>(flash: &mut F, at: u32) -> Result<Option<u32>, F::Error> {
    Ok(read(flash, at, LAYOUT)?.map(|mut fields| u32::from_le_bytes(fields.get())))
}

/// The game at a place, if one stands there whole. Apart from its number, since it takes ten times the room.
#[inline(never)]
fn game<F: NorFlash>(flash: &mut F, at: u32, found: &mut Found) -> Result<(), F::Error> {
    if let Some(mut fields) = read(flash, at, LAYOUT)? {
        let _number: [u8; 4] = fields.get();
        found.boot = u32::from_le_bytes(fields.get());
        found.saved = Saved::from_bytes(fields.piece(SAVED)).ok();
    }
    Ok(())
}

#[inline(never)]
fn pair<F: NorFlash>(
    flash: &mut F,
    at: u32,
    place: u32,
    number: u32,
) -> Result<Option<(i64, i64)>, F::Error> {
    if place >= PAIRS {
        return Ok(None);
    }
    let mut bytes = [0; PAIR];
    flash.read(at + LENGTH as u32 + place * PAIR as u32, &mut bytes)?;
    let mut fours = bytes.as_chunks::<4>().0.iter().copied();
    let [Some(of), Some(left), Some(right), Some(check)] = core::array::from_fn(|_| fours.next()) else {
        return Ok(None);
    };
    let whole = u32::from_le_bytes(check) == crc32(&bytes[..12]) && u32::from_le_bytes(of) == number;
    Ok(whole.then(|| (i64::from(i32::from_le_bytes(left)), i64::from(i32::from_le_bytes(right)))))
}
