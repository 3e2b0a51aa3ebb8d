// All there is to know of one creature, in a corner of the map: shown when a marker is pointed at or picked.

import { html, setText } from "./draw.js";
import { gauge } from "./gauge.js";
import { sign } from "./icons.js";
import { readings } from "./meters.js";
import { squareName } from "./tokens.js";
import { Portrait } from "./portraits.js";

const STATES = { up: "", down: "Down", out: "Out" };

export class Card {
  #root;
  #pictureAt;
  #face = html("img", { class: "portrait", alt: "" });
  #portrait = new Portrait(this.#face);
  #name = html("strong", { class: "card-name" });
  #line = html("span", { class: "card-line" });
  #meters = html("span", { class: "card-meters" });
  #statuses = html("span", { class: "card-statuses" });
  #reach = html("span", { class: "card-reach" });
  #shown = "";

  /** `pictureAt` makes the address of an image from its hash. */
  constructor(root, { pictureAt }) {
    this.#root = root;
    this.#pictureAt = pictureAt;
    const words = html("div", { class: "card-words" }, this.#name, this.#line);
    root.append(html("div", { class: "card-head" }, this.#face, words), this.#meters, this.#statuses, this.#reach);
  }

  /** Show a creature, or none. */
  show(token, sides) {
    this.#root.hidden = !token;
    if (token?.id !== this.#shown) this.reach(null);
    this.#shown = token?.id ?? "";
    if (!token) return;
    const { first, others } = readings(token);
    this.#root.className = `creature ${sides.colour(token.side)}`;
    this.#portrait.show(token.image && this.#pictureAt(token.image.hash));
    setText(this.#name, token.name || token.id);
    const facts = [
      sides.name(token.side),
      token.position && squareName(token.position),
      token.size > 1 && `size ${token.size}`,
      STATES[token.state],
      token.hidden && "hidden from players",
    ];
    setText(this.#line, facts.filter(Boolean).join(" · "));
    this.#meters.replaceChildren(...(first.words ? [gauge(first, true)] : []), ...others.map((one) => gauge(one, false)));
    this.#statuses.replaceChildren(...token.statuses.map((status) => html("span", { class: "pill" }, sign(status), status)));
  }

  /** Say what the marks on the map mean that show the reach of the shown creature. */
  reach(ranges) {
    const marks = [
      ranges?.moves.length && html("span", { class: "may-go-mark" }, "can go there"),
      ranges?.attacks.length && html("span", { class: "may-hit-mark" }, "in reach of attacks"),
    ];
    this.#reach.replaceChildren(...marks.filter(Boolean));
  }
}
