// Chance that is the same every time: a run with equal words must be equal to the byte (xorshift32).

export class Chance {
  constructor(seed) {
    // Neighbouring seeds must not give neighbouring streams, and zero would stay zero.
    this.state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0 || 0x6d2b79f5;
    for (let i = 0; i < 8; i++) this.word();
  }

  word() {
    let s = this.state;
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    this.state = s >>> 0;
    return this.state;
  }

  /** A whole number from 0 to `below` - 1. */
  upTo(below) {
    return Math.floor((this.word() / 2 ** 32) * below);
  }

  /** A byte each of whose bits is set with a chance of `share` in 256. */
  bits(share) {
    let byte = 0;
    for (let bit = 0; bit < 8; bit++) if (this.word() >>> 24 < share) byte |= 1 << bit;
    return byte;
  }
}
