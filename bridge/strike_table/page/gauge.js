// A number of somebody's, drawn: as a bar where it has a greatest, else in words.

import { html } from "./draw.js";
import { brief } from "./meters.js";

/** `one` is a reading; `telling` is the one that says how they are, by its colour. */
export function gauge(one, telling) {
  const { left, health, number, unit, words } = one;
  if (left === null) return html("span", { class: "meter plain" }, telling ? words : brief(one));
  const bar = html("span", { class: "bar-left", "data-health": telling ? health : "cool" });
  bar.style.width = `${left * 100}%`;
  return html(
    "span",
    { class: "meter" },
    html("span", { class: "meter-name" }, unit || one.name || ""),
    html("span", { class: "bar-track", "aria-hidden": "true" }, bar),
    html("span", { class: "meter-number" }, number || `~${Math.round(left * 100)}%`),
  );
}
