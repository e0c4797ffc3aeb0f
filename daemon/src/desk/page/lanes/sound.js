// A short sound for a new line in `decide`. Off until somebody turns it on: a hall is a quiet place.

import { line } from "../line.js";
import { words } from "../words/index.js";
import { at, write } from "../elements/made.js";
import { needs } from "./lanes.js";

let on = localStorage.getItem("sound") === "on", speaker = null, heard = new Set();

export function showSound() {
  const button = at("sound");
  button.hidden = !line.token || line.role === "viewer";
  write(button, on ? words.soundOn : words.soundOff);
  button.setAttribute("aria-pressed", String(on));
}

// A browser lets a page be heard only after somebody touched it: whoever turned the sound on before a reload is not
// left in silence.
for (const what of ["pointerup", "keydown"]) {
  addEventListener(what, () => {
    if (!on) return;
    speaker ||= new AudioContext();
    if (speaker.state === "suspended") speaker.resume();
  });
}

function sound() {
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  speaker ||= new AudioContext();
  const note = speaker.createOscillator(), loud = speaker.createGain();
  note.frequency.value = 660;
  loud.gain.setValueAtTime(0.15, speaker.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, speaker.currentTime + 0.4);
  note.connect(loud).connect(speaker.destination);
  note.start();
  note.stop(speaker.currentTime + 0.4);
}

// New lines ask for one sound, not for one each; so does one that comes as another goes.
export function ring() {
  if (on && [...needs.waiting].some((id) => !heard.has(id))) sound();
  heard = needs.waiting;
}
at("sound").onclick = () => {
  on = !on;
  localStorage.setItem("sound", on ? "on" : "off");
  showSound();
  if (on) sound();
};
