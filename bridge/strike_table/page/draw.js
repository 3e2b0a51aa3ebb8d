// Making elements. Text only ever becomes a text node: a creature may be named "<script>".

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element. Attributes that are null or undefined are left out, and so are such children. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** An HTML element, likewise. */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Set the text only where it differs, so that nothing is announced or animated again. */
export function setText(element, text) {
  const shown = isolated(String(text));
  if (element.textContent !== shown) element.textContent = shown;
}

/** Set the words for a screen reader, likewise. */
export function setLabel(element, words) {
  const shown = isolated(words);
  if (element.getAttribute("aria-label") !== shown) element.setAttribute("aria-label", shown);
}

const RIGHT = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]";
const USUAL = /^[\0-\u058f\u2000-\u2bff]*$/; // most texts: told at once
const RUN = new RegExp(`${RIGHT}+(?:[ '’"-]+${RIGHT}+)*`, "gu");

/** Keep words that run from right to left to themselves: numbers and signs beside them stay where they belong. A text
 * that begins so, and is mostly of such words, runs so as a whole. */
function isolated(text) {
  if (USUAL.test(text)) return text;
  const runs = text.match(RUN);
  if (!runs) return text;
  const others = text.replace(RUN, "").match(/\p{L}/gu)?.length ?? 0;
  const whole = runs.join("").length > 3 * others && text.match(/\p{L}/u)[0] === runs[0][0];
  return whole ? `\u2068${text}\u2069` : text.replace(RUN, "\u2068$&\u2069");
}

const SAID = new Set(["aria-label", "title"]);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, SAID.has(name) ? isolated(String(value)) : String(value));
  }
  element.append(...present(children.flat()).map((child) => (typeof child === "string" ? isolated(child) : child)));
  return element;
}

function present(children) {
  return children.filter((child) => child !== null && child !== undefined);
}

/** What is drawn once in the next frame, however often it is asked for; where no frames are drawn, soon. */
export class NextFrame {
  #draw;
  #after;
  waits = false;

  /** With `after` it is drawn once that frame is seen: what is more urgent comes before it. */
  constructor(draw, { after = false } = {}) {
    this.#draw = draw;
    this.#after = after;
    document.addEventListener("visibilitychange", () => this.now());
  }

  ask() {
    if (this.waits) return;
    this.waits = true;
    const next = document.hidden ? setTimeout : requestAnimationFrame;
    const now = () => this.now();
    next(this.#after ? () => next(() => setTimeout(now)) : now);
  }

  /** Draw at once what waits to be. */
  now() {
    if (!this.waits) return;
    this.waits = false;
    this.#draw();
  }
}

/** A button that does something. While that goes on, pressing it does nothing; it keeps the focus. */
export function button(attributes, act, ...children) {
  const made = html("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", async () => {
    if (made.hasAttribute("aria-busy")) return;
    made.setAttribute("aria-busy", "true");
    try {
      await act();
    } finally {
      made.removeAttribute("aria-busy");
    }
  });
  return made;
}

/** Draw a part of the page anew where what it shows is another: a button that is being pressed must not go
 * away under the finger for nothing. Who has the focus keeps it, by its `data-key`. */
export function redraw(place, shown, draw) {
  const mark = JSON.stringify(shown);
  if (marks.get(place) === mark) return;
  marks.set(place, mark);
  const key = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  place.replaceChildren(...present(draw()));
  if (key) [...place.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)?.focus({ preventScroll: true });
}

const marks = new WeakMap();

/** Things by what is said of each, in their order. */
export function grouped(things, by) {
  const groups = new Map();
  for (const thing of things) groups.set(by(thing), [...(groups.get(by(thing)) ?? []), thing]);
  return groups;
}

/** The address of a picture's own bytes: pages of ours load nothing else. Fails where they can't be read. */
export function readable(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = failed;
    reader.readAsDataURL(file);
  });
}
