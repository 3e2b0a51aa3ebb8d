// The game master's hand on the map, where the page acts: the picked creature has its options, its numbers and what is
// done to them; a token is dragged; doors, zones and fog are clicked. Each is a command of the line (acts.js), shown there.

import { button, html, redraw } from "./draw.js";
import { Fit } from "./fit.js";
import { metersOf, reading } from "./meters.js";
import { sentence } from "./names.js";
import { squareName } from "./tokens.js";
import { Walk, expectations, offerGroups, standingOn, ways } from "./turn.js";

const STEPS = [-5, -1, 1, 5]; // by which a number is changed

export class MapHand {
  #root;
  #act;
  #board = null;
  #walk = null;
  #scenes = [];
  #prepared = [];
  #look = { scene: null, tokens: new Map() };
  #picked = null; // id of somebody
  #place = null; // or squares {from, to} that are pointed at
  #going = null; // or {who, square, offers, reason}: somebody is to go there
  #known = new Map(); // what is to be expected, by the line
  #run = 0;
  #why = ""; // the reason, where they are put there by hand
  #unfolded = ""; // whose options are seen where there is no map
  #fit = new Fit({ changed: (at) => this.#fitted(at), play: (line) => this.#act.play(line) });

  /** `act` plays lines and asks: {open, play(line), type(line), ask(path, body)}. */
  constructor(root, act) {
    this.#root = root;
    this.#act = act;
    for (const kind of ["pointerover", "focusin"]) root.addEventListener(kind, ({ target }) => this.#point(target));
    root.addEventListener("pointerleave", () => this.#point(null));
  }

  /** The board that this hand is on, as it asks for one: what is dragged, brushed and gone to by keys. */
  on(board) {
    this.#board = board;
    this.#walk = new Walk(board, async (who, square) => {
      const { offers } = await this.#ways(who, square);
      return offers.length > 0 ? offers : [{ square }]; // they may be put there by hand
    });
  }

  get hand() {
    return {
      own: (id) => this.#act.open && this.#has("place") && this.#look.tokens.has(id),
      over: (square, id) => this.#walk.over(square, id),
      drop: (square, id) => square && this.#go(id, square, true),
    };
  }

  get squares() {
    return { words: () => "", press: (square) => this.#press(square) };
  }

  /** Whether there is something to show of the picked creature, so that its card need not. */
  get open() {
    return !this.#root.hidden;
  }

  /** What could be begun, where nothing is under way. */
  get prepared() {
    return this.#look.scene === null ? this.#prepared : [];
  }

  /** What is done to the scene as a whole. */
  get sceneItems() {
    if (!this.#scene) return this.#prepared.map(({ name, kind, line }) => ({ words: `${kind === "parked" ? "Return to" : "Begin"} ${name}`, act: () => this.#play(line) }));
    const foggy = Boolean(this.#look.scene?.fog);
    const items = [
      this.#has("join") && { words: "Bring in a creature …", act: () => this.#act.type(`${this.#line("join")} `) },
      this.#has("fog") && this.#look.scene?.rows.length && { words: foggy ? "Fog off" : "Fog on", act: () => this.#play(this.#line("fog", foggy ? "off" : "on")) },
      this.#scene.picture && { words: "Fit the picture …", act: () => this.#fit.begin(this.#scene.picture) },
      this.#has("park") && { words: "Park the scene", act: () => this.#play(this.#line("park")) },
      this.#scene.ends && { words: "End the scene", act: () => this.#play(this.#scene.ends) },
    ];
    return items.filter(Boolean);
  }

  /** What the page shows now. */
  look({ scene, tokens }) {
    this.#look = { scene, tokens };
    if (!tokens.has(this.#picked)) this.#picked = null;
    this.#draw();
  }

  /** Something was played: what may be done is another. */
  async refresh() {
    if (!this.#act.open) return;
    const found = await this.#act.ask("GET", "/acts/scene");
    if (!found.scenes) return;
    this.#scenes = found.scenes;
    this.#prepared = found.prepared;
    this.#known.clear();
    document.body.dataset.acts = this.#scene?.id ?? ""; // from here on tokens may be dragged
    if (this.#going) Object.assign(this.#going, await this.#ways(this.#going.who, this.#going.square));
    this.#draw();
    this.#foresee();
  }

  /** Somebody was picked, or nobody; `square` is where. */
  pick(id, square = null) {
    const offered = square && this.#picked !== null && id === null && this.#mayGo(this.#picked, square);
    if (offered) return this.#go(this.#picked, square, false);
    this.#picked = this.#look.tokens.has(id) ? id : null;
    this.#place = id === null && square && this.#act.open && this.#thingsAt(square).length ? { from: square, to: square } : null;
    this.#going = null;
    this.#draw();
    this.#foresee();
  }

  #fitted(at) {
    this.#board.fit(at);
    this.#draw();
  }

  /** Squares were brushed. */
  brush(from, to) {
    this.#picked = this.#going = null;
    this.#place = { from, to };
    this.#draw();
  }

  /** Harm or heal the picked creature, by keys. */
  change(by) {
    const token = this.#look.tokens.get(this.#picked);
    if (token && this.#has("set")) this.#set(token, metersOf(token)[0]?.id, by);
    return Boolean(token);
  }

  get #scene() {
    return this.#scenes.find(({ id }) => id === this.#look.scene?.id);
  }

  #has(command) {
    return Boolean(this.#scene?.hand.includes(command));
  }

  #offers(who) {
    return (this.#scene?.offers ?? []).filter((one) => one.who === who);
  }

  #mayGo(who, square) {
    return this.#offers(who).some((one) => one.square === squareName(square));
  }

  #line(...words) {
    return [this.#scene.system, ...words].map(asWord).join(" ");
  }

  #play(line) {
    this.#going = this.#place = null;
    return this.#act.play(line);
  }

  /** Enter on a square: pick who stands there; with somebody picked, go there. */
  #press(square) {
    const there = standingOn(this.#look.tokens.values(), square);
    if (!there && this.#picked !== null) this.#go(this.#picked, square, false);
    else this.pick(there?.id ?? null, square);
    this.#root.querySelector("button")?.focus();
  }

  /** Bring somebody somewhere: at once, where they were `dragged` and it provokes nobody; else it is asked how. */
  async #go(who, square, dragged) {
    this.#walk.end();
    const { position } = this.#look.tokens.get(who);
    if (position && position.x === square.x && position.y === square.y) return;
    const name = squareName(square);
    const { offers, reason } = await this.#ways(who, name);
    if (dragged && offers.length > 0 && !offers[0].gives) return this.#play(offers[0].line);
    this.#picked = who;
    this.#place = null;
    this.#going = { who, square: name, offers, reason };
    this.#why = "";
    this.#draw();
    this.#root.querySelector("button")?.focus({ preventScroll: true });
  }

  async #ways(who, square) {
    const { offers = [], reason = "" } = await this.#act.ask("POST", "/acts/ways", { who, square });
    return { offers, reason };
  }

  /** Fill in the forecasts of the picked creature's options, one after the other. */
  async #foresee() {
    const run = ++this.#run;
    for (const { id, line, square } of this.#offers(this.#picked ?? this.#unfolded)) {
      if (square || this.#known.has(line)) continue;
      const found = await this.#act.ask("POST", "/acts/expected", { line });
      if (run !== this.#run) return;
      this.#known.set(line, found);
      const shown = this.#root.querySelector(`[data-key="${id}"]`); // nothing goes away under a finger
      if (shown?.childElementCount === 1 && found.chances) shown.append(...expectations(found));
    }
  }

  /** Draw where an option under the pointer leads, and what its area covers. */
  #point(target) {
    const line = target?.closest?.("[data-key]")?.dataset.key;
    const going = this.#going?.offers.find((one) => one.id === line);
    const found = going ?? this.#known.get(this.#scene?.offers.find((one) => one.id === line)?.line);
    this.#board?.showArea(found?.area ?? []);
    this.#walk?.show(found?.way?.length ? found : null, this.#picked);
  }

  // Drawing

  #draw() {
    const { scene } = this.#look;
    const token = this.#look.tokens.get(this.#picked);
    const acts = this.#act.open && scene !== null && this.#scene;
    const bare = scene?.rows.length === 0;
    const whole = acts && !token && this.#scene.offers.some(({ who }) => bare || who === "");
    const fits = acts && this.#fit.on;
    const over = this.#act.open && scene?.over && !this.#scene;
    this.#root.hidden = !(over || fits || (acts && (token || this.#place || whole)));
    this.#board?.showArea(this.#place ? squaresOf(this.#place) : []);
    if (this.#root.hidden) return;
    const parts = () => {
      if (over) return this.#ofPrepared();
      if (fits) return this.#fit.parts();
      if (this.#place) return this.#ofPlace(this.#place);
      return whole ? this.#ofScene() : [this.#heading(token), ...(this.#going ? this.#ofGoing() : this.#ofToken(token))];
    };
    const about = over ? this.#prepared : (this.#going ?? [this.#scene.offers, this.#unfolded]);
    const names = whole && [...this.#look.tokens.values()].map(({ name }) => name);
    const shown = [token, this.#place, scene.doors, scene.zones, about, names, fits && this.#fit.line];
    redraw(this.#root, shown, parts);
  }

  #heading({ name, id, statuses }) {
    const pills = statuses.map((one) => html("span", { class: "pill" }, one));
    return html("h2", {}, html("bdi", {}, name || id), ...pills);
  }

  #ofToken(token) {
    const meters = this.#has("set") ? metersOf(token).map((meter) => this.#meter(token, meter)) : [];
    const goes = this.#offers(token.id).some(({ square }) => square);
    return [
      html("div", { class: "meters-by" }, ...meters),
      this.#row(
        this.#has("hide") && !token.hidden && this.#button("Hide", "hide", token.id, "--now"),
        this.#has("reveal") && token.hidden && this.#button("Reveal", "reveal", token.id),
        this.#has("leave") && this.#typed("Leave", "leave", token.id, "--why "),
      ),
      ...this.#groups(this.#offers(token.id).length > 0 ? token.id : ""),
      html("p", { class: "hint" }, goes ? "Drag them, or click a tinted square." : "Drag them to another square."),
    ];
  }

  #groups(who) {
    const own = this.#offers(who).map((one) => ({ ...one, ...this.#known.get(one.line) }));
    const lines = new Map(this.#offers(who).map(({ id, line }) => [id, line]));
    const played = (line) => this.#known.get(line)?.line ?? line; // what it gives away has been shown by now
    return offerGroups(own, (id) => this.#play(played(lines.get(id))));
  }

  /** What is nobody's own; without a map everybody with what they may do, one of them unfolded. */
  #ofScene() {
    const bare = this.#look.scene.rows.length === 0;
    const everybody = [...new Set(this.#scene.offers.map(({ who }) => who))].filter((who) => bare || who === "");
    if (!everybody.includes(this.#unfolded)) this.#unfolded = everybody[0];
    return everybody.map((who) => {
      const open = who === this.#unfolded;
      const name = this.#look.tokens.get(who)?.name ?? (who ? sentence(who) : "The scene");
      const fold = button({ class: "fold", "aria-expanded": open, "data-key": `fold ${who}` }, () => this.#unfold(who), html("bdi", {}, name));
      return html("section", {}, html("h2", {}, fold), open ? html("div", { class: "unfolded" }, this.#groups(who)) : null);
    });
  }

  /** The scene is over, and stands there still: what may follow. */
  #ofPrepared() {
    return [html("h2", {}, "Next scene"), this.#row(...this.sceneItems.map(({ words, act }) => button({ class: "act", "data-key": words }, act, words)))];
  }

  #unfold(who) {
    this.#unfolded = who;
    this.#draw();
    this.#foresee();
  }

  #meter(token, meter) {
    const by = (step) =>
      button({ class: "by", "aria-label": `${meter.name} ${signed(step)}`, "data-key": `${meter.id} ${step}` }, () => this.#set(token, meter.id, step), signed(step));
    const steps = (meter.gm ?? meter).max > 5 ? STEPS : STEPS.slice(1, 3);
    const half = steps.length / 2;
    const { number, unit } = reading(meter);
    const shown = html("span", { class: "number-of" }, `${number || "–"} ${unit || meter.name}`);
    return html("div", { class: "numbers-by", role: "group", "aria-label": meter.name }, steps.slice(0, half).map(by), shown, steps.slice(half).map(by));
  }

  #set(token, meter, by) {
    return this.#play(this.#line("set", token.id, meter, signed(by)));
  }

  #ofGoing() {
    const { who, square, offers, reason } = this.#going;
    const lines = new Map(offers.map(({ id, line }) => [id, line]));
    return [
      reason ? html("p", { class: "hint" }, reason) : null,
      ways(offers, square, (id) => this.#play(lines.get(id))),
      this.#has("place") ? this.#byHand(who, square) : this.#row(this.#close()),
    ];
  }

  /** What no rule allows is done by hand: the reason, where one is given, is kept in the log. */
  #byHand(who, square) {
    const why = html("input", { type: "text", class: "acts-line", "aria-label": "Reason, kept in the log", placeholder: "Reason, kept in the log", maxlength: 200, "data-key": "why", value: this.#why });
    const form = html("form", { class: "hand-row" }, why, html("button", { type: "submit", class: "act", "data-key": "place" }, `Place on ${square}`), this.#close());
    why.addEventListener("input", () => (this.#why = why.value));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const said = why.value.trim();
      this.#play(this.#line("place", who, square, ...(said ? ["--note", said] : [])));
    });
    return form;
  }

  #ofPlace({ from, to }) {
    const name = from.x === to.x && from.y === to.y ? squareName(from) : `${squareName(from)}:${squareName(to)}`;
    return [
      html("h2", {}, name),
      this.#row(
        ...this.#thingsAt(from),
        this.#has("fog") && this.#button("Lift the fog", "fog", "lift", name),
        this.#has("fog") && this.#button("Cover with fog", "fog", "cover", name),
        this.#has("zone") && this.#typed("Add a zone", "zone", "add", "NAME", `${name} `),
        this.#close(),
      ),
    ];
  }

  /** What may be done with what is on a square: its doors, its zones. */
  #thingsAt(square) {
    const { scene } = this.#look;
    if (!this.#scene || !scene?.rows.length) return [];
    const sign = scene.rows[square.y]?.[square.x];
    const doors = sign === "+" || sign === "/" ? [{ open: sign === "/", squares: [squareName(square)] }] : [];
    for (const { at, to, open } of scene.doors) {
      const sides = to && squaresBeside(at, to);
      if (sides?.some(({ x, y }) => x === square.x && y === square.y)) doors.push({ open, squares: sides.map(squareName) });
    }
    const zones = scene.zones.filter(({ squares }) => squares.some(({ x, y }) => x === square.x && y === square.y));
    return [
      ...(this.#has("door") ? doors : []).map(({ open, squares }) => this.#button(open ? "Close the door" : "Open the door", "door", open ? "close" : "open", ...squares)),
      ...(this.#has("zone") ? zones : []).map(({ id, name, kind }) => this.#button(`Remove ${name || kind}`, "zone", "remove", id)),
    ];
  }

  #row(...children) {
    return html("div", { class: "hand-row" }, children.filter(Boolean));
  }

  #button(words, ...command) {
    const line = this.#line(...command);
    return button({ class: "act", title: line, "data-key": line }, () => this.#play(line), words);
  }

  /** What wants a word more goes into the line. */
  #typed(words, ...command) {
    const last = command.pop();
    return button({ class: "act" }, () => this.#act.type(`${this.#line(...command)} ${last}`), `${words} …`);
  }

  #close() {
    return button({ class: "act quiet" }, () => this.pick(null), "Cancel");
  }
}

/** A word of a line, in quotes where it needs some. */
function asWord(word) {
  return /^[^\s"'\\#]+$/u.test(word) ? word : `"${word.replace(/["\\]/g, "\\$&")}"`;
}

function signed(number) {
  return number < 0 ? `${number}` : `+${number}`;
}

function squaresOf({ from, to }) {
  const found = [];
  for (let y = from.y; y <= to.y; y += 1) for (let x = from.x; x <= to.x; x += 1) found.push({ x, y });
  return found;
}

/** The squares on both sides of a line along the grid. */
function squaresBeside(at, to) {
  const [x, y] = [Math.floor(Math.min(at.x, to.x)), Math.floor(Math.min(at.y, to.y))];
  if (at.x === to.x) return [{ x: x - 1, y }, { x, y }];
  return at.y === to.y ? [{ x, y: y - 1 }, { x, y }] : null;
}
