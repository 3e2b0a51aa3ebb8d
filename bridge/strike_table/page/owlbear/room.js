// Speaking with Owlbear Rodeo, which shows us in a frame: its messages, sent and heard. What is said with them is
// not known here. Nobody else's messages are heard, and nobody else is sent any.

export const OWLBEAR = "https://www.owlbear.rodeo";
const PATIENCE = 5000; // milliseconds for an answer

export class Room {
  #frame;
  #ref = null;
  #count = 0;
  #waiting = new Map(); // what an answer is called, to what is done with it
  #told = new Map(); // events, to who hears them
  #opened;

  /** `frame` is our window. */
  constructor(frame) {
    this.#frame = frame;
    this.opened = new Promise((resolve) => (this.#opened = resolve));
    frame.addEventListener("message", (event) => this.#hear(event));
  }

  /** Ask for something, or have something done. Fails with an Error of its words, or when no answer comes. */
  async ask(id, data = {}) {
    await this.opened;
    const nonce = `_${++this.#count}_${Math.random().toString(36).slice(2)}`;
    const names = [`${id}_RESPONSE${nonce}`, `${id}_ERROR${nonce}`];
    let timer;
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(names[0], resolve);
        this.#waiting.set(names[1], (problem) => reject(new Error(inWords(problem))));
        timer = setTimeout(() => reject(new Error(`${id} was not answered`)), PATIENCE);
        this.#send(id, data, nonce);
      });
    } finally {
      clearTimeout(timer);
      for (const name of names) this.#waiting.delete(name);
    }
  }

  /** Have `heard` told of an event's data from now on; `subscribe` is the message that asks for it. */
  async on(subscribe, event, heard) {
    await this.opened;
    this.#told.set(event, [...(this.#told.get(event) ?? []), heard]);
    this.#send(subscribe, {});
  }

  #send(id, data, nonce) {
    this.#frame.parent.postMessage({ id, data, ref: this.#ref, nonce }, OWLBEAR);
  }

  #hear({ origin, source, data: message }) {
    if (origin !== OWLBEAR || source !== this.#frame.parent || typeof message?.id !== "string") return;
    const { id, data } = message;
    if (id === "OBR_READY") {
      this.#ref = data.ref;
      this.#opened();
    }
    this.#waiting.get(id)?.(data);
    for (const heard of this.#told.get(id) ?? []) heard(data);
  }
}

function inWords(problem) {
  const { name, message } = problem?.error ?? problem ?? {};
  return [name, message].filter((words) => typeof words === "string" && words).join(": ") || "refused";
}
