// The lowest clocks of games that are on: where an arbiter will be wanted next. Nobody is told to hurry.

import { hall, key, remaining } from "../hall.js";
import { goBoard } from "../address.js";
import { words } from "../words/index.js";
import { at, made } from "../elements/made.js";
import { shownTime } from "../grid/marks.js";

const MOST = 6, ALWAYS_BELOW = 60_000;

export function showLow() {
  const below = Math.max(hall.values.low_time_ms || 0, ALWAYS_BELOW);
  const list = [];
  for (const board of hall.boards.values()) {
    if (board.result || (board.state !== "running" && board.state !== "stopped")) continue;
    for (const player of ["first", "second"]) {
      const ms = remaining(board, player);
      if (ms !== null && ms < below) list.push({ board, player, ms });
    }
  }
  list.sort((a, b) => a.ms - b.ms);
  const shown = list.slice(0, MOST);
  at("low").hidden = !shown.length;
  const rows = at("low-list");
  while (rows.children.length < shown.length) rows.append(row());
  while (rows.children.length > shown.length) rows.lastElementChild.remove();
  shown.forEach(({ board, player }, place) => {
    const [button] = rows.children[place].children;
    const id = key(board.round, board.board);
    const [name, clock] = button.children;
    name.textContent = `${board.board} ${words.chips[hall.variant][player]} ${board[player].name}`;
    clock.textContent = shownTime(board, player);
    Object.assign(clock.dataset, { live: id, player });
    button.onclick = () => goBoard(id);
  });
}

function row() {
  const line = made("li"), button = made("button");
  button.type = "button";
  button.append(made("span", "", "name"), made("span", "", "time"));
  line.append(button);
  return line;
}
