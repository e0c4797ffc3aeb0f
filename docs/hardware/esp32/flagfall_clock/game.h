// The game at the clock: two times, who runs, what the levers and the button do. docs/hardware/clock-behaviour.md is
// its description; of the controls it knows `fischer` only. Whatever happens is said, with the whole state.
#pragma once
#include <Arduino.h>
#include "line.h"

#ifdef __AVR__
static const uint32_t KEPT = 16;    // events kept for `replay`; 48 bytes each
#else
static const uint32_t KEPT = 64;
#endif
static const uint64_t NEVER = UINT64_MAX, HOLD = 2000, BEGIN = 10000, SETTLED = 5000;
static const int64_t MAX_MS = 359999000;   // 99:59:59
static const uint8_t NOBODY = 2;
static const char *const SIDE[2] = {"left", "right"};

enum StopButton : uint8_t { ON, OFF, END_ONLY };
struct Event { const char *type, *side, *by, *why; uint32_t command; };
struct State { int32_t ms[2]; uint32_t presses[2]; uint8_t running, flag; const char *stopped_by; };
struct Report { uint32_t seq, events; uint64_t uptime; State state; Event event; };
struct Setup { int32_t start[2], increment[2]; int64_t cap; bool below_zero, freeze; uint8_t first; StopButton stop; };

static Setup setting = {{3000000, 3000000}, {15000, 15000}, MAX_MS, false, true, 0, ON};
static State state;
static uint64_t since;              // the running side's time is as of then
static bool begun, ready[2], held[2];
static uint8_t ran;                 // who runs on at `resume`
static bool over, gave_up[2];       // the players ended the game; who says that he did not win
static uint64_t both_since = NEVER, claims_until = NEVER;
static uint64_t spoke, identify_until;
static uint32_t seq, events;        // events are numbered from 1; number n is kept[n % KEPT]
static uint32_t sent, again = 1, again_end;   // the last one sent; those asked for again, if there are any
static Report kept[KEPT];

static int32_t left_at(uint8_t side, uint64_t at) {
  int64_t own = state.ms[side], rest = own - int64_t(at - since);
  if (side != state.running) return own;
  return rest > 0 ? rest : own < 0 ? own : 0;   // only a deduction goes below zero
}

static void settle(uint64_t at) {
  if (state.running != NOBODY) state.ms[state.running] = left_at(state.running, at);
  since = at;
}

static Report report(uint64_t at) {
  Report r = {++seq, events, at, state, Event()};
  for (uint8_t side = 0; side < 2; side++) r.state.ms[side] = left_at(side, at);
  return r;
}

static void say(uint64_t at, const char *type, const char *side = 0, const char *by = 0, const char *why = 0,
                uint32_t command = 0) {
  events++;
  Report r = report(at);
  r.event = {type, side, by, why, command};
  kept[events % KEPT] = r;
  if (events - sent > KEPT) sent = events - KEPT;   // nobody took the oldest: the hole shows in `events`
  spoke = at;
}

static uint32_t oldest() { return events > KEPT ? events - KEPT + 1 : 1; }

// Events from one number to another are to be sent again. More than was asked for does no harm, less would.
static void send_again(uint32_t from, uint32_t to) {
  bool busy = again <= again_end;
  again = busy && again < from ? again : from;
  again_end = busy && again_end > to ? again_end : to;
}

static void as_new() {
  for (uint8_t side = 0; side < 2; side++) {
    state.ms[side] = setting.start[side];
    state.presses[side] = 0;
    ready[side] = false;
  }
  state.running = state.flag = NOBODY;
  state.stopped_by = 0;
  begun = over = false;
  both_since = claims_until = NEVER;
  ran = setting.first;
}

static void run(uint8_t side, uint64_t at, const char *by) {
  bool first = !begun;
  settle(at);
  begun = true;
  over = false;
  both_since = claims_until = NEVER;
  identify_until = 0;
  state.running = side;
  state.stopped_by = 0;
  if (first) say(at, "start", SIDE[side], by);
  else say(at, "resume", 0, by);
}

static void stand(uint64_t at, const char *by) {
  settle(at);
  ran = state.running;
  state.running = NOBODY;
  state.stopped_by = by;
}

static bool may_run() { return state.flag == NOBODY || !setting.freeze; }

// What the levers say after the game: whoever did not win presses.
static const char *claim() {
  if (gave_up[0] && gave_up[1]) return "draw";
  return !gave_up[0] && !gave_up[1] ? 0 : gave_up[setting.first] ? "second" : "first";
}

static void lever_down(uint8_t side, uint64_t at) {
  held[side] = true;
  if (begun && held[0] && held[1] && !over) both_since = at;
  if (!begun && side != setting.first && ready[side]) {
    run(setting.first, at, "button");
  } else if (!begun) {
    ready[side] = true;
    say(at, "ready", SIDE[side]);
  } else if (over && claims_until != NEVER) {
    gave_up[side] = !gave_up[side];
    claims_until = at + SETTLED;
  } else if (state.running != side) {
    say(at, "ignored_press", SIDE[side]);
  } else {
    settle(at);
    int64_t had = state.ms[side], more = had + setting.increment[side];
    if (more > setting.cap) more = setting.cap;
    if (state.flag == NOBODY && more > had) state.ms[side] = more;   // an increment never takes time away
    state.presses[side]++;
    state.running = !side;
    say(at, "press", SIDE[side]);
  }
}

static void lever_up(uint8_t side) {
  held[side] = false;
  both_since = NEVER;
}

static void stop_button_down(uint64_t at) {
  if (setting.stop == END_ONLY) say(at, "ignored_stop");
  if (setting.stop != ON) return;
  if (state.running != NOBODY) {
    stand(at, "button");
    say(at, "stop", 0, "button");
  } else if (!begun) {
    run(setting.first, at, "button");
  } else if (may_run() && !over) {
    run(ran, at, "button");
  }
}

// What falls due by itself, each as of its own time, up to `until`.
static void fire(uint64_t until) {
  for (;;) {
    uint64_t flag = NEVER, both = both_since == NEVER ? NEVER : both_since + HOLD;
    if (state.running != NOBODY && state.flag == NOBODY) {
      int64_t lasts = int64_t(state.ms[state.running]) + setting.below_zero;
      flag = since + (lasts > 0 ? lasts : 0);
    }
    uint64_t due = flag < both ? flag : both;
    if (claims_until < due) due = claims_until;
    if (due > until || due == NEVER) return;
    if (due == flag) {
      settle(due);
      state.flag = state.running;
      if (setting.freeze) stand(due, 0);
      say(due, "flag", SIDE[state.flag]);
    } else if (due == both) {
      both_since = NEVER;
      if (state.running != NOBODY) stand(due, "button");
      over = true;
      gave_up[0] = gave_up[1] = false;
      claims_until = due + BEGIN;
      say(due, "over");
    } else {
      claims_until = NEVER;
      if (claim()) say(due, "over", 0, 0, claim());
    }
  }
}
