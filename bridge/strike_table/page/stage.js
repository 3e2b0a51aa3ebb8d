// A scene without a map: its track, its sides with what each has picked, everybody in it with all their numbers.

import { html } from "./draw.js";
import { gauge } from "./gauge.js";
import { sign } from "./icons.js";
import { readings } from "./meters.js";
import { sentence } from "./names.js";
import { Portrait } from "./portraits.js";

const TURNED = 7000; // milliseconds that cards lie face up which a result has turned
const SMALLEST = 0.5; // that a scene is drawn where all of it has to be seen

export class Stage {
  #root;
  #pictureAt;
  #drawn = "";
  #turned = [];
  #again = () => {};
  #whole;

  /** `pictureAt` makes the address of an image from its hash. Where `whole` is set, nobody scrolls: what is too high is
   * drawn smaller. */
  constructor(root, { pictureAt, whole = false }) {
    this.#root = root;
    this.#pictureAt = pictureAt;
    this.#whole = whole;
    if (!whole) return;
    new ResizeObserver(() => this.fit()).observe(root.parentElement);
    document.fonts.ready.then(() => this.fit());
  }

  /** Have all of it seen. Call it once the page is laid out. */
  fit() {
    if (!this.#whole || this.#root.hidden) return;
    const root = this.#root;
    root.style.zoom = "";
    for (let zoom = Number(getComputedStyle(root).zoom); root.scrollHeight > root.clientHeight && zoom > SMALLEST; zoom -= 0.05) {
      root.style.zoom = zoom;
    }
  }

  /** Point somebody out, or nobody. */
  pointOut(tokenId) {
    for (const one of this.#root.querySelectorAll("[data-person]")) {
      one.classList.toggle("pointed-out", one.dataset.person === tokenId);
    }
  }

  /** Cards that a result has turned up lie there for a while, all at once, though nobody has them any more. */
  play(effects) {
    const cards = effects.filter(({ kind }) => kind === "turned").map(({ id, by, words }) => ({ side: id, who: by, what: words }));
    if (cards.length === 0) return;
    this.#turned = cards;
    this.#again();
    setTimeout(() => {
      if (this.#turned !== cards) return;
      this.#turned = [];
      this.#again();
    }, TURNED);
  }

  /** Show a scene and who is in it, or nothing. Beside a map there is the track alone, and sides. */
  show(scene, tokens, { labels, sides, activeId, order }) {
    this.#again = () => {
      this.show(scene, tokens, { labels, sides, activeId, order });
      this.fit();
    };
    const bare = scene !== null && scene.rows.length === 0;
    const needed = bare || Boolean(scene?.track || scene?.sides.length);
    this.#root.hidden = !needed;
    const drawn = needed ? JSON.stringify([scene, [...tokens.values()], activeId, [...labels], order, this.#turned]) : "";
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    if (!needed) return;
    const stands = new Map((order?.entries ?? []).map(({ id, state }) => [id, state]));
    const picking = !scene.over && scene.sides.some(({ cards }) => cards.length > 0);
    const look = { tokens, labels, sides, activeId, stands, picking };
    const inTeams = new Set(scene.sides.flatMap(({ team }) => team));
    const others = bare ? [...tokens.values()].filter(({ id }) => !inTeams.has(id)) : [];
    this.#root.replaceChildren(
      ...[
        scene.track && this.#track(scene, look),
        scene.sides.length > 0 && html("div", { class: "sides" }, ...scene.sides.map((side) => this.#side(side, look))),
        others.length > 0 && html("ul", { class: order?.kind === "pool" ? "people hand" : "people" }, ...others.map((one) => this.#person(one, look))),
      ].filter(Boolean),
    );
  }

  #side(side, look) {
    const team = side.team.map((who) => look.tokens.get(who)).filter(Boolean);
    const up = this.#turned.filter((card) => card.side === side.id);
    const lying = up.length > 0 ? up.map((card) => ({ ...card, hidden: false, turned: true })) : side.cards;
    const cards = new Map(lying.map((card) => [card.who, card]));
    const apart = lying.filter(({ who }) => !team.some(({ id }) => id === who));
    const each = lying.some(({ who }) => team.some(({ id }) => id === who));
    const slot = look.picking && up.length === 0 ? choosing() : null;
    const ownSlot = (one) => (each && !["down", "out"].includes(one.state) ? slot?.cloneNode(true) : null);
    return html(
      "section",
      { class: `side ${look.sides.colour(side.id)}`, "data-side": side.id, "aria-label": look.sides.name(side.id) },
      html("header", {}, html("h2", { class: "own" }, look.sides.name(side.id)), numbers(side.numbers)),
      side.intent ? html("p", { class: "intent" }, side.intent) : null,
      side.traits.length + side.lost_traits.length > 0 ? traits(side) : null,
      team.length > 0
        ? html("ul", { class: "team" }, ...team.map((one) => this.#person(one, look, cards.get(one.id), ownSlot(one))))
        : null,
      apart.length > 0 ? html("p", { class: "picked" }, ...apart.map(picked)) : null,
      slot && lying.length === 0 ? html("p", { class: "picked" }, slot) : null,
    );
  }

  /** A track. Of a scene with sides the first stands where things stand, the others where the track begins: who runs,
   * and who is after them. */
  #track({ track: { name, steps, at }, sides: all }, look) {
    const here = steps.indexOf(at);
    const pieces = (some) =>
      some
        .flatMap(({ team }) => team)
        .map((who) => look.tokens.get(who))
        .filter((one) => one && one.state !== "out")
        .map((one) => this.#chip(one, look));
    const [ahead, behind] = [pieces(all.slice(0, 1)), pieces(all.slice(1))];
    const marks = steps.map((step, place) =>
      html(
        "li",
        { class: place === here ? "step here" : "step", "aria-current": place === here ? "step" : null },
        html("span", { class: "pieces", "aria-hidden": "true" }, ...(place === 0 ? behind : []), ...(place === here ? ahead : [])),
        html("span", { class: "step-mark", "aria-hidden": "true" }),
        html("span", { class: "step-name" }, sentence(step)),
      ),
    );
    return html("section", { class: "track", "aria-label": name }, html("h2", { class: "own" }, name), html("ol", { class: "steps" }, ...marks));
  }

  #chip(token, { labels, sides }) {
    const face = html("img", { class: "portrait", alt: "" });
    new Portrait(face).show(token.image && this.#pictureAt(token.image.hash));
    const shown = html("span", {}, labels.get(token.id));
    return html("span", { class: `chip ${sides.colour(token.side)}`, "aria-hidden": "true" }, shown, face);
  }

  #person(token, look, card = null, slot = null) {
    const { sides, activeId, stands } = look;
    const { first, others } = readings(token);
    const active = token.id === activeId;
    const classes = ["person", sides.colour(token.side), token.state, active && "active", token.hidden && "unseen"];
    const words = [...(STATES[token.state] ?? []), ...(token.hidden ? ["Hidden"] : []), ...token.statuses];
    return html(
      "li",
      {
        class: classes.filter(Boolean).join(" "),
        "data-person": token.id,
        "data-turn": stands.get(token.id) ?? "",
        "aria-current": active ? "true" : null,
      },
      this.#chip(token, look),
      html(
        "div",
        { class: "person-words" },
        html("span", { class: "name" }, token.name || token.id),
        ...words.map((word) => html("span", { class: "pill" }, sign(word), word)),
      ),
      card ? picked(card) : slot,
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

/** Where a card will lie of whoever has still to pick. */
function choosing() {
  return html("span", { class: "pick slot", role: "img", "aria-label": "Still choosing" });
}

/** What was picked: face up, face down, just turned, or seen by the game master alone. */
function picked({ who, what, hidden, turned }) {
  if (what === null) {
    const words = "Picked, face down";
    return html("span", { class: "pick back", role: "img", title: words, "aria-label": words, "data-pick": who });
  }
  const words = sentence(what);
  const label = hidden ? `${words}, face down for players` : words;
  const look = hidden ? "pick hidden-pick" : turned ? "pick turned" : "pick";
  return html("span", { class: look, "aria-label": label, "data-pick": who }, words);
}
