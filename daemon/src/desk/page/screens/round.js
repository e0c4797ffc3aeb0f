// A round: its list of boards, tried first and loaded then; its course from start to export.

import { ask } from "../line.js";
import { boardsOf, hall, hallNow, roundOf, roundState } from "../hall.js";
import { chosen } from "../round.js";
import { clockTime, instant } from "../time.js";
import { said, words } from "../words/index.js";
import { at, made } from "../elements/made.js";
import { keep, keepOptions } from "../elements/keep.js";
import { dialog } from "../elements/dialog.js";
import { askIn, refusal, tell } from "../elements/told.js";

export function showRound() {
  for (const [id, player] of [["load-first", "first"], ["load-second", "second"]]) at(id).textContent = words.colours[hall.variant][player];
  showCourse();
  showLoad();
}

// --- the list

// A message has at most 64 KiB; base64 makes four bytes of three.
const MOST_BYTES = 46 * 1024;
let list = null, tried = null;

// A file goes as its bytes: the daemon knows its encoding better than the browser.
function base64(bytes) {
  let text = "";
  for (let from = 0; from < bytes.length; from += 4096) text += String.fromCharCode(...bytes.subarray(from, from + 4096));
  return btoa(text);
}

// Two numbers a line are written with a comma, whatever stood between them.
function pasted(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  const pairs = lines.map((line) => /^(\S+?)(?:\s+|\s*[，、:：]\s*)(\S+)$/.exec(line));
  const plain = lines.length && !/[,;\t]/.test(text) && pairs.every(Boolean);
  return plain ? pairs.map(([, first, second]) => `${first},${second}`).join("\n") + "\n" : text;
}

function listIs(made) {
  list = made;
  tried = null;
  tell("load-said", () => [""]);
  showTried();
}
at("load-file").onchange = async () => {
  const file = at("load-file").files[0];
  if (!file) return listIs(null);
  at("load-text").value = "";
  if (file.size > MOST_BYTES) {
    listIs(null);
    return tell("load-said", () => [words.load.large(Math.ceil(file.size / 1024))], true);
  }
  listIs({ csv_base64: base64(new Uint8Array(await file.arrayBuffer())) });
};
at("load-text").oninput = () => {
  at("load-file").value = "";
  const text = at("load-text").value;
  const bytes = new TextEncoder().encode(JSON.stringify(text)).length;
  listIs(text.trim() && bytes <= MOST_BYTES ? { csv: pasted(text) } : null);
  if (bytes > MOST_BYTES) tell("load-said", () => [words.load.large(Math.ceil(bytes / 1024))], true);
};
at("load-round").onchange = at("load-replace").onchange = () => listIs(list);

function asked() {
  const round = at("load-round").value;
  return { ...(round ? { round: Number(round) } : {}), ...(at("load-replace").checked ? { replace: true } : {}), ...list };
}
at("load-form").onsubmit = async (submitted) => {
  submitted.preventDefault();
  if (!list) return tell("load-said", () => [words.load.nothing], true);
  const of = list;
  try {
    const answer = await ask("round.load", { ...asked(), dry_run: true });
    if (list !== of) return;
    tried = answer;
    tellLoaded(() => words.load.fits(answer.round, answer.boards.length), answer);
    showTried();
  } catch (error) {
    tell("load-said", () => refusal(error), true);
  }
};
// What was tried is loaded, into the round it was tried for.
at("load-send").onclick = async () => {
  try {
    const answer = await ask("round.load", { ...asked(), round: tried.round });
    at("load-form").reset();
    listIs(null);
    tellLoaded(() => words.load.loaded(answer.round, answer.boards.length), answer);
  } catch (error) {
    tell("load-said", () => refusal(error), true);
  }
};

function tellLoaded(first, { doubts }) {
  tell("load-said", () => [
    [first(), doubts.length ? words.load.doubts(doubts.length) : ""].join(" "), ...doubts.map((doubt) => said(doubt.text)),
  ]);
}

// What was tried, or else the boards that the round has.
function showTried() {
  const rows = tried ? tried.boards : boardsOf(chosen("round"));
  at("load-send").hidden = !tried;
  at("load-send").textContent = tried ? words.load.load(tried.boards.length) : words.load.loadPlain;
  at("load-boards").hidden = !rows.length;
  at("load-boards-of").textContent = !rows.length ? "" : tried ? words.load.fits(tried.round, rows.length) : words.load.has(chosen("round"), rows.length);
  keep(at("load-rows"), rows.map((row) => ({ key: row.board, about: [row.match, row.board, row.table, row.first.name, row.first.team, row.second.name, row.second.team], make: () => {
    const line = made("tr");
    const player = ({ name, team }) => team ? `${name} (${team})` : name;
    for (const text of [row.match, row.board, row.table, player(row.first), player(row.second)]) line.append(made("td", text ?? "–"));
    return line;
  } })));
}

function showLoad() {
  const select = at("load-round");
  const options = [["", words.load.next], ...hall.rounds.filter((round) => !round.closed)
    .map((round) => [String(round.number), `${words.ofRound(round.number)} · ${words.roundStates[roundState(round)]}`])];
  keepOptions(select, options);
  showTried();
}

// --- its course

function showCourse() {
  const round = roundOf(chosen("round"));
  const state = round ? roundState(round) : "empty";
  const begun = state === "open" || state === "paused";
  at("course-state").textContent = round
    ? [words.ofRound(round.number), words.roundStates[state], round.started ? words.course.since(clockTime(round.started)) : ""].filter(Boolean).join(" · ") : "";
  at("course-now").textContent = `${words.now} ${clockTime(hallNow())}`;
  const shown = {
    "course-start": state === "waiting", "course-start-at": state === "waiting" || begun, "course-pause": state === "open",
    "course-pause-at": state === "open", "course-resume": state === "paused", "course-close": begun, "course-export": Boolean(round && round.boards),
  };
  for (const [id, is] of Object.entries(shown)) at(id).disabled = at(id).disabled || !is;
}

const round = () => chosen("round");
const tellCourse = (make) => (answer) => tell("course-said", () => [make(answer)].flat());

// The time of day in the form, or nothing if it is not filled in.
function filled() {
  const clock = at("course-at").value;
  if (!clock) tell("course-said", () => [words.course.needTime], true);
  return clock;
}
function startRound(clock) {
  const of = round();
  dialog({
    title: words.course.askStart(of, clock), method: "round.start", yes: clock ? words.course.startAt : words.course.startNow,
    fields: [{ name: "except", label: words.course.except, hint: words.course.exceptHint }],
    params: ({ except }) => {
      const tables = except.split(/[\s,，、]+/).filter(Boolean).map(Number);
      if (tables.some((table) => !Number.isInteger(table))) return words.needNumber;
      return { round: of, ...(clock ? { at: instant(clock, hallNow()) } : {}), ...(tables.length ? { except: tables } : {}) };
    },
    then: tellCourse((answer) => words.course.started(answer)),
  });
}
function pauseRound(clock) {
  const of = round();
  dialog({
    title: words.course.askPause(of, clock), method: "round.pause", yes: clock ? words.course.pauseAt : words.course.pauseNow, danger: true,
    fields: [{ name: "reason", label: words.reason }],
    params: ({ reason }) => ({ round: of, ...(clock ? { at: instant(clock, hallNow()) } : {}), ...(reason ? { reason } : {}) }),
    then: tellCourse((answer) => words.course.paused(answer)),
  });
}
at("course-start").onclick = () => startRound("");
at("course-start-at").onclick = () => { const clock = filled(); if (clock) startRound(clock); };
at("course-pause").onclick = () => pauseRound("");
at("course-pause-at").onclick = () => { const clock = filled(); if (clock) pauseRound(clock); };
at("course-resume").onclick = () => {
  const of = round();
  dialog({ title: `${words.ofRound(of)}: ${words.course.seated}`, method: "round.resume", yes: words.course.isSeated,
    params: () => ({ round: of, seated: true }), then: tellCourse((answer) => words.course.resumed(answer)) });
};
at("course-close").onclick = () => {
  const of = round();
  dialog({ title: words.course.askClose(of), method: "round.close", yes: words.course.close, danger: true,
    params: () => ({ round: of }), then: tellCourse((answer) => words.course.closed(answer)) });
};

at("course-export").onclick = async () => {
  const result = (counted) => counted ? counted.result + (counted.forfeit ? ` ${words.forfeit}` : "") : words.course.none;
  const answer = await askIn("course-said", "round.export", { round: round() }, (answer) => [
    words.course.exported(answer),
    ...answer.missing.map(({ board, missing }) => `${words.board} ${board}: ${missing}`),
    ...(answer.changed.length ? [words.course.changed] : []),
    ...answer.changed.map(({ board, old, new: now }) => `${words.board} ${board}: ${result(old)} → ${result(now)}`),
  ]);
  if (answer) download(`round-${answer.round}.csv`, answer.csv);
};

// As it came: the file has its own mark and line ends.
function download(name, text) {
  const link = made("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
