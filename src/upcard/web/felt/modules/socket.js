/** The line to a table: the public WebSocket, as any bot uses it. It comes back by itself. */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15000;
const QUIET = 25000;
const ANSWER = 8000;
/** Codes of a line that ends for good: the table is closed, one has signed out, there is no table. */
const FINAL = new Set([1000, 4401, 4404]);
const TOO_OFTEN = 4429;

/** An id that no other command of anybody has. With the entry that it comes after the house knows so at once. */
export function newId(seq = null) {
  const bytes = new Uint8Array(16);
  crypto.getRandomValues(bytes);
  const random = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return seq === null ? random : `@${seq}-${random}`;
}

export function socketUrl(table, since, location = globalThis.location) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const from = since === null ? "" : `?since=${since}`;
  return `${scheme}://${location.host}/api/tables/${encodeURIComponent(table)}/socket${from}`;
}

/** Wait before the next attempt: twice as long each time, with some chance in it. */
export function backoff(attempt, chance = Math.random()) {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.75 + chance / 2);
}

export class TableLine {
  /** `on` has functions by the type of message, and `state` for "connecting", "open", "lost". */
  constructor(table, on, open = (url) => new WebSocket(url)) {
    this.table = table;
    this.on = on;
    this.open = open;
    this.seq = null;
    this.attempt = 0;
    this.closed = false;
    this.pending = new Map();
    this.skew = 0;
  }

  connect() {
    if (this.closed) return;
    this.on.state?.(this.attempt ? "lost" : "connecting", this.attempt);
    const socket = this.open(socketUrl(this.table, this.seq));
    this.socket = socket;
    socket.onmessage = (message) => this.receive(socket, message.data);
    socket.onclose = (event) => this.gone(socket, event.code);
    socket.onerror = () => socket.close();
  }

  receive(socket, data) {
    if (socket !== this.socket) return;
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    this.heard = Date.now();
    if (message.type === "welcome") this.welcomed();
    // A sequence is noted when it is handed on, so that a line that breaks asks for what is missing.
    if (["welcome", "update"].includes(message.type)) this.seq = message.seq;
    const held = [...this.pending.values()].filter((one) => one.ack);
    if (message.type === "pong") this.skew = message.now - Date.now();
    if (message.id && ["ack", "refused"].includes(message.type)) this.answered(message);
    if (message.type === "error" && this.pending.has(message.id)) return this.failed(message);
    this.on[message.type]?.(message);
    for (const { ack } of held) this.answered(ack);
  }

  welcomed() {
    const wasLost = this.attempt > 0;
    this.attempt = 0;
    this.on.state?.("open", 0, wasLost);
    this.send({ type: "ping", id: newId() });
    // What nobody has answered is said again; by its id it acts once.
    for (const { message, ack } of this.pending.values()) if (!ack) this.send(message);
    clearInterval(this.beat);
    this.beat = setInterval(() => this.watch(), 5000);
  }

  /** A line that has been silent for long is asked, and given up if it does not answer. */
  watch() {
    const quiet = Date.now() - this.heard;
    if (quiet > QUIET + ANSWER) this.socket?.close();
    else if (quiet > QUIET) this.send({ type: "ping", id: newId() });
  }

  gone(socket, code) {
    if (socket !== this.socket || this.closed) return;
    clearInterval(this.beat);
    this.socket = null;
    this.attempt += 1;
    clearTimeout(this.timer);
    if (FINAL.has(code)) {
      this.closed = true;
      this.on.state?.("ended", this.attempt, false, code);
      return;
    }
    if (code === TOO_OFTEN) this.attempt = Math.max(this.attempt, 5);
    this.on.state?.("lost", this.attempt, false, code);
    this.timer = setTimeout(() => this.connect(), backoff(this.attempt - 1));
  }

  /** Do not wait any longer: somebody looks again, or the network is back. */
  hurry() {
    if (this.closed || this.socket) return;
    clearTimeout(this.timer);
    this.connect();
  }

  send(message) {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** A command; the promise is kept with the `ack` or the `refused` that answers it.
   *
   * `seq` is what the viewer had seen: a command that comes too late is refused.
   */
  do(command, seq = this.seq) {
    const id = newId(this.seq);
    const message = { type: "do", id, command, ...(seq === null ? {} : { seq }) };
    return new Promise((answer) => {
      this.pending.set(id, { message, answer });
      this.send(message);
    });
  }

  answered(message) {
    const found = this.pending.get(message.id);
    if (!found) return;
    // Whoever hears that a command was carried out finds at the table what it did.
    if (message.type === "ack" && message.seq > this.seq) {
      found.ack = message;
      return;
    }
    this.pending.delete(message.id);
    clearTimeout(found.timer);
    if (found.failures) this.on.recovered?.();
    found.answer(message);
  }

  /** A command was not taken: said again by the same id where that may help, else it is refused. */
  failed(message) {
    const found = this.pending.get(message.id);
    if (!message.again) return this.answered({ type: "refused", id: message.id, reason: message.words, clauses: [] });
    found.failures = (found.failures || 0) + 1;
    clearTimeout(found.timer);
    found.timer = setTimeout(() => this.pending.has(message.id) && this.send(found.message), backoff(found.failures));
    this.on.error?.(message);
  }

  why(action) {
    this.send({ type: "why", id: newId(), action });
  }

  coach() {
    const id = newId();
    this.send({ type: "coach", id });
    return id;
  }

  /** The server's time now. */
  now() {
    return Date.now() + this.skew;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.beat);
    this.socket?.close();
  }
}
