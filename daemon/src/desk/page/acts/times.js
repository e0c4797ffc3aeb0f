// A board's times: set, or corrected by some minutes.

import { boardOf, on, remaining } from "../hall.js";
import { read, time } from "../time.js";
import { words } from "../words/index.js";
import { dialog } from "../elements/dialog.js";
import { offenderName } from "../lanes/ruling.js";
import { placeOf } from "../lanes/lanes.js";

export function setTimes(item) {
  const board = boardOf(item);
  const both = (of) => ({ first: of("first"), second: of("second") });
  const stood = both((player) => board ? remaining(board, player) : null);
  const shown = both((player) => stood[player] === null ? "" : time(stood[player]));
  dialog({
    title: `${placeOf(item)} · ${words.times.title}`, about: [words.times.hint, board?.state === "running" ? words.times.stands : ""], method: "board.set_times", yes: words.times.set,
    fields: [
      ...["first", "second"].map((player) => ({ name: `${player}_ms`, label: offenderName(player), value: shown[player], required: true })),
      { name: "reason", label: words.reason },
    ],
    params: ({ first_ms, second_ms, reason }) => {
      // a time that nobody changed goes as it stands, not as it is shown: rounded up, he would be given part of a second
      const [first, second] = [["first", first_ms], ["second", second_ms]].map(([player, text]) => text === shown[player] ? stood[player] : read(text));
      if (first === null || second === null) return words.times.wrong(first === null ? first_ms : second_ms);
      return { ...on(item), first_ms: first, second_ms: second, ...(reason ? { reason } : {}) };
    },
    says: (answer) => words.times.said(placeOf(item), time(answer.first_ms), time(answer.second_ms)),
  });
}

export function adjust(item) {
  dialog({
    title: `${placeOf(item)} · ${words.times.adjust}`, about: [words.times.adjustHint], method: "board.adjust", yes: words.times.adjust,
    fields: [
      { name: "player", label: words.player, options: ["first", "second"].map((who) => [who, `${offenderName(who)} ${boardOf(item)?.[who].name || ""}`]) },
      { name: "delta_ms", label: words.times.by, required: true, value: "+2:00" },
      { name: "reason", label: words.reason },
    ],
    params: ({ player, delta_ms, reason }) => {
      const delta = read(delta_ms);
      return delta === null || delta === 0 ? words.times.wrong(delta_ms) : { ...on(item), player, delta_ms: delta, ...(reason ? { reason } : {}) };
    },
    says: (answer) => words.times.said(placeOf(item), time(answer.first_ms), time(answer.second_ms)),
  });
}
