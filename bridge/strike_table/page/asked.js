// What is asked: the open decisions, large, each with who must answer, the dice that led to it, and what may be
// answered. Where the page acts, an answer is a button.

import { rollLine } from "./dice.js";
import { button, html } from "./draw.js";
import { capital, sentence } from "./names.js";

const MOST_DICE = 6; // rolls: more, such as everybody's initiative, leave no room for the answers

export class AskedList {
  #panel;
  #list;

  #choosing;
  #open = [];

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

  /** What answers the first that is open, where this page acts. */
  get answers() {
    const [first] = this.#open;
    return first ? optionsOf(first).flatMap(({ name }) => this.#choosing(name) || []) : [];
  }

  update(asked) {
    this.#open = asked;
    this.#panel.hidden = asked.length === 0;
    const told = JSON.stringify(asked);
    if (told === this.#list.dataset.told) return; // drawn anew it would be read aloud again
    this.#list.dataset.told = told;
    this.#list.replaceChildren(...asked.map((one, at) => decision(one, this.#choosing, at === 0)));
  }
}

/** The game master's have all that players are not told. */
function optionsOf(asked) {
  return (asked.gm ?? asked).options;
}

/** One of them. The `first` is answered by numbers, too, where this page acts. */
function decision(asked, choosing, first) {
  const { said, dice } = asked.gm ?? asked;
  return html(
    "li",
    { class: asked.hidden ? "asked secret" : "asked", "data-asked": asked.id },
    html(
      "p",
      { class: "asked-who" },
      ...question(asked.name || sentence(asked.who) || "The table", asked.what),
      asked.hidden ? html("span", { class: "pill" }, "Only you") : null,
    ),
    html(
      "div",
      { class: "asked-led" },
      said.length > 0 ? html("p", { class: "asked-said" }, said.at(-1)) : null,
      ...(dice.length > MOST_DICE ? [] : dice).map(rollLine),
    ),
    html("ul", { class: "asked-options" }, ...optionsOf(asked).map((one, at) => option(one, choosing(one.name), first && at < 9 ? at + 1 : 0))),
  );
}

/** What is asked, with the name of who answers in bold: in the question, or before it where it isn't named there. */
function question(name, asks) {
  const [before, ...rest] = asks.split(name);
  const who = html("strong", {}, name);
  if (!rest.length) return [who, html("span", { class: "asked-what" }, asks)];
  return [html("span", { class: "asked-what" }, before, who, rest.join(name))];
}

function option({ name, label }, choose, number) {
  const words = label ? capital(label) : sentence(name);
  if (!choose) return html("li", { class: "option" }, words);
  return html("li", {}, button({ class: "option act" }, choose, number ? html("kbd", {}, String(number)) : null, words));
}
