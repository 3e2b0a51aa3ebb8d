// Elements of a player's page: buttons that act once, parts that are drawn anew where they show something else.

import { html } from "/static/draw.js";

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
