//! Two MAX7219 in a chain with eight digits each, as far as a screen can see them.

use embedded_hal::spi::{ErrorKind, ErrorType, Operation, SpiDevice};
use std::cell::RefCell;
use std::rc::Rc;

/// What each pattern without its point is read as.
const GLYPHS: [(u8, char); 20] = [
    (0x00, ' '),
    (0x7e, '0'),
    (0x30, '1'),
    (0x6d, '2'),
    (0x79, '3'),
    (0x33, '4'),
    (0x5b, '5'),
    (0x5f, '6'),
    (0x70, '7'),
    (0x7f, '8'),
    (0x7b, '9'),
    (0x01, '-'),
    (0x67, 'P'),
    (0x15, 'n'),
    (0x3d, 'd'),
    (0x1d, 'o'),
    (0x0f, 't'),
    (0x47, 'F'),
    (0x1f, 'b'),
    (0x08, '_'),
];

#[derive(Clone, Default)]
pub struct Module {
    registers: [u8; 16],
}

impl Module {
    /// The eight digits as characters, `.` after one with its point; `=` is the mark of a running side and `"` that of a
    /// period.
    pub fn seen(&self) -> String {
        let [shutdown, test, scan, decode, intensity] =
            [0x0c, 0x0f, 0x0b, 0x09, 0x0a].map(|at| self.registers[at]);
        assert_eq!((test, decode), (0, 0), "lamp test and decoding are off");
        if shutdown & 1 == 0 {
            return String::from("off");
        }
        assert_eq!(scan, 7, "all digits");
        assert!((4..16).contains(&intensity), "bright enough");
        let mut text = String::new();
        for segments in self.registers[1..=8].iter().rev() {
            let shape = segments & 0x7f;
            text.push(match GLYPHS.iter().find(|(pattern, _)| *pattern == shape) {
                Some((_, character)) => *character,
                None if shape == 0x49 => '=',
                None if shape == 0x48 => '"',
                None => panic!("nothing looks like {shape:07b}"),
            });
            if segments & 0x80 != 0 {
                text.push('.');
            }
        }
        text
    }
}

#[derive(Default)]
pub struct Chain {
    pub left: Module,
    pub right: Module,
    /// So many messages are still taken, then one fails.
    pub fails_after: Option<usize>,
    pub messages: usize,
    pub bytes: usize,
}

impl Chain {
    /// A spark: registers hold anything.
    pub fn spark(&mut self, noise: u8) {
        for module in [&mut self.left, &mut self.right] {
            for (at, register) in (1u8..).zip(&mut module.registers) {
                *register = noise.wrapping_mul(at);
            }
        }
    }
}

#[derive(Clone, Default)]
pub struct Bus(pub Rc<RefCell<Chain>>);

impl Bus {
    pub fn new() -> Self {
        let bus = Self::default();
        bus.0.borrow_mut().spark(0x57);
        bus
    }

    pub fn seen(&self) -> (String, String) {
        let chain = self.0.borrow();
        (chain.left.seen(), chain.right.seen())
    }
}

impl ErrorType for Bus {
    type Error = ErrorKind;
}

impl SpiDevice for Bus {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), ErrorKind> {
        let mut chain = self.0.borrow_mut();
        let failed = chain.fails_after == Some(0);
        chain.fails_after = chain.fails_after.map(|left| left.saturating_sub(1));
        if failed {
            chain.fails_after = None;
            return Err(ErrorKind::Other);
        }
        let mut bytes = Vec::new();
        for operation in operations {
            match operation {
                Operation::Write(written) => bytes.extend_from_slice(written),
                _ => panic!("nothing is ever read"),
            }
        }
        chain.messages += 1;
        chain.bytes += bytes.len();
        // What is shifted in first is shifted out into the second module of the chain.
        let [far, right, near, left] = bytes[..] else { panic!("16 bits for each module: {bytes:02x?}") };
        chain.right.registers[usize::from(far & 0x0f)] = right;
        chain.left.registers[usize::from(near & 0x0f)] = left;
        Ok(())
    }
}
