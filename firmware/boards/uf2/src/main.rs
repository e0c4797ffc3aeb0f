//! `flagfall-uf2 PROGRAM.elf OUT.uf2`: the form in which a Pico takes a program when it shows itself as a disk, after
//! Microsoft's description of UF2. Says in its last line how much flash and RAM the program takes.

use object::read::elf::{ElfFile32, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// What a block carries, in bytes.
const CARRIES: u32 = 256;
const MAGIC: [u32; 2] = [0x0a32_4655, 0x9e5d_5157];
const MAGIC_END: u32 = 0x0ab1_6f30;
/// The word after says for which chip it is.
const HAS_FAMILY: u32 = 0x2000;
const RP2040: u32 = 0xe48b_ff56;
/// Where an RP2040 has its flash, and its RAM.
const FLASH: u32 = 0x1000_0000;
const RAM: std::ops::Range<u64> = 0x2000_0000..0x2004_2000;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [program, out] = &args[..] else {
        eprintln!("flagfall-uf2 PROGRAM.elf OUT.uf2");
        return ExitCode::from(64);
    };
    match run(program, out) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("flagfall-uf2: {program}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(program: &str, out: &str) -> Result<String, Box<dyn std::error::Error>> {
    let bytes = std::fs::read(program)?;
    let elf = ElfFile32::<Endianness>::parse(&*bytes)?;
    let mut blocks: BTreeMap<u32, [u8; CARRIES as usize]> = BTreeMap::new();
    let mut flash = 0;
    for header in elf.elf_program_headers() {
        let endian = elf.endian();
        let at = header.p_paddr(endian);
        if header.p_type(endian) != object::elf::PT_LOAD || header.p_filesz(endian) == 0 {
            continue;
        }
        let data = header.data(endian, &*bytes).map_err(|()| "a segment lies outside of the file")?;
        flash = flash.max(at + u32::try_from(data.len())? - FLASH);
        for (at, byte) in (at..).zip(data) {
            let block = blocks.entry(at / CARRIES * CARRIES).or_insert([0xff; CARRIES as usize]);
            block[(at % CARRIES) as usize] = *byte;
        }
    }
    std::fs::write(out, uf2(&blocks)?)?;
    let symbol = |name: &str| {
        elf.symbols().find(|symbol| symbol.name() == Ok(name)).map(|symbol| symbol.address()).ok_or(format!("no {name}"))
    };
    // From the lowest byte of the stack to the last of what is fixed.
    let (stack, fixed) = (symbol("_stack_start")? - RAM.start, symbol("__sheap")? - symbol("__sdata")?);
    Ok(format!("{out}: flash {flash} bytes, RAM {} bytes ({fixed} fixed, {stack} stack)", stack + fixed))
}

fn uf2(blocks: &BTreeMap<u32, [u8; CARRIES as usize]>) -> Result<Vec<u8>, std::num::TryFromIntError> {
    let count = u32::try_from(blocks.len())?;
    let mut file = Vec::new();
    for (number, (at, data)) in (0_u32..).zip(blocks) {
        for word in [MAGIC[0], MAGIC[1], HAS_FAMILY, *at, CARRIES, number, count, RP2040] {
            file.extend(word.to_le_bytes());
        }
        file.extend(data);
        file.resize(file.len() + 476 - data.len(), 0);
        file.extend(MAGIC_END.to_le_bytes());
    }
    Ok(file)
}
