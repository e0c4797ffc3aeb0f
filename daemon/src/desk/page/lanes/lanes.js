// What needs a person, in four lanes, one line a cause; an arbiter's own tables first.

import { line } from "../line.js";
import { hall, key, mine } from "../hall.js";
import { goBoard } from "../address.js";
import { said, words } from "../words/index.js";
import { at, icon, into, made, write } from "../elements/made.js";
import { keep } from "../elements/keep.js";
import { rulingActs, rulingLines } from "./ruling.js";
import { incidentActs } from "./incident.js";

const LANES = ["decide", "look", "result_wanted", "technical"];

// Which boards need somebody, and how many lines wait for a decision; counted once before all is shown.
export const needs = {
  boards: new Map(), decide: 0, waiting: new Set(), rounds: new Set(),
  of(id) { return this.boards.get(id) || ""; },
  count() {
    this.boards.clear();
    this.decide = 0;
    this.waiting = new Set();
    this.rounds = new Set([...hall.boards.values()].map((board) => board.round));
    const rank = (lane) => LANES.indexOf(lane);
    const put = (round, board, lane) => {
      const id = key(round, board), old = this.boards.get(id);
      if (!old || rank(lane) < rank(old)) this.boards.set(id, lane);
    };
    for (const { id, lane, it } of open()) {
      if (lane === "decide") { this.decide++; this.waiting.add(id); }
      for (const board of it.boards?.length ? it.boards : it.board ? [it.board] : []) put(it.round, board, lane);
    }
  },
};

// All that is open, as lines.
function open() {
  const lines = [];
  for (const ruling of hall.rulings.values()) if (ruling.state === "proposed") lines.push({ id: `r${ruling.id}`, lane: "decide", it: ruling, ruling: true });
  for (const incident of hall.incidents.values()) {
    if (incident.state === "open") lines.push({ id: `i${incident.id}`, lane: LANES.includes(incident.lane) ? incident.lane : "look", it: incident });
  }
  return lines;
}
export const linesOf = (id) => open().filter(({ it }) => key(it.round, it.board) === id ||
  (it.boards || []).some((board) => key(it.round, board) === id)).map(drawnLine);

// Where it is: its boards, or its round. The round of a board is named where the hall has more than that one.
export function placeOf(item) {
  const list = item.boards?.length ? item.boards.join(", ") : item.board;
  const round = item.round ? words.ofRound(item.round) : "";
  if (!list) return round;
  const plain = needs.rounds.size === 1 && needs.rounds.has(item.round);
  return [plain ? "" : round, `${words.board} ${list}`].filter(Boolean).join(" · ");
}

export function showLanes() {
  const lines = open().sort((a, b) => Number(mine(b.it)) - Number(mine(a.it)));
  for (const lane of LANES) {
    const column = at(`lane-${lane}`);
    const own = lines.filter((line) => line.lane === lane);
    write(column.firstElementChild, `${words.lanes[lane]} (${own.length})`);
    column.classList.toggle("none", !own.length);
    const none = { key: "none", about: "", make: () => made("p", words.nothing, "empty") };
    keep(column.lastElementChild, own.length ? own.map(drawnLine) : [none]);
  }
  at("lanes").hidden = line.role === "viewer";
}

function drawnLine({ id, lane, it, ruling }) {
  const far = !mine(it);
  return { key: id, about: [it, far, placeOf(it), line.user], make: () => {
    const box = made("article", undefined, `card ${lane}${far ? " far" : ""}`);
    box.dataset[ruling ? "ruling" : "incident"] = it.id;
    box.tabIndex = -1;
    const where = placeOf(it);
    const head = made("div", undefined, "top");
    if (it.board) {
      const button = made("button", where, "place");
      button.type = "button";
      button.onclick = () => goBoard(key(it.round, it.board));
      head.append(button);
    } else {
      head.append(made("strong", where, "place"));
    }
    if (it.taken_by) head.append(into(made("span", undefined, "taken"), icon("here"), words.taken(it.taken_by)));
    into(box, head, made("div", said(it.text), "text"), ...(ruling ? rulingLines(it) : []));
    const acts = ruling ? rulingActs(it) : incidentActs(it);
    if (acts.length) into(box, into(made("div", undefined, "acts"), ...acts));
    return box;
  } };
}
