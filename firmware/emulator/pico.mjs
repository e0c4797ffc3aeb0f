#!/usr/bin/env node
// An emulated Pico that runs the clock's own firmware. README.md says how to use it.

import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Board } from './src/board.mjs';
import { Firmware } from './src/elf.mjs';
import { Flash, SIZE } from './src/flash.mjs';
import { RealTime } from './src/realtime.mjs';
import { Words } from './src/words.mjs';

function options() {
  const { values } = parseArgs({
    options: {
      elf: { type: 'string' },
      flash: { type: 'string' },
      display: { type: 'string', default: 'oled' },
      'erase-ms': { type: 'string', default: '45' },
      realtime: { type: 'boolean', default: false },
      uart: { type: 'string' },
      trace: { type: 'boolean', default: false },
    },
  });
  if (!values.elf) throw new Error('--elf PATH is missing');
  if (!['oled', 'digits', 'none'].includes(values.display)) throw new Error('--display oled|digits|none');
  const eraseMs = Number(values['erase-ms']);
  if (!(eraseMs >= 1 && eraseMs <= 400)) throw new Error('--erase-ms 1 to 400');
  if (values.uart !== undefined && !values.realtime) throw new Error('--uart is for --realtime');
  return { ...values, eraseMs };
}

async function main() {
  const { elf, flash: image, display, eraseMs, realtime, uart, trace } = options();
  const flash = new Flash({ eraseMs });
  // An image that is not there yet is a chip as it comes from its maker.
  if (image && existsSync(image)) {
    const bytes = readFileSync(image);
    if (bytes.length !== SIZE) throw new Error(`${image} has ${bytes.length} bytes, the flash ${SIZE}`);
    flash.bytes.set(bytes);
  }
  const say = (line) => process.stdout.write(`${line}\n`);
  const words = new Words(say);
  const live = realtime ? new RealTime(words, say) : null;
  const ears = uart === undefined ? words.ears : { ...words.ears, sent: (byte) => live.sent(byte) };
  words.board = new Board({ firmware: new Firmware(elf), flash, display, trace, ...ears });
  await live?.begin(uart);
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on('line', (line) => {
    if (!words.obey(line)) process.exit(0);
    live?.look();
  });
  lines.on('close', () => process.exit(0));
}

main().catch((error) => {
  process.stderr.write(`pico: ${error.message}\n`);
  process.exit(2);
});
