// The ground of a scene as paths for Owlbear: walls, rough ground, doors, zones. One item for each kind, so that a map
// is few of them.

const MOVE = 0, LINE = 1, CLOSE = 5; // what a path is made of, as Owlbear numbers it
const FLOOR = "#f0e8d7";
const SQUARES = { "#": ["walls", "#6c6156", 0.95], "~": ["rough ground", "#a3925a", 0.45], "+": ["closed doors", "#9c6b3a", 0.95] };
const ZONES = {
  obscured: "#6d6880", dark: "#2d2940", hazard: "#c4472c", difficult: "#8a6d1c", cover: "#4b7a4a", light: "#c08a1a", water: "#2f78b0",
};
const ANY_ZONE = "#8a4f9e";

/** Zones, which no picture of a map has, and, where `whole`, the map itself: pairs of what each is and the item. */
export function ground(scene, { dpi, at, whole }) {
  const found = [];
  const add = (is, name, commands, style) => commands.length && found.push([is, path(name, commands, at, style)]);
  if (whole) {
    const floor = scene.rows.flatMap((row, y) => runs(row, y, (sign) => sign !== " "));
    add("floor", "Floor", floor.flatMap((run) => box(run, dpi)), fill(FLOOR, 0.9));
    for (const [sign, [name, colour, opacity]] of Object.entries(SQUARES)) {
      const squares = scene.rows.flatMap((row, y) => runs(row, y, (each) => each === sign));
      add(`ground:${name}`, name, squares.flatMap((run) => box(run, dpi)), fill(colour, opacity));
    }
    add("walls", "Walls", scene.walls.flatMap((wall) => line(wall, dpi)), stroke("#3f372f", dpi / 10));
    const oneWay = scene.one_way_walls.flatMap((wall) => [...line(wall, dpi), ...arrows(wall, dpi)]);
    add("walls:one-way", "One-way walls", oneWay, stroke("#3f372f", dpi / 16));
    const half = [...(scene.see_through_walls ?? []), ...(scene.walk_through_walls ?? [])];
    add("walls:half", "Windows and curtains", half.flatMap((wall) => line(wall, dpi)), stroke("#3f372f", dpi / 24));
    const doors = scene.doors.filter(({ to, hidden }) => to && !hidden);
    const lines = (open) => doors.filter((door) => door.open === open).flatMap(({ at: from, to }) => line([from, to], dpi));
    add("doors:closed", "Closed doors", lines(false), stroke("#9c6b3a", dpi / 7));
    add("doors:open", "Open doors", lines(true), stroke("#e0c39a", dpi / 14));
  }
  for (const { id, name, kind, squares, hidden } of scene.zones) {
    if (hidden) continue;
    const boxes = squares.flatMap(({ x, y }) => box({ x, y, length: 1 }, dpi));
    add(`zone:${id}`, name || kind, boxes, fill(ZONES[kind] ?? ANY_ZONE, 0.35));
  }
  return found;
}

/** Squares in a row that are alike and beside each other. */
function runs(row, y, fits) {
  const found = [];
  for (let x = 0; x < row.length; x++) {
    if (!fits(row[x])) continue;
    if (x > 0 && fits(row[x - 1])) found.at(-1).length++;
    else found.push({ x, y, length: 1 });
  }
  return found;
}

function box({ x, y, length }, dpi) {
  const [left, top, right, bottom] = [x, y, x + length, y + 1].map((side) => side * dpi);
  return [[MOVE, left, top], [LINE, right, top], [LINE, right, bottom], [LINE, left, bottom], [CLOSE]];
}

function line(points, dpi) {
  return points.map(({ x, y }, number) => [number === 0 ? MOVE : LINE, x * dpi, y * dpi]);
}

/** To the left of a line's direction, where one gets past it: an arrow for each of its pieces. */
function arrows(points, dpi) {
  return points.slice(1).flatMap((to, before) => {
    const from = points[before];
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
    const place = (along, left) => ({ x: x + dx * along + dy * left, y: y + dy * along - dx * left });
    return line([place(-0.13, 0), place(0, 0.24), place(0.13, 0)], dpi);
  });
}

function fill(colour, opacity) {
  return { fillColor: colour, fillOpacity: opacity, strokeColor: colour, strokeOpacity: 0, strokeWidth: 0, strokeDash: [] };
}

function stroke(colour, width) {
  return { fillColor: colour, fillOpacity: 0, strokeColor: colour, strokeOpacity: 1, strokeWidth: width, strokeDash: [] };
}

function path(name, commands, position, style) {
  const fields = {
    name, position, layer: "DRAWING", visible: true, locked: true, disableHit: true, commands, fillRule: "nonzero", style,
  };
  return { type: "PATH", fields };
}
