// The page's state and its line to the server. What is drawn lives in map.js, turns.js, feed.js and card.js.

import { Card } from "./card.js";
import { die } from "./dice.js";
import { setText } from "./draw.js";
import { Feed } from "./feed.js";
import { Board } from "./map.js";
import { shortNames } from "./names.js";
import { TurnList } from "./turns.js";

const AGAIN = 1500; // milliseconds until we knock again, where the browser gave up
const ASLEEP = 20_000; // a pause this long between two ticks: the machine slept, and the line is dead unnoticed

const element = (id) => document.getElementById(id);
const link = new URLSearchParams(location.search).get("watch");
const table = { title: "", audience: "players", scene: null, tokens: new Map(), order: null };
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
  board.pointOut(id ?? reader.picked);
  showCard();
}

function pick(id) {
  reader.picked = id;
  board.pointOut(id);
  showCard();
}

function showCard() {
  card.show(table.tokens.get(reader.pointsAt) ?? table.tokens.get(reader.picked) ?? null);
}

element("nearer").addEventListener("click", () => board.nearer());
element("farther").addEventListener("click", () => board.farther());
element("whole").addEventListener("click", () => board.whole());
addEventListener("keydown", (event) => event.key === "Escape" && pick(null));

// What each event does to what we know

const EVENTS = {
  snapshot({ title, audience, scene, tokens, order, results }) {
    table.title = title;
    table.audience = audience;
    table.tokens = new Map(tokens.map((token) => [token.id, token]));
    table.order = order;
    setScene(scene);
    feed.reset(results);
    drawCreatures();
  },
  scene(scene) {
    setScene(scene);
    drawHeadings();
  },
  token(token) {
    table.tokens.set(token.id, token);
    drawCreatures();
  },
  "token-removed"({ id }) {
    table.tokens.delete(id);
    drawCreatures();
  },
  order(order) {
    table.order = order;
    drawCreatures();
  },
  result(result) {
    feed.add(result);
  },
  "result-removed"({ id }) {
    feed.remove(id);
  },
};

function setScene(scene) {
  if (JSON.stringify(scene) !== JSON.stringify(table.scene)) board.setScene(scene);
  table.scene = scene;
}

function drawCreatures() {
  const labels = shortNames(table.tokens.values());
  const activeId = whoActs();
  board.setTokens(table.tokens.values(), labels, activeId);
  turns.update(table.tokens, table.order, labels, activeId);
  showCard();
  drawHeadings();
}

function drawHeadings() {
  const { scene, order, tokens } = table;
  const title = table.title || "The table";
  const round = order?.round ? `Round ${order.round}` : "";
  const acting = tokens.get(whoActs())?.name;
  document.body.dataset.scene = scene?.id ?? "";
  document.body.dataset.audience = table.audience;
  document.title = [scene?.name, round, acting].filter(Boolean).join(" · ") || title;
  setText(element("place"), scene?.name ?? "");
  setText(element("goal"), scene?.goal ?? "");
  setText(element("calm-title"), title);
  setText(element("now"), [round, acting && `${acting}’s turn`].filter(Boolean).join(" · "));
  element("tools").hidden = scene === null;
  element("calm").hidden = scene !== null;
  element("turns-panel").hidden = tokens.size === 0;
}

/** The order has the last word; without one, a token may say so itself. */
function whoActs() {
  if (table.order) return table.order.active;
  return [...table.tokens.values()].find((token) => token.active)?.id ?? null;
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
