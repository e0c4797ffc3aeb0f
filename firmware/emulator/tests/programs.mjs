// What the tests run on the emulated chip.

import { R0, R1, R2, R3, R4, R5, R6, R7, elf } from './program.mjs';

const [IO, PADS, UART, TIMER, WATCHDOG] = [0x40014000, 0x4001c000, 0x40034000, 0x40054000, 0x40058000];
const [NVIC, SIO] = [0xe000e100, 0xd0000000];
/** Words of RAM that a test can ask for. */
const STAMP = 0x20000100;
const COUNT = 0x20000104;
const DONE = 0x20000108;
const symbols = { STAMP, COUNT, DONE, __sheap: 0x20004000 };
const PULL_UP = 0x4a;

/** UART0 on GP0 and GP1 at 115200 baud from 125 MHz, with FIFOs. */
function uart(code) {
  return code.store(IO + 4, 2).store(IO + 12, 2).store(UART + 0x24, 67).store(UART + 0x28, 52).store(UART + 0x2c, 0x70)
    .store(UART + 0x30, 0x301);
}

/** Waits for bytes and sends them back. `from` is when it begins, in microseconds. */
function echo(from) {
  return elf((code) => {
    uart(code).load(R4, UART).load(R5, TIMER).load(R6, from);
    code.label('early').op('LDRimm', R0, R5, 0x28).op('CMPregT1', R0, R6).branch('early', 'lo');
    code.op('MOVS', R2, 16);
    code.label('wait').op('LDRimm', R0, R4, 0x18).op('TST', R0, R2).branch('wait', 'ne');
    code.op('LDRimm', R0, R4, 0).op('STR', R0, R4, 0).branch('wait');
  }, { symbols });
}

/** Sleeps; an edge of the left lever is stamped, and its light follows the lever. */
function edges() {
  return elf((code) => {
    code.store(COUNT, 0).store(PADS + 4 + 4 * 2, PULL_UP).store(IO + 8 * 6 + 4, 5).store(IO + 8 * 2 + 4, 5);
    code.store(SIO + 0x24, 1 << 6).store(IO + 0xf0, 0xc00).store(IO + 0x100, 0xc00).store(NVIC, 1 << 13);
    code.label('sleep').op('WFI').branch('sleep');
    code.label('edge').load(R0, TIMER).op('LDRimm', R1, R0, 0x28).load(R0, STAMP).op('STR', R1, R0, 0);
    code.load(R0, COUNT).op('LDRimm', R1, R0, 0).op('ADDS2', R1, 1).op('STR', R1, R0, 0);
    code.store(IO + 0xf0, 0xc00).load(R0, SIO).op('LDRimm', R1, R0, 4).load(R2, 1 << 2).load(R3, 1 << 6);
    code.op('TST', R1, R2).branch('open', 'ne').op('STR', R3, R0, 0x14).op('BX', 14);
    code.label('open').op('STR', R3, R0, 0x18).op('BX', 14);
  }, { interrupts: { 13: 'edge' }, symbols });
}

function call(code, tag, args = []) {
  code.load(R0, 0x14).op('LDRH', R0, R0, 0).load(R1, tag.charCodeAt(0) | (tag.charCodeAt(1) << 8));
  code.load(R2, 0x18).op('LDRH', R2, R2, 0).op('BLX', R2).op('MOVSreg', R7, R0);
  args.forEach((value, i) => code.load(i, value));
  return code.op('BLX', R7);
}

/** Erases a sector and programs the first page of it with `words` times a word, then reads it; `meanwhile` may spoil it. */
function flash({ word = 0x12345678, erase = true, meanwhile = () => {} } = {}) {
  const source = 0x20003000;
  return elf((code) => {
    code.store(DONE, 0).load(R0, source).load(R1, word).op('MOVS', R2, 64);
    code.label('fill').op('STMIA', R0, 1 << R1).op('SUBS2', R2, 1).branch('fill', 'ne');
    call(code, 'IF');
    call(code, 'EX');
    meanwhile(code);
    if (erase) call(code, 'RE', [0x100000, 4096, 65536, 0xd8]);
    call(code, 'RP', [0x100000, source, 256]);
    call(code, 'FC');
    call(code, 'CX');
    code.load(R0, 0x10100000).op('LDRimm', R1, R0, 0).load(R0, DONE).op('STR', R1, R0, 0);
    code.label('sleep').op('WFI').branch('sleep');
  }, { symbols });
}

/** Counts its starts in a scratch register, asks for a restart in 10 ms and sleeps. */
function watchdog() {
  return elf((code) => {
    code.load(R0, WATCHDOG).op('LDRimm', R1, R0, 0x0c).op('ADDS2', R1, 1).op('STR', R1, R0, 0x0c).load(R2, COUNT).op('STR', R1, R2, 0);
    code.op('LDRimm', R1, R0, 0x08).load(R2, STAMP).op('STR', R1, R2, 0);
    code.store(WATCHDOG + 0x2c, 0x20c).store(WATCHDOG + 0x04, 20_000).store(WATCHDOG, 1 << 30);
    code.label('sleep').op('WFI').branch('sleep');
  }, { symbols });
}

/** Uses 160 bytes of stack and does `last`. */
function stack(last = () => {}) {
  return elf((code) => {
    code.op('MOVS', R4, 5).op('MOVS', R5, 10);
    code.label('push').op('PUSH', false, 0xf0).op('SUBS2', R5, 1).branch('push', 'ne');
    last(code);
    code.label('sleep').op('WFI').branch('sleep');
  }, { symbols });
}

export const programs = {
  echo: () => echo(0),
  late: () => echo(10_000),
  edges,
  flash,
  'flash-read': () => flash({ meanwhile: (code) => code.load(R0, 0x10000200).op('LDRimm', R1, R0, 0) }),
  'flash-again': () => flash({ word: 0x12345679, erase: false }),
  watchdog,
  stack,
  unaligned: () => stack((code) => code.load(R0, 0x20000001).op('LDRimm', R1, R0, 0)),
  masked: () => elf((code) => {
    // Sleeps with interrupts masked: an alarm wakes it, its interrupt is taken only afterwards.
    code.store(COUNT, 0).store(DONE, 0).store(TIMER + 0x38, 1).store(NVIC, 1).store(TIMER + 0x10, 1000);
    code.halves.push(0xb672); // cpsid i
    code.op('WFI').load(R0, COUNT).op('LDRimm', R1, R0, 0).op('ADDS2', R1, 1).load(R0, DONE).op('STR', R1, R0, 0);
    code.load(R0, TIMER).op('LDRimm', R1, R0, 0x28).load(R0, STAMP).op('STR', R1, R0, 0);
    code.halves.push(0xb662); // cpsie i
    code.label('sleep').op('WFI').branch('sleep');
    code.label('alarm').store(TIMER + 0x34, 1).load(R0, COUNT).op('LDRimm', R1, R0, 0).op('ADDS2', R1, 1).op('STR', R1, R0, 0).op('BX', 14);
  }, { interrupts: { 0: 'alarm' }, symbols }),
};
