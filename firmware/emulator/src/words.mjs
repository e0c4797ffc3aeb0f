// The words of the emulator: one command a line; what happened comes first, then `ok US` or `error WHY`.

import { writeFileSync } from 'node:fs';

/** Bytes that leave without a gap are told together, but not over the end of a line or of a binary frame. */
export class Sent {
  constructor(tell) {
    this.tell = tell;
    this.bytes = [];
    this.since = 0;
    this.last = 0;
  }

  add(byte, nanos) {
    if (nanos - this.last > 100_000) this.flush();
    if (this.bytes.length === 0) this.since = nanos;
    this.bytes.push(byte);
    this.last = nanos;
    if (byte === 10 || byte === 0) this.flush();
  }

  flush() {
    if (this.bytes.length === 0) return;
    const { bytes } = this;
    this.bytes = [];
    this.tell(`tx ${Math.floor(this.since / 1000)} ${Buffer.from(bytes).toString('hex')}`);
  }
}

const number = (text) => (/^\d+$/.test(text ?? '') ? Number(text) : null);

export class Words {
  /** `say(line)` writes a line; in real time `catchUp()` brings the board to now before a command. */
  constructor(say, catchUp = null) {
    this.catchUp = catchUp;
    this.say = say;
    this.sent = new Sent(say);
    this.board = null;
  }

  /** What the board is made with. */
  get ears() {
    return {
      tell: (line) => {
        this.sent.flush();
        this.say(line);
      },
      sent: (byte, nanos) => this.sent.add(byte, nanos),
    };
  }

  /** Carries out one line. Returns false when it was `quit`. */
  obey(line) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === '') return true;
    this.catchUp?.();
    let error;
    try {
      error = this.#carryOut(word, rest);
    } catch (happened) {
      error = happened.message;
    }
    this.sent.flush();
    const lost = this.board.takeLost();
    if (lost > 0) this.say(`lost ${lost}`);
    this.say(error ? `error ${error.replaceAll('\n', ' ')}` : `ok ${Math.floor(this.board.nanos / 1000)}`);
    return word !== 'quit';
  }

  #carryOut(word, [first, second]) {
    const { board } = this;
    switch (word) {
      case 'run':
        return this.#run(number(first));
      case 'press':
        if (second !== '0' && second !== '1') return 'press NAME 0|1';
        return board.press(first, second === '1') ? null : `no contact ${first}`;
      case 'feed':
        if (!/^([0-9a-f]{2})*$/i.test(first ?? '')) return 'feed HEX';
        board.hear(Buffer.from(first ?? '', 'hex'));
        return null;
      case 'cut':
        board.powerOff(number(first) ?? 1);
        return null;
      case 'power':
        board.powerOn();
        return board.crashed;
      case 'battery':
        if (number(first) === null) return 'battery MV';
        board.battery(number(first));
        return null;
      case 'display':
        return this.#display(first);
      case 'symbol':
        this.say(`value ${board.symbol(first ?? '')}`);
        return null;
      case 'stack':
        this.say(`stack ${board.stack.look(board.chip)}`);
        return null;
      case 'flash':
        if (!first) return 'flash PATH';
        writeFileSync(first, board.flash.bytes);
        return null;
      case 'quit':
        return null;
      default:
        return `no such word: ${word}`;
    }
  }

  #run(us) {
    if (this.catchUp) return this.board.crashed;
    if (us === null) return 'run US';
    if (us * 1000 < this.board.nanos - 1000) return `${us} is past`;
    return this.board.run(us * 1000);
  }

  #display(first) {
    const { display } = this.board;
    if (!display) return 'there is no display';
    if (first === undefined) this.say(display.show());
    else if (first === 'on' || first === 'off') display.plug(first === 'on');
    else return 'display [on|off]';
    return null;
  }
}
