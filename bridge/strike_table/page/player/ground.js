// The map on a phone: who stands where, and the squares that one may go to. Tap one, then say how. Tap one's own piece
// to see how far it gets.

import { button, grouped, html, svg } from "./draw.js";
import { expectations } from "./offers.js";

const SQUARE = 30; // units of the drawing

let picked = ""; // the square that was tapped
let scrolled = null; // how far somebody has scrolled the map
let reaching = false; // whether it is shown how far one gets

/** The map, and what may be done at the square that is picked. Without `propose` it is only shown. */
export function groundOf(page, propose) {
  if (page.map === null) return [];
  const goes = grouped(page.offers.filter((offer) => offer.square), (offer) => offer.square);
  if (!goes.has(picked)) picked = "";
  const board = html("div", { class: "map", tabindex: 0, role: "group", "aria-label": "Map" });
  const ways = html("div", { class: "ways", "aria-live": "polite" });
  const draw = () => {
    const key = board.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    board.replaceChildren(drawing(page.map, goes, pick, touch));
    ways.replaceChildren(legend(goes, propose));
    if (key) board.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  };
  const pick = (square) => {
    picked = square === picked ? "" : square;
    draw();
  };
  const touch = () => {
    reaching = !reaching;
    draw();
  };
  draw();
  const own = page.map.people.find((one) => one.mine);
  board.addEventListener("scroll", () => (scrolled = board.scrollLeft));
  requestAnimationFrame(() => (board.scrollLeft = scrolled ?? (own ? centred(board, page.map, own) : 0)));
  return [board, ways];
}

function legend(goes, propose) {
  if (picked) {
    const ways = goes.get(picked).map((offer) => {
      const made = button({ class: "target", "data-key": offer.id }, () => propose(offer.id),
        html("strong", {}, `${offer.what} to ${picked}`), ...expectations(offer));
      made.disabled = propose === null;
      return made;
    });
    return html("div", { class: "targets" }, ways);
  }
  const far = reaching ? "Tinted: where you can go. Dashed: how far your attacks reach." : "Tap your token to see your reach.";
  return html("p", { class: "hint" }, [goes.size ? "Tap a marked square to go there." : "", far].filter(Boolean).join(" "));
}

function centred(board, map, own) {
  const [x] = place(own.at);
  const wide = board.scrollWidth / map.rows[0].length;
  return (x + own.size / 2) * wide - board.clientWidth / 2;
}

const GROUND = { "#": "wall", "~": "rough", "+": "door", "/": "door open", " ": "outside" };

function drawing(map, goes, again, touch) {
  const [width, height] = [Math.max(...map.rows.map((row) => row.length)), map.rows.length];
  const ground = map.rows.flatMap((row, y) => [...row].map((sign, x) => tile(x, y, `square ${GROUND[sign] ?? "floor"}`)));
  const reach = [...goes.keys()].map((at) => reached(at, again));
  const standing = map.people.map((one) => token(one, touch));
  const far = reaching ? ranges(map) : [];
  const whole = svg("svg", { viewBox: `0 0 ${width * SQUARE} ${height * SQUARE}`, class: "ground" }, ground, far, reach, standing);
  whole.style.width = `${width * 1.75}rem`;
  return whole;
}

function tile(x, y, name) {
  return svg("rect", { x: x * SQUARE, y: y * SQUARE, width: SQUARE, height: SQUARE, class: name });
}

function reached(at, again) {
  const [x, y] = place(at);
  const made = tile(x, y, at === picked ? "reach picked" : "reach");
  for (const [name, value] of Object.entries({ role: "button", tabindex: 0, "data-key": at, "aria-label": `Go to ${at}`, "aria-pressed": at === picked })) {
    made.setAttribute(name, value);
  }
  pressed(made, () => again(at));
  return made;
}

/** Where one may go, tinted, and the edge of what one's attacks reach. */
function ranges({ moves, attacks, people }) {
  const size = people.find((one) => one.mine)?.size ?? 1;
  const parts = [...Array(size * size).keys()].map((at) => [at % size, Math.floor(at / size)]);
  const goes = new Set(moves.flatMap((at) => parts.map(([dx, dy]) => `${place(at)[0] + dx},${place(at)[1] + dy}`)));
  const tinted = [...goes].map((at) => tile(...at.split(",").map(Number), "may-go"));
  const reached = new Set(attacks.map((at) => place(at).join(",")));
  const sides = [[0, -1, 0, 0, "h"], [0, 1, 0, 1, "h"], [-1, 0, 0, 0, "v"], [1, 0, 1, 0, "v"]];
  const edge = attacks.map(place).flatMap(([x, y]) => sides
    .filter(([dx, dy]) => !reached.has(`${x + dx},${y + dy}`))
    .map(([, , right, down, way]) => `M${(x + right) * SQUARE} ${(y + down) * SQUARE}${way}${SQUARE}`));
  return [...tinted, svg("path", { class: "may-hit", d: edge.join("") })];
}

function token({ name, at, size, side, state, mine }, touch) {
  const [x, y] = place(at);
  const middle = [(x + size / 2) * SQUARE, (y + size / 2) * SQUARE];
  const radius = (size * SQUARE) / 2 - 3;
  const kind = `token ${side === "party" ? "party" : side === "enemies" ? "enemies" : "others"} ${state}`;
  const shape = side === "enemies"
    ? svg("rect", { x: middle[0] - radius, y: middle[1] - radius, width: radius * 2, height: radius * 2, rx: 4 })
    : svg("circle", { cx: middle[0], cy: middle[1], r: radius });
  const letters = svg("text", { x: middle[0], y: middle[1], dy: "0.35em" }, label(name));
  const words = `${name}, ${at}`;
  if (!mine) return svg("g", { class: kind, role: "img", "aria-label": words }, svg("title", {}, words), shape, letters);
  const own = { class: "mine", role: "button", tabindex: 0, "data-key": "own piece", "aria-pressed": reaching };
  const button = svg("g", { ...own, "aria-label": `${words}: how far you get` }, shape);
  pressed(button, touch);
  letters.setAttribute("aria-hidden", "true"); // beside the button: they are no name that one would call it by
  letters.setAttribute("pointer-events", "none");
  return svg("g", { class: kind }, button, letters);
}

/** Have something drawn act as a button does. */
function pressed(made, act) {
  made.addEventListener("click", act);
  made.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act();
    }
  });
}

function label(name) {
  const [, word, number] = /^(.*?)\s*(\d*)$/.exec(name);
  return number ? `${word.slice(0, 1)}${number}` : word.slice(0, 2);
}

/** Column and row of a square like C7, from 0. */
function place(at) {
  const [, letters, row] = /^([A-Z]+)(\d+)$/i.exec(at) ?? [null, "A", "1"];
  const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return [column - 1, Number(row) - 1];
}
