// Both clocks over the game: what each had left, from the start on, with what interrupted it.

import { hall, hallNow, remaining, stale } from "../hall.js";
import { clockTime, time } from "../time.js";
import { language, words } from "../words/index.js";
import { at, drawn } from "../elements/made.js";
import { happened } from "./happened.js";
import { steps } from "./steps.js";

const HEIGHT = 190, TOP = 22, BOTTOM = 20;
// Which events are marked, and by which sign of the page's own set.
const MARKED = { stopped: "stopped", times_changed: "owes", flag: "flag", ruling: "needs", result: "finished" };

export function showPlot(board, events) {
  const box = at("board-plot");
  const moving = board.state === "running" ? Math.floor(Date.now() / 5000) : 0;
  const about = [events.length, events.length ? events[events.length - 1].seq : 0, box.clientWidth, moving, language, hall.variant].join("|");
  if (box.about === about) return;
  box.about = about;
  const points = pointsOf(events);
  const now = ["first", "second"].map((player) => remaining(board, player));
  if (points.length && board.state === "running" && !stale() && now.every(Number.isFinite)) points.push({ at: hallNow(), first: now[0], second: now[1] });
  box.hidden = points.length < 2;
  box.replaceChildren(...(points.length < 2 ? [] : [plotOf(points, events, Math.max(280, box.clientWidth || 640))]));
}

// What both clocks showed, each time it is known, from the start of the game on. What a clock is made to show for the
// next game, once nothing more is played, is not of this one.
export function pointsOf(events) {
  const start = events.find(({ type }) => type === "game_started");
  if (!start) return [];
  const since = Date.parse(start.happened);
  const played = ["game_started", "press", "stopped", "resumed", "flag"];
  const end = Math.max(...events.filter(({ type }) => played.includes(type)).map(({ seq }) => seq));
  const points = [];
  for (const event of events) {
    const news = event[event.type];
    const put = (times) => points.push({ at: Date.parse(event.happened), first: times.first_ms, second: times.second_ms });
    if (event.type === "times_changed" && (event.seq < end || news.how !== "reset")) { put(news.before); put(news.after); }
    else if (played.includes(event.type)) put(news);
  }
  return points.filter(({ at, first, second }) => [at, first, second].every(Number.isFinite) && at >= since).sort((a, b) => a.at - b.at);
}

// A ruling and a result are told again at each change: each of their states is marked once.
function marksOf(events, since) {
  const seen = new Set();
  return events.filter((event) => {
    if (!MARKED[event.type] || Date.parse(event.happened) < since) return false;
    const { ruling, result } = event;
    if (!ruling && !result) return true;
    const state = ruling ? `${ruling.id} ${ruling.state}` : `${result.result} ${result.withdrawn}`;
    return !seen.has(state) && seen.add(state);
  });
}

export function plotOf(points, events, width) {
  const since = points[0].at, until = Math.max(points[points.length - 1].at, since + 60000);
  const most = Math.max(60000, ...points.flatMap(({ first, second }) => [first, second]));
  const least = Math.min(0, ...points.flatMap(({ first, second }) => [first, second]));
  // room for the times beside it: hours are longer, and a wide drawing is made small on paper
  const room = (most >= 3600000 ? 1.3 : 1) * (width > 1000 ? 1.3 : 1);
  const LEFT = 46 * room, RIGHT = 70 * room;
  const x = (at) => LEFT + (at - since) / (until - since) * (width - LEFT - RIGHT);
  const y = (ms) => HEIGHT - BOTTOM - (ms - least) / (most - least) * (HEIGHT - TOP - BOTTOM);
  const marks = marksOf(events, since);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "plot", role: "img", "aria-label": essentials(points, events, marks) });
  for (const ms of steps(most, 5)) {
    svg.append(drawn("line", { x1: LEFT, x2: width - RIGHT, y1: y(ms), y2: y(ms), class: "grid" }),
      drawn("text", { x: LEFT - 6, y: y(ms) + 4, "text-anchor": "end" }, time(ms)));
  }
  for (const ms of steps(until - since, Math.max(2, Math.floor(width / 90)))) {
    svg.append(drawn("text", { x: x(since + ms), y: HEIGHT - 4, "text-anchor": "middle" }, time(ms)));
  }
  let beside = 0;
  for (const event of marks) {
    const place = x(Math.min(until, Date.parse(event.happened)));
    // two signs never lie on each other; their lines may
    beside = Math.max(place, beside + 15);
    svg.append(markOf(event, events, place, beside));
  }
  const last = points[points.length - 1];
  // the two names stand apart even where the lines meet
  const apart = Math.abs(y(last.first) - y(last.second)) < 15 ? 8 : 0;
  const higher = last.first >= last.second ? "first" : "second";
  for (const player of ["first", "second"]) {
    svg.append(drawn("polyline", { points: points.map((point) => `${x(point.at).toFixed(1)},${y(point[player]).toFixed(1)}`).join(" "), class: `curve ${player}` }),
      drawn("text", { x: width - RIGHT + 5, y: y(last[player]) + 4 + (player === higher ? -apart : apart), class: `end ${player}` }, `${words.chips[hall.variant][player]} ${time(last[player])}`));
  }
  return svg;
}

function markOf(event, events, x, sign) {
  const { what, text } = happened(event, events);
  return drawn("g", { class: `mark-at ${event.type}` },
    drawn("title", {}, `${clockTime(event.happened)} ${what} ${text}`),
    drawn("line", { x1: x, x2: x, y1: TOP - 4, y2: HEIGHT - BOTTOM }),
    drawn("rect", { x: sign - 8, y: 0, width: 16, height: TOP - 2, class: "touch" }),
    drawn("use", { href: `#i-${MARKED[event.type]}`, x: sign - 6.5, y: 3, width: 13, height: 13 }));
}

// For those who do not see it: from when to when, what is left, and what interrupted.
function essentials(points, events, marks) {
  const last = points[points.length - 1];
  const counts = Object.keys(MARKED).map((type) => [type, marks.filter((event) => event.type === type).length]).filter(([, count]) => count)
    .map(([type, count]) => `${words.events[type]} ${count}`);
  return words.history.plot(events.filter(({ type }) => type === "press").length, clockTime(points[0].at), clockTime(last.at),
    words.colours[hall.variant], time(last.first), time(last.second), counts.join(words.history.comma));
}
