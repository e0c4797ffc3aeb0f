// The three contacts. A change is believed after 5 ms of quiet and counts from its first edge: bouncing is one press, a
// spark is none, endless chatter is one. While an edge is undecided nothing later happens, not even the flag.
#pragma once
#include "game.h"

static const uint64_t QUIET = 5, CHATTER = 20;
static const uint8_t STOP = 2;   // after the levers, 0 and 1

struct Contact { uint8_t pin; bool down, seen, bounces; uint64_t first, last; };
struct Change { uint64_t at; uint8_t which; bool down; };
static Contact contact[3];
static Change believed[16];      // in the order of their time
static uint8_t believed_count;

static void do_first() {
  Change c = believed[0];
  memmove(believed, believed + 1, --believed_count * sizeof(Change));
  fire(c.at);   // in the same millisecond the flag comes before the press
  if (c.which == STOP && c.down) stop_button_down(c.at);
  if (c.which != STOP && c.down) lever_down(c.which, c.at);
  if (c.which != STOP && !c.down) lever_up(c.which);
}

static void believe(uint8_t which, bool down, uint64_t at) {
  if (believed_count == 16) do_first();   // more than any hand does in 20 ms
  uint8_t place = believed_count++;
  for (; place && (believed[place - 1].at > at || (believed[place - 1].at == at && believed[place - 1].which > which)); place--)
    believed[place] = believed[place - 1];
  believed[place] = {at, which, down};
}

static void look(uint8_t which, uint64_t now) {
  Contact &c = contact[which];
  bool level = digitalRead(c.pin) == LOW;
  // Decided before a new edge is taken in: a loop that came late changes nothing.
  bool quiet = now - c.last >= QUIET;
  if (c.bounces && (quiet || now - c.first >= CHATTER)) {
    bool down = !quiet || c.seen;
    if (down != c.down) believe(which, down, c.first);
    c.down = down;
    c.bounces = c.seen != down;   // decided against its level of the moment: that level is the next burst
    c.first = c.last = now;
  }
  if (level == c.seen) return;
  if (!c.bounces) c.first = now;
  c.bounces = true;
  c.last = now;
  c.seen = level;
}

// Does what hands did and what is due up to `now`, but nothing that is later than the line that came at `told`. Gives
// the first edge that is still undecided.
static uint64_t hands(uint64_t now, uint64_t told) {
  uint64_t undecided = NEVER;
  for (uint8_t which = 0; which < 3; which++) {
    look(which, now);
    if (contact[which].bounces && contact[which].first < undecided) undecided = contact[which].first;
  }
  while (believed_count && believed[0].at < undecided && believed[0].at <= told) do_first();
  uint64_t until = undecided < told ? undecided : told;
  fire(until < now ? until : now);
  return undecided;
}
