// A clock started with the lateness of both deducted (四.2), or with times as given. What it must show stands there large
// before the tap and after it: the clock may have to be set by hand.

import { call } from "../line.js";
import { boardOf, hall, on } from "../hall.js";
import { read, time } from "../time.js";
import { words } from "../words/index.js";
import { into, made } from "../elements/made.js";
import { dialog, show } from "../elements/dialog.js";
import { done, refusal } from "../elements/told.js";
import { offenderName } from "../lanes/ruling.js";
import { placeOf } from "../lanes/lanes.js";

const PLAYERS = ["first", "second"];

// Both times, large; with how late each came, where that is known.
function targets(item, answer) {
  const board = boardOf(item);
  return PLAYERS.map((player) => {
    const late = answer[`${player}_late_ms`];
    return into(made("div"), made("span", `${offenderName(player)} ${board?.[player].name || ""}`), made("strong", time(answer[`${player}_ms`])),
      Number.isFinite(late) && late > 0 ? made("span", words.start.late(time(late)), "hint") : null);
  });
}

export function start(item) {
  const big = made("div", undefined, "targets"), about = made("p", "", "hint");
  big.setAttribute("role", "status");
  const box = dialog({
    title: `${placeOf(item)} · ${words.start.title}`, about: [words.start.hint, big, about], method: "board.start", yes: words.start.yes,
    fields: [
      { name: "policy", label: words.start.policy, options: [["", words.start.asEvent], ...Object.entries(words.start.policies)] },
      { name: "first_ms", label: words.start.given(offenderName("first")) },
      { name: "second_ms", label: words.start.given(offenderName("second")) },
    ],
    params: ({ policy, first_ms, second_ms }) => {
      const times = [first_ms, second_ms].map((text) => text ? read(text) : undefined);
      const bad = times.indexOf(null);
      if (bad >= 0) return words.times.wrong([first_ms, second_ms][bad]);
      if ((times[0] === undefined) !== (times[1] === undefined)) return words.start.both;
      return { ...on(item), ...(policy ? { policy } : {}), ...(times[0] === undefined ? {} : { first_ms: times[0], second_ms: times[1] }) };
    },
    then: (answer) => {
      show(`${placeOf(item)} · ${words.start.shows}`, into(made("div", undefined, "targets"), ...targets(item, answer)),
        made("p", hall.mode === "observe" ? words.start.byHand : words.start.follows));
      done(words.start.said(placeOf(item)), "board.start", answer);
    },
  });
  // it runs on while the box is open: lateness grows until he taps
  const look = async () => {
    if (!box.form.contains(big)) return clearInterval(again);
    const policy = box.fields.policy.read();
    try {
      big.replaceChildren(...targets(item, await call("board.start_times", { ...on(item), ...(policy ? { policy } : {}) })));
      about.textContent = words.start.shows;
    } catch (error) {
      big.replaceChildren();
      about.textContent = refusal(error).join(" ");
    }
  };
  const again = setInterval(look, 1000);
  box.fields.policy.input.onchange = look;
  look();
}
