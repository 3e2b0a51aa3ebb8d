// Signs that players show from their phones: a raised hand, yes, no, a laugh. Every screen shows them for a while.

import { html, svg } from "./draw.js";

const SIGNS = {
  hand: ["Raised hand", "M8 21c-2-1.500-3-4-4-7-.6-1.800 1.400-2.600 2.300-1L8 15V6a1.500 1.500 0 0 1 3 0v5M11 11V4a1.500 1.500 0 0 1 3 0v7M14 11V5.500a1.500 1.500 0 0 1 3 0V12M17 12V8.500a1.500 1.500 0 0 1 3 0V15c0 2-1 4.500-2.500 6"],
  yes: ["Yes", "M4 13l5.500 5.500L20 6"],
  no: ["No", "M6 6l12 12M18 6 6 18"],
  laugh: ["Laughing", "M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18M8 9.500h.01M16 9.500h.01M7.500 13.500h9q-1 4-4.500 4t-4.500-4"],
};
export const NAMES = Object.keys(SIGNS);
const SHOWN = 8000; // milliseconds
export const HELD = 120_000; // of a raised hand that nobody lowers

/** A sign as it is drawn, and what it is called. */
export function signOf(name) {
  const [words, path] = SIGNS[name];
  return { words, drawn: svg("svg", { class: "sign-of", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path })) };
}

/** Those that are shown now, one of each player. */
export class Signs {
  #root;
  #shown = new Map();

  constructor(root) {
    this.#root = root;
  }

  show({ who, name, sign }) {
    const known = this.#shown.get(who);
    clearTimeout(known?.timer);
    known?.element.remove();
    this.#shown.delete(who);
    if (sign in SIGNS) {
      const { words, drawn } = signOf(sign);
      const element = html("p", { class: "shown-sign", "data-sign": sign }, drawn, html("bdi", {}, name), html("span", { class: "unseen-words" }, `: ${words}`));
      const timer = setTimeout(() => this.show({ who, name, sign: "" }), sign === "hand" ? HELD : SHOWN);
      this.#shown.set(who, { element, timer });
      this.#root.append(element);
    }
    this.#root.hidden = this.#shown.size === 0;
  }
}
