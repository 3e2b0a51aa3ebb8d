// What opens behind the button in Owlbear: whose turn it is, what happened, and, for the game master, where A1 lies in
// the scene. The scene keeps that; background.js does the rest.

import { inShort, PLACE, turnInWords } from "./items.js";
import { Room } from "./room.js";
import { follow, Told } from "./told.js";

const SHOWN = 8; // results
const STATES = { live: "", lost: "The table does not answer: is `strike table` running?", refused: "The table needs its link." };

const element = (id) => document.getElementById(id);
const room = new Room(window);
const told = new Told({ changed: draw });
const background = new BroadcastChannel("strike");

function draw() {
  element("turn").textContent = turnInWords(told) || "No scene";
  const lines = told.results.slice(-SHOWN).reverse().map((result) => {
    const line = document.createElement("li");
    line.textContent = inShort(result);
    line.className = result.undone ? "undone" : "";
    return line;
  });
  element("results").replaceChildren(...lines);
}

async function drawPlace() {
  const [{ ready }, { role }] = [await room.ask("OBR_SCENE_IS_READY"), await room.ask("OBR_PLAYER_GET_ROLE")];
  element("place").hidden = !(ready && role === "GM");
  if (element("place").hidden) return;
  const { metadata } = await room.ask("OBR_SCENE_GET_METADATA");
  const place = metadata[PLACE];
  element("placed").textContent = place ? "The map is shown in this scene." : "The map is not shown in this scene.";
  element("again").hidden = element("hide").hidden = !place;
  element("show").textContent = place ? "Move A1 there" : "Show the map in this scene";
  if (place) [element("column").value, element("row").value, element("map").checked] = [place.column, place.row, place.map === true];
  else element("map").checked = await isBare();
  element("grid").hidden = (await room.ask("OBR_SCENE_GRID_GET_TYPE")).type === "SQUARE";
}

/** Whether the scene has no map of its own. */
async function isBare() {
  const { items } = await room.ask("OBR_SCENE_ITEMS_GET_ALL_ITEMS");
  return !items.some(({ layer }) => layer === "MAP");
}

/** `place` in squares of the scene's grid, or null for nowhere. */
async function keep(place) {
  const kept = place && { ...place, map: element("map").checked };
  await room.ask("OBR_SCENE_SET_METADATA", { update: { [PLACE]: kept } });
  await drawPlace();
}

async function keepPicked() {
  const { selection } = await room.ask("OBR_PLAYER_GET_SELECTION");
  const { dpi } = await room.ask("OBR_SCENE_GRID_GET_DPI");
  const { items } = await room.ask("OBR_SCENE_ITEMS_GET_ITEMS", { ids: (selection ?? []).slice(0, 1) });
  if (items.length === 0) throw new Error("First select something on A1.");
  const { x, y } = items[0].position;
  await keep({ column: Math.floor(x / dpi), row: Math.floor(y / dpi) });
}

function onClick(id, does) {
  const say = (problem) => (element("state").textContent = problem.message);
  element(id).addEventListener("click", () => does().catch(say));
}

onClick("show", () => keep({ column: Math.round(element("column").value), row: Math.round(element("row").value) }));
onClick("picked", keepPicked);
element("map").addEventListener("change", () => element("hide").hidden || element("show").click());
onClick("hide", () => keep(null));
onClick("again", async () => background.postMessage("again"));

follow(told, (state) => (element("state").textContent = STATES[state]));
await room.on("OBR_SCENE_READY_SUBSCRIBE", "OBR_SCENE_EVENT_READY_CHANGE", () => drawPlace().catch(() => {}));
await drawPlace();
