// The page's state, and what each event does to it. The line to the server is in line.js; what is drawn lives in
// map.js, stage.js, between.js, turns.js, asked.js, feed.js, thrown.js and card.js.

import { Acts } from "./acts.js";
import { AskedList } from "./asked.js";
import { Exhibits } from "./exhibits.js";
import { Between } from "./between.js";
import { Card } from "./card.js";
import { die } from "./dice.js";
import { NextFrame, html, setText } from "./draw.js";
import { Feed } from "./feed.js";
import { MapHand } from "./map-hand.js";
import { Line } from "./line.js";
import { Moment } from "./moment.js";
import { Board } from "./map.js";
import { shortNames } from "./names.js";
import { stateInWords } from "./pulse.js";
import { SceneChoice } from "./scenes.js";
import { Screen } from "./screen.js";
import { Sides } from "./sides.js";
import { Signs } from "./signs.js";
import { Sounds } from "./sounds.js";
import { Stage } from "./stage.js";
import { Tray } from "./thrown.js";
import { TurnList } from "./turns.js";
import { useTypefaces } from "./typefaces.js";

const element = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const link = query.get("watch");
const television = query.get("screen") === "1" && matchMedia("(min-width: 900px) and (min-height: 500px)").matches;
const table = {
  title: "", audience: "players", scene: null, tokens: new Map(), order: null, beside: [], asked: [], exhibits: [],
  evening: null,
};
// The scene that is looked at: the one above, or one beside it.
let look = { scene: null, tokens: table.tokens, order: null };
let sides = new Sides(null, []);
// Whom the reader points at or has picked: the card shows the one, else the other.
const reader = { pointsAt: null, picked: null };

const pictureAt = (hash) => address(`/api/v1/images/${hash}`);
const card = new Card(element("creature"), { pictureAt });
const feed = new Feed(element("feed"), {
  empty: element("feed-empty"),
  newer: element("newer"),
  whole: television,
  colourOf: (id, side) => sides.colour(look.tokens.get(id)?.side ?? (side || sideOfParty(id))),
});
const FAR_OFF = { legible: 24, close: 40 }; // pixels a square, of which a television has larger ones
const IN_HAND = { legible: 28, close: 40 };
const acts = new Acts(element("acts"), {
  address, answers: () => asked.answers, otherScene: () => choice.next(), change: (by) => hand.change(by), sceneItems: () => hand.sceneItems,
});
const hand = new MapHand(element("hand"), acts);
const board = new Board(element("map"), {
  pictureAt,
  near: television ? FAR_OFF : matchMedia("(pointer: coarse)").matches ? IN_HAND : undefined,
  tileAt: (id, size) => address(`/api/v1/tiles/${id}/${size}`),
  onPick(id, square) {
    const other = id === reader.picked ? null : id;
    hand.pick(other, square);
    if (!hand.open || other !== null) pick(other);
  },
  hand: hand.hand,
  squares: hand.squares,
  brush: {
    on: () => element("brush").getAttribute("aria-pressed") === "true",
    over: (from, to) => hand.brush(from, to),
    done(from, to) {
      element("brush").setAttribute("aria-pressed", "false");
      hand.brush(from, to);
    },
  },
  onPoint: point,
  onPing: (place) => fetch(address("/api/v1/ping"), { method: "POST", body: JSON.stringify(place) }).catch(() => {}),
  onMode: showFollowing,
  onWalls: (on) => element("walls").setAttribute("aria-pressed", String(on)),
  onMeasure(words) {
    element("measured").hidden = !words;
    setText(element("measured"), words);
    element("ruler").setAttribute("aria-pressed", String(Boolean(words)));
  },
});
hand.on(board);
const stage = new Stage(element("stage"), { pictureAt, whole: television });
const between = new Between(element("between"), { pictureAt });
const tray = new Tray(element("tray"));
const signs = new Signs(element("signs"));
const sounds = new Sounds(element("sounds"));
new Screen({
  theme: element("theme"),
  full: element("full"),
  television,
  overlay: ["order", "result", "map"].find((one) => one === query.get("overlay")),
});
const asked = new AskedList(element("asked-panel"), element("asked"), (answer) => acts.open && (() => acts.play(`choose ${answer}`)));
const exhibits = new Exhibits(element("exhibits"), { pictureAt, opens: () => !acts.open });
const choice = new SceneChoice(element("scenes"), () => {
  pick(null);
  draw();
});
const turns = new TurnList(element("turns"), {
  pictureAt,
  most: television ? 6 : Infinity,
  more: element("turns-more"),
  onPoint: point,
  onPick(id) {
    pick(id);
    hand.pick(id);
    board.lookAt(id);
  },
});

/** A person in no scene has the party's side, where they are of it. */
function sideOfParty(id) {
  return table.evening?.party.some((one) => one.id === id) ? "party" : id;
}

function point(id) {
  reader.pointsAt = id;
  pointOut();
}

function pick(id) {
  reader.picked = id;
  pointOut();
  showReach();
}

const SETTLED = 120; // milliseconds after the last of what comes together
let settling = 0;

/** What the rules know is asked again, once all has come that comes together. */
function askAgain() {
  clearTimeout(settling);
  settling = setTimeout(() => {
    if (reader.picked !== null) showReach();
    hand.refresh().then(drawBetween);
    if (look.scene?.fog && look.scene === table.scene) showSight(look.scene.id);
  }, SETTLED);
}

/** What the party sees now of a map with fog. */
async function showSight(id) {
  const found = await asking("/api/v1/sight");
  if (look.scene?.id === id) board.showSight(found?.squares ?? null);
}

/** The reach of the picked creature, where it may be known. */
async function showReach() {
  const { scene, tokens } = look;
  const id = reader.picked;
  const knows = id !== null && !isBare(scene) && scene === table.scene && tokens.has(id);
  const known = knows ? await asking(`/api/v1/ranges/${encodeURIComponent(id)}`) : null;
  if (id !== reader.picked) return; // somebody else has been touched meanwhile
  board.showReach(known, id);
  card.reach(known);
}

/** What is answered, or null where there is nothing to tell. */
async function asking(path) {
  try {
    const answer = await fetch(address(path));
    return answer.status === 200 ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Without a map there is no card: the stage has it all. */
function pointOut() {
  const { scene, tokens } = look;
  const id = [reader.pointsAt, reader.picked].find((one) => tokens.has(one)) ?? null;
  board.pointOut(id);
  stage.pointOut(id);
  card.show(id !== null && (isBare(scene) || (hand.open && id === reader.picked)) ? null : (tokens.get(id) ?? null), sides);
}

function isBare(scene) {
  return scene !== null && scene.rows.length === 0;
}

function showFollowing(mode) {
  const button = element("follow");
  button.setAttribute("aria-pressed", String(mode === "home"));
  button.dataset.mode = mode;
  const words = { home: "Following what happens", free: "Follow again now", whole: "Follow what happens", still: "Follow what happens" };
  button.setAttribute("aria-label", words[mode]);
  button.title = words[mode];
}

element("follow").addEventListener("click", () => board.toggleFollowing());
element("ruler").addEventListener("click", () => board.toggleRuler(reader.picked));
element("brush").addEventListener("click", ({ currentTarget: tool }) => {
  tool.setAttribute("aria-pressed", String(tool.getAttribute("aria-pressed") !== "true"));
});
element("walls").addEventListener("click", () => board.toggleWalls());
element("nearer").addEventListener("click", () => board.nearer());
element("farther").addEventListener("click", () => board.farther());
element("whole").addEventListener("click", () => board.whole());
addEventListener("keydown", (event) => event.key === "Escape" && (hand.pick(null), pick(null)));

// What each event does to what we know

const EVENTS = {
  snapshot({ title, audience, scene, tokens, order, beside, asked: open, exhibits: lying, evening, results }) {
    Object.assign(table, { title, audience, scene, order, beside, asked: open, exhibits: lying, evening });
    if (audience === "gm" && !television && !acts.open) acts.begin().then(began);
    table.tokens = byId(tokens);
    drawMap();
    besides.ask();
    feed.reset(results);
  },
  scene(scene) {
    table.scene = scene;
    draw();
  },
  token(token) {
    table.tokens.set(token.id, token);
    draw();
  },
  "token-removed"({ id }) {
    table.tokens.delete(id);
    draw();
  },
  order(order) {
    table.order = order;
    draw();
  },
  beside({ scenes }) {
    table.beside = scenes;
    draw();
  },
  asked({ asked: open }) {
    table.asked = open;
    draw();
  },
  exhibits({ exhibits: lying }) {
    table.exhibits = lying;
    draw();
  },
  evening(evening) {
    table.evening = evening;
    draw();
  },
  result(result) {
    const known = feed.has(result.id);
    feed.add(result);
    drawBetween();
    if (!known && !result.undone) happen(result);
    thrown = null;
  },
  "result-removed"({ id }) {
    feed.remove(id);
    drawBetween();
  },
  ping(place) {
    drawn.now();
    board.ping(place);
  },
  sign(shown) {
    signs.show(shown);
  },
};

/** The page acts now. */
function began() {
  asked.again(table.asked);
  if (!acts.open) return;
  element("brush").hidden = false;
  board.beginCursor(reader.picked);
  askAgain();
}

let thrown = null; // the result whose dice lie already

/** Throw a result's dice; in so many milliseconds they lie. */
function roll(result) {
  const critical = isCritical(result);
  thrown = result.id;
  const lands = stage.roll(result) ?? tray.show(result.dice, critical);
  sounds.dice(result.dice.reduce((sum, { faces }) => sum + faces.length, 0));
  if (critical) setTimeout(() => sounds.bell(), lands);
  return lands;
}

function isCritical({ play }) {
  return (play?.lines ?? []).some(({ event }) => event === "critical");
}

/** What a new result brought, where it happened. */
function happen(result) {
  const effects = result.play?.effects ?? [];
  drawn.now(); // who has gone stands where they went
  besides.now();
  if (thrown !== result.id) roll(result);
  board.play(effects, whoActs());
  stage.play(result);
}

function drawBetween() {
  if (look.scene === null) between.show(table.evening, feed.outcome, hand.prepared, (line) => acts.play(line));
}

function byId(tokens) {
  return new Map(tokens.map((token) => [token.id, token]));
}

/** Where no map has put somebody's picture, their sheet has one. */
function withFaces(tokens) {
  const faces = new Map((table.evening?.party ?? []).map(({ id, image }) => [id, image]));
  return new Map([...tokens].map(([id, token]) => [id, { ...token, image: token.image ?? faces.get(id) ?? null }]));
}

let seen = ""; // the version that came last
let seenScene = null;
let drawnScene = "null";
// However much comes at once is drawn once, in the next frame; where no frames are drawn, soon.
const drawn = new NextFrame(() => {
  drawMap();
  drawBesides();
});
const besides = new NextFrame(drawBesides, { after: true }); // when all is new, the map is seen first
let shown = {}; // how people are called and coloured, and who acts

function draw() {
  drawn.ask();
}

function drawMap() {
  const { scene: first, tokens: creatures, order: turn, beside } = table;
  const others = beside.map((aside) => ({ ...aside, tokens: byId(aside.tokens) }));
  const chosen = choice.of([{ scene: first, tokens: creatures, order: turn }, ...others]);
  look = { ...chosen, tokens: withFaces(chosen.tokens) };
  const { scene, tokens, order } = look;
  const isOther = (scene?.id ?? "") !== document.body.dataset.scene;
  if (isOther) reader.picked = null;
  sides = new Sides(scene, tokens.values());
  drawHeadings(); // they have the map's frame its size
  const before = drawnScene;
  if (scene !== seenScene) drawnScene = JSON.stringify(scene);
  seenScene = scene;
  if (drawnScene !== before) {
    board.setScene(scene);
    element("walls").hidden = !element("map").classList.contains("pictured");
    if (acts.open && isOther) board.beginCursor(null);
  }
  shown = { labels: shortNames(tokens.values()), sides, activeId: whoActs(), order };
  board.setTokens(isBare(scene) ? [] : tokens.values(), shown);
}

function drawBesides() {
  const { scene, tokens, order } = look;
  stage.show(scene, tokens, shown);
  turns.update(tokens, order, shown);
  asked.update(table.asked);
  acts.people(tokens);
  exhibits.update(table.exhibits);
  acts.exhibits(table.exhibits);
  hand.look(look);
  pointOut();
  askAgain();
  drawHeadings();
  drawBetween();
  stage.fit();
  turns.reveal();
  document.body.dataset.seen = seen;
  useTypefaces();
}

const HEADINGS = { pool: "Ready to act" };

function drawHeadings() {
  const { scene, order, tokens } = look;
  const title = table.title || "The table";
  const bare = isBare(scene);
  const round = order?.round || scene?.round ? `Round ${order?.round || scene.round}` : "";
  const acting = nameOf(whoActs());
  document.body.dataset.scene = scene?.id ?? "";
  document.body.dataset.ground = bare ? "bare" : "";
  document.body.dataset.audience = table.audience;
  document.title = [scene?.name, round, acting].filter(Boolean).join(" · ") || title;
  setText(element("place"), scene?.name ?? "");
  element("place").hidden = scene === null;
  setText(element("goal"), scene?.goal ?? "");
  setText(element("calm-title"), exhibits.scene || title);
  element("calm-note").hidden = exhibits.scene !== "";
  const turn = acting && (order?.kind === "sides" && acting.endsWith("s") ? `${acting}’ turn` : `${acting}’s turn`);
  setText(element("now"), scene?.over ? "Over" : [round, turn].filter(Boolean).join(" · "));
  drawNext(scene?.over ? [] : order);
  const ordered = order !== null && order.entries.length > 0;
  setText(element("turns-heading"), ordered ? (HEADINGS[order.kind] ?? "Turn order") : "In the scene");
  element("ground").hidden = bare;
  element("tools").hidden = scene === null;
  element("calm").hidden = scene !== null;
  element("turns-panel").hidden = tokens.size === 0 || (bare && order === null);
  // Said here, since a style sheet that looks for it (:has) has all of the page styled anew.
  document.body.toggleAttribute("data-turns", !element("turns-panel").hidden);
  document.body.toggleAttribute("data-asking", !element("asked-panel").hidden);
}

/** The two who come next, where anybody knows. */
function drawNext(order) {
  const coming = order?.kind === "list" ? order.next.filter((id) => look.tokens.has(id)).slice(0, 2) : [];
  const drawn = JSON.stringify([coming.map((id) => [id, nameOf(id)]), whoActs()]);
  const line = element("next");
  if (line.dataset.drawn === drawn) return;
  line.dataset.drawn = drawn;
  line.hidden = coming.length === 0;
  const named = (id) => html("span", { class: `named-one ${sides.colour(look.tokens.get(id).side)}` }, nameOf(id));
  line.replaceChildren(whoActs() ? "then " : "next ", ...coming.flatMap((id, at) => (at === 0 ? [named(id)] : [", ", named(id)])));
}

function nameOf(id) {
  if (look.order?.kind === "sides" && id) return sides.name(id);
  return look.tokens.get(id)?.name ?? "";
}

/** The order has the last word; without one, a token may say so itself. */
function whoActs() {
  if (look.order) return look.order.active;
  return [...look.tokens.values()].find((token) => token.active)?.id ?? null;
}

// The line

/** An address of ours, with what our link carries. */
function address(path, query = {}) {
  const asked = new URLSearchParams(link === null ? query : { ...query, watch: link });
  return asked.size > 0 ? `${path}?${asked}` : path;
}

/** How the line stands; `heard` is when something came over it last. */
function showConnection(state, heard = null) {
  document.body.dataset.connection = state === "live" ? "live" : "lost";
  setText(element("sign"), stateInWords(state, heard));
  if (state !== "refused") return;
  document.body.dataset.seen = seen;
  useTypefaces();
  setText(element("calm-note"), "Watching from here needs this table’s link. Ask your game master for it.");
  drawHeadings();
  if (link === null) forPlayers();
}

/** Where players have pages of their own, who comes without a link gets to where a code is typed. */
async function forPlayers() {
  const answer = await fetch("/api/v1/own", { method: "HEAD" }).catch(() => null);
  if (answer?.status === 401) location.replace("/play");
}

/** Between scenes a television shows where players' phones come in, where they may. */
async function showJoin() {
  const answer = await fetch(address("/join.svg")).catch(() => null);
  if (!answer?.ok) return;
  const [picture, words] = element("join").children;
  picture.src = address("/join.svg");
  words.textContent = answer.headers.get("X-Join");
  element("join").hidden = false;
}

if (television) showJoin();
element("calm-dice").append(die(6, 5, true), die(6, 2, false));
const moment = new Moment({ events: EVENTS, roll, isNew: ({ id }) => !feed.has(id) });
new Line({
  address,
  events: moment.events,
  onState: showConnection,
  onSeen(version) {
    seen = version;
    if (!drawn.waits && !besides.waits) document.body.dataset.seen = seen;
  },
}).begin();
