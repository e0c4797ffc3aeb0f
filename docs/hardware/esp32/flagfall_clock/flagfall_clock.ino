// A small chess clock that Flagfall understands: two levers, a stop button, two lights, two displays, JSON lines at
// 115200 baud. What it says is docs/api/clocks.md, what it does docs/hardware/clock-behaviour.md, what it leaves out
// docs/hardware/arduino.md. Nothing here waits: loop() comes round in far less than a millisecond, so an edge is
// stamped in the millisecond in which it came, while a line goes out and while one comes in.
#include <Arduino.h>
#include "line.h"
#include "game.h"
#include "hands.h"
#include "face.h"

static const char NAME[] = "A01";                     // differs from every other clock of the hall
static const uint8_t CONTACT_PIN[3] = {25, 26, 27};   // left lever, right lever, stop button; to ground
static const uint8_t LIGHT_PIN[2] = {32, 33};         // high: this side runs
static const uint8_t FACE_PIN[3] = {5, 18, 23};       // chip select, clock, data of the displays
static const char FIRMWARE[] = "flagfall-arduino 1";
static const int LONGEST = 1024;                      // a line that is longer is none

struct Answer { uint32_t command, event; const char *error; };
static Answer answers[8];
static uint32_t answered, highest, boot;
static char in[LONGEST + 1];
static int in_length;
static uint64_t told = NEVER;   // when the line in `in` was whole

// millis() wraps after 49.7 days, this does not.
static uint64_t uptime() {
  static uint32_t before;
  static uint64_t passed;
  uint32_t now = millis();
  passed += uint32_t(now - before);
  before = now;
  return passed;
}

// Another number at each power-up.
static uint32_t new_boot() {
#ifdef ESP32
  return esp_random();
#else
  uint32_t noise = micros();   // of an open input; a counter in memory that needs no power would be better
  for (int n = 0; n < 64; n++) noise = noise * 1664525 + analogRead(A0) + micros();
  return noise;
#endif
}

static const char *side_json(uint8_t side) { return side == 0 ? "\"left\"" : side == 1 ? "\"right\"" : "null"; }

static void write_report(const Report &r) {
  const Event &e = r.event;
  out_length = out_done = 0;
  put("{\"clock\":", NAME);
  put(",\"boot\":", boot);
  put(",\"seq\":", r.seq);
  put(",\"events\":", r.events);
  put(",\"uptime_ms\":", int64_t(r.uptime));
  put(",\"left_ms\":", r.state.ms[0]);
  put(",\"right_ms\":", r.state.ms[1]);
  put(",\"running\":"), put(side_json(r.state.running));
  put(",\"left_presses\":", r.state.presses[0]);
  put(",\"right_presses\":", r.state.presses[1]);
  put(",\"flag\":"), put(side_json(r.state.flag));
  if (r.state.stopped_by) put(",\"stopped_by\":", r.state.stopped_by);
  if (e.type) {
    put(",\"event\":{\"type\":", e.type);
    if (e.side) put(",\"side\":", e.side);
    if (e.by) put(",\"by\":", e.by);
    if (!strcmp(e.type, "boot") || !strcmp(e.type, "about")) {
      put(",\"firmware\":", FIRMWARE);
      put(",\"restored\":false,\"resolution_ms\":1,\"can\":[\"configure\",\"set_times\",\"adjust\",\"start\",\"stop\","
          "\"resume\",\"identify\",\"show\",\"describe\",\"replay\"]");
    } else if (!strcmp(e.type, "over")) {
      if (e.why) put(",\"claim\":", e.why);
      put(",\"agreed\":true");
    } else if (!strcmp(e.type, "done")) {
      put(",\"command\":", e.command);
      put(e.why ? ",\"ok\":false" : ",\"ok\":true");
      if (e.why) put(",\"error\":", e.why);
    }
    put("}");
  }
  end_line();
}

// As much as the port takes at once. What was asked for again goes first, a status only where nothing else waits, an edge
// that is not believed yet neither: it would be earlier.
static void speak(uint64_t now, bool settled) {
  uint64_t quiet = state.running == NOBODY ? 5000 : 1000;
  if (out_done == out_length) {
    if (again < oldest()) again = oldest();
    if (again <= again_end) {
      write_report(kept[again++ % KEPT]);
    } else if (sent < events) {
      write_report(kept[++sent % KEPT]);
    } else if (settled && now - spoke >= quiet) {
      spoke = now;
      write_report(report(now));
    }
  }
  int room = Serial.availableForWrite(), rest = out_length - out_done;
  if (room > rest) room = rest;
  if (room > 0) out_done += Serial.write((const uint8_t *)out + out_done, room);
}

static void answer(uint64_t at, uint32_t command, const char *error) {
  say(at, "done", 0, 0, error, command);
  Answer *place = &answers[answered % 8];
  for (Answer &known : answers)
    if (known.command == command && known.event) place = &known;
  if (place == &answers[answered % 8]) answered++;
  *place = {command, events, error};
  if (command > highest) highest = command;
}

static const char *configure(uint64_t at, const char *act) {
  const char *control = member(act, "time_control"), *kind = member(control, "kind"), *p;
  const char *freeze = member(control, "freeze_on_flag"), *early = member(control, "increment_on_first_move");
  Setup next = {{0, 0}, {0, 0}, MAX_MS, false, true, 0, ON};
  int64_t n, start[2], increment[2];
  if (kind && !is(kind, "fischer")) return "unable";
  if ((p = member(control, "periods")) && *space(p + 1) != ']') return "unable";
  if ((p = member(control, "flag_at")) && !is(p, "zero") && !is(p, "below_zero")) return "unable";
  next.below_zero = is(p, "below_zero");
  if ((p = member(act, "stop_button")) && !is(p, "on") && !is(p, "off") && !is(p, "end_only")) return "unable";
  next.stop = is(p, "off") ? OFF : is(p, "end_only") ? END_ONLY : ON;
  p = member(act, "first_side");
  if (!is(p, "left") && !is(p, "right")) return "unable";
  next.first = is(p, "right");
  if (state.running != NOBODY) return "in_game";
  if ((p = member(control, "repeat")) && *p == 't') return "range";   // of no period
  next.freeze = !freeze || *freeze == 't';
  const char *capped = if_said(control, "cap_ms");
  if (capped && !number(capped, 0, MAX_MS, &next.cap)) return "range";
  for (int player = 0; player < 2; player++) {
    const char *own = if_said(control, player ? "second" : "first");   // time odds
    if (!number(member(own ? own : control, "base_ms"), 0, MAX_MS, &start[player])) return "range";
    if (!number(member(own ? own : control, "increment_ms"), 0, MAX_MS, &increment[player])) return "range";
    n = start[player] + (early && *early == 't' ? increment[player] : 0);
    if (n > next.cap && capped) n = start[player] > next.cap ? start[player] : next.cap;
    if (n > MAX_MS) return "range";
    next.start[next.first ^ player] = n;
    next.increment[next.first ^ player] = increment[player];
  }
  setting = next;
  as_new();
  say(at, "reset", 0, "command");
  return 0;
}

static const char *set(uint64_t at, const char *act, bool by_difference) {
  static const char *const TIME[2][2] = {{"left_ms", "right_ms"}, {"left_delta_ms", "right_delta_ms"}};
  static const char *const PRESSES[2] = {"left_presses", "right_presses"};
  int64_t ms[2], presses[2];
  if (state.running != NOBODY) return "running";
  for (int side = 0; side < 2; side++) {
    presses[side] = state.presses[side];
    if (!number(member(act, TIME[by_difference][side]), -MAX_MS, MAX_MS, &ms[side])) return "range";
    if (by_difference) ms[side] += state.ms[side];
    if (ms[side] < -MAX_MS || ms[side] > MAX_MS) return "range";
    const char *p = by_difference ? 0 : if_said(act, PRESSES[side]);
    if (p && !number(p, 0, UINT32_MAX, &presses[side])) return "range";
  }
  for (int side = 0; side < 2; side++) {
    state.ms[side] = ms[side];
    state.presses[side] = presses[side];
  }
  if (!begun && (presses[0] || presses[1])) {   // a game from another clock; who has moved less often is to move
    begun = true;
    ran = setting.first ^ (presses[setting.first] > presses[!setting.first]);
    state.stopped_by = "command";
  }
  say(at, "adjust", 0, "command");
  return 0;
}

static const char *replay(const char *act) {
  int64_t of, from_seq;
  if (!number(member(act, "boot"), 0, UINT32_MAX, &of) || of != boot) return "gone";
  if (!number(member(act, "from_seq"), 0, UINT32_MAX, &from_seq)) return "range";
  // The answer itself displaces one: that one is no longer promised.
  uint32_t from = events + 1 > KEPT ? events + 2 - KEPT : 1, first = from;
  while (from <= sent && kept[from % KEPT].seq < uint32_t(from_seq)) from++;
  if (from <= sent) send_again(from, sent);
  return first > 1 && kept[(first - 1) % KEPT].seq >= uint32_t(from_seq) ? "gone" : 0;
}

static const char *carry_out(uint64_t at, const char *act) {
  const char *type = member(act, "type");
  bool runs = state.running != NOBODY;
  int64_t n;
  if (is(type, "configure")) return configure(at, act);
  if (is(type, "set_times")) return set(at, act, false);
  if (is(type, "adjust")) return set(at, act, true);
  if (is(type, "start") || is(type, "resume")) {
    const char *side = member(act, "side");
    bool on = is(type, "resume");
    if (!on && !is(side, "left") && !is(side, "right")) return "unable";
    if (runs) return "running";
    if (!may_run()) return "flag";
    if (on && !begun) return "stopped";
    run(on ? ran : is(side, "right"), at, "command");
  } else if (is(type, "stop")) {
    if (!runs) return "stopped";
    stand(at, "command");
    say(at, "stop", 0, "command");
  } else if (is(type, "identify")) {
    if (runs) return "running";
    identify_until = at + 10000;
  } else if (is(type, "show")) {
    if (runs) return "running";
    if (!number(member(act, "number"), 0, 9999, &n)) return "range";
    table_number = n;
    number_since = at;
  } else if (is(type, "describe")) {
    say(at, "about");
  } else if (is(type, "replay")) {
    return replay(act);
  } else {
    return "unable";
  }
  return 0;
}

// A line that checks. Each command is carried out once; a repeat brings the same answer again, not the deed.
static void command(uint64_t at, const char *line) {
  const char *act = member(line, "do");
  int64_t order, of, until;
  if (!is(member(line, "clock"), NAME) || !act || is(member(act, "type"), "ack")) return;
  if (!number(member(line, "command"), 0, UINT32_MAX, &order) || !number(member(line, "boot"), 0, UINT32_MAX, &of) ||
      !number(member(line, "until_ms"), 0, INT64_MAX, &until)) return;
  if (of != boot) return say(at, "done", 0, 0, "boot", order);
  for (const Answer &known : answers) {
    if (!known.event || known.command != uint32_t(order)) continue;
    if (known.event < oldest()) return answer(at, known.command, known.error);
    if (known.event <= sent) send_again(known.event, known.event);
    return;
  }
  if (uint32_t(order) <= highest) return say(at, "done", 0, 0, "gone", order);
  answer(at, order, at > uint64_t(until) ? "expired" : carry_out(at, act));
}

// Takes bytes in, up to a whole line; what it says is done as of when it came. A 0 ends a line too: so begin and end
// binary frames, which this clock does not read.
static void hear(uint64_t now) {
  while (told == NEVER && Serial.available() > 0) {
    char c = Serial.read();
    if (c == '\n' || c == 0) told = now;
    else if (in_length <= LONGEST) in[in_length++] = c;
  }
}

static void obey() {
  bool fits = in_length <= LONGEST;
  if (fits && in_length && in[in_length - 1] == '\r') in_length--;
  if (fits) in[in_length] = 0;
  if (fits && checks(in, in_length)) command(told, in);
  in_length = 0;
  told = NEVER;
}

void setup() {
  Serial.begin(115200);
  for (uint8_t which = 0; which < 3; which++) {
    contact[which].pin = CONTACT_PIN[which];
    face_pins[which] = FACE_PIN[which];
    pinMode(CONTACT_PIN[which], INPUT_PULLUP);
    pinMode(FACE_PIN[which], OUTPUT);
  }
  for (uint8_t pin : LIGHT_PIN) pinMode(pin, OUTPUT);
  face_on();
  boot = new_boot();
  as_new();
  say(uptime(), "boot");
}

void loop() {
  uint64_t now = uptime();
  hear(now);
  uint64_t undecided = hands(now, told);
  if (told < undecided) obey();
  speak(now, undecided == NEVER);
  for (uint8_t side = 0; side < 2; side++) digitalWrite(LIGHT_PIN[side], state.running == side ? HIGH : LOW);
  face(now);
}
