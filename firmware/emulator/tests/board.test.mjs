// The emulator against programs of a few instructions: what a board does in time, and what it must find.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Board } from '../src/board.mjs';
import { Firmware } from '../src/elf.mjs';
import { Flash } from '../src/flash.mjs';
import { Words } from '../src/words.mjs';
import { programs } from './programs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'emulator-'));
after(() => rmSync(folder, { recursive: true }));

/** A board with a program; `say` answers with all lines. */
function board(name, flash = new Flash()) {
  const path = join(folder, name);
  writeFileSync(path, programs[name]());
  const lines = [];
  const words = new Words((line) => lines.push(line));
  words.board = new Board({ firmware: new Firmware(path), flash, ...words.ears });
  return {
    flash,
    say(line) {
      words.obey(line);
      return lines.splice(0).join('\n');
    },
  };
}

const page = (flash) => Buffer.from(flash.bytes.buffer, 0x100000, 256);
const WHOLE = Buffer.alloc(256, '78563412', 'hex');

test('bytes take their time in and out', () => {
  const { say } = board('echo');
  say('run 1000');
  say('feed 0a620a');
  assert.equal(say('run 1172'), 'ok 1172');
  // In by 1086.8, out by 1173.6, and so on.
  assert.equal(say('run 3000'), 'tx 1173 0a\ntx 1260 620a\nok 3000');
});

test('who does not read loses what the FIFO cannot hold', () => {
  const { say } = board('late');
  say('run 1000');
  say(`feed ${'55'.repeat(40)}`);
  assert.match(say('run 9000'), /^lost 8\nok 9000$/);
  assert.match(say('run 20000'), new RegExp(`^tx \\d+ ${'55'.repeat(32)}\nok 20000$`));
});

test('an edge wakes the chip in the microsecond in which it comes', () => {
  const { say } = board('edges');
  say('run 123457');
  say('press left 1');
  assert.equal(say('run 123458'), 'out 123457 light_left 1\nok 123458');
  assert.match(say('symbol STAMP'), /value 123457\n/);
  say('run 200001');
  say('press left 0');
  assert.match(say('run 210000'), /out 200001 light_left 0/);
  assert.match(say('symbol COUNT'), /value 2\n/);
  say('press right 1');
  say('run 220000');
  assert.match(say('symbol COUNT'), /value 2\n/);
});

test('a masked interrupt ends the sleep and is taken afterwards', () => {
  const { say } = board('masked');
  say('run 2000');
  assert.match(say('symbol DONE'), /value 1\n/);
  assert.match(say('symbol COUNT'), /value 1\n/);
  assert.match(say('symbol STAMP'), /value 1000\n/);
});

test('a sector is erased and a page programmed in their time', () => {
  const { say, flash } = board('flash');
  assert.equal(say('run 45990'), 'ok 45990');
  assert.match(say('symbol DONE'), /value 0\n/);
  say('run 46100');
  assert.match(say('symbol DONE'), /value 305419896\n/);
  assert.deepEqual(page(flash), WHOLE);
});

test('a read of the flash while it cannot be read is found', () => {
  const { say } = board('flash-read');
  assert.match(say('run 1000'), /^error flash read at PC=0x2000\w+ of 0x10000200 while flash is out of its read mode/);
  assert.match(say('run 2000'), /^error flash read/);
});

test('programming can only clear bits', () => {
  const { flash } = board('flash');
  page(flash).set(WHOLE);
  const { say } = board('flash-again', flash);
  assert.match(say('run 1000'), /^error flash_range_program wants to set bits that are clear at 0x10100000/);
});

test('a power cut tears what is under way, by its seed', () => {
  const torn = (us, seed) => {
    const { say, flash } = board('flash');
    flash.bytes.fill(0x3c, 0x100000, 0x101000);
    say(`run ${us}`);
    say(`cut ${seed}`);
    return Buffer.from(flash.bytes.slice(0x100000, 0x101000));
  };
  const programmed = [1, 2, 3, 4, 5, 6].map((seed) => torn(45_500, seed).subarray(0, 256));
  for (const bytes of programmed) for (let i = 0; i < 256; i++) assert.equal(bytes[i] & WHOLE[i], WHOLE[i]);
  assert.ok(programmed.some((bytes) => !bytes.equals(WHOLE) && bytes.some((byte) => byte !== 0xff)));
  assert.ok(new Set(programmed.map(String)).size > 3);
  const erased = torn(20_000, 7);
  assert.ok(erased.some((byte) => byte !== 0xff));
  assert.ok(erased.some((byte) => byte !== 0x3c));
  assert.deepEqual(torn(20_000, 7), erased);
});

test('after a power cut the same flash starts again, and time has gone on', () => {
  const { say, flash } = board('flash');
  say('run 20000');
  say('cut 3');
  assert.equal(say('run 100000'), 'ok 100000');
  assert.equal(say('feed 41'), 'lost 1\nok 100000');
  say('power');
  say('run 146100');
  assert.match(say('symbol DONE'), /value 305419896\n/);
  assert.deepEqual(page(flash), WHOLE);
});

test('the watchdog starts the chip anew and leaves it a reason', () => {
  const { say } = board('watchdog');
  assert.match(say('run 25000'), /^reset 100\d\d watchdog\nreset 200\d\d watchdog\nok 25000$/);
  assert.match(say('symbol COUNT'), /value 3\n/);
  assert.match(say('symbol STAMP'), /value 1\n/);
  say('cut');
  say('power');
  say('run 26000');
  assert.match(say('symbol COUNT'), /value 1\n/);
  assert.match(say('symbol STAMP'), /value 0\n/);
});

test('the deepest stack is remembered', () => {
  const { say } = board('stack');
  say('run 1000');
  assert.equal(say('stack'), 'stack 160\nok 1000');
  assert.equal(say('cut 1'), 'ok 1000');
  assert.equal(say('stack'), 'stack 160\nok 1000');
});

test('what would fault is told, with the place', () => {
  const { say } = board('unaligned');
  assert.match(say('run 1000'), /^error unaligned read of 0x20000001 at 0x2000\w+ \w+\+0x/);
});

test('equal words give equal bytes', () => {
  const once = () => {
    const { say } = board('edges');
    let told = '';
    for (let i = 1; i < 200; i++) told += say(`run ${i * 977}`) + say(`press left ${i % 2}`) + say(`feed ${i % 10}a`);
    return told + say('cut 5') + say('power') + say('run 300000');
  };
  assert.equal(once(), once());
});
