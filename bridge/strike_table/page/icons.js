// Signs for what somebody has: drawn by us, for the words that games use most. Whatever has none is two letters.

import { svg } from "./draw.js";

// Lines in a square of 24.
const SIGNS = {
  prone: "M3 18h18M5 14.5h7l4-4M18.5 8.5h.01",
  flying: "M12 15c-2-5-5-7-9.5-7 1 5 4 7.5 7.5 8M12 15c2-5 5-7 9.5-7-1 5-4 7.5-7.5 8M12 10v9",
  hidden: "M3 12c3-5 6-6.5 9-6.5s6 1.5 9 6.5c-3 5-6 6.5-9 6.5S6 17 3 12zM4 20 20 4",
  bloodied: "M12 3c3.5 5 5.5 8 5.5 11a5.5 5.5 0 0 1-11 0c0-3 2-6 5.5-11zM9.5 14.5a2.5 2.5 0 0 0 2.5 2.5",
  burning: "M12 21c-4 0-6.5-2.5-6.5-6 0-4 3.5-5.5 4-11 3 1.5 4.5 4 4.5 6.5 1-.5 1.5-1.5 1.5-2.5 2 2 3 4.5 3 7 0 3.5-2.5 6-6.5 6z",
  dazed: "M12 4l1.800 3.700 4 .6-2.900 2.800.7 4-3.600-1.900-3.600 1.900.7-4-2.900-2.800 4-.6zM4 19q4 2.5 8 0t8 0",
  stunned: "M13.5 2 5 13.5h6L9.5 22 19 10h-6.5z",
  blinded: "M3 12c3-5 6-6.5 9-6.5s6 1.5 9 6.5M5.5 16l-1.5 2.5M12 17.5V21M18.5 16l1.5 2.5",
  grabbed: "M7 21v-6l-2.5-4 2-1L9 13V5.5h2V11h1V4.5h2V11h1V6h2v6h1V8.5h1.5V15l-2.5 6",
  restrained: "M9 8a4 4 0 1 0 0 8h2M15 16a4 4 0 1 0 0-8h-2M8.5 12h7",
  immobilized: "M12 3v14M5 12c0 5 3 8 7 8s7-3 7-8M9 6h6M5 12l-2 2M19 12l2 2",
  slowed: "M7 3h10M7 21h10M8 3c0 5 8 6 8 9s-8 4-8 9M16 3c0 5-8 6-8 9s8 4 8 9",
  weakened: "M4 12h3M17 12h3M7 8v8M17 8v8M7 12h3l1-3 2 6 1-3h3",
  marked: "M12 4v4M12 16v4M4 12h4M16 12h4M12 7a5 5 0 1 1 0 10a5 5 0 1 1 0-10z",
  guarded: "M12 3l7.5 3v5c0 5-3.5 8-7.5 10-4-2-7.5-5-7.5-10V6z",
  defending: "M12 3l7.5 3v5c0 5-3.5 8-7.5 10-4-2-7.5-5-7.5-10V6zM12 6.5v11",
  frightened: "M12 3v11M12 18.5v1.5M5 5v6M19 5v6",
  harried: "M4 7h8M4 12h12M4 17h8M16 8l4 4-4 4",
  distracted: "M9 9a3 3 0 1 1 4.5 2.600c-1 .6-1.5 1.400-1.5 2.900M12 18.5v.5M4 4l2 2M20 4l-2 2",
  poisoned: "M9 3h6M10 3v6l-5 9.5c-.6 1.300 0 2.5 1.5 2.5h11c1.5 0 2.100-1.200 1.5-2.5L14 9V3M7.5 15h9",
  chilled: "M12 3v18M4.200 7.5l15.600 9M19.800 7.5l-15.600 9M9.5 4.5 12 7l2.5-2.5M9.5 19.5 12 17l2.5 2.5",
  enraged: "M4 7l6 3M20 7l-6 3M8 13.5v.5M16 13.5v.5M7.5 19q4.5-3.5 9 0",
  dominated: "M12 3v3M5 6l2 2M19 6l-2 2M5 21v-7l3.5 3L12 11l3.5 6 3.5-3v7z",
  invisible: "M8 21v-9a4 4 0 0 1 8 0v9M12 3a2.5 2.5 0 1 1 0 .01",
  cover: "M3 20V10h4V7h4v3h2V7h4v3h4v10zM3 14.5h18",
  ready: "M4 20 15 9M13 4l7 7M15 9l3.5-5.5M15 9l5.5-3.5",
  out: "M6 6l12 12M18 6 6 18",
};
const SAME = {
  "knocked down": "prone", aloft: "flying", hiding: "hidden", hurt: "bloodied", bleeding: "bloodied", ongoing: "burning",
  shocked: "stunned", paralyzed: "stunned", blind: "blinded", held: "grabbed", grappled: "grabbed", bound: "restrained",
  rooted: "immobilized", sickened: "poisoned", corroded: "poisoned", afraid: "frightened", panicked: "frightened",
  shaken: "frightened", frenzied: "enraged", commanded: "dominated", "taking cover": "cover", reeling: "dazed",
  incapacitated: "out", prepared: "ready",
};

/** What a status is about, in the word that we have a sign for where we have one: `Knocked down` is prone. */
export function wordOf(status) {
  const word = status.toLowerCase().replace(/\s+\d+$/, "");
  return Object.hasOwn(SAME, word) ? SAME[word] : word;
}

/** The sign of a status by its words, with a number at their end or without; null where it has none. */
export function signOf(status) {
  const word = wordOf(status);
  return Object.hasOwn(SIGNS, word) ? SIGNS[word] : null;
}

/** A sign as an element, for a line of words. */
export function sign(status) {
  const path = signOf(status);
  if (path === null) return null;
  return svg("svg", { class: "sign-of", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
}
