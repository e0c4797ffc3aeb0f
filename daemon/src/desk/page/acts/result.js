// A board's result: two taps from the hall, or with its cause, signed, withdrawn.

import { may } from "../line.js";
import { boardOf, hall, on } from "../hall.js";
import { said, words } from "../words/index.js";
import { dialog } from "../elements/dialog.js";
import { done, tap } from "../elements/told.js";
import { resultOf } from "../grid/marks.js";
import { placeOf } from "../lanes/lanes.js";

export const RESULTS = ["1-0", "1/2-1/2", "0-1", "0-0"];

const entered = (item, result, answer) => [words.enteredSaid(placeOf(item), result), answer.after_pairing ? words.sheet.pairing : ""].filter(Boolean).join(" ");

// The second tap: no question asked, and the way back beside what was done.
export const quick = (board, result) => tap((answer) => entered(board, result, answer), "board.result", { ...on(board), result, status: "entered" });
export const sign = (board) => tap(words.signedSaid(placeOf(board)), "board.sign", on(board));

export function enterResult(item, chosen) {
  const board = boardOf(item);
  // rulings a result may go against; only an arbiter sets one aside
  const against = !may("arbiter") ? [] : [...hall.rulings.values()].filter((ruling) => ruling.round === item.round && ruling.board === item.board &&
    (ruling.state === "proposed" || ruling.state === "confirmed") && ruling.effect && ruling.effect.result);
  dialog({
    title: `${placeOf(item)} · ${words.result}`, method: "board.result", yes: words.enterIt,
    about: [board ? `${board.first.name} – ${board.second.name}` : "", board?.flag ? words.flagStands : ""],
    fields: [
      { name: "result", label: words.result, ways: RESULTS.map((value) => ({ value, title: value, lines: [words.resultMeans(value, words.colours[hall.variant])] })), value: chosen || board?.result?.result || "" },
      { name: "cause", label: words.cause, options: [["", words.ends.unstated], ...Object.entries(words.ends).filter(([name]) => name !== "unstated")] },
      { name: "status", label: words.status, options: [["entered", words.entered], ["signed", words.signed]] },
      { name: "forfeit", label: words.byForfeit, check: true },
      ...(against.length ? [{ name: "over", label: words.over, hint: words.overHint,
        options: [["", words.nothing], ...against.map((ruling) => [String(ruling.id), said(ruling.text)])] }] : []),
    ],
    params: ({ result, cause, status, forfeit, over }) => ({
      ...on(item), result, status, ...(cause ? { cause } : {}), ...(forfeit ? { forfeit } : {}), ...(over ? { over: Number(over) } : {}),
    }),
    then: (answer) => done(entered(item, answer.result, answer), "board.result", answer),
  });
}

export function withdraw(board) {
  dialog({
    title: `${placeOf(board)} · ${words.withdraw}`, about: [board.result ? resultOf(board.result) : ""], method: "board.withdraw_result",
    yes: words.withdraw, danger: true, fields: [{ name: "reason", label: words.reason }],
    params: ({ reason }) => ({ ...on(board), ...(reason ? { reason } : {}) }), says: words.withdrawn(placeOf(board)),
  });
}
