// The tokens on the map: what each looks like, and where those stand that share a square.

import { redraw, setLabel, setText, svg } from "./draw.js";
import { signOf, wordOf } from "./icons.js";
import { brief, metersOf, readings } from "./meters.js";
import { Portrait } from "./portraits.js";
import { shapeOf } from "./sides.js";

const ARC = 0.358; // radius of the arc that shows HP: the side's ring is seen around it
const FACE = 0.335; // of a picture
const WHOLE = 1.5 * Math.PI * ARC; // its length: what is open lies below, where the badges are
const CORNER = ARC * Math.SQRT1_2;
const CURVE = `M${0.5 - CORNER} ${0.5 + CORNER}A${ARC} ${ARC} 0 1 1 ${0.5 + CORNER} ${0.5 + CORNER}`;
const BADGES = 3;
const BADGE_HEIGHT = 0.27;
const SEEN = ["flying", "prone", "hidden"]; // what shows in how a marker lies there
const STEP = 130; // milliseconds that a square of a way takes
const LONGEST = 1600;

/** Where each stands: a map from id to {x, y, scale}. Those on one square share it, none over another. */
export function placed(tokens) {
  const places = new Map();
  for (const sharing of groups(tokens, ({ position, size }) => `${position.x},${position.y},${size}`)) {
    const columns = Math.ceil(Math.sqrt(sharing.length));
    const scale = 1 / columns;
    // Two stand corner to corner, larger than side by side; their discs just touch.
    const two = [[-0.04, -0.04], [0.43, 0.43]];
    sharing.forEach(({ id, position, size }, at) => {
      const [dx, dy, part] =
        sharing.length === 2
          ? [...two[at], 0.61]
          : [(at % columns) * scale, Math.floor(at / columns) * scale, scale];
      places.set(id, { x: position.x + dx * size, y: position.y + dy * size, scale: part * size });
    });
  }
  return places;
}

function groups(items, keyOf) {
  const found = new Map();
  for (const item of [...items].sort((one, other) => (one.id < other.id ? -1 : 1))) {
    const key = keyOf(item);
    found.set(key, [...(found.get(key) ?? []), item]);
  }
  return found.values();
}

/** One creature’s marker. Its place is a CSS transform, so that moving is a transition. */
export class Marker {
  #drawn = "";

  constructor(id) {
    this.title = svg("title");
    // The baseline is set by hand: browsers differ in where they think that the middle of a line is.
    this.short = svg("text", { class: "short", x: 0.5, y: 0.5, dy: ".35em" });
    this.disc = svg("path", { class: "disc" });
    this.halo = svg("path", { class: "halo" });
    this.hp = svg("path", { class: "hp", d: CURVE });
    this.hpTrack = svg("path", { class: "hp-track", d: CURVE });
    this.badges = svg("g", { class: "badges" });
    const face = svg("image", {
      class: "portrait",
      x: 0.5 - FACE,
      y: 0.5 - FACE,
      width: 2 * FACE,
      height: 2 * FACE,
      preserveAspectRatio: "xMidYMin slice", // where a picture is tall, the head is on top
      "clip-path": "url(#round)",
    });
    this.portrait = new Portrait(face);
    this.body = svg(
      "g",
      { class: "body" },
      this.halo,
      svg("circle", { class: "cast", cx: 0.53, cy: 0.56, r: 0.43 }),
      this.disc,
      face,
      this.hpTrack,
      this.hp,
      svg("path", { class: "cross", d: "M.22 .22 .78 .78M.78 .22 .22 .78" }),
      this.short,
    );
    this.element = svg("svg", { class: "token", role: "img", "data-token": id }, this.title, this.body, this.badges);
  }

  /** `picture` is the address of one, or null; `alike` says that another marker has the same; `colour` is the class of
   * its side. */
  update(token, short, active, place, { picture, alike, colour }) {
    this.portrait.show(picture);
    const drawn = JSON.stringify([token, short, active, place, picture, alike, colour]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const { left, health } = readings(token).first;
    const first = metersOf(token).map((meter) => meter.gm ?? meter)[0];
    const description = describe(token, active);
    const classes = ["token", colour, token.state, active && "active", token.hidden && "unseen", alike && "alike"];
    classes.push(...token.statuses.map(wordOf).filter((word) => SEEN.includes(word)));
    this.element.setAttribute("class", classes.filter(Boolean).join(" "));
    setLabel(this.element, description);
    const shape = shapeOf(colour);
    if (this.disc.getAttribute("d") !== shape) for (const outline of [this.disc, this.halo]) outline.setAttribute("d", shape);
    this.home = place;
    this.element.dataset.x = token.position.x;
    this.element.dataset.y = token.position.y;
    this.element.dataset.hp = first?.value ?? "";
    this.element.style.transform = `translate(${place.x}px, ${place.y}px)`;
    this.body.style.transform = `scale(${place.scale})`;
    setText(this.title, description);
    setText(this.short, short);
    this.short.dataset.length = Math.min(4, [...short].length);

    // A word is shown as a whole arc of its colour.
    const shown = left ?? (health === "unknown" ? null : 1);
    this.hpTrack.toggleAttribute("hidden", shown === null);
    this.hp.toggleAttribute("hidden", shown === null);
    this.hp.dataset.health = health;
    this.hp.style.strokeDasharray = `${(shown ?? 0) * WHOLE} 9`;
    redraw(this.badges, token.statuses, () => drawBadges(token.statuses));
    this.badges.style.transform = `translate(${place.scale / 2}px, ${place.scale * 0.9}px) scale(${Math.min(1.25, place.scale)})`;
  }

  /** Go along a way of squares that ends where it stands, instead of straight there. */
  walk(path) {
    if (path.length < 3 || matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return;
    const end = path.at(-1);
    const [dx, dy] = [this.home.x - end.x, this.home.y - end.y]; // who shares a square stands in a part of it
    const frames = path.map(({ x, y }) => ({ transform: `translate(${x + dx}px, ${y + dy}px)` }));
    this.element.animate(frames, { duration: Math.min(LONGEST, STEP * path.length), easing: "linear" });
  }
}

/** In a row at the foot of the marker; large creatures don't get larger ones. */
function drawBadges(statuses) {
  const marks = statuses.slice(0, statuses.length > BADGES ? BADGES - 1 : BADGES).map((status) => [badge(status), status]);
  const rest = statuses.slice(marks.length);
  if (rest.length > 0) marks.push([`+${rest.length}`, rest.join(", ")]);
  const numbers = marks.map(([, status]) => (signOf(status) === null ? "" : (/\s(\d{1,2})$/.exec(status)?.[1] ?? "")));
  const widths = marks.map(([mark, status], at) =>
    signOf(status) === null ? 0.14 * [...mark].length + 0.1 : BADGE_HEIGHT + 0.11 * numbers[at].length,
  );
  let x = -widths.reduce((sum, width) => sum + width + 0.02, -0.02) / 2;
  return marks.map(([mark, status], at) => {
    const width = widths[at];
    const pill = svg(
      "g",
      { transform: `translate(${x} ${-BADGE_HEIGHT / 2})` },
      svg("title", {}, status),
      svg("rect", { class: "badge", width, height: BADGE_HEIGHT, rx: BADGE_HEIGHT / 2 }),
      ...badgeMark(status, mark, numbers[at], width),
    );
    x += width + 0.02;
    return pill;
  });
}

/** Its sign with its number, or its letters. */
function badgeMark(status, mark, number, width) {
  const path = signOf(status);
  const words = (x, text) => svg("text", { class: "badge-mark", x, y: BADGE_HEIGHT / 2, dy: ".35em" }, text);
  if (path === null) return [words(width / 2, mark)];
  const scale = (BADGE_HEIGHT - 0.07) / 24;
  const drawn = svg("path", { class: "badge-sign", d: path, transform: `translate(.035 .035) scale(${scale})` });
  return number ? [drawn, words(BADGE_HEIGHT + 0.03 * number.length, number)] : [drawn];
}

/** A status in few letters: Prone is Pr, Knocked down is Kd, Burning 2 is Bu2. */
export function badge(status) {
  const number = /\s(\d{1,2})$/.exec(status)?.[1] ?? "";
  const words = status.replace(/\s\d+$/, "").split(/[\s-]+/u).filter(Boolean);
  const letters = words.length > 1 ? words.map((word) => [...word][0]) : [...(words[0] ?? "?")];
  const [first, second = ""] = letters;
  return first.toLocaleUpperCase() + second.toLocaleLowerCase() + number;
}

/** A marker in words, for its tooltip and for a screen reader. */
export function describe(token, active) {
  return [token.name || token.id, details(token, active)].join(", ");
}

/** The same without the name. */
export function details(token, active) {
  const { first, others } = readings(token);
  const parts = [first.words, ...others.map(brief)];
  if (token.state !== "up") parts.push(token.state === "down" ? "down" : "out");
  parts.push(...token.statuses);
  if (token.position !== null) parts.push(`at ${squareName(token.position)}`);
  if (token.hidden) parts.push("hidden from players");
  if (active) parts.push("acting now");
  // Somebody down may look so, too: said once.
  return [...new Set(parts.filter(Boolean))].join(", ");
}

/** C7 for column 2, row 6. */
export function squareName({ x, y }) {
  return `${columnName(x)}${y + 1}`;
}

/** A for 0, Z for 25, AA for 26. */
export function columnName(column) {
  if (column < 0) return String(column);
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last;
}

/** Column and row of a square like C7, from 0. */
export function placeOf(square) {
  const [, letters, row] = /^([A-Z]+)(\d+)$/.exec(square);
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return { x: column - 1, y: Number(row) - 1 };
}
