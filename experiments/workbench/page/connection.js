/** The server: actions go one after another, events come as they are made. */

const HEADERS = { "Content-Type": "application/json", "X-Evenhand": "workbench" };
const SESSION_HEADER = "X-Evenhand-Session";
const OUTDATED = 409; // the page is of another session than the one that answers
const RETRY_MS = 2000;

/** What the server refused, with the place of the page that it is about. */
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
    throw new Refusal("The workbench does not answer, so this was not done.", null);
  }
  const told = await answer.json().catch(() => ({}));
  const { error = `refused (${answer.status})`, place = null } = told;
  if (!answer.ok) throw new Refusal(error, place, answer.status);
  return told;
}

/**
 * Sends actions in order, one at a time. Of those on the same number that still wait in a row only
 * the last is sent, so a key that is held down does not make a queue.
 */
export class Actions {
  session = ""; // whose actions these are
  #waiting = [];
  #isSending = false;
  #onOutdated;

  constructor(onOutdated) {
    this.#onOutdated = onOutdated;
  }

  /** `settle(reply, refusal)` is called with the answer, or with neither if another took its place. */
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
 * Listens, and says when the connection is lost and regained; `heard[event](data)` as they come.
 * What is returned ends it.
 */
export function listen(heard, onLink) {
  let source = null;
  let retrying = 0;
  function open() {
    source = new EventSource("/events");
    source.onopen = () => onLink(true);
    source.onerror = () => {
      onLink(false);
      if (source.readyState !== EventSource.CLOSED) return; // it tries again by itself
      retrying = setTimeout(open, RETRY_MS);
    };
    for (const [event, hear] of Object.entries(heard)) {
      source.addEventListener(event, ({ data }) => hear(JSON.parse(data)));
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
