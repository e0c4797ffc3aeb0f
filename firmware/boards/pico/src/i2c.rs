//! The bus of the OLED, which never waits for ever.
//!
//! A module that comes off its plug in the middle of a byte acknowledges nothing, and may hold the wires down. The HAL's way of
//! writing looks for that only where its queue of 16 is full, and waits without end for a stop that does not come; the
//! clock would hang until its watchdog bit. So the bus is set up by the HAL and written here: what is not done in the
//! time of the longest message is given up, and the chip's note of it is cleared each time.

use crate::interrupts::counter;
use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};
use rp2040_hal::pac;

/// The longest message of the display has 33 bytes, 0.8 ms; twice that and more, in microseconds.
const PATIENCE: u32 = 2_000;

/// I2C0, set up.
pub struct Bus(());

/// Why a message did not go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// Nobody acknowledged it.
    Unheard,
    /// The wires are held, or the bus does not come to its end.
    Stuck,
    /// Reading is not needed by any display of ours.
    Reading,
}

impl embedded_hal::i2c::Error for Failed {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Unheard => ErrorKind::NoAcknowledge(NoAcknowledgeSource::Unknown),
            Self::Stuck => ErrorKind::Bus,
            Self::Reading => ErrorKind::Other,
        }
    }
}

fn bus() -> &'static pac::i2c0::RegisterBlock {
    // SAFETY: once it is set up the bus is used here only, by `&mut` of the one `Bus`.
    unsafe { &*pac::I2C0::ptr() }
}

impl Bus {
    /// Of a bus that has been set up.
    pub const fn new() -> Self {
        Self(())
    }

    fn send(&mut self, address: u8, bytes: &[u8]) -> Result<(), Failed> {
        let begun = counter();
        // The address can be changed while it is off only; that also empties the queue.
        bus().ic_enable().write(|w| w.enable().clear_bit());
        // SAFETY: any seven bits are an address.
        bus().ic_tar().write(|w| unsafe { w.ic_tar().bits(u16::from(address)) });
        bus().ic_enable().write(|w| w.enable().set_bit());
        let goes = |ready: fn() -> bool| loop {
            if bus().ic_raw_intr_stat().read().tx_abrt().bit_is_set() {
                return Err(Failed::Unheard);
            }
            if ready() {
                return Ok(());
            }
            if counter().wrapping_sub(begun) > PATIENCE {
                return Err(Failed::Stuck);
            }
        };
        for (place, byte) in bytes.iter().enumerate() {
            goes(|| bus().ic_status().read().tfnf().bit_is_set())?;
            let last = place + 1 == bytes.len();
            // SAFETY: any byte may be sent.
            bus().ic_data_cmd().write(|w| unsafe { w.stop().bit(last).dat().bits(*byte) });
        }
        goes(|| bus().ic_raw_intr_stat().read().stop_det().bit_is_set())
    }
}

impl ErrorType for Bus {
    type Error = Failed;
}

impl I2c for Bus {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), Failed> {
        for operation in operations {
            let sent = match operation {
                Operation::Write(bytes) if !bytes.is_empty() => self.send(address, bytes),
                Operation::Write(_) => Ok(()),
                Operation::Read(_) => Err(Failed::Reading),
            };
            // As long as an abort is noted the queue swallows everything.
            let _ = bus().ic_tx_abrt_source().read();
            let _ = bus().ic_clr_tx_abrt().read();
            let _ = bus().ic_clr_stop_det().read();
            if sent.is_err() {
                bus().ic_enable().write(|w| w.enable().clear_bit());
            }
            sent?;
        }
        Ok(())
    }
}
