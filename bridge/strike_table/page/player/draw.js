// Making elements. Text only ever becomes a text node: a creature may be named "<script>".

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. Attributes that are null or undefined are left out, and so are such children. */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element, likewise. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A button that does something. While that goes on, it can't be pressed again. */
export function button(attributes, act, ...children) {
  const made = html("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", async () => {
    if (made.disabled) return;
    made.disabled = true;
    try {
      await act();
    } finally {
      made.disabled = false;
    }
  });
  return made;
}

/** Draw a part of the page anew where what it shows is another: a button that is being pressed must not go
 * away under the finger for nothing. Who has the focus keeps it, by its `data-key`. */
export function redraw(place, shown, draw) {
  const mark = JSON.stringify(shown);
  if (drawn.get(place) === mark) return;
  drawn.set(place, mark);
  const key = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  place.replaceChildren(...draw());
  if (key) [...place.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)?.focus({ preventScroll: true });
}

const drawn = new WeakMap();

/** Things by what is said of each, in their order. */
export function grouped(things, by) {
  const groups = new Map();
  for (const thing of things) groups.set(by(thing), [...(groups.get(by(thing)) ?? []), thing]);
  return groups;
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}
