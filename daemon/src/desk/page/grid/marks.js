// What a card says beside times and names: marks, never lines of their own.

import { hall, hallNow, remaining, stale } from "../hall.js";
import { time } from "../time.js";
import { named, words } from "../words/index.js";

// A board an arbiter has stopped looks otherwise than one that stopped by itself.
export function stateOf(board) {
  if (board.held && (board.state === "stopped" || board.state === "running")) return "held";
  return board.state;
}

// What a clock shows, as text: reckoned (`~`) where its side runs and it is not heard.
export const shownTime = (board, player) => (board.online || board.running !== player ? "" : "~") + time(remaining(board, player));

// A result and how certain it is.
export const resultOf = (result) => [result.result, result.forfeit ? words.forfeit : "", named(words.statuses, result.status)].filter(Boolean).join(" ");

const LOW_BATTERY = 20;
export function marks(board) {
  const list = [];
  const add = (sign, text, name) => list.push({ sign, text, name });
  if (board.clock && !board.online && board.state !== "finished") add("offline", words.offline, "bad");
  if (board.owes) add("owes", `${words.owes} ${time(board.owes.first_ms)} / ${time(board.owes.second_ms)}`, "bad");
  if (board.battery_pct !== undefined && board.battery_pct !== null && board.battery_pct < LOW_BATTERY) add("battery", `${board.battery_pct}%`, "bad");
  for (const player of ["first", "second"]) {
    const about = board[player], chip = words.chips[hall.variant][player];
    if (about.fouls > 0) add("", words.foulsOf(chip, about.fouls), "foul");
    if (about.exempt) add("exempt", chip);
    if (about.low_time && board.state !== "finished") add("low", chip);
    if (about.ignored > 0) add("ignored", `${chip} ${about.ignored}`);
    if (about.presence === "absent" && !board.result) add("", words.absentOf(chip), "bad");
  }
  return list;
}

// How long until the default time, or that it is past. Nothing where nobody is awaited.
export function countdown(board) {
  if (!board.default_at || board.result || stale()) return "";
  const missing = ["first", "second"].filter((player) => board[player].presence !== "present");
  if (!missing.length) return "";
  const left = Date.parse(board.default_at) - hallNow();
  // a game that has just begun is waited for by nobody: the first moves come soon
  const soon = left < (hall.values.default_ms || 0) / 2;
  if (board.state !== "waiting" && !soon && !missing.some((player) => board[player].presence === "absent")) return "";
  const who = missing.map((player) => words.chips[hall.variant][player]).join("");
  return left > 0 ? words.lateLeft(who, time(left)) : words.latePast(who);
}
