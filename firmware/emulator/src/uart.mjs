// UART0 as a PL011 on a line of 115200 baud: bytes take their time both ways, the FIFOs fill, run over and interrupt at
// their levels. rp2040js sends at once and never loses a byte.

import { Crash } from './crash.mjs';
import { builtOn } from './made.mjs';

const [DR, ECR, IFLS, ICR, DMACR] = [0x00, 0x04, 0x34, 0x44, 0x48];
const [BUSY, RXFE, TXFF, RXFF, TXFE] = [1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7];
const [RX, TX, RT, OE] = [1 << 4, 1 << 5, 1 << 6, 1 << 10];
const LEVELS = [4, 8, 16, 24, 28];
const OVERRUN = 1 << 11;
const DEPTH = 32;
export const BAUD = 115200;

/** The class, made from that of the chip's own UART, which the package does not export. */
function lineUart(Uart) {
  return class LineUart extends Uart {
    constructor(chip, name, irq, dreq) {
      super(chip, name, irq, dreq);
      this.levels = 0x12;
      this.sending = new Uint8Array(DEPTH);
      this.first = 0;
      this.waitingToGo = 0;
      this.shifting = -1;
      this.overrun = false;
      this.lost = 0;
      this.sent = chip.clock.createAlarm(() => this.#byteOut());
      this.quiet = chip.clock.createAlarm(() => this.#raise(RT));
      /** Set by the board: whether the pins are the UART's. */
      this.reaches = () => true;
    }

    get depth() {
      return this.fifosEnabled ? DEPTH : 1;
    }

    get sendLevel() {
      return this.fifosEnabled ? LEVELS[this.levels & 7] : 0;
    }

    get receiveLevel() {
      return this.fifosEnabled ? LEVELS[(this.levels >> 3) & 7] : 1;
    }

    get flags() {
      const waiting = this.waitingToGo;
      return (
        (this.shifting >= 0 ? BUSY : 0) |
        (this.rxFIFO.empty ? RXFE : 0) |
        (this.rxFIFO.itemCount >= this.depth ? RXFF : 0) |
        (waiting >= this.depth ? TXFF : 0) |
        (waiting === 0 ? TXFE : 0)
      );
    }

    /** Nanoseconds of one bit; a line that is not within 3 % of its baud rate carries nothing. */
    get bitNanos() {
      const { baudDivider } = this;
      const nanos = (16 * baudDivider * 1e9) / this.rp2040.clkPeri;
      if (!(Math.abs((nanos * BAUD) / 1e9 - 1) < 0.03)) {
        throw new Crash(baudDivider ? `the UART runs at ${this.baudRate} baud, the line at ${BAUD}` : 'UART without a baud rate');
      }
      return nanos;
    }

    checkInterrupts() {
      this.rp2040.setInterrupt(this.irq, (this.interruptStatus & this.interruptMask) !== 0);
    }

    #raise(interrupt) {
      this.interruptStatus |= interrupt;
      this.checkInterrupts();
    }

    #lower(interrupt) {
      this.interruptStatus &= ~interrupt;
      this.checkInterrupts();
    }

    /** A byte has come in whole. */
    feedByte(value) {
      if (!this.enabled || !this.rxEnabled || !this.reaches(1)) {
        this.lost += 1;
        return;
      }
      if (this.rxFIFO.itemCount >= this.depth) {
        this.lost += 1;
        this.overrun = true;
        this.#raise(OE);
        return;
      }
      this.rxFIFO.push(this.overrun ? value | OVERRUN : value);
      this.overrun = false;
      this.quiet.schedule(32 * this.bitNanos);
      if (this.rxFIFO.itemCount >= this.receiveLevel) this.#raise(RX);
    }

    #byteOut() {
      const byte = this.shifting;
      this.shifting = -1;
      const before = this.waitingToGo;
      if (before > 0) {
        this.shifting = this.sending[this.first];
        this.first = (this.first + 1) % DEPTH;
        this.waitingToGo = before - 1;
        this.sent.schedule(this.byteNanos);
        // The interrupt is for the passing of the level, not for being below it.
        if (before > this.sendLevel && before - 1 <= this.sendLevel) this.#raise(TX);
      }
      if (this.reaches(0)) this.onByte?.(byte);
    }

    get byteNanos() {
      const { lineCtrlRegister: control, wordLength } = this;
      return (1 + wordLength + (control & 2 ? 1 : 0) + (control & 8 ? 2 : 1)) * this.bitNanos;
    }

    #send(value) {
      if (!this.enabled || !this.txEnabled) return;
      if (this.shifting < 0) {
        this.shifting = value;
        this.sent.schedule(this.byteNanos);
        return;
      }
      if (this.waitingToGo >= this.depth) return;
      this.sending[(this.first + this.waitingToGo) % DEPTH] = value;
      this.waitingToGo += 1;
      if (this.waitingToGo > this.sendLevel) this.#lower(TX);
    }

    readUint32(offset) {
      if (offset === IFLS) return this.levels;
      if (offset === ECR) return this.overrun ? 8 : 0;
      if (offset !== DR) return super.readUint32(offset);
      const value = this.rxFIFO.pull();
      if (this.rxFIFO.itemCount < this.receiveLevel) this.interruptStatus &= ~RX;
      if (this.rxFIFO.empty) {
        this.interruptStatus &= ~RT;
        this.quiet.cancel();
      } else {
        this.quiet.schedule(32 * this.bitNanos);
      }
      this.checkInterrupts();
      return value;
    }

    writeUint32(offset, value) {
      if (offset === DR) this.#send(value & 0xff);
      else if (offset === IFLS) this.levels = value & 0x3f;
      else if (offset === ECR) this.overrun = false;
      else if (offset === DMACR) this.dma = value;
      else if (offset === ICR) this.#lower(this.rawWriteValue);
      else super.writeUint32(offset, value);
    }
  };
}

/** Puts such a UART into the chip, in place of its own. */
export function fitUart(chip) {
  const plain = chip.uart[0];
  const uart = new (builtOn(plain, lineUart))(chip, plain.name, plain.irq, plain.dreq);
  chip.uart[0] = uart;
  chip.peripherals[0x40034] = uart;
  return uart;
}

/** The other end of the line towards the clock: what was fed and not yet arrived. It lives on while the chip restarts. */
export class Feed {
  constructor() {
    this.bytes = [];
    this.next = 0;
    this.alarm = null;
  }

  /** `uart` takes the bytes from now on; what is under way arrives as if nothing had been. */
  attach(time, uart) {
    this.time = time;
    this.uart = uart;
    this.alarm = time.createAlarm(() => this.#arrive());
    if (this.next < this.bytes.length) this.#schedule();
  }

  /** Nobody is there to hear. */
  detach() {
    const gone = this.bytes.length - this.next;
    this.bytes = [];
    this.next = 0;
    this.alarm = null;
    return gone;
  }

  add(bytes) {
    const idle = this.next === this.bytes.length;
    if (idle) [this.bytes, this.next] = [[], 0];
    for (const byte of bytes) this.bytes.push(byte);
    if (idle && this.bytes.length > 0) this.#schedule();
  }

  #schedule() {
    this.alarm.schedule((10 * 1e9) / BAUD);
  }

  #arrive() {
    const byte = this.bytes[this.next++];
    if (this.next < this.bytes.length) this.#schedule();
    this.uart.feedByte(byte);
  }
}
