// Short names for tokens: few letters, and never the same ones twice.

const WORDS = /[\p{L}\p{N}]+/gu;
const NUMBER = /^\d+$/;

/** A map from token id to its short name: Vex is Ve, Goblin 2 is G2, Ilse of the Reeds is IR. */
export function shortNames(tokens) {
  const sorted = [...tokens].sort((one, other) => (one.id < other.id ? -1 : 1));
  const names = new Map();
  for (const [, sharing] of group(sorted, (token) => initials(token.name, 2))) {
    if (sharing.length === 1) {
      names.set(sharing[0].id, initials(sharing[0].name, 2));
      continue;
    }
    for (const [longer, still] of group(sharing, (token) => initials(token.name, 3))) {
      still.forEach((token, at) => names.set(token.id, still.length === 1 ? longer : `${longer[0]}${at + 1}`));
    }
  }
  return settle(names);
}

/** So many letters of a single word; of several, the initials of the first and the last, and a number at the end. */
function initials(name, letters) {
  const words = name.match(WORDS) ?? [];
  if (words.length === 0) return [...name.trim()][0] ?? "?";
  if (words.length === 1) return capital([...words[0]].slice(0, letters).join(""));
  const number = NUMBER.test(words.at(-1)) ? words.pop().slice(-2) : "";
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => capital([...word][0])).join("") + number;
}

/** Words as a line begins. */
export function capital(text) {
  const [first = "", ...rest] = [...text];
  return first.toLocaleUpperCase() + rest.join("");
}

function group(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/** Whatever still clashes is counted on. */
function settle(names) {
  const taken = new Set();
  for (const [id, name] of names) {
    let free = name;
    for (let count = 2; taken.has(free); count += 1) free = `${[...name][0]}${count}`;
    taken.add(free);
    names.set(id, free);
  }
  return names;
}

/** An id as words: `total-defense` is Total defense. */
export function sentence(id) {
  return capital(id.replaceAll("-", " "));
}
