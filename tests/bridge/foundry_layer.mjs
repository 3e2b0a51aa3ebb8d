// A stand-in for as much of Foundry's client as the companion module touches, written from its public API pages:
// hooks, CONFIG.statusEffects (a list, from 14 on a table), effects before they are made, rendered messages, messages
// and rolls that a player makes.
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
globalThis.game = { user: { id: "userPlayer000000", name: "Pia" }, release: { generation: Number(generation) }, i18n: { localize: (key) => words[key] ?? key } };
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

// As much of a browser and of Foundry's documents as buttons need.

class Element {
  constructor(tag) {
    Object.assign(this, { tag, children: [], className: "", textContent: "", disabled: false, pressed: [] });
    this.classList = { add: (name) => (this.className += ` ${name}`) };
  }

  append(...added) {
    this.children.push(...added);
  }

  addEventListener(_, heard) {
    this.pressed.push(heard);
  }

  get outerHTML() {
    const inside = this.textContent.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
    return `<${this.tag}>${inside}</${this.tag}>`;
  }

  all() {
    return [this, ...this.children.flatMap((each) => each.all())];
  }
}

const made_there = [];
globalThis.document = { createElement: (tag) => new Element(tag) };
globalThis.ChatMessage = { create: async (data) => made_there.push({ rolls: [], ...data }) };
globalThis.Roll = class {
  constructor(formula) {
    this.formula = formula;
  }

  async evaluate() {
    const [n, faces] = this.formula.split("d").map(Number);
    const results = Array.from({ length: n }, () => ({ result: 5, active: true }));
    Object.assign(this, { total: 5 * n, terms: [{ class: "Die", faces, number: n, results }] });
    return this;
  }

  async toMessage(data) {
    await ChatMessage.create({ ...data, content: String(this.total), rolls: [{ ...this }] });
  }
};

/** What a player sees of a question, and what comes of pressing one of its buttons twice. */
async function asked(question, press) {
  const message = new Element("li");
  call("renderChatMessageHTML", { flags: { strike: { asked: question } } }, message, {});
  call("renderChatMessage", { flags: { strike: { asked: question } } }, [message], {});
  const buttons = message.all().filter(({ tag }) => tag === "button");
  const pressed = buttons.find(({ textContent }) => textContent === press);
  for (const heard of pressed?.pressed ?? []) await heard();
  return {
    classes: message.className, buttons: buttons.map(({ textContent }) => textContent), made: made_there.splice(0),
    disabled: buttons.every(({ disabled }) => disabled),
  };
}

await import(`data:text/javascript,${encodeURIComponent(readFileSync(module, "utf8"))}`);
call("init");
call("setup");
call("setup"); // whoever starts twice gets nothing twice
const question = {
  decision: "d1", player: "Pia", options: [{ name: "damage", label: "" }, { name: "effect", label: "Dazed <b>" }],
  over: false, dice: null,
};
const given = process.argv[4] ? JSON.parse(process.argv[4]) : null;
if (given) {
  console.log(JSON.stringify(await asked(given.asked, given.press)));
  process.exit(0);
}
console.log(JSON.stringify({
  asked: {
    picked: await asked(question, "damage"),
    rolled: await asked({ ...question, dice: { option: "damage", n: 2, sides: 6 } }, "Roll 2d6 for strike"),
    marked_up: await asked({ ...question, options: [{ name: "[[/r 1d6]] <b>", label: "" }] }, "[[/r 1d6]] <b>"),
    by_id: await asked({ ...question, player: "userPlayer000000" }),
    others: await asked({ ...question, player: "Ana" }),
    over: await asked({ ...question, over: true }),
  },
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
