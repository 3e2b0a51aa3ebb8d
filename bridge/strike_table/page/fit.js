// The map's picture moved under its squares on the game master's page, until walls lie on the painting: by buttons, or by
// arrow keys, plus and minus, in finer steps with Shift. It comes to the line that one would have typed.

import { button, html } from "./draw.js";

const STEP = 0.1; // squares
const FINE = 0.01;
const STRETCH = 1.01;
const STRETCH_FINE = 1.001;
const BUTTONS = [
  ["ArrowLeft", "←", "Left"],
  ["ArrowRight", "→", "Right"],
  ["ArrowUp", "↑", "Up"],
  ["ArrowDown", "↓", "Down"],
  ["-", "−", "Smaller"],
  ["+", "+", "Larger"],
];

export class Fit {
  #changed;
  #play;
  #head = null; // of the line, while the picture is moved
  #at = { right: 0, down: 0, scale: 1 };

  /** `changed` is called with {right, down, scale} as the picture is to be shown, null when it is over; `play` plays a line. */
  constructor({ changed, play }) {
    this.#changed = changed;
    this.#play = play;
    addEventListener("keydown", (event) => this.#onKey(event), { capture: true });
  }

  get on() {
    return this.#head !== null;
  }

  /** Begin to move the picture; `head` is the line but for numbers. */
  begin(head) {
    this.#head = head;
    this.#at = { right: 0, down: 0, scale: 1 };
    this.#changed(this.#at);
  }

  end() {
    if (!this.on) return;
    this.#head = null;
    this.#changed(null);
  }

  get line() {
    const { right, down, scale } = this.#at;
    return `${this.#head} ${right} ${down}${scale === 1 ? "" : ` --scale ${scale}`}`;
  }

  /** What is shown of it. */
  parts() {
    const steps = BUTTONS.map(([key, sign, words]) =>
      button({ class: "by", "aria-label": words, title: words, "data-key": key }, () => this.#step(key, false), sign));
    return [
      html("h2", {}, "Fit the picture"),
      html("div", { class: "hand-row" }, steps),
      html("p", {}, html("code", {}, this.line)),
      html("p", { class: "hint" }, "Arrow keys, + and −; finer with Shift. Enter keeps it, Esc discards it."),
      html("div", { class: "hand-row" },
        button({ class: "act", title: this.line, "data-key": "keep" }, () => this.#keep(), "Keep it"),
        button({ class: "act quiet" }, () => this.end(), "Cancel")),
    ];
  }

  #step(key, fine) {
    const far = fine ? FINE : STEP;
    const larger = fine ? STRETCH_FINE : STRETCH;
    const { right, down, scale } = this.#at;
    const across = { ArrowLeft: -far, ArrowRight: far }[key] ?? 0;
    const below = { ArrowUp: -far, ArrowDown: far }[key] ?? 0;
    const times = { "+": larger, "*": larger, "=": larger, "-": 1 / larger, _: 1 / larger }[key] ?? 1;
    // About A1's corner, as the line has it.
    this.#at = { right: rounded(right + across), down: rounded(down + below), scale: rounded(scale * times) };
    this.#changed(this.#at);
  }

  async #keep() {
    const line = this.line;
    await this.#play(line);
    this.end();
  }

  #onKey(event) {
    const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event;
    if (!this.on || ctrlKey || metaKey || altKey || target.closest?.("input, dialog")) return;
    const presses = key === "Enter" && !target.closest?.("button");
    if (!(key.startsWith("Arrow") || "+-=_*".includes(key) || key === "Escape" || presses)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (key === "Escape") this.end();
    else if (key === "Enter") this.#keep();
    else this.#step(key, shiftKey && (key.startsWith("Arrow") || key === "*" || key === "_"));
  }
}

function rounded(number) {
  return Math.round(number * 10000) / 10000;
}
