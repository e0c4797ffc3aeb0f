// Which boards are shown: all, those that need somebody, one's own, one match; and a way to a board by its number.

import { line } from "../line.js";
import { hall, key, later, mine } from "../hall.js";
import { goBoard } from "../address.js";
import { words } from "../words/index.js";
import { act, at, write } from "../elements/made.js";
import { keep, keepOptions } from "../elements/keep.js";
import { needs } from "../lanes/lanes.js";

let filter = "all", match = "";
const FILTERS = {
  all: () => true,
  needs: (board) => Boolean(needs.of(key(board.round, board.board))),
  mine,
  playing: (board) => !board.result,
};

const byName = (a, b) => a.localeCompare(b, undefined, { numeric: true });
export function filtered() {
  return [...hall.boards.values()]
    .filter((board) => FILTERS[filter](board) && (!match || `${board.round}/${board.match}` === match))
    .sort((a, b) => a.round - b.round || (a.table ?? 0) - (b.table ?? 0) || byName(a.board, b.board));
}

export function showFilters(count) {
  const all = hall.boards.size;
  at("find-board").placeholder = words.filters.find;
  write(at("boards-title"), count === all ? `${words.boards} (${all})` : `${words.boards} (${count} / ${all})`);
  const shown = Object.keys(FILTERS).filter((name) => name !== "mine" || line.tables.length);
  if (!shown.includes(filter)) filter = "all";
  keep(at("filter-buttons"), shown.map((name) => ({ key: name, about: filter === name, make: () => {
    const button = act(words.filters[name], () => choose(name));
    button.setAttribute("aria-pressed", String(filter === name));
    return button;
  } })));
  const matches = new Map();
  for (const board of hall.boards.values()) {
    const id = `${board.round}/${board.match}`;
    if ((board.match ?? null) !== null && !matches.has(id)) {
      const teams = [board.first.team, board.second.team].filter(Boolean).join(" – ");
      matches.set(id, `${board.match} ${teams}`.trim());
    }
  }
  at("filter-match").parentElement.hidden = !matches.size;
  keepOptions(at("filter-match"), [["", words.filters.allMatches], ...matches]);
  if (match && !matches.has(match)) match = at("filter-match").value = "";
}

export function choose(name) {
  filter = name;
  later();
}
at("filter-match").onchange = () => { match = at("filter-match").value; later(); };

// Board or table by number: the way for whoever has a keyboard.
export function find(text) {
  // of two rounds in the hall, the one that is still played; the other is found as `1/7`
  const all = [...hall.boards.values()].sort((a, b) => Boolean(a.result) - Boolean(b.result));
  const found = hall.boards.get(text) || all.find((board) => board.board === text) || all.find((board) => String(board.table) === text);
  if (found) goBoard(key(found.round, found.board));
  return Boolean(found);
}
at("find").onsubmit = (submitted) => {
  submitted.preventDefault();
  const box = at("find-board");
  box.setCustomValidity(find(box.value.trim()) ? "" : words.filters.none(box.value));
  if (box.reportValidity()) box.value = "";
};
at("find-board").oninput = () => at("find-board").setCustomValidity("");
