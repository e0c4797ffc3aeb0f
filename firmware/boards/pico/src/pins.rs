//! Which pin is what. `docs/hardware/wiring.md` and its picture say the same; a test compares them, and with the names by
//! which `pico.rs` takes the pins from the HAL.
#![allow(dead_code, reason = "the HAL has a type for each pin, not a number")]

/// To the daemon.
pub const UART_TX: u8 = 0;
/// From the daemon.
pub const UART_RX: u8 = 1;
/// The left side's lever, to ground.
pub const LEFT_LEVER: u8 = 2;
/// The right side's lever, to ground.
pub const RIGHT_LEVER: u8 = 3;
/// The start/stop button, to ground.
pub const STOP_BUTTON: u8 = 4;
/// The arbiter's key, to ground.
pub const ARBITER_KEY: u8 = 5;
/// On while the left side runs.
pub const LEFT_LIGHT: u8 = 6;
/// On while the right side runs.
pub const RIGHT_LIGHT: u8 = 7;
/// Sounds while it is high.
pub const BUZZER: u8 = 8;
/// Data of the OLED.
pub const OLED_SDA: u8 = 12;
/// Clock of the OLED.
pub const OLED_SCL: u8 = 13;
/// Chip select of the digits.
pub const DIGITS_CS: u8 = 17;
/// Clock of the digits.
pub const DIGITS_CLK: u8 = 18;
/// Data of the digits.
pub const DIGITS_DIN: u8 = 19;
/// The battery, halved by two equal resistors.
pub const BATTERY: u8 = 26;
