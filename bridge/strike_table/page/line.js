// The line to the server: it opens, is found dead, and opens again. What comes over it is somebody else's business.

const AGAIN = 1500; // milliseconds until we knock again, where the browser gave up
const FRESH = 13_000; // the server beats every 10 seconds: whoever hears nothing for longer is not live
const SILENT = 25_000; // and after so long has no line
const LOOK = 1000; // between looks at the clock

export class Line {
  #address;
  #events;
  #onState;
  #onSeen;
  #source = null;
  #seen = "";
  #heard = null; // when something came over the line; by the clock, which goes on while a device sleeps
  #begun = 0;
  #knock = null;

  /** `address(path, query)` makes an address of ours; `events` maps kinds to what is done with their data; `onState`
   * is told "live" when something was heard just now, "lost" with when that was last, or null, or "refused"; `onSeen` of the
   * version that is known after an event. */
  constructor({ address, events, onState, onSeen }) {
    this.#address = address;
    this.#events = events;
    this.#onState = onState;
    this.#onSeen = onSeen;
    setInterval(() => this.#listen(), LOOK);
    addEventListener("online", () => this.open());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    addEventListener("pagehide", () => this.#source?.close());
    // A device that was asleep finds out at once.
    document.addEventListener("visibilitychange", () => !document.hidden && this.#listen());
  }

  /** (Re)connect. The server sends what we missed since the version we saw, or a snapshot. */
  open() {
    clearTimeout(this.#knock);
    this.#source?.close();
    this.#begun = Date.now();
    const source = new EventSource(this.#address("/events", this.#seen ? { after: this.#seen } : {}));
    this.#source = source;
    source.onopen = () => this.#hear();
    source.onerror = () => this.#onError(source);
    source.addEventListener("beat", () => this.#hear());
    for (const [kind, change] of Object.entries(this.#events)) {
      source.addEventListener(kind, (event) => {
        this.#hear();
        change(JSON.parse(event.data));
        this.#seen = event.lastEventId;
        this.#onSeen(this.#seen);
      });
    }
  }

  #hear() {
    this.#heard = Date.now();
    this.#onState("live");
  }

  /** A line that nothing comes over is dead, whatever the browser says. */
  #listen() {
    if (this.#heard !== null && Date.now() - this.#heard > FRESH) this.#onState("lost", this.#heard);
    if (Date.now() - Math.max(this.#begun, this.#heard ?? 0) > SILENT) this.open();
  }

  async #onError(source) {
    this.#onState("lost", this.#heard);
    this.#begun = Date.now();
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
