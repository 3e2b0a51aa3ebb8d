// The game master's own page acts, where it is opened at their computer: a box for any command, buttons for what is
// typed most, and the keys of `strike play`. What may be typed, and from where, is the server's to say.

import { button as pressed, html, setLabel, setText } from "./draw.js";
import { Menu } from "./menu.js";
import { Uploads } from "./uploads.js";

const LOOK = 3000; // milliseconds between looks at what players propose
const KEPT = 50; // lines that the arrow key brings back
const UNDO = "u"; // twice, as in `play`
const KEYS = [
  ["u u", "undo the last command"],
  ["+, -", "accept or decline a player's proposal"],
  ["1 to 9", "answer the decision"],
  [":, /, any letter", "type a command; Tab completes, ↑ ↓: earlier ones"],
  ["[, ]", "harm or heal the picked creature, by 1"],
  ["F2", "another scene under way"],
  ["Esc", "leave the box"],
];

export class Acts {
  #root;
  #address;
  #answers;
  #otherScene;
  #change;
  #token = null;
  #proposed = [];
  #waiting = html("ul", { class: "proposals" });
  #box = html("input", { type: "text", class: "acts-line", "aria-label": "Command", placeholder: "Any command: attack vex goblin-1", autocomplete: "off", spellcheck: "false", enterkeyhint: "send" });
  #said = html("output", { class: "acts-said" });
  #unheard = html("output", { class: "acts-unheard", hidden: "" });
  #keys = html("dl", { class: "acts-keys", hidden: "" }, ...KEYS.flatMap(([key, does]) => [html("dt", {}, key), html("dd", {}, does)]));
  #handouts = new Menu("Handouts", () => this.#listHandouts());
  #reveal = new Menu("Reveal", () => this.#hidden.map(({ id, name }) => ({ words: name || id, act: () => this.play(`reveal ${id}`) })));
  #scene = new Menu("Scene", () => this.#sceneItems());
  #clocks = new Menu("Clocks", () => this.#clockItems());
  #ticking = [];
  #sceneItems;
  #hidden = [];
  #lines = [];
  #at = 0;
  #drawn = "";
  #undo = button("Undo", "Undo (u u)", () => this.#undoes());
  #asked = false; // whether it was said what undo takes back

  /** `address(path, query)` makes an address of ours; `answers()` are what the open decision may be answered with;
   * `otherScene()` shows the next scene that is under way; `change(by)` harms or heals the picked creature;
   * `sceneItems()` are what is done to a scene as a whole, {words, act} each. */
  constructor(root, { address, answers, otherScene, change, sceneItems }) {
    this.#root = root;
    this.#address = address;
    this.#answers = answers;
    this.#otherScene = otherScene;
    this.#change = change;
    this.#sceneItems = sceneItems;
  }

  /** Whether lines are played here. */
  get open() {
    return this.#token !== null;
  }

  /** Ask whether this page acts; draw what it needs where it does. */
  async begin() {
    await this.#look();
    if (!this.open) return;
    const form = html("form", { class: "acts-form" }, this.#box);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const line = this.#box.value.trim();
      if (line) this.play(line);
    });
    this.#box.addEventListener("keydown", (event) => this.#onKey(event));
    this.#box.addEventListener("input", () => this.#onInput());
    const uploads = new Uploads({ ask: (path, body, query) => this.#ask("POST", path, body, query), say: (told) => this.#say(told) });
    this.#root.replaceChildren(
      button("Next", "The next turn, or round", () => this.play("next")),
      this.#undo,
      form,
      this.#scene.root,
      this.#handouts.root,
      this.#clocks.root,
      this.#reveal.root,
      uploads.button,
      this.#unheard,
      this.#waiting,
      uploads.root,
      this.#said,
      this.#keys,
    );
    this.#root.hidden = false;
    this.#undo.addEventListener("blur", () => this.#mayUndo(false));
    addEventListener("keydown", (event) => this.#onPageKey(event));
    setInterval(() => !document.hidden && this.#look(), LOOK);
  }

  /** Who of a scene is hidden from players, and may be revealed. */
  people(tokens) {
    this.#hidden = [...tokens.values()].filter(({ hidden }) => hidden);
    this.#reveal.root.hidden = this.#hidden.length === 0;
  }

  /** Which clocks there are to advance. */
  exhibits(lying) {
    this.#ticking = lying.filter(({ kind }) => kind === "clock");
    this.#clocks.root.hidden = this.#ticking.length === 0;
  }

  #clockItems() {
    return this.#ticking.map(({ id, name, filled, segments }) => ({
      words: `Advance ${name} (${filled} of ${segments})`,
      act: () => this.play(`clock tick ${id}`),
    }));
  }

  /** Play a line as typed, and say what came of it. */
  async play(line) {
    this.#mayUndo(false);
    this.#lines = [...this.#lines.filter((one) => one !== line), line].slice(-KEPT);
    this.#at = this.#lines.length;
    const told = await this.#ask("POST", "/acts", JSON.stringify({ line }));
    this.#say(told);
    if (told.ok && this.#box.value.trim() === line) this.#box.value = ""; // what was typed meanwhile stays
    if (!told.ok && told.text.includes("`--yes`")) this.type(`${line} --yes`); // Enter insists on it
    this.#look();
  }

  #say({ ok, text }) {
    setText(this.#said, text);
    this.#said.classList.toggle("bad", !ok);
    this.#said.classList.toggle("columns", /\S {2,}\S/.test(text));
  }

  async #look() {
    const found = await this.#ask("GET", "/acts");
    this.#token = found.token ?? this.#token;
    const unheard = found.unheard ?? [];
    this.#unheard.hidden = unheard.length === 0;
    setText(this.#unheard, `Received nothing for a while: ${unheard.join(", ")}. “bridge status” says why.`);
    const drawn = JSON.stringify(found.proposals ?? []);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#proposed = found.proposals ?? [];
    this.#waiting.replaceChildren(...this.#proposed.map(({ id, text }) => this.#proposal(id, text)));
  }

  #proposal(id, text) {
    return html(
      "li",
      {},
      html("span", { class: "proposed" }, text),
      button("Accept", `Accept: ${text}`, () => this.play(`accept ${id}`)),
      button("Decline", `Decline: ${text}`, () => this.play(`decline ${id}`)),
    );
  }

  async #listHandouts() {
    const { handouts = [], text } = await this.#ask("GET", "/acts/handouts");
    if (text) this.#say({ ok: false, text });
    return handouts.map(({ id, name, shown }) => ({
      words: shown ? `Take back ${name}` : `Show ${name}`,
      act: () => this.play(`handout ${shown ? "hide" : "show"} ${id}`),
    }));
  }

  async #ask(method, path, body, query = {}) {
    const headers = this.#token === null ? {} : { "X-Strike-Acts": this.#token };
    try {
      const answer = await fetch(this.#address(path, query), { method, headers, body });
      const told = await answer.json();
      return answer.ok ? told : { ok: false, text: told.error.message };
    } catch {
      return { ok: false, text: "The table can’t be reached. Nothing was played." };
    }
  }

  /** Say what undo would take back; pressed again, it does. */
  async #undoes() {
    if (this.#asked) return this.play("undo");
    if (await this.#sayUndone("Undo it", () => true)) this.#mayUndo(true);
  }

  /** Whether there is something to undo; it is said, and how to go on, where that is still `wanted`. */
  async #sayUndone(how, wanted) {
    const { undoes, text } = await this.#ask("GET", "/acts/undo");
    if (!wanted()) return false;
    const bad = undoes === undefined;
    this.#say({ ok: !bad, text: bad ? text : undoes ? `${how}: ${undoes}` : "There is nothing to undo." });
    return Boolean(undoes);
  }

  #mayUndo(asked) {
    this.#asked = asked;
    setText(this.#undo, asked ? "Undo it" : "Undo");
    const title = asked ? "Undo it" : "Undo (u u)";
    this.#undo.title = title;
    setLabel(this.#undo, title);
  }

  /** What could stand in the place of the word before the cursor: what all have in common is typed, several are listed. */
  async #complete() {
    const before = this.#box.value.slice(0, this.#box.selectionStart);
    const { words, text } = await this.#ask("POST", "/acts/completions", JSON.stringify({ line: before }));
    if (!words) return this.#say({ ok: false, text });
    if (this.#box.value.slice(0, this.#box.selectionStart) !== before) return; // typed on meanwhile
    const begun = before.slice(before.lastIndexOf(" ") + 1);
    let shared = words[0] ?? "";
    for (const word of words) while (!word.startsWith(shared)) shared = shared.slice(0, -1);
    if (shared.length > begun.length) this.#box.setRangeText(shared, before.length - begun.length, before.length, "end");
    this.#say({ ok: true, text: words.length > 1 ? words.join(" ") : "" });
  }

  // Keys

  #onKey(event) {
    if (event.key === "Escape") {
      this.#box.value = "";
      this.#box.blur();
    }
    if (event.key === "Tab" && !event.shiftKey && this.#box.value.trim()) {
      event.preventDefault();
      this.#complete();
    }
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.#at = Math.min(this.#lines.length, Math.max(0, this.#at + step));
    this.#box.value = this.#lines[this.#at] ?? "";
  }

  /** A second u undoes. */
  #onInput() {
    if (this.#box.value === UNDO + UNDO) {
      this.#box.value = "";
      this.play("undo");
    } else if (this.#box.value === UNDO) this.#sayUndone("u again undoes it", () => this.#box.value === UNDO);
  }

  /** The keys of `strike play`, where nothing else has them. */
  #onPageKey(event) {
    const { target, key } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest?.("input, dialog")) return;
    const act = this.#keyOf(key);
    if (!act) return;
    event.preventDefault();
    act();
  }

  #keyOf(key) {
    if (key === "[" || key === "]") return () => this.#change(key === "[" ? -1 : 1);
    if (key === "F2") return this.#otherScene;
    if (key === "?") return () => (this.#keys.hidden = !this.#keys.hidden);
    if ((key === "+" || key === "-") && this.#proposed.length > 0) return () => this.play(`${key === "+" ? "accept" : "decline"} ${this.#proposed[0].id}`);
    if (/^[1-9]$/.test(key)) return this.#answers()[Number(key) - 1];
    if (key === ":" || key === "/") return () => this.type("");
    return /^\p{L}$/u.test(key) ? () => this.type(key) : undefined;
  }

  /** Ask the server for something behind what this page may, or tell it. */
  ask(method, path, body) {
    return this.#ask(method, path, body && JSON.stringify(body));
  }

  /** Begin a line; what has to be put for `NAME` in it is picked. */
  type(text) {
    this.#box.value = text;
    this.#box.focus();
    const at = text.indexOf("NAME");
    if (at > 0) this.#box.setSelectionRange(at, at + "NAME".length);
    this.#onInput();
  }
}

/** A button of the line that acts; `title` says all of what it does. */
function button(words, title, act) {
  return pressed({ class: "act", title, "aria-label": title }, act, words);
}
