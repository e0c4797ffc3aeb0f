// Tasks that the regulations want done, and how much the daemon does by itself.

import { ask, may } from "../line.js";
import { hall, later } from "../hall.js";
import { clockTime } from "../time.js";
import { named, said, words } from "../words/index.js";
import { act, at, into, made } from "../elements/made.js";
import { keep, keepOptions } from "../elements/keep.js";
import { dialog } from "../elements/dialog.js";
import { refusal, tell } from "../elements/told.js";
import { placeOf } from "../lanes/lanes.js";

let modeShown = "";
export function showTasks() {
  const none = { key: "none", about: "", make: () => made("p", words.tasks.none, "empty") };
  const open = [...hall.tasks.values()].map((task) => ({ key: task.id, about: task, make: () => taskCard(task) }));
  keep(at("tasks-list"), open.length ? open : [none]);
  const { mode } = hall;
  at("mode-now").textContent = words.tasks.isNow(named(words.tasks.modes, mode));
  keepOptions(at("mode-select"), Object.entries(words.tasks.modes));
  // what is in force is chosen until somebody chooses, and again once it was turned
  if (modeShown !== mode) at("mode-select").value = modeShown = mode;
}

function taskCard(task) {
  const box = made("article", undefined, `card technical${task.overdue ? " overdue" : ""}`);
  box.dataset.task = task.id;
  const due = task.due ? `${task.overdue ? words.tasks.overdue : words.tasks.due} ${clockTime(task.due)}` : "";
  const done = () => dialog({ title: `${placeOf(task)} · ${words.tasks.done}`, about: [said(task.text)], method: "task.done", yes: words.tasks.done,
    says: words.tasks.doneSaid, params: () => ({ id: task.id }) });
  return into(box, made("strong", placeOf(task), "place"), made("div", said(task.text)), made("div", [task.article, due].filter(Boolean).join(" · "), "about"),
    may("arbiter") ? into(made("div", undefined, "acts"), act(words.tasks.done, done, { main: true, opens: "task.done" })) : null);
}

at("mode-form").onsubmit = async (submitted) => {
  submitted.preventDefault();
  const reason = at("mode-reason").value.trim();
  try {
    const answer = await ask("event.mode", { mode: at("mode-select").value, ...(reason ? { reason } : {}) });
    hall.mode = answer.mode;
    at("mode-reason").value = "";
    tell("tasks-said", () => [""]);
    later();
  } catch (error) {
    tell("tasks-said", () => refusal(error), true);
  }
};
