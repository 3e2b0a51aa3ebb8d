// The turn order. It changes in place: a list drawn anew would lose focus.

import { html, redraw, setText } from "./draw.js";
import { sign } from "./icons.js";
import { brief, readings } from "./meters.js";
import { details } from "./tokens.js";
import { Portrait } from "./portraits.js";

export class TurnList {
  #list;
  #pictureAt;
  #onPoint;
  #onPick;
  #rows = new Map();
  #acting = null;
  #revealed = null;
  #most;
  #more;

  /** `pictureAt` makes the address of an image from its hash. `onPoint` is told the id of the creature that the reader
   * points at, or null; `onPick` of one chosen. `most` rows are shown, from who acts on; `more` says how many are not. */
  constructor(list, { pictureAt, onPoint, onPick, most = Infinity, more }) {
    this.#most = most;
    this.#more = more;
    this.#list = list;
    this.#pictureAt = pictureAt;
    this.#onPoint = onPoint;
    this.#onPick = onPick;
    if (most < Infinity) new ResizeObserver(() => this.#countMore()).observe(list);
  }

  /** Everybody in the order of their turns. `sides` says how sides are called and coloured. */
  update(tokens, order, { labels, sides, activeId }) {
    const places = this.#folded(placesOf(tokens, order, activeId));
    const keys = new Set(places.map(({ key }) => key));
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      row.element.remove();
      this.#rows.delete(key);
    }
    places.forEach((place, at) => {
      const row = this.#rows.get(place.key) ?? this.#addRow(place);
      if (place.token) {
        row.portrait.show(place.token.image && this.#pictureAt(place.token.image.hash));
        row.update(place, labels.get(place.token.id), sides.colour(place.token.side));
      } else row.update(place, sides);
      row.element.toggleAttribute("hidden", place.folded);
      if (this.#list.children[at] !== row.element) this.#list.insertBefore(row.element, this.#list.children[at] ?? null);
    });
    this.#list.classList.toggle("unnumbered", places.every(({ initiative }) => (initiative ?? null) === null));
    const next = order?.kind === "list" ? places.find(({ state }) => state === "waiting") : null;
    this.#acting = (places.find(({ active }) => active) ?? next)?.key ?? null;
    if (this.#most < Infinity) this.#countMore();
  }

  /** From who acts on, where only so many are shown: the rest is counted. */
  #folded(places) {
    const acts = places.findIndex(({ active }) => active);
    const at = Math.max(0, acts < 0 ? places.findIndex(({ state }) => state === "waiting") : acts);
    const turned = this.#most < places.length ? [...places.slice(at), ...places.slice(0, at)] : places;
    let shown = 0;
    for (const place of turned) place.folded = this.#most < turned.length && (place.token?.state === "out" || (place.token && ++shown > this.#most));
    return turned;
  }

  /** Say how many are not shown: those that are folded, and those that found no room. */
  #countMore() {
    const rows = [...this.#list.children];
    const more = rows.filter((row) => row.hidden || row.offsetLeft - this.#list.offsetLeft >= this.#list.clientWidth).length;
    setText(this.#more, more > 0 ? `${more} more` : "");
  }

  /** Bring who acts into sight, where that is somebody else or the list has only just come up. Call it once the list
   * is laid out. */
  reveal() {
    // Whether the list is there is asked last: it has all of the page laid out.
    if (this.#acting === this.#revealed || this.#list.offsetParent === null) return;
    this.#scrollTo(this.#acting);
    this.#revealed = this.#acting;
  }

  #addRow({ key, token }) {
    const row = token ? new TurnRow(token.id) : new SideRow();
    this.#rows.set(key, row);
    if (!token) return row;
    row.button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && this.#onPoint(token.id));
    row.button.addEventListener("pointerleave", () => this.#onPoint(null));
    row.button.addEventListener("click", () => this.#onPick(token.id));
    return row;
  }

  /** Scroll the list, never the page, until the acting one is seen. */
  #scrollTo(key) {
    const row = this.#rows.get(key)?.element;
    if (!row) return;
    const list = this.#list;
    const top = row.offsetTop - list.offsetTop;
    const left = row.offsetLeft - list.offsetLeft;
    if (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 3;
    }
    if (left < list.scrollLeft || left + row.offsetWidth > list.scrollLeft + list.clientWidth) {
      list.scrollLeft = left - list.clientWidth / 3;
    }
  }
}

const READY = { acting: 0, waiting: 1, "": 1, held: 2, delayed: 2, acted: 3 };

/** The rows of the list: places {key, token, state, count, initiative, active}, or of a side {key, side, state, active}.
 * Somebody with two turns has two; people in no order come after. */
function placesOf(tokens, order, activeId) {
  const entries = order?.entries ?? [];
  if (order?.kind === "sides") return bySides(tokens, entries, activeId);
  const seen = new Map();
  const acting = entries.some(({ state }) => state === "acting");
  const places = entries
    .filter(({ id }) => tokens.has(id))
    .map(({ id, initiative, state, count }) => {
      const turn = (seen.get(id) ?? 0) + 1;
      seen.set(id, turn);
      const active = acting ? state === "acting" : id === activeId && turn === 1;
      return placeOf(tokens.get(id), { key: `${id} ${turn}`, initiative, state, count, active });
    });
  if (order?.kind === "pool") places.sort((one, other) => READY[one.state] - READY[other.state]);
  return [...places, ...idle([...tokens.values()].filter(({ id }) => !seen.has(id)), activeId)];
}

/** Sides, each with those of it. The entries that are no side's say how somebody of one stands in this round. */
function bySides(tokens, entries, activeId) {
  const everybody = [...tokens.values()];
  const ofSomebody = new Set(everybody.map(({ side }) => side));
  const listed = entries.filter(({ id }) => ofSomebody.has(id) || !tokens.has(id));
  const stands = new Map(entries.filter(({ id }) => tokens.has(id)).map((entry) => [entry.id, entry]));
  const members = (some) =>
    idle(some, null).map((place) => {
      const { state = "", count = 1 } = stands.get(place.token.id) ?? {};
      return { ...place, state, count };
    });
  const rows = listed.flatMap(({ id, state }) => [
    { key: `side ${id}`, side: id, state, active: id === activeId },
    ...members(everybody.filter(({ side }) => side === id)),
  ]);
  const named = new Set(listed.map(({ id }) => id));
  return [...rows, ...members(everybody.filter(({ side }) => !named.has(side)))];
}

/** Who has no place in the order: the quick ones first. */
function idle(tokens, activeId) {
  const quickness = (token) => token.initiative ?? -Infinity;
  const sorted = tokens.sort((one, other) => {
    if (quickness(one) !== quickness(other)) return quickness(other) - quickness(one);
    return one.name.localeCompare(other.name, undefined, { numeric: true });
  });
  return sorted.map((token) => placeOf(token, { key: `${token.id} 1`, active: token.id === activeId }));
}

function placeOf(token, { key, initiative = null, state = "", count = 1, active }) {
  return { key, token, initiative: initiative ?? token.initiative, state, count, active };
}

/** The heading of a side that acts as one. */
class SideRow {
  constructor() {
    this.element = html("li", { class: "side-turn" });
  }

  update({ side, state, active }, sides) {
    this.element.className = ["side-turn", sides.colour(side), active && "active"].filter(Boolean).join(" ");
    this.element.dataset.turn = state;
    if (active) this.element.setAttribute("aria-current", "true");
    else this.element.removeAttribute("aria-current");
    setText(this.element, sides.name(side));
  }
}

class TurnRow {
  #drawn = "";

  constructor(id) {
    this.initiative = html("span", { class: "initiative", title: "Initiative" });
    this.initials = html("span");
    const face = html("img", { class: "portrait", alt: "" });
    this.portrait = new Portrait(face);
    this.chip = html("span", { class: "chip", "aria-hidden": "true" }, this.initials, face);
    this.name = html("span", { class: "name" });
    this.count = html("span", { class: "count" });
    this.hp = html("span", { class: "hp-number" });
    this.unit = html("span", { class: "unit" });
    this.bar = html("span", { class: "bar-left" });
    this.track = html("span", { class: "bar-track", "aria-hidden": "true" }, this.bar);
    this.statuses = html("span", { class: "statuses" });
    this.button = html(
      "button",
      { type: "button", class: "turn", "data-row": id },
      this.initiative,
      this.chip,
      html(
        "span",
        { class: "who" },
        html("span", { class: "first" }, html("span", { class: "named" }, this.name, this.count, this.statuses), this.hp, this.unit),
        this.track,
      ),
    );
    this.element = html("li", {}, this.button);
  }

  update({ token, initiative, state, count, active }, short, colour) {
    const drawn = JSON.stringify([token, initiative, state, count, active, short, colour]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const classes = ["turn", colour, token.state, active && "active", token.hidden && "unseen"];
    this.button.className = classes.filter(Boolean).join(" ");
    this.button.dataset.turn = state;
    const said = [details(token, active), ...(SAID[state] ?? []), count > 1 && `${count} of them`];
    this.button.setAttribute("aria-description", said.filter(Boolean).join(", ")); // its name is what it shows
    if (active) this.button.setAttribute("aria-current", "true");
    else this.button.removeAttribute("aria-current");
    setText(this.initiative, initiative === null ? "" : String(initiative));
    setText(this.initials, short);
    setText(this.name, token.name || token.id);
    setText(this.count, count > 1 ? `×${count}` : "");
    const { first, others } = readings(token);
    setText(this.hp, first.number || (first.left === null ? first.words : ""));
    setText(this.unit, first.number ? first.unit : "");
    this.hp.dataset.health = first.number ? "" : first.health;
    this.track.hidden = first.left === null;
    this.bar.dataset.health = first.health;
    this.bar.style.width = `${(first.left ?? 0) * 100}%`;

    const words = [...(token.hidden ? ["Hidden"] : []), ...(STATE_WORDS[token.state] ?? []), ...(HELD[state] ?? [])];
    const pills = [...[...words, ...token.statuses].map((word) => ["pill", word]), ...others.map((one) => ["pill number", brief(one)])];
    redraw(this.statuses, pills, () => pills.map(([kind, word]) => html("span", { class: kind }, kind === "pill" ? sign(word) : null, word)));
  }
}

const STATE_WORDS = { down: ["Down"], out: ["Out"] };
const HELD = { held: ["Held"], delayed: ["Delayed"] };
const SAID = { acted: ["has acted"], held: ["holds their turn"], delayed: ["delays"] };
