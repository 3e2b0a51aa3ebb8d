// What lies on the ground: floor, walls, difficult terrain, doors, zones, fog, the picture under it. Drawn once a
// scene.
// One unit of the drawing is one square.

import { svg } from "./draw.js";

const STRAIGHT = { fill: "none", "vector-effect": "non-scaling-stroke" };
const KINDS = ["obscured", "dark", "hazard", "difficult", "cover", "light", "water"];
const MEANT = {
  obscuring: "obscured", fog: "obscured", smoke: "obscured", darkness: "dark",
  fire: "hazard", damage: "hazard", damaging: "hazard", danger: "hazard",
  rough: "difficult", terrain: "difficult", "difficult terrain": "difficult",
  heal: "light", healing: "light",
};
const OTHERS = 3;
const SOFT = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]; // squares: strokes over each other, by which fog thins out over a painting
const RAYS = "M0 -.22v-.14M0 .22v.14M-.22 0h-.14M.22 0h.14M.16 -.16l.1 -.1M.16 .16l.1 .1M-.16 -.16l-.1 -.1M-.16 .16l-.1 .1";
const WORDS = { "#": "wall", "~": "difficult terrain", "+": "closed door", "/": "open door", " ": "not known" };

export class Terrain {
  /** `pictureAt` makes the address of an image from its hash; `painting` shows the tiles that stand for it. */
  constructor(scene, pictureAt, painting) {
    this.scene = scene;
    this.painting = scene.tiles?.length > 0 ? painting : null;
    this.squares = scene.rows.map((row) => [...row]);
    this.rows = scene.rows.length;
    this.columns = Math.max(...this.squares.map((row) => row.length));
    this.pictureAt = pictureAt;
    for (const { at, to, open } of scene.doors) if (!to) this.#put(at, open ? "/" : "+");
    for (const { kind, squares } of scene.zones) if (kind === "wall") squares.forEach((at) => this.#put(at, "#"));
  }

  #put({ x, y }, mark) {
    const [row, column] = [this.squares[Math.floor(y)], Math.floor(x)];
    if (row && column >= 0 && column < row.length) row[column] = mark;
  }

  at(x, y) {
    return this.squares[y]?.[x] ?? " ";
  }

  is(marks) {
    return (x, y) => marks.includes(this.at(x, y));
  }

  /** What the ground is on a square, in words: of plain floor nothing. */
  wordsAt({ x, y }) {
    const mark = this.at(x, y);
    const zones = this.shownZones().filter(({ squares }) => squares.some((each) => each.x === x && each.y === y));
    return [WORDS[mark] ?? null, ...zones.map(({ name, kind }) => name || kind)].filter(Boolean);
  }

  draw() {
    const inside = this.is(".~+/#");
    const open = this.is(".~+/");
    const wall = this.is("#");
    const walls = this.area(wall);
    const rough = this.area(this.is("~"));
    return [
      svg("clipPath", { id: "inside" }, svg("path", { d: this.area(inside) })),
      svg("path", { class: "floor", d: this.area(inside) }),
      svg("path", { class: "floor-flecks", d: this.area(inside) }),
      this.picture(),
      svg("path", { class: "rough", d: rough }),
      svg("path", { class: "rough-hatch", d: rough }),
      svg("path", { class: "grid", d: this.edges((here, there) => here && there, open), ...STRAIGHT }),
      ...this.zones(),
      svg(
        "g",
        { "clip-path": "url(#inside)" },
        svg("path", { class: "wall-cast", d: walls, transform: "translate(.13 .17)" }),
      ),
      svg("path", { class: "wall", d: walls }),
      svg("path", { class: "wall-bricks", d: walls }),
      svg("path", { class: "wall-edge", d: this.edges((here, there) => here !== there, wall), ...STRAIGHT }),
      svg("path", { class: "rim", d: this.edges((here, there) => here !== there, inside), ...STRAIGHT }),
      svg("path", { class: "wall-line", d: this.scene.walls.map(polyline).join("") }),
      this.halfWalls("see_through_walls", ["see-through", "pane"], "Stops steps, not sight"),
      this.halfWalls("walk_through_walls", ["walk-through"], "Stops sight, not steps"),
      this.halfWalls("terrain_walls", ["terrain-wall"], "Gives cover; two of them block sight"),
      this.oneWayWalls(),
      ...this.doors(),
      ...(this.scene.lights ?? []).map(light),
      ...this.shownZones().map((zone) => this.zoneName(zone)),
      this.fog(),
    ];
  }

  /** What the party has not seen: dark for players, who have nothing of it; a veil for the game master, who has. */
  fog() {
    const { fog } = this.scene;
    if (!fog) return null;
    const inside = (x, y) => x >= 0 && y >= 0 && x < this.columns && y < this.rows;
    const unseen = (x, y) => inside(x, y) && fog.seen[y]?.[x] !== ".";
    const edge = this.edges((here, there) => here + there === 1, (x, y) => (inside(x, y) ? Number(unseen(x, y)) : 2));
    return svg(
      "g",
      { class: `unseen-ground ${fog.ground ? "veiled" : "dark"}` },
      svg("title", {}, fog.ground ? "Not seen by players" : "Not seen yet"),
      this.painting && svg("g", { "clip-path": "url(#inside)" }, ...SOFT.map((width) => svg("path", { class: "unseen-soft", d: edge, "stroke-width": width }))),
      svg("path", { class: "unseen-area", d: this.area(unseen) }),
      svg("path", { class: "unseen-edge", d: edge, ...STRAIGHT }),
    );
  }

  /** The rectangle around what players have seen, with a square of fog around it; null where they see all, and for who
   * has more than they. */
  known() {
    const { fog } = this.scene;
    if (!fog || fog.ground) return null;
    const rows = fog.seen.flatMap((row, y) => (row.includes(".") ? [{ y, first: row.indexOf("."), last: row.lastIndexOf(".") }] : []));
    if (rows.length === 0) return null;
    const left = Math.max(0, Math.min(...rows.map(({ first }) => first)) - 1);
    const right = Math.min(this.columns, Math.max(...rows.map(({ last }) => last)) + 2);
    const [top, bottom] = [Math.max(0, rows[0].y - 1), Math.min(this.rows, rows.at(-1).y + 2)];
    return { x: left, y: top, width: right - left, height: bottom - top };
  }

  /** The ground that was seen, and is not among the squares in sight; walls look the same. */
  outOfSight(squares) {
    const sight = new Set(squares.map(({ x, y }) => `${x},${y}`));
    const dim = (x, y) => this.scene.fog.seen[y]?.[x] === "." && this.at(x, y) !== "#" && !sight.has(`${x},${y}`);
    return svg("path", { class: "out-of-sight", d: this.area(dim) });
  }

  picture() {
    if (!this.scene.image) return this.painting?.element ?? null;
    const href = this.pictureAt(this.scene.image.hash);
    const place = this.scene.image.place ?? { x: 0, y: 0, width: this.columns, height: this.rows };
    return svg("image", { class: "picture", href, ...place, preserveAspectRatio: "none" });
  }

  /** The squares for which `has` holds, in runs along each row; none outside of the box is looked at. */
  area(has, { left = 0, top = 0, right = this.columns, bottom = this.rows } = {}) {
    let path = "";
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) {
        if (!has(x, y)) continue;
        const from = x;
        while (has(x + 1, y)) x += 1;
        path += `M${from} ${y}h${x + 1 - from}v1h${from - x - 1}z`;
      }
    }
    return path;
  }

  /** The lines between neighbours for which `wanted(has(here), has(there))` holds, in runs. */
  edges(wanted, has, { left = 0, top = 0, right = this.columns, bottom = this.rows } = {}) {
    const across = (x, y) => wanted(has(x, y), has(x, y - 1));
    const down = (x, y) => wanted(has(x, y), has(x - 1, y));
    let path = "";
    for (let y = top; y <= bottom; y += 1) {
      for (let x = left; x <= right; x += 1) {
        if (!across(x, y)) continue;
        const from = x;
        while (x < right && across(x + 1, y)) x += 1;
        path += `M${from} ${y}h${x + 1 - from}`;
      }
    }
    for (let x = left; x <= right; x += 1) {
      for (let y = top; y <= bottom; y += 1) {
        if (!down(x, y)) continue;
        const from = y;
        while (y < bottom && down(x, y + 1)) y += 1;
        path += `M${x} ${from}v${y + 1 - from}`;
      }
    }
    return path;
  }

  /** Walls that stop steps alone, drawn as glass is on a plan, or sight alone, dotted; or are seen past, dashed. */
  halfWalls(kind, looks, says) {
    const drawn = kind === "see_through_walls" ? new Set((this.scene.terrain_walls ?? []).map(polyline)) : new Set();
    const walls = (this.scene[kind] ?? []).filter((wall) => !drawn.has(polyline(wall))); // a rock is no glass
    if (walls.length === 0) return null;
    const d = walls.map(polyline).join("");
    return svg("g", {}, svg("title", {}, says), ...looks.map((look) => svg("path", { class: look, d })));
  }

  /** Walls that are passed from one side alone: with arrows to the side that one gets to. */
  oneWayWalls() {
    const walls = this.scene.one_way_walls;
    if (walls.length === 0) return null;
    return svg(
      "g",
      { class: "one-way" },
      svg("title", {}, "One-way wall: passable in the arrows' direction"),
      svg("path", { class: "one-way-line", d: walls.map(polyline).join("") }),
      svg("path", { class: "one-way-arrows", d: walls.map(arrows).join("") }),
    );
  }

  // Zones

  shownZones() {
    return this.scene.zones.filter(({ squares }) => squares.length > 0);
  }

  zones() {
    return this.shownZones().map((zone) => this.zone(zone));
  }

  zone({ name, kind, squares, hidden }) {
    const covered = new Set(squares.map(({ x, y }) => `${x},${y}`));
    const has = (x, y) => covered.has(`${x},${y}`);
    const [xs, ys] = [squares.map(({ x }) => x), squares.map(({ y }) => y)];
    const box = { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs) + 1, bottom: Math.max(...ys) + 1 };
    const look = lookOf(kind);
    const named = name || kind;
    return svg(
      "g",
      { class: `zone zone-${look}${hidden ? " unseen" : ""}` },
      svg("title", {}, [named, kind !== named && kind, hidden && "hidden from players"].filter(Boolean).join(", ")),
      svg("path", { class: "zone-area", d: this.area(has, box) }),
      look === "obscured" || look === "dark" ? svg("path", { class: "zone-fog", d: this.area(has, box) }) : null,
      svg("path", { class: "zone-edge", d: this.edges((here, there) => here !== there, has, box), ...STRAIGHT }),
    );
  }

  /** It stands in the first row that is no wall, where a title would; over everything else on the ground. */
  zoneName({ name, kind, squares }) {
    const free = squares.filter(({ x, y }) => this.at(x, y) !== "#");
    const places = free.length > 0 ? free : squares;
    const top = Math.min(...places.map(({ y }) => y));
    const left = Math.min(...places.filter(({ y }) => y === top).map(({ x }) => x));
    const place = { x: left + 0.09, y: top + 0.27 };
    return svg("text", { class: `zone-name zone-${lookOf(kind)}`, ...place }, name || kind);
  }

  // Doors

  doors() {
    const hidden = new Set(
      this.scene.doors.filter((door) => door.hidden && !door.to).map(({ at }) => `${Math.floor(at.x)},${Math.floor(at.y)}`),
    );
    const drawn = [];
    for (let y = 0; y < this.rows; y += 1) {
      for (let x = 0; x < this.columns; x += 1) {
        if (this.is("+/")(x, y)) drawn.push(this.squareDoor(x, y, hidden.has(`${x},${y}`)));
      }
    }
    return [...drawn, ...this.scene.doors.filter(({ to }) => to).map(lineDoor)];
  }

  squareDoor(x, y, hidden) {
    const closed = this.at(x, y) === "+";
    const solid = this.is("#+/ "); // what isn't seen beside a door is more often its wall than another way through
    const upright = solid(x, y - 1) && solid(x, y + 1) && !(solid(x - 1, y) && solid(x + 1, y));
    return svg(
      "g",
      {
        class: doorClass(!closed, hidden),
        transform: `translate(${x} ${y})${upright ? " rotate(90 .5 .5)" : ""}`,
      },
      svg("title", {}, closed ? "Closed door" : "Open door"),
      svg("path", { class: "door-sill", d: "M0 .3h1v.4H0z" }),
      svg("path", { class: "door-jamb", d: "M0 .26h.1v.48H0zM.9 .26h.1v.48H.9z" }),
      ...leaf(!closed, 1),
    );
  }
}

/** A door that stands on a line, of any length and direction. */
function lineDoor({ at, to, open, hidden }) {
  const [dx, dy] = [to.x - at.x, to.y - at.y];
  const length = Math.hypot(dx, dy);
  const turn = (Math.atan2(dy, dx) * 180) / Math.PI;
  return svg(
    "g",
    {
      class: doorClass(open, hidden),
      transform: `translate(${at.x} ${at.y}) rotate(${turn}) translate(0 -.5)`,
    },
    svg("title", {}, open ? "Open door" : "Closed door"),
    svg("path", { class: "door-jamb", d: `M0 .38h.09v.24H0zM${length - 0.09} .38h.09v.24h-.09z` }),
    ...leaf(open, length),
  );
}

/** Where a light is, and how far it reaches: shown by W, with the walls. */
function light({ at: { x, y }, range }) {
  return svg(
    "g",
    { class: "light" },
    svg("circle", { class: "light-reach", cx: x, cy: y, r: range, "clip-path": "url(#inside)" }),
    svg("path", { class: "light-rays", d: RAYS, transform: `translate(${x} ${y})` }),
    svg("circle", { class: "light-lamp", cx: x, cy: y, r: 0.14 }, svg("title", {}, `A light that reaches ${range} squares`)),
  );
}

function doorClass(open, hidden) {
  return `door ${open ? "open" : "closed"}${hidden ? " unseen" : ""}`;
}

function leaf(open, length) {
  const inner = length - 0.16;
  if (open) {
    return [
      svg("path", { class: "door-swing", d: `M${length - 0.08} .5A${inner} ${inner} 0 0 1 ${0.08 + inner * 0.26} ${0.5 + inner * 0.9}` }),
      svg("rect", { class: "door-leaf", x: 0.02, y: 0.42, width: inner, height: 0.16, rx: 0.04,
        transform: "rotate(70 .08 .5)" }),
    ];
  }
  return [
    svg("rect", { class: "door-leaf", x: 0.08, y: 0.37, width: inner, height: 0.26, rx: 0.04 }),
    svg("path", { class: "door-planks", d: `M${length * 0.36} .37v.26M${length * 0.64} .37v.26` }),
    svg("circle", { class: "door-knob", cx: length - 0.22, cy: 0.5, r: 0.05 }),
  ];
}

/** What a zone of a kind looks like: its class, and its colour. */
export function lookOf(kind) {
  const word = kind.toLowerCase();
  const known = MEANT[word] ?? word;
  if (KINDS.includes(known)) return known;
  return `other${[...word].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % OTHERS}`;
}

/** A line through points, as a path. */
export function polyline(points) {
  return points.map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${x} ${y}`).join("");
}

/** An arrow for each square that a line runs along, to the left of its direction, where one gets past. */
export function arrows(points) {
  let path = "";
  points.slice(1).forEach((to, before) => {
    const { x, y } = points[before];
    const length = Math.hypot(to.x - x, to.y - y);
    if (length === 0) return;
    const [dx, dy] = [(to.x - x) / length, (to.y - y) / length];
    const count = Math.max(1, Math.round(length));
    const place = (along, left) => `${round(x + dx * along + dy * left)} ${round(y + dy * along - dx * left)}`;
    for (let at = 0; at < count; at += 1) {
      const middle = ((at + 0.5) * length) / count;
      path += `M${place(middle - 0.13, 0)}L${place(middle, 0.24)}L${place(middle + 0.13, 0)}z`;
    }
  });
  return path;
}

function round(number) {
  return Math.round(number * 1000) / 1000;
}

/** Cracks and chips of a floor, on nine squares: few enough that nobody sees them come again. */
const FLECKS = "M.3 .42l.22 .1 .12 -.05M1.7 .2l.1 .3 -.06 .16M2.5 .74l.26 .05M.12 1.3l.14 .2M1.1 1.62l.3 -.08 .2 .12M2.2 1.28l.08 .24" +
  "M2.72 1.8l.12 .22M.55 2.2l.3 .14M1.45 2.5l.12 .26 .2 .04M2.3 2.62l.24 -.1M.9 .95h.02M1.98 .98h.02M.34 1.86h.02M1.3 2.1h.02M2.86 2.4h.02M.16 2.74h.02M1.24 .66h.02";

/** What the ground is filled with, and what pictures on tokens are cut out by. */
export function patterns() {
  const tile = (id, width, height, ...drawn) =>
    svg("pattern", { id, width, height, patternUnits: "userSpaceOnUse" }, ...drawn);
  return svg(
    "defs",
    {},
    svg(
      "clipPath",
      { id: "round", clipPathUnits: "objectBoundingBox" },
      svg("circle", { cx: 0.5, cy: 0.5, r: 0.5 }),
    ),
    tile("flecks", 3, 3, svg("path", { class: "fleck-line", d: FLECKS })),
    tile("bricks", 1, 0.5, svg("path", { class: "brick-line", d: "M0 .25h1M0 .5h1M.25 0v.25M.75 .25v.25" })),
    tile("hatch", 0.25, 0.25, svg("path", { class: "hatch-line", d: "M-.05 .3 .3 -.05M-.05 .05 .05 -.05M.2 .3 .3 .2" })),
    tile("fog", 0.5, 0.5, svg("path", { class: "fog-line", d: "M0 .12q.125-.1 .25 0t.25 0M0 .37q.125-.1 .25 0t.25 0" })),
  );
}
