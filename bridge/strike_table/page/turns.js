// The turn order. It changes in place: a list drawn anew would lose focus.

import { html, setText } from "./draw.js";
import { vitality } from "./hp.js";
import { describe } from "./tokens.js";
import { Portrait } from "./portraits.js";

export class TurnList {
  #list;
  #pictureAt;
  #onPoint;
  #onPick;
  #rows = new Map();
  #activeId = null;

  /** `pictureAt` makes the address of an image from its hash. `onPoint` is told the id of the creature that the reader points at, or null; `onPick` of one chosen. */
  constructor(list, { pictureAt, onPoint, onPick }) {
    this.#list = list;
    this.#pictureAt = pictureAt;
    this.#onPoint = onPoint;
    this.#onPick = onPick;
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
      row.portrait.show(token.image && this.#pictureAt(token.image.hash));
      row.update(token, initiatives.get(token.id) ?? token.initiative, labels.get(token.id), token.id === activeId);
      if (this.#list.children[at] !== row.element) this.#list.insertBefore(row.element, this.#list.children[at] ?? null);
    });
    if (activeId !== this.#activeId) this.#reveal(activeId);
    this.#activeId = activeId;
  }

  #addRow(id) {
    const row = new TurnRow(id);
    row.button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && this.#onPoint(id));
    row.button.addEventListener("pointerleave", () => this.#onPoint(null));
    row.button.addEventListener("click", () => this.#onPick(id));
    this.#rows.set(id, row);
    return row;
  }

  /** Scroll the list, never the page, until the acting one is seen. */
  #reveal(id) {
    const row = this.#rows.get(id)?.element;
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
    this.initials = html("span");
    const face = html("img", { class: "portrait", alt: "" });
    this.portrait = new Portrait(face);
    this.chip = html("span", { class: "chip", "aria-hidden": "true" }, this.initials, face);
    this.name = html("span", { class: "name" });
    this.hp = html("span", { class: "hp-number" });
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
        html("span", { class: "first" }, html("span", { class: "named" }, this.name, this.statuses), this.hp),
        this.track,
      ),
    );
    this.element = html("li", {}, this.button);
  }

  update(token, initiative, short, active) {
    const classes = ["turn", token.side, token.state, active && "active", token.hidden && "unseen"];
    this.button.className = classes.filter(Boolean).join(" ");
    this.button.setAttribute("aria-label", describe(token, active));
    if (active) this.button.setAttribute("aria-current", "true");
    else this.button.removeAttribute("aria-current");
    setText(this.initiative, initiative === null ? "" : String(initiative));
    setText(this.initials, short);
    setText(this.name, token.name || token.id);
    const { left, health, number, words: told } = vitality(token);
    setText(this.hp, number || (left === null ? told : ""));
    this.hp.dataset.health = number ? "" : health;
    this.track.hidden = left === null;
    this.bar.dataset.health = health;
    this.bar.style.width = `${(left ?? 0) * 100}%`;

    const words = [...(token.hidden ? ["Hidden"] : []), ...(STATE_WORDS[token.state] ?? []), ...token.statuses];
    if (words.join("\n") !== [...this.statuses.children].map((pill) => pill.textContent).join("\n")) {
      this.statuses.replaceChildren(...words.map((word) => html("span", { class: "pill" }, word)));
    }
  }
}

const STATE_WORDS = { down: ["Down"], out: ["Taken out"] };
