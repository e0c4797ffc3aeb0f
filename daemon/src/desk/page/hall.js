// What is known of the hall: from the snapshot, events and ticks. Nothing is decided here.
"use strict";

const boards = new Map(), incidents = new Map(), rulings = new Map(), tasks = new Map();
let rounds = [], walk = null, mode = "", variant = "xiangqi", tickAt = 0, tickNow = 0;

const key = (round, board) => `${round ?? ""}/${board ?? ""}`;
const on = (item) => ({ ...(item.round ? { round: item.round } : {}), board: item.board });

function forget() {
  [boards, incidents, rulings, tasks].forEach((map) => map.clear());
  rounds = [];
  walk = null;
}

function take(snapshot) {
  forget();
  ({ rounds = [], walk = null, variant, mode } = snapshot);
  for (const task of snapshot.tasks || []) tasks.set(task.id, task);
  at("event").textContent = snapshot.event || "Flagfall";
  for (const board of snapshot.boards || []) boards.set(key(board.round, board.board), board);
  for (const incident of snapshot.incidents || []) incidents.set(incident.id, incident);
  for (const ruling of snapshot.rulings || []) rulings.set(ruling.id, ruling);
  tickAt = Date.now();
  tickNow = 0;
}

let acked = 0;
function event(event) {
  if (event.seq <= head) return;
  head = event.seq;
  const place = { round: event.round, board: event.board };
  const board = boards.get(key(event.round, event.board));
  if (event.type === "incident") incidents.set(event.incident.id, { ...place, ...event.incident });
  if (event.type === "ruling") rulings.set(event.ruling.id, { ...place, ...event.ruling, seq: event.seq });
  if (event.type === "result" && board) board.result = event.result.withdrawn ? null : event.result;
  if (event.type === "task") tasks.set(event.task.id, { ...place, ...event.task });
  if (event.type === "assigned") walked(event.assigned);
  if (event.type === "notice" && event.notice.kind === "walk_over") walk = null;
  if (event.type === "request" && event.request.ok) requested(event.request);
  if (event.type === "round_started" || event.type === "notice") refresh();
  for (const [id, task] of tasks) if (task.done) tasks.delete(id);
  for (const [id, incident] of incidents) if (incident.state === "closed") incidents.delete(id);
  if (!acked) acked = setTimeout(() => {
    acked = 0;
    if (ready) socket.send(JSON.stringify({ jsonrpc: "2.0", method: "ack", params: { seq: head } }));
  }, 1000);
  later();
}

// A clock was bound to a table; on a walk the next one comes next.
function walked({ table, clock }) {
  if (walk && table === walk.next) walk = { ...walk, next: table + 1, last: { table, clock } };
  if (walk && walk.next > walk.to) walk = null;
}

// What somebody asked may change which boards there are, or how the hall stands.
function requested({ method, params }) {
  if (method === "event.mode") mode = params.mode;
  if (method.startsWith("round.") || method.startsWith("match.")) refresh();
  // from where to where somebody else walks stands in a snapshot only
  if (method === "setup.walk") setTimeout(() => { if (!walk && !params.stop && may(ROLES.desk)) anew(); }, 1500);
}

// Boards come with the ticks; which boards and rounds there are is asked anew.
let refreshing = 0;
function refresh() {
  if (!refreshing) refreshing = setTimeout(() => { refreshing = 0; fetchBoards(); }, 300);
}
async function fetchBoards() {
  const asked = token;
  try {
    const answer = await fetch("/api/1/boards", { headers: { Authorization: `Bearer ${asked}` } });
    if (!answer.ok) return;
    const view = await answer.json();
    if (token !== asked || view.journal !== journal) return;
    rounds = view.rounds;
    boards.clear();
    for (const board of view.boards) boards.set(key(board.round, board.board), board);
    later();
  } catch { /* the line is down as well, and its next hello brings all of it */ }
}
function anew() { journal = null; if (socket) socket.close(); pause = 200; }

function tick(tick) {
  tickAt = Date.now();
  tickNow = Date.parse(tick.now);
  if (fault !== (tick.journal_fault || "")) {
    fault = tick.journal_fault || "";
    at("alarm").hidden = !fault;
    showFault();
  }
  for (const board of tick.boards || []) boards.set(key(board.round, board.board), board);
  later();
}

// What the clock shows now, as far as it can be reckoned from what it showed last.
function remaining(board, player) {
  const ms = board[player].ms;
  if (ms === null || ms === undefined) return null;
  if (board.running !== player) return ms;
  const read = board.as_of && tickNow ? Math.max(0, tickNow - Date.parse(board.as_of)) : 0;
  return ms - read - (Date.now() - tickAt) * speed;
}

function time(ms) {
  if (ms === null) return "–";
  const late = ms <= 0 ? "-" : "";
  // Rounded up, so that 0:00 is never shown before the flag.
  const all = ms > 0 ? Math.ceil(ms / 1000) : Math.floor(-ms / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(all / 3600), minutes = Math.floor(all / 60) % 60;
  const sign = all === 0 ? "" : late;
  return sign + (hours ? `${hours}:${two(minutes)}` : minutes) + `:${two(all % 60)}`;
}


// --- rounds, players and times of day, as people say them

function roundState(round) {
  if (round.closed) return "closed";
  if (round.started) return round.paused ? "paused" : "open";
  return round.boards ? "waiting" : "empty";
}
// The boards of a round, in its order; of a round that is not shown there are none.
const boardsOf = (number) => [...boards.values()].filter((board) => board.round === number);
const colour = (player) => named(words.colours[variant], player);
const matchesOf = (number) =>
  [...new Set(boardsOf(number).map((board) => board.match).filter((no) => no !== undefined && no !== null))];

// What the hall's clock on the wall says now.
const hallNow = () => tickNow ? tickNow + (Date.now() - tickAt) * speed : Date.now();
const clockTime = (instant) => new Date(instant).toLocaleTimeString("en-GB");

// A time of day, as the instant that is nearest to now.
function instant(clock) {
  const [hours, minutes, seconds = 0] = clock.split(":").map(Number);
  const now = hallNow(), day = 24 * 3600 * 1000;
  const then = new Date(now);
  then.setHours(hours, minutes, seconds, 0);
  const days = Math.round((now - then.getTime()) / day);
  return new Date(then.getTime() + days * day).toISOString();
}
