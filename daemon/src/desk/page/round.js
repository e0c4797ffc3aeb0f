// Which round a screen is about.

import { hall } from "./hall.js";

const chosenRounds = new Map();
// A choice holds until the event goes on: once another round is next, nobody still means an old one by leaving it there.
export const choose = (screen, round) => chosenRounds.set(screen, { round, next: nextOf(screen) });

// What was chosen, or what is next to be done there: set-up comes before a round has begun, all else after.
export function chosen(screen) {
  const own = chosenRounds.get(screen), next = nextOf(screen);
  if (own && own.next === next && hall.rounds.some((round) => round.number === own.round)) return own.round;
  return next;
}

function nextOf(screen) {
  const { rounds } = hall;
  const open = rounds.filter((round) => round.started && !round.closed);
  const next = rounds.find((round) => !round.started && !round.closed && round.boards);
  const [begun, over] = [open, rounds.filter((round) => round.closed)].map((list) => list[list.length - 1]);
  const order = screen === "setup" ? [next, begun] : [begun, next, over];
  const found = order.find(Boolean);
  return found ? found.number : null;
}
