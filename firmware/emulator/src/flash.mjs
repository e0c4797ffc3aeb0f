// The flash chip and what the ROM's functions do to it. It takes its time over erasing and programming, it only ever
// clears bits when it programs, a power cut leaves it half done, and while it is busy or out of its read mode nothing
// may be read from it: a real chip answers with rubbish or its status, and the processor runs into the wild.

import { Chance } from './chance.mjs';
import { Crash, hex } from './crash.mjs';
import { ADDRESS, BUSY, FUNCTIONS, GO, SECOND, THIRD } from './rom.mjs';

export const SIZE = 0x200000;
const PAGE = 256;
const SECTOR = 4096;
const BLOCK = 65536;

export class Flash {
  constructor({ eraseMs = 45 } = {}) {
    this.bytes = new Uint8Array(SIZE).fill(0xff);
    this.halves = new Uint16Array(this.bytes.buffer);
    this.words = new Uint32Array(this.bytes.buffer);
    this.eraseNanos = eraseMs * 1e6;
    this.programNanos = 1e6;
    /** How often a sector was erased since the emulator began: wear. */
    this.erased = new Uint32Array(SIZE / SECTOR);
    this.powerOn(null);
  }

  /** Loads the program as a programmer would: the sectors it needs are erased, everything else stays. */
  load(segments) {
    for (const { offset, bytes } of segments) {
      const [from, to] = [offset & ~(SECTOR - 1), Math.ceil((offset + bytes.length) / SECTOR) * SECTOR];
      if (!this.loaded || from >= this.loaded) this.bytes.fill(0xff, from, to);
      this.loaded = to;
      this.bytes.set(bytes, offset);
    }
  }

  /** `board` has `alarm`, set on the time of this power-up, and reads RAM for what is to be programmed. */
  powerOn(board) {
    this.board = board;
    /** Whether the processor can fetch and read it. */
    this.open = true;
    this.connected = true;
    this.flushed = true;
    this.job = null;
    this.registers = [0, 0, 0];
    this.done = board ? board.createAlarm(() => this.#stepDone()) : null;
  }

  /** The chip has power of its own while the processor is reset: what it began it completes. */
  finish() {
    if (this.job) this.#apply(this.job);
    this.job = null;
  }

  /** The power goes; a page or sector under way stays torn. */
  cut(seed) {
    const { job } = this;
    if (job) this.#tear(job, new Chance(seed));
    this.job = null;
    this.board = null;
  }

  get busy() {
    return this.job !== null;
  }

  /** What it is doing, for the report of a read that must not be. */
  get doing() {
    if (!this.job) return 'flash is out of its read mode';
    return `flash ${this.job.erase ? 'erases' : 'programs'} ${hex(0x10000000 + this.job.at)}`;
  }

  readRegister(offset) {
    return offset === BUSY && this.job ? 1 : 0;
  }

  writeRegister(offset, value) {
    if (offset === ADDRESS) this.registers[0] = value >>> 0;
    else if (offset === SECOND) this.registers[1] = value >>> 0;
    else if (offset === THIRD) this.registers[2] = value >>> 0;
    else if (offset === GO) this.#go(FUNCTIONS[value]);
  }

  /** The SSI was enabled for quad reads: second-stage boot code copied to RAM did what `CX` does. */
  quadReads() {
    if (!this.busy && this.flushed) this.open = true;
  }

  #go(code) {
    if (this.job) throw new Crash(`ROM function ${code} called while ${this.doing}`);
    const [first, second, third] = this.registers;
    switch (code) {
      case 'IF':
        this.connected = true;
        break;
      case 'EX':
        if (!this.connected) throw new Crash('flash_exit_xip before connect_internal_flash');
        this.open = false;
        this.flushed = false;
        break;
      case 'RE':
        this.#begin({ erase: true, at: first, left: second, block: third }, SECTOR);
        break;
      case 'RP':
        this.#begin({ erase: false, at: first, left: third, from: second }, PAGE);
        break;
      case 'FC':
        this.flushed = true;
        break;
      case 'CX':
        // Until the flush the chip select is held high: XIP would read nothing but ones.
        if (!this.flushed) throw new Crash('flash_enter_cmd_xip before flash_flush_cache');
        this.open = true;
        break;
      case 'UB':
        throw new Crash('the firmware restarts into the USB boot loader');
    }
  }

  #begin(job, unit) {
    const name = job.erase ? 'flash_range_erase' : 'flash_range_program';
    const range = `${hex(job.at)} +${job.left}`;
    if (this.open) throw new Crash(`${name} before flash_exit_xip`);
    if (job.at % unit !== 0 || job.left % unit !== 0) throw new Crash(`${name} of ${range}: not in whole units of ${unit}`);
    if (job.at + job.left > SIZE) throw new Crash(`${name} of ${range}: beyond the end of the flash`);
    if (job.left === 0) return;
    this.job = job;
    this.#beginStep();
  }

  #beginStep() {
    const { job } = this;
    if (job.erase) {
      const whole = job.block === BLOCK && job.at % BLOCK === 0 && job.left >= BLOCK;
      job.step = whole ? BLOCK : SECTOR;
      // Makers give 150 ms for a block where a sector has 45.
      this.done.schedule(whole ? (this.eraseNanos * 10) / 3 : this.eraseNanos);
      return;
    }
    job.step = PAGE;
    job.page = this.board.ram(job.from, PAGE);
    for (let i = 0; i < PAGE; i++) {
      // A page is programmed as a whole: a byte of ones is what a firmware leaves as it is.
      const set = job.page[i] & ~this.bytes[job.at + i];
      if (set && job.page[i] !== 0xff) throw new Crash(`flash_range_program wants to set bits that are clear at ${hex(0x10000000 + job.at + i)}`);
    }
    this.done.schedule(this.programNanos);
  }

  #stepDone() {
    const { job } = this;
    this.#apply(job);
    job.at += job.step;
    job.left -= job.step;
    job.from += job.step;
    if (job.left > 0) this.#beginStep();
    else this.job = null;
    this.board.wake();
  }

  #apply({ erase, at, step, page }) {
    if (!erase) {
      for (let i = 0; i < PAGE; i++) this.bytes[at + i] &= page[i];
      return;
    }
    this.bytes.fill(0xff, at, at + step);
    for (let sector = at / SECTOR; sector < (at + step) / SECTOR; sector++) this.erased[sector] += 1;
  }

  #tear({ erase, at, step, page }, chance) {
    const share = chance.upTo(257);
    if (!erase) {
      // Either some bytes are in and the rest is not, or every bit had its chance.
      const inOrder = chance.upTo(2) === 0;
      for (let i = 0; i < PAGE; i++) {
        const spared = inOrder ? (i < share ? 0 : 0xff) : chance.bits(256 - share);
        this.bytes[at + i] &= page[i] | spared;
      }
      return;
    }
    // Chips first program all of a sector to zero, so that a cut can leave zeros where ones were.
    const zeroing = chance.upTo(3) === 0;
    for (let i = at; i < at + step; i++) {
      const bits = chance.bits(share);
      if (zeroing) this.bytes[i] &= ~bits;
      else this.bytes[i] |= bits;
    }
  }
}
