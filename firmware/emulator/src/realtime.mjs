// The board in the world's own time: it is brought up to now whenever something comes from outside or is due within it, and
// sleeps in between. The line is a TCP server with one client; what is sent while nobody listens is gone, as on a wire.

import { createServer } from 'node:net';

/** The host's timers fire by the millisecond; nothing is looked at more often than that. */
const SHORTEST = 1;
/** Nothing can be due later than this without being looked at once. */
const LONGEST = 1000;
/** So much is run at a stretch when the host was asleep, in nanoseconds. */
const STRETCH = 100e6;

export class RealTime {
  constructor(words, say) {
    this.words = words;
    this.say = say;
    this.client = null;
    this.going = [];
    this.crashed = null;
    this.timer = null;
  }

  /** Begins; `address` is `HOST:PORT`, or undefined if the bytes are to be told as `tx`. Resolves once it listens. */
  async begin(address) {
    if (address !== undefined) await this.#listen(address);
    this.began = process.hrtime.bigint() - BigInt(Math.floor(this.words.board.nanos));
    this.words.catchUp = () => this.#catchUp();
    this.#pump();
  }

  /** A byte has left, if the line is on TCP. */
  sent(byte) {
    this.going.push(byte);
  }

  /** Brings the board to now and plans when to look again. */
  look() {
    this.#pump();
  }

  #listen(address) {
    const [, host, port] = /^(.*):(\d+)$/.exec(address) ?? [];
    if (port === undefined) throw new Error('--uart HOST:PORT');
    const server = createServer({ noDelay: true }, (socket) => this.#take(socket));
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(Number(port), host, () => {
        this.say(`uart ${server.address().address}:${server.address().port}`);
        resolve();
      });
    });
  }

  #take(socket) {
    this.client?.destroy();
    this.client = socket;
    socket.on('data', (bytes) => {
      this.#catchUp();
      this.words.board.hear(bytes);
      this.#pump();
    });
    const gone = () => {
      if (this.client === socket) this.client = null;
    };
    socket.on('close', gone);
    socket.on('error', gone);
  }

  get #now() {
    return Number(process.hrtime.bigint() - this.began);
  }

  #catchUp() {
    const { board } = this.words;
    const crashed = board.run(this.#now);
    this.words.sent.flush();
    if (this.going.length > 0) {
      this.client?.write(Buffer.from(this.going));
      this.going.length = 0;
    }
    if (crashed && crashed !== this.crashed) this.say(`error ${crashed}`);
    this.crashed = crashed;
  }

  #pump() {
    clearTimeout(this.timer);
    const { board } = this.words;
    if (this.#now - board.nanos > STRETCH) {
      // Commands get their turn between two stretches.
      board.run(board.nanos + STRETCH);
      this.timer = setTimeout(() => this.#pump(), 0);
      return;
    }
    this.#catchUp();
    const wait = Math.ceil((board.due - this.#now) / 1e6);
    this.timer = setTimeout(() => this.#pump(), Math.min(LONGEST, Math.max(SHORTEST, wait)));
  }
}
