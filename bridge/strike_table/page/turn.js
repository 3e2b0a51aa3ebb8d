// A turn on the table's page and on phones: what may be done with its chances, and where somebody may go. An offer is
// {id, what, whom, square, targets}, and what is to be expected of it once that is known.

import { button, grouped, html } from "./draw.js";
import { placeOf, squareName } from "./tokens.js";

/** The offers that go to no square, by what is used. Without `act` they are only shown. */
export function offerGroups(offers, act) {
  const groups = grouped(offers.filter((offer) => !offer.square), (offer) => offer.what);
  const [several, alone] = [[], []];
  for (const [what, found] of groups) (found.some((offer) => offer.whom) ? several : alone).push([what, found]);
  const drawn = several.map(([what, found]) =>
    html("section", { class: "group" }, html("h3", {}, what), options(best(found), ({ whom }) => whom || "Nobody", act)));
  if (alone.length) {
    const others = options(alone.flatMap(([, found]) => found), ({ what }) => what, act);
    drawn.push(html("section", { class: "group" }, several.length ? html("h3", {}, "Other") : null, others));
  }
  return drawn;
}

/** The likeliest first; of equals as the game has them. */
function best(offers) {
  const chance = (offer) => offer.chances?.[0]?.p ?? 0;
  return [...offers].sort((one, other) => chance(other) - chance(one));
}

/** Offers as buttons, each with its words and what is to be expected of it; `act` gets the id. */
export function options(offers, words, act) {
  const drawn = offers.map((offer) => {
    const made = button({ class: "target", "data-key": offer.id }, () => act(offer.id), html("strong", {}, words(offer)), ...expectations(offer));
    made.disabled = !act;
    return made;
  });
  return html("div", { class: "targets" }, drawn);
}

/** What brings somebody to a square, as buttons. */
export function ways(offers, square, act) {
  return options(offers, ({ what, far }) => [`${what} to ${square}`, far].filter(Boolean).join(", "), act);
}

/** What is to be expected: chances, averages, who gets to strike for it. */
export function expectations({ chances = [], expects, gives }) {
  return [
    ...chances.map(({ name, p }) => html("span", { class: "chance" }, `${Math.round(p * 100)}% ${name}`)),
    expects ? html("span", { class: "expects" }, expects) : null,
    gives ? html("span", { class: "gives" }, gives) : null,
  ].filter(Boolean);
}

/** The tokens of a list that are on a square of the map. */
export function standingOn(tokens, { x, y }) {
  const covers = ({ position, size, state }) => position !== null && state !== "out" &&
    x >= position.x && x < position.x + size && y >= position.y && y < position.y + size;
  return [...tokens].find(covers);
}

/** Somebody on the way to a square: while they are dragged there the way is drawn as the rules have it. */
export class Walk {
  #board;
  #find;
  #dragged = null; // {id, square}

  /** `find(id, square)` is what brings somebody to a square, or comes to be: a list of offers. */
  constructor(board, find) {
    this.#board = board;
    this.#find = find;
  }

  over(square, id) {
    this.#dragged = { id, square };
    this.#board.showWay([square], id);
    return this.#drag();
  }

  async #drag() {
    const dragged = this.#dragged;
    const [offer] = await this.#find(dragged.id, squareName(dragged.square));
    if (this.#dragged === dragged) this.#draw(offer, dragged.id);
  }

  /** Draw the way of an offer, or none; of who is dragged theirs, as it is now. */
  show(offer, id) {
    if (this.#dragged) this.#drag();
    else this.#draw(offer, id);
  }

  #draw(offer, id) {
    const squares = offer && (offer.way?.length ? offer.way : [offer.square]).filter(Boolean);
    this.#board.showWay(squares?.length ? squares.map(placeOf) : null, id);
  }

  end() {
    this.#dragged = null;
    this.#board.showWay(null);
  }
}
