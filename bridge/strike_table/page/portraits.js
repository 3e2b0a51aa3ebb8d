// A creature's picture, over its initials: they show until it is there, and where it can't be had.

/** Keeps an <image> or an <img> showing one picture or none. It has the class `loaded` while there is one to see. */
export class Portrait {
  #element;
  #attribute;
  #address = null;

  constructor(element) {
    this.#element = element;
    this.#attribute = element.localName === "img" ? "src" : "href";
    element.addEventListener("load", () => element.classList.add("loaded"));
    // Asked for again with whatever is drawn next: the line may have been down.
    element.addEventListener("error", () => this.show(null));
  }

  /** Show what is at an address of ours, or nothing. */
  show(address) {
    if (address === this.#address) return;
    this.#address = address;
    this.#element.classList.remove("loaded");
    if (address === null) this.#element.removeAttribute(this.#attribute);
    else this.#element.setAttribute(this.#attribute, address);
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
