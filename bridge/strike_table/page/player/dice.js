// A player's own dice: which roll, and whether they are thrown here or on the table.

import { die } from "/static/dice.js";
import { button, html } from "/static/draw.js";

const MOST_BUTTONS = 12; // sides of a die whose faces are tapped; others are typed

let chosen = ""; // the roll that is open

/** The rolls that may be proposed. `propose` gets the id of one, and faces where they fell on the table. */
export function rollPanel(page, propose) {
  if (page.answers === "off") return [html("p", { class: "empty" }, "Your game master takes nothing from phones now.")];
  const hint = html("p", { class: "hint" }, "Your game master sees it and accepts it.");
  return [hint, html("ul", { class: "rolls" }, page.rolls.map((roll) => html("li", {}, item(roll, propose)))), diceBox(propose)];
}

/** Dice in strike's own language, which the table's program reads. */
function diceBox(propose) {
  const line = html("input", { type: "text", name: "dice", maxlength: "200", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "Other dice", placeholder: "2d6+1, 4d6kh3" });
  const made = html("form", { class: "dice-box" }, line, button({ class: "plain" }, () => line.value.trim() && propose(`dice ${line.value}`), "Roll"));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    if (line.value.trim()) propose(`dice ${line.value}`);
  });
  return made;
}

function item(roll, propose) {
  const dice = roll.n === 1 ? `d${roll.sides}` : `${roll.n}d${roll.sides}`;
  const made = html("details", { name: "roll" },
    html("summary", {}, roll.name, html("span", {}, dice)),
    html("div", { class: "throw" },
      button({ class: "option" }, () => propose(roll.id), html("strong", {}, "Roll for me"), html("span", {}, "strike rolls")),
      html("p", {}, "or tap the faces of your own dice:"),
      dieFaces(roll, (fell) => propose(roll.id, [fell]))));
  made.open = chosen === roll.id;
  made.addEventListener("toggle", () => {
    if (made.open) chosen = roll.id;
    else if (chosen === roll.id) chosen = "";
  });
  return made;
}

/** The faces of dice to tap, one after the other; `fell` gets them all. */
export function dieFaces({ n, sides }, fell) {
  const faces = [];
  const place = html("div", { class: "faces" });
  const draw = () => {
    const count = n > 1 ? html("p", {}, `Die ${faces.length + 1} of ${n}`, faces.length ? `: ${faces.join(", ")}` : null) : null;
    place.replaceChildren(...[count, sides <= MOST_BUTTONS ? tapped() : typed()].filter(Boolean));
  };
  const add = async (face) => {
    faces.push(face);
    if (faces.length < n) return draw();
    await fell(faces.splice(0));
    draw();
  };
  const tapped = () => html("div", { class: "tap", role: "group", "aria-label": "Your dice" },
    Array.from({ length: sides }, (_, number) => button({ class: "face-button", "aria-label": number + 1 }, () => add(number + 1), die(sides, number + 1, true))));
  const typed = () => {
    const line = html("input", { type: "number", min: 1, max: sides, inputmode: "numeric", "aria-label": "Your dice" });
    const take = button({ class: "plain" }, () => line.checkValidity() && line.value && add(Number(line.value)), "Fell");
    return html("div", { class: "tap" }, line, take);
  };
  draw();
  return place;
}
