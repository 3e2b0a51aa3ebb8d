// How far somebody gets: the squares that they may go to, the edge of what their attacks reach, the way to one square.
// The rules say so, not this page.

import { svg } from "./draw.js";

export class Reach {
  #layer = svg("g");
  #way = svg("g");
  #area = svg("g");

  constructor(layer) {
    layer.append(this.#layer, this.#area, this.#way);
  }

  /** Show the way over squares to the last of them, for somebody so many squares a side; or none. */
  showWay(way, size = 1) {
    const end = way?.at(-1);
    if (!end) return this.#way.replaceChildren();
    const middles = way.map(({ x, y }) => `${x + size / 2} ${y + size / 2}`);
    this.#way.replaceChildren(
      svg("rect", { class: "way-end", x: end.x + 0.04, y: end.y + 0.04, width: size - 0.08, height: size - 0.08, rx: 0.1 }),
      svg("path", { class: "way-under", d: `M${middles.join("L")}` }),
      svg("path", { class: "way", d: `M${middles.join("L")}` }),
      ...middles.slice(1).map((middle) => svg("circle", { class: "way-step", r: 0.09, transform: `translate(${middle})` })),
    );
  }

  /** Mark squares, or none. */
  showArea(covered) {
    const found = squares(covered);
    this.#area.replaceChildren(...(covered.length ? [svg("path", { class: "aimed", d: area(found) }), svg("path", { class: "aimed-edge", d: edge(found) })] : []));
  }

  /** Show {moves, attacks} of somebody so many squares a side, or nothing. */
  show(ranges, size = 1) {
    if (!ranges) {
      this.#layer.replaceChildren();
      return;
    }
    const moves = squares(ranges.moves.flatMap((at) => footprint(at, size)));
    const attacks = squares(ranges.attacks);
    this.#layer.replaceChildren(
      svg("path", { class: "may-go", d: area(moves) }),
      svg("path", { class: "may-go-edge", d: edge(moves) }),
      svg("path", { class: "may-hit-edge", d: edge(attacks) }),
    );
  }
}

function footprint({ x, y }, size) {
  return Array.from({ length: size * size }, (_, at) => ({ x: x + (at % size), y: y + Math.floor(at / size) }));
}

function squares(places) {
  return new Map(places.map((at) => [`${at.x},${at.y}`, at]));
}

function area(found) {
  return [...found.values()].map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join("");
}

/** The sides of squares whose neighbour is not among them. */
function edge(found) {
  const has = (x, y) => found.has(`${x},${y}`);
  let path = "";
  for (const { x, y } of found.values()) {
    if (!has(x, y - 1)) path += `M${x} ${y}h1`;
    if (!has(x, y + 1)) path += `M${x} ${y + 1}h1`;
    if (!has(x - 1, y)) path += `M${x} ${y}v1`;
    if (!has(x + 1, y)) path += `M${x + 1} ${y}v1`;
  }
  return path;
}
