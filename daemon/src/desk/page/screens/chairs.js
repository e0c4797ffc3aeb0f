// Empty chairs: a tap marks one, a second tap tells all of them. Matches that begin later.

import { may } from "../line.js";
import { boardsOf, hall, hallNow, key, later, matchesOf, on, roundOf } from "../hall.js";
import { chosen } from "../round.js";
import { clockTime, instant, time } from "../time.js";
import { named, words } from "../words/index.js";
import { act, at, made } from "../elements/made.js";
import { keep, keepOptions } from "../elements/keep.js";
import { askIn } from "../elements/told.js";

// What is marked and not told yet: "board/player", by round.
const marked = new Map();
const marks = (round) => marked.get(round) || marked.set(round, new Set()).get(round);

// The event of what was told last, and of which round: it is taken back whole, and only where it is seen.
let lastTold = { round: null, seq: 0 };

export function showChairs() {
  const round = chosen("chairs");
  const order = boardsOf(round);
  const { variant } = hall;
  const now = marks(round);
  // of a list that was loaded anew, the chairs that are no more are marked no more
  const there = new Set(order.map(({ board }) => board));
  if (order.length) for (const chair of now) if (!there.has(chair.slice(0, chair.lastIndexOf("/")))) now.delete(chair);
  at("chairs-unseen").hidden = order.length > 0;
  at("chairs-marked").textContent = words.chairs.marked(now.size);
  at("chairs-only").disabled ||= !now.size;
  at("chairs-others").disabled ||= !order.length;
  at("chairs-back").hidden = !lastTold.seq || lastTold.round !== round;
  keep(at("chairs-boards"), order.map((board) => {
    const chairs = ["first", "second"].map((player) => ({
      player, marked: now.has(`${board.board}/${player}`), name: board[player].name, team: board[player].team,
      presence: board[player].presence,
    }));
    const { table, match } = board;
    return { key: key(round, board.board), about: { table, match, chairs, variant }, make: () => boardChairs(board, chairs) };
  }));
  showHeld(round);
}

function boardChairs(board, chairs) {
  const box = made("article", undefined, "seats");
  const table = board.table ? ` · ${words.table} ${board.table}` : "";
  box.append(made("span", `${words.board} ${board.board}${table}`, "where"));
  for (const chair of chairs) {
    const pair = made("div", undefined, "seat");
    const who = [words.colours[hall.variant][chair.player], chair.name, chair.team && `(${chair.team})`].filter(Boolean).join(" ");
    const state = chair.marked ? words.chairs.empty : named(words.chairs.presence, chair.presence);
    const button = act("", () => mark(board, chair.player));
    button.className = `chair ${chair.marked ? "marked" : chair.presence}`;
    button.dataset.board = board.board;
    button.dataset.player = chair.player;
    button.setAttribute("aria-pressed", String(chair.marked));
    button.disabled = !may("arbiter");
    button.append(made("span", who), made("span", state, "presence"));
    pair.append(button);
    if (chair.presence === "absent" && may("arbiter")) pair.append(act(words.chairs.arrived, () => came(board, chair), { sends: "player.arrived" }));
    box.append(pair);
  }
  return box;
}

function mark(board, player) {
  const now = marks(board.round), chair = `${board.board}/${player}`;
  if (!now.delete(chair)) now.add(chair);
  showChairs();
}

function came(board, { player, name }) {
  const who = name || words.colours[hall.variant][player];
  askIn("chairs-said", "player.arrived", { ...on(board), player }, ({ late_ms }) => late_ms ? words.chairs.late(who, time(late_ms)) : words.chairs.came(who));
}

async function tellChairs(complete) {
  const round = chosen("chairs");
  const players = [...marks(round)].map((chair) => {
    const cut = chair.lastIndexOf("/");
    return { board: chair.slice(0, cut), player: chair.slice(cut + 1) };
  });
  const answer = await askIn("chairs-said", "round.absent", { round, players, ...(complete ? { complete } : {}) }, (answer) => words.chairs.sent(answer));
  if (!answer) return;
  for (const { board, player } of players) marks(round).delete(`${board}/${player}`);
  lastTold = { round, seq: answer.seq };
  later();
}
at("chairs-back").onclick = async () => {
  if (await askIn("chairs-said", "undo", { seq: lastTold.seq }, () => words.sheet.taken)) lastTold = { round: null, seq: 0 };
  later();
};
at("chairs-others").onclick = () => tellChairs(true);
at("chairs-only").onclick = () => tellChairs(false);

// --- a match that begins later

function matchName(round, no) {
  const board = boardsOf(round).find((board) => board.match === no);
  const teams = board && board.first.team && board.second.team ? ` ${board.first.team} – ${board.second.team}` : "";
  return `${no}${teams}`;
}

function showHeld(round) {
  keepOptions(at("hold-match"), matchesOf(round).map((no) => [String(no), matchName(round, no)]));
  at("hold-send").disabled ||= !matchesOf(round).length;
  at("hold-now").textContent = `${words.now} ${clockTime(hallNow())}`;
  const known = roundOf(round);
  const held = (known && known.held || []).filter(({ until }) => Date.parse(until) > hallNow());
  keep(at("hold-list"), held.map((one) => ({ key: one.match, about: one, make: () => {
    const text = [words.chairs.held(matchName(round, one.match), clockTime(one.until)), one.reason].filter(Boolean).join(" · ");
    const line = made("li", text);
    if (may("arbiter")) line.append(" ", act(words.chairs.beginNow, () => hold(round, one.match, new Date(hallNow()).toISOString()), { sends: "match.hold" }));
    return line;
  } })));
}

function hold(round, no, until, reason) {
  askIn("hold-said", "match.hold", { round, match: no, until, ...(reason ? { reason } : {}) },
    (answer) => words.chairs.heldSaid(answer, clockTime(answer.until)));
}
at("hold-form").onsubmit = (submitted) => {
  submitted.preventDefault();
  hold(chosen("chairs"), Number(at("hold-match").value), instant(at("hold-until").value, hallNow()), at("hold-reason").value.trim());
};
