// A match sheet in one line: what it was taken to say is shown before it is sent. The daemon reads the line
// itself; here it is read for the eyes only.

import { may } from "../line.js";
import { boardsOf, hall, later, matchesOf } from "../hall.js";
import { chosen } from "../round.js";
import { words } from "../words/index.js";
import { at, made } from "../elements/made.js";
import { keep } from "../elements/keep.js";
import { askIn } from "../elements/told.js";

// A mark's points in halves for the team listed first, and whether it is by forfeit; null leaves a board open.
const MARKS = [
  [/^(1\/2|0\.5|½|=|和)/, { points: 1 }], [/^(1|胜)/, { points: 2 }], [/^(0|负)/, { points: 0 }],
  [/^\+/, { points: 2, forfeit: true }], [/^[-−–]/, { points: 0, forfeit: true }], [/^[.*]/, { points: null }],
];
const BETWEEN = /^[ ,;|\t、]/;

// Gives the match and its marks, or what is wrong with the line; nothing for an empty one.
export function readSheet(line) {
  // an input method for Chinese writes wide digits and signs
  const plain = line.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)).replace(/\u3000/g, " ").trim();
  if (!plain) return null;
  const parts = /^(\d+)[\s:,;、]+(.+)$/.exec(plain);
  if (!parts) return { wrong: words.sheet.format };
  const results = [];
  for (let rest = parts[2]; rest;) {
    const between = BETWEEN.exec(rest);
    const found = MARKS.map(([pattern, mark]) => [pattern.exec(rest), mark]).find(([match]) => match);
    if (!between && !found) return { wrong: words.sheet.mark(Array.from(rest)[0]) };
    if (found) results.push(found[1]);
    rest = rest.slice(between ? 1 : found[0][0].length);
  }
  return { match: Number(parts[1]), text: parts[2], results };
}

// Who of a board plays for the team listed first: the one who has the first move on the match's first board (二.4).
function listedFirst(board, place, team) {
  const of = [board.first.team === team, board.second.team === team];
  if (of[0] !== of[1]) return of[0] ? "first" : "second";
  return place % 2 === 0 ? "first" : "second";
}

function understood() {
  const read = readSheet(at("sheet-line").value);
  if (!read || read.wrong) return read;
  const round = chosen("sheet");
  const order = boardsOf(round).filter((board) => board.match === read.match);
  if (!order.length) {
    const known = matchesOf(round);
    return { wrong: words.sheet.noMatch(read.match, known.length ? `${known[0]}–${known[known.length - 1]}` : words.nothing) };
  }
  const teams = [order[0].first.team, order[0].second.team];
  const rows = order.map((board, place) => {
    const player = listedFirst(board, place, teams[0]);
    return { board, player, other: player === "first" ? "second" : "first", mark: read.results[place] };
  });
  const have = read.results.length;
  const wrong = have < order.length ? words.sheet.count(have, order.length) : have > order.length ? words.sheet.many(have, order.length) : "";
  return { ...read, teams, rows, wrong };
}

// The event of the sheet entered last, and of which round.
let lastSheet = { round: null, seq: 0 };
const points = (halves) => ["0", "½", "1"][halves] ?? String(halves / 2);

export function showSheet() {
  const read = understood();
  at("sheet-wrong").textContent = read ? read.wrong || "" : "";
  at("sheet-send").disabled ||= !read || Boolean(read.wrong);
  at("sheet-back").hidden ||= !lastSheet.seq || lastSheet.round !== chosen("sheet");
  const rows = (read && read.rows) || [];
  at("sheet-read").hidden = !rows.length;
  if (!rows.length) return;
  const counted = rows.map(({ mark }) => mark).filter((mark) => mark && mark.points !== null);
  const sum = counted.reduce((sum, mark) => sum + mark.points, 0);
  at("sheet-score").textContent =
    `${words.sheet.of(read.match)}: ${read.teams[0] || words.sheet.firstTeam} ${sum / 2} : ${counted.length - sum / 2} ${read.teams[1] || words.sheet.secondTeam}`;
  keep(at("sheet-rows"), rows.map((row) => {
    const { board, player, other, mark } = row;
    const about = { mark, player, names: [board[player], board[other]].map(({ name, team }) => [name, team]), result: board.result, variant: hall.variant };
    return { key: board.board, about, make: () => sheetRow(row) };
  }));
}

function sheetRow({ board, player, other, mark }) {
  const line = made("tr");
  line.dataset.board = board.board;
  const name = (player) => `${board[player].name || "–"} (${words.colours[hall.variant][player]})`;
  const open = !mark || mark.points === null;
  const result = !mark ? "?" : open ? words.sheet.open : `${points(mark.points)} : ${points(2 - mark.points)}`;
  // the result as it is entered has the first player's score first
  const first = open ? null : player === "first" ? mark.points : 2 - mark.points;
  const entered = open ? null : ["0-1", "1/2-1/2", "1-0"][first];
  const was = board.result && entered && board.result.result !== entered ? words.sheet.was(board.result.result) : "";
  const notes = [mark && mark.forfeit ? words.sheet.forfeit : "", entered || "", was].filter(Boolean).join(" · ");
  for (const text of [board.board, name(player), result, name(other), notes]) line.append(made("td", text));
  if (was) line.lastElementChild.className = "bad";
  return line;
}

at("sheet-line").oninput = () => later();
at("sheet-form").onsubmit = async (submitted) => {
  submitted.preventDefault();
  const read = understood();
  if (!read || read.wrong || !may("results")) return;
  const status = at("sheet-signed").checked ? "signed" : "entered";
  const box = at("sheet-line"), text = box.value;
  const round = chosen("sheet");
  const answer = await askIn("sheet-said", "match.results", { round, match: read.match, results: read.text, status },
    (answer) => [words.sheet.sent(answer), answer.after_pairing ? words.sheet.pairing : ""]);
  if (!answer) return;
  if (box.value === text) box.value = "";
  lastSheet = { round, seq: answer.seq };
  box.focus();
  later();
};

// An arbiter takes back the sheet that was entered here last.
at("sheet-back").onclick = async () => {
  if (await askIn("sheet-said", "undo", { seq: lastSheet.seq }, (answer) => [words.sheet.taken, answer.after_pairing ? words.sheet.pairing : ""])) lastSheet = { round: null, seq: 0 };
  later();
};
