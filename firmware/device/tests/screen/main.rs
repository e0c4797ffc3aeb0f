//! What the screens send, read by displays that are nothing but a decoder of their bytes.

mod digits;
mod face;
mod max7219;
mod oled;
mod pictures;
mod properties;
mod ssd1306;
