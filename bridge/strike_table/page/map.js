// The map: ground, markers and coordinates, seen through a view that one may move.

import { svg } from "./draw.js";
import { Terrain, patterns } from "./terrain.js";
import { Marker, columnName, placed } from "./tokens.js";
import { sharedPictures } from "./portraits.js";
import { STEP, View } from "./view.js";

const MARGIN = 0.15; // squares
const LABEL = 12.5; // pixels
const LABEL_SMALL = 10.5;
const SMALL = 30; // pixels a square, below which details go

export class Board {
  #root;
  #pictureAt;
  #view;
  #markers = new Map();
  #tokens = new Map();
  #sceneId = null;
  #columns = 0;
  #rows = 0;
  #activeId;
  #terrain = svg("g", { class: "terrain" });
  #fallen = svg("g");
  #standing = svg("g");
  #world = svg("g", { class: "world" }, this.#terrain, this.#fallen, this.#standing);
  #labels = svg("g", { class: "labels", "aria-hidden": "true" });

  /** `pictureAt` makes the address of an image from its hash. `onPick` is told the id of a marker that was clicked or
   * tapped, `onPoint` of one that a mouse is over; null for the terrain. */
  constructor(root, { pictureAt, onPick, onPoint }) {
    this.#root = root;
    this.#pictureAt = pictureAt;
    root.append(patterns(), this.#world, this.#labels);
    this.#view = new View(root, () => this.#draw());
    root.addEventListener("click", (event) => onPick(idOf(event.target)));
    root.addEventListener("pointerover", (event) => event.pointerType === "mouse" && onPoint(idOf(event.target)));
    root.addEventListener("pointerleave", () => onPoint(null));
  }

  nearer() {
    this.#view.zoom(STEP);
  }

  farther() {
    this.#view.zoom(1 / STEP);
  }

  whole() {
    this.#view.whole();
  }

  /** Draw another map, the same one changed, or none: a scene without one is not drawn here. */
  setScene(scene) {
    const bare = scene === null || scene.rows.length === 0;
    this.#root.toggleAttribute("hidden", bare);
    if (bare) {
      this.#sceneId = null;
      return;
    }
    const terrain = new Terrain(scene, this.#pictureAt);
    this.#columns = terrain.columns;
    this.#rows = terrain.rows;
    this.#root.setAttribute("aria-label", `Map: ${scene.name}. Arrow keys move it, plus and minus zoom, 0 shows all.`);
    this.#root.classList.toggle("pictured", scene.image !== null);
    this.#terrain.replaceChildren(...terrain.draw().filter((part) => part !== null));
    const extent = {
      x: -MARGIN,
      y: -MARGIN,
      width: terrain.columns + 2 * MARGIN,
      height: terrain.rows + 2 * MARGIN,
    };
    if (scene.id === this.#sceneId) this.#view.reshape(extent);
    else this.#view.open(extent);
    this.#sceneId = scene.id;
  }

  /** Show these markers and no others. `labels` maps ids to short names, `sides` knows colours. */
  setTokens(tokens, { labels, sides, activeId }) {
    const shown = [...tokens].filter(({ position, state }) => position !== null && state !== "out");
    const places = placed(shown);
    const shared = sharedPictures(shown);
    this.#tokens = new Map(shown.map((token) => [token.id, token]));
    // The small are drawn over the large, so that who stands in a giant's square is seen.
    for (const token of shown.sort((one, other) => other.size - one.size)) {
      const marker = this.#markers.get(token.id) ?? this.#addMarker(token);
      const picture = token.image && this.#pictureAt(token.image.hash);
      const look = { picture, alike: shared.has(token.image?.hash), colour: sides.colour(token.side) };
      marker.update(token, labels.get(token.id), token.id === activeId, places.get(token.id), look);
      const layer = token.state === "up" ? this.#standing : this.#fallen;
      if (marker.element.parentNode !== layer) layer.append(marker.element);
    }
    for (const layer of [this.#fallen, this.#standing]) this.#sort(layer);
    for (const [id, marker] of this.#markers) {
      if (this.#tokens.has(id)) continue;
      marker.element.remove();
      this.#markers.delete(id);
    }
    if (activeId !== this.#activeId) this.#view.follow(this.#middleOf(activeId));
    this.#activeId = activeId;
  }

  #sort(layer) {
    const sizeOf = (element) => this.#tokens.get(element.dataset.token)?.size ?? 1;
    const sizes = [...layer.children].map(sizeOf);
    if (sizes.every((size, at) => at === 0 || size <= sizes[at - 1])) return;
    layer.append(...[...layer.children].sort((one, other) => sizeOf(other) - sizeOf(one)));
  }

  #middleOf(id) {
    const token = this.#tokens.get(id);
    return token ? { x: token.position.x + token.size / 2, y: token.position.y + token.size / 2 } : null;
  }

  /** Bring a marker to the middle. */
  lookAt(id) {
    const middle = this.#middleOf(id);
    if (middle) this.#view.lookAt(middle);
  }

  /** Point one marker out, or none. */
  pointOut(tokenId) {
    for (const [id, marker] of this.#markers) marker.element.classList.toggle("pointed-out", id === tokenId);
  }

  #addMarker(token) {
    const marker = new Marker(token.id);
    this.#markers.set(token.id, marker);
    return marker;
  }

  /** As the view says. What would be too small to read is dropped; coordinates stay in sight at the rim. */
  #draw() {
    const { scale } = this.#view;
    this.#world.style.transform = `translate(${this.#view.x(0)}px, ${this.#view.y(0)}px) scale(${scale})`;
    this.#root.classList.toggle("small", scale < SMALL);
    const size = scale < SMALL ? LABEL_SMALL : LABEL;
    const step = [1, 2, 5, 10].find((by) => by * scale >= size * 1.6) ?? 20;
    const [highest, leftmost] = [size * 0.85, size * 0.95];
    const [top, left] = [this.#view.y(0) - size * 0.9, this.#view.x(0) - size];
    const [rowOfNames, columnOfNumbers] = [Math.max(highest, top), Math.max(leftmost, left)];
    const seen = (at, length) => at > size && at < length - size / 2;
    const columns = steps(this.#columns, step).map((x) => [this.#view.x(x + 0.5), columnName(x)]);
    const rows = steps(this.#rows, step).map((y) => [this.#view.y(y + 0.5), String(y + 1)]);
    // Where the map goes on under them, they stand on a band.
    const bands = [
      top < highest ? band(this.#view.width, 2 * highest) : null,
      left < leftmost ? band(2 * leftmost, this.#view.height) : null,
    ];
    this.#labels.replaceChildren(
      ...bands.filter((one) => one !== null),
      ...columns.filter(([x]) => seen(x, this.#view.width)).map(([x, name]) => label(x, rowOfNames, name, size)),
      ...rows.filter(([y]) => seen(y, this.#view.height)).map(([y, name]) => label(columnOfNumbers, y, name, size)),
    );
  }
}

function idOf(element) {
  return element.closest("[data-token]")?.dataset.token ?? null;
}

function steps(count, step) {
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
}

function band(width, height) {
  return svg("rect", { class: "rim-band", width, height });
}

function label(x, y, text, size) {
  return svg("text", { class: "label", x, y, "font-size": size }, text);
}
