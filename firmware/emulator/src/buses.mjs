// I2C0 and SPI0 with the time their bits take, so that a firmware that waits for a whole picture is seen to wait. In
// rp2040js a transfer is over in the instant in which it begins.

import { builtOn } from './made.mjs';

const [CON, DATA_CMD, ENABLE, SDA_HOLD] = [0x00, 0x10, 0x6c, 0x7c];
const TX_EMPTY = 1 << 4;
const TX_ABRT = 1 << 6;
const TX_EMPTY_CTRL = 1 << 8;
const [START, CONNECT, WRITE, READ, STOP] = [0, 1, 2, 3, 4];

function timedI2c(I2c) {
  return class TimedI2c extends I2c {
    constructor(chip, name, irq, device) {
      super(chip, name, irq);
      this.device = device;
      this.act = START;
      this.byte = 0;
      /** Bytes carried since power-up, addresses among them. */
      this.carried = 0;
      this.over = chip.clock.createAlarm(() => this.#complete());
      this.onStart = () => this.#take(START, 1);
      this.onConnect = (address) => this.#take(CONNECT, 9, address);
      this.onWriteByte = (value) => this.#take(WRITE, 9, value);
      this.onReadByte = () => this.#take(READ, 9);
      this.onStop = () => this.#take(STOP, 1);
    }

    // "Empty" is a level, and with TX_EMPTY_CTRL it waits for the byte that is still on the wire.
    get intRaw() {
      const idle = !(this.control & TX_EMPTY_CTRL) || !this.busy;
      const empty = this.enable & 1 && this.txFIFO.itemCount <= this.txThreshold && idle;
      return (this.raised & ~TX_EMPTY) | (empty ? TX_EMPTY : 0);
    }

    set intRaw(value) {
      this.raised = value;
    }

    #take(act, bits, byte = 0) {
      this.act = act;
      this.byte = byte;
      if (bits === 9) this.carried += 1;
      this.over.schedule((bits * (this.sclHighPeriod + this.sclLowPeriod) * 1e9) / this.rp2040.clkSys);
    }

    #complete() {
      switch (this.act) {
        case START:
          this.completeStart();
          break;
        case CONNECT:
          this.completeConnect(this.device.answers(this.byte));
          break;
        case WRITE:
          this.completeWrite(this.device.take(this.byte));
          break;
        case READ:
          this.completeRead(0xff);
          break;
        case STOP:
          this.device.stop();
          this.completeStop();
          break;
      }
      this.checkInterrupts();
    }

    writeUint32(offset, value) {
      // After an abort the FIFO takes nothing until the abort is cleared.
      if (offset === DATA_CMD && this.raised & TX_ABRT) return;
      // Holding the data line after the clock's edge changes nothing here.
      if (offset === SDA_HOLD) return;
      // Switching off ends the transfer. An abort stays noted until it is cleared: the data sheet can be read either way, and
      // this is the way that would hang a board.
      super.writeUint32(offset, value);
      if (offset === CON || offset === ENABLE || offset === DATA_CMD) this.checkInterrupts();
    }
  };
}

/** Puts such an I2C0 into the chip, with one device on its bus: `answers(address)`, `take(byte)`, `stop()`. */
export function fitI2c(chip, device) {
  const plain = chip.i2c[0];
  const i2c = new (builtOn(plain, timedI2c))(chip, plain.name, plain.irq, device);
  chip.i2c[0] = i2c;
  chip.peripherals[0x40044] = i2c;
  return i2c;
}

/** Lets SPI0 take its time and hands what it sends to `device.shift(value, bits)`. */
export function fitSpi(chip, device) {
  const spi = chip.spi[0];
  let bits = 0;
  let word = 0;
  const over = chip.clock.createAlarm(() => {
    device.shift(word, bits);
    spi.completeTransmit(0);
  });
  spi.onTransmit = (value) => {
    [word, bits] = [value, spi.dataBits];
    over.schedule((bits * 1e9) / (spi.clockFrequency || 1e6));
  };
  return spi;
}
