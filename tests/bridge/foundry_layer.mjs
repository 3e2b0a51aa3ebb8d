// A stand-in for as much of Foundry's client as the companion module touches, written from its public API pages:
// hooks, CONFIG.statusEffects (a list, from 14 on a table), effects before they are made, rendered messages.
// node foundry_layer.mjs MODULE GENERATION: plays a start, an effect of each kind and messages; says what came of it.

import { readFileSync } from "node:fs";

const [, , module, generation] = process.argv;
const hooks = {};
const on = (name, told) => (hooks[name] ??= []).push(told);
const call = (name, ...given) => (hooks[name] ?? []).forEach((told) => told(...given));
const words = { "EFFECT.StatusBlind": "Blinded", "WORLD.Marked": "Marked" };
const worlds = [
  { id: "blind", name: "EFFECT.StatusBlind", img: "icons/svg/blind.svg" },
  { id: "wm", label: "WORLD.Marked", icon: "systems/ours/marked.svg" },
  { id: "prone", name: "Am Boden", img: "icons/svg/falling.svg" },
];
globalThis.Hooks = { on, once: on };
globalThis.game = { release: { generation: Number(generation) }, i18n: { localize: (key) => words[key] ?? key } };
globalThis.CONFIG = {
  statusEffects: generation < 14 ? worlds : Object.fromEntries(worlds.map((each) => [each.id, each])),
};

class Effect {
  constructor(status) {
    this.statuses = new Set([status]);
    this.img = "as it was";
  }

  updateSource(changes) {
    Object.assign(this, changes);
  }
}

function made(status) {
  const effect = new Effect(status);
  call("preCreateActiveEffect", effect, {}, {}, "user");
  return effect.img;
}

function shown(flags) {
  const classes = [];
  const element = { classList: { add: (name) => classes.push(name) } };
  call("renderChatMessageHTML", { flags }, element, {});
  call("renderChatMessage", { flags }, [element], {});
  return classes;
}

await import(`data:text/javascript,${encodeURIComponent(readFileSync(module, "utf8"))}`);
call("init");
call("setup");
call("setup"); // whoever starts twice gets nothing twice
console.log(JSON.stringify({
  statuses: Object.values(CONFIG.statusEffects),
  keys: Object.keys(CONFIG.statusEffects),
  effects: Object.fromEntries(
    ["strike-dazed", "strike-ongoing-3", "strike-marked", "strike-prone", "strike-moonstruck", "poisoned"]
      .map((status) => [status, made(status)]),
  ),
  messages: {
    ours: shown({ strike: { results: [{ id: "a" }, { id: "b", undone: true }] } }),
    undone: shown({ strike: { results: [{ id: "a", undone: true }] } }),
    token: shown({ strike: { id: "vex" } }),
    theirs: shown({}),
  },
}));
