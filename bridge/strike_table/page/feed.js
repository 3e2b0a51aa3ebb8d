// What happened, newest on top, turn by turn. Cards change in place: a list drawn anew would be read aloud again, and
// somebody who reads back keeps their place.

import { card } from "./card-of-result.js";
import { NextFrame, html, setText } from "./draw.js";

const RESULTS_SHOWN = 500;
const MOST_OF_SCREEN = 0.62; // that the newest result of a television may take
const TOP = 12; // pixels: nearer to the top one watches, farther down one reads back

export class Feed {
  #log;
  #empty;
  #newer;
  #colourOf;
  #results = new Map();
  #cards = new Map();
  #all = new NextFrame(() => this.#putAll(), { after: true });
  #unread = 0;
  #reading = false; // noted as one scrolls: to ask for it has all of the page laid out
  #whole;

  /** `newer` is the button that says what came while one reads back; `colourOf(id)` the class of somebody's side.
   * Where `whole` is set, the page makes room for all of the newest result. */
  constructor(log, { empty, newer, colourOf, whole = false }) {
    this.#whole = whole;
    this.#log = log;
    this.#empty = empty;
    this.#newer = newer;
    this.#colourOf = colourOf;
    newer.addEventListener("click", () => {
      log.scrollTop = 0;
      log.focus();
    });
    const note = () => {
      this.#reading = log.scrollTop > TOP;
      if (!this.#reading) this.#count(0);
    };
    log.addEventListener("scroll", note, { passive: true });
    if (!whole) return;
    addEventListener("resize", () => this.#fit());
    document.fonts.ready.then(() => this.#fit());
  }

  /** What is longer than most of the screen is drawn smaller. */
  #fit() {
    const newest = this.#log.querySelector(".card:not(.only-begins)");
    if (!this.#whole || !newest) return;
    newest.style.zoom = "";
    const needs = newest.getBoundingClientRect().bottom - this.#log.parentElement.getBoundingClientRect().top;
    const room = innerHeight * MOST_OF_SCREEN;
    if (needs > room) newest.style.zoom = room / needs;
    document.documentElement.style.setProperty("--newest", `calc(${Math.min(needs, room)}px + 1.2rem)`);
  }

  /** The newest result that says what a scene came to; null where there is none. */
  get outcome() {
    const shown = [...this.#results.values()].filter(({ undone, secret }) => !undone && !secret);
    return shown.findLast(({ play }) => play?.outcome) ?? null;
  }

  has(id) {
    return this.#results.has(id);
  }

  /** Show these, newest on top, once the map is seen: an evening of cards takes longer to draw. Nothing is read aloud: the
   * reader has only just sat down. */
  reset(results) {
    this.#log.setAttribute("aria-live", "off");
    this.#results = new Map(results.map((result) => [result.id, result]));
    this.#cards.clear();
    this.#log.replaceChildren();
    this.#empty.hidden = results.length > 0;
    this.#count(0);
    this.#all.ask();
  }

  #putAll() {
    for (const result of this.#results.values()) this.#put(result);
    this.#finish();
    this.#log.scrollTop = 0;
    requestAnimationFrame(() => this.#log.setAttribute("aria-live", "polite"));
  }

  /** A new result comes on top; a known one changes where it stands. */
  add(result) {
    this.#all.now();
    const below = this.#reading ? this.#log.scrollHeight - this.#log.scrollTop : 0;
    const known = this.#cards.get(result.id);
    if (known) {
      const drawn = card(result, this.#colourOf);
      known.replaceWith(drawn);
      this.#results.set(result.id, result);
      this.#cards.set(result.id, drawn);
    } else {
      this.#put(result)?.classList.add("arriving");
      if (this.#reading) this.#count(this.#unread + 1);
    }
    this.#finish();
    if (this.#reading) this.#log.scrollTop = this.#log.scrollHeight - below;
  }

  /** It is told no longer. */
  remove(id) {
    this.#all.now();
    const gone = this.#cards.get(id);
    const group = gone?.parentElement;
    gone?.remove();
    if (group?.classList.contains("turn-group") && !group.querySelector(".card")) group.remove();
    this.#cards.delete(id);
    this.#results.delete(id);
    this.#finish();
  }

  /** The card of a result, in the group of its turn. What only says that a turn begins is the group's heading. */
  #put(result) {
    this.#results.set(result.id, result);
    const turn = result.play?.turn ?? null;
    const key = turn && !result.secret ? `${turn.scene} ${turn.round} ${turn.who}` : "";
    let group = this.#log.firstElementChild;
    const goesOn = group && (key === group.dataset.turn || result.secret);
    if (!goesOn || turn?.begins) {
      group = turnGroup(turn, key, this.#colourOf);
      this.#log.prepend(group);
    }
    const drawn = card(result, this.#colourOf);
    if (turn?.begins && turn.who && result.play.lines.length === 1) drawn.classList.add("only-begins");
    group.querySelector(".turn-name").after(drawn);
    this.#cards.set(result.id, drawn);
    return drawn;
  }

  #count(unread) {
    this.#unread = unread;
    this.#newer.hidden = unread === 0;
    setText(this.#newer, `${unread} new`);
  }

  #finish() {
    while (this.#results.size > RESULTS_SHOWN) this.remove(this.#results.keys().next().value);
    this.#empty.hidden = this.#results.size > 0;
    this.#fit();
  }
}

function turnGroup(turn, key, colourOf) {
  const round = turn?.round ? `Round ${turn.round}` : "";
  const heading = html(
    "h3",
    { class: turn?.name || round ? "turn-name" : "turn-name bare" },
    turn?.name ? html("span", { class: `named-one ${colourOf(turn.who, turn.side)}` }, turn.name) : null,
    round ? html("span", { class: "turn-round" }, round) : null,
  );
  return html("section", { class: "turn-group", "data-turn": key }, heading);
}
