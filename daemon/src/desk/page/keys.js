// The keyboard: everything a finger does, and the way back.

import { place, goScreen, SCREENS } from "./address.js";
import { words } from "./words/index.js";
import { at, into, made } from "./elements/made.js";
import { show } from "./elements/dialog.js";

let on = localStorage.getItem("keys") !== "off";

const inText = (element) => element.matches("input:not([type=radio], [type=checkbox]), textarea, select");
const first = (selector) => [...document.querySelectorAll(selector)].find((element) => element.checkVisibility());

// The next or last line of the lanes, or card of the hall, from where the focus is.
function step(selector, by) {
  const all = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const here = all.findIndex((element) => element.contains(document.activeElement));
  const next = here < 0 ? all[0] : all[Math.min(all.length - 1, Math.max(0, here + by))];
  if (!next) return;
  (next.matches(".board") ? next.querySelector("button") : next).focus();
  next.scrollIntoView({ block: "nearest" });
}

function acrossGrid(by) {
  const cards = [...document.querySelectorAll("#boards .board")];
  const here = cards.findIndex((card) => card.contains(document.activeElement));
  if (here < 0) return false;
  const columns = cards.filter((card) => card.offsetTop === cards[0].offsetTop).length;
  const to = here + (by === "up" ? -columns : by === "down" ? columns : by);
  if (cards[to]) cards[to].querySelector("button").focus();
  return true;
}

// Pressed in a line or in a board's view: its own button for that request.
const ACTS = { c: "ruling.confirm", o: "ruling.overrule", e: "stop.explain", t: "incident.take", r: "board.result", n: "ruling.announce", s: "board.stop", g: "board.resume",
  f: "foul.record", m: "board.set_times", a: "claim.open", x: "board.assign", w: "board.swap_sides", u: "undo" };

function press(method) {
  const focus = document.activeElement;
  const done = at("done").hidden ? null : at("done");
  // taken back is what was just done, not what the board's past still offers
  const near = (method === "undo" ? [done] : [focus.closest(".card, #past li"), at("board-panel").hidden ? null : at("board-panel"), done]).filter(Boolean);
  for (const scope of near) {
    const button = [...scope.querySelectorAll(`[data-act="${method}"], [data-opens="${method}"]`)].find((one) => !one.disabled && one.checkVisibility());
    if (button) return button.click();
  }
}

addEventListener("keydown", (pressed) => {
  if (at("dialog").open || pressed.ctrlKey || pressed.metaKey) return;
  const { key } = pressed;
  if (key === "Escape" && (place.board || place.paper)) {
    const id = place.board;
    goScreen(place.paper ? "papers" : "hall");
    if (id) first(`[data-board="${CSS.escape(id)}"] button`)?.focus();
    return pressed.preventDefault();
  }
  if (inText(pressed.target)) return;
  const arrow = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: "up", ArrowDown: "down" }[key];
  if (arrow && acrossGrid(arrow)) return pressed.preventDefault();
  if (!on && key !== "?") return;
  if (pressed.altKey) {
    const screen = SCREENS[Number(key) - 1];
    if (screen && !at(`go-${screen}`).hidden) { goScreen(screen); pressed.preventDefault(); }
    return;
  }
  if (key === "?") showHelp();
  else if (key === "/" || /^\d$/.test(key)) {
    if (place.screen !== "hall") goScreen("hall");
    at("find-board").focus();
    if (key === "/") pressed.preventDefault();
  } else if (key === "j" || key === "k") step("#lanes .card, #past li", key === "j" ? 1 : -1);
  else if (key === "d") { if (place.screen !== "hall") goScreen("hall"); first("#lane-decide .card")?.focus(); }
  else if (key === "b") step("#boards .board", 1);
  else if (key === "p") first("#board-panel:not([hidden]) [data-paper]")?.click();
  else if (ACTS[key]) {
    // the box that it opens has the focus at once, and the key is no part of its reason or time
    pressed.preventDefault();
    // a key that is held asks once
    if (!pressed.repeat) press(ACTS[key]);
  }
});

export function showHelp() {
  const table = made("table", undefined, "keys");
  for (const [keys, does] of words.keys.list) {
    const row = into(made("tr"), made("th", keys), made("td", does));
    row.firstChild.scope = "row";
    table.append(row);
  }
  const label = made("label", undefined, "check"), tick = made("input");
  tick.type = "checkbox";
  tick.checked = on;
  tick.onchange = () => { on = tick.checked; localStorage.setItem("keys", on ? "on" : "off"); };
  show(words.keys.title, table, into(label, tick, made("span", words.keys.on)));
}
