// A foul by its article: found by words, and what would follow from it said before the tap.

import { call } from "../line.js";
import { boardOf, on } from "../hall.js";
import { said, words } from "../words/index.js";
import { into, made } from "../elements/made.js";
import { dialog } from "../elements/dialog.js";
import { done, refusal } from "../elements/told.js";
import { offenderName } from "../lanes/ruling.js";
import { placeOf } from "../lanes/lanes.js";

const players = (item) => ["first", "second"].map((who) => [who, `${offenderName(who)} ${boardOf(item)?.[who].name || ""}`]);

// Each word of the search stands somewhere in the article's key or its texts.
export function matches(article, search) {
  const text = `${article.article} ${article.text.zh} ${article.text.en}`.toLowerCase();
  return search.toLowerCase().split(/\s+/).filter(Boolean).every((word) => text.includes(word));
}

export async function recordFoul(item) {
  const list = made("fieldset", undefined, "articles");
  const search = made("input");
  search.inputMode = "search";
  search.autocomplete = "off";
  search.setAttribute("aria-label", words.foul.search);
  search.placeholder = words.foul.search;
  search.name = "search";
  let articles = [], asked = 0, chosen;
  const about = made("p", "", "hint");

  const box = dialog({
    title: `${placeOf(item)} · ${words.foul.title}`, method: "foul.record", yes: words.foul.record,
    fields: [
      { name: "player", label: words.player, options: players(item) },
      { name: "moves", label: words.foul.moves, kind: "numeric", hint: words.foul.movesHint },
      { name: "count", label: words.foul.count, kind: "numeric" },
      { name: "not_player", label: words.foul.notPlayer, check: true },
      { name: "waived", label: words.foul.waived, check: true },
      { name: "reason", label: words.reason },
    ],
    params: ({ player, moves, count, not_player, waived, reason }) => {
      const article = list.querySelector("input:checked")?.value;
      if (!article) return words.foul.choose;
      const whole = (text) => /^\d+$/.test(text) ? Number(text) : null;
      const [m, n] = [moves, count].map((text) => text ? whole(text) : undefined);
      if (m === null || n === null) return words.needNumber;
      return {
        ...on(item), player, article, ...(m === undefined ? {} : { moves: m }), ...(n === undefined ? {} : { count: n }),
        ...(not_player ? { not_player } : {}), ...(waived ? { waived } : {}), ...(reason ? { reason } : {}),
      };
    },
    then: (answer) => done([words.foul.said(placeOf(item), answer.article, answer.in_game, answer.in_event), answer.ruling ? words.foul.ruled : ""].join(" "), "foul.record", answer),
  });

  const draw = () => {
    if (list.querySelector("input")) chosen = list.querySelector("input:checked")?.value;
    const shown = articles.filter((article) => matches(article, search.value));
    list.replaceChildren(made("legend", `${words.foul.articles} (${shown.length})`), ...shown.map((article) => {
      const row = made("label", undefined, "way"), input = made("input");
      input.type = "radio";
      input.name = "article";
      input.value = article.article;
      input.checked = article.article === chosen || shown.length === 1;
      const follows = article.follows.map(({ text }) => said(text)).join(" · ");
      return into(row, input, into(made("span"), made("strong", `${article.article} ${said(article.text)}`),
        made("span", words.foul.counts(article.count, article.in_game, article.in_event), "sub"), follows ? made("span", follows, "sub warns") : null));
    }));
  };
  // what follows depends on who he is: asked anew for each
  const fetchFor = async (player) => {
    const turn = ++asked;
    // what would follow for the other player is not his
    articles = [];
    about.textContent = words.history.asked;
    draw();
    try {
      const answer = await call("foul.articles", { ...on(item), player });
      if (turn !== asked) return;
      ({ articles } = answer);
      about.textContent = words.foul.has(answer.in_game, answer.in_event);
      draw();
    } catch (error) {
      if (turn === asked) about.textContent = refusal(error).join(" ");
    }
  };
  const { player } = box.fields;
  player.input.onchange = () => fetchFor(player.input.value);
  search.oninput = draw;
  search.onkeydown = (pressed) => { if (pressed.key === "Enter" && !list.querySelector("input:checked")) pressed.preventDefault(); };
  // the article stands before the details
  box.form.insertBefore(about, player.row.nextSibling);
  box.form.insertBefore(search, about.nextSibling);
  box.form.insertBefore(list, search.nextSibling);
  await fetchFor(player.input.value);
}

export function withdrawFoul(item, { player, article } = {}) {
  dialog({
    title: `${placeOf(item)} · ${words.foul.withdraw}`, method: "foul.withdraw", yes: words.foul.withdraw, danger: true,
    fields: [
      { name: "player", label: words.player, options: players(item), value: player },
      { name: "article", label: words.foul.article, required: true, value: article },
      { name: "reason", label: words.reason },
    ],
    params: ({ player, article, reason }) => ({ ...on(item), player, article, ...(reason ? { reason } : {}) }),
    says: (answer) => words.foul.withdrawn(placeOf(item), answer.in_game, answer.in_event),
  });
}

// What an arbiter rules on of himself: kinds that no clock shows.
export function makeRuling(item) {
  dialog({
    title: `${placeOf(item)} · ${words.rule.title}`, about: [words.rule.hint], method: "ruling.make", yes: words.rule.propose,
    fields: [
      { name: "kind", label: words.rule.kind, options: Object.entries(words.kinds).filter(([kind]) => kind !== "foul_limit") },
      { name: "offender", label: words.offender, options: [["", words.notNamed], ...["first", "second", "both"].map((who) => [who, offenderName(who)])] },
      { name: "article", label: words.rule.article, hint: words.rule.articleHint },
      { name: "moves", label: words.foul.moves, kind: "numeric" },
      { name: "reason", label: words.reason },
    ],
    params: ({ kind, offender, article, moves, reason }) => {
      if (moves && !/^\d+$/.test(moves)) return words.needNumber;
      return { ...on(item), kind, ...(offender ? { offender } : {}), ...(article ? { article } : {}), ...(moves ? { moves: Number(moves) } : {}), ...(reason ? { reason } : {}) };
    },
    says: words.proposedSaid(placeOf(item)),
  });
}
