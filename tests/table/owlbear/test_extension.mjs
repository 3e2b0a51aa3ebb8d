// The extension for Owlbear Rodeo in a stand-in for its host. `node --test`, in a folder with the page's files.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inShort } from "./items.js";
import { Keeper } from "./keeper.js";
import { Room } from "./room.js";
import { RoomAtOwlbear } from "./room_at_owlbear.mjs";
import { Told } from "./told.js";

const PLACE = "strike.table/place";

function token(id, x, y, more = {}) {
  return {
    id, name: id[0].toUpperCase() + id.slice(1), side: "party", position: { x, y }, size: 1, hp: { value: 7, max: 10 },
    hp_shown: "exact", wounds: null, gm_hp: null, meters: [], statuses: [], hidden: false, state: "up", ...more,
  };
}

const SCENE = {
  id: "ford", name: "The ford", rows: ["....", "...."], round: null, over: false, walls: [], one_way_walls: [], doors: [], zones: [],
};
const ORDER = {
  kind: "list", round: 2, active: "vex", next: ["goblin"],
  entries: [{ id: "vex" }, { id: "goblin" }],
};
const TOKENS = [token("vex", 1, 1), token("goblin", 3, 0, { side: "enemies", statuses: ["Dazed"] })];

/** A room with the extension in it, told of a fight, and shown it from column 2, row 1 on. */
async function begun({ place = { column: 2, row: 1 }, tokens = TOKENS, results = [], prepare = () => {} } = {}) {
  const there = new RoomAtOwlbear();
  if (place) there.metadata[PLACE] = place;
  prepare(there);
  let number = 0;
  const wait = () => new Promise((go) => setImmediate(go));
  const happened = [];
  const told = new Told({ happened: (result) => happened.push(keeper.say(result)) });
  const keeper = new Keeper(new Room(there.frame), told, { fresh: () => `made-${++number}`, wait });
  const events = told.events();
  events.snapshot({ scene: SCENE, tokens, order: ORDER, results });
  there.open();
  await keeper.begin();
  const tell = async (kind, data) => {
    events[kind](structuredClone(data));
    await keeper.changed();
    await Promise.all(happened);
  };
  return { there, keeper, tell };
}

const at = (item) => [item.position.x, item.position.y];

test("a fight becomes tokens in the middle of their squares, with names, numbers and statuses", async () => {
  const { there } = await begun();
  const [vex, goblin] = [there.ours("token:vex"), there.ours("token:goblin")];
  assert.deepEqual([at(vex), at(goblin)], [[3.5 * 150, 2.5 * 150], [5.5 * 150, 1.5 * 150]]);
  assert.deepEqual([vex.name, vex.layer, vex.visible], ["Vex", "CHARACTER", true]);
  assert.equal(there.ours("label:goblin").text.plainText, "Goblin\n7/10 · Dazed");
  assert.equal(there.ours("label:goblin").attachedTo, goblin.id);
  assert.equal(there.ours("turn").attachedTo, vex.id);
  assert.deepEqual(at(there.ours("turn")), at(vex));
  assert.equal(there.ours("heading").text.plainText, "The ford · Round 2 · Vex, then Goblin");
});

for (const attachmentsGoAlong of [true, false]) {
  test(`what hangs on a token is where it is, whether Owlbear takes it along (${attachmentsGoAlong}) or not`, async () => {
    const { there, tell } = await begun({ prepare: (room) => Object.assign(room, { attachmentsGoAlong }) });
    await tell("token", token("vex", 0, 0));
    const [vex, label] = [there.ours("token:vex"), there.ours("label:vex")];
    assert.deepEqual(at(vex), [375, 225]);
    assert.deepEqual(at(label), [375, 225 + 54]);
    assert.deepEqual(at(there.ours("turn")), [375, 225]);
  });
}

test("turns go on, who is out is marked, who is gone is taken away", async () => {
  const { there, tell } = await begun();
  await tell("order", { ...ORDER, round: 3, active: "goblin", next: ["vex"] });
  assert.equal(there.ours("turn").attachedTo, there.ours("token:goblin").id);
  assert.deepEqual(at(there.ours("turn")), at(there.ours("token:goblin")));
  await tell("token", token("goblin", 3, 0, { state: "out", hp: { value: 0, max: 10 } }));
  assert.match(there.ours("label:goblin").text.plainText, /^✕ Goblin/);
  assert.ok(there.ours("token:goblin").style.fillOpacity < 0.5);
  await tell("token-removed", { id: "goblin" });
  assert.equal(there.ours("token:goblin") ?? there.ours("label:goblin"), undefined);
  await tell("scene", null);
  assert.deepEqual(there.items, []);
});

test("nothing is in the scene without a place for it, nor once it is taken away", async () => {
  const { there, keeper } = await begun({ place: null });
  const theirs = there.place("Boat", { x: 1, y: 1 });
  assert.deepEqual(there.items, [theirs]);
  there.metadata[PLACE] = { column: 0, row: 0 };
  await keeper.changed();
  assert.equal(there.items.length, 7);
  there.metadata[PLACE] = null;
  await keeper.changed();
  assert.deepEqual(there.items, [theirs]);
});

test("hidden creatures, secret results and numbers of the game master's never come, whatever a page is told", async () => {
  const lurker = token("lurker", 2, 0, { hidden: true, name: "Reed Lurker" });
  const ogre = token("ogre", 2, 1, { hp: { value: 2, max: 4 }, hp_shown: "bar", gm_hp: { value: 17, max: 31 } });
  const { there, tell } = await begun({ tokens: [...TOKENS, lurker, ogre] });
  await tell("result", { id: "3-gm", title: "Ambush", text: "The lurker waits", secret: true, undone: false });
  const everything = JSON.stringify(there.items.map(({ name, text, metadata }) => [name, text, metadata]));
  assert.doesNotMatch(everything, /lurker|Ambush|17|31/i);
  assert.deepEqual(there.notifications, []);
  assert.equal(there.ours("label:ogre").text.plainText, "Ogre\n▮▮▯▯");
});

test("what is dragged or recoloured there stays until something new is told of it", async () => {
  const { there, keeper, tell } = await begun();
  const vex = there.ours("token:vex");
  there.drag(vex, { x: 10, y: 20 });
  vex.style = { ...vex.style, fillColor: "pink" };
  await tell("token", token("goblin", 3, 1));
  assert.deepEqual(at(vex), [10, 20]);
  assert.deepEqual(at(there.ours("label:vex")), [10, 74]);
  await tell("token", token("vex", 1, 0));
  assert.deepEqual([at(vex), vex.style.fillColor], [[525, 225], "pink"]);
  await keeper.anew();
  assert.notEqual(vex.style.fillColor, "pink");
});

test("a token that was deleted there is made again with its label", async () => {
  const { there, tell } = await begun();
  there.OBR_SCENE_ITEMS_DELETE_ITEMS({ ids: [there.ours("token:vex").id] });
  assert.equal(there.ours("label:vex"), undefined);
  await tell("order", { ...ORDER, round: 3 });
  assert.equal(there.ours("label:vex").attachedTo, there.ours("token:vex").id);
});

test("a picture of the game master's with the name of somebody is moved, and never changed or deleted", async () => {
  const { there, tell } = await begun({ prepare: (room) => room.place(" vex ", { x: 5, y: 5 }, { image: { url: "a.png" } }) });
  const own = there.ours("token:vex");
  assert.deepEqual([own.type, at(own), own.name, own.image], ["IMAGE", [525, 375], " vex ", { url: "a.png" }]);
  assert.equal(there.ours("label:vex").attachedTo, own.id);
  await tell("token", token("vex", 0, 0));
  assert.deepEqual(at(own), [375, 225]);
  own.name = "Somebody else"; // it is known by then
  await tell("token", token("vex", 1, 0));
  assert.deepEqual(at(own), [525, 225]);
  await tell("scene", null);
  assert.deepEqual(there.items, [own]);
});

test("a picture that comes later takes the place of the disc; two of one name take none", async () => {
  const { there, tell } = await begun();
  there.place("Goblin", { x: 5, y: 5 });
  there.place("Goblin", { x: 9, y: 9 });
  await tell("order", { ...ORDER, round: 3 });
  assert.equal(there.ours("token:goblin").type, "SHAPE");
  const own = there.place("Vex", { x: 5, y: 5 });
  await tell("order", { ...ORDER, round: 4 });
  assert.deepEqual(there.items.filter(({ metadata }) => metadata["strike.table/item"]?.is === "token:vex"), [own]);
  assert.deepEqual([at(own), there.ours("label:vex").attachedTo], [[525, 375], own.id]);
});

test("a new result is said once, one that is taken back once more, those before the page opened never", async () => {
  const old = { id: "1", title: "Round 1", text: "", secret: false, undone: false };
  const hit = { id: "2", title: "Vex attacks Goblin", text: "Hit for 4.", secret: false, undone: false };
  const { there, tell } = await begun({ results: [old] });
  await tell("result", old);
  await tell("result", hit);
  await tell("result", hit);
  assert.deepEqual(there.notifications, ["Vex attacks Goblin: Hit for 4."]);
  assert.equal(inShort({ title: "Vex hits.", text: "Vex hits.\nGoblin is hurt." }), "Vex hits. Goblin is hurt.");
  assert.match(there.ours("heading").text.plainText, /\nVex attacks Goblin: Hit for 4\.$/);
  await tell("result", { ...hit, undone: true });
  assert.equal(there.notifications[1], "Undone: Vex attacks Goblin: Hit for 4.");
  assert.match(there.ours("heading").text.plainText, /\nRound 1$/);
});

test("zones are drawn, and the map where the scene has none of its own", async () => {
  const fire = { id: "fire", name: "Fire", kind: "hazard", squares: [{ x: 1, y: 0 }], hidden: false };
  const scene = {
    ...SCENE, rows: ["##. ", ".~+."], zones: [fire, { ...fire, id: "trap", name: "Trap", hidden: true }],
    walls: [[{ x: 2, y: 0 }, { x: 2, y: 2 }]],
    one_way_walls: [[{ x: 1, y: 1 }, { x: 2, y: 1 }]],
    doors: [{ at: { x: 3, y: 1 }, to: { x: 3, y: 2 }, open: false, hidden: false }, { at: { x: 0, y: 0 }, to: { x: 0, y: 1 }, open: false, hidden: true }],
  };
  const { there, keeper, tell } = await begun();
  await tell("scene", scene);
  const drawn = () => there.items.filter(({ type }) => type === "PATH").map(({ name }) => name).sort();
  assert.deepEqual(drawn(), ["Fire"]);
  const { position, commands } = there.ours("zone:fire");
  assert.deepEqual([position, commands[0], commands[2]], [{ x: 300, y: 150 }, [0, 150, 0], [1, 300, 150]]);
  there.metadata[PLACE] = { column: 2, row: 1, map: true };
  await keeper.changed();
  assert.deepEqual(drawn(), ["Closed doors", "Fire", "Floor", "One-way walls", "Walls", "closed doors", "rough ground", "walls"]);
  assert.ok(there.ours("floor").zIndex < there.ours("ground:walls").zIndex, "what lies on the floor is above it");
  assert.equal(there.ours("ground:walls").commands.length, 5, "squares beside each other are one box");
  const [, , , tip] = there.ours("walls:one-way").commands;
  assert.deepEqual(tip, [1, 225, 114], "the arrow points to the left of the line's direction");
  assert.equal(there.ours("doors:closed").commands.length, 2, "a hidden door is not drawn");
  await tell("scene", { ...scene, zones: [], doors: [{ ...scene.doors[0], open: true }] });
  assert.deepEqual(drawn(), ["Floor", "One-way walls", "Open doors", "Walls", "closed doors", "rough ground", "walls"]);
  await tell("scene", null);
  assert.deepEqual(drawn(), []);
});

test("two browsers that set the scene at once leave nothing there twice", async () => {
  const { there, keeper, tell } = await begun();
  const copies = there.items.map((item, at) => ({ ...structuredClone(item), id: `other-${at}` }));
  there.items.push(...copies);
  await keeper.anew();
  await tell("token", token("vex", 0, 0));
  const kinds = there.items.map(({ metadata }) => metadata["strike.table/item"].is).sort();
  assert.deepEqual(kinds, ["heading", "label:goblin", "label:vex", "token:goblin", "token:vex", "turn"]);
  assert.ok(there.items.every(({ attachedTo }) => !attachedTo || there.items.some(({ id }) => id === attachedTo)));
});

test("players' browsers change nothing", async () => {
  const { there } = await begun({ prepare: (room) => Object.assign(room, { role: "PLAYER" }) });
  assert.deepEqual(there.items, []);
});

test("refusals and lost answers at random: in the end all of it is right, and nothing is there twice", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] }); // an answer that never comes is not waited for
  const ticking = setInterval(() => context.mock.timers.tick(5000), 2);
  let seed = 7;
  const chance = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const spoil = () => (chance() < 0.15 ? "refused" : chance() < 0.15 ? "lost" : null);
  const { there, keeper, tell } = await begun({ prepare: (room) => (room.refuse = spoil) });
  for (let turn = 0; turn < 25; turn++) {
    const x = Math.floor(chance() * 4);
    await tell("token", token("vex", x, 1));
    if (chance() < 0.2) there.OBR_SCENE_ITEMS_DELETE_ITEMS({ ids: [there.ours("token:goblin")?.id] });
    await tell("order", { ...ORDER, round: turn, active: chance() < 0.5 ? "vex" : "goblin" });
  }
  there.refuse = () => null;
  await tell("token", token("vex", 2, 0));
  clearInterval(ticking);
  const kinds = there.items.map(({ metadata }) => metadata["strike.table/item"].is).sort();
  assert.deepEqual(kinds, ["heading", "label:goblin", "label:vex", "token:goblin", "token:vex", "turn"]);
  assert.deepEqual([at(there.ours("token:vex")), at(there.ours("label:vex"))], [[675, 225], [675, 279]]);
  assert.deepEqual(at(there.ours("token:goblin")), [825, 225]);
  await keeper.changed();
});

test("a step that changes nothing sends nothing, and one move few messages", async () => {
  const { there, tell, keeper } = await begun();
  there.asked = [];
  await keeper.changed();
  assert.equal(there.asked.filter(({ id }) => /ADD|UPDATE|DELETE/.test(id)).length, 0);
  await tell("token", token("vex", 2, 1));
  assert.equal(there.count("OBR_SCENE_ITEMS_UPDATE_ITEMS"), 1);
});

test("messages of anybody but Owlbear are not heard", async () => {
  const there = new RoomAtOwlbear();
  const room = new Room(there.frame);
  let opened = false;
  room.opened.then(() => (opened = true));
  there.tell("OBR_READY", { ref: "the-ref" }, { origin: "https://evil.example" });
  there.tell("OBR_READY", { ref: "the-ref" }, { source: {} });
  await new Promise((go) => setImmediate(go));
  assert.equal(opened, false);
  there.open();
  assert.deepEqual(await room.ask("OBR_PLAYER_GET_ID"), { id: "u1" });
});
