// Two MAX7219 with eight digits each in a chain. What is shifted in goes through the left side's module first and on into
// the right side's; both take over what they then hold when the chip select rises.

// Segments A to G as bits 6 to 0; what several signs share is read as the first that is listed.
const SIGNS = new Map([
  [0x7e, '0'], [0x30, '1'], [0x6d, '2'], [0x79, '3'], [0x33, '4'], [0x5b, '5'], [0x5f, '6'], [0x70, '7'], [0x7f, '8'],
  [0x7b, '9'], [0x00, ' '], [0x01, '-'], [0x08, '_'], [0x77, 'A'], [0x1f, 'b'], [0x4e, 'C'], [0x0d, 'c'], [0x3d, 'd'],
  [0x4f, 'E'], [0x47, 'F'], [0x5e, 'G'], [0x37, 'H'], [0x17, 'h'], [0x06, 'I'], [0x3c, 'J'], [0x0e, 'L'], [0x15, 'n'],
  [0x1d, 'o'], [0x67, 'P'], [0x73, 'q'], [0x05, 'r'], [0x0f, 't'], [0x3e, 'U'], [0x1c, 'u'], [0x3b, 'y'], [0x09, '='],
  [0x72, '7'], [0x49, '≡'], [0x48, ':'],
]);
const CODE_B = '0123456789-EHLP ';

class Module {
  constructor() {
    this.digits = new Uint8Array(8);
    this.decode = 0;
    this.scanned = 1;
    this.awake = false;
    this.test = false;
  }

  latch(word) {
    const [register, value] = [(word >> 8) & 15, word & 0xff];
    if (register >= 1 && register <= 8) this.digits[register - 1] = value;
    else if (register === 9) this.decode = value;
    else if (register === 11) this.scanned = (value & 7) + 1;
    else if (register === 12) this.awake = (value & 1) !== 0;
    else if (register === 15) this.test = (value & 1) !== 0;
  }

  /** Eight signs from the left, which is digit 7, a point after each digit that has one. */
  show() {
    let text = '';
    for (let digit = 7; digit >= 0; digit--) {
      if (this.test) text += '8.';
      else if (!this.awake || digit >= this.scanned) text += ' ';
      else text += this.#sign(digit) + (this.digits[digit] & 0x80 ? '.' : '');
    }
    return text;
  }

  #sign(digit) {
    const value = this.digits[digit];
    return this.decode & (1 << digit) ? CODE_B[value & 15] : (SIGNS.get(value & 0x7f) ?? '?');
  }
}

export class Digits {
  constructor() {
    this.plugged = true;
    this.powered = false;
    this.powerOn(false);
  }

  powerOn(powered) {
    this.powered = powered;
    this.modules = [new Module(), new Module()];
    this.held = 0;
  }

  plug(plugged) {
    this.plugged = plugged;
    this.powerOn(this.powered);
  }

  /** What both show, as `digits LEFT RIGHT`. */
  show() {
    return `digits ${this.modules[0].show()} ${this.modules[1].show()}`;
  }

  /** Bits come in at the first module, the highest first. */
  shift(value, bits) {
    if (!this.powered || !this.plugged) return;
    for (let bit = bits - 1; bit >= 0; bit--) this.held = ((this.held << 1) | ((value >> bit) & 1)) >>> 0;
  }

  /** The chip select rises. */
  latch() {
    if (!this.powered || !this.plugged) return;
    this.modules[0].latch(this.held & 0xffff);
    this.modules[1].latch(this.held >>> 16);
  }
}
