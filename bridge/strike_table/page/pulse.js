// The pulse of a line to the server, and what a page says of it. The server beats every 10 seconds: a line that nothing
// comes over is dead, whatever the browser says.

const FRESH = 13_000; // milliseconds without a beat after which a page is not live
export const SILENT = 25_000; // and after so long has no line
const LOOK = 1000; // between looks at the clock
const WORDS = { live: "Live", refused: "Not connected", withdrawn: "Link withdrawn", unknown: "Wrong link", none: "No link" };

export class Pulse {
  #onState;
  #onDead;
  #heard = null; // when something came; by the clock, which goes on while a device sleeps
  #begun = 0;
  #losing = 0;

  /** `onState` is told "live" when something was heard just now, "lost" with when that was last, or null; `onDead` that
   * the line wants to be opened anew. */
  constructor(onState, onDead) {
    this.#onState = onState;
    this.#onDead = onDead;
    setInterval(() => this.#look(), LOOK);
    // A device that was asleep finds out at once.
    document.addEventListener("visibilitychange", () => !document.hidden && this.#look());
  }

  /** Whether anything ever came. */
  get known() {
    return this.#heard !== null;
  }

  begin() {
    this.#begun = Date.now();
  }

  hear() {
    clearTimeout(this.#losing);
    this.#heard = Date.now();
    this.#onState("live");
  }

  /** The line is lost: said a moment later, which a page that is being left doesn't have. Words for it cost as much as a
   * frame, and the next page would wait for them. */
  lose() {
    clearTimeout(this.#losing);
    this.#losing = setTimeout(() => this.#onState("lost", this.#heard));
  }

  end() {
    this.#onState = this.#onDead = () => {};
  }

  #look() {
    if (this.known && Date.now() - this.#heard > FRESH) this.lose();
    if (Date.now() - Math.max(this.#begun, this.#heard ?? 0) > SILENT) this.#onDead();
  }
}

/** How a line stands, as a reader is told. */
export function stateInWords(state, heard) {
  const clock = (time) => new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return WORDS[state] ?? (heard === null ? "Connecting" : `Not live since ${clock(heard)}`);
}
