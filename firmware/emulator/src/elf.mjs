// The firmware's file: what of it lies in flash, and where its names are.

import { readFileSync } from 'node:fs';
import { hex } from './crash.mjs';

const FLASH = 0x10000000;
const PT_LOAD = 1;
const SHT_SYMTAB = 2;
const STT_OBJECT = 1;
const STT_FUNC = 2;

function cString(bytes, at) {
  return bytes.toString('latin1', at, bytes.indexOf(0, at));
}

export class Firmware {
  /** Reads a 32-bit little-endian ELF for ARM; throws an `Error` that says what is wrong with it. */
  constructor(path) {
    this.path = path;
    const bytes = readFileSync(path);
    if (bytes.length < 52 || bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 1 || bytes[5] !== 1) {
      throw new Error(`${path} is no 32-bit ELF`);
    }
    if (bytes.readUInt16LE(18) !== 40) throw new Error(`${path} is not for ARM`);
    this.bytes = bytes;
    this.segments = this.#segments();
    this.symbols = this.#symbols();
    this.code = [...this.symbols.values()].filter((s) => s.kind === STT_FUNC).sort((a, b) => a.at - b.at);
  }

  #segments() {
    const { bytes } = this;
    const [first, size, count] = [bytes.readUInt32LE(28), bytes.readUInt16LE(42), bytes.readUInt16LE(44)];
    const segments = [];
    for (let at = first; at < first + size * count; at += size) {
      const [from, physical, length] = [4, 12, 16].map((field) => bytes.readUInt32LE(at + field));
      if (bytes.readUInt32LE(at) !== PT_LOAD || length === 0) continue;
      if (physical < FLASH || physical + length > FLASH + 0x200000) {
        throw new Error(`${this.path} wants ${length} bytes loaded at ${hex(physical)}, which is not in flash`);
      }
      segments.push({ offset: physical - FLASH, bytes: bytes.subarray(from, from + length) });
    }
    if (segments.length === 0) throw new Error(`${this.path} has nothing to load`);
    return segments;
  }

  #symbols() {
    const { bytes } = this;
    const symbols = new Map();
    const [first, size, count] = [bytes.readUInt32LE(32), bytes.readUInt16LE(46), bytes.readUInt16LE(48)];
    for (let section = 0; section < count; section++) {
      const header = first + section * size;
      if (bytes.readUInt32LE(header + 4) !== SHT_SYMTAB) continue;
      const [from, length, link] = [16, 20, 24].map((field) => bytes.readUInt32LE(header + field));
      const names = bytes.readUInt32LE(first + link * size + 16);
      for (let at = from; at < from + length; at += 16) {
        const name = cString(bytes, names + bytes.readUInt32LE(at));
        if (name === '' || name.startsWith('$')) continue;
        const kind = bytes[at + 12] & 0xf;
        const where = bytes.readUInt32LE(at + 4);
        symbols.set(name, { name, kind, at: kind === STT_FUNC ? where & ~1 : where, size: bytes.readUInt32LE(at + 8) });
      }
    }
    return symbols;
  }

  /** The address of a name: written as in the ELF, or as a Rust static's last part if there is one such only. */
  address(name) {
    const exact = this.symbols.get(name);
    if (exact) return exact.at;
    const last = new RegExp(`^_(Z|R).*[^0-9]${name.length}${name}(17h[0-9a-f]{16}E)?(\\.\\d+|\\.llvm\\.\\d+)*$`);
    const found = [...this.symbols.values()].filter((s) => s.kind === STT_OBJECT && last.test(s.name));
    if (found.length === 1) return found[0].at;
    throw new Error(found.length === 0 ? `no symbol ${name}` : `${found.length} symbols end with ${name}`);
  }

  /** The name of the function around an address, as `name+0x12`, or an empty text. */
  near(address) {
    let best = null;
    for (const symbol of this.code) {
      if (symbol.at > address) break;
      best = symbol;
    }
    if (!best || address >= best.at + Math.max(best.size, 2)) return '';
    return `${readable(best.name)}+0x${(address - best.at).toString(16)}`;
  }
}

/** A mangled Rust name as far as a reader needs it: its identifiers in their order. */
function readable(name) {
  if (!name.startsWith('_ZN') && !name.startsWith('_R')) return name;
  const parts = [];
  for (let at = 2; at < name.length; ) {
    const number = /^(\d+)_?/.exec(name.slice(at));
    // A crate's disambiguator, `s…_`, has digits of its own.
    const skip = /^s[0-9a-zA-Z]*_/.exec(name.slice(at));
    if (skip) at += skip[0].length;
    else if (!number || Number(number[1]) === 0 || at + number[0].length + Number(number[1]) > name.length) at += 1;
    else {
      at += number[0].length;
      parts.push(name.slice(at, at + Number(number[1])));
      at += Number(number[1]);
    }
  }
  return parts.filter((part) => !/^h[0-9a-f]{16}$/.test(part)).join('::');
}
