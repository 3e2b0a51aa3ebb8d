// Between scenes: the session's title, what the last scene came to, and the party with what it has and what ails it.

import { button, html } from "./draw.js";
import { sentence, shortNames } from "./names.js";
import { Portrait } from "./portraits.js";

export class Between {
  #root;
  #pictureAt;
  #drawn = "";

  /** `pictureAt` makes the address of an image from its hash. */
  constructor(root, { pictureAt }) {
    this.#root = root;
    this.#pictureAt = pictureAt;
  }

  /** Show the evening, or nothing of it; `outcome` is the result that the last scene ended with, or null; `prepared` are
   * the scenes that `play` begins. */
  show(evening, outcome, prepared, play) {
    const drawn = JSON.stringify([evening, outcome, prepared]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#root.replaceChildren(
      ...[evening && session(evening), outcome && cost(outcome), evening?.party.length && this.#party(evening.party), prepared.length && begun(prepared, play)].filter(Boolean),
    );
  }

  #party(party) {
    const short = shortNames(party);
    const cards = party.map(({ id, name, image, conditions, numbers }) => {
      const face = html("img", { class: "portrait", alt: "" });
      new Portrait(face).show(image && this.#pictureAt(image.hash));
      return html(
        "li",
        { class: "member party", "data-member": id },
        html("span", { class: "chip", "aria-hidden": "true" }, html("span", {}, short.get(id)), face),
        html("span", { class: "name" }, name),
        html("span", { class: "member-numbers" }, ...numbers.map((one) => html("span", { class: "pill number" }, `${one.value} ${one.name}`))),
        html("span", { class: "member-conditions" }, ...conditions.map((one) => html("span", { class: "pill ail" }, one))),
      );
    });
    return html("ul", { class: "members", "aria-label": "The party" }, ...cards);
  }
}

/** What is prepared, as cards: one press begins it. */
function begun(prepared, play) {
  const card = ({ name, kind, line }) =>
    html("li", {}, button({ title: line }, () => play(line), html("strong", {}, name), html("span", {}, sentence(kind).replace(/s$/, ""))));
  return html("ul", { class: "prepared", "aria-label": "Prepared" }, ...prepared.map(card));
}

function session({ number, title, open }) {
  if (!number) return null;
  const words = [`Session ${number}`, title, !open && "over"].filter(Boolean).join(" · ");
  return html("p", { class: "session" }, words);
}

/** What the last scene came to, line by line: the first says how it ended, the others what it cost. */
function cost({ title, play }) {
  const [first, ...others] = play.lines.map(({ text }) => text);
  return html(
    "section",
    { class: "cost", "aria-label": "The last scene" },
    html("p", { class: "cost-first" }, first ?? title),
    others.length > 0 ? html("ul", {}, ...others.map((text) => html("li", {}, text))) : null,
  );
}
