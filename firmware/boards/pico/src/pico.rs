//! The board: its pins, clocks, line, display and battery, set up and handed to the clock.

use crate::flash::Flash;
use crate::interrupts::{self, EDGES};
use crate::line::Uart;
use flagfall_device::{Board, Parts, Point, THREE_ALKALINE};
use fugit::RateExtU32;
use rp2040_hal::adc::{Adc, AdcPin};
use rp2040_hal::clocks::{Clock, init_clocks_and_plls};
use rp2040_hal::gpio::{
    DynPinId, FunctionNull, FunctionSioInput, FunctionSioOutput, FunctionUart, Pin, Pins, PullDown, PullNone,
    PullUp, bank0,
};
use rp2040_hal::uart::{DataBits, StopBits, UartConfig, UartPeripheral};
use rp2040_hal::watchdog::Watchdog;
use rp2040_hal::{Sio, pac};

/// The crystal of a Pico.
const CRYSTAL_HZ: u32 = 12_000_000;
/// The line's pace, in bits a second.
const BAUD: u32 = 115_200;
/// The reference of the converter in millivolts, and what it reads there.
const REFERENCE_MV: u32 = 3_300;
const FULL: u32 = 4_096;
/// Less than any cells that the chip still runs on: it hangs on a cable.
const CABLE_MV: u16 = 2_000;
/// The divider before it.
const DIVIDER: u32 = 2;

/// What of the chip the clock takes.
pub struct Chip {
    pub clocks: pac::CLOCKS,
    pub xosc: pac::XOSC,
    pub pll_sys: pac::PLL_SYS,
    pub pll_usb: pac::PLL_USB,
    pub resets: pac::RESETS,
    pub sio: pac::SIO,
    pub io: pac::IO_BANK0,
    pub pads: pac::PADS_BANK0,
    pub uart: pac::UART0,
    #[cfg(not(feature = "digits"))]
    pub i2c: pac::I2C0,
    #[cfg(feature = "digits")]
    pub spi: pac::SPI0,
    pub adc: pac::ADC,
}

/// A Pico.
pub struct Pico {
    adc: Adc,
    battery: AdcPin<Pin<bank0::Gpio26, FunctionSioInput, PullNone>>,
}

impl Board for Pico {
    type Line = Uart;
    type Out = Pin<DynPinId, FunctionSioOutput, PullDown>;
    type Memory = Flash;
    type Screen = display::Display;

    fn counter(&mut self) -> u32 {
        interrupts::counter()
    }

    #[inline(never)]
    fn battery_mv(&mut self) -> Option<u16> {
        let read: u16 = self.adc.read(&mut self.battery).ok()?;
        let millivolts = u16::try_from(u32::from(read) * REFERENCE_MV * DIVIDER / FULL).ok()?;
        (millivolts >= CABLE_MV).then_some(millivolts)
    }

    fn battery_curve(&self) -> &'static [Point] {
        &THREE_ALKALINE
    }
}

/// Sets everything up, and hands it over.
#[inline(never)]
pub fn parts(mut chip: Chip, watchdog: &mut Watchdog) -> Parts<Pico> {
    // It starts the counter of microseconds as well. Without its crystal the chip keeps no time, so there is no clock.
    let Ok(clocks) = init_clocks_and_plls(
        CRYSTAL_HZ,
        chip.xosc,
        chip.clocks,
        chip.pll_sys,
        chip.pll_usb,
        &mut chip.resets,
        watchdog,
    ) else {
        crate::restart()
    };
    let sio = Sio::new(chip.sio);
    let pads = Pins::new(chip.io, chip.pads, sio.gpio_bank0, &mut chip.resets);
    contacts(pads.gpio2, pads.gpio3, pads.gpio4, pads.gpio5);
    // Pulled up, so that a plug that is out reads as a line at rest.
    let line = (
        pads.gpio0.into_function::<FunctionUart>(),
        pads.gpio1.into_pull_type::<PullUp>().into_function::<FunctionUart>(),
    );
    let config = UartConfig::new(BAUD.Hz(), DataBits::Eight, None, StopBits::One);
    if let Ok(mut uart) =
        UartPeripheral::new(chip.uart, line, &mut chip.resets).enable(config, clocks.peripheral_clock.freq())
    {
        uart.enable_rx_interrupt();
    }
    // The sensor of temperature stays off; the pin's own input too, so that it does not load the divider.
    let adc = Adc::new(chip.adc, &mut chip.resets);
    let battery = AdcPin::new(pads.gpio26.into_pull_type().into_function::<FunctionSioInput>());
    let Ok(battery) = battery else { crate::restart() };
    let system = clocks.system_clock.freq();
    #[cfg(not(feature = "digits"))]
    let screen = display::new(chip.i2c, pads.gpio12, pads.gpio13, &mut chip.resets, system);
    #[cfg(feature = "digits")]
    let screen = display::new(chip.spi, (pads.gpio17, pads.gpio18, pads.gpio19), &mut chip.resets, system);
    Parts {
        board: Pico { adc, battery },
        edges: &EDGES,
        line: Uart::new(),
        left_light: pads.gpio6.into_pull_type().into_function().into_dyn_pin(),
        right_light: pads.gpio7.into_pull_type().into_function().into_dyn_pin(),
        buzzer: pads.gpio8.into_pull_type().into_function().into_dyn_pin(),
        screen,
    }
}

type Free<I> = Pin<I, FunctionNull, PullDown>;

/// The contacts pull their pins to ground; open they are high.
fn contacts(
    left: Free<bank0::Gpio2>,
    right: Free<bank0::Gpio3>,
    stop: Free<bank0::Gpio4>,
    key: Free<bank0::Gpio5>,
) {
    let _ = left.into_function::<FunctionSioInput>().into_pull_type::<PullUp>();
    let _ = right.into_function::<FunctionSioInput>().into_pull_type::<PullUp>();
    let _ = stop.into_function::<FunctionSioInput>().into_pull_type::<PullUp>();
    let _ = key.into_function::<FunctionSioInput>().into_pull_type::<PullUp>();
    // The pulls need a moment until the pins are high.
    cortex_m::asm::delay(1_000);
}

/// The OLED.
#[cfg(not(feature = "digits"))]
mod display {
    use super::{Free, PullUp, bank0, pac};
    use crate::i2c::Bus;
    use flagfall_device::screen::Oled;
    use fugit::{HertzU32, RateExtU32};
    use rp2040_hal::I2C;
    use rp2040_hal::gpio::{FunctionI2C, Pin};

    /// What most modules answer to.
    const ADDRESS: u8 = 0x3c;
    /// The bus's pace, in kilobits a second.
    const PACE: u32 = 400;

    pub type Display = Oled<Bus>;

    pub fn new(
        i2c: pac::I2C0,
        sda: Free<bank0::Gpio12>,
        scl: Free<bank0::Gpio13>,
        resets: &mut pac::RESETS,
        system: HertzU32,
    ) -> Display {
        let (sda, scl) = (sda.into_pull_type().into_function(), scl.into_pull_type().into_function());
        let scl: Pin<bank0::Gpio13, FunctionI2C, PullUp> = scl;
        let sda: Pin<bank0::Gpio12, FunctionI2C, PullUp> = sda;
        // Only its settings are wanted; it is written by ours.
        let _ = I2C::i2c0(i2c, sda, scl, PACE.kHz(), resets, system);
        Oled::new(Bus::new(), ADDRESS)
    }
}

/// The digits.
#[cfg(feature = "digits")]
mod display {
    use super::{Free, PullDown, bank0, pac};
    use embedded_hal::spi::MODE_0;
    use embedded_hal_bus::spi::{ExclusiveDevice, NoDelay};
    use flagfall_device::screen::Digits;
    use fugit::{HertzU32, RateExtU32};
    use rp2040_hal::gpio::{FunctionSioOutput, FunctionSpi, Pin};
    use rp2040_hal::spi::{Enabled, Spi};

    /// The bus's pace, in megabits a second; the modules take ten.
    const PACE: u32 = 1;

    type Spi0 = Spi<
        Enabled,
        pac::SPI0,
        (Pin<bank0::Gpio19, FunctionSpi, PullDown>, Pin<bank0::Gpio18, FunctionSpi, PullDown>),
    >;
    type Select = Pin<bank0::Gpio17, FunctionSioOutput, PullDown>;
    pub type Display = Digits<ExclusiveDevice<Spi0, Select, NoDelay>>;

    pub fn new(
        spi: pac::SPI0,
        (select, clock, data): (Free<bank0::Gpio17>, Free<bank0::Gpio18>, Free<bank0::Gpio19>),
        resets: &mut pac::RESETS,
        system: HertzU32,
    ) -> Display {
        let pins = (data.into_function(), clock.into_function());
        let bus = Spi::<_, _, _, 8>::new(spi, pins).init(resets, system, PACE.MHz(), MODE_0);
        let mut select: Select = select.into_function();
        // High: it is not spoken to.
        let Ok(()) = embedded_hal::digital::OutputPin::set_high(&mut select);
        let Ok(device) = ExclusiveDevice::new_no_delay(bus, select);
        Digits::new(device)
    }
}
