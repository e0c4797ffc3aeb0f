//! Topics of MQTT, which also stand in what a seal covers on a serial line.
//!
//! `flagfall/1/{clock}/report|frame|command|command-frame|link`

use crate::{ClockId, ClockIdError};
use core::fmt;
use core::str::FromStr;
use heapless::String;

/// What a topic is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// A clock's reports as JSON.
    Report,
    /// A clock's reports as binary frames.
    Frame,
    /// Commands to a clock as JSON.
    Command,
    /// Commands to a clock as binary frames.
    CommandFrame,
    /// `online` or `offline`, retained: birth and will.
    Link,
}

impl Channel {
    /// All, in the order above.
    pub const ALL: [Self; 5] = [Self::Report, Self::Frame, Self::Command, Self::CommandFrame, Self::Link];

    /// Its last part of the topic.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Frame => "frame",
            Self::Command => "command",
            Self::CommandFrame => "command-frame",
            Self::Link => "link",
        }
    }

    /// The subscription that takes this channel of every clock.
    #[must_use]
    pub const fn of_every_clock(self) -> &'static str {
        match self {
            Self::Report => "flagfall/1/+/report",
            Self::Frame => "flagfall/1/+/frame",
            Self::Command => "flagfall/1/+/command",
            Self::CommandFrame => "flagfall/1/+/command-frame",
            Self::Link => "flagfall/1/+/link",
        }
    }
}

/// A clock's topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Topic {
    /// Which clock.
    pub clock: ClockId,
    /// What for.
    pub channel: Channel,
}

/// The longest topic, in bytes.
pub const MAX_TOPIC: usize = "flagfall/1/".len() + 16 + "/command-frame".len();

impl Topic {
    /// The topic of `channel` of `clock`.
    #[must_use]
    pub const fn new(clock: ClockId, channel: Channel) -> Self {
        Self { clock, channel }
    }

    /// As text, without allocation.
    #[must_use]
    pub fn text(&self) -> String<MAX_TOPIC> {
        let mut text = String::new();
        // Cannot fail: the longest fits.
        for part in ["flagfall/1/", self.clock.as_str(), "/", self.channel.name()] {
            let _ = text.push_str(part);
        }
        text
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// Why a text is not a topic of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopicError {
    /// It does not begin with `flagfall/` or has other than four parts.
    Shape,
    /// Of another version than 1.
    Version,
    /// Its clock is none.
    Clock(ClockIdError),
    /// Its last part is none of ours.
    Channel,
}

impl fmt::Display for TopicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape => f.write_str("a topic is flagfall/1/{clock}/{channel}"),
            Self::Version => f.write_str("the topic is of another version than 1"),
            Self::Clock(error) => fmt::Display::fmt(error, f),
            Self::Channel => f.write_str("a topic ends in report, frame, command, command-frame or link"),
        }
    }
}

impl core::error::Error for TopicError {}

impl FromStr for Topic {
    type Err = TopicError;

    fn from_str(text: &str) -> Result<Self, TopicError> {
        let mut parts = text.split('/');
        let mut next = || parts.next().ok_or(TopicError::Shape);
        let (root, version, clock, channel) = (next()?, next()?, next()?, next()?);
        if root != "flagfall" || parts.next().is_some() {
            return Err(TopicError::Shape);
        }
        if version != "1" {
            return Err(TopicError::Version);
        }
        let clock = clock.parse().map_err(TopicError::Clock)?;
        let channel = Channel::ALL.into_iter().find(|c| c.name() == channel).ok_or(TopicError::Channel)?;
        Ok(Self { clock, channel })
    }
}
