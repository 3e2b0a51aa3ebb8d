// All there is to know of one creature, in a corner of the map: for whoever points at a marker or picks it.

import { html, setText } from "./draw.js";
import { vitality } from "./hp.js";
import { squareName } from "./tokens.js";
import { Portrait } from "./portraits.js";

const SIDES = { party: "Party", enemies: "Enemy", neutral: "Neutral" };
const STATES = { up: "", down: "Down", out: "Taken out" };

export class Card {
  #root;
  #pictureAt;
  #face = html("img", { class: "portrait", alt: "" });
  #portrait = new Portrait(this.#face);
  #name = html("strong", { class: "card-name" });
  #line = html("span", { class: "card-line" });
  #bar = html("span", { class: "bar-left" });
  #track = html("span", { class: "bar-track", "aria-hidden": "true" }, this.#bar);
  #statuses = html("span", { class: "card-statuses" });

  /** `pictureAt` makes the address of an image from its hash. */
  constructor(root, { pictureAt }) {
    this.#root = root;
    this.#pictureAt = pictureAt;
    const words = html("div", { class: "card-words" }, this.#name, this.#line);
    root.append(html("div", { class: "card-head" }, this.#face, words), this.#track, this.#statuses);
  }

  /** Show a creature, or none. */
  show(token) {
    this.#root.hidden = !token;
    if (!token) return;
    const { left, health, words } = vitality(token);
    this.#root.className = `creature ${token.side}`;
    this.#portrait.show(token.image && this.#pictureAt(token.image.hash));
    setText(this.#name, token.name || token.id);
    const facts = [
      SIDES[token.side],
      token.position && squareName(token.position),
      token.size > 1 && `size ${token.size}`,
      STATES[token.state],
      token.hidden && "hidden from players",
      words,
    ];
    setText(this.#line, facts.filter(Boolean).join(" · "));
    this.#track.hidden = left === null;
    this.#bar.dataset.health = health;
    this.#bar.style.width = `${(left ?? 0) * 100}%`;
    this.#statuses.replaceChildren(...token.statuses.map((status) => html("span", { class: "pill" }, status)));
  }
}
