// A cursor on the map for who has no pointer: one stop of the Tab key, arrow keys from square to square, Enter to press.
// Each square is an element of its own while the cursor is on it, so that a screen reader says its words.

import { setLabel, svg } from "./draw.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Cursor {
  #layer;
  #columns = 0;
  #rows = 0;
  #at = null;
  #element = null;
  #words;
  #press;
  #moved;

  /** `words` says what is on a square {x, y}; `press` is told the one where Enter was pressed, `moved` the one that the
   * cursor has come to. */
  constructor(layer, { words, press, moved }) {
    this.#layer = layer;
    this.#words = words;
    this.#press = press;
    this.#moved = moved;
  }

  /** Whether it is on a map. */
  get begun() {
    return this.#at !== null;
  }

  /** On a map of so many squares; it begins at a place. */
  begin(columns, rows, { x, y } = { x: 0, y: 0 }) {
    this.#columns = columns;
    this.#rows = rows;
    this.#put({ x, y });
  }

  /** The map shows something else: say so, where the cursor is on it. */
  refresh() {
    if (this.#at !== null) setLabel(this.#element, this.#words(this.#at));
  }

  #put({ x, y }) {
    const within = (value, most) => Math.max(0, Math.min(most - 1, value));
    this.#at = { x: within(x, this.#columns), y: within(y, this.#rows) };
    const focused = this.#element !== null && this.#element === document.activeElement;
    const next = svg("rect", {
      class: "cursor", ...this.#at, width: 1, height: 1, rx: 0.08, role: "button", tabindex: 0, "aria-label": this.#words(this.#at),
    });
    next.addEventListener("keydown", (event) => this.#onKey(event));
    this.#layer.append(next);
    if (focused) next.focus({ preventScroll: true });
    this.#element?.remove();
    this.#element = next;
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (!step && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation(); // the view would move under it
    if (!step) return this.#press(this.#at);
    this.#put({ x: this.#at.x + step[0], y: this.#at.y + step[1] });
    this.#moved(this.#at);
  }
}
