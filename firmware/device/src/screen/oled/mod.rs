//! An SSD1306 of 128 x 64 pixels on I2C.
//!
//! No picture is kept: a kilobyte twice would be an eighth of a small board's memory, and sending it takes 23 ms. What is
//! kept is the list of what stands where; what differs from the list before is marked as stale, and a slice paints and
//! sends up to 32 columns of one of the display's pages (8 rows) of what is stale.
//!
//! The crate `ssd1306` is not used. It sends its whole initialisation and its picture in one go, and what would be left
//! of it is 24 bytes of settings; it would also bring build dependencies that nobody maintains any more.

mod layout;
mod letters;
mod paint;
mod signs;
mod size;
mod stale;

use super::{Face, Screen};
use embedded_hal::i2c::I2c;
use layout::Picture;
use paint::Strip;
use stale::Stale;

/// The address of most modules.
pub const ADDRESS: u8 = 0x3c;

/// Columns of a page in one slice: with addresses 42 bytes on the bus, 0.95 ms at 400 kHz.
const WIDEST: u8 = 32;

/// First byte of a message of commands.
const COMMANDS: u8 = 0x00;
/// First byte of a message of pixels.
const PIXELS: u8 = 0x40;

/// All settings but on or off, so that they can be sent again while it shows. Values for a module of 128 x 64 with its
/// own charge pump, connector on top.
const SETTINGS: [u8; 25] = [
    COMMANDS, //
    0xd5, 0x80, // oscillator, divided by 1
    0xa8, 0x3f, // 64 rows
    0xd3, 0x00, // from the first row
    0x40, // memory begins at the first row
    0x8d, 0x14, // charge pump on
    0x20, 0x00, // addresses go along the columns
    0xa1, 0xc8, // turned so that column 0, page 0 is top left
    0xda, 0x12, // rows wired alternately
    0x81, 0xcf, // contrast
    0xd9, 0xf1, // precharge
    0xdb, 0x40, // deselect level
    0xa4, 0xa6, // shows its memory, a 1 is bright
    0x2e, // does not scroll
];

/// On: last, so that nobody sees the noise that stands in its memory at power-up.
const ON: [u8; 2] = [COMMANDS, 0xaf];

/// The clock's face on an SSD1306 of 128 x 64 pixels.
#[derive(Debug)]
pub struct Oled<I2C> {
    bus: I2C,
    address: u8,
    /// What it shows: asked for the same again, which is most of the time, it has nothing to lay out.
    face: Option<Face>,
    picture: Picture,
    stale: Stale,
    settings_due: bool,
    on_due: bool,
    /// The page that the next refresh sends again.
    page: u8,
}

impl<I2C: I2c> Oled<I2C> {
    /// A display at `address` ([`ADDRESS`], or 0x3d), dark until the first face.
    pub fn new(bus: I2C, address: u8) -> Self {
        Self {
            bus,
            address,
            face: None,
            picture: Picture::dark(),
            stale: Stale::all(),
            settings_due: true,
            on_due: true,
            page: 0,
        }
    }

    /// Gives the bus back.
    pub fn release(self) -> I2C {
        self.bus
    }

    #[inline(never)]
    fn strip(&mut self, page: u8, from: u8, to: u8) -> Result<(), I2C::Error> {
        let mut strip = Strip::new(page, from, to - from);
        self.picture.paint(&mut strip);
        self.bus.write(self.address, &[COMMANDS, 0x21, from, to - 1, 0x22, page, page])?;
        self.bus.write(self.address, strip.message())
    }
}

impl<I2C: I2c> Screen for Oled<I2C> {
    type Error = I2C::Error;

    #[inline(never)]
    fn show(&mut self, face: &Face) {
        if self.face.as_ref() == Some(face) {
            return;
        }
        self.face = Some(face.clone());
        let picture = Picture::of(face);
        for (before, now) in self.picture.items().zip(picture.items()) {
            if before != now {
                self.stale.mark(before.area());
                self.stale.mark(now.area());
            }
        }
        self.picture = picture;
    }

    #[inline(never)]
    fn slice(&mut self) -> Result<bool, Self::Error> {
        if self.settings_due {
            self.bus.write(self.address, &SETTINGS)?;
            self.settings_due = false;
        } else if let Some((page, from, to)) = self.stale.first(WIDEST) {
            self.strip(page, from, to)?;
            self.stale.sent(page, to);
        } else if self.on_due {
            self.bus.write(self.address, &ON)?;
            self.on_due = false;
        }
        Ok(self.settings_due || self.on_due || self.stale.any())
    }

    fn restart(&mut self) {
        self.stale = Stale::all();
        self.settings_due = true;
        self.on_due = true;
    }

    #[inline(never)]
    fn refresh(&mut self) {
        self.settings_due = true;
        self.on_due = true;
        self.stale.mark_page(self.page);
        self.page = (self.page + 1) % stale::PAGES;
    }
}
