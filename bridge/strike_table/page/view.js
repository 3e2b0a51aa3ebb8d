// Where one looks at the map from, and how near: wheel, drag, pinch, keys, buttons. Nothing of what is drawn.

const NEAREST = 160; // pixels a square
const LARGEST = 92; // when it all fits
const LEGIBLE = 17; // below this a map is not shown whole by itself
const CLOSE = 34; // what it is shown at then
const STEP = 1.45;
const GUTTER = 24; // pixels on the left and on top, where the coordinates stand
const GLIDE = 220; // milliseconds
const DRAGGED = 5; // pixels until a press is a drag
const RETURN = 20_000; // milliseconds after the last touch until what happens is followed again

function unitNow() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

export class View {
  #frame;
  #near;
  #onChange;
  #onMode;
  #unit = 1;
  #return = null;
  #size = { width: 0, height: 0 }; // of the frame, noted as it changes: to ask for it has all of the page laid out
  #extent = { x: 0, y: 0, width: 1, height: 1 };
  #known = this.#extent; // what of it is worth looking at: under fog what was seen
  #focus = []; // points that matter now: who acts, and whom it is about
  #at = { x: 0.5, y: 0.5, scale: 1 };
  #mode = "home"; // "home" follows what happens; "free" until it does again; "still" and "whole" stay
  #pointers = new Map();
  #dragging = false;
  #glide = null;

  /** `onChange` is told whenever `x(column)`, `y(row)` and `scale` have other values; `onMode` of the mode. Below
   * `near.legible` pixels a square the map is not shown whole by itself, but `near.close`. */
  constructor(frame, onChange, onMode = () => {}, near = { legible: LEGIBLE, close: CLOSE }) {
    this.#near = near;
    this.#frame = frame;
    this.#onChange = onChange;
    this.#onMode = onMode;
    new ResizeObserver(() => this.#settle()).observe(frame);
    frame.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
    frame.addEventListener("pointerdown", (event) => this.#onDown(event));
    frame.addEventListener("pointermove", (event) => this.#onMove(event));
    for (const end of ["pointerup", "pointercancel"]) frame.addEventListener(end, (event) => this.#onUp(event));
    // The click that ends a drag is none.
    frame.addEventListener("click", (event) => this.#dragging && event.stopPropagation(), { capture: true });
    frame.addEventListener("dblclick", (event) => this.zoom(STEP * STEP, this.#pointOf(event)));
    frame.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Pixels that a square is wide. */
  get scale() {
    return this.#at.scale;
  }

  /** What a pixel of ours is on this screen: on a television all is larger. */
  get unit() {
    return this.#unit;
  }

  get width() {
    return this.#size.width;
  }

  get height() {
    return this.#size.height;
  }

  x(column) {
    return this.width / 2 + (column - this.#at.x) * this.#at.scale;
  }

  y(row) {
    return this.height / 2 + (row - this.#at.y) * this.#at.scale;
  }

  /** Another map, of this extent in squares, `known` of it: look at it anew. */
  open(extent, known = extent) {
    this.#extent = extent;
    this.#known = known;
    this.#focus = [];
    this.#enter("home");
    if (this.width === 0) this.#settle(); // now, before there is much to lay out; else all of it is drawn twice
    else this.#lookAgain();
  }

  /** The same map with another extent: keep looking from where one does, or follow what is known of it now. */
  reshape(extent, known = extent) {
    const grown = JSON.stringify(known) !== JSON.stringify(this.#known);
    this.#extent = extent;
    this.#known = known;
    if (grown && this.#mode === "home" && this.width > 0) this.#glideTo(this.#home());
    else this.#lookAgain();
  }

  /** What matters now: points. Where nothing does, it stays with what did: never with empty floor. It is followed
   * only while nobody has moved the map. */
  follow(points) {
    if (points.length === 0) return;
    const first = this.#focus.length === 0;
    this.#focus = points;
    if (this.#mode !== "home" || this.width === 0) return;
    if (first) this.#look(this.#home());
    else this.#glideTo(this.#home());
  }

  /** Follow again, or no longer. */
  toggle() {
    const following = this.#mode === "home";
    this.#enter(following ? "still" : "home");
    if (!following) this.#glideTo(this.#home());
  }

  /** Look at a point, no farther away than it can be read from. */
  lookAt(point) {
    this.#moved();
    this.#glideTo(this.#filled(point, Math.max(this.#at.scale, this.#near.close * this.#unit)));
  }

  /** Bring a point into sight, if it isn't; no farther than that. */
  reveal({ x, y }) {
    const rim = GUTTER * this.#unit + this.scale;
    const [left, top] = [this.x(x), this.y(y)];
    if (left > rim && left < this.width - this.scale && top > rim && top < this.height - this.scale) return;
    this.#moved();
    this.#glideTo({ x, y, scale: this.scale });
  }

  whole() {
    this.#enter("whole");
    this.#glideTo(this.#all());
  }

  #enter(mode) {
    clearTimeout(this.#return);
    this.#mode = mode;
    this.#onMode(mode);
  }

  /** Somebody has moved the map: it stays so for a while, and for good where following is switched off. */
  #moved() {
    if (this.#mode === "still") return;
    this.#enter("free");
    this.#return = setTimeout(() => this.#pointers.size === 0 && this.toggle(), RETURN);
  }

  /** The square at a place on the screen, as {x, y}. */
  squareAt(event) {
    const { x, y } = this.#pointOf(event);
    const at = (middle, length, place) => Math.floor(middle + (place - length / 2) / this.#at.scale);
    return { x: at(this.#at.x, this.width, x), y: at(this.#at.y, this.height, y) };
  }

  /** The square in the middle of the frame. */
  get centre() {
    return { x: Math.floor(this.#at.x), y: Math.floor(this.#at.y) };
  }

  get dragging() {
    return this.#dragging;
  }

  /** By a factor; `about` stays where it is. */
  zoom(factor, about = { x: this.width / 2, y: this.height / 2 }, gliding = true) {
    this.#moved();
    const next = this.#zoomed(factor, about);
    if (gliding) this.#glideTo(next);
    else this.#look(next);
  }

  #zoomed(factor, about) {
    const { x, y, scale } = this.#at;
    const farthest = Math.min(this.#all().scale, LARGEST * this.#unit) * 0.75;
    const next = Math.min(NEAREST * this.#unit, Math.max(farthest, scale * factor));
    const [dx, dy] = [about.x - this.width / 2, about.y - this.height / 2];
    return { x: x + dx / scale - dx / next, y: y + dy / scale - dy / next, scale: next };
  }

  #pan(dx, dy, gliding = false) {
    this.#moved();
    const { x, y, scale } = this.#at;
    const next = { x: x - dx / scale, y: y - dy / scale, scale };
    if (gliding) this.#glideTo(next);
    else this.#look(next);
  }

  // From where

  #all({ x, y, width, height } = this.#extent) {
    const gutter = GUTTER * this.#unit;
    const free = [this.width - gutter, this.height - gutter];
    const scale = Math.max(1, Math.min(free[0] / width, free[1] / height, LARGEST * this.#unit));
    return { x: x + (width - gutter / scale) / 2, y: y + (height - gutter / scale) / 2, scale };
  }

  #home() {
    const all = this.#all(this.#known);
    if (all.scale >= this.#near.legible * this.#unit) return all;
    const { at, scale } = this.#around(this.#focus, all);
    return this.#filled(at, scale);
  }

  /** About a place, but no farther out than that the map fills the frame. */
  #filled(at, scale) {
    const { x, y, width, height } = this.#known;
    const within = (value, start, length, seen) =>
      seen >= length ? start + length / 2 : Math.min(start + length - seen / 2, Math.max(start + seen / 2, value));
    return { x: within(at.x, x, width, this.width / scale), y: within(at.y, y, height, this.height / scale), scale };
  }

  /** Where to look from to have all points in sight, with some room around them. */
  #around(points, all) {
    const near = this.#near.close * this.#unit;
    if (points.length === 0) return { at: all, scale: near };
    const span = (values) => [Math.min(...values), Math.max(...values)];
    const [[left, right], [top, bottom]] = [span(points.map(({ x }) => x)), span(points.map(({ y }) => y))];
    const room = 4; // squares
    const fitting = Math.min(this.width / (right - left + room), this.height / (bottom - top + room));
    // Of what is too far apart the first point counts: who acts.
    if (fitting < this.#near.legible * this.#unit) return { at: points[0], scale: near };
    return { at: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale: Math.min(near, fitting) };
  }

  /** The frame has another size. */
  #settle() {
    const [unit, width, height] = [unitNow(), this.#frame.clientWidth, this.#frame.clientHeight];
    if (unit === this.#unit && width === this.width && height === this.height) return;
    this.#unit = unit;
    this.#size = { width, height };
    if (this.width === 0 || this.height === 0) return;
    const { style } = this.#frame.parentElement; // print.css shows the map as it is here
    style.setProperty("--map-width", this.width);
    style.setProperty("--map-height", this.height);
    this.#lookAgain();
  }

  /** From where one looks, at what is there now. A frame that has no size yet waits until it has one. */
  #lookAgain() {
    if (this.width === 0 || this.height === 0) return;
    if (this.#mode === "home") this.#look(this.#home());
    else this.#look(this.#mode === "whole" ? this.#all() : this.#at);
  }

  #look(at) {
    this.#stop();
    this.#place(at);
  }

  /** The middle of the frame always shows some of the map. */
  #place({ x, y, scale }) {
    const { x: left, y: top, width, height } = this.#extent;
    this.#at = { x: Math.min(left + width, Math.max(left, x)), y: Math.min(top + height, Math.max(top, y)), scale };
    const all = this.#all();
    this.#frame.style.touchAction = scale <= all.scale * 1.01 ? "pan-y" : "none";
    this.#onChange();
  }

  #glideTo(to) {
    if (this.width === 0) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) {
      this.#look(to);
      return;
    }
    this.#stop();
    const from = this.#at;
    // At one scale the ground is moved as it is drawn; where the scale changes it has to be drawn anew.
    this.#frame.classList.toggle("gliding", Math.abs(to.scale / from.scale - 1) < 0.001);
    const began = performance.now();
    const step = (now) => {
      const gone = Math.min(1, Math.max(0, (now - began) / GLIDE));
      const eased = 1 - (1 - gone) ** 3;
      const scale = from.scale * (to.scale / from.scale) ** eased;
      this.#place({ x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased, scale });
      if (gone < 1) this.#glide = requestAnimationFrame(step);
      else this.#stop();
    };
    this.#glide = requestAnimationFrame(step);
  }

  #stop() {
    cancelAnimationFrame(this.#glide);
    this.#frame.classList.remove("gliding");
  }

  // Hands

  #pointOf(event) {
    const { left, top } = this.#frame.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  #onWheel(event) {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 33 : 1);
    this.zoom(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0016)), this.#pointOf(event), false);
  }

  #onDown(event) {
    if (event.button !== 0) return;
    if (this.#pointers.size === 0) this.#dragging = false;
    this.#pointers.set(event.pointerId, { ...this.#pointOf(event), from: this.#pointOf(event) });
  }

  #onMove(event) {
    const held = this.#pointers.get(event.pointerId);
    if (!held) return;
    const now = this.#pointOf(event);
    if (this.#pointers.size === 2) this.#pinch(event.pointerId, held, now);
    else if (this.#dragging || Math.hypot(now.x - held.from.x, now.y - held.from.y) > DRAGGED) {
      this.#drag(event.pointerId);
      this.#pan(now.x - held.x, now.y - held.y);
    } else return;
    Object.assign(held, now);
  }

  #drag(pointerId) {
    if (this.#dragging) return;
    this.#dragging = true;
    this.#frame.setPointerCapture(pointerId);
    this.#frame.classList.add("dragging");
  }

  #pinch(pointerId, held, now) {
    this.#drag(pointerId);
    const [, other] = [...this.#pointers].find(([id]) => id !== pointerId);
    const apart = (point) => Math.hypot(point.x - other.x, point.y - other.y);
    const middle = (point) => ({ x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 });
    this.#pan(middle(now).x - middle(held).x, middle(now).y - middle(held).y);
    if (apart(held) > 0) this.zoom(apart(now) / apart(held), middle(now), false);
  }

  #onUp(event) {
    this.#pointers.delete(event.pointerId);
    if (this.#pointers.size > 0) return;
    if (this.#mode === "free") this.#moved(); // the time runs from when the hand lets go
    this.#frame.classList.remove("dragging");
    setTimeout(() => (this.#dragging = false)); // after the click that follows
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = 90;
    const keys = {
      ArrowLeft: () => this.#pan(far, 0, true),
      ArrowRight: () => this.#pan(-far, 0, true),
      ArrowUp: () => this.#pan(0, far, true),
      ArrowDown: () => this.#pan(0, -far, true),
      "+": () => this.zoom(STEP),
      "=": () => this.zoom(STEP),
      "-": () => this.zoom(1 / STEP),
      0: () => this.whole(),
      f: () => this.toggle(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}

export { STEP };
