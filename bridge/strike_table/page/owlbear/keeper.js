// Keeps the scene that is open in Owlbear as the table shows the fight. One look and one change at a time; what fails
// is tried again.

import { inShort, PLACE, steps, wanted } from "./items.js";

const TOGETHER = 150; // milliseconds in which changes are gathered
const AGAIN = [1000, 2000, 5000, 15_000, 30_000]; // until the next try, after so many that failed
const AT_ONCE = 50; // items in one message

export class Keeper {
  #room;
  #table;
  #userId;
  #fresh;
  #wait;
  #before = new Map(); // what was asked for last
  #anew = true; // whether that counts for nothing
  #due = false;
  #busy = null;
  #failed = 0;

  /** `table` is what the page knows of the table, kept by the caller that hears of it; `fresh` makes an id, `wait` waits. */
  constructor(room, table, { fresh = () => crypto.randomUUID(), wait = pause } = {}) {
    this.#room = room;
    this.#table = table;
    this.#fresh = fresh;
    this.#wait = wait;
  }

  /** Hear of what changes in Owlbear: another scene, another place for the map. */
  async begin() {
    const changed = () => this.changed();
    await this.#room.on("OBR_SCENE_READY_SUBSCRIBE", "OBR_SCENE_EVENT_READY_CHANGE", () => this.anew());
    await this.#room.on("OBR_SCENE_METADATA_SUBSCRIBE", "OBR_SCENE_METADATA_EVENT_CHANGE", changed);
    await this.#room.on("OBR_SCENE_GRID_SUBSCRIBE", "OBR_SCENE_GRID_EVENT_CHANGE", changed);
    await this.anew();
  }

  /** Put all of it as the table has it, whatever was dragged there. */
  anew() {
    this.#anew = true;
    return this.changed();
  }

  /** The table shows something else. Fulfilled once the scene does, too. */
  changed() {
    this.#due = true;
    this.#busy ??= this.#follow().finally(() => (this.#busy = null));
    return this.#busy;
  }

  /** Show the person at this browser what happened. */
  async say(result) {
    if (result.secret) return;
    const message = (result.undone ? "Undone: " : "") + inShort(result);
    await this.#room.ask("OBR_NOTIFICATION_SHOW", { message, variant: "INFO" }).catch(() => {});
  }

  async #follow() {
    while (this.#due) {
      await this.#wait(TOGETHER);
      this.#due = false;
      try {
        await this.#bring();
        this.#failed = 0;
      } catch (problem) {
        console.warn(`Owlbear: ${problem.message}`);
        this.#due = this.#anew = true; // part of it may have been done
        await this.#wait(AGAIN[Math.min(this.#failed++, AGAIN.length - 1)]);
      }
    }
  }

  async #bring() {
    const { ready } = await this.#room.ask("OBR_SCENE_IS_READY");
    const { role } = await this.#room.ask("OBR_PLAYER_GET_ROLE");
    if (!ready || role !== "GM") return;
    const { metadata } = await this.#room.ask("OBR_SCENE_GET_METADATA");
    const { dpi } = await this.#room.ask("OBR_SCENE_GRID_GET_DPI");
    const { id: userId } = await this.#room.ask("OBR_PLAYER_GET_ID");
    const want = wanted(this.#table, { place: metadata[PLACE] ?? null, dpi });
    const before = this.#anew ? new Map() : this.#before;
    this.#anew = false;
    for (const hanging of [false, true]) {
      const { items } = await this.#room.ask("OBR_SCENE_ITEMS_GET_ALL_ITEMS");
      await this.#take(steps(want, items, before, { hanging, userId, fresh: this.#fresh }));
    }
    this.#before = new Map([...want].map(([is, { fields }]) => [is, fields]));
  }

  async #take({ remove, add, update }) {
    for (const ids of parts(remove)) await this.#room.ask("OBR_SCENE_ITEMS_DELETE_ITEMS", { ids });
    for (const items of parts(add)) await this.#room.ask("OBR_SCENE_ITEMS_ADD_ITEMS", { items });
    for (const updates of parts(update)) await this.#room.ask("OBR_SCENE_ITEMS_UPDATE_ITEMS", { updates });
  }
}

function parts(all) {
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, at) => all.slice(at * AT_ONCE, (at + 1) * AT_ONCE));
}

function pause(milliseconds) {
  return new Promise((go) => setTimeout(go, milliseconds));
}
