// A button that opens a list of buttons below it, made anew each time: one of them, a click elsewhere or Esc closes it.

import { button, html } from "./draw.js";

export class Menu {
  root;
  #button;
  #list;
  #items;

  /** `items()` are {words, act}, or come to be. */
  constructor(words, items) {
    this.#items = items;
    this.#button = button({ class: "act", "aria-expanded": "false" }, () => (this.#list.hidden ? this.#open() : this.#close()), words);
    this.#list = html("ul", { class: "menu-list", hidden: "" });
    this.root = html("div", { class: "menu" }, this.#button, this.#list);
    this.root.addEventListener("keydown", (event) => event.key === "Escape" && this.#close());
    addEventListener("pointerdown", ({ target }) => !this.root.contains(target) && this.#close());
  }

  async #open() {
    const items = await this.#items();
    const none = html("li", { class: "menu-none" }, "None");
    this.#list.replaceChildren(...(items.length > 0 ? items.map((one) => this.#item(one)) : [none]));
    this.#show(true);
  }

  #item({ words, act }) {
    const chosen = () => {
      this.#close();
      return act();
    };
    return html("li", {}, button({}, chosen, words));
  }

  #close() {
    if (this.#list.contains(document.activeElement)) this.#button.focus();
    this.#show(false);
  }

  #show(open) {
    this.#list.hidden = !open;
    this.#button.setAttribute("aria-expanded", String(open));
  }
}
