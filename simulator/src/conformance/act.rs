//! What a step does to the clock: hands, commands sound and spoilt, power.

use super::order::{Order, Way, What};
use super::run::{Cause, Over, Run};
use super::script::{Deed, Step};
use super::specimen::{Contact, Hands, SpecimenError};
use flagfall_clock::{Action, Check, ClockCommand, ClockId, Encoding, Key};

/// Between the presses that tie the clock's time to the test's: a quarter of a millisecond more each time.
const CALIBRATE: u64 = 250_250;
/// How long a lever is down, in microseconds.
const DOWN: u64 = 100_000;

impl Run<'_, '_> {
    /// What the first event of a step comes of.
    pub(super) fn cause(&self, step: &Step, at: u64) -> Option<Cause> {
        match step.deed {
            Deed::Press(..) | Deed::PressBoth(_) | Deed::Hand(..) | Deed::Bounce(..) | Deed::Chatter(..) => {
                Some(Cause::Edge(at))
            }
            Deed::Command(_) => Some(Cause::Order(at)),
            _ => None,
        }
    }

    /// Does it at `at`, which is now. Gives when it is over.
    pub(super) fn act(&mut self, at: u64, step: &Step) -> Result<u64, Over> {
        self.tell_the_person(step)?;
        let us = |ms: i64| u64::try_from(ms).unwrap_or(0) * 1_000;
        match &step.deed {
            Deed::Press(contact, ms) => {
                self.moves_at(&[(at, *contact, true), (at + us(*ms), *contact, false)]);
            }
            Deed::PressBoth(ms) => {
                let up = at + us(*ms);
                self.moves_at(&[
                    (at, Contact::Left, true),
                    (at, Contact::Right, true),
                    (up, Contact::Left, false),
                    (up, Contact::Right, false),
                ]);
            }
            Deed::Hand(contact, down) => self.moves_at(&[(at, *contact, *down)]),
            Deed::Bounce(contact, edges, within) => {
                let edge =
                    |place: u64| (at + within * place / (*edges).max(1), *contact, place.is_multiple_of(2));
                let mut moves: Vec<_> = (0..*edges).map(edge).collect();
                let up = at + within + DOWN;
                moves.push((at + within, *contact, true));
                // Letting go bounces too.
                moves.extend([
                    (up, *contact, false),
                    (up + 700, *contact, true),
                    (up + 1_300, *contact, false),
                ]);
                self.moves_at(&moves);
            }
            Deed::Chatter(contact, ms) => {
                let moves: Vec<_> = (0..us(*ms) / 1_000)
                    .flat_map(|place| {
                        let at = at + place * 1_000;
                        [(at, *contact, true), (at + 500, *contact, false)]
                    })
                    .collect();
                self.moves_at(&moves);
                return Ok(at + us(*ms));
            }
            Deed::Calibrate => return Ok(self.calibrate(at)),
            Deed::Command(order) => self.command(order)?,
            Deed::Repeat => {
                let bytes = self.link.sent.clone();
                self.link.send(bytes)?;
            }
            Deed::Noise(bytes) => {
                let mut noise: Vec<u8> = (0..*bytes).map(|_| self.chance.below(256) as u8).collect();
                noise.extend(self.end_of_line());
                self.link.specimen.feed(&noise)?;
            }
            Deed::Oversized(bytes) => {
                let mut line = vec![b'x'; usize::try_from(*bytes).unwrap_or(0)];
                line.insert(0, b'{');
                line.extend(self.end_of_line());
                self.link.specimen.feed(&line)?;
            }
            Deed::Wait(ms) => return Ok(at + us(*ms)),
            Deed::Cut => {
                let seed = self.chance.below(u64::MAX);
                self.link.specimen.cut(seed)?;
                self.gone();
                self.cut_at.get_or_insert(at);
                self.history.cut = true;
            }
            Deed::Power => {
                self.link.dark();
                self.link.specimen.power()?;
            }
        }
        Ok(at)
    }

    /// The byte that ends whatever stands on the line.
    fn end_of_line(&self) -> Vec<u8> {
        match self.link.writes() {
            Encoding::Json => b"\n".to_vec(),
            Encoding::Binary => vec![0],
        }
    }

    fn moves_at(&mut self, moves: &[(u64, Contact, bool)]) {
        self.moves.extend(moves);
        self.moves.make_contiguous().sort_by_key(|(at, ..)| *at);
    }

    /// Presses the first player's lever before the start, which does nothing but say `ready`.
    fn calibrate(&mut self, at: u64) -> u64 {
        let contact = Contact::lever(self.case.first_side);
        let ready = format!("ready {}", contact.name());
        let last = at + 3 * CALIBRATE;
        for place in 0..4 {
            let at = at + place * CALIBRATE;
            self.moves_at(&[(at, contact, true), (at + DOWN, contact, false)]);
            self.expect_at(&ready, at);
        }
        last + DOWN
    }

    fn command(&mut self, order: &Order) -> Result<(), Over> {
        let action = self.action(order)?;
        let command = self.link.command(action, order.number, order.boot, order.until)?;
        let writes = self.link.writes();
        let bytes = match order.way {
            Way::Sound => self.link.sound(&command, writes),
            Way::Otherwise => self.link.sound(
                &command,
                match writes {
                    Encoding::Json => Encoding::Binary,
                    Encoding::Binary => Encoding::Json,
                },
            ),
            Way::Damaged => {
                let mut bytes = self.link.sound(&command, writes);
                // Not the delimiters: with those the message is whole.
                let place = 1 + self.chance.below((bytes.len() as u64).saturating_sub(2));
                // Not the bit by which letters of the check would be capitals, which mean the same.
                let bit = [0, 1, 2, 3, 4, 6, 7][self.chance.below(7) as usize];
                if let Some(byte) = usize::try_from(place).ok().and_then(|place| bytes.get_mut(place)) {
                    *byte ^= 1 << bit;
                }
                bytes.extend(self.end_of_line());
                bytes
            }
            Way::Half => {
                let mut bytes = self.link.sound(&command, writes);
                bytes.truncate(bytes.len() / 2);
                bytes.extend(self.end_of_line());
                bytes
            }
            Way::Other => {
                let clock = another(command.clock)?;
                self.link.sound(&ClockCommand { clock, ..command.clone() }, writes)
            }
            Way::Unchecked => super::link::Link::line(&command, Encoding::Json, Check::None),
            Way::Unsealed => super::link::Link::line(&command, writes, Check::Crc),
            Way::Forged => {
                let key = Key::new(b"not the key of this clock").map_err(|_| other("no key"))?;
                super::link::Link::line(&command, writes, Check::Seal(&key))
            }
        };
        self.next_control = match command.action {
            Action::Configure { time_control, .. } if order.is_answered() => Some(time_control),
            _ => None,
        };
        self.link.send(bytes)?;
        Ok(())
    }

    fn action(&self, order: &Order) -> Result<Action, Over> {
        let seq = |expr| match self.reckon(expr)? {
            number if number >= 0 => Ok(u32::try_from(number).unwrap_or(u32::MAX)),
            number => Err(Over::Failed(format!("{number} is no seq"))),
        };
        let boot = |off: i64| u32::try_from(i64::from(self.link.boot) + off).unwrap_or(u32::MAX);
        Ok(match &order.what {
            What::Fixed(action) => action.clone(),
            What::Replay(from, of) => Action::Replay { boot: boot(*of), from_seq: seq(from)? },
            What::Ack(to, of) => Action::Ack { boot: boot(*of), seq: seq(to)? },
        })
    }

    fn tell_the_person(&mut self, step: &Step) -> Result<(), Over> {
        if self.link.specimen.means().hands != Hands::Person {
            return Ok(());
        }
        let what = match &step.deed {
            Deed::Press(contact, _) => format!("press the {} shortly", contact.words()),
            Deed::PressBoth(_) => "press both levers at once".into(),
            Deed::Hand(contact, true) => format!("hold the {} down", contact.words()),
            Deed::Hand(contact, false) => format!("let go of the {}", contact.words()),
            _ => return Ok(()),
        };
        self.link.specimen.ask(&what, !step.expects.is_empty())?;
        Ok(())
    }
}

fn other(why: &str) -> Over {
    Over::Gone(SpecimenError::Other(why.into()))
}

/// The name of a clock that is not this one.
fn another(clock: ClockId) -> Result<ClockId, Over> {
    let name = if clock.as_str() == "Z98" { "Z97" } else { "Z98" };
    name.parse().map_err(|_| other("no name"))
}
