// A scene without a map: its track, its sides with what each has picked, everybody in it with all their numbers.

import { html } from "./draw.js";
import { gauge } from "./gauge.js";
import { readings } from "./meters.js";
import { sentence } from "./names.js";
import { Portrait } from "./portraits.js";

export class Stage {
  #root;
  #pictureAt;
  #drawn = "";

  /** `pictureAt` makes the address of an image from its hash. */
  constructor(root, { pictureAt }) {
    this.#root = root;
    this.#pictureAt = pictureAt;
  }

  /** Point somebody out, or nobody. */
  pointOut(tokenId) {
    for (const one of this.#root.querySelectorAll("[data-person]")) {
      one.classList.toggle("pointed-out", one.dataset.person === tokenId);
    }
  }

  /** Show a scene and who is in it, or nothing. Beside a map there is the track alone, and sides. */
  show(scene, tokens, { labels, sides, activeId }) {
    const bare = scene !== null && scene.rows.length === 0;
    const needed = bare || Boolean(scene?.track || scene?.sides.length);
    this.#root.hidden = !needed;
    const drawn = needed ? JSON.stringify([scene, [...tokens.values()], activeId, [...labels]]) : "";
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    if (!needed) return;
    const look = { tokens, labels, sides, activeId };
    const inTeams = new Set(scene.sides.flatMap(({ team }) => team));
    const others = bare ? [...tokens.values()].filter(({ id }) => !inTeams.has(id)) : [];
    this.#root.replaceChildren(
      ...[
        scene.track && track(scene.track),
        scene.sides.length > 0 && html("div", { class: "sides" }, ...scene.sides.map((side) => this.#side(side, look))),
        others.length > 0 && html("ul", { class: "people" }, ...others.map((one) => this.#person(one, look))),
      ].filter(Boolean),
    );
  }

  #side(side, look) {
    const team = side.team.map((who) => look.tokens.get(who)).filter(Boolean);
    const cards = new Map(side.cards.map((card) => [card.who, card]));
    const apart = side.cards.filter(({ who }) => !team.some(({ id }) => id === who));
    return html(
      "section",
      { class: `side ${look.sides.colour(side.id)}`, "data-side": side.id, "aria-label": look.sides.name(side.id) },
      html("header", {}, html("h3", {}, look.sides.name(side.id)), numbers(side.numbers)),
      side.intent ? html("p", { class: "intent" }, side.intent) : null,
      side.traits.length + side.lost_traits.length > 0 ? traits(side) : null,
      team.length > 0
        ? html("ul", { class: "team" }, ...team.map((one) => this.#person(one, look, cards.get(one.id))))
        : null,
      apart.length > 0 ? html("p", { class: "picked" }, ...apart.map(picked)) : null,
    );
  }

  #person(token, { labels, sides, activeId }, card = null) {
    const { first, others } = readings(token);
    const active = token.id === activeId;
    const face = html("img", { class: "portrait", alt: "" });
    new Portrait(face).show(token.image && this.#pictureAt(token.image.hash));
    const classes = ["person", sides.colour(token.side), token.state, active && "active", token.hidden && "unseen"];
    const words = [...(STATES[token.state] ?? []), ...(token.hidden ? ["Hidden"] : []), ...token.statuses];
    return html(
      "li",
      { class: classes.filter(Boolean).join(" "), "data-person": token.id, "aria-current": active ? "true" : null },
      html("span", { class: "chip", "aria-hidden": "true" }, html("span", {}, labels.get(token.id)), face),
      html(
        "div",
        { class: "person-words" },
        html("span", { class: "name" }, token.name || token.id),
        ...words.map((word) => html("span", { class: "pill" }, word)),
      ),
      card ? picked(card) : null,
      first.words || others.length > 0
        ? html(
            "div",
            { class: "gauges" },
            first.words ? gauge(first, true) : null,
            ...others.map((one) => gauge(one, false)),
          )
        : null,
    );
  }
}

const STATES = { down: ["Down"], out: ["Out"] };

function track({ name, steps, at }) {
  const here = steps.indexOf(at);
  const marks = steps.map((step, place) =>
    html(
      "li",
      { class: place === here ? "step here" : "step", "aria-current": place === here ? "step" : null },
      html("span", { class: "step-mark", "aria-hidden": "true" }),
      html("span", { class: "step-name" }, sentence(step)),
    ),
  );
  return html(
    "section",
    { class: "track", "aria-label": name },
    html("h3", {}, name),
    html("ol", { class: "steps" }, ...marks),
  );
}

function numbers(all) {
  const shown = Object.entries(all).map(([name, value]) => html("div", {}, html("dd", {}, String(value)), html("dt", {}, name)));
  return shown.length > 0 ? html("dl", { class: "numbers" }, ...shown) : null;
}

function traits({ traits: held, lost_traits: lost }) {
  return html(
    "p",
    { class: "traits" },
    ...held.map((trait) => html("span", { class: "pill" }, trait)),
    ...lost.map((trait) => html("s", { class: "pill lost", "aria-label": `${trait}, lost` }, trait)),
  );
}

/** What was picked: face up, face down, or seen by the game master alone. */
function picked({ who, what, hidden }) {
  if (what === null) {
    const words = "Picked, face down";
    return html("span", { class: "pick back", role: "img", title: words, "aria-label": words, "data-pick": who });
  }
  const words = sentence(what);
  const label = hidden ? `${words}, face down for players` : words;
  return html("span", { class: hidden ? "pick hidden-pick" : "pick", "aria-label": label, "data-pick": who }, words);
}
