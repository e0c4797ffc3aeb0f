// A board's clock: another one in its place, sides the other way round, a sign from it.

import { boardOf, hall, key, on } from "../hall.js";
import { exact } from "../time.js";
import { words } from "../words/index.js";
import { dialog } from "../elements/dialog.js";
import { done, tap } from "../elements/told.js";
import { offenderName } from "../lanes/ruling.js";
import { placeOf } from "../lanes/lanes.js";

export const identify = (board) => tap(words.clock.blinks(board.clock), "clock.identify", { clock: board.clock });

export function swapSides(board) {
  dialog({
    title: `${placeOf(board)} · ${words.swap}`, about: [words.clock.sidesHint], method: "board.swap_sides", yes: words.swap,
    fields: [{ name: "reason", label: words.reason }], params: ({ reason }) => ({ ...on(board), ...(reason ? { reason } : {}) }), says: words.swapped(placeOf(board)),
  });
}

// A clock that stands at no table yet, for one of the boards shown.
export function assign(clock) {
  const boards = [...hall.boards.values()].filter((board) => !board.result);
  dialog({
    title: `${words.clock.assign} · ${clock}`, method: "board.assign", yes: words.clock.assign,
    fields: [
      { name: "place", label: words.board, required: true, options: boards.map((board) => [key(board.round, board.board), `${board.board} ${board.first.name} – ${board.second.name}`]) },
      { name: "first_side", label: words.setup.side, options: [["", words.setup.asKnown], ["left", words.setup.leftSide], ["right", words.setup.rightSide]] },
    ],
    params: ({ place, first_side }) => ({ ...on(hall.boards.get(place)), clock, ...(first_side ? { first_side } : {}) }),
    says: (answer) => words.clock.swapped(placeOf(answer), answer.clock),
  });
}

// In a game times and counts go along, and the answer says how exact they are.
export function swapClock(item) {
  const board = boardOf(item);
  dialog({
    title: `${placeOf(item)} · ${words.clock.swap}`, about: [words.clock.hint, board?.clock ? words.clock.now(board.clock) : ""], method: "board.assign", yes: words.clock.swap,
    fields: [
      { name: "clock", label: words.clock.name, required: true },
      { name: "first_side", label: words.setup.side, options: [["", words.setup.asKnown], ["left", words.setup.leftSide], ["right", words.setup.rightSide]] },
      { name: "carry", label: words.clock.carry, check: true, value: true },
    ],
    params: ({ clock, first_side, carry }) => ({ ...on(item), clock, carry, ...(first_side ? { first_side } : {}) }),
    then: (answer) => done([words.clock.swapped(placeOf(item), answer.clock), answer.carried
      ? words.clock.carried(offenderName("first"), exact(answer.carried.first_ms), offenderName("second"), exact(answer.carried.second_ms), answer.carried.bound_ms) : ""]
      .filter(Boolean).join(" "), "board.assign", answer),
  });
}
