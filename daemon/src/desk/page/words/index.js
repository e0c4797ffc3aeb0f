// What the page says, in two languages that a test holds equal. What the daemon says comes in its own words.

import zh from "./zh.js";
import en from "./en.js";

const WORDS = { zh, en };
export let language = localStorage.getItem("language") || (navigator.language.startsWith("zh") ? "zh" : "en");
if (!WORDS[language]) language = "en";
export let words = WORDS[language];

export function turn() {
  language = language === "zh" ? "en" : "zh";
  words = WORDS[language];
  localStorage.setItem("language", language);
}

// A text of the daemon in the language of the page.
export const said = (text) => (text && (text[language] || text.en || text.zh)) || "";
// A word of a table; what the table does not know stands as it came.
export const named = (table, name) => (table && Object.hasOwn(table, name) && table[name]) || name || "";

// Static texts carry the place of their words: data-word="setup.title", data-label for what is read out.
export function translate(root = document) {
  const find = (path) => path.split(".").reduce((table, name) => table[name], words);
  for (const element of root.querySelectorAll("[data-word]")) {
    const text = find(element.dataset.word);
    if (element.textContent !== text) element.textContent = text;
  }
  for (const element of root.querySelectorAll("[data-label]")) element.setAttribute("aria-label", find(element.dataset.label));
}
