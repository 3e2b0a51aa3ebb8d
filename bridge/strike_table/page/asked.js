// What is asked: the open decisions, large, each with who must answer, the dice that led to it, and what may be
// answered. Where the page acts, an answer is a button.

import { rollLine } from "./dice.js";
import { html } from "./draw.js";
import { sentence } from "./names.js";

const DICE = 6; // rolls that are shown of a decision, the last ones

export class AskedList {
  #panel;
  #list;

  #choosing;

  /** `choosing(answer)` is what chooses it, or false where this page doesn't act. */
  constructor(panel, list, choosing) {
    this.#panel = panel;
    this.#list = list;
    this.#choosing = choosing;
  }

  /** Draw them anew: the page acts now. */
  again(asked) {
    this.#list.dataset.told = "";
    this.update(asked);
  }

  update(asked) {
    this.#panel.hidden = asked.length === 0;
    const told = JSON.stringify(asked);
    if (told === this.#list.dataset.told) return; // drawn anew it would be read aloud again
    this.#list.dataset.told = told;
    this.#list.replaceChildren(...asked.map((one) => decision(one, this.#choosing)));
  }
}

function decision(asked, choosing) {
  const { options, said, dice } = asked.gm ?? asked; // the game master's has all that players are not told
  return html(
    "li",
    { class: asked.hidden ? "asked secret" : "asked", "data-asked": asked.id },
    html(
      "p",
      { class: "asked-who" },
      html("strong", {}, asked.name || sentence(asked.who) || "The table"),
      html("span", { class: "asked-what" }, asked.what),
      asked.hidden ? html("span", { class: "pill" }, "Only you") : null,
    ),
    html(
      "div",
      { class: "asked-led" },
      said.length > 0 ? html("p", { class: "asked-said" }, said.at(-1)) : null,
      ...dice.slice(-DICE).map(rollLine),
    ),
    html("ul", { class: "asked-options" }, ...options.map((one) => option(one, choosing(one.name)))),
  );
}

function option({ name, label }, choose) {
  const words = label || sentence(name);
  if (!choose) return html("li", { class: "option" }, words);
  const button = html("button", { type: "button", class: "option act" }, words);
  button.addEventListener("click", choose);
  return html("li", {}, button);
}
