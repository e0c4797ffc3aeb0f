// The board: a Pico with its levers, lights, display, battery and line, and the world's time, which goes on while the
// power is off.

import { fitI2c, fitSpi } from './buses.mjs';
import { Chip } from './chip.mjs';
import { Crash, Reset, hex } from './crash.mjs';
import { Digits } from './digits.mjs';
import { Flash } from './flash.mjs';
import { Oled } from './oled.mjs';
import { Stack } from './stack.mjs';
import { PowerUpTime } from './time.mjs';
import { Feed, fitUart } from './uart.mjs';

const CONTACTS = { left: 2, right: 3, stop: 4, key: 5 };
const OUTPUTS = [[6, 'light_left'], [7, 'light_right'], [8, 'buzzer']];
const [SELECT, HIGH] = [17, 1];
const [FUNCTION_SPI, FUNCTION_UART, FUNCTION_I2C] = [1, 2, 3];
const WATCHDOG = 0x40058;
const PADS = 0x4001c;
const TIMER = 0x40054;

export class Board {
  /** `tell(line)` hears what happens; `sent(byte, nanos)` each byte that has left. */
  constructor({ firmware, flash = new Flash(), display = 'oled', trace = false, tell, sent }) {
    Object.assign(this, { firmware, flash, trace, tell, sent });
    this.oled = new Oled();
    this.digits = new Digits();
    if (display !== 'oled') this.oled.plug(false);
    if (display !== 'digits') this.digits.plug(false);
    this.display = { oled: this.oled, digits: this.digits, none: null }[display];
    this.closed = new Set();
    this.lit = new Map(OUTPUTS.map(([, name]) => [name, false]));
    this.millivolts = 4200;
    this.feed = new Feed();
    this.lost = 0;
    this.stack = new Stack(firmware);
    this.began = 0;
    this.offAt = 0;
    this.chip = null;
    this.crashed = null;
    flash.load(firmware.segments);
    this.powerOn();
  }

  /** Nanoseconds since the first power-up. */
  get nanos() {
    return this.chip ? this.began + this.time.nanos : this.offAt;
  }

  /** When something is due to happen by itself, in nanoseconds of world time; now, if the processor is at work. */
  get due() {
    if (!this.chip || this.crashed) return Infinity;
    return this.chip.core.waiting && !this.chip.wakes() ? this.began + this.time.due : this.nanos;
  }

  powerOn() {
    if (this.chip) return;
    this.oled.powerOn(true);
    this.digits.powerOn(true);
    this.#start(this.offAt, {});
  }

  powerOff(seed = 1) {
    if (!this.chip) return;
    this.offAt = this.nanos;
    this.flash.cut(seed);
    this.lost += this.feed.detach() + this.uart.lost;
    this.stack.look(this.chip);
    this.chip = null;
    this.crashed = null;
    this.oled.powerOn(false);
    this.digits.powerOn(false);
    this.#allOut();
  }

  #start(nanos, { sram = null, watchdog = null }) {
    this.began = nanos;
    this.time = new PowerUpTime();
    const chip = new Chip(this.time, this.flash, { sram, seed: (nanos / 1000) >>> 0, trace: this.trace });
    this.chip = chip;
    this.flash.powerOn({
      createAlarm: (ring) => this.time.createAlarm(ring),
      ram: (address, count) => Uint8Array.from({ length: count }, (_, i) => chip.readUint8(address + i)),
      wake: () => (chip.core.waiting = chip.polling = false),
    });
    this.#watch(chip, watchdog);
    this.#wireTimer(chip);
    this.#wirePins(chip);
    this.#wireLine(chip);
    fitI2c(chip, {
      answers: (address) => this.#is(12, FUNCTION_I2C) && this.#is(13, FUNCTION_I2C) && this.oled.answers(address),
      take: (byte) => this.oled.take(byte),
      stop: () => this.oled.stop(),
    });
    fitSpi(chip, {
      shift: (value, bits) => this.#is(18, FUNCTION_SPI) && this.#is(19, FUNCTION_SPI) && this.digits.shift(value, bits),
    });
    // UART flags; I2C's raw interrupts, status, levels and a reason to abort, which is taken back by its reading; SPI's status.
    chip.status(this.uart, [0x18]);
    chip.status(chip.i2c[0], [0x34, 0x70, 0x74, 0x78, 0x80]);
    chip.status(chip.spi[0], [0x0c]);
    this.#battery();
    try {
      chip.boot();
    } catch (crash) {
      this.#crash(crash);
    }
    if (!sram) this.stack.paint(chip);
  }

  #is(pin, chosen) {
    return this.chip.gpio[pin].functionSelect === chosen;
  }

  #watch(chip, before) {
    const watchdog = chip.peripherals[WATCHDOG];
    if (before) {
      watchdog.scratchData.set(before.scratchData);
      watchdog.reason = before.reason;
    }
    watchdog.onWatchdogTrigger = () => {
      throw new Reset('watchdog');
    };
  }

  /** Alarms at the microsecond they are set to; rp2040js rings up to one early. */
  #wireTimer(chip) {
    const timer = chip.peripherals[TIMER];
    const write = timer.writeUint32.bind(timer);
    timer.writeUint32 = (offset, value) => {
      write(offset, value);
      const alarm = timer.alarms[(offset - 0x10) >> 2];
      if (offset < 0x10 || offset > 0x1c) return;
      const now = Math.floor(this.time.nanos / 1000);
      const ahead = (value - now) >>> 0;
      alarm.clockAlarm.scheduleAt(ahead === 0 ? this.time.nanos : (now + ahead) * 1000);
    };
  }

  #wirePins(chip) {
    for (const [pin, name] of OUTPUTS) chip.gpio[pin].addListener((state) => this.#out(name, state === HIGH));
    chip.gpio[SELECT].addListener((state, before) => {
      if (state === HIGH && before !== HIGH) this.digits.latch();
    });
    const pads = chip.peripherals[PADS];
    const write = pads.writeUint32.bind(pads);
    pads.writeUint32 = (offset, value) => {
      write(offset, value);
      this.#contacts();
    };
    this.#contacts();
  }

  /** A closed contact pulls to ground; an open one is high by the pull-up alone, if the firmware has switched it on. */
  #contacts() {
    for (const [name, pin] of Object.entries(CONTACTS)) {
      const gpio = this.chip.gpio[pin];
      const level = !this.closed.has(name) && gpio.pullupEnabled;
      if (gpio.rawInputValue !== level) gpio.setInputValue(level);
    }
  }

  #wireLine(chip) {
    const uart = fitUart(chip);
    this.uart = uart;
    uart.onByte = (byte) => this.sent(byte, this.nanos);
    uart.reaches = (pin) => this.#is(pin, FUNCTION_UART);
    this.feed.attach(this.time, uart);
  }

  #out(name, on) {
    if (this.lit.get(name) === on) return;
    this.lit.set(name, on);
    this.tell(`out ${Math.floor(this.nanos / 1000)} ${name} ${on ? 1 : 0}`);
  }

  #allOut() {
    for (const [, name] of OUTPUTS) this.#out(name, false);
  }

  /** Opens or closes a contact, now. Returns whether there is such a one. */
  press(name, closed) {
    if (!(name in CONTACTS)) return false;
    if (closed) this.closed.add(name);
    else this.closed.delete(name);
    if (this.chip) this.#contacts();
    return true;
  }

  hear(bytes) {
    if (this.chip) this.feed.add(bytes);
    else this.lost += bytes.length;
  }

  battery(millivolts) {
    this.millivolts = millivolts;
    if (this.chip) this.#battery();
  }

  #battery() {
    const counts = Math.round((this.millivolts / 2 / 3300) * 4095);
    this.chip.adc.channelValues[0] = Math.min(4095, Math.max(0, counts));
  }

  /** Lets time pass until `nanos` of world time. Returns null or what a real board would not have survived. */
  run(nanos) {
    if (!this.chip) this.offAt = Math.max(this.offAt, nanos);
    while (this.chip && !this.crashed && this.nanos < nanos) {
      try {
        this.#execute(nanos - this.began);
      } catch (happened) {
        if (happened instanceof Reset) this.#restart(happened.cause);
        else this.#crash(happened);
      }
    }
    return this.crashed;
  }

  #execute(until) {
    const { chip, time } = this;
    const { core } = chip;
    chip.spin.until = until;
    while (time.nanos < until) {
      if (core.waiting && !chip.wakes()) {
        time.goTo(time.due < until ? time.due : until);
        continue;
      }
      core.waiting = chip.polling = false;
      core.run(until);
    }
  }

  /** Everything but the flash, the RAM, the watchdog's scratch registers and the reason is as after power-up. */
  #restart(cause) {
    const { chip } = this;
    const nanos = this.nanos;
    this.stack.look(chip);
    this.flash.finish();
    this.lost += this.uart.lost;
    this.#allOut();
    this.tell(`reset ${Math.floor(nanos / 1000)} ${cause}`);
    this.#start(nanos, { sram: chip.sram, watchdog: chip.peripherals[WATCHDOG] });
  }

  #crash(happened) {
    const { core } = this.chip;
    const internal = happened instanceof Crash ? '' : `emulator: ${happened.stack} `;
    const here = `${hex(core.PC)} ${this.firmware.near(core.PC)}`.trim();
    this.crashed = `${internal}${happened.message} at ${here}`;
    if (this.trace) process.stderr.write(`${this.crashed}\n${this.stack.walk(this.chip)}`);
  }

  /** Bytes that came while nobody could take them, since last asked. */
  takeLost() {
    const lost = this.lost + (this.chip ? this.uart.lost : 0);
    this.lost = 0;
    if (this.chip) this.uart.lost = 0;
    return lost;
  }

  /** The 32-bit word at a symbol; throws an `Error` if there is no such symbol or no power. */
  symbol(name) {
    const address = this.firmware.address(name);
    if (!this.chip) throw new Error('no power');
    return [0, 1, 2, 3].reduce((word, i) => word + this.chip.readUint8(address + i) * 2 ** (8 * i), 0);
  }
}
