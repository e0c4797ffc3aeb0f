// The desk's page. Shows what the daemon says and asks what an arbiter taps; decides nothing.

import { connect, enter, leave, line, listen, may, ROLES } from "./line.js";
import { age, event, forget, hall, hallNow, redraw, roundOf, roundState, snapshot, stale, tick } from "./hall.js";
import { onMove, place, goScreen, tokenGiven } from "./address.js";
import { chosen, choose } from "./round.js";
import { clockTime } from "./time.js";
import { language, named, translate, turn, words } from "./words/index.js";
import { at, into, made, write } from "./elements/made.js";
import { keepOptions } from "./elements/keep.js";
import { alarm, calm, complain, sayAgain } from "./elements/told.js";
import { clearGrid, showGrid, showTimes } from "./grid/grid.js";
import { needs, showLanes } from "./lanes/lanes.js";
import { showLow } from "./lanes/low.js";
import { showPast } from "./lanes/past.js";
import { ring, showSound } from "./lanes/sound.js";
import { showBoard } from "./board/view.js";
import { check, showSetup } from "./screens/setup.js";
import { showRound } from "./screens/round.js";
import { showChairs } from "./screens/chairs.js";
import { showSheet } from "./screens/sheet.js";
import { showTasks } from "./screens/tasks.js";
import { showPapers } from "./papers/index.js";
import { showHelp } from "./keys.js";

let waiting = 0;
const later = () => { waiting ||= setTimeout(() => { waiting = 0; if (Date.now() < held) later(); else render(); }, 100); };
redraw(later);

// While a finger is down nothing moves under it: what was aimed at is what is tapped. Not for long, or a lost
// finger would hold an old hall.
const LONGEST = 1500;
let held = 0, lift = 0;
function down(until) {
  clearTimeout(lift);
  lift = setTimeout(() => { held = 0; line.aimed = null; }, until);
}
addEventListener("pointerdown", () => {
  held = Date.now() + LONGEST;
  line.aimed = line.head;
  down(LONGEST);
}, true);
for (const what of ["pointerup", "pointercancel"]) addEventListener(what, () => {
  held = 0;
  // the click comes after it
  down(50);
}, true);

const SHOW = { setup: showSetup, round: showRound, chairs: showChairs, sheet: showSheet, tasks: showTasks, papers: showPapers };
let turned = "";

function render() {
  const anew = turned !== language;
  if (anew) {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    translate();
    sayAgain();
    clearGrid();
    turned = language;
  }
  showHead();
  showScreens();
  if (!line.token) return;
  needs.count();
  showBadge();
  ring();
  if (place.screen !== "hall") return SHOW[place.screen]();
  showLanes();
  showLow();
  showPast();
  showGrid();
  showBoard();
}

function showHead() {
  write(at("language"), words.language);
  write(at("leave"), words.leave);
  write(at("event"), hall.event || "Flagfall");
  at("leave").hidden = at("help").hidden = !line.token;
  at("help").setAttribute("aria-label", words.keys.title);
  at("enter").hidden = Boolean(line.token);
  at("hall").hidden = !line.token;
  write(at("who"), line.user || line.role ? [line.user, named(words.roles, line.role)].filter(Boolean).join(" · ") : "");
  at("who").hidden = !line.token;
  showSound();
  showLink();
}

// How the page stands with the daemon, at once and always in view.
let wasStale = false;
function showLink() {
  const link = at("link");
  const old = stale();
  const state = !line.token ? "" : !line.ready ? "down" : old ? "late" : "up";
  link.className = state;
  link.hidden = !state;
  const seconds = age();
  write(link, state === "up" ? words.up : `${words[state] || ""} ${line.heard ? words.agoOf(seconds) : ""}`.trim());
  // read out is the change, not each second of it
  write(at("link-said"), [state ? words[state] : "", hall.uplink && line.token ? words.uplink.of(named(words.uplink.states, hall.uplink.state)) : ""].filter(Boolean).join(" "));
  const shown = line.token && line.heard && old;
  at("old").hidden = !shown;
  if (shown) write(at("old"), words.oldTimes(clockTime(hall.tickNow || Date.now()), seconds));
  if (wasStale !== Boolean(shown)) {
    wasStale = Boolean(shown);
    document.body.classList.toggle("stale", wasStale);
  }
  at("fault").hidden = !hall.fault;
  if (hall.fault) write(at("fault"), `${words.journal} ${hall.fault}`);
  write(at("wall-clock"), line.token && hall.tickNow ? clockTime(stale() ? hall.tickNow : hallNow()) : "");
  showUplink();
}

function showUplink() {
  const up = hall.uplink, box = at("uplink");
  box.hidden = !up || !line.token;
  if (!up) return;
  box.className = up.state === "up" && !up.waiting ? "up" : up.state === "up" ? "late" : "down";
  write(box, words.uplink.is(named(words.uplink.states, up.state), up.sent, up.acked, up.waiting, up.oldest ? clockTime(up.oldest) : "") +
    (up.error && up.state !== "up" ? ` · ${up.error}` : ""));
}

function showBadge() {
  const count = needs.decide;
  document.title = `${count ? `(${count}) ` : ""}${hall.event || "Flagfall"}`;
}

// Who may not, does not see it; while the line is down nothing can be asked.
function showScreens() {
  for (const element of document.querySelectorAll("[data-roles]")) element.hidden = !ROLES[element.dataset.roles].includes(line.role);
  if (line.ready && at(`go-${place.screen}`).hidden) Object.assign(place, { screen: "hall", paper: null });
  document.body.dataset.screen = place.screen;
  document.body.dataset.role = line.role;
  document.body.classList.toggle("with-board", Boolean(place.board) && place.screen === "hall");
  document.body.classList.toggle("paper-shown", Boolean(place.paper) && Boolean(line.token));
  at("paper").hidden = !place.paper || !line.token;
  at("screens").hidden = !line.token || line.role === "viewer";
  for (const button of document.querySelectorAll("[data-may]")) button.disabled = !may(button.dataset.may);
  for (const button of document.querySelectorAll("nav [data-screen]")) {
    const { screen } = button.dataset;
    const count = screen === "tasks" ? hall.tasks.size : screen === "hall" ? needs.decide : 0;
    if (!button.firstElementChild) into(button, made("span"), screen === "tasks" || screen === "hall" ? made("span", undefined, "count") : null);
    write(button.firstElementChild, words.screens[screen]);
    // its room is kept, so that no button moves away from under a finger
    if (button.children[1]) write(button.children[1], count ? ` (${count})` : "");
    button.classList.toggle("urgent", screen === "hall" && count > 0);
    if (screen === place.screen) button.setAttribute("aria-current", "page"); else button.removeAttribute("aria-current");
    at(`screen-${screen}`).hidden = screen !== place.screen;
  }
  at("round-of").hidden = ["hall", "tasks", "papers"].includes(place.screen) || !hall.rounds.length;
  const options = hall.rounds.map((round) => [String(round.number), `${words.ofRound(round.number)} · ${words.roundStates[roundState(round)]}`]);
  const about = chosen(place.screen);
  keepOptions(at("round-select"), about === null ? [["", "–"], ...options] : options);
  at("round-select").value = String(about ?? "");
  const round = roundOf(chosen("hall"));
  const mode = hall.mode && hall.mode !== "act" ? ` · ${named(words.tasks.modes, hall.mode)}` : "";
  write(at("course"), round && line.token ? `${words.ofRound(round.number)} · ${words.roundStates[roundState(round)]}${mode}` : "");
  at("course").className = round ? roundState(round) : "";
}

for (const button of document.querySelectorAll("nav [data-screen]")) {
  button.onclick = () => { goScreen(button.dataset.screen); check(); };
}
at("round-select").onchange = () => {
  choose(place.screen, Number(at("round-select").value));
  render();
  check();
};
at("language").onclick = () => { turn(); render(); };
at("help").onclick = showHelp;
// With the page itself goes whatever was begun on it: who comes next begins anew.
at("leave").onclick = () => {
  const up = line.ready;
  leave();
  if (up) location.reload();
};
at("alarm-close").onclick = calm;
at("enter").onsubmit = (submitted) => {
  submitted.preventDefault();
  const token = at("token").value.trim();
  at("token").value = "";
  calm();
  enter(token);
  render();
};
addEventListener("keydown", (pressed) => { if (pressed.key === "Escape") calm(); });

listen({
  snapshot, event, tick, complaint: complain,
  changed: render,
  left() { forget(); render(); },
  wrong() { alarm(words.wrong); },
});
onMove(() => { render(); check(); });

// Times count between reports; nothing is built anew for it.
setInterval(() => {
  if (document.hidden) return;
  showLink();
  if (line.token) showTimes();
}, 250);

line.token = tokenGiven() || sessionStorage.getItem("token") || "";
render();
connect();
