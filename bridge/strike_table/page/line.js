// The line to the server: it opens, is found dead, and opens again. What comes over it is somebody else's business.

import { Pulse } from "./pulse.js";

const AGAIN = 1500; // milliseconds until we knock again, where the browser gave up

export class Line {
  #address;
  #events;
  #onState;
  #onSeen;
  #source = null;
  #seen = "";
  #pulse;
  #knock = null;

  /** `address(path, query)` makes an address of ours; `events` maps kinds to what is done with their data; `onState`
   * is told what a pulse tells, or "refused"; `onSeen` of the version that is known after an event. */
  constructor({ address, events, onState, onSeen = () => {} }) {
    this.#address = address;
    this.#events = events;
    this.#onState = onState;
    this.#onSeen = onSeen;
    this.#pulse = new Pulse(onState, () => this.open());
    addEventListener("online", () => this.open());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    addEventListener("pagehide", () => this.#source?.close());
  }

  /** Begin with what the answer with the page had the browser ask for already; what comes later comes over the line. */
  async begin() {
    this.#pulse.begin();
    const answer = await fetch(this.#address("/api/v1/state")).catch(() => null);
    if (answer?.status === 401) return this.#onState("refused");
    const state = answer?.ok ? await answer.json().catch(() => null) : null;
    this.#seen = state ? String(state.version) : "";
    this.open();
    if (!state) return;
    this.#events.snapshot(state);
    this.#onSeen(this.#seen);
  }

  /** (Re)connect. The server sends what we missed since the version we saw, or a snapshot. */
  open() {
    clearTimeout(this.#knock);
    this.#source?.close();
    this.#pulse.begin();
    const source = new EventSource(this.#address("/events", this.#seen ? { after: this.#seen } : {}));
    this.#source = source;
    source.onopen = () => this.#pulse.hear();
    source.onerror = () => this.#onError(source);
    source.addEventListener("beat", () => this.#pulse.hear());
    for (const [kind, change] of Object.entries(this.#events)) {
      source.addEventListener(kind, (event) => {
        this.#pulse.hear();
        change(JSON.parse(event.data));
        this.#seen = event.lastEventId;
        this.#onSeen(this.#seen);
      });
    }
  }

  async #onError(source) {
    this.#pulse.lose();
    this.#pulse.begin();
    if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    clearTimeout(this.#knock);
    this.#knock = setTimeout(() => this.open(), AGAIN);
    const answer = await fetch(this.#address("/api/v1/state"), { method: "HEAD" }).catch(() => null);
    if (answer?.status === 401) {
      clearTimeout(this.#knock);
      this.#onState("refused");
    }
  }
}
