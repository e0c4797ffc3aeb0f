// What it shows: two MAX7219 modules of eight digits in a chain, and a light at each side that runs. One row of digits
// goes out each time round, so that nothing waits for the display.
#pragma once
#include "game.h"

static uint8_t face_pins[3];                                       // chip select, clock, data
static int table_number = -1;
static uint64_t number_since;
static uint8_t shown[2][8], wanted[2][8];

static uint8_t segments(char c) {
  static const uint8_t DIGITS[] = {0x7E, 0x30, 0x6D, 0x79, 0x33, 0x5B, 0x5F, 0x70, 0x7F, 0x7B};
  return c >= '0' && c <= '9' ? DIGITS[c - '0'] : c == 'F' ? 0x47 : c == '-' ? 0x01 : 0;
}

static void registers(uint8_t reg, uint8_t left, uint8_t right) {
  digitalWrite(face_pins[0], LOW);
  for (int side = 1; side >= 0; side--) {                          // the last of the chain first
    shiftOut(face_pins[2], face_pins[1], MSBFIRST, reg);
    shiftOut(face_pins[2], face_pins[1], MSBFIRST, side ? right : left);
  }
  digitalWrite(face_pins[0], HIGH);
}

static void face_on() {
  // No test picture, no decoding, half the light, eight digits, on.
  static const uint8_t SET[][2] = {{15, 0}, {9, 0}, {10, 8}, {11, 7}, {12, 1}};
  for (const uint8_t *set : SET) registers(set[0], set[1], set[1]);
  for (uint8_t row = 0; row < 8; row++) registers(row + 1, 0, 0);
}

// `text` at the right end, a point or colon with the digit before it.
static void write_side(uint8_t *row, const char *text) {
  int place = 0;
  for (const char *p = text + strlen(text); p-- > text && place < 8;) {
    bool point = *p == '.' || *p == ':';
    if (point && p > text) p--;
    row[place++] = segments(*p) | (point ? 0x80 : 0);
  }
}

// Seconds are rounded up, so that 0:00 stands only where no time is left; tenths below 20 s.
static void time_text(int32_t ms, char *text) {
  bool tenths = ms > 0 && ms < 20000;
  int32_t t = ms <= 0 ? 0 : tenths ? (ms - 1) / 100 + 1 : (ms - 1) / 1000 + 1, s = tenths ? t / 10 : t;
  if (s >= 36000) *text++ = '0' + s / 36000;
  if (s >= 3600) { *text++ = '0' + s / 3600 % 10; *text++ = ':'; }
  if (s >= 600) *text++ = '0' + s / 600 % 6;
  *text++ = '0' + s / 60 % 10;
  *text++ = ':';
  *text++ = '0' + s / 10 % 6;
  *text++ = '0' + s % 10;
  if (tenths) { *text++ = '.'; *text++ = '0' + t % 10; }
  *text = 0;
}

static void side_text(uint8_t side, uint64_t now, char *text) {
  uint64_t ago = now - number_since;
  bool numbered = table_number >= 0 && state.running == NOBODY && (begun ? ago < 10000 : ago / 3000 % 2 == 0);
  const char *result = over ? claim() : 0;
  if (result) {
    bool won = !strcmp(result, side == setting.first ? "first" : "second");
    strcpy(text, !strcmp(result, "draw") ? "1-2" : won ? "1" : "0");
  } else if (numbered) {
    char *p = text + 4;
    *p = 0;
    int rest = table_number;
    do *--p = '0' + rest % 10; while (rest /= 10);
    memmove(text, p, strlen(p) + 1);
  } else {
    time_text(left_at(side, now), text);
  }
}

static void face(uint64_t now) {
  static uint8_t row;
  if (row == 0) {
    memset(wanted, 0, sizeof wanted);
    bool dark = identify_until > now && (identify_until - now) / 500 % 2;
    for (uint8_t side = 0; side < 2 && !dark; side++) {
      char text[12];
      side_text(side, now, text);
      write_side(wanted[side], text);
      if (state.flag == side) wanted[side][7] = segments('F');
      if (!begun && ready[side]) wanted[side][7] = segments('-');
    }
  }
  if (wanted[0][row] != shown[0][row] || wanted[1][row] != shown[1][row]) {
    registers(row + 1, wanted[0][row], wanted[1][row]);
    shown[0][row] = wanted[0][row];
    shown[1][row] = wanted[1][row];
  }
  row = (row + 1) % 8;
}
