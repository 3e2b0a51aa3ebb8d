// The page's state and its line to the server. What is drawn lives in map.js, stage.js, turns.js,
// asked.js, feed.js and card.js.

import { AskedList } from "./asked.js";
import { Exhibits } from "./exhibits.js";
import { Card } from "./card.js";
import { die } from "./dice.js";
import { setText } from "./draw.js";
import { Feed } from "./feed.js";
import { Board } from "./map.js";
import { shortNames } from "./names.js";
import { SceneChoice } from "./scenes.js";
import { Sides } from "./sides.js";
import { Stage } from "./stage.js";
import { TurnList } from "./turns.js";

const AGAIN = 1500; // milliseconds until we knock again, where the browser gave up
const ASLEEP = 20_000; // a pause this long between two ticks: the machine slept, and the line is dead unnoticed

const element = (id) => document.getElementById(id);
const link = new URLSearchParams(location.search).get("watch");
const table = {
  title: "", audience: "players", scene: null, tokens: new Map(), order: null, beside: [], asked: [], exhibits: [],
};
// The scene that is looked at: the one above, or one beside it.
let look = { scene: null, tokens: table.tokens, order: null };
let sides = new Sides(null, []);
// Whom the reader points at or has picked: the card shows the one, else the other.
const reader = { pointsAt: null, picked: null };

const pictureAt = (hash) => address(`/api/v1/images/${hash}`);
const card = new Card(element("creature"), { pictureAt });
const feed = new Feed(element("feed"), element("feed-empty"));
const board = new Board(element("map"), {
  pictureAt,
  onPick: (id) => pick(id === reader.picked ? null : id),
  onPoint: point,
});
const stage = new Stage(element("stage"), { pictureAt });
const asked = new AskedList(element("asked-panel"), element("asked"));
const exhibits = new Exhibits(element("exhibits"), { pictureAt });
const choice = new SceneChoice(element("scenes"), () => {
  pick(null);
  draw();
});
const turns = new TurnList(element("turns"), {
  pictureAt,
  onPoint: point,
  onPick(id) {
    pick(id);
    board.lookAt(id);
  },
});

function point(id) {
  reader.pointsAt = id;
  pointOut();
}

function pick(id) {
  reader.picked = id;
  pointOut();
}

/** Without a map there is no card: the stage has it all. */
function pointOut() {
  const { scene, tokens } = look;
  const id = [reader.pointsAt, reader.picked].find((one) => tokens.has(one)) ?? null;
  board.pointOut(id);
  stage.pointOut(id);
  card.show(id !== null && isBare(scene) ? null : (tokens.get(id) ?? null), sides);
}

function isBare(scene) {
  return scene !== null && scene.rows.length === 0;
}

element("nearer").addEventListener("click", () => board.nearer());
element("farther").addEventListener("click", () => board.farther());
element("whole").addEventListener("click", () => board.whole());
addEventListener("keydown", (event) => event.key === "Escape" && pick(null));

// What each event does to what we know

const EVENTS = {
  snapshot({ title, audience, scene, tokens, order, beside, asked: open, exhibits: lying, results }) {
    Object.assign(table, { title, audience, scene, order, beside, asked: open, exhibits: lying });
    table.tokens = byId(tokens);
    feed.reset(results);
    draw();
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
  result(result) {
    feed.add(result);
  },
  "result-removed"({ id }) {
    feed.remove(id);
  },
};

function byId(tokens) {
  return new Map(tokens.map((token) => [token.id, token]));
}

let drawnScene = "";

function draw() {
  const { scene: first, tokens: creatures, order: turn, beside } = table;
  const others = beside.map((aside) => ({ ...aside, tokens: byId(aside.tokens) }));
  look = choice.of([{ scene: first, tokens: creatures, order: turn }, ...others]);
  const { scene, tokens, order } = look;
  sides = new Sides(scene, tokens.values());
  const drawn = JSON.stringify(scene);
  if (drawn !== drawnScene) board.setScene(scene);
  drawnScene = drawn;
  const shown = { labels: shortNames(tokens.values()), sides, activeId: whoActs() };
  board.setTokens(isBare(scene) ? [] : tokens.values(), shown);
  stage.show(scene, tokens, shown);
  turns.update(tokens, order, shown);
  asked.update(table.asked);
  exhibits.update(table.exhibits);
  pointOut();
  drawHeadings();
}

const HEADINGS = { pool: "Who may act" };

function drawHeadings() {
  const { scene, order, tokens } = look;
  const title = table.title || "The table";
  const bare = isBare(scene);
  const round = order?.round || scene?.round ? `Round ${order?.round || scene.round}` : "";
  const acting = nameOf(whoActs());
  const next = order?.kind === "list" ? nameOf(order.next[0]) : "";
  document.body.dataset.scene = scene?.id ?? "";
  document.body.dataset.ground = bare ? "bare" : "";
  document.body.dataset.audience = table.audience;
  document.title = [scene?.name, round, acting].filter(Boolean).join(" · ") || title;
  setText(element("place"), scene?.name ?? "");
  setText(element("goal"), scene?.goal ?? "");
  setText(element("calm-title"), exhibits.scene || title);
  element("calm-note").hidden = exhibits.scene !== "";
  const turn = acting && (order?.kind === "sides" && acting.endsWith("s") ? `${acting}’ turn` : `${acting}’s turn`);
  setText(element("now"), scene?.over ? "Over" : [round, turn, next && `then ${next}`].filter(Boolean).join(" · "));
  setText(element("turns-heading"), HEADINGS[order?.kind] ?? "Turn order");
  element("ground").hidden = bare;
  element("tools").hidden = scene === null;
  element("calm").hidden = scene !== null;
  element("turns-panel").hidden = tokens.size === 0 || (bare && order === null);
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

let line = null;
let seen = "";
let knock = null;

/** An address of ours, with what our link carries. */
function address(path, query = {}) {
  const asked = new URLSearchParams(link === null ? query : { ...query, watch: link });
  return asked.size > 0 ? `${path}?${asked}` : path;
}

/** (Re)connect. The server sends what we missed since the version we saw, or a snapshot. */
function connect() {
  clearTimeout(knock);
  line?.close();
  line = new EventSource(address("/events", seen ? { after: seen } : {}));
  line.onopen = () => show("live", "Live");
  line.onerror = onError;
  for (const [kind, change] of Object.entries(EVENTS)) {
    line.addEventListener(kind, (event) => {
      change(JSON.parse(event.data));
      seen = event.lastEventId;
    });
  }
}

async function onError() {
  show("lost", "Reconnecting");
  if (line.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
  clearTimeout(knock);
  knock = setTimeout(connect, AGAIN);
  const answer = await fetch(address("/api/v1/state"), { method: "HEAD" }).catch(() => null);
  if (answer?.status === 401) {
    clearTimeout(knock);
    show("lost", "Not connected");
    setText(element("calm-note"), "Watching from here needs this table’s link. Ask your game master for it.");
    drawHeadings();
  }
}

function show(connection, words) {
  document.body.dataset.connection = connection;
  setText(element("sign"), words);
}

let lastTick = Date.now();
setInterval(() => {
  const now = Date.now();
  if (now - lastTick > ASLEEP) connect();
  lastTick = now;
}, 5000);
addEventListener("online", connect);
addEventListener("pageshow", (event) => event.persisted && connect());
addEventListener("pagehide", () => line.close());

element("calm-dice").append(die(6, 5, true), die(6, 2, false));
connect();
