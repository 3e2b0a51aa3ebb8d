// A ruler on the map: squares from one place to another, a diagonal counting as one. Walls are not its business.

import { svg } from "./draw.js";

/** Squares from a creature or a square {x, y, size} to a square. */
export function apart({ x, y, size = 1 }, to) {
  const along = (from, at) => Math.max(from - at, 0, at - (from + size - 1));
  return Math.max(along(x, to.x), along(y, to.y));
}

export class Ruler {
  #layer;
  #from = null;
  on = false;
  words = "";

  constructor(layer) {
    this.#layer = layer;
  }

  /** Measure from {x, y, size}, or from the square that is touched next. */
  begin(from) {
    this.#from = from;
    this.on = true;
    this.words = from ? "Point at a square." : "Point at the square to measure from.";
    this.#layer.replaceChildren();
  }

  end() {
    this.on = false;
    this.#from = null;
    this.#layer.replaceChildren();
  }

  /** A square was touched: measure from it, or to it. */
  touch(square) {
    if (this.#from === null) this.begin({ ...square, size: 1 });
    else this.to(square);
    return this.words;
  }

  /** Measure to a square, where it is known from where. */
  to(square) {
    if (this.#from === null) return this.words;
    const { x, y, size = 1 } = this.#from;
    const squares = apart(this.#from, square);
    this.words = `${squares} ${squares === 1 ? "square" : "squares"}`;
    const [x1, y1, x2, y2] = [x + size / 2, y + size / 2, square.x + 0.5, square.y + 0.5];
    this.#layer.replaceChildren(
      svg("rect", { class: "ruler-end", x: square.x, y: square.y, width: 1, height: 1 }),
      svg("line", { class: "ruler-line", x1, y1, x2, y2 }),
      svg("text", { class: "ruler-words", x: x2, y: y2 - 0.62 }, String(squares)),
    );
    return this.words;
  }
}
