// The displays as their makers describe them, without a chip.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Digits } from '../src/digits.mjs';
import { Oled } from '../src/oled.mjs';

function oled() {
  const display = new Oled();
  display.powerOn(true);
  return display;
}

function send(display, control, ...bytes) {
  assert.equal(display.answers(0x3c), true);
  for (const byte of [control, ...bytes]) assert.equal(display.take(byte), true);
  display.stop();
}

const at = (display, page, column) => Buffer.from(display.show().slice(5), 'hex')[page * 128 + column];
const ON = [0x8d, 0x14, 0xaf];

test('an OLED is dark until its pump and its panel are on', () => {
  const display = oled();
  send(display, 0x40, 0xff);
  assert.match(display.show(), /^oled (00){1024}$/);
  send(display, 0x00, 0xaf);
  assert.match(display.show(), /^oled (00){1024}$/);
  send(display, 0x00, ...ON);
  assert.equal(at(display, 0, 0), 0xff);
});

test('a window is filled row by row', () => {
  const display = oled();
  send(display, 0x00, ...ON, 0x20, 0x00, 0x21, 10, 11, 0x22, 2, 3);
  send(display, 0x40, 1, 2, 3);
  send(display, 0x40, 4, 5);
  assert.deepEqual([at(display, 2, 10), at(display, 2, 11), at(display, 3, 10), at(display, 3, 11)], [5, 2, 3, 4]);
});

test('page addressing stays in its page', () => {
  const display = oled();
  send(display, 0x00, ...ON, 0x20, 0x02, 0xb5, 0x0f, 0x17);
  send(display, 0x40, 7, 8);
  assert.deepEqual([at(display, 5, 127), at(display, 5, 0)], [7, 8]);
});

test('who is not plugged in or not meant does not answer', () => {
  const display = oled();
  assert.equal(display.answers(0x3d), false);
  display.plug(false);
  assert.equal(display.answers(0x3c), false);
  display.plug(true);
  assert.equal(display.answers(0x3c), true);
});

function chain() {
  const digits = new Digits();
  digits.powerOn(true);
  const both = (right, left) => {
    for (const word of [right, left]) for (const byte of [word >> 8, word & 0xff]) digits.shift(byte, 8);
    digits.latch();
  };
  both(0x0c01, 0x0c01);
  both(0x0b07, 0x0b07);
  return { digits, both };
}

test('the first word of two goes to the far module', () => {
  const { digits, both } = chain();
  // "50.00" without decoding on the left, "9." by code B on the right.
  both(0x0901, 0x0900);
  [0x7e, 0x7e, 0xfe, 0x5b].forEach((segments, i) => both(0x0000, ((i + 1) << 8) | segments));
  both(0x0189, 0x0000);
  assert.equal(digits.show(), 'digits     50.00        9.');
});

test('modules sleep after power-up, and hold what they have until the select rises', () => {
  const { digits } = chain();
  digits.powerOn(true);
  assert.equal(digits.show(), `digits ${' '.repeat(8)} ${' '.repeat(8)}`);
  digits.shift(0x0f01, 16);
  digits.shift(0x0f01, 16);
  assert.equal(digits.show(), `digits ${' '.repeat(8)} ${' '.repeat(8)}`);
  digits.latch();
  assert.equal(digits.show(), `digits ${'8.'.repeat(8)} ${'8.'.repeat(8)}`);
});
