// A board stopped and resumed, and why it stood.

import { boardOf, on } from "../hall.js";
import { words } from "../words/index.js";
import { dialog } from "../elements/dialog.js";
import { tap } from "../elements/told.js";
import { offenderName } from "../lanes/ruling.js";
import { placeOf } from "../lanes/lanes.js";

export const stop = (board) => tap(words.stopped(placeOf(board)), "board.stop", on(board));
export const resume = (board) => tap(words.resumed(placeOf(board)), "board.resume", on(board));

// Only an arbiter says `without cause`, and against whom.
export function explain(item) {
  const board = boardOf(item);
  dialog({
    title: `${placeOf(item)} · ${words.explain}`, method: "stop.explain",
    about: [board ? `${board.first.name} – ${board.second.name}` : ""],
    fields: [
      { name: "cause", label: words.cause, ways: Object.entries(words.causes).map(([value, title]) => ({ value, title, lines: [words.causesAre[value] || ""] })), value: "" },
      { name: "offender", label: words.offender, options: [["", words.notNamed], ...["first", "second"].map((who) => [who, offenderName(who)])], hint: words.offenderHint },
      { name: "reason", label: words.reason },
    ],
    params: ({ cause, offender, reason }) => ({
      ...on(item), cause, ...(offender && cause === "without_cause" ? { offender } : {}), ...(reason ? { reason } : {}),
    }),
    says: (answer) => answer.ruling ? words.proposedSaid(placeOf(item)) : words.explained(placeOf(item)),
  });
}
