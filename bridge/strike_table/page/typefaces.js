// Our typefaces are 80 KB: on a slow line they come after the map. A browser that has them shows them from the first.

import { keep, read } from "./screen.js";

const root = document.documentElement;

/** Show our typefaces from now on, whether or not they have to be loaded. */
export function useTypefaces() {
  if ("typefaces" in root.dataset) return;
  root.dataset.typefaces = "";
  const both = ["1em Alegreya", '1em "Source Sans 3"'].map((face) => document.fonts.load(face));
  Promise.all(both).then(() => keep("typefaces", "here"), () => {});
}

if (read("typefaces")) useTypefaces();
