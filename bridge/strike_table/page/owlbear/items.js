// What of the table becomes items in an Owlbear scene, and which steps lead there from what is in it. Nothing is
// sent from here.

import { COLOURS } from "/static/look.js";
import { metersOf, reading } from "/static/meters.js";
import { ground } from "./ground.js";

/** In an item's metadata: which of ours it is (`token:vex`), and whether it was the game master's own before. */
export const OURS = "strike.table/item";
/** In a scene's metadata: the column and the row of its grid that A1 lies on, from 0, and whether the map itself is drawn
 * (`map`). Without it nothing is shown. */
export const PLACE = "strike.table/place";

const OWN_LAYERS = ["CHARACTER", "MOUNT", "PROP"]; // where the game master's tokens may be
const SIDES = { party: COLOURS.party, allies: COLOURS.party, enemies: COLOURS.enemies };
const LONGEST = 160; // characters of what is said in a notification, and under the heading

/** Everything that belongs into the scene, by what it is: `{ type, fields }`, those that hang on another with `on` and
 * their `offset` from it. `place` is where A1 lies, or null; `dpi` the pixels of a square. */
export function wanted({ scene, tokens, order, results }, { place, dpi }) {
  const items = new Map();
  if (!place || !scene || scene.rows.length === 0) return items;
  const pixels = ({ x, y }) => ({ x: (place.column + x) * dpi, y: (place.row + y) * dpi });
  for (const [is, item] of ground(scene, { dpi, at: pixels({ x: 0, y: 0 }), whole: place.map === true })) items.set(is, item);
  for (const token of tokens.values()) {
    if (token.hidden || !token.position) continue;
    const half = token.size / 2;
    const middle = pixels({ x: token.position.x + half, y: token.position.y + half });
    items.set(`token:${token.id}`, disc(token, middle, dpi));
    items.set(`label:${token.id}`, label(token, dpi));
    if (order?.active === token.id && !scene.over) items.set("turn", ring(token, dpi));
  }
  items.set("heading", heading({ scene, order, tokens, results }, pixels({ x: 0, y: -1 }), dpi));
  return items;
}

function disc(token, position, dpi) {
  const across = token.size * dpi * 0.86;
  const out = token.state === "out";
  const colour = SIDES[token.side] ?? COLOURS.neutral;
  const style = {
    fillColor: colour, fillOpacity: out ? 0.25 : 0.9,
    strokeColor: COLOURS["on-token"], strokeOpacity: out ? 0.4 : 1,
    strokeWidth: dpi / 24, strokeDash: token.side === "enemies" ? [dpi / 10, dpi / 15] : [],
  };
  const fields = {
    name: token.name, position, layer: "CHARACTER", visible: true, width: across, height: across, shapeType: "CIRCLE", style,
  };
  return { type: "SHAPE", fields };
}

function label(token, dpi) {
  const words = [token.state === "out" ? `✕ ${token.name}` : token.name, standing(token)].filter(Boolean).join("\n");
  const fields = {
    name: `${token.name}: health`, layer: "TEXT", visible: true, locked: true, disableHit: true,
    text: plain(words, { fontSize: dpi / 7, textAlign: "CENTER", textAlignVertical: "MIDDLE" }),
    style: {
      backgroundColor: COLOURS.ink, backgroundOpacity: token.state === "out" ? 0.4 : 0.75, cornerRadius: 8,
      pointerDirection: "UP", pointerWidth: 0, pointerHeight: 0,
    },
  };
  return { type: "LABEL", on: `token:${token.id}`, offset: { x: 0, y: token.size * dpi * 0.36 }, fields };
}

/** The first of somebody's numbers and their statuses, as players may know them. */
function standing(token) {
  const [first] = metersOf({ ...token, gm_hp: null });
  const { number, left, words } = first ? reading({ ...first, gm: null }) : { words: "" };
  const told = number || (left === null ? words : left === undefined ? "" : quarters(left));
  return [told, ...token.statuses].filter(Boolean).join(" · ");
}

function quarters(left) {
  const full = Math.ceil(left * 4);
  return "▮".repeat(full) + "▯".repeat(4 - full);
}

function ring(token, dpi) {
  const across = token.size * dpi;
  const style = {
    fillColor: COLOURS.gold, fillOpacity: 0, strokeColor: COLOURS.gold, strokeOpacity: 1, strokeWidth: dpi / 15, strokeDash: [],
  };
  const fields = {
    name: "Their turn", layer: "ATTACHMENT", visible: true, locked: true, disableHit: true,
    width: across, height: across, shapeType: "CIRCLE", style,
  };
  return { type: "SHAPE", on: `token:${token.id}`, offset: { x: 0, y: 0 }, fields };
}

function heading(table, position, dpi) {
  const last = table.results.findLast(({ secret, undone }) => !secret && !undone);
  const words = [turnInWords(table), last ? inShort(last) : ""].filter(Boolean).join("\n");
  const fields = {
    name: "Strike!", position, layer: "TEXT", visible: true, locked: true, disableHit: true,
    text: plain(words, { fontSize: dpi / 5, textAlign: "LEFT", textAlignVertical: "TOP" }),
  };
  return { type: "TEXT", fields };
}

/** `Ambush at the ford · Round 2 · Vex, then Goblin 1`. */
export function turnInWords({ scene, order, tokens }) {
  if (!scene) return "";
  if (scene.over) return `${scene.name} · over`;
  const nameOf = (id) => tokens.get(id)?.name ?? order.entries.find((one) => one.id === id)?.name ?? "";
  const next = (order?.next ?? []).map(nameOf).filter(Boolean).slice(0, 1);
  const round = order?.round || scene.round;
  const turn = [order?.active ? nameOf(order.active) : "", ...next].filter(Boolean).join(", then ");
  return [scene.name, round ? `Round ${round}` : "", turn].filter(Boolean).join(" · ");
}

/** A result on a line. Its title is often how its text begins. */
export function inShort({ title, text }) {
  const parts = text.startsWith(title) ? [text] : [title, text];
  const words = parts.filter(Boolean).join(": ").replace(/\s+/g, " ").trim();
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words;
}

function plain(words, style) {
  return {
    type: "PLAIN", plainText: words, richText: [{ type: "paragraph", children: [{ text: words }] }], width: "AUTO", height: "AUTO",
    style: {
      padding: 4, fontFamily: "Roboto", fontWeight: 500, fillColor: COLOURS["on-token"], fillOpacity: 1,
      strokeColor: COLOURS.ink, strokeOpacity: 1, strokeWidth: 2, lineHeight: 1.25, ...style,
    },
  };
}

// From what is there to what belongs there

/** What leads from `present`, the items of the scene, to `wanted`: `{ remove, add, update }` as Owlbear takes them.
 *
 * `before` is what was asked for last, by what it is. Only what is another since is sent, so that what people drag or
 * recolour there stays until the table tells something new of it. `hanging` says which are meant: those that hang on
 * another, and so need it to be there, or the others, with all that is there too much. `fresh` makes an id. */
export function steps(wanted, present, before, { hanging, userId, fresh }) {
  const there = new Map();
  for (const item of present) {
    const own = item.metadata?.[OURS];
    if (own && !there.has(own.is)) there.set(own.is, item);
  }
  const found = { remove: [], add: [], update: [] };
  const adopted = hanging ? new Map() : adoptable(wanted, present, there);
  for (const [is, want] of wanted) {
    if (Boolean(want.on) !== hanging) continue;
    const parent = want.on ? there.get(want.on) : null;
    if (want.on && !parent) continue;
    const theirs = adopted.get(is);
    const item = theirs ?? there.get(is);
    const fields = parent ? { ...want.fields, attachedTo: parent.id, position: moved(parent.position, want.offset) } : want.fields;
    if (!item) {
      found.add.push(made(fresh(), want.type, is, fields, userId, found.add.length));
    } else if (theirs || item.metadata[OURS].theirs) {
      const mark = theirs ? { metadata: { ...item.metadata, [OURS]: { is, theirs: true } } } : {};
      note(found, item, { ...mark, ...news({ position: fields.position }, item, theirs ? null : before.get(is)) });
    } else {
      const known = before.get(is);
      note(found, item, { ...news(fields, item, known), ...(parent ? news({ position: fields.position }, item, null) : {}) });
    }
  }
  if (!hanging) {
    const kept = new Set([...adopted.values()].map(({ id }) => id));
    for (const item of present) {
      const own = item.metadata?.[OURS];
      if (!own || own.theirs || kept.has(item.id)) continue;
      const twice = there.get(own.is) !== item; // two browsers made it at once
      if (twice || adopted.has(own.is) || !wanted.has(own.is)) found.remove.push(item.id);
    }
  }
  return found;
}

/** Tokens that the game master placed under the name of one of ours that has none of theirs yet: unique on both sides. */
function adoptable(wanted, present, there) {
  const called = (words) => String(words ?? "").trim().toLowerCase();
  const names = new Map();
  const add = (name, what) => name && names.set(name, [...(names.get(name) ?? []), what]);
  for (const item of present) {
    if (item.metadata?.[OURS] || !OWN_LAYERS.includes(item.layer)) continue;
    const own = new Set([called(item.name), called(item.text?.plainText)]);
    for (const name of own) add(name, { item });
  }
  for (const [is, { fields }] of wanted) if (is.startsWith("token:")) add(called(fields.name), { is });
  const found = new Map();
  for (const all of names.values()) {
    const [ours, theirs] = [all.filter(({ is }) => is), all.filter(({ item }) => item)];
    if (ours.length !== 1 || theirs.length !== 1) continue;
    if (!there.get(ours[0].is)?.metadata[OURS].theirs) found.set(ours[0].is, theirs[0].item);
  }
  return found;
}

/** Of the fields those that are another than was asked for last; where nothing was, those that the item hasn't so. */
function news(fields, item, known) {
  const isNew = ([name, value]) => (known && name in known ? !alike(value, known[name]) : !alike(value, item[name]));
  return Object.fromEntries(Object.entries(fields).filter(isNew));
}

function note(found, { id, type }, changes) {
  if (Object.keys(changes).length > 0) found.update.push({ id, type, ...changes });
}

/** Whether `there` says what `want` does; it may say more. */
function alike(want, there) {
  if (typeof want === "number" && typeof there === "number") return Math.abs(want - there) < 0.01;
  if (typeof want !== "object" || want === null) return want === there;
  if (typeof there !== "object" || there === null) return false;
  if (Array.isArray(want) && want.length !== there.length) return false;
  return Object.keys(want).every((key) => alike(want[key], there[key]));
}

function moved({ x, y }, by) {
  return { x: x + by.x, y: y + by.y };
}

/** `above` orders what is made at once: what comes later lies above. */
function made(id, type, is, fields, userId, above) {
  const now = new Date();
  return {
    id, type, createdUserId: userId, lastModified: now.toISOString(), lastModifiedUserId: userId, zIndex: now.getTime() + above,
    locked: false, rotation: 0, scale: { x: 1, y: 1 }, ...fields, metadata: { [OURS]: { is } },
  };
}
