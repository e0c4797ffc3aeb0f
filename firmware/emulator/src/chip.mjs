// The RP2040 of rp2040js, with what a firmware for a real board must not get away with: reads of a busy flash, writes to
// flash addresses, unaligned and unmapped accesses, instructions that do not exist.

import { RP2040 } from 'rp2040js';
import { Chance } from './chance.mjs';
import { fitCore } from './core.mjs';
import { Crash, Reset, hex } from './crash.mjs';
import { SIZE } from './flash.mjs';
import { TRAP, bootRom } from './rom.mjs';
import { Spin } from './spin.mjs';

const FLASH = 0x10000000;
const FLASH_END = 0x15000000;
const ALIASES = 0x4000000;
const RAM = 0x20000000;
const VECTORS = FLASH + 0x100;
const AIRCR = 0xd0c;
const ROM = bootRom();

/** rp2040js warns where hardware would fault, and where it models less than there is; only the former matters. */
class Complaints {
  constructor(chip) {
    this.chip = chip;
    this.told = new Set();
  }
  debug() {}
  info(part, text) {
    // The library tells of `sev` only here and forgets the event.
    if (text === 'SEV') this.chip.core.eventRegistered = true;
  }
  warn(part, text) {
    if (part === 'RP2040' || part === 'CortexM0Core') throw new Crash(text);
    if (this.chip.trace && !this.told.has(part + text)) process.stderr.write(`${part}: ${text}\n`);
    this.told.add(part + text);
  }
  error(part, text) {
    throw new Crash(`${part}: ${text}`);
  }
}

export class Chip extends RP2040 {
  /** `flash` lives longer than a power-up; `sram`, if given, is kept as it is: a watchdog does not clear it. */
  constructor(time, flash, { sram = null, seed = 1, trace = false } = {}) {
    super(time);
    this.trace = trace;
    this.logger = new Complaints(this);
    this.store = flash;
    this.flash = flash.bytes;
    this.flash16 = flash.halves;
    this.flashView = new DataView(flash.bytes.buffer);
    this.bootrom.set(ROM);
    if (sram) {
      this.sram = sram;
    } else {
      const noise = new Chance(seed);
      const words = new Uint32Array(this.sram.buffer);
      for (let i = 0; i < words.length; i++) words[i] = noise.word();
    }
    this.sramView = new DataView(this.sram.buffer);
    this.sram16 = new Uint16Array(this.sram.buffer);
    this.sram32 = new Uint32Array(this.sram.buffer);
    /** The processor polls the ROM's trap: nothing happens until an alarm or an interrupt. */
    this.polling = false;
    this.spin = new Spin(this);
    fitCore(this);
    this.#registerBlocks();
    this.onBreak = (code) => {
      throw new Crash(`the firmware gave up (udf or bkpt ${code})`);
    };
    this.nanosPerCycle = 1e9 / this.clkSys;
    this.addClockListener((clkSys) => (this.nanosPerCycle = 1e9 / clkSys));
  }

  #registerBlocks() {
    const { store } = this;
    const block = (read, write) => ({
      readUint32: read,
      writeUint32: write,
      writeUint32Atomic: (offset, value) => write(offset, value),
    });
    this.peripherals[TRAP >>> 12] = block(
      (offset) => {
        const busy = store.readRegister(offset);
        if (busy) this.core.waiting = this.polling = true;
        return busy;
      },
      (offset, value) => store.writeRegister(offset, value),
    );
    // The XIP cache's controls: flushing is done at once.
    this.peripherals[0x14000] = block(
      () => 0,
      () => {},
    );
    const ssi = this.peripherals[0x18000];
    const writeSsi = ssi.writeUint32.bind(ssi);
    ssi.writeUint32 = (offset, value) => {
      writeSsi(offset, value);
      if (offset === 0x08 && value === 1 && ((ssi.crtlr0 >>> 21) & 3) === 2) store.quadReads();
    };
    const writePpb = this.ppb.writeUint32.bind(this.ppb);
    const readPpb = this.ppb.readUint32.bind(this.ppb);
    this.ppb.readUint32 = (offset) => (offset === AIRCR ? 0xfa050000 : readPpb(offset));
    this.ppb.writeUint32 = (offset, value) => {
      if (offset !== AIRCR) writePpb(offset, value);
      else if (value & 4) throw new Reset('software');
    };
  }

  /** Starts where the second-stage boot code leaves off. */
  boot() {
    const { core } = this;
    core.VTOR = VECTORS;
    core.reset();
    if (core.SP < RAM || core.SP > RAM + this.sram.length || core.PC >>> 28 !== 1) {
      throw new Crash(`no program in flash: its vectors say SP=${hex(core.SP)} PC=${hex(core.PC)}`);
    }
  }

  /** Tells of a register whose reading changes nothing. Who reads it again and again waits. */
  status(block, offsets) {
    const { spin } = this;
    const read = block.readUint32.bind(block);
    block.readUint32 = (offset) => {
      const value = read(offset);
      if (offsets.includes(offset)) {
        // It was counted as any other read.
        spin.stirs -= 1;
        spin.look(value);
      }
      return value;
    };
  }

  /** Whether a processor that sleeps has a reason to go on at once. */
  wakes() {
    const { core } = this;
    const reason = (core.pendingInterrupts & core.enabledInterrupts) !== 0 || core.pendingSystick || core.pendingPendSV;
    // Who polls goes on for an interrupt that is really taken only; `wfi` also ends for a masked one.
    return reason && !(this.polling && core.PM);
  }

  setInterrupt(irq, value) {
    const { core } = this;
    const bit = 1 << irq;
    if (!value) {
      core.pendingInterrupts &= ~bit;
    } else if (!(core.pendingInterrupts & bit)) {
      core.pendingInterrupts |= bit;
      // Taken before the next instruction if PRIMASK lets it; rp2040js takes it even if not, once the core sleeps.
      core.interruptsUpdated = true;
    }
  }

  reset() {
    // rp2040js also erases its flash and runs from the ROM here; both are the business of others.
    this.pwm.reset();
  }

  #refuse(kind, address) {
    if (address >= FLASH && address < FLASH_END && !this.store.open && kind === 'read') {
      throw new Crash(`flash read at PC=${hex(this.core.PC)} of ${hex(address)} while ${this.store.doing}`);
    }
    if (address >= FLASH && address < FLASH_END) throw new Crash(`${kind} of ${hex(address)}, beyond the flash`);
    throw new Crash(`unaligned ${kind} of ${hex(address)}`);
  }

  readUint16(address) {
    const inFlash = address - FLASH;
    if (inFlash >= 0 && inFlash < SIZE && (address & 1) === 0 && this.store.open) return this.flash16[inFlash >>> 1];
    const inRam = address - RAM;
    if (inRam >= 0 && inRam < this.sram.length && (address & 1) === 0) return this.sram16[inRam >>> 1];
    return this.#readElsewhere(address, 1, super.readUint16);
  }

  readUint32(address) {
    address >>>= 0;
    const inRam = address - RAM;
    if (inRam >= 0 && inRam < this.sram.length && (address & 3) === 0) return this.sram32[inRam >>> 2];
    const inFlash = address - FLASH;
    if (inFlash >= 0 && inFlash < SIZE && (address & 3) === 0 && this.store.open) return this.store.words[inFlash >>> 2];
    return this.#readElsewhere(address, 3, super.readUint32);
  }

  readUint8(address) {
    address >>>= 0;
    const inRam = address - RAM;
    if (inRam >= 0 && inRam < this.sram.length) return this.sram[inRam];
    const inFlash = address - FLASH;
    if (inFlash >= 0 && inFlash < SIZE && this.store.open) return this.flash[inFlash];
    return this.#readElsewhere(address, 0, super.readUint8);
  }

  writeUint32(address, value) {
    address >>>= 0;
    this.spin.stirs += 1;
    const inRam = address - RAM;
    if (inRam >= 0 && inRam < this.sram.length && (address & 3) === 0) this.sram32[inRam >>> 2] = value;
    else this.#writeElsewhere(address, value, 3, super.writeUint32);
  }

  writeUint16(address, value) {
    address >>>= 0;
    this.spin.stirs += 1;
    const inRam = address - RAM;
    if (inRam >= 0 && inRam < this.sram.length && (address & 1) === 0) this.sram16[inRam >>> 1] = value;
    else this.#writeElsewhere(address, value, 1, super.writeUint16);
  }

  writeUint8(address, value) {
    address >>>= 0;
    this.spin.stirs += 1;
    const inRam = address - RAM;
    if (inRam >= 0 && inRam < this.sram.length) this.sram[inRam] = value;
    else this.#writeElsewhere(address, value, 0, super.writeUint8);
  }

  #readElsewhere(address, aligned, read) {
    if (address & aligned) this.#refuse('read', address);
    if (address < FLASH || address >= FLASH + ALIASES) {
      this.spin.stirs += 1;
      return read.call(this, address);
    }
    // Three more windows on the same flash go past the cache or leave it as it is.
    const main = FLASH + (address & 0xffffff);
    if (!this.store.open || main >= FLASH + SIZE) this.#refuse('read', address);
    return read.call(this, main);
  }

  #writeElsewhere(address, value, aligned, write) {
    if (address & aligned) this.#refuse('write', address);
    if (address < FLASH + ALIASES) throw new Crash(`write to ${hex(address)}, which is ${address < FLASH ? 'ROM' : 'flash'}`);
    write.call(this, address, value);
  }
}
