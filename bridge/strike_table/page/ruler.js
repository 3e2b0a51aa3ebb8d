// A ruler on the map: how far it is from one place to another, as the game counts. Walls are not its business.

import { svg } from "./draw.js";

const SQUARES = { one: "square", many: "squares", side: 1, diagonals: "1-1-1" };

/** Squares from a creature or a square {x, y, size} to a square, as `diagonals` says how these count. */
export function apart({ x, y, size = 1 }, to, diagonals = SQUARES.diagonals) {
  const along = (from, at) => Math.max(from - at, 0, at - (from + size - 1));
  const [across, down] = [along(x, to.x), along(y, to.y)];
  const dear = diagonals === "1-2-1" ? Math.floor(Math.min(across, down) / 2) : 0;
  return Math.max(across, down) + dear;
}

/** So many squares in the words of the game: `30 feet`, `1 square`. */
export function distance(squares, { one, many, side }) {
  const much = Number((squares * side).toPrecision(6));
  return `${much} ${much === 1 ? one : many}`;
}

export class Ruler {
  #layer;
  #from = null;
  #measure = SQUARES;
  on = false;
  words = "";

  constructor(layer) {
    this.#layer = layer;
  }

  /** How far things are in the scene that is shown. */
  set measure(measure) {
    this.#measure = measure ?? SQUARES;
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
    this.words = distance(apart(this.#from, square, this.#measure.diagonals), this.#measure);
    const [x1, y1, x2, y2] = [x + size / 2, y + size / 2, square.x + 0.5, square.y + 0.5];
    this.#layer.replaceChildren(
      svg("rect", { class: "ruler-end", x: square.x, y: square.y, width: 1, height: 1 }),
      svg("line", { class: "ruler-line", x1, y1, x2, y2 }),
      svg("text", { class: "ruler-words", x: x2, y: y2 - 0.62 }, this.words.split(" ")[0]),
    );
    return this.words;
  }
}
