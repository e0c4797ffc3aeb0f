//! What a key may be chosen to say, word by word.

use super::shape::Word;
use serde::{Deserialize, Serialize};

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident = $default:ident { $($(#[doc = $meaning:literal])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[doc = $meaning])* $variant,)* }

        impl Default for $name {
            fn default() -> Self { Self::$default }
        }

        impl Word for $name {
            const ALL: &'static [(Self, &'static str)] =
                &[$((Self::$variant, concat!($($meaning),*).trim_ascii()),)*];
        }
    };
}

choice! {
    /// Whether a player who comes in the very millisecond of the default time is late (A5).
    Boundary = After {
        /// Late only after it.
        After,
        /// Late at it.
        At,
    }
}
choice! {
    /// What an unexplained stop leads to.
    StopAsked = Ask {
        /// An incident; a ruling only when play goes on or an arbiter says so.
        Ask,
        /// A proposed ruling at once.
        Propose,
    }
}
choice! {
    /// What is proposed where the times cannot be proved (六.9).
    Unprovable = Ask {
        /// 八.2 proposed, the loss offered.
        Ask,
        /// The loss proposed.
        Loss,
    }
}
choice! {
    /// From which status on a result is public.
    PublicResult = Signed {
        /// As soon as a person entered it.
        Entered,
        /// When both signed.
        Signed,
        /// When the round is closed.
        Official,
    }
}

choice! {
    /// Whose numbering the articles in rulings follow.
    Laws = Wugong {
        /// The supplementary regulations of 2012.
        Wugong,
        /// The FIDE Laws of Chess.
        Fide,
        /// The US Chess rules.
        UsChess,
    }
}
choice! {
    /// What the default time is compared with (A4).
    DefaultReference = RoundStart {
        /// The wall clock since the round's actual start.
        RoundStart,
        /// What the late player's own clock has run.
        OwnClock,
    }
}
choice! {
    /// Who may call a flag.
    FlagCall = Anyone {
        /// The clock shows it: a ruling follows.
        Anyone,
        /// Only the players (US Chess 13C1): the fact is told, a ruling only where an arbiter makes it.
        Players,
    }
}
choice! {
    /// How long an exemption from recording lasts (A8).
    ExemptFor = Game {
        /// Till the game's end.
        Game,
        /// Till the period's end (FIDE 8.4).
        Period,
    }
}
choice! {
    /// Whether an arbiter grants the exemption from recording (A8).
    ExemptBy = Arbiter {
        /// It is his to acknowledge.
        Arbiter,
        /// It holds by itself.
        Itself,
    }
}
choice! {
    /// What a check of the claimant beyond those that count takes from the natural limit (A12).
    ExcessCheck = Round {
        /// A whole round.
        Round,
        /// One side's move.
        Ply,
    }
}
choice! {
    /// From when on a draw may be agreed (A11).
    DrawFrom = Complete {
        /// Once so many rounds are complete.
        Complete,
        /// Only in a round after them.
        After,
    }
}
choice! {
    /// Whether every so many fouls cost points, or only the first so many (A10).
    EventFouls = Every {
        /// Every so many.
        Every,
        /// Once.
        Once,
    }
}
choice! {
    /// What is proposed for the opponent's time between a false press and the stop (六.2, 六.3).
    PressTimes = Leave {
        /// Left as they are: the text says nothing of times.
        Leave,
        /// As they stood at the press, without the increment it gave.
        Restore,
    }
}
choice! {
    /// What a ringing telephone costs (六.11).
    Phone = Loss {
        /// The game.
        Loss,
        /// A foul.
        Foul,
    }
}
choice! {
    /// Who wins a drawn game (armageddon).
    DrawWinner = Nobody {
        /// Nobody: it is a draw.
        Nobody,
        /// The first player.
        First,
        /// The second player.
        Second,
    }
}
