// The Cortex-M0+ of rp2040js with the common instructions done in one loop over local variables: four times as fast, and with
// the carry and overflow of `adcs`, `sbcs` and shifts by register as the architecture has them (rp2040js 1.4.1 takes a wrong
// turn at `i64::MAX`). Whatever the loop does not know, and everything outside RAM and readable flash, is left to rp2040js.
// Cycles are counted as there.

import { Crash, hex } from './crash.mjs';
import { SIZE } from './flash.mjs';
import { builtOn } from './made.mjs';

const FLASH = 0x10000000;
const RAM = 0x20000000;
const [NO, LOAD, LOAD16, LOAD8, LOADS16, LOADS8, STORE, STORE16, STORE8] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const BY_REGISTER = [STORE, STORE16, STORE8, LOADS8, LOAD, LOAD16, LOAD8, LOADS16];
const MNEMONICS = { AND: 0, EOR: 1, LSL: 2, LSR: 3, ASR: 4, ADC: 5, SBC: 6, ROR: 7, TST: 8, RSB: 9, CMP: 10, CMN: 11, ORR: 12, MUL: 13, BIC: 14, MVN: 15 };
const { AND, EOR, LSL, LSR, ASR, ADC, SBC, ROR, TST, RSB, CMP, CMN, ORR, MUL, BIC } = MNEMONICS;

function quickCore(Core) {
  return class QuickCore extends Core {
    constructor(chip) {
      super(chip);
      this.signed = new Int32Array(this.registers.buffer);
    }

    BXWritePC(address) {
      if (!(address & 1)) throw new Crash(`branch to ${hex(address)}, which is no Thumb code`);
      super.BXWritePC(address);
    }

    /** Runs until `until` nanoseconds of this power-up, or until it sleeps. */
    run(until) {
      const chip = this.rp2040;
      const time = chip.clock;
      while (time.nanos < until && !this.waiting) {
        if (!this.interruptsUpdated) this.#quick(time.due < until ? time.due : until);
        if (time.due <= time.nanos) time.ringDue();
        else if (time.nanos < until) {
          // Looked up after the instruction, which may let time pass by itself.
          const cycles = this.executeInstruction();
          time.nanos += cycles * chip.nanosPerCycle;
          if (time.due <= time.nanos) time.ringDue();
        }
      }
    }

    /** Runs until `limit`, or up to an instruction it does not know. */
    #quick(limit) {
      const chip = this.rp2040;
      const time = chip.clock;
      const { nanosPerCycle, store, spin, flash: flash8, flash16, sram16, sram32, sram } = chip;
      const flash32 = store.words;
      const readable = store.open ? SIZE : 0;
      const ramSize = sram.length;
      const inHandler = this.IPSR !== 0;
      const r = this.signed;
      let nanos = time.nanos;
      let pc = r[15] >>> 0;
      // N is its sign, Z whether it is zero.
      let nz = this.Z ? 0 : this.N ? -1 : 1;
      let c = this.C ? 1 : 0;
      let v = this.V ? 1 : 0;
      let stored = false;

      while (nanos < limit) {
        let op = 0;
        const inFlash = pc - FLASH;
        const inRam = pc - RAM;
        if (inFlash >= 0 && inFlash < readable) op = flash16[inFlash >>> 1];
        else if (inRam >= 0 && inRam < ramSize) op = sram16[inRam >>> 1];
        else break;
        let cycles = 1;
        let next = pc + 2;
        let act = NO;
        let a = 0;
        let t = op & 7;
        const m = (op >>> 3) & 7;
        const hi = (op >>> 8) & 7;
        const imm5 = (op >>> 6) & 31;
        const imm8 = op & 255;

        switch (op >>> 11) {
          case 0: { // lsls
            const x = r[m];
            if (imm5) c = (x >>> (32 - imm5)) & 1;
            nz = r[t] = x << imm5;
            break;
          }
          case 1: { // lsrs
            const x = r[m];
            c = (x >>> (imm5 ? imm5 - 1 : 31)) & 1;
            nz = imm5 ? (x >>> imm5) | 0 : 0;
            r[t] = nz;
            break;
          }
          case 2: { // asrs
            const x = r[m];
            c = (x >> (imm5 ? imm5 - 1 : 31)) & 1;
            nz = x >> (imm5 || 31);
            r[t] = nz;
            break;
          }
          case 3: { // adds, subs: a register or 0 to 7
            const x = r[m];
            const y = op & 0x400 ? (op >>> 6) & 7 : r[(op >>> 6) & 7];
            if (op & 0x200) {
              nz = (x - y) | 0;
              c = x >>> 0 >= y >>> 0 ? 1 : 0;
              v = ((x ^ y) & (x ^ nz)) >>> 31;
            } else {
              nz = (x + y) | 0;
              c = nz >>> 0 < x >>> 0 ? 1 : 0;
              v = ((x ^ nz) & (y ^ nz)) >>> 31;
            }
            r[t] = nz;
            break;
          }
          case 4: // movs
            nz = imm8;
            r[hi] = imm8;
            break;
          case 5: // cmp
          case 7: { // subs
            const x = r[hi];
            nz = (x - imm8) | 0;
            c = x >>> 0 >= imm8 ? 1 : 0;
            v = ((x ^ imm8) & (x ^ nz)) >>> 31;
            if (op & 0x1000) r[hi] = nz;
            break;
          }
          case 6: { // adds
            const x = r[hi];
            nz = (x + imm8) | 0;
            c = nz >>> 0 < x >>> 0 ? 1 : 0;
            v = ((x ^ nz) & (imm8 ^ nz)) >>> 31;
            r[hi] = nz;
            break;
          }
          case 8: {
            if (hi >= 4) {
              const high = (op >>> 3) & 15;
              const d = ((op >>> 4) & 8) | t;
              const y = high === 15 ? (pc + 4) | 0 : r[high];
              if (hi === 4 || hi === 6) { // add, mov
                const sum = hi === 4 ? ((d === 15 ? pc + 4 : r[d]) + y) | 0 : y;
                if (d === 15) {
                  next = (sum & ~1) >>> 0;
                  cycles = 2;
                } else {
                  r[d] = d === 13 ? sum & ~3 : sum;
                }
              } else if (hi === 5) { // cmp
                const x = r[d];
                nz = (x - y) | 0;
                c = x >>> 0 >= y >>> 0 ? 1 : 0;
                v = ((x ^ y) & (x ^ nz)) >>> 31;
              } else { // bx, blx
                if (!(y & 1) || (inHandler && y >>> 28 === 15)) act = -1;
                else {
                  if (op & 0x80) r[14] = (pc + 2) | 1;
                  next = (y & ~1) >>> 0;
                  cycles = 2;
                }
              }
              break;
            }
            const x = r[t];
            const y = r[m];
            switch ((op >>> 6) & 15) {
              case AND:
                nz = r[t] = x & y;
                break;
              case EOR:
                nz = r[t] = x ^ y;
                break;
              case LSL: {
                const s = y & 255;
                if (s) c = s > 32 ? 0 : s === 32 ? x & 1 : (x >>> (32 - s)) & 1;
                nz = s > 31 ? 0 : x << s;
                r[t] = nz;
                break;
              }
              case LSR: {
                const s = y & 255;
                if (s) c = s > 32 ? 0 : (x >>> (s - 1)) & 1;
                nz = s > 31 ? 0 : (x >>> s) | 0;
                r[t] = nz;
                break;
              }
              case ASR: {
                const s = y & 255;
                if (s) c = (x >> (s > 31 ? 31 : s - 1)) & 1;
                nz = x >> (s > 31 ? 31 : s);
                r[t] = nz;
                break;
              }
              case ADC: {
                const sum = (x >>> 0) + (y >>> 0) + c;
                nz = sum | 0;
                c = sum > 0xffffffff ? 1 : 0;
                v = ((x ^ nz) & (y ^ nz)) >>> 31;
                r[t] = nz;
                break;
              }
              case SBC: {
                const difference = (x >>> 0) - (y >>> 0) - 1 + c;
                nz = difference | 0;
                c = difference >= 0 ? 1 : 0;
                v = ((x ^ y) & (x ^ nz)) >>> 31;
                r[t] = nz;
                break;
              }
              case ROR: {
                const s = y & 31;
                nz = s ? (x >>> s) | (x << (32 - s)) : x;
                if (y & 255) c = nz >>> 31;
                r[t] = nz;
                break;
              }
              case TST:
                nz = x & y;
                break;
              case RSB:
                nz = (0 - y) | 0;
                c = y === 0 ? 1 : 0;
                v = (y & nz) >>> 31;
                r[t] = nz;
                break;
              case CMP:
                nz = (x - y) | 0;
                c = x >>> 0 >= y >>> 0 ? 1 : 0;
                v = ((x ^ y) & (x ^ nz)) >>> 31;
                break;
              case CMN:
                nz = (x + y) | 0;
                c = nz >>> 0 < x >>> 0 ? 1 : 0;
                v = ((x ^ nz) & (y ^ nz)) >>> 31;
                break;
              case ORR:
                nz = r[t] = x | y;
                break;
              case MUL:
                nz = r[t] = Math.imul(x, y);
                break;
              case BIC:
                nz = r[t] = x & ~y;
                break;
              default: // mvns
                nz = r[t] = ~y;
            }
            break;
          }
          case 9: // ldr, from beside the code
            act = LOAD;
            a = ((pc + 4) & ~3) + imm8 * 4;
            t = hi;
            break;
          case 10:
          case 11:
            act = BY_REGISTER[(op >>> 9) & 7];
            a = r[m] + r[(op >>> 6) & 7];
            break;
          case 12:
            act = STORE;
            a = r[m] + imm5 * 4;
            break;
          case 13:
            act = LOAD;
            a = r[m] + imm5 * 4;
            break;
          case 14:
            act = STORE8;
            a = r[m] + imm5;
            break;
          case 15:
            act = LOAD8;
            a = r[m] + imm5;
            break;
          case 16:
            act = STORE16;
            a = r[m] + imm5 * 2;
            break;
          case 17:
            act = LOAD16;
            a = r[m] + imm5 * 2;
            break;
          case 18:
          case 19: // str, ldr on the stack
            act = op & 0x800 ? LOAD : STORE;
            a = r[13] + imm8 * 4;
            t = hi;
            break;
          case 20: // adr
            r[hi] = ((pc + 4) & ~3) + imm8 * 4;
            break;
          case 21: // add to the stack pointer, into a register
            r[hi] = r[13] + imm8 * 4;
            break;
          case 22:
            if (hi === 0) { // the stack pointer
              const way = (op & 127) * 4;
              r[13] = (op & 128 ? r[13] - way : r[13] + way) & ~3;
            } else if (hi === 2) { // sxth, sxtb, uxth, uxtb
              const x = r[m];
              const kind = (op >>> 6) & 3;
              r[t] = kind === 0 ? (x << 16) >> 16 : kind === 1 ? (x << 24) >> 24 : kind === 2 ? x & 0xffff : x & 0xff;
            } else if (hi === 4 || hi === 5) { // push
              let count = hi & 1;
              for (let i = imm8; i; i &= i - 1) count += 1;
              const to = (r[13] - 4 * count - RAM) | 0;
              if (to < 0 || to + 4 * count > ramSize) {
                act = -1;
                break;
              }
              let at = to >>> 2;
              for (let i = 0; i < 8; i++) {
                if (op & (1 << i)) {
                  sram32[at++] = r[i];
                  cycles += 1;
                }
              }
              if (hi & 1) sram32[at] = r[14];
              r[13] -= 4 * count;
              stored = true;
            } else {
              act = -1;
            }
            break;
          case 23:
            if (hi === 4 || hi === 5) { // pop
              const from = (r[13] - RAM) | 0;
              if (from < 0 || from + 36 > ramSize) {
                act = -1;
                break;
              }
              let at = from >>> 2;
              let target = 0;
              if (hi & 1) {
                let count = 0;
                for (let i = imm8; i; i &= i - 1) count += 1;
                target = sram32[at + count];
                if (!(target & 1) || (inHandler && target >>> 28 === 15)) {
                  act = -1;
                  break;
                }
                next = (target & ~1) >>> 0;
                cycles += 2;
              }
              for (let i = 0; i < 8; i++) {
                if (op & (1 << i)) {
                  r[i] = sram32[at++];
                  cycles += 1;
                }
              }
              r[13] = RAM + 4 * (at + (hi & 1));
            } else if (hi === 2 && (op & 0xc0) !== 0x80) { // rev, rev16, revsh
              const x = r[m];
              const halves = ((x >>> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8);
              const kind = (op >>> 6) & 3;
              r[t] = kind === 0 ? (halves << 16) | (halves >>> 16) : kind === 1 ? halves : (halves << 16) >> 16;
            } else if (op !== 0xbf00) {
              act = -1;
            }
            break;
          case 24:
          case 25: { // stm, ldm
            const begin = (r[hi] - RAM) | 0;
            if (begin < 0 || begin + 32 > ramSize || begin & 3) {
              act = -1;
              break;
            }
            let at = begin >>> 2;
            for (let i = 0; i < 8; i++) {
              if (op & (1 << i)) {
                if (op & 0x800) r[i] = sram32[at++];
                else sram32[at++] = r[i];
                cycles += 1;
              }
            }
            if (!(op & 0x800)) stored = true;
            if (!(op & (1 << hi))) r[hi] = RAM + 4 * at;
            break;
          }
          case 26:
          case 27: { // b, if
            let yes = false;
            switch ((op >>> 9) & 7) {
              case 0:
                yes = nz === 0;
                break;
              case 1:
                yes = c === 1;
                break;
              case 2:
                yes = nz < 0;
                break;
              case 3:
                yes = v === 1;
                break;
              case 4:
                yes = c === 1 && nz !== 0;
                break;
              case 5:
                yes = nz < 0 === (v === 1);
                break;
              case 6:
                yes = nz < 0 === (v === 1) && nz !== 0;
                break;
              default:
                act = -1;
            }
            if (act === NO && yes === ((op & 0x100) === 0)) {
              next = pc + 4 + ((op << 24) >> 23);
              cycles = 2;
            }
            break;
          }
          case 28: // b
            next = pc + 4 + ((op << 21) >> 20);
            cycles = 2;
            break;
          case 30: { // bl
            const two = inFlash >= 0 && inFlash < readable ? flash16[(inFlash + 2) >>> 1] : sram16[(inRam + 2) >>> 1];
            if ((two & 0xd000) !== 0xd000) {
              act = -1;
              break;
            }
            const s = (op >>> 10) & 1;
            const i1 = ~(((two >>> 13) & 1) ^ s) & 1;
            const i2 = ~(((two >>> 11) & 1) ^ s) & 1;
            const way = (s ? -0x1000000 : 0) | (i1 << 23) | (i2 << 22) | ((op & 0x3ff) << 12) | ((two & 0x7ff) << 1);
            r[14] = (pc + 4) | 1;
            next = pc + 4 + way;
            cycles = 3;
            break;
          }
          default:
            act = -1;
        }

        if (act !== NO) {
          if (act < 0) break;
          a >>>= 0;
          const ram = a - RAM;
          if (ram >= 0 && ram < ramSize) {
            if (act === LOAD && !(a & 3)) r[t] = sram32[ram >>> 2];
            else if (act === STORE && !(a & 3)) {
              sram32[ram >>> 2] = r[t];
              stored = true;
            } else if (act === LOAD8) r[t] = sram[ram];
            else if (act === STORE8) {
              sram[ram] = r[t];
              stored = true;
            } else if (act === LOAD16 && !(a & 1)) r[t] = sram16[ram >>> 1];
            else if (act === STORE16 && !(a & 1)) {
              sram16[ram >>> 1] = r[t];
              stored = true;
            } else if (act === LOADS8) r[t] = (sram[ram] << 24) >> 24;
            else if (act === LOADS16 && !(a & 1)) r[t] = (sram16[ram >>> 1] << 16) >> 16;
            else break;
          } else {
            const at = a - FLASH;
            if (at < 0 || at >= readable) break;
            if (act === LOAD && !(a & 3)) r[t] = flash32[at >>> 2];
            else if (act === LOAD8) r[t] = flash8[at];
            else if (act === LOAD16 && !(a & 1)) r[t] = flash16[at >>> 1];
            else if (act === LOADS8) r[t] = (flash8[at] << 24) >> 24;
            else if (act === LOADS16 && !(a & 1)) r[t] = (flash16[at >>> 1] << 16) >> 16;
            else break;
          }
          cycles = 2;
        }
        pc = next;
        nanos += cycles * nanosPerCycle;
      }

      r[15] = pc;
      time.nanos = nanos;
      this.N = nz < 0;
      this.Z = nz === 0;
      this.C = c === 1;
      this.V = v === 1;
      if (stored) spin.stirs += 1;
    }
  };
}

/** Puts such a core into the chip. */
export function fitCore(chip) {
  chip.core = new (builtOn(chip.core, quickCore))(chip);
  return chip.core;
}
