// The turn order and the feed. Both change in place: a list drawn anew would lose focus and be read aloud again.

import { rollLine } from "./dice.js";
import { html, setText } from "./draw.js";
import { describe, health, hpLeft } from "./map.js";

const RESULTS_SHOWN = 500;

export class TurnList {
  #list;
  #onPoint;
  #rows = new Map();
  #activeId = null;

  /** `onPoint` is told the id of the creature that the reader points at, or null. */
  constructor(list, onPoint) {
    this.#list = list;
    this.#onPoint = onPoint;
  }

  update(tokens, order, labels, activeId) {
    const initiatives = new Map(order?.entries.map(({ id, initiative }) => [id, initiative]));
    const sorted = inOrder(tokens, order);
    for (const [id, row] of this.#rows) {
      if (!tokens.has(id)) {
        row.element.remove();
        this.#rows.delete(id);
      }
    }
    sorted.forEach((token, at) => {
      const row = this.#rows.get(token.id) ?? this.#addRow(token.id);
      row.update(token, initiatives.get(token.id) ?? token.initiative, labels.get(token.id), token.id === activeId);
      if (this.#list.children[at] !== row.element) this.#list.insertBefore(row.element, this.#list.children[at] ?? null);
    });
    if (activeId !== this.#activeId) this.#reveal(activeId);
    this.#activeId = activeId;
  }

  #addRow(id) {
    const row = new TurnRow(id);
    row.element.addEventListener("pointerenter", () => this.#onPoint(id));
    row.element.addEventListener("pointerleave", () => this.#onPoint(null));
    this.#rows.set(id, row);
    return row;
  }

  /** Scroll the list, never the page, until the acting one is seen. */
  #reveal(id) {
    const row = this.#rows.get(id)?.element;
    if (!row) return;
    const top = row.offsetTop - this.#list.offsetTop;
    const hidden = top < this.#list.scrollTop || top + row.offsetHeight > this.#list.scrollTop + this.#list.clientHeight;
    if (hidden) this.#list.scrollTop = top - this.#list.clientHeight / 3;
  }
}

/** As the order says; whoever isn't in it comes after, the quick ones first. */
function inOrder(tokens, order) {
  const places = new Map(order?.entries.map(({ id }, at) => [id, at]));
  const place = (token) => places.get(token.id) ?? Infinity;
  const quickness = (token) => token.initiative ?? -Infinity;
  return [...tokens.values()].sort((one, other) => {
    if (place(one) !== place(other)) return place(one) - place(other);
    if (quickness(one) !== quickness(other)) return quickness(other) - quickness(one);
    return one.name.localeCompare(other.name, undefined, { numeric: true });
  });
}

class TurnRow {
  constructor(id) {
    this.initiative = html("span", { class: "initiative", title: "Initiative" });
    this.chip = html("span", { class: "chip", "aria-hidden": "true" });
    this.name = html("span", { class: "name" });
    this.hp = html("span", { class: "hp-number" });
    this.bar = html("span", { class: "bar-left" });
    this.track = html("span", { class: "bar-track", "aria-hidden": "true" }, this.bar);
    this.statuses = html("span", { class: "statuses" });
    this.element = html(
      "li",
      { class: "turn", "data-row": id },
      this.initiative,
      this.chip,
      html(
        "span",
        { class: "who" },
        html("span", { class: "first" }, html("span", { class: "named" }, this.name, this.statuses), this.hp),
        this.track,
      ),
    );
  }

  update(token, initiative, short, active) {
    this.element.className = `turn ${token.side} ${token.state}${active ? " active" : ""}`;
    this.element.title = describe(token, active);
    if (active) this.element.setAttribute("aria-current", "true");
    else this.element.removeAttribute("aria-current");
    setText(this.initiative, initiative === null ? "" : String(initiative));
    setText(this.chip, short);
    setText(this.name, token.name || token.id);
    setText(this.hp, token.hp === null ? "" : `${token.hp.value}/${token.hp.max}`);

    const left = hpLeft(token.hp);
    this.track.hidden = left === null;
    this.bar.dataset.health = health(left);
    this.bar.style.width = `${(left ?? 0) * 100}%`;

    const words = [...(STATE_WORDS[token.state] ?? []), ...token.statuses];
    if (words.join("\n") !== [...this.statuses.children].map((pill) => pill.textContent).join("\n")) {
      this.statuses.replaceChildren(...words.map((word) => html("span", { class: "pill" }, word)));
    }
  }
}

const STATE_WORDS = { down: ["Down"], out: ["Taken out"] };

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
      result.undone ? html("span", { class: "pill" }, "Undone") : null,
      time(result.at),
    ),
    ...result.dice.map(rollLine),
    body ? html("p", { class: "card-text" }, body) : null,
  );
}

// A result's text usually begins with its title, and a title says who did what before a colon: each is
// said once.
function headed({ title, text }) {
  const rest = text.startsWith(title) ? text.slice(title.length).trimStart() : text;
  const colon = title.indexOf(": ");
  if (colon < 0 || rest === text) return [title, rest];
  return [title.slice(0, colon), `${title.slice(colon + 2)} ${rest}`.trimEnd()];
}

function cardClass({ undone, dice }, body) {
  return ["card", undone && "undone", dice.length === 0 && !body && "brief"].filter(Boolean).join(" ");
}

function time(at) {
  const when = new Date(at ?? NaN);
  if (Number.isNaN(when.getTime())) return null;
  const shown = when.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
  return html("time", { datetime: when.toISOString() }, shown);
}
