// The game master's own page acts, where it is opened at their computer: a box for any command, and buttons for what is
// typed most. What may be typed, and from where, is the server's to say.

import { html } from "./draw.js";

const LOOK = 3000; // milliseconds between looks at what players propose
const KEPT = 50; // lines that the arrow key brings back

export class Acts {
  #root;
  #address;
  #token = null;
  #waiting = html("ul", { class: "proposals" });
  #box = html("input", { type: "text", class: "acts-line", "aria-label": "Command", placeholder: "Any command: attack vex goblin-1", autocomplete: "off", spellcheck: "false", enterkeyhint: "send" });
  #said = html("output", { class: "acts-said" });
  #lines = [];
  #at = 0;
  #drawn = "";

  /** `address(path)` makes an address of ours. */
  constructor(root, { address }) {
    this.#root = root;
    this.#address = address;
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
    this.#root.replaceChildren(button("Next", "Next turn (n)", () => this.play("turn")), button("Undo", "Undo (u)", () => this.play("undo")), form, this.#waiting, this.#said);
    this.#root.hidden = false;
    addEventListener("keydown", (event) => this.#onPageKey(event));
    setInterval(() => !document.hidden && this.#look(), LOOK);
  }

  /** Play a line as typed, and say what came of it. */
  async play(line) {
    this.#lines = [...this.#lines.filter((one) => one !== line), line].slice(-KEPT);
    this.#at = this.#lines.length;
    const { ok, text } = await this.#ask("POST", { line });
    this.#said.textContent = text;
    this.#said.classList.toggle("bad", !ok);
    if (ok) this.#box.value = "";
    this.#look();
  }

  async #look() {
    const found = await this.#ask("GET");
    this.#token = found.token ?? this.#token;
    const drawn = JSON.stringify(found.proposals ?? []);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#waiting.replaceChildren(...(found.proposals ?? []).map(({ id, text }) => this.#proposal(id, text)));
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

  async #ask(method, body) {
    const headers = this.#token === null ? {} : { "X-Strike-Acts": this.#token };
    try {
      const answer = await fetch(this.#address("/acts"), { method, headers, body: body && JSON.stringify(body) });
      const told = await answer.json();
      return answer.ok ? told : { ok: false, text: told.error.message };
    } catch {
      return { ok: false, text: "The table can’t be reached. Nothing was played." };
    }
  }

  #onKey(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.#at = Math.min(this.#lines.length, Math.max(0, this.#at + step));
    this.#box.value = this.#lines[this.#at] ?? "";
  }

  /** The keys of `strike play`, where nothing else has them. */
  #onPageKey(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.("input, #map, dialog")) return;
    const keys = { u: () => this.play("undo"), n: () => this.play("turn"), "+": () => this.play("accept"), "-": () => this.play("decline"), "/": () => this.#box.focus() };
    if (!keys[key]) return;
    event.preventDefault();
    keys[key]();
  }
}

function button(words, title, act) {
  const made = html("button", { type: "button", class: "act", title, "aria-label": title }, words);
  made.addEventListener("click", act);
  return made;
}
