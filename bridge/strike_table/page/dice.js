// Dice as they lie on the table: pips for six sides, the shape and the number for others.

import { html, svg } from "./draw.js";
import { OUTLINES, PIPS } from "./look.js";

/** One roll: who rolled for what, where that isn't `known`, and every face, the kept one strong. */
export function rollLine({ who, purpose, sides, each = [], faces, kept, mode, modifiers, total }, known) {
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
    reasons.length > 0 ? html("span", { class: "modifiers" }, html("span", { class: "reasons" }, reasons.join(", ")), " ", html("b", {}, sum)) : null,
    who === known ? null : html("span", { class: "roll-for" }, label),
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
