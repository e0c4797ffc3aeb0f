// Lines of JSON with their check, as docs/api/clocks.md has them ("Lines"). Written into a buffer, read in place.
#pragma once
#include <stdint.h>
#include <string.h>

// CRC-32 as zlib has it.
static uint32_t crc32(const char *bytes, int length) {
  uint32_t crc = 0xFFFFFFFF;
  while (length-- > 0) {
    crc ^= uint8_t(*bytes++);
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

// The check of a line, 18 characters that stand in place of its last one.
static void check_of(const char *line, int length, char check[19]) {
  memcpy(check, ",\"crc\":\"00000000\"}", 19);
  uint32_t crc = crc32(line, length);
  for (int place = 0; place < 8; place++) check[8 + place] = "0123456789abcdef"[crc >> (28 - 4 * place) & 15];
}

// A line on its way out. The longest report has fewer than 500 characters.
static char out[560];
static int out_length, out_done;

static void put(const char *text) {
  while (*text && out_length < int(sizeof out)) out[out_length++] = *text++;
}

static void put(int64_t n) {
  char digits[24], *p = digits + sizeof digits;
  uint64_t rest = n < 0 ? -n : n;
  *--p = 0;
  do *--p = char('0' + rest % 10); while (rest /= 10);
  if (n < 0) *--p = '-';
  put(p);
}

static void put(const char *name, int64_t n) { put(name); put(n); }
static void put(const char *name, const char *text) { put(name); put("\""); put(text); put("\""); }

static void end_line() {
  char check[19];
  check_of(out, out_length, check);
  put(check);
  put("\n");
}

// Whether a line was written by somebody who speaks to clocks, and not by noise.
static bool checks(const char *line, int length) {
  char check[19];
  if (length < 20) return false;
  check_of(line, length - 18, check);
  return !memcmp(line + length - 18, check, 18);
}

// What follows reads a text that ends with a 0 and changes nothing in it; a null pointer stands for what is not there.

static const char *space(const char *p) {
  while (*p && strchr(" \t\r\n", *p)) p++;
  return p;
}

// Behind the value that begins here, whatever it holds. No recursion: brackets are only counted.
static const char *skip(const char *p) {
  int depth = 0;
  do {
    p = space(p);
    const char *from = p;
    if (*p == '"') {
      for (p++; *p != '"'; p++) {
        if (*p == '\\') p++;
        if (!*p) return 0;
      }
      p++;
    } else if (*p == '{' || *p == '[') {
      depth++, p++;
    } else if (depth && (*p == '}' || *p == ']')) {
      depth--, p++;
    } else if (depth && (*p == ',' || *p == ':')) {
      p++;
    } else {
      while (*p && !strchr(" \t\r\n,:{}[]\"", *p)) p++;
    }
    if (p == from) return 0;
  } while (depth);
  return p;
}

static bool is(const char *value, const char *text) {
  size_t length = strlen(text);
  return value && *value == '"' && !strncmp(value + 1, text, length) && value[length + 1] == '"';
}

// The value of a member of the object that begins here; none, too, where a member is said twice.
static const char *member(const char *p, const char *name) {
  const char *found = 0;
  if (!p || *(p = space(p)) != '{') return 0;
  do {
    const char *key = space(p + 1);
    if (*key != '"' || !(p = skip(key)) || *(p = space(p)) != ':') return 0;
    const char *value = space(p + 1);
    if (is(key, name)) {
      if (found) return 0;
      found = value;
    }
    if (!(p = skip(value))) return 0;
    p = space(p);
  } while (*p == ',');
  return *p == '}' ? found : 0;
}

// A member that may be left out, where `null` says the same.
static const char *if_said(const char *p, const char *name) {
  const char *value = member(p, name);
  return value && *value != 'n' ? value : 0;
}

// A whole number, written in any way that stands for one: 50, 5.0e1, 500e-1.
static bool number(const char *p, int64_t least, int64_t most, int64_t *n) {
  int64_t value = 0, exponent = 0;
  int digits = 0, places = 0;
  if (!p) return false;
  bool minus = *p == '-', point = false;
  if (minus) p++;
  for (; (*p >= '0' && *p <= '9') || (*p == '.' && !point); p++) {
    if (*p == '.') { point = true; continue; }
    if (value > INT64_MAX / 100) return false;
    value = value * 10 + (*p - '0');
    digits++;
    places += point;
  }
  if (!digits) return false;
  if (*p == 'e' || *p == 'E') {
    bool down = *++p == '-';
    if (*p == '-' || *p == '+') p++;
    if (*p < '0' || *p > '9') return false;
    for (; *p >= '0' && *p <= '9'; p++) exponent = exponent < 100 ? exponent * 10 + (*p - '0') : exponent;
    if (down) exponent = -exponent;
  }
  for (exponent -= places; value && exponent > 0; exponent--) {
    if (value > INT64_MAX / 100) return false;
    value *= 10;
  }
  for (; value && exponent < 0; exponent++) {
    if (value % 10) return false;
    value /= 10;
  }
  *n = minus ? -value : value;
  return *n >= least && *n <= most;
}
