// An SSD1306 of 128x64 on I2C at 0x3C: its memory, and those commands that say where the next byte goes.

import { Chance } from './chance.mjs';

const ADDRESS = 0x3c;
const [HORIZONTAL, VERTICAL] = [0, 1];
/** How many bytes follow a command; none where it is not named. */
const ARGUMENTS = new Map([
  [0x20, 1], [0x21, 2], [0x22, 2], [0x26, 6], [0x27, 6], [0x29, 5], [0x2a, 5], [0x81, 1], [0x8d, 1], [0xa3, 2],
  [0xa8, 1], [0xd3, 1], [0xd5, 1], [0xd9, 1], [0xda, 1], [0xdb, 1],
]);

export class Oled {
  constructor() {
    this.plugged = true;
    this.powered = false;
    this.memory = new Uint8Array(1024);
    this.powerOn(false);
  }

  /** Its memory holds noise after power-up, and it shows nothing until told. */
  powerOn(powered) {
    this.powered = powered;
    const noise = new Chance(0x1306);
    for (let i = 0; i < 1024; i++) this.memory[i] = noise.bits(128);
    this.lit = false;
    this.pumped = false;
    this.mode = 2;
    [this.column, this.firstColumn, this.lastColumn] = [0, 0, 127];
    [this.page, this.firstPage, this.lastPage] = [0, 0, 7];
    this.stop();
    this.command = [];
  }

  plug(plugged) {
    this.plugged = plugged;
    this.powerOn(this.powered);
  }

  /** What it shows, as `oled HEX`: dark without power, plug, charge pump or the command to be on. */
  show() {
    const seen = this.powered && this.plugged && this.lit && this.pumped;
    return `oled ${Buffer.from(seen ? this.memory : new Uint8Array(1024)).toString('hex')}`;
  }

  answers(address) {
    this.stop();
    return this.powered && this.plugged && address === ADDRESS;
  }

  stop() {
    this.control = -1;
  }

  take(byte) {
    if (!this.powered || !this.plugged) return false;
    if (this.control < 0) {
      this.control = byte;
      return true;
    }
    if (this.control & 0x40) this.#write(byte);
    else this.#obey(byte);
    // With the continuation bit a control byte stands before every byte.
    if (this.control & 0x80) this.control = -1;
    return true;
  }

  #write(byte) {
    this.memory[this.page * 128 + this.column] = byte;
    if (this.mode === VERTICAL) {
      if (this.page !== this.lastPage) this.page = (this.page + 1) & 7;
      else [this.page, this.column] = [this.firstPage, this.#nextColumn()];
      return;
    }
    const wraps = this.mode === HORIZONTAL ? this.column === this.lastColumn : this.column === 127;
    if (this.mode === HORIZONTAL && wraps) this.page = this.page === this.lastPage ? this.firstPage : (this.page + 1) & 7;
    this.column = this.mode === HORIZONTAL ? this.#nextColumn() : (this.column + 1) & 127;
  }

  #nextColumn() {
    return this.column === this.lastColumn ? this.firstColumn : (this.column + 1) & 127;
  }

  #obey(byte) {
    this.command.push(byte);
    const [code, first, second] = this.command;
    if (this.command.length <= (ARGUMENTS.get(code) ?? 0)) return;
    this.command = [];
    if (code === 0x20) this.mode = first & 3;
    else if (code === 0x21) [this.column, this.firstColumn, this.lastColumn] = [first & 127, first & 127, second & 127];
    else if (code === 0x22) [this.page, this.firstPage, this.lastPage] = [first & 7, first & 7, second & 7];
    else if (code === 0x8d) this.pumped = (first & 4) !== 0;
    else if (code === 0xae || code === 0xaf) this.lit = code === 0xaf;
    else if (code >= 0xb0 && code <= 0xb7) this.page = code & 7;
    else if (code <= 0x0f) this.column = (this.column & 0x70) | code;
    else if (code <= 0x1f) this.column = (this.column & 0x0f) | ((code & 7) << 4);
  }
}
