// What is known of the hall: from the snapshot, events and ticks. Nothing is decided here.

import { line, call, may, anew } from "./line.js";
import { zoneIs } from "./time.js";

export const hall = {
  event: "", regulations: "", changed: [], variant: "xiangqi", mode: "", values: {}, differences: [], rounds: [], walk: null,
  boards: new Map(), incidents: new Map(), rulings: new Map(), tasks: new Map(), clocks: new Map(),
  tickAt: 0, tickNow: 0, fault: "", uplink: null,
};

export const key = (round, board) => `${round ?? ""}/${board ?? ""}`;
export const on = (item) => ({ ...(item.round ? { round: item.round } : {}), board: item.board });
export const boardOf = (item) => hall.boards.get(key(item.round, item.board));
// The boards of a round, in its order. Those of a round that is not in the hall are asked for, and there with the next
// drawing.
export function boardsOf(number) {
  const shown = [...hall.boards.values()].filter((board) => board.round === number);
  if (shown.length || number === null || number === undefined) return shown;
  if (!others.has(number) && line.ready && roundOf(number)?.boards) {
    others.set(number, []);
    call("round.view", { round: number }).then((view) => { others.set(number, view.boards); later(); }, () => others.delete(number));
  }
  return others.get(number) || [];
}
const others = new Map();
export const matchesOf = (number) => [...new Set(boardsOf(number).map((board) => board.match).filter((no) => no ?? false))];
export const roundOf = (number) => hall.rounds.find((round) => round.number === number);
export function roundState(round) {
  if (round.closed) return "closed";
  if (round.started) return round.paused ? "paused" : "open";
  return round.boards ? "waiting" : "empty";
}

// Whoever follows one board's events; null: all came anew, and what was told before may have a hole.
let follow = () => {};
export const onEvent = (how) => { follow = how; };
let draw = () => {};
export const redraw = (how) => { draw = how; };
export const later = () => draw();

export function forget() {
  for (const map of [hall.boards, hall.incidents, hall.rulings, hall.tasks, hall.clocks]) map.clear();
  others.clear();
  Object.assign(hall, { rounds: [], walk: null, differences: [], uplink: null, fault: "" });
}

// A board that changed is another object: whoever shows it sees by that whether it is shown as it is.
const put = (board) => hall.boards.set(key(board.round, board.board), board);

export function snapshot(all, { now }) {
  forget();
  follow(null);
  const { event = "", regulations = "", regulations_changed = [], variant, mode, rounds = [], walk = null, values = {}, differences = [] } = all;
  Object.assign(hall, { event, regulations, changed: regulations_changed, variant, mode, rounds, walk, values, differences });
  zoneIs(all.timezone);
  for (const board of all.boards || []) put(board);
  for (const incident of all.incidents || []) hall.incidents.set(incident.id, incident);
  for (const ruling of all.rulings || []) hall.rulings.set(ruling.id, ruling);
  for (const clock of all.clocks || []) hall.clocks.set(clock.clock, clock);
  for (const task of all.tasks || []) hall.tasks.set(task.id, task);
  hall.tickAt = Date.now();
  hall.tickNow = Date.parse(now) || 0;
  later();
}

export function event(event) {
  follow(event);
  const { type, round, board: name } = event;
  if (type === "result" && others.has(round)) others.delete(round);
  const place = { round, board: name };
  const board = hall.boards.get(key(round, name));
  if (type === "incident") {
    const { incident } = event;
    if (incident.state === "closed") hall.incidents.delete(incident.id);
    else hall.incidents.set(incident.id, { ...place, ...incident });
  }
  if (type === "ruling") {
    hall.rulings.set(event.ruling.id, { ...place, ...event.ruling, seq: event.seq, at: event.at });
  }
  if (type === "task") {
    if (event.task.done) hall.tasks.delete(event.task.id);
    else hall.tasks.set(event.task.id, { ...place, ...event.task });
  }
  if (type === "assigned") {
    const { clock, table } = event.assigned;
    for (const other of hall.clocks.values()) if (table !== null && other.table === table) other.table = null;
    hall.clocks.set(clock, { ...hall.clocks.get(clock), clock, table });
    walked(event.assigned);
  }
  if (type === "clock_online" || type === "clock_offline") hall.clocks.set(event.clock, { table: null, ...hall.clocks.get(event.clock), clock: event.clock, online: type === "clock_online" });
  if (type === "notice" && event.notice.kind === "walk_over") hall.walk = null;
  if (type === "request" && event.request.ok) requested(event.request);
  if (type === "round_started" || type === "notice") refresh();
  if (board) put(folded(board, event));
  later();
}

// What an event says of its board, before the next tick says all of it.
function folded(board, event) {
  const { type, happened } = event;
  const news = event[type];
  // a tick may know more already: what is told waits for the disk
  const known = board.as_of && Date.parse(board.as_of) > Date.parse(happened);
  const times = (more) => ({
    ...board, as_of: happened, first: { ...board.first, ms: news.first_ms }, second: { ...board.second, ms: news.second_ms }, ...more,
  });
  const ofClock = ["press", "game_started", "stopped", "resumed", "flag"].includes(type);
  if (ofClock && known) return board;
  switch (type) {
    case "press": {
      const after = times({ running: news.player === "first" ? "second" : "first" });
      after[news.player] = { ...after[news.player], moves: news.moves };
      return after;
    }
    case "game_started": return times({ running: news.player, state: "running" });
    case "stopped": return times({ running: null, state: board.state === "running" ? "stopped" : board.state });
    case "resumed": return times({ running: news.player, state: board.state === "stopped" ? "running" : board.state });
    case "flag": return times({ running: null, flag: board.flag || news.player, state: board.state === "finished" ? "finished" : "flag" });
    case "presence": return { ...board, [news.player]: { ...board[news.player], presence: news.state } };
    case "result": return { ...board, result: news.withdrawn ? null : news };
    case "clock_online": return { ...board, online: true };
    case "clock_offline": return { ...board, online: false };
    default: return board;
  }
}

// A clock was bound to a table; on a walk the next one comes next.
function walked({ table, clock }) {
  const { walk } = hall;
  if (walk && table === walk.next) hall.walk = { ...walk, next: table + 1, last: { table, clock } };
  if (hall.walk && hall.walk.next > hall.walk.to) hall.walk = null;
}

// What somebody asked may change which boards there are, or how the hall stands.
function requested({ method, params }) {
  if (method === "event.mode") hall.mode = params.mode;
  if (method.startsWith("round.") || method.startsWith("match.")) refresh();
  // from where to where somebody else walks stands in a snapshot only
  if (method === "setup.walk") setTimeout(() => { if (!hall.walk && !params.stop && may("desk")) anew(); }, 1500);
}

// Boards come with the ticks; which rounds there are and how they stand is asked anew. Asked of a round that has boards:
// without one the daemon means the only open round, and there may be none or two.
let refreshing = 0;
function refresh() {
  refreshing ||= setTimeout(async () => {
    refreshing = 0;
    others.clear();
    const [loaded] = hall.rounds.filter((round) => round.boards).slice(-1);
    try {
      const view = await call("round.view", loaded ? { round: loaded.number } : {});
      hall.rounds = view.rounds;
      if (!roundOf(view.round)?.closed) view.boards.forEach(put);
      for (const ruling of view.rulings) if (!hall.rulings.has(ruling.id)) hall.rulings.set(ruling.id, ruling);
      later();
    } catch { /* the line is down as well, and its next hello brings all of it */ }
  }, 300);
}

const same = (a, b) => a && JSON.stringify(a) === JSON.stringify(b);
export function tick(tick) {
  hall.tickAt = Date.now();
  hall.tickNow = Date.parse(tick.now);
  hall.fault = tick.journal_fault || "";
  hall.uplink = tick.uplink || null;
  const there = new Set();
  for (const board of tick.boards || []) {
    const id = key(board.round, board.board);
    there.add(id);
    if (!hall.boards.has(id)) refresh();
    if (!same(hall.boards.get(id), board)) put(board);
  }
  // a tick has all boards of the hall: one that it does not name is of a round that is over
  for (const id of hall.boards.keys()) if (!there.has(id)) { hall.boards.delete(id); refresh(); }
  later();
}

// What the hall's clock on the wall says now.
export const hallNow = () => hall.tickNow ? hall.tickNow + (Date.now() - hall.tickAt) * line.speed : Date.now();

// What the clock shows now, as far as it can be reckoned from what it showed last. A page that hears nothing does not
// count on: what it shows is what it heard.
export function remaining(board, player) {
  const { ms } = board[player];
  if (ms === null || ms === undefined) return null;
  if (board.running !== player || !board.as_of || !hall.tickNow) return ms;
  return ms - Math.max(0, (stale() ? hall.tickNow : hallNow()) - Date.parse(board.as_of));
}

// Ticks come every second; without one for so long, nothing here is live.
const FRESH = 2500;
export const stale = () => !line.ready || Date.now() - hall.tickAt > FRESH;
export const age = () => line.heard ? Math.floor((Date.now() - Math.min(line.heard, hall.tickAt || line.heard)) / 1000) : 0;

// An arbiter's own tables; where he has none, all are.
export const mine = (item) => {
  if (!line.tables.length) return true;
  const table = item.table ?? boardOf(item)?.table;
  return table === undefined || table === null || line.tables.some(([from, to]) => table >= from && table <= to);
};
