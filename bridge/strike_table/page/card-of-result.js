// One result as a card: who did what at whom and how it came out, the dice, and the words.

import { rollLine } from "./dice.js";
import { html } from "./draw.js";
import { sentence } from "./names.js";

const HEADING = 90; // characters: a longer title is no heading
const CAME = { hit: "good", miss: "bad", success: "good", failure: "bad" };

/** A card; `colourOf(id)` is the class of somebody's side. */
export function card(result, colourOf) {
  const { head, lines, banners = [] } = result.play ?? { head: null, lines: null };
  const words = lines ?? plainLines(result);
  const [first, ...others] = head ? [null, ...words] : words;
  const own = !head && isOwn(first, banners[0]) ? banners[0] : null;
  return html(
    "article",
    { class: classes(result, first, others, own), "data-result": result.id },
    html(
      "header",
      {},
      head ? headline(head, result, colourOf) : title(first, result, own),
      result.secret ? html("span", { class: "pill" }, "Only you") : null,
      result.undone ? html("span", { class: "pill" }, "Taken back") : null,
      time(result.at),
    ),
    ...result.dice.map(rollLine),
    ...headlines(head, own ? banners.slice(1) : banners),
    others.length > 0 ? html("div", { class: "card-text" }, ...others.map(line)) : null,
  );
}

/** Of a sender who tells no lines, the title and what its text says besides. */
function plainLines({ title, text }) {
  const rest = text.startsWith(title) ? text.slice(title.length).trim() : text;
  return [title, ...(rest ? [rest] : [])].map((words) => ({ text: words, style: "" }));
}

/** Whether a card's first line is the whole of the first thing to be seen large: then it stands once. */
function isOwn(first, banner) {
  return Boolean(first?.event && first.event === banner?.event && first.text.length <= HEADING);
}

function title(first, { title: words, undone }, own) {
  const told = first?.text ?? words;
  return html(undone ? "s" : "span", { class: "card-title" }, own ? bannered(own, told) : told);
}

function bannered({ event, tone }, text) {
  return html("span", { class: `banner ${tone}`, "data-event": event }, text);
}

/** What happened besides the deed that the card is headed by: somebody falls, a save. */
function headlines(head, banners) {
  const others = banners.filter(({ text }) => text !== head?.words);
  if (others.length === 0) return [];
  return [html("p", { class: "banners" }, ...others.map((one) => bannered(one, one.text)))];
}

function headline({ what, at, came, words, tone, ...doer }, { undone }, colourOf) {
  const named = ({ id, name, side }) => html("span", { class: `named-one ${colourOf(id, side)}` }, name);
  const deed = what.includes(": ") ? what.split(": ").at(-1) : what;
  return html(
    undone ? "s" : "span",
    { class: "card-title headline" },
    named(doer),
    html("span", { class: "deed" }, at.length > 0 ? "▸" : deed),
    ...at.map(named),
    html("span", { class: `came ${tone || CAME[came] || ""}` }, words || sentence(came)),
  );
}

function line({ text, style }) {
  return html("p", { class: style ? `line ${STYLES[style] ?? ""}` : "line" }, text);
}

const STYLES = { title: "strong", strong: "strong", good: "good", bad: "bad", warn: "warn", dim: "dim" };

function classes({ undone, secret, dice }, first, others, own) {
  const kinds = [
    undone && "undone",
    secret && "secret",
    (first?.text.length ?? 0) > HEADING && "lengthy",
    dice.length === 0 && others.length === 0 && !own && "brief",
    first?.style === "dim" && others.every(({ style }) => style === "dim") && "faint",
  ];
  return ["card", ...kinds.filter(Boolean)].join(" ");
}

function time(at) {
  const when = new Date(at ?? NaN);
  if (Number.isNaN(when.getTime())) return null;
  const shown = when.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
  return html("time", { datetime: when.toISOString() }, shown);
}
