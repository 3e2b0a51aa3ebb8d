// What happened, newest on top. Cards change in place: a list drawn anew would be read aloud again.

import { rollLine } from "./dice.js";
import { html } from "./draw.js";

const RESULTS_SHOWN = 500;
const HEADING = 90; // characters: a longer title is no heading

export class Feed {
  #log;
  #empty;
  #cards = new Map();

  constructor(log, empty) {
    this.#log = log;
    this.#empty = empty;
  }

  /** Show these, newest on top. Nothing is read aloud: the reader has only just sat down. */
  reset(results) {
    this.#log.setAttribute("aria-live", "off");
    this.#cards = new Map(results.map((result) => [result.id, card(result)]));
    this.#log.replaceChildren(...[...this.#cards.values()].reverse());
    this.#finish();
    requestAnimationFrame(() => this.#log.setAttribute("aria-live", "polite"));
  }

  /** A new result comes on top; a known one changes where it stands. */
  add(result) {
    const drawn = card(result);
    const known = this.#cards.get(result.id);
    if (known) known.replaceWith(drawn);
    else {
      drawn.classList.add("arriving");
      this.#log.prepend(drawn);
      this.#log.scrollTop = 0;
    }
    this.#cards.set(result.id, drawn);
    this.#finish();
  }

  /** It is told no longer. */
  remove(id) {
    this.#cards.get(id)?.remove();
    this.#cards.delete(id);
    this.#finish();
  }

  #finish() {
    while (this.#log.children.length > RESULTS_SHOWN) {
      this.#cards.delete(this.#log.lastElementChild.dataset.result);
      this.#log.lastElementChild.remove();
    }
    this.#empty.hidden = this.#log.children.length > 0;
  }
}

function card(result) {
  const [heading, body] = headed(result);
  return html(
    "article",
    { class: cardClass(result, body), "data-result": result.id },
    html(
      "header",
      {},
      html(result.undone ? "s" : "span", { class: "card-title" }, heading),
      result.secret ? html("span", { class: "pill" }, "Only you") : null,
      result.undone ? html("span", { class: "pill" }, "Undone") : null,
      time(result.at),
    ),
    ...result.dice.map(rollLine),
    body ? html("p", { class: "card-text" }, body) : null,
  );
}

// A result's text usually begins with its title: it is said once.
function headed({ title, text }) {
  return [title, text.startsWith(title) ? text.slice(title.length).trimStart() : text];
}

function cardClass({ title, undone, secret, dice }, body) {
  const kinds = [
    undone && "undone",
    secret && "secret",
    title.length > HEADING && "lengthy",
    dice.length === 0 && !body && "brief",
  ];
  return ["card", ...kinds.filter(Boolean)].join(" ");
}

function time(at) {
  const when = new Date(at ?? NaN);
  if (Number.isNaN(when.getTime())) return null;
  const shown = when.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
  return html("time", { datetime: when.toISOString() }, shown);
}
