// The boot ROM's public functions, as far as firmware needs them to write flash. The npm package comes without a ROM.
//
// Layout and look-up are those of the RP2040 datasheet, 2.8.3: 0x14 points to the function table, 0x16 to the data
// table, 0x18 to the look-up function. Each function is Thumb code of its own that puts its arguments into a register
// block no real chip has (flash.mjs answers there) and then polls it, so that interrupts run meanwhile.

/** Where the register block lies: a hole between two peripherals of the real chip. */
export const TRAP = 0x40070000;

export const ADDRESS = 0x00;
export const SECOND = 0x04;
export const THIRD = 0x08;
export const GO = 0x0c;
export const BUSY = 0x10;

/** The functions, by the codes with which they are looked up; a function's place here is what GO is written with. */
export const FUNCTIONS = ['IF', 'EX', 'RE', 'RP', 'FC', 'CX', 'UB'];

const tag = (code) => code.charCodeAt(0) | (code.charCodeAt(1) << 8);

/** The ROM as 4096 words. */
export function bootRom() {
  const words = new Uint32Array(4096);
  const halves = new Uint16Array(words.buffer);
  const put = (at, ...values) => values.forEach((value, i) => (halves[at / 2 + i] = value));
  const [table, data, lookup, shared, functions] = [0x40, 0x80, 0x90, 0xb0, 0xe0];

  // Where a chip without a program would end up: one branch to itself.
  put(0x20, 0xe7fe);
  put(0x00, 0x2000, 0x2004, 0x21, 0, 0x21, 0, 0x21, 0);
  put(0x10, 0x754d, 0x0201, table, data, lookup | 1);

  FUNCTIONS.forEach((code, i) => put(table + 4 * i, tag(code), (functions + 6 * i) | 1));
  put(table + 4 * FUNCTIONS.length, 0);
  put(data, 0);

  put(
    lookup,
    0x8802, //       next:  ldrh r2, [r0]
    0x8843, //              ldrh r3, [r0, #2]
    0x3004, //              adds r0, #4
    0x428a, //              cmp  r2, r1
    0xd003, //              beq  found
    0x2a00, //              cmp  r2, #0
    0xd1f8, //              bne  next
    0x2000, //              movs r0, #0
    0x4770, //              bx   lr
    0x0018, //       found: movs r0, r3
    0x4770, //              bx   lr
  );
  put(
    shared,
    0x4c07, //              ldr  r4, =TRAP
    0x6020, //              str  r0, [r4, #ADDRESS]
    0x6061, //              str  r1, [r4, #SECOND]
    0x60a2, //              str  r2, [r4, #THIRD]
    0x60e3, //              str  r3, [r4, #GO]
    0x6920, //       poll:  ldr  r0, [r4, #BUSY]
    0x2800, //              cmp  r0, #0
    0xd1fc, //              bne  poll
    0xbd10, //              pop  {r4, pc}
  );
  put(shared + 0x20, TRAP & 0xffff, TRAP >>> 16);
  FUNCTIONS.forEach((_, i) => {
    const at = functions + 6 * i;
    const back = ((shared - (at + 4 + 4)) >> 1) & 0x7ff;
    put(at, 0xb510, 0x2300 | i, 0xe000 | back); // push {r4, lr}; movs r3, #i; b shared
  });
  return words;
}
