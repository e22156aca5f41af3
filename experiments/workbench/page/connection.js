/** Connection to the server: sends actions one after another, and receives events. */

const HEADERS = { "Content-Type": "application/json", "X-Evenhand": "workbench" };
const SESSION_HEADER = "X-Evenhand-Session";
const OUTDATED = 409; // HTTP status of the response to a page of another session
const RETRY_MS = 2000; // time until a closed connection is opened again; chosen by hand, not tuned

/** A refusal by the server, with the place on the page at which to show its message. */
export class Refusal extends Error {
  constructor(text, place, status = 0) {
    super(text);
    this.place = place;
    this.status = status;
  }
}

async function post(path, body, session) {
  let answer;
  const headers = session ? { ...HEADERS, [SESSION_HEADER]: session } : HEADERS;
  try {
    answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  } catch {
    throw new Refusal("The workbench does not answer, so nothing was changed.", null);
  }
  const reply = await answer.json().catch(() => ({}));
  const { error = `refused (${answer.status})`, place = null } = reply;
  if (!answer.ok) throw new Refusal(error, place, answer.status);
  return reply;
}

/**
 * Queue of actions, which are sent one at a time. Of several successive unsent actions on the same
 * number only the last is sent, so that a key that is held down does not fill the queue.
 */
export class Actions {
  session = ""; // identifier of the session that the page shows
  #waiting = [];
  #isSending = false;
  #onOutdated;

  constructor(onOutdated) {
    this.#onOutdated = onOutdated;
  }

  /**
   * Sends an action; calls `settle(reply, refusal)` with the response, one of them null, or with two
   * nulls if a later action with the same key replaced this action.
   */
  send(path, body, settle, key = null) {
    const last = this.#waiting.at(-1);
    if (key !== null && last?.key === key) this.#waiting.pop().settle(null, null);
    this.#waiting.push({ path, body, settle, key });
    if (!this.#isSending) this.#drain();
  }

  async #drain() {
    this.#isSending = true;
    while (this.#waiting.length) {
      const { path, body, settle } = this.#waiting.shift();
      try {
        settle(await post(path, body, this.session), null);
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        if (refusal.status === OUTDATED) this.#onOutdated();
        settle(null, refusal);
      }
    }
    this.#isSending = false;
  }
}

/**
 * Receives events, and calls `handlers[event](data)` for each; calls `onLink(isConnected)` when the
 * connection is lost or restored. Returns a function that closes the connection.
 */
export function listen(handlers, onLink) {
  let source = null;
  let retrying = 0;
  function open() {
    source = new EventSource("/events");
    source.onopen = () => onLink(true);
    source.onerror = () => {
      onLink(false);
      if (source.readyState !== EventSource.CLOSED) return; // the browser itself reconnects
      retrying = setTimeout(open, RETRY_MS);
    };
    for (const [event, handle] of Object.entries(handlers)) {
      source.addEventListener(event, ({ data }) => handle(JSON.parse(data)));
    }
  }
  function end() {
    clearTimeout(retrying);
    source.close();
  }
  open();
  addEventListener("pagehide", end, { once: true });
  return end;
}
