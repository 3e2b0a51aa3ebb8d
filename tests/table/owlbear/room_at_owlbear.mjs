// A stand-in for Owlbear Rodeo around a frame, for as much of it as the extension touches: the messages of the public
// SDK (@owlbear-rodeo/sdk 3.1.0), one scene with items, a grid, metadata. It can refuse, lose answers, and have
// attachments go along or not.

const ORIGIN = "https://www.owlbear.rodeo";

export class RoomAtOwlbear {
  items = [];
  metadata = {};
  ready = true;
  role = "GM";
  dpi = 150;
  selection = [];
  notifications = [];
  asked = []; // every message, as it came
  refuse = () => null; // what of a message goes wrong: "refused", "lost" (done, and not answered)
  attachmentsGoAlong = true;

  constructor() {
    this.listeners = [];
    this.parent = { postMessage: (message, origin) => this.hear(structuredClone(message), origin) };
    this.frame = { parent: this.parent, addEventListener: (_, heard) => this.listeners.push(heard) };
  }

  /** What Owlbear says once the frame is loaded. */
  open() {
    this.tell("OBR_READY", { ref: "the-ref", userId: "u1" });
  }

  tell(id, data, { origin = ORIGIN, source = this.parent } = {}) {
    for (const heard of this.listeners) heard({ origin, source, data: structuredClone({ id, data }) });
  }

  count(id) {
    return this.asked.filter((message) => message.id === id).length;
  }

  hear({ id, data, ref, nonce }, origin) {
    this.asked.push({ id, data });
    if (origin !== ORIGIN || ref !== "the-ref") throw new Error(`not for us: ${id} to ${origin}`);
    if (id.endsWith("SUBSCRIBE")) return;
    const wrong = this.refuse(id, data);
    if (wrong === "refused") {
      queueMicrotask(() => this.tell(`${id}_ERROR${nonce}`, { error: { name: "RateLimitHit", message: "slow down" } }));
      return;
    }
    const answer = this[id](data);
    if (wrong !== "lost") queueMicrotask(() => this.tell(`${id}_RESPONSE${nonce}`, answer ?? {}));
  }

  OBR_SCENE_IS_READY() {
    return { ready: this.ready };
  }
  OBR_PLAYER_GET_ROLE() {
    return { role: this.role };
  }
  OBR_PLAYER_GET_ID() {
    return { id: "u1" };
  }
  OBR_PLAYER_GET_SELECTION() {
    return { selection: this.selection };
  }
  OBR_SCENE_GET_METADATA() {
    return { metadata: this.metadata };
  }
  OBR_SCENE_SET_METADATA({ update }) {
    Object.assign(this.metadata, update);
    this.tell("OBR_SCENE_METADATA_EVENT_CHANGE", { metadata: this.metadata });
  }
  OBR_SCENE_GRID_GET_DPI() {
    return { dpi: this.dpi };
  }
  OBR_SCENE_GRID_GET_TYPE() {
    return { type: "SQUARE" };
  }
  OBR_SCENE_ITEMS_GET_ALL_ITEMS() {
    return { items: this.items };
  }
  OBR_SCENE_ITEMS_GET_ITEMS({ ids }) {
    return { items: this.items.filter(({ id }) => ids.includes(id)) };
  }
  OBR_SCENE_ITEMS_ADD_ITEMS({ items }) {
    for (const item of items) if (this.items.some(({ id }) => id === item.id)) throw new Error("made twice");
    this.items.push(...items);
  }
  OBR_SCENE_ITEMS_DELETE_ITEMS({ ids }) {
    this.items = this.items.filter(({ id, attachedTo }) => !ids.includes(id) && !ids.includes(attachedTo));
  }
  OBR_SCENE_ITEMS_UPDATE_ITEMS({ updates }) {
    for (const { id, type, ...changes } of updates) {
      const item = this.items.find((one) => one.id === id);
      if (!item || item.type !== type) throw new Error("no such item");
      if (changes.position) this.drag(item, changes.position);
      Object.assign(item, changes);
    }
  }
  OBR_NOTIFICATION_SHOW({ message }) {
    this.notifications.push(message);
    return { id: String(this.notifications.length) };
  }

  /** Somebody moves an item, and what is attached to it. */
  drag(item, { x, y }) {
    const by = { x: x - item.position.x, y: y - item.position.y };
    const along = this.attachmentsGoAlong ? this.items.filter(({ attachedTo }) => attachedTo === item.id) : [];
    for (const one of [item, ...along]) one.position = { x: one.position.x + by.x, y: one.position.y + by.y };
  }

  /** Somebody puts a picture of their own there. */
  place(name, position, more = {}) {
    const item = { id: `theirs-${this.items.length}`, type: "IMAGE", name, position, layer: "CHARACTER", metadata: {}, visible: true, ...more };
    this.items.push(item);
    return item;
  }

  ours(is) {
    return this.items.find(({ metadata }) => metadata["strike.table/item"]?.is === is);
  }
}
