// Programs of a few instructions as ELF files: a second stage, vectors, a copy of the rest into RAM, and the rest, which so
// may run while the flash is busy.

import * as thumb from '../node_modules/rp2040js/dist/esm/utils/assembler.js';

const FLASH = 0x10000000;
const RAM = 0x20001000;
const STACK = 0x20008000;
export const [R0, R1, R2, R3, R4, R5, R6, R7] = [0, 1, 2, 3, 4, 5, 6, 7];
const CONDITIONS = { eq: 0, ne: 1, lo: 3, hs: 2 };

/** Thumb code that lies at `base`; words it needs follow it. */
export class Code {
  constructor(base) {
    this.base = base;
    this.halves = [];
    this.labels = new Map();
    this.later = [];
    this.literals = [];
  }
  get here() {
    return this.base + this.halves.length * 2;
  }
  op(name, ...args) {
    const opcode = thumb[`opcode${name}`](...args);
    this.halves.push(opcode & 0xffff);
    if (opcode > 0xffff) this.halves.push(opcode >>> 16);
    return this;
  }
  label(name) {
    this.labels.set(name, this.here);
    return this;
  }
  /** `condition` is a key of `CONDITIONS`, or nothing. */
  branch(target, condition) {
    this.later.push({ at: this.halves.length, target, condition });
    this.halves.push(0);
    return this;
  }
  /** Any 32-bit value, or the address of a label, into a register. */
  load(register, value) {
    this.later.push({ at: this.halves.length, register, value });
    this.halves.push(0);
    return this;
  }
  store(address, value) {
    return this.load(R0, address).load(R1, value).op('STR', R1, R0, 0);
  }
  bytes() {
    if (this.halves.length % 2) this.op('NOP');
    for (const { at, target, condition, register, value } of this.later) {
      const from = this.base + at * 2 + 4;
      if (register !== undefined) {
        const word = this.here;
        const whole = typeof value === 'string' ? this.labels.get(value) : value;
        this.halves.push(whole & 0xffff, whole >>> 16);
        this.halves[at] = thumb.opcodeLDRlit(register, word - (from & ~3));
      } else {
        const way = this.labels.get(target) - from;
        this.halves[at] = condition ? thumb.opcodeBT1(CONDITIONS[condition], way & 0x1ff) : thumb.opcodeBT2(way & 0xfff);
      }
    }
    return Buffer.from(Uint16Array.from(this.halves).buffer);
  }
}

/** The ELF of a body that `write(code)` writes; `interrupts` maps numbers to labels, `symbols` names to addresses. */
export function elf(write, { interrupts = {}, symbols = {} } = {}) {
  const body = new Code(RAM);
  write(body);
  const code = body.bytes();
  const vectors = Buffer.alloc(192);
  const start = new Code(FLASH + 0x100 + vectors.length);
  start
    .load(R0, FLASH + 0x200).load(R1, RAM).load(R2, RAM + code.length)
    .label('copy').op('LDMIA', R0, 1 << R3).op('STMIA', R1, 1 << R3).op('CMPregT1', R1, R2).branch('copy', 'lo')
    .load(R0, RAM + 1).op('BX', R0);
  vectors.writeUInt32LE(STACK, 0);
  vectors.writeUInt32LE((FLASH + 0x100 + vectors.length) | 1, 4);
  for (const [irq, label] of Object.entries(interrupts)) {
    vectors.writeUInt32LE(body.labels.get(label) | 1, 64 + 4 * Number(irq));
  }
  const image = Buffer.alloc(0x200 + code.length, 0xff);
  vectors.copy(image, 0x100);
  start.bytes().copy(image, 0x100 + vectors.length);
  code.copy(image, 0x200);
  const named = { ...Object.fromEntries([...body.labels]), ...symbols };
  return file(image, named, body);
}

function file(image, symbols, body) {
  const names = ['', ...Object.keys(symbols)];
  const strings = Buffer.from(`${names.join('\0')}\0`, 'latin1');
  const table = Buffer.alloc(16 * names.length);
  let name = 1;
  Object.entries(symbols).forEach(([text, at], i) => {
    const isCode = body.labels.has(text);
    table.writeUInt32LE(name, 16 * (i + 1));
    table.writeUInt32LE(isCode ? at | 1 : at, 16 * (i + 1) + 4);
    table.writeUInt32LE(isCode ? 256 : 4, 16 * (i + 1) + 8);
    table[16 * (i + 1) + 12] = isCode ? 2 : 1;
    name += text.length + 1;
  });
  const [program, sections] = [52, 52 + 32];
  const at = sections + 3 * 40;
  const header = Buffer.alloc(at);
  header.writeUInt32BE(0x7f454c46, 0);
  header.set([1, 1, 1], 4);
  [[16, 2], [18, 40], [40, 52], [42, 32], [44, 1], [46, 40], [48, 3]].forEach(([where, value]) => header.writeUInt16LE(value, where));
  [[20, 1], [28, program], [32, sections]].forEach(([where, value]) => header.writeUInt32LE(value, where));
  [1, at, FLASH, FLASH, image.length, image.length, 5, 4].forEach((value, i) => header.writeUInt32LE(value, program + 4 * i));
  const section = (i, kind, from, length, link) => {
    [[4, kind], [16, from], [20, length], [24, link]].forEach(([w, v]) => header.writeUInt32LE(v, sections + 40 * i + w));
  };
  section(1, 2, at + image.length, table.length, 2);
  section(2, 3, at + image.length + table.length, strings.length, 0);
  return Buffer.concat([header, image, table, strings]);
}
