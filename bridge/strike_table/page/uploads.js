// Pictures that are dropped on the game master's page, or chosen there: sent to be kept in the campaign's folder; then
// what can be done with one is offered.

import { button, html, readable } from "./draw.js";

const TAKEN = "image/png,image/jpeg,image/webp";

export class Uploads {
  /** Chooses a picture where none can be dropped. */
  button = html("button", { type: "button", class: "act", title: "Add a picture: a handout or a map. Or drop it anywhere on this page" }, "Picture");
  root = html("div", { class: "uploads", hidden: "" });
  #ask;
  #say;

  /** `ask(path, body, query)` asks the table; `say({ok, text})` tells the reader. */
  constructor({ ask, say }) {
    this.#ask = ask;
    this.#say = say;
    const chooser = html("input", { type: "file", accept: TAKEN, hidden: "", "aria-label": "Picture" });
    this.button.addEventListener("click", () => chooser.click());
    chooser.addEventListener("change", () => {
      if (chooser.files.length > 0) this.#take(chooser.files[0]);
      chooser.value = "";
    });
    addEventListener("dragover", (event) => this.#over(event));
    addEventListener("dragleave", (event) => event.relatedTarget === null && this.#mark(false));
    addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.#mark(false);
      if (event.dataTransfer.files.length > 0) this.#take(event.dataTransfer.files[0]);
    });
  }

  #over(event) {
    if (!hasFiles(event)) return;
    event.preventDefault(); // else the browser would open the file
    event.dataTransfer.dropEffect = "copy";
    this.#mark(true);
  }

  #mark(dropping) {
    document.body.classList.toggle("dropping", dropping);
  }

  async #take(file) {
    this.root.hidden = true;
    const kept = await this.#ask("/acts/pictures", file, { name: file.name });
    this.#say(kept);
    if (kept.ok) this.#offer(kept, await readable(file));
  }

  #offer({ file, uses, across }, picture) {
    const use = async (as, more = {}) => {
      const told = await this.#ask("/acts/pictures/use", JSON.stringify({ file, use: as, ...more }));
      this.#say(told);
      if (told.ok) this.root.hidden = true;
    };
    const parts = [html("img", { class: "upload-picture", src: picture, alt: file })];
    if (uses.includes("handout")) parts.push(button({ class: "act" }, () => use("handout"), "Show it to the players"));
    if (uses.includes("map")) parts.push(mapForm(across, (name, squares) => use("map", { name, across: squares })));
    parts.push(button({ class: "act" }, () => (this.root.hidden = true), "Only keep it"));
    this.root.replaceChildren(...parts);
    this.root.hidden = false;
  }
}

function mapForm(across, make) {
  const name = html("input", { type: "text", class: "acts-line", "aria-label": "Name of the encounter", placeholder: "Encounter’s name", required: "", maxlength: "80" });
  const squares = html("input", { type: "number", class: "acts-line", "aria-label": "Squares from left to right", placeholder: "Squares across", min: "1", max: "200", value: across || null, required: "" });
  const form = html("form", { class: "upload-map" }, name, squares, html("button", { type: "submit", class: "act" }, "New encounter on it"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    make(name.value.trim(), squares.valueAsNumber);
  });
  return form;
}

function hasFiles({ dataTransfer }) {
  return [...(dataTransfer?.types ?? [])].includes("Files");
}
