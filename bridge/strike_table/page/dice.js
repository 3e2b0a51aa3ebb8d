// Dice as they lie on the table: pips for six sides, the shape and the number for others.

import { html, svg } from "./draw.js";

const LEFT = 7;
const MIDDLE = 12;
const RIGHT = 17;
const PIPS = {
  1: [[MIDDLE, MIDDLE]],
  2: [[LEFT, LEFT], [RIGHT, RIGHT]],
  3: [[LEFT, LEFT], [MIDDLE, MIDDLE], [RIGHT, RIGHT]],
  4: [[LEFT, LEFT], [RIGHT, LEFT], [LEFT, RIGHT], [RIGHT, RIGHT]],
  5: [[LEFT, LEFT], [RIGHT, LEFT], [MIDDLE, MIDDLE], [LEFT, RIGHT], [RIGHT, RIGHT]],
  6: [[LEFT, LEFT], [RIGHT, LEFT], [LEFT, MIDDLE], [RIGHT, MIDDLE], [LEFT, RIGHT], [RIGHT, RIGHT]],
};
const OUTLINES = {
  4: "12,1.5 23,21 1,21",
  8: "12,1 22,12 12,23 2,12",
  10: "12,1 22,9.5 22,14.5 12,23 2,14.5 2,9.5",
  12: "12,1 22.5,9 18.5,21.5 5.5,21.5 1.5,9",
  20: "12,1 21.8,6.5 21.8,17.5 12,23 2.2,17.5 2.2,6.5",
};

/** One roll: who rolled for what, and every face, the kept one strong. */
export function rollLine({ who, purpose, sides, each = [], faces, kept, mode, modifiers, total }) {
  // A face may have been read as another; then no face equals what was kept, and all count as rolled.
  const keptAt = kept === null ? -1 : faces.indexOf(kept);
  const told = faces.map((face, at) => (keptAt >= 0 && at !== keptAt ? `${face} dropped` : `${face}`)).join(", ");
  const label = [who, purpose].filter(Boolean).join(" · ");
  const reasons = modifiers.map(({ value, reason }) => `${signed(value)}${reason ? ` ${reason}` : ""}`);
  const sum = modifiers.length > 0 && total !== null ? `= ${total}` : "";
  return html(
    "div",
    { class: "roll" },
    html(
      "span",
      { class: "dice", role: "img", "aria-label": `d${sides}: ${told}` },
      ...faces.map((face, at) => die(each[at] ?? sides, face, keptAt < 0 || at === keptAt)),
    ),
    mode === "plain" ? null : html("span", { class: `mode ${mode}` }, MODES[mode]),
    reasons.length > 0 ? html("span", { class: "modifiers" }, reasons.join(", "), " ", html("b", {}, sum)) : null,
    html("span", { class: "roll-for" }, label),
  );
}

const MODES = { advantage: "▲ Advantage", disadvantage: "▼ Disadvantage" };

function signed(value) {
  return value < 0 ? `${value}` : `+${value}`;
}

export function die(sides, face, kept) {
  return svg(
    "svg",
    { class: `die ${kept ? "kept" : "dropped"}`, viewBox: "0 0 24 24", "aria-hidden": "true", "data-face": face },
    outline(sides),
    ...(sides === 6 && PIPS[face] ? pips(face) : [number(sides, face)]),
  );
}

function outline(sides) {
  if (OUTLINES[sides]) return svg("polygon", { class: "die-body", points: OUTLINES[sides] });
  return svg("rect", { class: "die-body", x: 1.5, y: 1.5, width: 21, height: 21, rx: 5 });
}

function pips(face) {
  return PIPS[face].map(([x, y]) => svg("circle", { class: "pip", cx: x, cy: y, r: 2 }));
}

function number(sides, face) {
  return svg("text", { class: "die-number", x: 12, y: sides === 4 ? 15 : 12, dy: ".35em" }, String(face));
}
