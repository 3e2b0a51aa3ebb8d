// A scene without a map: its track, its sides with what each has picked, everybody in it with all their numbers.

import { html } from "./draw.js";
import { gauge } from "./gauge.js";
import { sign } from "./icons.js";
import { readings } from "./meters.js";
import { thrownDice } from "./thrown.js";
import { sentence } from "./names.js";
import { Portrait } from "./portraits.js";

const TURNED = 7000; // milliseconds that cards and dice of a round lie on the stage, and a change is marked
const PULL = 0.09; // of the rope, for each harm that one side has taken less than the other
const MOST_PULL = 0.4;
const LANDS = 1200; // milliseconds until thrown dice lie
const SMALLEST = 0.5; // that a scene is drawn where all of it has to be seen

export class Stage {
  #root;
  #pictureAt;
  #drawn = "";
  #round = null; // what has just been played: {cards, throws, words}
  #known = new Map(); // what each side had last, and when that changed
  #scene = null;
  #tokens = new Map();
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

  /** Turn the cards of a result and throw its dice, each before their side; in how many milliseconds they lie. Null
   * where this stage is none for them. */
  roll(result) {
    const sides = this.#root.hidden ? [] : (this.#scene?.sides ?? []);
    const throws = result.dice.map((roll) => ({ ...roll, side: sides.find((one) => this.#isOf(one, roll.who))?.id }));
    if (throws.length === 0 || throws.some(({ side }) => side === undefined)) return null;
    const cards = turnedBy(result);
    for (const one of throws) one.drawn = thrownDice([one]);
    this.#lay({ cards, throws, words: [] });
    return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : LANDS;
  }

  #isOf({ name, team }, who) {
    return name === who || team.some((id) => this.#tokens.get(id)?.name === who);
  }

  /** What a result came to, in few words, once its dice lie. */
  play(result) {
    const cards = turnedBy(result);
    const words = (result.play?.lines ?? []).filter(({ headline }) => headline && headline !== this.#scene?.name);
    const { throws = [], cards: lying = [] } = this.#round ?? {};
    if (cards.length + words.length > 0) this.#lay({ cards: cards.length > 0 ? cards : lying, throws, words });
  }

  /** It lies there for a while, though nobody has it any more. */
  #lay(round) {
    this.#round = round;
    this.#again();
    setTimeout(() => {
      if (this.#round !== round) return;
      this.#round = null;
      this.#again();
    }, TURNED);
  }

  /** Show a scene and who is in it, or nothing. Beside a map there is the track alone, and sides. */
  show(scene, tokens, { labels, sides, activeId, order }) {
    this.#again = () => {
      this.show(scene, tokens, { labels, sides, activeId, order });
      this.fit();
    };
    if (scene?.id !== this.#scene?.id) {
      this.#known.clear();
      this.#round = null;
    }
    this.#scene = scene;
    this.#tokens = tokens;
    const bare = scene !== null && scene.rows.length === 0;
    const needed = bare || Boolean(scene?.track || scene?.sides.length);
    this.#root.hidden = !needed;
    const drawn = needed ? JSON.stringify([scene, [...tokens.values()], activeId, [...labels], order, this.#round]) : "";
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
        !scene.track && scene.sides.length === 2 && this.#tug(scene, look),
        scene.sides.length > 0 && html("div", { class: "sides" }, ...scene.sides.map((side) => this.#side(side, look))),
        others.length > 0 && html("ul", { class: order?.kind === "pool" ? "people hand" : "people" }, ...others.map((one) => this.#person(one, look))),
      ].filter(Boolean),
    );
  }

  #side(side, look) {
    const team = side.team.map((who) => look.tokens.get(who)).filter(Boolean);
    const up = (this.#round?.cards ?? []).filter((card) => card.side === side.id);
    const throws = (this.#round?.throws ?? []).filter((roll) => roll.side === side.id);
    const lying = up.length > 0 ? up.map((card) => ({ ...card, hidden: false, turned: true })) : side.cards;
    const cards = new Map(lying.map((card) => [card.who, card]));
    const apart = lying.filter(({ who }) => !team.some(({ id }) => id === who));
    const each = lying.some(({ who }) => team.some(({ id }) => id === who));
    const slot = look.picking && up.length === 0 ? choosing() : null;
    const ownSlot = (one) => (each && !["down", "out"].includes(one.state) ? slot?.cloneNode(true) : null);
    return html(
      "section",
      { class: `side ${look.sides.colour(side.id)}`, "data-side": side.id, "aria-label": look.sides.name(side.id) },
      html("header", {}, team.length > 0 ? null : face(look.sides.name(side.id)), html("h2", { class: "own" }, look.sides.name(side.id)), this.#numbers(side)),
      side.intent ? html("p", { class: "intent" }, side.intent) : null,
      side.traits.length + side.lost_traits.length > 0 ? this.#traits(side) : null,
      team.length > 0
        ? html("ul", { class: "team" }, ...team.map((one) => this.#person(one, look, cards.get(one.id), ownSlot(one))))
        : null,
      apart.length > 0 ? html("p", { class: "picked" }, ...apart.map(picked)) : null,
      slot && lying.length === 0 ? html("p", { class: "picked" }, slot) : null,
      throws.length > 0 ? html("div", { class: "throws" }, ...throws.map(thrown)) : null,
    );
  }

  /** The rope between two sides: the side that has taken less has more of it. Where nothing is counted, only what a
   * round came to stands there. */
  #tug({ sides: both, over }, { sides }) {
    const counted = both.every(({ taken }) => taken !== undefined);
    const [left, right] = both.map(({ taken }) => taken ?? 0);
    const pull = Math.max(-MOST_PULL, Math.min(MOST_PULL, (right - left) * PULL));
    const ahead = left === right ? null : sides.name(both[left < right ? 0 : 1].id);
    const words = this.#words(over || !counted ? "" : ahead ? `${ahead}: ahead by ${Math.abs(left - right)}` : "Even");
    if (!counted && !words) return null;
    const end = ({ id }) => html("span", { class: `rope ${sides.colour(id)}` });
    const rope = html("div", { class: "tug-rope", "aria-hidden": "true" }, end(both[0]), html("span", { class: "knot" }), end(both[1]));
    rope.style.setProperty("--knot", `${50 + 100 * pull}%`);
    return html("section", { class: "tug", "aria-label": "The contest" }, counted ? rope : null, words);
  }

  /** What has just come of a round; else how things stand. */
  #words(standing) {
    const news = (this.#round?.words ?? []).map(({ headline, tone }) => html("span", { class: `banner ${tone}` }, headline));
    if (news.length > 0) return html("p", { class: "verdict news" }, ...news);
    return standing ? html("p", { class: "verdict" }, standing) : null;
  }

  #numbers({ id, numbers }) {
    const shown = Object.entries(numbers).map(([name, value]) => {
      const by = this.#changed(`${id} ${name}`, value);
      const number = html("dd", { class: by ? "changed" : null, "data-by": by?.words }, String(value));
      if (by) number.style.setProperty("--since", `-${by.since}ms`);
      return html("div", {}, number, html("dt", {}, name));
    });
    return shown.length > 0 ? html("dl", { class: "numbers" }, ...shown) : null;
  }

  #traits({ id, traits: held, lost_traits: lost }) {
    const gone = (trait) => html("s", { class: this.#changed(`${id} ${trait} lost`, 1) ? "pill lost changed" : "pill lost", "aria-label": `${trait}, lost` }, trait);
    for (const trait of held) this.#changed(`${id} ${trait} lost`, 0);
    return html("p", { class: "traits" }, ...held.map((trait) => html("span", { class: "pill" }, trait)), ...lost.map(gone));
  }

  /** By what a value has changed of late, and since how many milliseconds; null where it hasn't. */
  #changed(key, value) {
    const known = this.#known.get(key) ?? { value, by: 0, at: -Infinity };
    if (known.value !== value) Object.assign(known, { by: value - known.value, value, at: performance.now() });
    this.#known.set(key, known);
    const since = Math.round(performance.now() - known.at);
    return known.by !== 0 && since < TURNED ? { words: known.by > 0 ? `+${known.by}` : `−${-known.by}`, since } : null;
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
    const words = this.#words("") ?? html("h2", { class: "own" }, name);
    return html("section", { class: "track", "aria-label": name }, words, html("ol", { class: "steps" }, ...marks));
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

/** The cards that a result turns up. */
function turnedBy({ play }) {
  return (play?.effects ?? []).filter(({ kind }) => kind === "turned").map(({ id, by, words }) => ({ side: id, who: by, what: words }));
}

/** A side of nobody in particular, by its initials. */
function face(name) {
  const initials = name.split(/\s+/u).filter((word) => /^\p{Lu}/u.test(word)).map(([first]) => first);
  return html("span", { class: "chip", "aria-hidden": "true" }, html("span", {}, initials.slice(-2).join("")));
}

/** A roll before its side: the dice, and what it came to. */
function thrown({ drawn, purpose, total }) {
  return html("div", { class: "throw" }, html("span", { class: "throw-dice", "aria-hidden": "true" }, ...drawn),
    html("strong", {}, total === null ? "" : String(total)), html("span", { class: "throw-for" }, sentence(purpose)));
}

/** The place of a card that has still to be picked. */
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
