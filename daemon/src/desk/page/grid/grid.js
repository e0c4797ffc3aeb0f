// The boards of the hall: a card each, kept and written over, so that five hundred of them count without stutter.

import { hall, key } from "../hall.js";
import { goBoard, place } from "../address.js";
import { words } from "../words/index.js";
import { at, icon, into, made, write } from "../elements/made.js";
import { needs } from "../lanes/lanes.js";
import { filtered, showFilters } from "./filters.js";
import { countdown, marks, resultOf, shownTime, stateOf } from "./marks.js";

const cards = new Map();
let order = "", twoRounds = false;

export function clearGrid() {
  cards.clear();
  order = "";
  at("boards").replaceChildren();
}

export function showGrid() {
  const shown = filtered();
  twoRounds = new Set(shown.map((board) => board.round)).size > 1;
  showFilters(shown.length);
  at("boards-none").hidden = hall.boards.size > 0;
  const ids = shown.map((board) => key(board.round, board.board));
  for (const id of cards.keys()) if (!hall.boards.has(id)) cards.delete(id);
  for (const [place, id] of ids.entries()) {
    let card = cards.get(id);
    if (!card) cards.set(id, card = cardOf(id));
    // what a card shows is compared, not what came of late: a filter may have hidden it when that came
    else if (card.board === shown[place] && card.need === needs.of(id) && card.both === twoRounds) continue;
    card.show(shown[place]);
  }
  const now = ids.join(" ");
  if (now !== order) {
    const focus = document.activeElement;
    at("boards").replaceChildren(...ids.map((id) => cards.get(id).box));
    if (focus && focus !== document.activeElement && at("boards").contains(focus)) focus.focus();
    order = now;
    fit();
  }
  for (const [id, card] of cards) card.box.classList.toggle("chosen", id === place.board);
}

function cardOf(id) {
  const box = made("article", undefined, "board");
  box.dataset.board = id;
  const head = made("button", undefined, "head");
  head.type = "button";
  head.onclick = () => goBoard(id);
  const name = made("span", undefined, "number"), state = made("span", undefined, "state"), kind = made("span", undefined, "away");
  into(head, kind, name, state);
  const rows = ["first", "second"].map(playerRow);
  const notes = made("div", undefined, "notes");
  const result = made("div", undefined, "result"), late = made("div", undefined, "late");
  into(box, head, ...rows.map(({ row }) => row), result, notes, late);
  const card = { box, need: undefined, both: undefined };

  card.show = (board) => {
    const need = card.need = needs.of(id);
    card.both = twoRounds;
    const now = stateOf(board);
    box.dataset.state = board.state;
    box.className = ["board", now, board.online || !board.clock ? "" : "offline", need ? `needs ${need}` : "", board.owes ? "owes" : "",
      id === place.board ? "chosen" : ""].filter(Boolean).join(" ");
    write(name, twoRounds ? `${board.round}/${board.board}` : board.board);
    const said = words.states[now] || now;
    if (state.now !== `${now} ${said} ${need}`) {
      state.now = `${now} ${said} ${need}`;
      state.replaceChildren(icon(now), made("span", said, "word"), ...(need ? [icon("needs", words.lanes[need])] : []));
    }
    write(kind, `${words.board} `);
    for (const row of rows) row.show(board);
    write(result, board.result ? resultOf(board.result) : "");
    const all = marks(board);
    const told = JSON.stringify(all);
    if (notes.told !== told) {
      notes.told = told;
      notes.replaceChildren(...all.map(({ sign, text, name }) => into(made("span", undefined, `mark ${name || ""}`), sign ? icon(sign) : null, made("span", text))));
    }
    card.board = board;
    card.tick();
  };
  card.tick = () => {
    const { board } = card;
    if (!board) return;
    for (const row of rows) row.tick(board);
    write(late, countdown(board));
  };
  return card;
}

function playerRow(player) {
  const row = made("div", undefined, `player ${player}`);
  const colour = made("abbr", undefined, "colour"), name = made("span", undefined, "name"), clock = made("span", undefined, "time");
  clock.dataset.player = player;
  into(row, colour, name, clock);
  return {
    row,
    show(board) {
      const about = board[player];
      write(colour, words.chips[hall.variant][player]);
      write(name, about.name || words.colours[hall.variant][player]);
      name.classList.toggle("long", name.textContent.length > 16);
      row.classList.toggle("runs", board.running === player && board.state === "running");
      row.classList.toggle("fallen", board.flag === player);
      row.classList.toggle("low", Boolean(about.low_time));
    },
    tick(board) {
      write(clock, shownTime(board, player));
    },
  };
}

// Between reports: only what runs is written, and only where its text differs.
export function showTimes() {
  if (place.screen !== "hall" && !place.board) return;
  for (const { box, tick } of cards.values()) if (box.isConnected) tick();
  for (const clock of document.querySelectorAll("[data-live]")) {
    const board = hall.boards.get(clock.dataset.live);
    if (board) write(clock, shownTime(board, clock.dataset.player));
  }
  for (const clock of document.querySelectorAll("[data-countdown]")) {
    const board = hall.boards.get(clock.dataset.countdown);
    if (board) write(clock, countdown(board));
  }
}

// As many columns as let all boards stand on the screen; never narrower than a time beside a name.
const NARROW = 118, WIDE = 300, FLAT = 0.52;
function fit() {
  const box = at("boards"), count = cards.size && order ? order.split(" ").length : 0;
  if (!count || !box.clientWidth) return;
  const room = Math.max(260, innerHeight - box.getBoundingClientRect().top - scrollY - 12);
  let best = NARROW;
  for (let columns = 1; columns <= Math.floor(box.clientWidth / NARROW); columns++) {
    const width = box.clientWidth / columns, height = room / Math.ceil(count / columns);
    const fits = Math.min(width, height / FLAT);
    if (fits > best) best = fits;
  }
  const set = (wide) => {
    box.style.setProperty("--card", `${Math.floor(Math.min(wide, WIDE, box.clientWidth) - 6)}px`);
    box.style.setProperty("--size", `${Math.min(1.35, Math.max(0.78, wide / 165)).toFixed(2)}rem`);
  };
  set(best);
  // cards with a result or marks are higher than others: as many columns more as it takes
  for (let columns = Math.floor(box.clientWidth / best) + 1; box.offsetHeight > room && box.clientWidth / columns > NARROW; columns++) set(box.clientWidth / columns);
}
new ResizeObserver(fit).observe(at("boards"));
addEventListener("resize", fit);
