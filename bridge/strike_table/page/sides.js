// The sides of a scene: what each is called, its colour, and its shape. A scene may bring sides of its own.

import { sentence } from "./names.js";

const KNOWN = { party: "Party", allies: "Allies", enemies: "Enemies", neutral: "Neutral" };
const COLOURS = ["party", "enemies", "neutral", "fourth"];

// Within a square of 1: told apart without colour, each with room for the arc of tokens.js.
const SHAPES = {
  party: "M.5 .02C.765 .02 .98 .235 .98 .5S.765 .98 .5 .98 .02 .765 .02 .5 .235 .02 .5 .02z",
  enemies: "M.5 -.04 .965 .23V.77L.5 1.04.035 .77V.23z",
  neutral: "M.15 .05h.7a.1 .1 0 0 1 .1 .1v.7a.1 .1 0 0 1 -.1 .1h-.7a.1 .1 0 0 1 -.1 -.1v-.7a.1 .1 0 0 1 .1 -.1z",
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
