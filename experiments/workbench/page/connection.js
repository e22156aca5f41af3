/** The server: actions go one after another, events come as they are made. */

const HEADERS = { "Content-Type": "application/json", "X-Evenhand": "workbench" };
const RETRY_MS = 2000;

/** What the server refused, with the place of the page that it is about. */
export class Refusal extends Error {
  constructor(text, place) {
    super(text);
    this.place = place;
  }
}

async function post(path, body) {
  let answer;
  try {
    answer = await fetch(path, { method: "POST", headers: HEADERS, body: JSON.stringify(body) });
  } catch {
    throw new Refusal("The workbench does not answer, so this was not done.", null);
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(told.error ?? `refused (${answer.status})`, told.place ?? null);
  return told;
}

/**
 * Sends actions in order, one at a time. Of those on the same number that still wait in a row only
 * the last is sent, so a key that is held down does not make a queue.
 */
export class Actions {
  #waiting = [];
  #isSending = false;

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
        settle(await post(path, body), null);
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        settle(null, refusal);
      }
    }
    this.#isSending = false;
  }
}

/** Listens, and says when the connection is lost and regained; `heard[event](data)` as they come. */
export function listen(heard, onLink) {
  const source = new EventSource("/events");
  source.onopen = () => onLink(true);
  source.onerror = () => {
    onLink(false);
    if (source.readyState !== EventSource.CLOSED) return; // it tries again by itself
    setTimeout(() => listen(heard, onLink), RETRY_MS);
  };
  for (const [event, hear] of Object.entries(heard)) {
    source.addEventListener(event, ({ data }) => hear(JSON.parse(data)));
  }
  addEventListener("pagehide", () => source.close(), { once: true });
}
