// The ground of a scene as paths for Owlbear: what the table draws (terrain.js), in items of Owlbear's. One item for each
// kind, so that a map is few of them.

import { COLOURS } from "/static/look.js";
import { Terrain, arrows, lookOf, polyline } from "/static/terrain.js";

const MOVE = 0, LINE = 1, CLOSE = 5; // what a path is made of, as Owlbear numbers it
const SQUARES = { "#": ["walls", COLOURS.wall, 0.95], "~": ["rough ground", COLOURS.hatch, 0.45], "+": ["closed doors", COLOURS.wood, 0.95] };

/** Zones, which no picture of a map has, and, where `whole`, the map itself: pairs of what each is and the item. */
export function ground(scene, { dpi, at, whole }) {
  const terrain = new Terrain(scene);
  const found = [];
  const add = (is, name, drawn, style) => drawn && found.push([is, path(name, commandsOf(drawn, dpi), at, style)]);
  const lines = (walls, draw = polyline) => (walls ?? []).map(draw).join("");
  if (whole) {
    add("floor", "Floor", terrain.area(terrain.is(".~+/#")), fill(COLOURS.floor, 0.9));
    for (const [sign, [name, colour, opacity]] of Object.entries(SQUARES)) {
      add(`ground:${name}`, name, terrain.area(terrain.is(sign)), fill(colour, opacity));
    }
    add("walls", "Walls", lines(scene.walls), stroke(COLOURS["wall-edge"], dpi / 10));
    const oneWay = lines(scene.one_way_walls) + lines(scene.one_way_walls, arrows);
    add("walls:one-way", "One-way walls", oneWay, stroke(COLOURS["wall-edge"], dpi / 16));
    const half = lines(scene.see_through_walls) + lines(scene.walk_through_walls) + lines(scene.terrain_walls);
    add("walls:half", "Windows and curtains", half, stroke(COLOURS["wall-edge"], dpi / 24));
    const doors = (open) => lines(scene.doors.filter(({ to, hidden, open: is }) => to && !hidden && is === open).map((door) => [door.at, door.to]));
    add("doors:closed", "Closed doors", doors(false), stroke(COLOURS.wood, dpi / 7));
    add("doors:open", "Open doors", doors(true), stroke(COLOURS.rough, dpi / 14));
  }
  for (const { id, name, kind, squares, hidden } of scene.zones) {
    if (hidden) continue;
    const covered = new Set(squares.map(({ x, y }) => `${x},${y}`));
    const area = terrain.area((x, y) => covered.has(`${x},${y}`));
    add(`zone:${id}`, name || kind, area, fill(COLOURS[`zone-${lookOf(kind)}`], 0.35));
  }
  return found;
}

/** A path of squares as Owlbear's commands, in pixels. It has M, L, h, v and z, as `Terrain` draws them. */
export function commandsOf(path, dpi) {
  let [x, y] = [0, 0];
  return [...path.matchAll(/([MLhvz])([^MLhvz]*)/g)].map(([, sign, words]) => {
    const numbers = words.trim().split(/\s+/).filter(Boolean).map(Number);
    if (sign === "z") return [CLOSE];
    if (sign === "h") x += numbers[0];
    else if (sign === "v") y += numbers[0];
    else [x, y] = numbers;
    return [sign === "M" ? MOVE : LINE, x * dpi, y * dpi];
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
