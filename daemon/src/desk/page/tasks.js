// Tasks that the regulations want done, and how much the daemon does by itself.
"use strict";

let modeShown = "";
function showTasks() {
  const none = { key: "none", about: "", make: () => made("p", words.tasks.none, "empty") };
  const open = [...tasks.values()].map((task) => ({
    key: task.id,
    about: task,
    make: () => card("technical", place(task), said(task.text), "", may(RULES) ? [
      act(words.tasks.done, () => ask("task.done", { id: task.id }, () => {}, refuses("tasks-said")), true),
    ] : []),
  }));
  keep(at("tasks-list"), open.length ? open : [none]);
  at("mode-now").textContent = words.tasks.isNow(named(words.tasks.modes, mode));
  keepOptions(at("mode-select"), Object.entries(words.tasks.modes));
  // what is in force is chosen until somebody chooses, and again once it was turned
  if (modeShown !== mode) at("mode-select").value = modeShown = mode;
}

at("mode-form").onsubmit = (submitted) => {
  submitted.preventDefault();
  const reason = at("mode-reason").value.trim();
  ask("event.mode", { mode: at("mode-select").value, ...(reason ? { reason } : {}) }, (answer) => {
    mode = answer.mode;
    at("mode-reason").value = "";
    tell("tasks-said", () => [""]);
    later();
  }, refuses("tasks-said"));
};
