// Which requests of a board can still be taken back, as far as its events show. The daemon has the last word.

const RESULT = ["board.result", "board.sign", "board.withdraw_result"];
const BY_ITSELF = ["board.set_times", "board.adjust", "foul.record", "board.swap_sides", "player.arrived"];
// All that can be taken back by its event; the last two are no one board's.
export const UNDOABLE = new Set([...RESULT, ...BY_ITSELF, "ruling.confirm", "match.results", "round.absent"]);
const done = ({ type, request }) => type === "request" && request.ok;

// The seqs of such requests among `events`.
export function undoable(events) {
  // what comes of a request is recorded at the same time
  const own = new Set(events.filter((event) => event.type === "undone" || (done(event) && RESULT.includes(event.request.method))).map(({ at }) => at));
  let there = [];
  for (const event of events) {
    const { type, seq, at } = event;
    if (type === "undone") {
      there = there.filter((one) => !isOf(one, event.undone.seq, events));
    } else if (type === "ruling" && event.ruling.state !== "confirmed") {
      there = there.filter(({ request }) => request.method !== "ruling.confirm" || request.params.id !== event.ruling.id);
    } else if (type === "result" && !own.has(at)) {
      // a ruling, a match sheet or the round's end said another: that comes first
      there = there.filter(({ request }) => !RESULT.includes(request.method));
    } else if (done(event)) {
      const { method, params } = event.request;
      if (method === "foul.withdraw") there = without(there, params);
      if (RESULT.includes(method) || BY_ITSELF.includes(method) || (method === "ruling.confirm" && params.id !== undefined)) there.push(event);
    }
  }
  // of several results only the last, or what it said would be lost
  const last = there.filter(({ request }) => RESULT.includes(request.method)).pop();
  return new Set(there.filter((one) => !RESULT.includes(one.request.method) || one === last).map(({ seq }) => seq));
}

// What is taken back may be named by any event that came with its request, all before it.
function isOf(request, seq, events) {
  if (request.seq === seq) return true;
  const event = seq < request.seq && events.find((one) => one.seq === seq);
  return Boolean(event) && event.at === request.at;
}

// A foul of that player under that article is gone: the last one.
function without(there, { player, article }) {
  const last = there.findLast(({ request: { method, params } }) => method === "foul.record" && params.player === player && params.article === article);
  return there.filter((one) => one !== last);
}
