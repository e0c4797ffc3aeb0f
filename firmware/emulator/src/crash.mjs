// What a real board would not survive, or what would start it anew.

/** The firmware did something that would hang, fault or corrupt a real board. The emulator stops there. */
export class Crash extends Error {}

/** The chip resets itself; `cause` is `watchdog` or `software`. */
export class Reset extends Error {
  constructor(cause) {
    super(cause);
    this.cause = cause;
  }
}

/** Numbers as people read addresses. */
export const hex = (number) => `0x${(number >>> 0).toString(16).padStart(8, '0')}`;
