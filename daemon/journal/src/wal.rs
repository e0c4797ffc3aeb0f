//! What a `-wal` left behind by a process that did not close says of itself, read before SQLite touches it.
//!
//! SQLite recovers on its own: whole transactions are taken, a torn one at the end is not. This only counts, so that
//! the loss of a tail is told and not passed over in silence.
//! Layout: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

const HEADER: u64 = 32;
const FRAME_HEADER: u64 = 24;

/// Frames in the file that belong to its present run; older ones behind them are leftovers and do not count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Survey {
    pub bytes: u64,
    frame: u64,
    frames: u64,
    /// Bytes of a last frame that is not whole.
    stump: u64,
}

impl Survey {
    /// Bytes that were written but are part of no whole transaction, `valid` frames being what SQLite made of it.
    pub fn torn(&self, valid: u64) -> u64 {
        self.frames.saturating_sub(valid) * self.frame + self.stump
    }
}

/// `None` if there is no `-wal` or it is empty.
pub(crate) fn survey(wal: &Path) -> io::Result<Option<Survey>> {
    let mut file = match File::open(wal) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let bytes = file.metadata()?.len();
    if bytes == 0 {
        return Ok(None);
    }
    let mut head = [0; HEADER as usize];
    if bytes < HEADER {
        return Ok(Some(Survey { bytes, stump: bytes, ..Survey::default() }));
    }
    file.read_exact(&mut head)?;
    let page = u32::from_be_bytes([head[8], head[9], head[10], head[11]]);
    // A page size of 65536 is stored as 1.
    let frame = FRAME_HEADER + if page == 1 { 65_536 } else { u64::from(page) };
    let salt = &head[16..24];
    let mut survey = Survey { bytes, frame, frames: 0, stump: 0 };
    let mut at = HEADER;
    while at + 16 <= bytes {
        let mut frame_head = [0; 16];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut frame_head)?;
        if &frame_head[8..16] != salt {
            return Ok(Some(survey));
        }
        if at + frame > bytes {
            break;
        }
        survey.frames += 1;
        at += frame;
    }
    survey.stump = bytes.saturating_sub(at);
    Ok(Some(survey))
}
