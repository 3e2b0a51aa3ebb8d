// A creature's picture, over its initials: they show until it is there, and where it can't be had.

import { NextFrame } from "./draw.js";

const waiting = new Map(); // elements and the addresses that they are to show
const loading = new NextFrame(() => {
  for (const [element, address] of waiting) element.setAttribute(attributeOf(element), address);
  waiting.clear();
}, { after: true }); // the map is seen first

function attributeOf(element) {
  return element.localName === "img" ? "src" : "href";
}

/** Keeps an <image> or an <img> showing one picture or none. It has the class `loaded` while there is one to see. */
export class Portrait {
  #element;
  #address = null;

  constructor(element) {
    this.#element = element;
    element.addEventListener("load", () => element.classList.add("loaded"));
    // Asked for again with whatever is drawn next: the line may have been down.
    element.addEventListener("error", () => this.show(null));
  }

  /** Show what is at an address of ours, or nothing. */
  show(address) {
    if (address === this.#address) return;
    this.#address = address;
    this.#element.classList.remove("loaded");
    waiting.delete(this.#element);
    if (address === null) return this.#element.removeAttribute(attributeOf(this.#element));
    waiting.set(this.#element, address);
    loading.ask();
  }
}

/** The hashes that several creatures share: their pictures don't tell them apart. */
export function sharedPictures(tokens) {
  const [seen, shared] = [new Set(), new Set()];
  for (const { image } of tokens) {
    if (image === null) continue;
    if (seen.has(image.hash)) shared.add(image.hash);
    seen.add(image.hash);
  }
  return shared;
}
