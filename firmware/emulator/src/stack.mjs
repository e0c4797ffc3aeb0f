// How much stack was ever used: RAM between the static data and the stack's top is painted before the firmware starts, and
// whatever is no longer painted was used.

import { hex } from './crash.mjs';

const RAM = 0x20000000;
const PAINT = 0xc5c5c5c5;
const ENDS = ['__sheap', '__euninit', '__ebss', '__edata'];

export class Stack {
  constructor(firmware) {
    this.firmware = firmware;
    this.most = 0;
    this.top = 0;
  }

  /** Paints; the chip has been booted, its stack pointer is the initial one. */
  paint(chip) {
    this.top = chip.core.SP;
    const ends = ENDS.map((name) => this.firmware.symbols.get(name)?.at ?? 0).filter((at) => at <= this.top);
    this.bottom = Math.max(RAM, ...ends);
    chip.sram32.fill(PAINT, (this.bottom - RAM) >> 2, (this.top - RAM) >> 2);
  }

  /** Bytes used at most up to now. `chip` is null while there is no power. */
  look(chip) {
    if (!chip || !this.top) return this.most;
    let at = (this.bottom - RAM) >> 2;
    const top = (this.top - RAM) >> 2;
    while (at < top && chip.sram32[at] === PAINT) at++;
    this.most = Math.max(this.most, (top - at) * 4);
    return this.most;
  }

  /** Registers, and what on the stack looks like a return into the program, for the one who looks for the fault. */
  walk(chip) {
    const { core } = chip;
    const lines = [];
    for (let i = 0; i < 16; i += 4) {
      lines.push([0, 1, 2, 3].map((j) => `r${i + j}`.padStart(4) + `=${hex(core.registers[i + j])}`).join(''));
    }
    lines.push(`  pc ${this.firmware.near(core.PC) || '?'}`, `  lr ${this.firmware.near(core.LR & ~1) || '?'}`);
    const from = core.SP - RAM;
    for (let at = from >> 2; at < (this.top - RAM) >> 2 && at >= 0 && lines.length < 30; at++) {
      const word = chip.sram32[at];
      const name = word & 1 ? this.firmware.near(word & ~1) : '';
      if (name) lines.push(`  ${hex(RAM + at * 4)}: ${name}`);
    }
    return `${lines.join('\n')}\n`;
  }
}
