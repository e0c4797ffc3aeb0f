// A round: its list of boards, tried first and loaded then; its course from start to export.
"use strict";

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
at("load-form").onsubmit = (submitted) => {
  submitted.preventDefault();
  if (!list) return tell("load-said", () => [words.load.nothing], true);
  const of = list;
  ask("round.load", { ...asked(), dry_run: true }, (answer) => {
    if (list !== of) return;
    tried = answer;
    tellLoaded((words) => words.load.fits(answer.round, answer.boards.length), answer);
    showTried();
  }, refuses("load-said"));
};
// What was tried is loaded, into the round it was tried for.
at("load-send").onclick = () => ask("round.load", { ...asked(), round: tried.round }, (answer) => {
  at("load-form").reset();
  listIs(null);
  tellLoaded((words) => words.load.loaded(answer.round, answer.boards.length), answer);
}, refuses("load-said"));

function tellLoaded(first, { doubts }) {
  tell("load-said", () => [
    [first(words), doubts.length ? words.load.doubts(doubts.length) : ""].join(" "), ...doubts.map((doubt) => said(doubt.text)),
  ]);
}

function showTried() {
  const rows = tried ? tried.boards : [];
  at("load-send").hidden = !tried;
  at("load-send").textContent = tried ? words.load.load(rows.length) : words.load.loadPlain;
  at("load-boards").hidden = !tried;
  keep(at("load-rows"), rows.map((row) => ({ key: row.board, about: row, make: () => {
    const line = made("tr");
    const player = ({ name, team }) => team ? `${name} (${team})` : name;
    for (const text of [row.match, row.board, row.table, player(row.first), player(row.second)]) line.append(made("td", text ?? "–"));
    return line;
  } })));
}

function showLoad() {
  const select = at("load-round");
  const options = [["", words.load.next], ...rounds.filter((round) => !round.closed)
    .map((round) => [String(round.number), `${words.ofRound(round.number)} · ${words.roundStates[roundState(round)]}`])];
  keepOptions(select, options);
  showTried();
}

// --- its course

function showCourse() {
  const round = rounds.find((round) => round.number === chosen("round"));
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

const course = (method, params, make) =>
  ask(method, { round: chosen("round"), ...params }, answers("course-said", make), refuses("course-said"));

// The time of day in the form, or nothing if it is not filled in.
function filled() {
  const clock = at("course-at").value;
  if (!clock) tell("course-said", () => [words.course.needTime], true);
  return clock;
}
function startRound(clock) {
  dialog(words.course.askStart(chosen("round"), clock), [], () =>
    course("round.start", clock ? { at: instant(clock) } : {}, (answer) => words.course.started(answer)),
  clock ? words.course.startAt : words.course.startNow);
}
function pauseRound(clock) {
  const fields = [{ name: "reason", label: words.reason }];
  dialog(words.course.askPause(chosen("round"), clock), fields, ({ reason }) =>
    course("round.pause", { ...(clock ? { at: instant(clock) } : {}), ...(reason ? { reason } : {}) },
      (answer) => words.course.paused(answer)), clock ? words.course.pauseAt : words.course.pauseNow);
}
at("course-start").onclick = () => startRound("");
at("course-start-at").onclick = () => { const clock = filled(); if (clock) startRound(clock); };
at("course-pause").onclick = () => pauseRound("");
at("course-pause-at").onclick = () => { const clock = filled(); if (clock) pauseRound(clock); };
at("course-resume").onclick = () => dialog(`${words.ofRound(chosen("round"))}: ${words.course.seated}`, [], () =>
  course("round.resume", { seated: true }, (answer) => words.course.resumed(answer)), words.course.isSeated);
at("course-close").onclick = () => dialog(words.course.askClose(chosen("round")), [], () =>
  course("round.close", {}, (answer) => words.course.closed(answer)), words.course.close);

at("course-export").onclick = () => ask("round.export", { round: chosen("round") }, (answer) => {
  download(`round-${answer.round}.csv`, answer.csv);
  const result = (counted) => counted ? counted.result + (counted.forfeit ? " F" : "") : words.course.none;
  tell("course-said", () => [
    words.course.exported(answer),
    ...answer.missing.map(({ board, missing }) => `${words.board} ${board}: ${missing}`),
    ...(answer.changed.length ? [words.course.changed] : []),
    ...answer.changed.map(({ board, old, new: now }) => `${words.board} ${board}: ${result(old)} → ${result(now)}`),
  ]);
}, refuses("course-said"));

// As it came: the file has its own mark and line ends.
function download(name, text) {
  const link = made("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
