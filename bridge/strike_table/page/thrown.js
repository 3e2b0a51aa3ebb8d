// Dice that land on the table: they tumble and come to lie with the faces that were rolled. Where less motion is asked
// for they just lie there. Six-sided ones are cubes, others turn flat.

import { die } from "./dice.js";
import { html } from "./draw.js";

const LIE = 3200; // milliseconds that they lie
const MOST = 12; // dice of one result
const TUMBLE = 900;
const LATER = 90; // each die after the one before

// Which way a cube has to be turned to show a face: the sides are 1 in front, 2 right, 3 on top, and so on.
const TURNED = { 1: [0, 0], 2: [0, -90], 3: [-90, 0], 4: [90, 0], 5: [0, 90], 6: [0, 180] };

export class Tray {
  #root;
  #away = null;

  constructor(root) {
    this.#root = root;
  }

  /** Throw the dice of a result: [{sides, faces, kept}]. In so many milliseconds they lie. `stands` marks a critical. */
  show(rolls, stands = false) {
    const still = isStill();
    const drawn = thrownDice(rolls, still);
    if (drawn.length === 0) return 0;
    clearTimeout(this.#away);
    this.#root.replaceChildren(...drawn);
    this.#root.hidden = false;
    const lands = still ? 0 : TUMBLE + LATER * (drawn.length - 1);
    this.#root.classList.toggle("critical", stands);
    this.#root.style.setProperty("--lands", `${lands}ms`);
    this.#away = setTimeout(() => this.clear(), LIE + lands);
    return lands;
  }

  clear() {
    this.#root.hidden = true;
    this.#root.replaceChildren();
  }
}

function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}

/** The dice of rolls as they come to lie. */
export function thrownDice(rolls, still = isStill()) {
  const thrown = rolls.flatMap(({ sides, each = [], faces, kept }) => {
    const keptAt = kept === null ? -1 : faces.indexOf(kept);
    return faces.map((face, at) => ({ sides: each[at] ?? sides, face, counts: keptAt < 0 || at === keptAt }));
  });
  return thrown.slice(0, MOST).map((one, at) => lying(one, at, still));
}

/** A die as it lies in the end; the throw is an animation that ends there. */
export function lying({ sides, face, counts }, at, still) {
  const body = sides === 6 ? cube(face) : html("span", { class: "flat-die" }, die(sides, face, counts));
  const seat = html("span", { class: counts ? "thrown" : "thrown dropped", "data-face": face }, body);
  if (!still) tumble(seat, body, at);
  return seat;
}

function cube(face) {
  const [x, y] = TURNED[face] ?? TURNED[1];
  const sides = Object.entries(TURNED).map(([side, [turnX, turnY]]) => {
    const drawn = html("span", { class: "cube-side" }, die(6, Number(side), true));
    drawn.style.transform = `rotateY(${-turnY}deg) rotateX(${-turnX}deg) translateZ(var(--half))`;
    return drawn;
  });
  const body = html("span", { class: "cube" }, ...sides);
  body.style.transform = `rotateX(${x}deg) rotateY(${y}deg)`;
  return body;
}

function tumble(seat, body, at) {
  const timing = { duration: TUMBLE + LATER * at, easing: "cubic-bezier(.15,.75,.3,1)", fill: "backwards" };
  const spin = (turns) => `rotate3d(${(at % 3) - 1}, 1, ${(at % 2) * 2 - 1}, ${turns}deg)`;
  const end = body.style.transform || "none";
  const start = body.style.transform ? `${spin(900 + 90 * at)} ${end}` : spin(720);
  body.animate([{ transform: start }, { transform: body.style.transform ? `${spin(0)} ${end}` : spin(0) }], timing);
  const bounce = [
    { transform: "translate(-7em, -4em)", opacity: 0 },
    { transform: "translate(-2.2em, .35em)", opacity: 1, offset: 0.45 },
    { transform: "translate(-1em, -.5em)", offset: 0.65 },
    { transform: "none" },
  ];
  seat.animate(bounce, timing);
}
