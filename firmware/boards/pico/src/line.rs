//! The line: what comes is taken by an interrupt, what goes is left to the UART's 32 places.

use crate::interrupts::BYTES;
use embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};
use rp2040_hal::pac;

/// UART0.
pub struct Uart(());

impl Uart {
    /// Of a UART that has been set up.
    pub const fn new() -> Self {
        Self(())
    }
}

fn uart() -> &'static pac::uart0::RegisterBlock {
    // SAFETY: the loop writes what goes out and the interrupt reads what comes in; no register is both's.
    unsafe { &*pac::UART0::ptr() }
}

/// Waits until all is sent: at most 32 bytes, 3 ms.
pub fn flush() {
    while uart().uartfr().read().busy().bit_is_set() {}
}

impl ErrorType for Uart {
    type Error = core::convert::Infallible;
}

impl ReadReady for Uart {
    fn read_ready(&mut self) -> Result<bool, Self::Error> {
        Ok(!BYTES.is_empty())
    }
}

impl Read for Uart {
    fn read(&mut self, into: &mut [u8]) -> Result<usize, Self::Error> {
        Ok(BYTES.take(into))
    }
}

impl WriteReady for Uart {
    fn write_ready(&mut self) -> Result<bool, Self::Error> {
        Ok(uart().uartfr().read().txff().bit_is_clear())
    }
}

impl Write for Uart {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Self::Error> {
        let mut sent = 0;
        for byte in bytes {
            if uart().uartfr().read().txff().bit_is_set() {
                break;
            }
            // SAFETY: any byte may be sent.
            uart().uartdr().write(|w| unsafe { w.data().bits(*byte) });
            sent += 1;
        }
        Ok(sent)
    }

    fn flush(&mut self) -> Result<(), Self::Error> {
        flush();
        Ok(())
    }
}
