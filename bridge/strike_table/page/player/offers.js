// What may be done, grouped by what it is: a power, and whom it may be used on with the chance to hit.

import { html } from "/static/draw.js";
import { button, grouped } from "./draw.js";

/** The offers that go to no square, as groups. Without `propose` they are only shown. */
export function offerGroups(page, propose) {
  const groups = grouped(page.offers.filter((offer) => !offer.square), (offer) => offer.what);
  const [several, alone] = [[], []];
  for (const [what, offers] of groups) (offers.some((offer) => offer.whom) ? several : alone).push([what, offers]);
  const drawn = several.map(([what, offers]) =>
    html("section", { class: "group" }, html("h3", {}, what),
      html("div", { class: "targets" }, best(offers).map((offer) => target(offer, offer.whom || "Nobody", propose)))));
  if (alone.length) {
    const others = alone.flatMap(([what, offers]) => offers.map((offer) => target(offer, what, propose)));
    drawn.push(html("section", { class: "group" }, several.length ? html("h3", {}, "Other") : null, html("div", { class: "targets" }, others)));
  }
  return drawn;
}

/** The likeliest first; of equals as the game has them. */
function best(offers) {
  const chance = (offer) => offer.chances[0]?.p ?? 0;
  return [...offers].sort((one, other) => chance(other) - chance(one));
}

function target(offer, words, propose) {
  const made = button({ class: "target", "data-key": offer.id }, () => propose(offer.id),
    html("strong", {}, words), ...expectations(offer));
  made.disabled = propose === null;
  return made;
}

/** What is to be expected: chances, averages, who gets to strike for it. */
export function expectations({ chances, expects, gives }) {
  return [
    ...chances.map(({ name, p }) => html("span", { class: "chance" }, `${Math.round(p * 100)}% ${name}`)),
    expects ? html("span", { class: "expects" }, expects) : null,
    gives ? html("span", { class: "gives" }, gives) : null,
  ].filter(Boolean);
}
