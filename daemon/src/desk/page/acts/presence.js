// Who came, and who need not record.

import { on } from "../hall.js";
import { time } from "../time.js";
import { words } from "../words/index.js";
import { dialog } from "../elements/dialog.js";
import { tap } from "../elements/told.js";
import { placeOf } from "../lanes/lanes.js";

export const arrived = (board, player) => tap((answer) =>
  answer.late_ms ? words.chairs.late(board[player].name, time(answer.late_ms)) : words.chairs.came(board[player].name), "player.arrived", { ...on(board), player });
// It holds for the rest of the game.
export function exempt(board) {
  dialog({ title: `${placeOf(board)} · ${words.exempt}`, about: [words.exemptHint], method: "recording.exempt", yes: words.exempt, says: words.exempted(placeOf(board)), params: () => on(board) });
}
