// The map and the pieces on it. One unit of the drawing is one square.

import { setText, svg } from "./draw.js";

const EDGE = 0.75; // room for the coordinates, in squares
const MARGIN = 0.2;
const LARGEST_SQUARE = 92; // pixels
const SMALLEST_LABEL = 10.5; // pixels
const RING = 0.41; // radius of the ring that shows HP
const AROUND = 2 * Math.PI * RING;
const BADGES = 3;
const BADGE_PLACES = [[0.84, 0.16], [0.95, 0.42], [0.84, 0.68]];
const STRAIGHT = { fill: "none", "vector-effect": "non-scaling-stroke" };

export class Board {
  #root;
  #pieces = new Map();
  #columns = 0;
  #rows = 0;
  #activeId = null;
  #ground = svg("g");
  #labels = svg("g", { class: "labels", "aria-hidden": "true" });
  #fallen = svg("g");
  #standing = svg("g");

  constructor(root) {
    this.#root = root;
    root.append(patterns(), this.#ground, this.#labels, this.#fallen, this.#standing);
    new ResizeObserver(() => this.#fit()).observe(root.parentElement);
  }

  /** Draw another map, or none. */
  setScene(scene) {
    this.#root.toggleAttribute("hidden", scene === null);
    if (scene === null) return;
    const ground = new Ground(scene.rows);
    this.#columns = ground.columns;
    this.#rows = ground.rows;
    const width = ground.columns + EDGE + MARGIN;
    const height = ground.rows + EDGE + MARGIN;
    this.#root.setAttribute("viewBox", `${-EDGE} ${-EDGE} ${width} ${height}`);
    this.#root.setAttribute("aria-label", `Map: ${scene.name}`);
    this.#root.style.setProperty("--shape", `${width} / ${height}`);
    this.#root.style.setProperty("--columns", width);
    this.#root.style.maxWidth = `${width * LARGEST_SQUARE}px`;
    this.#root.style.maxHeight = `${height * LARGEST_SQUARE}px`;
    this.#ground.replaceChildren(...ground.draw());
    this.#fit();
  }

  /** Show these pieces and no others. `labels` maps ids to short names. */
  setTokens(tokens, labels, activeId) {
    const shown = new Set();
    for (const token of tokens) {
      if (token.position === null || token.state === "out") continue;
      shown.add(token.id);
      const piece = this.#pieces.get(token.id) ?? this.#addPiece(token);
      piece.update(token, labels.get(token.id), token.id === activeId);
      const layer = token.state === "up" ? this.#standing : this.#fallen;
      if (piece.element.parentNode !== layer) layer.append(piece.element);
    }
    for (const [id, piece] of this.#pieces) {
      if (shown.has(id)) continue;
      piece.element.remove();
      this.#pieces.delete(id);
    }
    if (activeId !== this.#activeId) this.#reveal(activeId);
    this.#activeId = activeId;
  }

  /** Where the map is wider than the screen, bring the acting piece to its middle. */
  #reveal(tokenId) {
    const x = Number(this.#pieces.get(tokenId)?.element.dataset.x ?? NaN);
    const frame = this.#root.parentElement;
    if (Number.isNaN(x) || frame.scrollWidth <= frame.clientWidth) return;
    const pixels = this.#root.getBoundingClientRect().width / (this.#columns + EDGE + MARGIN);
    frame.scrollLeft = (x + 0.5 + EDGE) * pixels - frame.clientWidth / 2;
  }

  /** Point one piece out, or none. */
  pointOut(tokenId) {
    for (const [id, piece] of this.#pieces) piece.element.classList.toggle("pointed-out", id === tokenId);
  }

  #addPiece(token) {
    const piece = new Piece(token.id);
    this.#pieces.set(token.id, piece);
    return piece;
  }

  /** Keep the coordinates legible at any size, and drop what would be too small to read. */
  #fit() {
    if (this.#columns === 0) return;
    const pixels = this.#root.getBoundingClientRect().width / (this.#columns + EDGE + MARGIN);
    if (pixels === 0) return;
    this.#root.classList.toggle("small", pixels < 30);
    const size = Math.min(0.36, Math.max(0.2, SMALLEST_LABEL / pixels) * (pixels < 30 ? 0.85 : 1));
    const step = pixels < 18 ? 2 : 1;
    this.#labels.replaceChildren(
      ...steps(this.#columns, step).map((x) => label(x + 0.5, -EDGE / 2, columnName(x), size)),
      ...steps(this.#rows, step).map((y) => label(-EDGE / 2, y + 0.5, String(y + 1), size)),
    );
  }
}

/** One creature's piece. Its place is a CSS transform, so that moving is a transition. */
class Piece {
  constructor(id) {
    this.title = svg("title");
    this.short = svg("text", { class: "short", x: 0.5, y: 0.515 });
    this.hp = svg("circle", { class: "hp", cx: 0.5, cy: 0.5, r: RING });
    this.hpTrack = svg("circle", { class: "hp-track", cx: 0.5, cy: 0.5, r: RING });
    this.badges = svg("g", { class: "badges" });
    this.body = svg(
      "g",
      { class: "body" },
      svg("circle", { class: "halo", cx: 0.5, cy: 0.5, r: 0.495 }),
      svg("circle", { class: "cast", cx: 0.53, cy: 0.56, r: 0.43 }),
      svg("circle", { class: "disc", cx: 0.5, cy: 0.5, r: 0.45 }),
      this.hpTrack,
      this.hp,
      svg("path", { class: "cross", d: "M.22 .22 .78 .78M.78 .22 .22 .78" }),
      this.short,
      this.badges,
    );
    this.element = svg("g", { class: "token", role: "img", "data-token": id }, this.title, this.body);
  }

  update(token, short, active) {
    const { x, y } = token.position;
    const description = describe(token, active);
    this.element.setAttribute("class", `token ${token.side} ${token.state}${active ? " active" : ""}`);
    this.element.setAttribute("aria-label", description);
    this.element.dataset.x = x;
    this.element.dataset.y = y;
    this.element.dataset.hp = token.hp?.value ?? "";
    this.element.style.transform = `translate(${x}px, ${y}px)`;
    this.body.style.transform = `scale(${token.size})`;
    setText(this.title, description);
    setText(this.short, short);
    this.short.dataset.length = Math.min(4, [...short].length);

    const left = hpLeft(token.hp);
    this.hpTrack.toggleAttribute("hidden", left === null);
    this.hp.toggleAttribute("hidden", left === null);
    this.hp.dataset.health = health(left);
    this.hp.style.strokeDasharray = `${(left ?? 0) * AROUND} ${2 * AROUND}`;
    this.#drawBadges(token.statuses);
  }

  #drawBadges(statuses) {
    const marks = statuses.slice(0, BADGES).map((status) => [...status][0]?.toLocaleUpperCase() ?? "?");
    if (statuses.length > BADGES) marks[BADGES - 1] = `+${statuses.length - BADGES + 1}`;
    this.badges.replaceChildren(
      ...marks.map((mark, at) => {
        const [x, y] = BADGE_PLACES[at];
        return svg(
          "g",
          {},
          svg("circle", { class: "badge", cx: x, cy: y, r: 0.13 }),
          svg("text", { class: "badge-mark", x, y: y + 0.008 }, mark),
        );
      }),
    );
  }
}

/** What lies on the ground: each method gives the path of one kind of thing. */
class Ground {
  constructor(rows) {
    this.squares = rows.map((row) => [...row]);
    this.rows = rows.length;
    this.columns = Math.max(...rows.map((row) => row.length));
  }

  at(x, y) {
    return this.squares[y]?.[x] ?? " ";
  }

  is(marks) {
    return (x, y) => marks.includes(this.at(x, y));
  }

  draw() {
    const inside = this.is(".~+/#");
    const open = this.is(".~+/");
    const wall = this.is("#");
    const walls = this.area(wall);
    return [
      svg("clipPath", { id: "inside" }, svg("path", { d: this.area(inside) })),
      svg("path", { class: "floor", d: this.area(inside) }),
      svg("path", { class: "rough", d: this.area(this.is("~")) }),
      svg("path", { class: "rough-hatch", d: this.area(this.is("~")) }),
      svg("path", { class: "grid", d: this.edges((here, there) => here && there, open), ...STRAIGHT }),
      svg(
        "g",
        { "clip-path": "url(#inside)" },
        svg("path", { class: "wall-cast", d: walls, transform: "translate(.13 .17)" }),
      ),
      svg("path", { class: "wall", d: walls }),
      svg("path", { class: "wall-bricks", d: walls }),
      svg("path", { class: "wall-edge", d: this.edges((here, there) => here !== there, wall), ...STRAIGHT }),
      svg("path", { class: "rim", d: this.edges((here, there) => here !== there, inside), ...STRAIGHT }),
      ...this.doors(),
    ];
  }

  /** The squares for which `has` holds, in runs along each row. */
  area(has) {
    let path = "";
    for (let y = 0; y < this.rows; y += 1) {
      for (let x = 0; x < this.columns; x += 1) {
        if (!has(x, y)) continue;
        const from = x;
        while (has(x + 1, y)) x += 1;
        path += `M${from} ${y}h${x + 1 - from}v1h${from - x - 1}z`;
      }
    }
    return path;
  }

  /** The lines between neighbours for which `wanted(has(here), has(there))` holds. */
  edges(wanted, has) {
    let path = "";
    for (let y = 0; y <= this.rows; y += 1) {
      for (let x = 0; x <= this.columns; x += 1) {
        if (wanted(has(x, y), has(x, y - 1))) path += `M${x} ${y}h1`;
        if (wanted(has(x, y), has(x - 1, y))) path += `M${x} ${y}v1`;
      }
    }
    return path;
  }

  doors() {
    const drawn = [];
    for (let y = 0; y < this.rows; y += 1) {
      for (let x = 0; x < this.columns; x += 1) {
        if (this.is("+/")(x, y)) drawn.push(this.door(x, y));
      }
    }
    return drawn;
  }

  door(x, y) {
    const closed = this.at(x, y) === "+";
    const solid = this.is("#+/");
    const upright = solid(x, y - 1) && solid(x, y + 1) && !(solid(x - 1, y) && solid(x + 1, y));
    const leaf = closed
      ? [
          svg("rect", { class: "door-leaf", x: 0.08, y: 0.37, width: 0.84, height: 0.26, rx: 0.04 }),
          svg("path", { class: "door-planks", d: "M.36 .37v.26M.64 .37v.26" }),
          svg("circle", { class: "door-knob", cx: 0.78, cy: 0.5, r: 0.05 }),
        ]
      : [
          svg("path", { class: "door-swing", d: "M.92 .5A.84 .84 0 0 1 .3 1.25" }),
          svg("rect", { class: "door-leaf", x: 0.02, y: 0.42, width: 0.84, height: 0.16, rx: 0.04,
            transform: "rotate(70 .08 .5)" }),
        ];
    return svg(
      "g",
      { class: "door", transform: `translate(${x} ${y})${upright ? " rotate(90 .5 .5)" : ""}` },
      svg("title", {}, closed ? "Closed door" : "Open door"),
      svg("path", { class: "door-sill", d: "M0 .3h1v.4H0z" }),
      svg("path", { class: "door-jamb", d: "M0 .26h.1v.48H0zM.9 .26h.1v.48H.9z" }),
      ...leaf,
    );
  }
}

/** From 0 to 1, or null when nobody is to know. */
export function hpLeft(hp) {
  if (hp === null) return null;
  return hp.max > 0 ? Math.min(1, Math.max(0, hp.value / hp.max)) : 0;
}

export function health(left) {
  if (left === null) return "unknown";
  if (left > 0.5) return "good";
  return left > 0.25 ? "low" : "dire";
}

/** A piece in words, for its tooltip and for a screen reader. */
export function describe(token, active) {
  const parts = [token.name || token.id];
  if (token.hp !== null) parts.push(`${token.hp.value} of ${token.hp.max} HP`);
  if (token.state !== "up") parts.push(token.state === "down" ? "down" : "taken out");
  parts.push(...token.statuses);
  if (token.position !== null) parts.push(`at ${columnName(token.position.x)}${token.position.y + 1}`);
  if (active) parts.push("acting now");
  return parts.join(", ");
}

/** A for 0, Z for 25, AA for 26. */
function columnName(column) {
  if (column < 0) return String(column);
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last;
}

function steps(count, step) {
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
}

function label(x, y, text, size) {
  return svg("text", { class: "label", x, y, "font-size": size }, text);
}

function patterns() {
  const tile = (id, width, height, ...drawn) =>
    svg("pattern", { id, width, height, patternUnits: "userSpaceOnUse" }, ...drawn);
  return svg(
    "defs",
    {},
    tile("bricks", 1, 0.5, svg("path", { class: "brick-line", d: "M0 .25h1M0 .5h1M.25 0v.25M.75 .25v.25" })),
    tile("hatch", 0.25, 0.25, svg("path", { class: "hatch-line", d: "M-.05 .3 .3 -.05M-.05 .05 .05 -.05M.2 .3 .3 .2" })),
  );
}
