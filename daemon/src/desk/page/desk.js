// The desk's page. Shows what the daemon says and asks what an arbiter taps; decides nothing.
// Everything that came from outside is shown through textContent.
"use strict";

const WORDS = {
  zh: {
    language: "English", leave: "退出", token: "口令", enter: "进入", boards: "台次", past: "近期判罚",
    up: "已连接", down: "连接中断，正在重连", late: "数据已过时", age: "前", wrong: "口令不对", seconds: "秒",
    journal: "记录无法写入：事件暂存，仍可停钟。", nothing: "无", table: "桌", board: "台", round: "轮",
    lanes: { decide: "待裁决", look: "请去看", result_wanted: "待结果", technical: "设备" },
    states: { waiting: "未开始", running: "进行中", stopped: "停钟", flag: "超时", over: "棋手示意结束", finished: "已有结果" },
    rulings: { proposed: "待定", confirmed: "确认", overruled: "否决", withdrawn: "撤回" },
    confirm: "确认", overrule: "否决", reason: "理由", cancel: "取消", send: "发送", explain: "说明停钟", result: "录结果",
    take: "我去看", begin: "宣布本轮开始", stop: "停钟", resume: "继续", cause: "原因", offender: "违例方", way: "处理", first: "先手", second: "后手",
    both: "双方", signed: "已签字", entered: "未签字", status: "状态", offline: "失联", held: "裁判停钟", owes: "时间待改",
    fallen: "旗落", refused: "未成", by: "由", automatic: "自动",
    causes: { game_over: "对局结束", arbiter: "裁判所停", player_called: "棋手叫裁判", fault: "钟故障", accident: "误碰",
      hall: "全场停钟", without_cause: "无故停钟" },
    ends: { mate: "将死", resign: "认输", time: "超时", default: "迟到", agreed: "议和", repetition: "循环",
      natural_limit: "自然限着", article: "按条款", unstated: "未说明" },
  },
  en: {
    language: "中文", leave: "Leave", token: "Token", enter: "Enter", boards: "Boards", past: "Recent rulings",
    up: "connected", down: "connection lost, trying again", late: "stale", age: "ago", wrong: "No user has this token",
    seconds: "s", journal: "The journal cannot be written: events wait, a stop still goes out.", nothing: "none",
    table: "table", board: "Board", round: "round",
    lanes: { decide: "To decide", look: "To look at", result_wanted: "Result wanted", technical: "Technical" },
    states: { waiting: "not begun", running: "playing", stopped: "stopped", flag: "flag", over: "ended by the players",
      finished: "finished" },
    rulings: { proposed: "proposed", confirmed: "confirmed", overruled: "overruled", withdrawn: "withdrawn" },
    confirm: "Confirm", overrule: "Overrule", reason: "Reason", cancel: "Cancel", send: "Send", explain: "Explain the stop",
    result: "Result", take: "I am going", begin: "Start the round now", stop: "Stop", resume: "Resume", cause: "Cause", offender: "Offender", way: "Ruling",
    first: "first", second: "second", both: "both", signed: "signed", entered: "not signed yet", status: "Status",
    offline: "not heard", held: "held by an arbiter", owes: "times owed", fallen: "flag", refused: "Refused", by: "by",
    automatic: "by itself",
    causes: { game_over: "The game is over", arbiter: "An arbiter stopped it", player_called: "A player called an arbiter",
      fault: "Clock fault", accident: "Accident", hall: "Whole hall stopped", without_cause: "Without cause" },
    ends: { mate: "Mate", resign: "Resigned", time: "Time", default: "Default", agreed: "Agreed", repetition: "Repetition",
      natural_limit: "Natural limit", article: "Under an article", unstated: "Not said" },
  },
};
const SYMBOLS = { waiting: "○", running: "▶", stopped: "⏸", flag: "⚑", over: "■", finished: "✓" };
const RESULTS = ["1-0", "0-1", "1/2-1/2", "0-0"];
const RULES = ["chief", "arbiter"], RESULT_ROLES = ["chief", "arbiter", "results"];

const at = (id) => document.getElementById(id);
let language = localStorage.getItem("language") || (navigator.language.startsWith("zh") ? "zh" : "en");
let words = WORDS[language];
let token = "", socket = null, ready = false, pause = 1000, lastHeard = 0, tickAt = 0, tickNow = 0, fault = "";
let journal = null, head = 0, role = "viewer", speed = 1, next = 1;
const open = new Map(), boards = new Map(), incidents = new Map(), rulings = new Map();

function made(tag, text, name) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (name) element.className = name;
  return element;
}
const key = (round, board) => `${round ?? ""}/${board ?? ""}`;
const said = (text) => (text && (text[language] || text.en || text.zh)) || "";
const named = (table, name) => (table && table[name]) || name || "";
const may = (roles) => ready && roles.includes(role);

// --- connection

function connect() {
  if (!token || socket) return;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const line = socket = new WebSocket(`${scheme}//${location.host}/desk/1`);
  line.onopen = () => {
    const params = { token, client: "desk page", ticks: true };
    if (journal !== null) Object.assign(params, { journal, after: head });
    call("hello", params, welcome, refusedHello);
  };
  line.onmessage = (message) => { lastHeard = Date.now(); heard(JSON.parse(message.data)); };
  line.onclose = () => {
    if (socket !== line) return;
    socket = null;
    ready = false;
    for (const { refused } of open.values()) refused({ message: words.down });
    open.clear();
    render();
    setTimeout(connect, pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, 10000);
  };
}

function call(method, params, answered = () => {}, refused = complain) {
  if (!socket || socket.readyState !== WebSocket.OPEN) return refused({ message: words.down });
  const id = next++;
  open.set(id, { answered, refused });
  socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
}

// A tap has one effect, however often it is sent.
function ask(method, params) {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const request_id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  call(method, { ...params, request_id });
}

function complain(error) { alarm(`${words.refused}: ${error.message}`); }

let alarmTimer = 0;
function alarm(text) {
  at("alarm").textContent = text;
  at("alarm").hidden = false;
  clearTimeout(alarmTimer);
  alarmTimer = setTimeout(() => { at("alarm").hidden = true; showFault(); }, 8000);
}
function showFault() {
  if (!fault) return;
  clearTimeout(alarmTimer);
  at("alarm").textContent = `${words.journal}\n${fault}`;
  at("alarm").hidden = false;
}

function welcome(answer) {
  pause = 1000;
  ready = true;
  ({ role, speed } = answer);
  if (answer.snapshot) take(answer.snapshot);
  journal = answer.journal;
  if (answer.snapshot || answer.reset) head = answer.head;
  sessionStorage.setItem("token", token);
  at("who").textContent = role;
  render();
}

function refusedHello(error) {
  if (error.code === -32000) {
    leave();
    alarm(words.wrong);
  } else {
    complain(error);
  }
}

function leave() {
  token = "";
  sessionStorage.removeItem("token");
  journal = null;
  [boards, incidents, rulings].forEach((map) => map.clear());
  const line = socket;
  socket = null;
  ready = false;
  if (line) line.close();
  render();
}

function heard(message) {
  if (message.method === "event") event(message.params);
  else if (message.method === "tick") tick(message.params);
  else if (open.has(message.id)) {
    const { answered, refused } = open.get(message.id);
    open.delete(message.id);
    if (message.error) refused(message.error); else answered(message.result);
  }
}

// --- the hall

function take(snapshot) {
  [boards, incidents, rulings].forEach((map) => map.clear());
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
  if (event.type === "round_started") refresh();
  for (const [id, incident] of incidents) if (incident.state === "closed") incidents.delete(id);
  if (!acked) acked = setTimeout(() => {
    acked = 0;
    if (ready) socket.send(JSON.stringify({ jsonrpc: "2.0", method: "ack", params: { seq: head } }));
  }, 1000);
  later();
}

// Boards come with the ticks; which boards there are, with a new hello.
function refresh() { journal = null; if (socket) socket.close(); pause = 200; }

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

// --- what is seen

// Elements stay as long as what they show: a tap or a focus on one is not lost because something else changed.
function keep(container, wanted) {
  const there = new Map(Array.from(container.children, (element) => [element.dataset.key, element]));
  const elements = wanted.map(({ key, about, make }) => {
    const shown = `${language} ${role} ${ready} ${JSON.stringify(about)}`;
    const old = there.get(String(key));
    if (old && old.shown === shown) return old;
    const element = make();
    element.dataset.key = key;
    element.shown = shown;
    return element;
  });
  const same = elements.length === container.children.length &&
    elements.every((element, place) => element === container.children[place]);
  if (!same) container.replaceChildren(...elements);
}

let waiting = false;
function later() {
  if (waiting) return;
  waiting = true;
  setTimeout(() => { waiting = false; render(); }, 100);
}

function render() {
  words = WORDS[language];
  document.documentElement.lang = language;
  at("language").textContent = words.language;
  at("leave").textContent = words.leave;
  at("leave").hidden = !token;
  at("token-label").textContent = words.token;
  at("enter-button").textContent = words.enter;
  at("enter").hidden = Boolean(token);
  at("hall").hidden = !token;
  at("boards-title").textContent = words.boards;
  at("past-title").textContent = words.past;
  showLink();
  showLanes();
  showBoards();
  showPast();
}

function showLink() {
  const link = at("link");
  const age = lastHeard ? Math.floor((Date.now() - lastHeard) / 1000) : 0;
  const state = !token ? "" : !ready ? "down" : age >= 3 ? "late" : "up";
  link.className = state;
  link.hidden = !state;
  const old = lastHeard && state !== "up" ? ` (${age} ${words.seconds} ${words.age})` : "";
  link.textContent = (words[state] || "") + old;
}

function place(item) {
  const list = item.boards && item.boards.length ? item.boards.join(", ") : item.board;
  if (!list) return item.round ? `${words.round} ${item.round}` : "";
  return `${words.board} ${list}`;
}

function act(text, does, main) {
  const button = made("button", text, main ? "main" : "");
  button.type = "button";
  button.onclick = does;
  return button;
}

function card(lane, where, text, about, acts) {
  const box = made("article", undefined, `card ${lane}`);
  box.append(made("div", where, "place"), made("div", text));
  if (about) box.append(made("div", about, "about"));
  if (acts.length) {
    const row = made("div", undefined, "acts");
    row.append(...acts);
    box.append(row);
  }
  return box;
}

function showLanes() {
  const lanes = { decide: [], look: [], result_wanted: [], technical: [] };
  for (const ruling of rulings.values()) {
    if (ruling.state !== "proposed") continue;
    const acts = may(RULES) ? [
      act(words.confirm, () => confirmRuling(ruling), true),
      act(words.overrule, () => overrule(ruling)),
    ] : [];
    const about = [ruling.article, effect(ruling.effect), ...((ruling.grounds && ruling.grounds.remarks) || [])];
    const make = () => card("decide", place(ruling), said(ruling.text), about.filter(Boolean).join(" · "), acts);
    lanes.decide.push({ key: `r${ruling.id}`, about: ruling, make });
  }
  for (const incident of incidents.values()) {
    if (incident.state !== "open") continue;
    const acts = [];
    if (may(RULES)) {
      if (incident.kind.startsWith("unexplained_")) acts.push(act(words.explain, () => explain(incident), true));
      if (incident.kind === "round_start_missing") {
        acts.push(act(words.begin, () => ask("round.start", { round: incident.round }), true));
      }
      if (!incident.taken_by) acts.push(act(words.take, () => ask("incident.take", { id: incident.id })));
    }
    if (may(RESULT_ROLES) && incident.board) acts.push(act(words.result, () => enterResult(incident)));
    const lane = lanes[incident.lane] ? incident.lane : "look";
    const make = () => card(lane, place(incident), said(incident.text), incident.taken_by || "", acts);
    lanes[lane].push({ key: `i${incident.id}`, about: incident, make });
  }
  for (const [lane, cards] of Object.entries(lanes)) {
    const column = at(`lane-${lane}`);
    column.firstElementChild.textContent = `${words.lanes[lane]} (${cards.length})`;
    const none = { key: "none", about: "", make: () => made("p", words.nothing, "empty") };
    keep(column.lastElementChild, cards.length ? cards : [none]);
  }
}

function effect(effect) {
  if (!effect) return "";
  const parts = [];
  if (effect.result) parts.push(effect.result + (effect.forfeit ? " F" : ""));
  if (effect.foul) parts.push(`+${effect.foul} ✗`);
  if (effect.deduct_ms) parts.push(`-${time(effect.deduct_ms)}`);
  return parts.join(", ");
}

function showBoards() {
  const order = [...boards.values()].sort((a, b) =>
    a.round - b.round || (a.table ?? 0) - (b.table ?? 0) || a.board.localeCompare(b.board, undefined, { numeric: true }));
  // The times count by themselves.
  const still = (board) => ({
    ...board, as_of: null, first: { ...board.first, ms: null }, second: { ...board.second, ms: null },
  });
  keep(at("boards"), order.map((board) =>
    ({ key: key(board.round, board.board), about: still(board), make: () => showBoard(board) })));
}

function showBoard(board) {
  const off = board.online || board.state === "waiting" || board.state === "finished" ? "" : " offline";
  const box = made("article", undefined, `board ${board.state}${off}${board.owes ? " owes" : ""}`);
  const top = made("div", undefined, "top");
  const table = board.table ? ` · ${words.table} ${board.table}` : "";
  top.append(made("span", `${words.board} ${board.board}${table}`));
  top.append(made("span", `${SYMBOLS[board.state] || ""} ${named(words.states, board.state)}`));
  box.append(top);
  for (const player of ["first", "second"]) {
    const about = board[player];
    const row = made("div", undefined, `player${board.running === player ? " runs" : ""}`);
    const flag = board.flag === player ? ` ⚑ ${words.fallen}` : "";
    const fouls = about.fouls > 0 ? ` ✗${about.fouls}` : "";
    row.append(made("span", `${player === "first" ? "①" : "②"} ${about.name || words[player]}${fouls}${flag}`, "name"));
    const clock = made("span", time(remaining(board, player)), "time");
    clock.dataset.board = key(board.round, board.board);
    clock.dataset.player = player;
    row.append(clock);
    box.append(row);
  }
  const notes = [];
  if (off) notes.push(words.offline);
  if (board.held) notes.push(words.held);
  if (board.owes) notes.push(`${words.owes}: ${time(board.owes.first_ms)} / ${time(board.owes.second_ms)}`);
  if (board.result) notes.push(`${board.result.result} (${board.result.status})`);
  box.append(made("div", notes.join(" · "), "notes"));
  const acts = made("div");
  if (may(RULES) && board.state === "running") {
    acts.append(act(words.stop, () => ask("board.stop", { round: board.round, board: board.board })));
  }
  if (may(RULES) && board.held && board.state !== "finished") {
    acts.append(act(words.resume, () => ask("board.resume", { round: board.round, board: board.board })));
  }
  if (may(RESULT_ROLES)) acts.append(act(words.result, () => enterResult(board)));
  box.append(acts);
  return box;
}

function showPast() {
  const past = [...rulings.values()].filter((ruling) => ruling.state !== "proposed");
  past.sort((a, b) => (b.seq ?? b.id) - (a.seq ?? a.id));
  at("past").replaceChildren(...past.slice(0, 30).map((ruling) => {
    const who = ruling.decided_by ? ` · ${words.by} ${ruling.decided_by}` : "";
    const why = ruling.reason ? ` · ${ruling.reason}` : "";
    return made("li", `${place(ruling)} · ${named(words.rulings, ruling.state)} · ${said(ruling.text)}${who}${why}`);
  }));
}

// Times count between ticks without building anything anew.
setInterval(() => {
  showLink();
  for (const clock of document.querySelectorAll(".time")) {
    const board = boards.get(clock.dataset.board);
    if (board) clock.textContent = time(remaining(board, clock.dataset.player));
  }
}, 500);

// --- what is asked

function dialog(title, fields, send) {
  const form = at("dialog-form");
  const values = fields.map(({ name, label, options, required }) => {
    const line = made("label", `${label} `);
    const input = made(options ? "select" : "input");
    for (const [value, text] of options || []) {
      const option = made("option", text);
      option.value = value;
      input.append(option);
    }
    input.required = Boolean(required);
    line.append(input);
    return { name, line, input };
  });
  const acts = made("div", undefined, "acts");
  const cancel = act(words.cancel, () => at("dialog").close());
  const ok = made("button", words.send, "main");
  acts.append(cancel, ok);
  form.replaceChildren(made("strong", title), ...values.map((value) => value.line), acts);
  form.onsubmit = () => send(Object.fromEntries(values.map(({ name, input }) => [name, input.value.trim()])));
  at("dialog").showModal();
}

const on = (item) => ({ ...(item.round ? { round: item.round } : {}), board: item.board });

// One tap where the regulations leave one way; a choice where they leave several or nobody is named.
function confirmRuling(ruling) {
  const ways = ruling.options || [];
  if (ways.length <= 1 && ruling.offender) return ask("ruling.confirm", { id: ruling.id });
  if (!ways.length) return ask("ruling.confirm", { id: ruling.id });
  const options = ways.map((way, place) =>
    [String(place), [named(words, way.offender), way.article, effect(way.effect)].filter(Boolean).join(" · ")]);
  dialog(said(ruling.text), [{ name: "option", label: words.way, options }], ({ option }) => {
    const way = ways[Number(option)];
    ask("ruling.confirm", {
      id: ruling.id, option: Number(option), ...(way.offender ? { offender: way.offender } : {}),
    });
  });
}

function overrule(ruling) {
  const fields = [{ name: "reason", label: words.reason, required: true }];
  dialog(`${words.overrule}: ${said(ruling.text)}`, fields, ({ reason }) => {
    if (reason) ask("ruling.overrule", { id: ruling.id, reason });
  });
}

function explain(incident) {
  const offenders = [["", "–"], ["first", words.first], ["second", words.second]];
  dialog(`${place(incident)} · ${words.explain}`, [
    { name: "cause", label: words.cause, options: Object.entries(words.causes) },
    { name: "offender", label: words.offender, options: offenders },
    { name: "reason", label: words.reason },
  ], ({ cause, offender, reason }) => ask("stop.explain", {
    ...on(incident), cause, ...(offender && cause === "without_cause" ? { offender } : {}), ...(reason ? { reason } : {}),
  }));
}

function enterResult(item) {
  dialog(`${place(item)} · ${words.result}`, [
    { name: "result", label: words.result, options: RESULTS.map((result) => [result, result]) },
    { name: "cause", label: words.cause, options: Object.entries(words.ends) },
    { name: "status", label: words.status, options: [["entered", words.entered], ["signed", words.signed]] },
  ], (entry) => ask("board.result", { ...on(item), ...entry }));
}

at("language").onclick = () => {
  language = language === "zh" ? "en" : "zh";
  localStorage.setItem("language", language);
  render();
};
at("leave").onclick = leave;
at("enter").onsubmit = (submitted) => {
  submitted.preventDefault();
  token = at("token").value.trim();
  at("token").value = "";
  at("alarm").hidden = true;
  render();
  connect();
};

// The token in the address is taken once and wiped from it.
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) history.replaceState(null, "", location.pathname);
token = given || sessionStorage.getItem("token") || "";
render();
connect();
