// The map: ground, markers and coordinates, seen through a view that one may move.

import { Cursor } from "./cursor.js";
import { html, setLabel, svg } from "./draw.js";
import { takeBrush, takeInHand } from "./hand.js";
import { Effects } from "./effects.js";
import { Painting } from "./painting.js";
import { Reach } from "./reach.js";
import { Rim } from "./rim.js";
import { Ruler } from "./ruler.js";
import { Terrain, patterns } from "./terrain.js";
import { Marker, describe, placed, squareName } from "./tokens.js";
import { sharedPictures } from "./portraits.js";
import { STEP, View } from "./view.js";

const MARGIN = 0.15; // squares
const LABEL = 12.5; // pixels
const LABEL_SMALL = 10.5;
const SMALL = 30; // pixels a square, below which details go
const HELD = 550; // milliseconds of holding still that point at a place
const POINTED = 2600; // that it is marked for

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
  #activeAt;
  #terrain = svg("g", { class: "terrain" });
  #dimmed = svg("g", { "aria-hidden": "true" });
  #drawn = null;
  #painting;
  #reached = svg("g", { class: "reached", "aria-hidden": "true" });
  #fallen = html("div");
  #standing = html("div");
  #over = svg("g", { class: "over", "aria-hidden": "true" });
  #happening = svg("g");
  #measured = svg("g");
  #pings = svg("g");
  #cursorLayer = svg("g");
  // Markers are HTML between two drawings: browsers move that without laying out or painting the rest.
  #worlds = [
    svg("g", { class: "world" }, this.#terrain, this.#dimmed, this.#reached),
    html("div", { class: "world" }, this.#fallen, this.#standing),
    svg("g", { class: "world" }, this.#over, this.#cursorLayer),
  ];
  #pans = this.#worlds.map((world, at) => (at === 1 ? html : svg)(at === 1 ? "div" : "g", { class: "pan" }, world));
  #rim = new Rim();
  #scale = null;
  #lastPlaces = new Map(); // of those, too, who have just left
  #effects = new Effects(this.#happening, (id) => this.#lastPlaces.get(id) ?? null);
  #ruler = new Ruler(this.#measured);
  #reach = new Reach(this.#reached);
  #onMeasure;
  #onWalls;
  #cursor = null;
  #ground = null; // of the scene that is shown, for words
  #fitting = null; // where the picture is tried

  /** `pictureAt` makes the address of an image from its hash, `tileAt` that of a tile (`Painting`). `onPick` is told the id of a marker that was clicked or
   * tapped, null for the terrain, and the square; `onPoint` of one that a mouse is over. `onPing` is told a place
   * {scene, x, y} that was held, `onMode` whether what happens is followed, `onMeasure` what the ruler says, `onWalls` whether walls are shown on a picture. `near` says
   * how near it is shown (`View`). With `squares` there is a cursor that goes from square to square (`Cursor`): `words`
   * says what more there is to say of one than `wordsAt`, `press` is told where Enter was pressed. With `hand`
   * tokens may be dragged (`takeInHand`): `own(id)` says whether one may, `over` and `drop` are told where; with `brush`
   * squares may be (`takeBrush`). */
  constructor(root, { pictureAt, onPick, onPoint = () => {}, onPing, onMode, onMeasure = () => {}, onWalls = () => {}, near, squares, hand, brush, tileAt }) {
    this.#root = root;
    this.#pictureAt = pictureAt;
    this.#painting = new Painting(tileAt);
    this.#onMeasure = onMeasure;
    this.#onWalls = onWalls;
    this.#over.append(this.#measured, this.#happening, this.#pings);
    const [ground, markers, above] = this.#pans;
    root.append(svg("svg", {}, patterns(), ground), markers, svg("svg", { class: "above" }, above, this.#rim.element));
    if (hand) {
      const own = (id) => (!this.#ruler.on && !brush?.on() && hand.own(id) ? (this.#tokens.get(id)?.position ?? null) : null);
      takeInHand(root, { ...hand, own, idOf, squareAt: (event) => this.#view.squareAt(event) });
    }
    if (brush) takeBrush(root, { ...brush, squareAt: (event) => this.#view.squareAt(event) });
    this.#view = new View(root, () => this.#draw(), onMode, near);
    if (squares) {
      const words = (square) => [this.wordsAt(square), squares.words(square)].filter(Boolean).join(". ");
      const moved = ({ x, y }) => this.#view.reveal({ x: x + 0.5, y: y + 0.5 });
      this.#cursor = new Cursor(this.#cursorLayer, { words, press: squares.press, moved });
    }
    root.addEventListener("click", (event) => {
      if (this.#ruler.on) onMeasure(this.#ruler.touch(this.#view.squareAt(event)));
      else onPick(idOf(event.target), this.#view.squareAt(event));
    });
    root.addEventListener("pointerover", (event) => event.pointerType === "mouse" && onPoint(idOf(event.target)));
    root.addEventListener("pointerleave", () => onPoint(null));
    root.addEventListener("keydown", (event) => {
      if (event.key !== "w" || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault(); // no letter for the line of commands
      this.toggleWalls();
    });
    root.addEventListener("pointermove", (event) => {
      const hovers = this.#ruler.on && event.pointerType === "mouse" && event.buttons === 0;
      if (hovers) onMeasure(this.#ruler.to(this.#view.squareAt(event)));
    });
    if (onPing) this.#pointByHolding(onPing);
  }

  /** Holding still on a place points at it, for everybody. */
  #pointByHolding(onPing) {
    let held = null;
    let from = null;
    const letGo = () => clearTimeout(held);
    this.#root.addEventListener("contextmenu", (event) => event.preventDefault());
    this.#root.addEventListener("pointerdown", (event) => {
      letGo();
      if (event.button !== 0 || !event.isPrimary) return;
      from = event;
      held = setTimeout(() => {
        const { x, y } = this.#view.squareAt(event);
        if (!this.#view.dragging) onPing({ scene: this.#sceneId, x: x + 0.5, y: y + 0.5 });
      }, HELD);
    });
    this.#root.addEventListener("pointermove", (event) => {
      if (from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > 5) letGo();
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) this.#root.addEventListener(end, letGo);
  }

  /** Show walls on a picture, or no longer. */
  toggleWalls(on) {
    this.#onWalls(this.#root.classList.toggle("with-walls", on));
  }

  /** Follow what happens, or no longer. */
  toggleFollowing() {
    this.#view.toggle();
  }

  /** Measure from somebody, or from the square that is touched first; again, and it is over. */
  toggleRuler(id) {
    const token = this.#tokens.get(id);
    if (this.#ruler.on) this.#ruler.end();
    else this.#ruler.begin(token ? { ...token.position, size: token.size } : null);
    this.#root.toggleAttribute("data-ruler", this.#ruler.on);
    this.#onMeasure(this.#ruler.on ? this.#ruler.words : "");
  }

  /** Mark a place that somebody points at. */
  ping({ scene, x, y }) {
    if (scene !== this.#sceneId) return;
    const mark = svg(
      "g",
      { class: "ping", transform: `translate(${x} ${y})` },
      svg("circle", { class: "ping-wave", r: 0.9 }),
      svg("circle", { class: "ping-dot", r: 0.16 }),
    );
    this.#pings.append(mark);
    setTimeout(() => mark.remove(), POINTED);
    this.#view.follow([{ x, y }]);
  }

  /** Show what a result brought: ways, blows, falls. */
  play(effects, activeId) {
    for (const { kind, id, path } of effects) {
      const token = this.#tokens.get(id);
      const end = path.at(-1);
      // Only a way that ends where they are: what came later is not walked again.
      if (kind === "moved" && end && token?.position.x === end.x && token.position.y === end.y) this.#markers.get(id)?.walk(path);
    }
    this.#effects.play(effects);
    const about = effects.map(({ id }) => this.#middleOf(id)).filter(Boolean);
    this.#view.follow([this.#middleOf(activeId), ...about].filter(Boolean));
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
      this.#forget();
      return;
    }
    const terrain = new Terrain(scene, this.#pictureAt, this.#painting);
    this.#painting.show(scene.tiles ?? []);
    this.#drawn = scene.fog ? terrain : null;
    this.#ruler.measure = scene.measure;
    if (!scene.fog || scene.id !== this.#sceneId) this.#dimmed.replaceChildren();
    this.#columns = terrain.columns;
    this.#rows = terrain.rows;
    this.#ground = terrain;
    const keys = this.#cursor?.begun ? "Arrow keys go from square to square, Enter picks one" : "Arrow keys move it";
    setLabel(this.#root, `Map: ${scene.name}. ${keys}, plus and minus zoom, 0 shows all, W walls${scene.lights ? " and lights" : ""} on a picture.`);
    this.#root.classList.toggle("pictured", scene.image !== null || scene.tiles?.length > 0);
    const extent = {
      x: -MARGIN,
      y: -MARGIN,
      width: terrain.columns + 2 * MARGIN,
      height: terrain.rows + 2 * MARGIN,
    };
    const known = terrain.known() ?? extent;
    if (scene.id === this.#sceneId) this.#view.reshape(extent, known);
    else {
      this.#forget();
      this.#activeId = undefined;
      this.#view.open(extent, known);
    }
    this.#terrain.replaceChildren(...terrain.draw().filter((part) => part !== null));
    if (this.#fitting) this.fit(this.#fitting);
    this.#sceneId = scene.id;
  }

  #forget() {
    this.#lastPlaces.clear();
    this.#effects.clear();
    this.#ruler.end();
    this.#root.removeAttribute("data-ruler");
  }

  /** Show these markers and no others. `labels` maps ids to short names, `sides` knows colours. */
  setTokens(tokens, { labels, sides, activeId }) {
    const shown = [...tokens].filter(({ position, state }) => position !== null && state !== "out");
    const places = placed(shown);
    const shared = sharedPictures(shown);
    for (const { id, position, size } of shown) this.#lastPlaces.set(id, { ...position, size });
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
    this.#cursor?.refresh();
    if (activeId !== this.#activeId || this.#activeAt !== JSON.stringify(this.#middleOf(activeId))) {
      const active = this.#middleOf(activeId);
      // Before anybody acts it is about the party; later, between turns, about the last actor.
      const first = this.#activeId === undefined ? this.#party(shown) : [];
      this.#view.follow(active ? [active] : first);
    }
    this.#activeId = shown.length > 0 ? activeId : undefined;
    this.#activeAt = JSON.stringify(this.#middleOf(activeId));
  }

  #party(shown) {
    const party = shown.filter(({ side }) => side === "party");
    return (party.length > 0 ? party : shown).map(({ id }) => this.#middleOf(id));
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

  /** Dim what was seen and isn't in sight: `squares` are; null where nobody knows, or there is no fog. */
  showSight(squares) {
    this.#dimmed.replaceChildren(...(this.#drawn && squares ? [this.#drawn.outOfSight(squares)] : []));
  }

  /** Show how far somebody gets, or nobody. */
  showReach(ranges, tokenId) {
    this.#reach.show(ranges, this.#tokens.get(tokenId)?.size);
  }

  /** Show the way over squares to the last of them, as somebody would go; or none. */
  showWay(way, tokenId) {
    this.#reach.showWay(way, this.#tokens.get(tokenId)?.size);
  }

  /** Show the picture with walls on it, {right, down, scale} from where it lies; null as it lies. */
  fit(at) {
    this.#fitting = at;
    this.toggleWalls(at !== null);
    const picture = this.#terrain.querySelector("image.picture");
    if (at) picture?.setAttribute("transform", `translate(${at.right} ${at.down}) scale(${at.scale})`);
    else picture?.removeAttribute("transform");
  }

  /** Mark squares: what an area covers, what is brushed. */
  showArea(squares) {
    this.#reach.showArea(squares);
  }

  /** Put the cursor of keys on a map that is shown anew; at somebody, where they are on it. */
  beginCursor(tokenId) {
    this.#cursor?.begin(this.#columns, this.#rows, this.#tokens.get(tokenId)?.position);
  }

  /** There is something else to say of the square that the cursor is on. */
  refreshCursor() {
    this.#cursor?.refresh();
  }

  /** What is on a square, in words: `F4, difficult terrain, in Burning oil. Goblin 1, 4/4 HP`. */
  wordsAt(square) {
    const covers = ({ position: { x, y }, size }) => square.x >= x && square.x < x + size && square.y >= y && square.y < y + size;
    const there = [...this.#tokens.values()].filter(covers).map((token) => describe(token, token.id === this.#activeId));
    return [[squareName(square), ...(this.#ground?.wordsAt(square) ?? [])].join(", "), ...there].join(". ");
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

  /** As the view says. What would be too small to read is dropped. */
  #draw() {
    const { scale, unit: one } = this.#view;
    const [x, y] = [this.#view.x(0), this.#view.y(0)];
    for (const pan of this.#pans) pan.style.transform = `translate(${x}px, ${y}px)`;
    if (scale !== this.#scale) {
      this.#scale = scale;
      for (const world of this.#worlds) world.style.transform = `scale(${scale})`;
      this.#root.style.setProperty("--pixel", one / scale); // what a pixel is in squares, for what must stay legible
      this.#root.classList.toggle("small", scale < SMALL * one);
      this.#painting.zoom(scale * devicePixelRatio);
    }
    this.#rim.draw({ x, y, scale, columns: this.#columns, rows: this.#rows }, this.#view, (scale < SMALL * one ? LABEL_SMALL : LABEL) * one);
  }
}

function idOf(element) {
  return element.closest("[data-token]")?.dataset.token ?? null;
}
