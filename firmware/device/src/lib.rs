//! The chess clock on any board: contacts, lights, display, memory and link over `embedded-hal` and `embedded-io`.
//!
//! What a press means is decided in `flagfall-firmware`; which pin a lever is on, in a board. This crate carries
//! between the two, and knows no concrete hardware.
#![no_std]

pub mod screen;
