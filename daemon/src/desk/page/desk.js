// The desk's page. Shows what the daemon says and asks what an arbiter taps; decides nothing.
// Everything that came from outside is shown through textContent.
"use strict";

let waiting = false;
function later() {
  if (waiting) return;
  waiting = true;
  setTimeout(() => { waiting = false; render(); }, 100);
}

const SHOW = { setup: showSetup, round: showRound, chairs: showChairs, sheet: showSheet, tasks: showTasks };
let turned = "";

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
  translate();
  if (turned !== language) [...told.keys()].forEach(showTold);
  turned = language;
  showLink();
  showScreens();
  if (screenNow !== "hall") return SHOW[screenNow]();
  showLanes();
  showBoards();
  showPast();
}

// --- screens, and which round they are about

let screenNow = "hall";
const chosenRounds = new Map();

function show(screen) {
  screenNow = screen;
  render();
  check();
}
function choose(screen, round) {
  chosenRounds.set(screen, round);
  render();
}

// What was chosen, or what is next to be done there: set-up comes before a round has begun, all else after.
function chosen(screen) {
  const own = chosenRounds.get(screen);
  if (rounds.some((round) => round.number === own)) return own;
  const open = rounds.filter((round) => round.started && !round.closed);
  const next = rounds.find((round) => !round.started && !round.closed && round.boards);
  const [begun, over] = [open, rounds.filter((round) => round.closed)].map((list) => list[list.length - 1]);
  const order = screen === "setup" ? [next, begun] : [begun, next, over];
  const found = order.find(Boolean);
  return found ? found.number : null;
}

// Who may not, does not see it; while the line is down nothing can be asked.
function showScreens() {
  at("screens").hidden = !token || role === "viewer";
  for (const element of document.querySelectorAll("[data-roles]")) element.hidden = !ROLES[element.dataset.roles].includes(role);
  for (const button of document.querySelectorAll("[data-may]")) button.disabled = !may(ROLES[button.dataset.may]);
  const wanted = at(`go-${screenNow}`);
  if (wanted.hidden || !token) screenNow = "hall";
  for (const button of document.querySelectorAll("[data-screen]")) {
    const screen = button.dataset.screen;
    const count = screen === "tasks" && tasks.size ? ` (${tasks.size})` : "";
    button.textContent = words.screens[screen] + count;
    if (screen === screenNow) button.setAttribute("aria-current", "page"); else button.removeAttribute("aria-current");
    at(`screen-${screen}`).hidden = screen !== screenNow;
  }
  at("round-of").hidden = screenNow === "hall" || screenNow === "tasks" || !rounds.length;
  const options = rounds.map((round) =>
    [String(round.number), `${words.ofRound(round.number)} · ${words.roundStates[roundState(round)]}`]);
  const about = chosen(screenNow);
  keepOptions(at("round-select"), about === null ? [["", "–"], ...options] : options);
  at("round-select").value = String(about ?? "");
  for (const id of ["setup-first", "load-first"]) at(id).textContent = colour("first");
  for (const id of ["setup-second", "load-second"]) at(id).textContent = colour("second");
}

function showRound() {
  showCourse();
  showLoad();
}

for (const button of document.querySelectorAll("[data-screen]")) button.onclick = () => show(button.dataset.screen);
at("round-select").onchange = () => {
  choose(screenNow, Number(at("round-select").value));
  check();
};

function showLink() {
  const link = at("link");
  const age = lastHeard ? Math.floor((Date.now() - lastHeard) / 1000) : 0;
  const state = !token ? "" : !ready ? "down" : age >= 3 ? "late" : "up";
  link.className = state;
  link.hidden = !state;
  const old = lastHeard && state !== "up" ? ` (${age} ${words.seconds} ${words.age})` : "";
  link.textContent = (words[state] || "") + old;
}

// Times count between ticks without building anything anew.
setInterval(() => {
  showLink();
  for (const clock of document.querySelectorAll(".time")) {
    const board = boards.get(clock.dataset.board);
    if (board) clock.textContent = time(remaining(board, clock.dataset.player));
  }
}, 500);

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
