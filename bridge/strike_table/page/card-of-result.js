// One result as a card: who did what at whom and how it came out, the dice, and what came of it, each told once.

import { rollLine } from "./dice.js";
import { html } from "./draw.js";
import { sentence } from "./names.js";

const HEADING = 90; // characters: a longer title is no heading
const MOST_DICE = 6; // rolls: more, such as everybody's initiative, say less than their words
const CAME = { hit: "good", miss: "bad", success: "good", failure: "bad" };

/** A card; `colourOf(id)` is the class of somebody's side. */
export function card(result, colourOf) {
  const { head = null, lines = plainLines(result) } = result.play ?? {};
  const isMore = ({ deed }, at) => !deed || (at === 0 && !head);
  const [first, ...others] = head ? [null, ...lines.filter(isMore).map((one) => (one.headline === outcome(head) ? { ...one, brief: "" } : one))] : summed(lines.filter(isMore));
  return html(
    "article",
    { class: classes(result, first, others), "data-result": result.id },
    html(
      "header",
      {},
      head ? headline(head, result, colourOf) : title(first, result),
      result.secret ? html("span", { class: "pill" }, "Only you") : null,
      result.undone ? html("span", { class: "pill" }, "Undone") : null,
      time(result.at),
    ),
    ...(result.dice.length > MOST_DICE ? [] : result.dice).map((roll, at) => rollLine(roll, at === 0 ? head?.name : null)),
    others.length > 0 ? html("div", { class: "card-text" }, ...others.map(line)) : null,
  );
}

/** Of a sender who tells no lines, the title and what its text says besides. */
function plainLines({ title, text }) {
  const rest = text.startsWith(title) ? text.slice(title.length).trim() : text;
  return [title, ...(rest ? [rest] : [])].map((words) => ({ text: words, style: "" }));
}

/** A text without the heading that it begins with. */
function without(heading, text) {
  return text.startsWith(`${heading}: `) ? text.slice(heading.length + 2) : text;
}

/** Lines of which a long first one stands below its headline. */
function summed([first, ...others]) {
  if (!first?.headline || first.text.length <= HEADING) return [first, ...others];
  return [{ ...first, text: first.headline }, { text: without(first.headline, first.text), style: "" }, ...others];
}

function title(first, { title: words, undone }) {
  const told = first?.text ?? words;
  return html(undone ? "s" : "span", { class: "card-title" }, first?.headline ? bannered(first, told) : told);
}

function bannered({ event, tone }, text) {
  return html("span", { class: `banner ${tone}`, "data-event": event }, text);
}

function outcome({ came, words }) {
  return words || sentence(came);
}

function headline({ what, power, at, came, words, tone, ...doer }, { undone }, colourOf) {
  const named = ({ id, name, side }) => html("span", { class: `named-one ${colourOf(id, side)}` }, name);
  const deed = power || (at.length > 0 ? "" : what.includes(": ") ? what.split(": ").at(-1) : what);
  return html(
    undone ? "s" : "span",
    { class: "card-title headline" },
    named(doer),
    deed ? html("span", { class: "deed" }, deed) : null,
    at.length > 0 ? html("span", { class: "deed" }, "▸") : null,
    ...at.map(named),
    html("span", { class: `came ${tone || CAME[came] || ""}` }, outcome({ came, words })),
  );
}

/** What has a headline is as strong as one; from afar (television.css) that alone is read. */
function line({ text, style, headline: short = "", brief = short, event = "", tone = "" }) {
  const look = style ? `line ${STYLES[style] ?? ""}` : "line";
  if (!short) return html("p", { class: look }, text);
  return html("p", { class: `${look} banner ${tone}`, "data-event": event }, html("span", { class: "brief" }, brief), html("span", { class: "full" }, text));
}

const STYLES = { title: "strong", strong: "strong", good: "good", bad: "bad", warn: "warn", dim: "dim" };

function classes({ undone, secret, dice }, first, others) {
  const kinds = [
    undone && "undone",
    secret && "secret",
    (first?.text.length ?? 0) > HEADING && "lengthy",
    dice.length === 0 && others.length === 0 && first && !first.headline && "brief",
    first?.style === "dim" && others.every(({ style }) => style === "dim") && "faint",
  ];
  return ["card", ...kinds.filter(Boolean)].join(" ");
}

let clock = null; // made once: a browser takes a millisecond for one

function time(at) {
  const when = new Date(at ?? NaN);
  if (Number.isNaN(when.getTime())) return null;
  clock ??= new Intl.DateTimeFormat([], { hour: "numeric", minute: "2-digit" });
  return html("time", { datetime: when.toISOString() }, clock.format(when));
}
