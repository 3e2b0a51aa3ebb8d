// The coordinates, which stay in sight at the rim of the frame wherever one looks. They are drawn anew only where the
// map is nearer or farther; else they are moved.

import { svg } from "./draw.js";
import { columnName } from "./tokens.js";

export class Rim {
  #columnNames = svg("g");
  #rowNumbers = svg("g");
  #top = svg("svg", { class: "rim-names" }, svg("rect", { class: "rim-band" }), this.#columnNames);
  #left = svg("svg", { class: "rim-names" }, svg("rect", { class: "rim-band" }), this.#rowNumbers);
  #drawn = "";
  element = svg("g", { class: "labels", "aria-hidden": "true" }, this.#top, this.#left);

  /** The map's corner is at x and y, and a square `scale` wide; `size` is that of the letters, in pixels. */
  draw({ x, y, scale, columns, rows }, { width, height }, size) {
    const step = [1, 2, 5, 10].find((by) => by * scale >= size * 1.6) ?? 20;
    this.#names(scale, step, columns, rows, size);
    const [high, wide] = [1.7 * size, 1.9 * size];
    // Where the map goes on under them, they stand on a band, which is as long as it.
    const [top, left] = [Math.max(0, y - 1.75 * size), Math.max(0, x - 1.95 * size)];
    const [right, below] = [x - (left > 0 ? 0 : wide), y - (top > 0 ? 0 : high)];
    frame(this.#top, { x: x - right, y: top, width, height: high }, top > 0, { x: right, width: columns * scale });
    frame(this.#left, { x: left, y: y - below, width: wide, height }, left > 0, { y: below, height: rows * scale });
    this.#columnNames.style.transform = `translate(${right}px, ${high / 2}px)`;
    this.#rowNumbers.style.transform = `translate(${wide / 2}px, ${below}px)`;
  }

  #names(scale, step, columns, rows, size) {
    const drawn = [scale, step, columns, rows, size].join();
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const at = (number) => (number + 0.5) * scale;
    this.#columnNames.replaceChildren(...steps(columns, step).map((x) => label(at(x), 0, columnName(x), size)));
    this.#rowNumbers.replaceChildren(...steps(rows, step).map((y) => label(0, at(y), String(y + 1), size)));
  }
}

/** Put a strip where it belongs; it cuts off what is outside of it. */
function frame(strip, { x, y, width, height }, free, along) {
  const band = strip.firstElementChild;
  for (const [name, value] of Object.entries({ x, y, width, height })) strip.setAttribute(name, value);
  for (const [name, value] of Object.entries({ width, height, ...along })) band.setAttribute(name, value);
  band.toggleAttribute("hidden", free);
}

function steps(count, step) {
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
}

function label(x, y, text, size) {
  return svg("text", { class: "label", x, y, dy: ".35em", "font-size": size }, text);
}
