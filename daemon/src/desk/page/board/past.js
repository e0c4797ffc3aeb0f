// A board's events: had once when its view opens, and from then on as they are told.

import { CUT, call, line } from "../line.js";
import { key, later, onEvent } from "../hall.js";
import { place } from "../address.js";

// `state`: "asked", "there", or the refusal's own error.
const none = () => ({ id: "", events: [], state: "asked" });
let own = none();

// All events of a board, page by page.
export async function allOf(round, board) {
  const events = [];
  let told = 0;
  for (let after = 0, more = true; more;) {
    const page = await call("board.history", { round, board, after });
    events.push(...page.events);
    ({ after, more } = page);
    told = after;
  }
  return { events, told };
}

// The events of the board shown, as far as they are here.
export function pastOf(board) {
  const id = key(board.round, board.board);
  if (own.id !== id) {
    own = none();
    if (line.ready) {
      own.id = id;
      bring(own, board);
    }
  }
  return own;
}

async function bring(wanted, { round, board }) {
  try {
    const { events } = await allOf(round, board);
    const last = events.length ? events[events.length - 1].seq : 0;
    // what was told meanwhile stands behind what was asked
    wanted.events = [...events, ...wanted.events.filter(({ seq }) => seq > last)];
    wanted.state = "there";
  } catch (error) {
    // without an answer it is asked again once the line is back
    if (error.code === CUT) wanted.id = "";
    wanted.state = error;
  }
  later();
}

onEvent((event) => {
  if (!event || own.id !== place.board) own = none();
  else if (own.id && own.id === key(event.round, event.board)) own.events.push(event);
});
