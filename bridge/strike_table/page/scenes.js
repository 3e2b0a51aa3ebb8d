// Which scene one looks at, where several are under way at once: the first, until the reader chooses another.

import { button } from "./draw.js";

export class SceneChoice {
  #bar;
  #onChange;
  #chosen = null;
  #drawn = "";

  /** `onChange` is told when the reader has chosen. */
  constructor(bar, onChange) {
    this.#bar = bar;
    this.#onChange = onChange;
  }

  /** The one to show of several looks {scene, tokens, order}. */
  of(looks) {
    const shown = looks.find(({ scene }) => scene?.id === this.#chosen) ?? looks[0];
    this.#draw(looks, shown);
    return shown;
  }

  /** Show the one after, where there is one. */
  next() {
    const buttons = [...this.#bar.querySelectorAll("button")];
    const shown = buttons.findIndex((one) => one.getAttribute("aria-pressed") === "true");
    buttons[(shown + 1) % buttons.length]?.click();
  }

  #draw(looks, shown) {
    this.#bar.hidden = looks.length < 2;
    const drawn = JSON.stringify(looks.map(({ scene }) => [scene?.id, scene?.name, scene === shown.scene]));
    if (drawn === this.#drawn) return; // else it would lose focus
    const focused = this.#bar.contains(document.activeElement);
    this.#drawn = drawn;
    const there = looks.filter(({ scene }) => scene !== null);
    this.#bar.replaceChildren(...there.map(({ scene }) => this.#button(scene, scene === shown.scene)));
    if (focused) this.#bar.querySelector("[aria-pressed=true]")?.focus();
  }

  #button({ id, name }, pressed) {
    const choose = () => {
      this.#chosen = id;
      this.#onChange();
    };
    return button({ "aria-pressed": pressed, "data-scene-choice": id }, choose, name || id);
  }
}
