// The quick loop against rp2040js's own way of executing, on instructions by chance; and where rp2040js is known to be wrong,
// against the architecture.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../src/chance.mjs';
import { Chip } from '../src/chip.mjs';
import { Flash } from '../src/flash.mjs';
import { PowerUpTime } from '../src/time.mjs';

const CODE = 0x20000000;
const MEMORY = 0x20010000;
const flash = new Flash();
for (let i = 0; i < 4096; i++) flash.bytes[i] = (i * 167) & 255;

function chip() {
  flash.powerOn(null);
  return new Chip(new PowerUpTime(), flash, { seed: 1 });
}

/** Carries out one instruction: by the loop if `quick`, else one by one. Answers all that it can have changed. */
function outcome(chip, opcodes, registers, flags, quick) {
  const { core } = chip;
  registers.forEach((value, i) => (core.registers[i] = value));
  core.registers[15] = CODE;
  core.APSR = flags;
  core.interruptsUpdated = false;
  for (let i = 0; i < 64; i++) chip.sram32[(MEMORY - 0x20000000) / 4 + i] = i * 0x87654321;
  opcodes.forEach((opcode, i) => (chip.sram16[i] = opcode));
  chip.clock.nanos = 0;
  if (quick) core.run(1);
  else chip.clock.nanos = core.executeInstruction() * chip.nanosPerCycle;
  const memory = [...chip.sram32.slice((MEMORY - 0x20000000) / 4 - 16, (MEMORY - 0x20000000) / 4 + 64)];
  return { registers: [...core.registers], flags: core.APSR >>> 0, nanos: chip.clock.nanos, memory };
}

/** Some values of the kind that makes a difference. */
function value(chance) {
  return [chance.word(), 0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 31, 32, 33, 255][chance.upTo(10)] >>> 0;
}

test('instructions by chance do what rp2040js does', () => {
  const [one, other, chance] = [chip(), chip(), new Chance(42)];
  let compared = 0;
  for (let i = 0; i < 60_000; i++) {
    const opcode = chance.upTo(0x10000);
    const [top, kind] = [opcode >>> 11, (opcode >>> 6) & 15];
    // Left to rp2040js, or fetched elsewhere next: hints, exceptions, 32 bits, the stack pointer and program counter as data.
    if ([23, 29, 31].includes(top) || opcode >>> 9 === 0b1101111 || opcode >>> 10 === 0b010001) continue;
    if (top === 22 && ![0, 2].includes((opcode >>> 8) & 7) && opcode >>> 9 !== 0b1011010) continue;
    // Shifts by a register, adcs and sbcs are not as the architecture has them.
    if (opcode >>> 10 === 0b010000 && [2, 3, 4, 5, 6, 7].includes(kind)) continue;
    const loads = top >= 9 && top <= 25;
    const registers = Array.from({ length: 13 }, () => (loads ? MEMORY + 4 * chance.upTo(8) : value(chance)));
    // Of two registers that make an address together one is small.
    if (top === 10 || top === 11) registers[(opcode >>> 6) & 7] = 4 * chance.upTo(8);
    if ((top === 10 || top === 11) && ((opcode >>> 6) & 7) === ((opcode >>> 3) & 7)) continue;
    registers.push(MEMORY + 64, 0x20000101);
    const flags = chance.word() & (chance.upTo(2) ? 0xb0000000 : 0x70000000);
    const half = top === 30 ? 0xd000 | chance.upTo(0x1000) | (chance.upTo(2) << 13) : 0xbf00;
    const [quick, slow] = [outcome(one, [opcode, half], registers, flags, true), outcome(other, [opcode, half], registers, flags, false)];
    assert.deepEqual(quick, slow, `opcode ${opcode.toString(16)} registers ${registers.map((r) => r.toString(16))}`);
    compared += 1;
  }
  assert.ok(compared > 30_000);
});

test('what rp2040js gets wrong is as the architecture has it', () => {
  const [N, Z, C, V] = [0x80000000, 0x40000000, 0x20000000, 0x10000000];
  const [LSLS, LSRS, ASRS, ADCS, SBCS, RORS] = [0x4088, 0x40c8, 0x4108, 0x4148, 0x4188, 0x41c8];
  const board = chip();
  // r0 is the first operand and the result, r1 the second.
  for (const [opcode, first, second, before, result, after] of [
    [ADCS, 0, 0x7fffffff, C, 0x80000000, N | V],
    [ADCS, 0xffffffff, 0xffffffff, C, 0xffffffff, N | C],
    [SBCS, 0, 0x7fffffff, 0, 0x80000000, N],
    [SBCS, 0x80000000, 0, 0, 0x7fffffff, C | V],
    [SBCS, 0, 0xffffffff, 0, 0, Z],
    [SBCS, 5, 4, 0, 0, Z | C],
    [LSLS, 1, 33, C, 0, Z],
    [LSLS, 1, 32, 0, 0, Z | C],
    [LSRS, 0x80000000, 0, 0, 0x80000000, N],
    [LSRS, 0x80000000, 32, 0, 0, Z | C],
    [ASRS, 0x80000000, 0, 0, 0x80000000, N],
    [ASRS, 0x80000000, 200, 0, 0xffffffff, N | C],
    [RORS, 0x80000000, 0, 0, 0x80000000, N],
    [RORS, 0x80000000, 32, 0, 0x80000000, N | C],
  ]) {
    const registers = [first, second, ...Array(11).fill(0), MEMORY + 64, 0x20000101];
    const { registers: left, flags } = outcome(board, [opcode, 0xbf00], registers, before, true);
    assert.deepEqual([left[0], flags], [result, after >>> 0], `${opcode.toString(16)} ${first.toString(16)} ${second.toString(16)}`);
  }
});
