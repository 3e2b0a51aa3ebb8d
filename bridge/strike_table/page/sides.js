// The sides of a scene: what each is called, and its colour. A scene may bring sides of its own.

import { sentence } from "./names.js";

const KNOWN = { party: "Party", allies: "Allies", enemies: "Enemies", neutral: "Neutral" };
const COLOURS = ["party", "enemies", "neutral", "fourth"];

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

  /** The class that has its colour. What a side is called never becomes a class itself. */
  colour(side) {
    return this.#colours.get(side) ?? "neutral";
  }
}
