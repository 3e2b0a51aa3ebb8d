// The dice are the moment: what a roll came to, its words, HP, who falls, waits until they lie. The bridge tells of tokens
// before it tells of the result, so that tokens wait a little for one. Where less motion is asked for nothing waits.

const GATHER = 80; // milliseconds that tokens wait for a result
const MOST = 3; // results with dice that wait for one another: where more come, as of an old campaign, nothing waits
const WAITS = new Set(["token", "token-removed", "order", "asked", "scene"]);

export class Moment {
  #events;
  #roll;
  #isNew;
  #held = [];
  #timer = 0;
  #rolling = false;

  /** `events` maps kinds to what is done with their data; `roll(result)` throws its dice and says in how many milliseconds
   * they lie, 0 where nothing moves; `isNew(result)` whether it has just happened. */
  constructor({ events, roll, isNew }) {
    this.#events = events;
    this.#roll = roll;
    this.#isNew = isNew;
  }

  /** The same events, each held back where it has to be. */
  get events() {
    return Object.fromEntries(Object.keys(this.#events).map((kind) => [kind, (data) => this.#take(kind, data)]));
  }

  #take(kind, data) {
    if (kind === "snapshot") this.#drop();
    const waits = this.#held.length > 0 || (moves() && (WAITS.has(kind) || this.#rolls(kind, data)));
    if (!waits || kind === "ping" || kind === "sign") {
      this.#events[kind](data);
      return;
    }
    this.#held.push([kind, data]);
    if (this.#held.filter((one) => this.#rolls(...one)).length > MOST) {
      this.#hurry();
      return;
    }
    if (this.#rolling) return;
    if (kind === "result") this.#begin();
    else this.#timer ||= setTimeout(() => this.#release(), GATHER);
  }

  #rolls(kind, data) {
    return kind === "result" && data.dice.length > 0 && !data.undone && this.#isNew(data);
  }

  /** The first result that is held has its dice thrown; all else waits for them. */
  #begin() {
    clearTimeout(this.#timer);
    const first = this.#held.find(([kind, data]) => this.#rolls(kind, data));
    const wait = first ? this.#roll(first[1]) : 0;
    this.#rolling = wait > 0;
    this.#timer = setTimeout(() => this.#release(first), wait);
    if (wait === 0) this.#release(first);
  }

  /** Do all that waited, up to the next result with dice of its own. */
  #release(rolled = null) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#rolling = false;
    while (this.#held.length > 0) {
      const next = this.#held[0];
      if (next !== rolled && this.#rolls(...next)) {
        this.#begin();
        return;
      }
      this.#held.shift();
      this.#events[next[0]](next[1]);
    }
  }

  /** Do all that waited, at once. */
  #hurry() {
    const held = this.#held;
    this.#drop();
    for (const [kind, data] of held) this.#events[kind](data);
  }

  #drop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#rolling = false;
    this.#held = [];
  }
}

function moves() {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
