// A board's own view: its times large, what waits there, all that can be asked of it, its plot and its past.

import { line, may } from "../line.js";
import { hall, key } from "../hall.js";
import { goPaper, goScreen, place } from "../address.js";
import { words } from "../words/index.js";
import { act, at, icon, into, made, write } from "../elements/made.js";
import { keep } from "../elements/keep.js";
import { countdown, marks, resultOf, shownTime, stateOf } from "../grid/marks.js";
import { linesOf } from "../lanes/lanes.js";
import { byId, pastLine } from "../lanes/past.js";
import { groupsOf } from "./acts.js";
import { showHistory } from "./history.js";

let shown = "";

export function showBoard() {
  const panel = at("board-panel");
  const board = place.board ? hall.boards.get(place.board) : null;
  panel.hidden = !place.board;
  if (!place.board) { shown = ""; return; }
  const box = at("screen-board");
  if (shown !== place.board || !box.firstChild) {
    shown = place.board;
    box.said = "";
    box.replaceChildren(frame());
    box.querySelector("h2").focus();
  }
  box.dataset.board = place.board;
  if (!board && !hall.tickNow) return;
  if (!board) {
    // of a round that is over: nothing of it is left standing here as if it were live, and its record is one tap away
    const said = `gone ${place.board} ${line.ready} ${line.role}`;
    if (box.said === said) return;
    box.said = said;
    const focused = box.contains(document.activeElement);
    box.replaceChildren(frame());
    write(at("board-title"), words.noBoard(place.board));
    if (focused) at("board-title").focus();
    if (may("desk")) at("board-acts").append(act(words.papers.record, () => goPaper(`record/${place.board}`)));
    return;
  }
  if (box.said) { box.said = ""; box.replaceChildren(frame()); }
  box.dataset.state = board.state;
  showTop(board);
  keep(at("board-lines"), linesOf(place.board));
  const past = [...hall.rulings.values()].filter((ruling) => ruling.state !== "proposed" && key(ruling.round, ruling.board) === place.board).sort(byId);
  keep(at("board-past"), past.map((ruling) => ({ key: ruling.id, about: ruling, make: () => pastLine(ruling) })));
  showActs(board);
  showHistory(board);
}

function frame() {
  const all = made("div", undefined, "own");
  const top = made("div", undefined, "own-top");
  const title = made("h2");
  title.id = "board-title";
  title.tabIndex = -1;
  const close = act(words.backToHall, () => {
    const id = place.board;
    goScreen("hall");
    document.querySelector(`#boards [data-board="${CSS.escape(id)}"] button`)?.focus();
  });
  close.id = "board-close";
  into(top, title, close);
  const part = (id, tag = "div") => { const element = made(tag); element.id = id; return element; };
  return into(all, top, part("board-about", "p"), part("board-clocks"), part("board-marks"), part("board-lines"), part("board-acts"),
    part("board-plot"), part("board-past", "ul"), part("board-history"));
}

function showTop(board) {
  const now = stateOf(board);
  write(at("board-title"), [`${words.board} ${board.board}`, words.states[now] || now].join(" · "));
  write(at("board-about"), [words.ofRound(board.round), board.table ? `${words.table} ${board.table}` : "", board.match ? words.sheet.of(board.match) : "",
    board.clock ? `${words.setup.clock} ${board.clock}` : "", board.result ? resultOf(board.result) : ""].filter(Boolean).join(" · "));
  const id = key(board.round, board.board);
  keep(at("board-clocks"), ["first", "second"].map((player) => ({ key: player, about: [board[player].name, board[player].team, board.running, board.flag, board.state, board[player].moves, hall.variant],
    make: () => clockOf(board, id, player) })));
  for (const clock of at("board-clocks").querySelectorAll("[data-live]")) write(clock, shownTime(board, clock.dataset.player));
  keep(at("board-marks"), marks(board).map(({ sign, text, name }, place) => ({ key: place, about: [sign, text, name], make: () =>
    into(made("span", undefined, `mark ${name || ""}`), sign ? icon(sign) : null, made("span", sign && words.signs[sign] ? `${words.signs[sign]} ${text}` : text)) }))
    .concat(countdown(board) ? [{ key: "late", about: "", make: () => {
      const late = made("span", countdown(board), "mark bad");
      late.dataset.countdown = id;
      return late;
    } }] : []));
}

function clockOf(board, id, player) {
  const about = board[player];
  const row = made("div", undefined, `big ${player}${board.running === player && board.state === "running" ? " runs" : ""}${board.flag === player ? " fallen" : ""}`);
  const clock = made("span", shownTime(board, player), "time");
  Object.assign(clock.dataset, { live: id, player });
  return into(row, made("abbr", words.chips[hall.variant][player], "colour"),
    into(made("span", undefined, "who"), made("span", about.name || words.colours[hall.variant][player], "name"), about.team ? made("span", about.team, "team") : null),
    into(made("span", undefined, "right"), clock, made("span", words.movesOf(about.moves), "moves")));
}

// One group after the other; nothing where nothing may be asked.
function showActs(board) {
  const groups = groupsOf(board);
  keep(at("board-acts"), groups.map(({ name, acts }) => ({ key: name, about: acts.map(({ text }) => text), make: () => {
    const group = made("div", undefined, `group ${name}`);
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", words.groups[name]);
    into(group, made("span", words.groups[name], "title"), ...acts.map(({ text, does, ...options }) => act(text, () => does(hall.boards.get(place.board)), options)));
    return group;
  } })));
  if (may("results") && !at("board-acts").querySelector("[data-paper]")) {
    const paper = act(words.papers.record, () => goPaper(`record/${place.board}`));
    paper.dataset.paper = "record";
    const group = at("board-acts").lastElementChild;
    if (group) group.append(paper);
  }
  at("board-acts").hidden = !groups.length || line.role === "viewer";
}
