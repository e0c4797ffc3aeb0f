// A processor that waits by looking at a status again and again does nothing new until the next alarm. If it comes back to
// the same look with the same registers, having written nothing and read nothing else, as many whole turns of its loop are
// left out as fit before that alarm: what follows is the same to the cycle, only sooner.

export class Spin {
  constructor(chip) {
    this.chip = chip;
    /** How often something was done that is no look at a status. */
    this.stirs = 0;
    this.seenStirs = -1;
    // Never a small integer: the compiler shall know these as fractions from the first on.
    this.seenAt = NaN;
    this.seen = new Uint32Array(18);
    this.until = NaN;
    /** Looks at other places in the program since that at the one remembered. */
    this.elsewhere = 0;
  }

  /** A status was read whose reading changes nothing; `value` is what it said. */
  look(value) {
    const { core, clock: time } = this.chip;
    const { registers } = core;
    const { seen } = this;
    // A loop may look at more than one status; it is followed at one of them.
    if (seen[15] !== registers[15] && this.elsewhere < 4) {
      this.elsewhere += 1;
      return;
    }
    this.elsewhere = 0;
    const flags = (core.N ? 1 : 0) | (core.C ? 2 : 0) | (core.Z ? 4 : 0) | (core.V ? 8 : 0) | (core.PM ? 16 : 0);
    let same = this.stirs === this.seenStirs && seen[16] === flags && seen[17] === value >>> 0;
    for (let i = 0; i < 16; i++) {
      if (seen[i] !== registers[i]) {
        seen[i] = registers[i];
        same = false;
      }
    }
    if (same) {
      const turn = time.nanos - this.seenAt;
      const turns = Math.floor((Math.min(time.due, this.until) - time.nanos) / turn) - 1;
      if (turns > 0) time.nanos += turns * turn;
    }
    seen[16] = flags;
    seen[17] = value;
    this.seenStirs = this.stirs;
    this.seenAt = time.nanos;
  }
}
