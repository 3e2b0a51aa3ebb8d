// What players have of a painted map with fog: tiles of it, in the size that the camera needs.

import { svg } from "./draw.js";

const SIZES = [35, 70, 140]; // pixels a square that tiles are to be had with
const STRETCH = 1.2; // how much larger one may be shown than it is
const SETTLED = 250; // milliseconds after the camera has stopped

export class Painting {
  element = svg("g", { class: "painting", "aria-hidden": "true" });
  #tileAt;
  #tiles = [];
  #shown = new Map(); // by place: the tile's id and size, and its image
  #size = SIZES[1];
  #settling = null;

  /** `tileAt` makes the address of a tile from its id and size, or a promise of it, of null where it isn't to be had. */
  constructor(tileAt) {
    this.#tileAt = tileAt;
  }

  /** Show these tiles and no others. What stays is not loaded again; what is new covers what it replaces once it is there. */
  show(tiles) {
    this.#tiles = tiles;
    const places = new Set(tiles.map(placeOf));
    for (const [place, { image, before }] of this.#shown) {
      if (places.has(place)) continue;
      [image, ...before].forEach((each) => each.remove());
      this.#shown.delete(place);
    }
    for (const tile of tiles) this.#load(tile);
  }

  /** The camera shows a square with so many pixels. */
  zoom(pixels) {
    const size = SIZES.find((each) => each * STRETCH >= pixels) ?? SIZES.at(-1);
    clearTimeout(this.#settling);
    if (size === this.#size) return;
    this.#settling = setTimeout(() => {
      this.#size = size;
      this.show(this.#tiles);
    }, this.#tiles.length > 0 ? SETTLED : 0);
  }

  async #load({ id, x, y, width, height }) {
    const place = placeOf({ x, y });
    const known = this.#shown.get(place);
    if (known?.id === id && known.size >= this.#size) return;
    const image = svg("image", { class: "picture", x, y, width, height, preserveAspectRatio: "none" });
    const before = known ? [known.image, ...known.before] : [];
    const entry = { id, size: this.#size, image, before };
    this.#shown.set(place, entry);
    image.addEventListener("load", () => entry.before.splice(0).forEach((each) => each.remove()));
    const missing = () => this.#shown.get(place) === entry && this.#shown.set(place, { ...entry, id: null }); // asked for again
    image.addEventListener("error", missing);
    this.element.append(image);
    const href = await this.#tileAt(id, this.#size);
    if (href === null) missing();
    else image.setAttribute("href", href);
  }
}

function placeOf({ x, y }) {
  return `${x} ${y}`;
}
