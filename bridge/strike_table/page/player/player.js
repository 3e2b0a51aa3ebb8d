// A player's own page: what is asked of them, what they may do, their sheet, their rolls, what happened.

import { card } from "/static/card-of-result.js";
import { NextFrame, button, html, redraw, setText } from "/static/draw.js";
import { Exhibits } from "/static/exhibits.js";
import { stateInWords } from "/static/pulse.js";
import { HELD, NAMES, signOf } from "/static/signs.js";
import { thrownDice } from "/static/thrown.js";
import { offerGroups } from "/static/turn.js";
import { useTypefaces } from "/static/typefaces.js";
import { dieFaces, rollPanel } from "./dice.js";
import { Ground } from "./ground.js";
import { ask, enter, follow, hasLink, pictureAt } from "./link.js";

const WIDE = matchMedia("(min-width: 43.75em)");
const READ = 9000; // ms for which it is told that something was accepted
const ENDED = {
  withdrawn: "This link no longer works. Ask your game master for another one, and scan it.",
  unknown: "This link belongs to nobody at this table. Ask your game master for yours, and scan it.",
};
const byId = (id) => document.getElementById(id);

let page = null;
const pictures = new NextFrame(() => {
  exhibits.again();
  ground.again();
  showFace();
});
const addressOf = (hash) => pictureAt(hash, pictures);
const exhibits = new Exhibits(byId("exhibits"), { pictureAt: addressOf });
const ground = new Ground(byId("ground"), { pictureAt: addressOf, propose: (offer) => propose(offer) });
let throws = null; // faces that an answer or an act waits for: {decision or offer, option, dice, faces}
let dismissed = 0; // the last proposal whose end was read
let waited = null; // what had happened while one waited, to tell what came of it
let waitsFor = null; // the proposal that waits
let sure = null; // what can't be taken back, asked about once more: an act {id, text, why}, or an answer {id, option}
let lower = 0; // the timer of one's raised hand
let answered = null; // an answer or an act that counted at once: {id, text}

for (const tab of document.querySelectorAll("nav button")) {
  tab.addEventListener("click", () => open(tab.dataset.shows));
}
WIDE.addEventListener("change", () => open(document.body.dataset.shown));
open("now");
drawSigns();
needLink();
if (hasLink()) follow(show, sign);
else sign("none");

function open(name) {
  document.body.dataset.shown = name;
  for (const tab of document.querySelectorAll("nav button")) {
    tab.setAttribute("aria-current", tab.dataset.shows === name ? "page" : "false");
    byId(tab.dataset.shows).hidden = !WIDE.matches && tab.dataset.shows !== name;
  }
}

/** A hand to raise, and a few signs, which every screen shows. */
function drawSigns() {
  const [summary, row] = byId("signs").children;
  summary.append(signOf("hand").drawn);
  const made = NAMES.map((name) => {
    const { words, drawn } = signOf(name);
    return button({ "aria-label": words, title: words, "aria-pressed": name === "hand" ? "false" : null }, () => showSign(name), drawn);
  });
  row.append(...made);
}

async function showSign(name) {
  const [hand] = byId("signs").querySelectorAll("[aria-pressed]");
  const lowers = name === "hand" && hand.getAttribute("aria-pressed") === "true";
  const came = await ask("POST", "/signs", { sign: lowers ? "" : name });
  if (!after(came)) return;
  clearTimeout(lower);
  const up = name === "hand" && !lowers;
  hand.setAttribute("aria-pressed", String(up));
  byId("signs").classList.toggle("raised", up);
  if (up) lower = setTimeout(() => [hand.setAttribute("aria-pressed", "false"), byId("signs").classList.remove("raised")], HELD);
  byId("signs").open = false;
}

/** How the line stands; `heard` is when something came over it last. */
function sign(connection, heard = null) {
  document.body.dataset.connection = connection;
  setText(byId("sign-words"), stateInWords(connection, heard));
  const ended = connection in ENDED || connection === "none";
  byId("needs").hidden = !ended;
  if (ended) {
    byId("ground").hidden = true;
    dress();
  }
  if (connection in ENDED) {
    trouble(ENDED[connection]);
    byId("asked").hidden = byId("wish").hidden = byId("bar").hidden = true;
    exhibits.update([]);
  }
}

/** Let a phone without a link type the code of one. */
function needLink() {
  byId("code-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const go = byId("code-go");
    go.disabled = true;
    byId("code-trouble").textContent = await enter(byId("code").value);
    go.disabled = false;
  });
}

function trouble(words) {
  setText(byId("trouble"), words);
  byId("trouble").classList.toggle("caret", /\n *\^$/.test(words));
  byId("trouble").hidden = !words;
}

function show(next) {
  const before = page;
  page = next;
  if (!before && page.told?.outcome === "accepted") dismissed = page.told.id;
  if (throws && ![...page.decisions, ...page.offers].some((one) => one.id === (throws.decision ?? throws.offer))) throws = null;
  if (before && before.position !== page.position) trouble("");
  const yours = page.scene?.yours ? "Your turn · " : "";
  document.title = `${page.decisions.length || yours ? "● " : ""}${yours}${page.character.name}`;
  setText(byId("name"), page.character.name);
  setText(byId("concept"), page.character.concept);
  setText(byId("turn"), turnWords());
  document.body.dataset.yours = String(Boolean(page.scene?.yours || page.decisions.length));
  redraw(byId("meters"), page.meters, () => page.meters.map(meter));
  redraw(byId("statuses-short"), page.statuses, () => page.statuses.map((one) => html("li", {}, one.name)));
  showAsked();
  byId("signs").hidden = !page.signs;
  exhibits.update(page.exhibits);
  showFace();
  byId("ground").hidden = page.map === null;
  byId("ground").classList.add("known");
  if (page.map !== null) ground.show(page, page.answers !== "off");
  showTurn(before);
  if (before) showBesides();
  else besides.ask();
  if (before && !before.decisions.length && page.decisions.length) navigator.vibrate?.(120);
}

const besides = new NextFrame(showBesides, { after: true }); // when all is new, the map is seen first

function showBesides() {
  showOffers();
  showWish();
  showSheet();
  redraw(byId("rolls"), [page.rolls, page.answers], () => rollPanel(page, propose));
  redraw(byId("entries"), page.log, () => [...page.log].reverse().map((one) => html("li", {}, entry(one))));
  dress();
}

/** What makes the page heavy: it comes after what is read. */
function dress() {
  document.body.dataset.seen = "";
  useTypefaces();
}

/** One's own face, as the map has it. It has its place before its picture is there, so that nothing moves under a thumb. */
function showFace() {
  const image = page.map?.tokens.find(({ id }) => id === page.map.mine)?.image;
  const address = image ? addressOf(image.hash) : null;
  byId("face").hidden = !image;
  if (address && byId("face").src !== address) byId("face").src = address;
}

/** The bar for the thumb: one's turn, and how to end it. A turn that begins is felt. */
function showTurn(before) {
  const yours = Boolean(page.scene?.yours) && !page.decisions.length;
  const end = page.answers !== "off" && page.offers.find(({ ends }) => ends);
  byId("bar").hidden = !yours;
  redraw(byId("bar"), end, () => {
    return [html("strong", {}, "Your turn"), end ? button({ class: "end" }, () => propose(end.id), end.what) : null];
  });
  if (before && !before.scene?.yours && page.scene?.yours) navigator.vibrate?.([80, 60, 80]);
}

function turnWords() {
  const { scene } = page;
  if (page.decisions.length) return "Your decision";
  if (!scene) return page.waits ? waiting(page.waits) : "Between scenes";
  const round = scene.round ? ` · round ${scene.round}` : "";
  const next = scene.next.length ? ` · ${scene.active ? "then" : "next"} ${scene.next[0]}` : "";
  if (page.state === "out") return `${scene.name}${round} · you are out`;
  if (page.waits) return waiting(page.waits);
  if (scene.yours) return `Your turn${round}`;
  return (scene.active ? `Now ${scene.active}` : scene.name) + round + next;
}

/** What somebody else decides, and what it may be. */
function waiting({ who, asks, options }) {
  return `${who} decides: ${asks} ${options.join(" · ")}`;
}

function meter({ name, value, max, vital, wounds, text }) {
  const words = text || wounds || "";
  const item = html("li", { class: vital ? `meter vital ${(wounds ?? "").replace(" ", "-")}` : "meter" },
    html("span", { class: "meter-name" }, name), html("span", { class: "meter-value" }, words));
  if (vital && max) {
    const bar = html("progress", { max, value: Math.max(0, value), "aria-label": name });
    item.append(bar);
  }
  return item;
}

// What is asked

function showAsked() {
  const section = byId("asked");
  section.hidden = page.decisions.length === 0;
  redraw(section, [page.decisions, page.answers, throws, sure], () => page.decisions.map(decision));
}

function decision({ id, asks, said, options }) {
  const asking = page.answers === "off" ? html("p", { class: "hint" }, "Tell your game master your choice.") : null;
  const waiting = throws?.decision === id ? facesWanted() : null;
  return html("article", { class: "decision", "data-decision": id },
    html("h2", {}, asks),
    said.length ? html("p", { class: "said" }, said.join(" ")) : null,
    waiting ?? html("div", { class: "options" }, options.map((option) => choice(id, option))),
    asking);
}

function choice(id, { name, label }) {
  const again = sure?.id === id && sure.option === name;
  const made = button({ class: again ? "option sure" : "option", "data-key": `${id} ${name}` }, () => answerOnce(id, name),
    html("strong", {}, title({ name, label })), again ? html("span", {}, "Tap again: it counts at once") : null);
  made.disabled = page.answers === "off";
  return made;
}

/** What an option comes to, as a sentence begins; its name where nothing says that. */
function title({ name, label }) {
  const words = label || name.replaceAll("-", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** An option of an open decision as it is read where the question is gone. */
function answerInWords(id, option) {
  const options = page.decisions.find((one) => one.id === id)?.options ?? [];
  return title(options.find(({ name }) => name === option) ?? { name: option });
}

/** An answer that counts at once is asked about once more, in place. */
function answerOnce(id, option) {
  const again = page.answers === "ask" || (sure?.id === id && sure.option === option);
  sure = again ? null : { id, option };
  return again ? answer(id, option, []) : showAsked();
}

async function answer(id, option, faces) {
  waited = logged();
  const words = answerInWords(id, option);
  const came = await ask("POST", "/answers", { decision: id, option, faces });
  if (came.status === 202 && came.body.dice) {
    throws = { decision: id, option, words, dice: came.body.dice, faces };
    showAsked();
    return;
  }
  throws = null;
  if (after(came) && came.body?.taken) tellDone(words);
}

/** Say what came of what has counted at once. */
function tellDone(text) {
  waited ??= logged();
  dismissed = Math.max(dismissed, page.told?.id ?? 0); // it led to this
  answered = { id: dismissed, text, outcome: "done", why: "" };
  showWish();
}

function facesWanted() {
  const { decision, offer, option, words, dice, faces } = throws;
  const send = (thrown) => (decision ? answer(decision, option, thrown) : propose(offer, thrown));
  return html("div", { class: "faces-wanted" },
    html("p", {}, html("strong", {}, words)),
    html("p", {}, `${dice.for ? `${dice.for}: roll` : "Roll"} ${dice.n === 1 ? "a" : dice.n} d${dice.sides} and tap the result.`),
    dieFaces(dice, (fell) => send([...faces, fell])),
    button({ class: "plain" }, () => {
      throws = null;
      showAsked();
      showWish();
    }, "Choose again"));
}

/** Say what came of something that was sent; what changed by it comes by itself. */
function after(came) {
  if (came.status === 401) return sign("withdrawn");
  if (came.status === 0) trouble("The table can't be reached: try again.");
  else trouble(came.status >= 400 ? (came.body.error?.message ?? "That was not accepted.") : "");
  return came.status < 400 && came.status !== 0;
}

// What they would like

/** Send an act or a roll. Where acts of one's own turn count at once, what came of it is told; else it waits. `faces`
 * are those of one's own dice, throw by throw. */
async function propose(offer, faces = []) {
  const costly = page.plays && !faces.length && sure?.id !== offer && page.offers.find((one) => one.id === offer && (one.ends || one.gives || one.spends));
  const why = costly && [costly.gives, costly.spends && `the last use of ${costly.spends}`].filter(Boolean).join("; ");
  sure = costly ? { id: offer, text: [costly.what, costly.whom].filter(Boolean).join(": "), why } : null;
  if (sure) return showWish();
  waited = logged();
  const came = await ask("POST", "/proposals", { offer, position: page.position, faces });
  throws = null;
  if (!after(came)) return showWish();
  const sent = [...page.offers, ...page.rolls].find((one) => one.id === offer);
  const text = sent ? [sent.what ?? sent.name, sent.whom].filter(Boolean).join(": ") : "";
  if (came.body.dice) throws = { offer, words: text, dice: came.body.dice, faces };
  if (came.body.taken) tellDone(text);
  else showWish();
}

function showWish() {
  const section = byId("wish");
  const { proposal, told } = page;
  const latest = told && told.id > dismissed ? told : answered;
  // What it came to is told once it is over: a question that it leads to stands alone.
  const news = proposal || (page.decisions.length && CAME.has(latest?.outcome)) ? null : latest;
  // From when it began to wait: what it brings may be told before it waits no more.
  if (proposal && proposal.id !== waitsFor) waited = logged();
  waitsFor = proposal?.id ?? null;
  const thrown = throws?.offer ? throws : null;
  if (sure && ![...page.offers, ...page.decisions].some(({ id }) => id === sure.id)) sure = null;
  const act = sure?.option === undefined ? sure : null;
  section.hidden = !thrown && !proposal && !news && !act;
  section.className = `wish ${act ? "sure" : thrown ? "throws" : proposal ? "waits" : (news?.outcome ?? "")}`;
  redraw(section, [act, thrown, proposal, news, news && page.log, page.undo], () => {
    if (act) return surely(act);
    if (thrown) return [facesWanted()];
    if (proposal) return proposed(proposal);
    return news ? ended(news) : [];
  });
}

function proposed({ id, text }) {
  const words = html("p", {}, html("strong", {}, text), html("span", {}, "waits for your game master"));
  return [words, button({ class: "plain" }, async () => after(await ask("DELETE", `/proposals/${id}`)), "Take back")];
}

/** What counts at once and can't be taken back by oneself is asked about once more. */
function surely({ id, text, why }) {
  const never = () => {
    sure = null;
    showWish();
  };
  return [html("p", {}, html("strong", {}, text), html("span", {}, why || "It counts at once.")),
    html("div", { class: "both" }, button({ class: "end" }, () => propose(id), "Do it"), button({ class: "plain" }, never, "Not yet"))];
}

const ENDS = {
  done: "done",
  accepted: "accepted",
  declined: "declined",
  outdated: "too late: the game has moved on",
};

function ended(news) {
  const why = ENDS[news.outcome] + (news.why ? `: ${news.why}` : "");
  const words = html("p", {}, html("strong", {}, news.text), html("span", {}, why));
  const read = () => {
    dismissed = Math.max(dismissed, news.id);
    if (answered === news) answered = null;
    showWish();
  };
  const came = cameOf(news);
  if (CAME.has(news.outcome) && (came.length || !page.waits)) setTimeout(read, READ);
  const ends = [button({ class: "plain" }, read, "OK")];
  if (page.undo && page.answers !== "off") ends.unshift(button({ class: "plain" }, () => propose(page.undo), "Ask to undo"));
  return [words, ...came, html("div", { class: "both" }, ends)];
}

const CAME = new Set(["done", "accepted"]);

function logged() {
  return new Set(page.log.map((entry) => JSON.stringify(entry)));
}

/** What came of what was accepted last: the dice as they lie on the table, and one card of all that happened since. */
function cameOf(news) {
  if (!CAME.has(news.outcome) || !waited) return [];
  const all = page.log.filter((entry) => !waited.has(JSON.stringify(entry)));
  const since = news.outcome === "accepted" ? all.slice(-1) : all.slice(0, 1); // others may have played, too
  return since.map((one) => {
    const dice = thrownDice(one.dice);
    return html("div", { class: "came-of" }, dice.length ? html("div", { class: "own-tray", "aria-hidden": "true" }, ...dice) : null, entry(one));
  });
}

// What they may do

function showOffers() {
  const acts = page.offers.length > 0;
  byId("now-heading").textContent = acts || !page.map ? "Your options" : "Map";
  const may = page.answers !== "off";
  const standing = page.scene?.standing ?? [];
  redraw(byId("standing"), standing, () => pairs(standing));
  const offers = [page.offers, page.answers, page.plays];
  redraw(byId("offers"), [...offers, page.scene, page.waits, page.decisions.length, page.finding], () => {
    const others = page.offers.filter(({ ends }) => !ends); // the bar has that
    const groups = offerGroups(others, may ? propose : null);
    return groups.length ? groups : [html("p", { class: "empty" }, nothingToDo())];
  });
}

function nothingToDo() {
  if (page.decisions.length) return "Answer the question first.";
  if (page.waits) return "You go on after that decision.";
  if (page.finding && page.scene?.yours) return "Finding out …";
  if (!page.scene) return `Nothing is under way.${page.answers === "off" ? "" : " You may propose a roll."}`;
  return page.scene.active && !page.scene.yours ? "It isn't your turn." : "Nothing for you to do now.";
}

// The sheet

function showSheet() {
  redraw(byId("numbers"), page.numbers, () => pairs(page.numbers));
  const statuses = page.statuses.length ? [{ title: "Statuses", items: page.statuses }] : [];
  const parts = [...statuses, ...page.parts];
  redraw(byId("parts"), parts, () => {
    const known = new Map([...document.querySelectorAll("#parts details")].map((one) => [one.dataset.part, one.open]));
    return parts.map((one) => part(one, known.get(one.title) ?? OPEN.has(one.title)));
  });
}

function pairs(numbers) {
  return numbers.flatMap(({ name, value }) => [html("dt", {}, name || "Also"), html("dd", {}, value)]);
}

const OPEN = new Set(["Statuses", "Conditions", "Powers"]);

function part({ title: heading, items }, open) {
  const plain = items.every((item) => !item.text && !item.note);
  const list = html("ul", { class: plain ? "chips" : "holdings" }, items.map(holding));
  return html("details", { "data-part": heading, open: open ? "" : null }, html("summary", {}, heading, html("span", {}, items.length)), list);
}

function holding({ name, text, note, used }) {
  return html("li", { class: used ? "used" : null },
    html("strong", {}, name), note ? html("em", {}, note) : null, text ? html("p", {}, text) : null);
}

// What happened

function entry({ head, lines, ...told }) {
  return card({ play: { head, lines }, ...told }, (id, side) => ground.colourOf(id, side));
}
