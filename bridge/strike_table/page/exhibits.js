// What lies on the table whatever is played: the day, clocks, handouts. A handout that comes opens by itself.

import { html, setText, svg } from "./draw.js";
import { Portrait } from "./portraits.js";

const RADIUS = 9;

export class Exhibits {
  #strip;
  #pictureAt;
  #known = null; // ids of the handouts that lay there, once anything was told
  #drawn = "";
  #last = [];
  #viewer;
  #opens;

  /** `pictureAt` makes the address of an image from its hash; `opens` says whether a handout that comes opens. */
  constructor(strip, { pictureAt, opens = () => true }) {
    this.#opens = opens;
    this.#strip = strip;
    this.#pictureAt = pictureAt;
    this.#viewer = new Viewer(pictureAt);
  }

  /** The name of the evening's scene, where one is told. */
  scene = "";

  update(exhibits) {
    this.#last = exhibits;
    this.scene = exhibits.find(({ kind }) => kind === "scene")?.name ?? "";
    const shown = exhibits.filter(({ kind }) => kind !== "scene");
    this.#strip.hidden = shown.length === 0;
    const drawn = JSON.stringify(shown);
    if (drawn !== this.#drawn) this.#strip.replaceChildren(...shown.map((one) => this.#item(one)));
    this.#drawn = drawn;
    this.#openNew(shown.filter(({ kind }) => kind === "handout"));
  }

  /** A picture has come that had no address before. */
  again() {
    this.#drawn = "";
    this.update(this.#last);
    this.#viewer.again(this.#last);
  }

  #openNew(handouts) {
    const came = handouts.find(({ id }) => this.#known !== null && !this.#known.has(id));
    this.#known = new Set(handouts.map(({ id }) => id));
    this.#viewer.closeUnless(this.#known);
    if (came && this.#opens()) this.#viewer.open(came);
  }

  #item(one) {
    const marks = { class: `exhibit ${one.kind}${one.hidden ? " secret" : ""}`, "data-exhibit": one.id };
    if (one.kind === "handout") {
      const button = html("button", { ...marks, type: "button" }, this.#thumb(one), one.name);
      button.addEventListener("click", () => this.#viewer.open(one));
      return button;
    }
    if (one.kind === "clock") {
      const told = `${one.filled} of ${one.segments}`;
      return html("span", { ...marks, title: told }, clock(one), one.name, html("span", { class: "count" }, told));
    }
    return html("span", marks, html("strong", {}, one.name), one.text ? html("span", {}, one.text) : null);
  }

  #thumb({ image }) {
    if (image === null) return null;
    const picture = html("img", { class: "thumb", alt: "" });
    new Portrait(picture).show(this.#pictureAt(image.hash));
    return picture;
  }
}

/** A clock's face: segments from the top on, the full ones filled. */
function clock({ filled, segments }) {
  const face = svg("svg", { viewBox: "-10 -10 20 20", class: filled >= segments ? "face full" : "face", "aria-hidden": "true" });
  face.append(svg("circle", { r: RADIUS, class: "rim" }));
  for (let n = 0; n < segments; n++) {
    face.append(svg("path", { d: slice(n / segments, (n + 1) / segments), class: n < filled ? "on" : "off" }));
  }
  return face;
}

function slice(from, to) {
  if (to - from >= 1) return `M0 ${-RADIUS}A${RADIUS} ${RADIUS} 0 1 1 0 ${RADIUS}A${RADIUS} ${RADIUS} 0 1 1 0 ${-RADIUS}Z`;
  const [a, b] = [from, to].map((turn) => 2 * Math.PI * turn - Math.PI / 2);
  const at = (angle) => `${(RADIUS * Math.cos(angle)).toFixed(2)} ${(RADIUS * Math.sin(angle)).toFixed(2)}`;
  return `M0 0L${at(a)}A${RADIUS} ${RADIUS} 0 ${to - from > 0.5 ? 1 : 0} 1 ${at(b)}Z`;
}

/** One handout, large. */
class Viewer {
  #pictureAt;
  #id = null;
  #title = html("h2", {});
  #picture = html("img", { class: "handout-picture", alt: "" });
  #portrait = new Portrait(this.#picture);
  #text = html("p", { class: "handout-text" });
  #dialog;

  constructor(pictureAt) {
    this.#pictureAt = pictureAt;
    const close = html("button", { type: "button", class: "handout-close" }, "Close");
    this.#dialog = html("dialog", { class: "handout-view" }, this.#title, this.#picture, this.#text, close);
    close.addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("click", (event) => event.target === this.#dialog && this.#dialog.close());
  }

  open({ id, name, text, image }) {
    this.#id = id;
    setText(this.#title, name);
    setText(this.#text, text);
    this.#text.hidden = text === "";
    this.#picture.hidden = image === null;
    this.#picture.alt = name;
    this.#portrait.show(image && this.#pictureAt(image.hash));
    if (!this.#dialog.isConnected) document.body.append(this.#dialog); // put in anew it would lie below
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  again(exhibits) {
    const one = exhibits.find(({ id }) => id === this.#id);
    if (one && this.#dialog.open) this.open(one);
  }

  /** What was taken away is not looked at any longer. */
  closeUnless(known) {
    if (this.#dialog.open && !known.has(this.#id)) this.#dialog.close();
  }
}
