// The map on a phone: drawn as the table draws it, with what one may do there. Tap a square to see the way, then say
// how; drag one's own token; or go there by keys. Tap somebody to see what may be done to them.

import { button, grouped, html, svg } from "/static/draw.js";
import { Board } from "/static/map.js";
import { shortNames } from "/static/names.js";
import { Sides } from "/static/sides.js";
import { details, placeOf, squareName } from "/static/tokens.js";
import { Walk, options, standingOn, ways } from "/static/turn.js";
import { picture } from "./link.js";

const ON_ITS_SIDE = matchMedia("(max-height: 31.25em) and (orientation: landscape)");
// Pixels a square: for a finger; on its side a phone has no room for more than the whole of a map.
const NEAR = {
  get legible() {
    return ON_ITS_SIDE.matches ? 20 : 30;
  },
  close: 40,
};
const TOOLS = [
  ["Follow what happens", "M10 2v4M10 14v4M2 10h4M14 10h4M10 5.500a4.500 4.500 0 1 1 0 9a4.500 4.500 0 1 1 0-9", (board) => board.toggleFollowing()],
  ["Farther", "M4 10h12", (board) => board.farther()],
  ["Nearer", "M10 4v12M4 10h12", (board) => board.nearer()],
  ["Whole map", "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4", (board) => board.whole()],
];

export class Ground {
  #map = html("div", { class: "map", role: "group", "aria-label": "Map" });
  #ways = html("div", { class: "ways", "aria-live": "polite" });
  #board;
  #walk;
  #propose;
  #pictureAt;
  #page = null;
  #sides = null;
  #may = false;
  #goes = new Map(); // offers by the square that they lead to
  #square = ""; // that was picked
  #who = null; // or somebody
  #scene = "";
  #drawn = "";

  /** `propose` is told the id of an offer; `pictureAt` makes the address of an image from its hash, null until it is there. */
  constructor(place, { propose, pictureAt }) {
    this.#propose = propose;
    this.#pictureAt = pictureAt;
    this.#board = new Board(this.#map, {
      pictureAt,
      tileAt: (id, size) => picture(`tiles/${id}/${size}`),
      onPick: (id, square) => this.#pick(id, square),
      onMode: (mode) => follow.setAttribute("aria-pressed", String(mode === "home")),
      near: NEAR,
      squares: { words: (square) => this.#words(square), press: (square) => this.#press(square) },
      hand: {
        own: (id) => this.#may && this.#goes.size > 0 && id === this.#page.map.mine,
        over: (square, id) => this.#walk.over(square, id),
        drop: (square) => this.#drop(square),
      },
    });
    this.#walk = new Walk(this.#board, (id, square) => this.#goes.get(square) ?? []);
    const tools = TOOLS.map(([name, path, act]) => tool(name, path, () => act(this.#board)));
    const follow = tools[0];
    follow.setAttribute("aria-pressed", "true");
    place.append(
      html("div", { class: "frame" }, this.#map),
      html("div", { class: "zoom", role: "group", "aria-label": "View of the map" }, tools),
      this.#ways,
    );
  }

  /** Show the map of a page that has one; `may` says whether anything is taken. */
  show(page, may) {
    const drawn = JSON.stringify([page.map, page.offers, page.finding, may]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#page = page;
    this.#may = may;
    this.#goes = grouped(page.offers.filter((offer) => offer.square), (offer) => offer.square);
    if (!page.finding && !this.#goes.has(this.#square)) this.#square = "";
    const { scene, tokens, active, mine } = page.map;
    const ground = JSON.stringify([scene, scene.image !== null && this.#pictureAt(scene.image.hash) !== null]);
    if (ground !== this.#scene) this.#board.setScene(scene);
    this.#sides = new Sides(scene, tokens);
    this.#board.setTokens(tokens, { labels: shortNames(tokens), sides: this.#sides, activeId: active });
    if (ground !== this.#scene) this.#board.beginCursor(mine);
    this.#scene = ground;
    if (!this.#token(this.#who)) this.#who = null;
    this.#draw();
  }

  /** The class of the colour of somebody's side; without a map, of the one that was told. */
  colourOf(id, side) {
    const token = this.#page?.map && this.#token(id);
    return token ? this.#sides.colour(token.side) : side || "neutral";
  }

  /** Pictures have come that had no address before. */
  again() {
    this.#drawn = "";
    if (this.#page !== null) this.show(this.#page, this.#may);
  }

  #token(id) {
    return this.#page.map.tokens.find((token) => token.id === id);
  }

  #offersAt(square) {
    return (square && this.#goes.get(squareName(square))) ?? [];
  }

  #draw() {
    const { map } = this.#page;
    const reaching = this.#who === map.mine;
    const moves = this.#goes.size ? [...this.#goes.keys()].map(placeOf) : reaching ? map.moves : [];
    this.#board.showReach({ moves, attacks: reaching ? map.attacks : [] }, map.mine);
    this.#board.pointOut(this.#who);
    this.#walk.show(this.#goes.get(this.#square)?.[0], map.mine);
    this.#board.refreshCursor();
    const key = this.#ways.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    this.#ways.replaceChildren(...this.#legend());
    if (key) this.#ways.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }

  #pick(id, square) {
    const name = squareName(square);
    // What leads where may not have come yet: then the way is drawn once it has.
    const goes = this.#goes.has(name) || (this.#page.finding && id === null);
    this.#square = goes && name !== this.#square ? name : "";
    this.#who = !goes && id !== this.#who ? id : null;
    this.#draw();
  }

  /** Enter on a square: pick it; once more, and what leads there is done, where it is one thing. */
  #press(square) {
    const offers = this.#offersAt(square);
    if (offers.length === 1 && this.#square === squareName(square) && this.#may) return this.#propose(offers[0].id);
    this.#pick(standingOn(this.#page.map.tokens, square)?.id ?? null, square);
  }

  /** What leads there is done, where it is one thing; where that is still found out, it is shown once it has come. */
  #drop(square) {
    const offers = this.#offersAt(square);
    this.#walk.end();
    this.#square = offers.length || (square && this.#page.finding) ? squareName(square) : "";
    this.#who = null;
    this.#draw();
    if (offers.length === 1) this.#propose(offers[0].id);
  }

  /** What one may do at a square, for the cursor of keys. */
  #words(square) {
    const offers = this.#page === null ? [] : this.#offersAt(square);
    if (!offers.length) return "";
    const [{ what, far: distance, gives }] = offers;
    const far = distance ? `, ${distance} away` : "";
    const again = this.#square === squareName(square) && offers.length === 1 ? "Enter once more: " : "";
    return `${again}${what} here${far}${gives ? `, ${gives}` : ""}`;
  }

  #legend() {
    if (this.#goes.has(this.#square)) return [ways(this.#goes.get(this.#square), this.#square, this.#act)];
    const who = this.#who && this.#token(this.#who);
    const far = "Tinted: your possible moves. Dashed: the range of your attacks.";
    if (who && who.id !== this.#page.map.mine) return this.#about(who);
    const hints = [this.#goes.size && "Tap a tinted square, or drag your token.", who ? far : "Tap your token to see your reach."];
    return [html("p", { class: "hint" }, hints.filter(Boolean).join(" "))];
  }

  /** How somebody is, and what may be done to them. */
  #about(token) {
    const offers = this.#page.offers.filter((offer) => offer.targets.includes(token.id));
    return [
      html("p", { class: "about" }, html("strong", {}, token.name), ` ${details(token, token.id === this.#page.map.active)}`),
      offers.length ? options(offers, ({ what }) => what, this.#act) : null,
    ].filter(Boolean);
  }

  get #act() {
    return this.#may ? this.#propose : null;
  }
}

function tool(name, path, act) {
  const drawn = svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: path }));
  return button({ "aria-label": name, title: name }, act, drawn);
}
