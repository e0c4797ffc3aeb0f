// The line to the daemon: one WebSocket, dialled again when it is lost. What is heard goes to whoever listens.

export const line = {
  token: "", ready: false, role: "viewer", user: "", tables: [], speed: 1, journal: null, head: 0,
  // the last event of when a finger went down, while it is: what came since is not drawn yet, and nobody tapped on it
  aimed: null,
  // when anything was heard last, by this device's clock; 0: never
  heard: 0,
};

const ears = { snapshot() {}, event() {}, tick() {}, changed() {}, left() {}, wrong() {}, complaint() {} };
export const listen = (more) => Object.assign(ears, more);

export const ROLES = {
  chief: ["chief"], arbiter: ["chief", "arbiter"], results: ["chief", "arbiter", "results"], technician: ["chief", "technician"],
  clocks: ["chief", "arbiter", "technician"],
  desk: ["chief", "arbiter", "results", "technician"],
};
export const may = (group) => line.ready && ROLES[group].includes(line.role);

// Not a refusal of the daemon: nobody has answered, and whether it was done is not known.
export const CUT = "cut";

let socket = null, pause = 1000, next = 1, dialled = 0;
const open = new Map();

export function connect() {
  if (!line.token || socket) return;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const own = socket = new WebSocket(`${scheme}//${location.host}/desk/1`);
  dialled = Date.now();
  own.onopen = () => {
    const params = { token: line.token, client: "desk page", ticks: true };
    if (line.journal !== null) Object.assign(params, { journal: line.journal, after: line.head });
    call("hello", params).then(welcome, refusedHello);
  };
  own.onmessage = (message) => {
    if (socket !== own) return;
    line.heard = Date.now();
    hear(JSON.parse(message.data));
  };
  own.onclose = () => { if (socket === own) lost(); };
}

function lost() {
  socket = null;
  line.ready = false;
  for (const { refused } of open.values()) refused({ code: CUT, message: "" });
  open.clear();
  ears.changed();
  setTimeout(connect, pause * (0.75 + Math.random() / 2));
  pause = Math.min(pause * 2, 10000);
}

// A line that says nothing is given up before its own time-outs: ticks come every second, and a network that swallows
// the dialling itself would keep the page waiting for minutes.
const PATIENCE = 6000;
setInterval(() => {
  if (!socket || Date.now() - (line.ready ? line.heard : Math.max(dialled, line.heard)) < PATIENCE) return;
  const old = socket;
  lost();
  old.close();
}, 1000);
// Back from sleep or from another network: not a second is waited for.
for (const what of ["online", "pageshow"]) addEventListener(what, () => { pause = 1000; connect(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) { pause = 1000; connect(); } });

export function call(method, params = {}) {
  return new Promise((answered, refused) => {
    if (!socket || socket.readyState !== WebSocket.OPEN) return refused({ code: CUT, message: "" });
    const id = next++;
    open.set(id, { answered, refused });
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  });
}

export const seenNow = () => line.aimed ?? line.head;

export function tapId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// A tap has one effect, however often it is sent; and none if somebody else acted there after what this page showed.
// A line that is cut before the answer came is no answer: the same tap is asked again once the line is back.
export async function ask(method, params = {}, { seen = seenNow(), id = tapId() } = {}) {
  for (let again = 0; ; again++) {
    try {
      return await call(method, { ...params, request_id: id, ...(seen ? { seen } : {}) });
    } catch (error) {
      if (error.code !== CUT || again === 1 || !await back(8000)) throw error;
    }
  }
}

// Whether the line is ready again within so many milliseconds.
function back(ms) {
  const end = Date.now() + ms;
  return new Promise((told) => {
    const look = () => {
      if (line.ready) told(true);
      else if (Date.now() > end || !line.token) told(false);
      else setTimeout(look, 100);
    };
    look();
  });
}

function welcome(answer) {
  pause = 1000;
  line.ready = true;
  const { role, speed, journal, user = "", tables = [] } = answer;
  Object.assign(line, { role, speed, user, tables, journal });
  if (answer.snapshot) {
    line.head = answer.head;
    ears.snapshot(answer.snapshot, answer);
  }
  sessionStorage.setItem("token", line.token);
  ears.changed();
}

function refusedHello(error) {
  if (error.code === -32000) {
    leave();
    ears.wrong(error);
  } else if (error.code !== CUT) {
    ears.complaint(error);
  }
}

export function enter(token) {
  line.token = token;
  pause = 1000;
  connect();
}

export function leave() {
  sessionStorage.removeItem("token");
  Object.assign(line, { token: "", journal: null, head: 0, ready: false, user: "", heard: 0 });
  const old = socket;
  socket = null;
  for (const { refused } of open.values()) refused({ code: CUT, message: "" });
  open.clear();
  if (old) old.close();
  ears.left();
}

// All of the hall anew: for what stands in a snapshot only.
export function anew() {
  line.journal = null;
  pause = 200;
  if (socket) socket.close();
}

let acked = 0;
function hear(message) {
  if (message.method === "event") {
    const event = message.params;
    if (event.seq <= line.head) return;
    line.head = event.seq;
    ears.event(event);
    acked ||= setTimeout(() => {
      acked = 0;
      if (line.ready) socket.send(JSON.stringify({ jsonrpc: "2.0", method: "ack", params: { seq: line.head } }));
    }, 1000);
  } else if (message.method === "tick") {
    ears.tick(message.params);
  } else if (open.has(message.id)) {
    const { answered, refused } = open.get(message.id);
    open.delete(message.id);
    if (message.error) refused(message.error); else answered(message.result);
  }
}
