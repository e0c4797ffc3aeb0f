// The line to the daemon: one WebSocket, dialled again when it is lost.
"use strict";

let token = "", socket = null, ready = false, pause = 1000, lastHeard = 0, fault = "";
let journal = null, head = 0, role = "viewer", speed = 1, next = 1;
const open = new Map();

const ROLES = {
  chief: ["chief"], arbiter: ["chief", "arbiter"], results: ["chief", "arbiter", "results"], technician: ["chief", "technician"],
  desk: ["chief", "arbiter", "results", "technician"],
};
const RULES = ROLES.arbiter, RESULT_ROLES = ROLES.results;
const may = (roles) => ready && roles.includes(role);

function connect() {
  if (!token || socket) return;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const line = socket = new WebSocket(`${scheme}//${location.host}/desk/1`);
  line.onopen = () => {
    const params = { token, client: "desk page", ticks: true };
    if (journal !== null) Object.assign(params, { journal, after: head });
    call("hello", params, welcome, refusedHello);
  };
  line.onmessage = (message) => { lastHeard = Date.now(); heard(JSON.parse(message.data)); };
  line.onclose = () => {
    if (socket !== line) return;
    socket = null;
    ready = false;
    for (const { refused } of open.values()) refused({ message: words.down });
    open.clear();
    render();
    setTimeout(connect, pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, 10000);
  };
}

function call(method, params, answered = () => {}, refused = complain) {
  if (!socket || socket.readyState !== WebSocket.OPEN) return refused({ message: words.down });
  const id = next++;
  open.set(id, { answered, refused });
  socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
}

// A tap has one effect, however often it is sent.
function ask(method, params, answered, refused) {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const request_id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  call(method, { ...params, request_id }, answered, refused);
}

function complain(error) { alarm(`${words.refused}: ${refusal(error).join("\n")}`); }

let alarmTimer = 0;
function alarm(text) {
  at("alarm").textContent = text;
  at("alarm").hidden = false;
  clearTimeout(alarmTimer);
  alarmTimer = setTimeout(() => { at("alarm").hidden = true; showFault(); }, 8000);
}
function showFault() {
  if (!fault) return;
  clearTimeout(alarmTimer);
  at("alarm").textContent = `${words.journal}\n${fault}`;
  at("alarm").hidden = false;
}

function welcome(answer) {
  pause = 1000;
  ready = true;
  ({ role, speed, mode } = answer);
  if (answer.snapshot) take(answer.snapshot);
  journal = answer.journal;
  if (answer.snapshot || answer.reset) head = answer.head;
  sessionStorage.setItem("token", token);
  at("who").textContent = role;
  render();
}

function refusedHello(error) {
  if (error.code === -32000) {
    leave();
    alarm(words.wrong);
  } else {
    complain(error);
  }
}

function leave() {
  token = "";
  sessionStorage.removeItem("token");
  journal = null;
  forget();
  const line = socket;
  socket = null;
  ready = false;
  if (line) line.close();
  render();
}

function heard(message) {
  if (message.method === "event") event(message.params);
  else if (message.method === "tick") tick(message.params);
  else if (open.has(message.id)) {
    const { answered, refused } = open.get(message.id);
    open.delete(message.id);
    if (message.error) refused(message.error); else answered(message.result);
  }
}

