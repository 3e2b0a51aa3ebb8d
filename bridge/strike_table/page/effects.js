// What happens to somebody on the map, seen where it happens: a blow, a miss, what it cost, a fall. It passes by
// itself; where less motion is asked for, it stands there for as long and doesn't move.

import { svg } from "./draw.js";

const LASTS = 1900; // milliseconds
const APART = 260; // between two of one result

const LOOKS = {
  hit: () => ({ ring: "hit" }),
  miss: () => ({ words: "Miss", look: "miss" }),
  hurt: ({ amount }) => ({ words: amount === null ? "Hurt" : `−${amount}`, look: "hurt" }),
  mended: ({ amount }) => ({ words: amount === null ? "Mended" : `+${amount}`, look: "mended" }),
  down: () => ({ words: "Down", look: "fall", ring: "fall" }),
  out: () => ({ words: "Out", look: "fall", ring: "fall" }),
  status: ({ words }) => ({ words, look: "status" }),
};

export class Effects {
  #layer;
  #placeOf;

  /** `placeOf(id)` is where somebody stands, or stood last: {x, y, size}, or null. */
  constructor(layer, placeOf) {
    this.#layer = layer;
    this.#placeOf = placeOf;
  }

  /** Show the effects of one result, those on one creature after each other. */
  play(effects) {
    const before = new Map();
    const gone = new Set(effects.filter(({ kind }) => kind === "out").map(({ id }) => id));
    for (const effect of effects) {
      if (effect.kind === "down" && gone.has(effect.id)) continue; // the one that says more
      const place = this.#placeOf(effect.id);
      const look = LOOKS[effect.kind]?.(effect);
      if (!place || !look) continue;
      const at = before.get(effect.id) ?? 0;
      before.set(effect.id, at + 1);
      this.#show(look, place, at);
    }
  }

  clear() {
    this.#layer.replaceChildren();
  }

  #show({ words, look, ring }, { x, y, size }, at) {
    const [middle, top] = [x + size / 2, y + size / 2];
    const drawn = svg("g", { class: `effect ${look ?? ring}`, transform: `translate(${middle} ${top})` });
    if (ring) drawn.append(svg("circle", { class: "effect-ring", r: 0.52 * size }));
    if (words) drawn.append(svg("text", { class: "effect-words", y: -0.32 * size - 0.1 - 0.5 * at }, words));
    drawn.style.setProperty("--later", `${at * APART}ms`);
    this.#layer.append(drawn);
    setTimeout(() => drawn.remove(), LASTS + at * APART);
  }
}
