// The sides of a scene: what each is called, its colour, and its shape. A scene may bring sides of its own.

import { sentence } from "./names.js";

const KNOWN = { party: "Party", allies: "Allies", enemies: "Enemies", neutral: "Neutral" };
const COLOURS = ["party", "enemies", "neutral", "fourth"];

// Within a square of 1: told apart without colour, each with room for a ring of radius 0.41.
const SHAPES = {
  party: "M.5 .05C.7485 .05 .95 .2515 .95 .5S.7485 .95 .5 .95 .05 .7485 .05 .5 .2515 .05 .5 .05z",
  enemies: "M.5 -.01 .94 .245V.755L.5 1.01.06 .755V.245z",
  neutral: "M.17 .07h.66a.1 .1 0 0 1 .1 .1v.66a.1 .1 0 0 1 -.1 .1h-.66a.1 .1 0 0 1 -.1 -.1v-.66a.1 .1 0 0 1 .1 -.1z",
  fourth: "M.3 .03h.4L.97 .3v.4L.7 .97H.3L.03 .7V.3z",
};

/** The outline of a colour's markers. */
export function shapeOf(colour) {
  return SHAPES[colour] ?? SHAPES.neutral;
}

export class Sides {
  #names = new Map(Object.entries(KNOWN));
  #colours = new Map([["party", "party"], ["allies", "party"], ["enemies", "enemies"], ["neutral", "neutral"]]);

  /** The sides that a scene lists come first, then those that its creatures name. */
  constructor(scene, tokens) {
    for (const { id, name } of scene?.sides ?? []) if (name) this.#names.set(id, name);
    const listed = (scene?.sides ?? []).map(({ id }) => id);
    const own = [...new Set([...listed, ...[...tokens].map(({ side }) => side)])].filter((side) => !(side in KNOWN));
    own.forEach((side, at) => this.#colours.set(side, COLOURS[at % COLOURS.length]));
  }

  name(side) {
    return this.#names.get(side) ?? sentence(side);
  }

  /** The class that has its colour and its shape. What a side is called never becomes a class itself. */
  colour(side) {
    return this.#colours.get(side) ?? "neutral";
  }
}
