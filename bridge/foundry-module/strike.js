// What a Foundry world shows of strike better than it could by itself: statuses with icons, results as cards.
// The bridge works without it. Nothing here asks anybody anything, and nothing is sent.

const ID = "strike";
const PREFIX = "strike-"; // before the ids of statuses that the bridge makes

/** The statuses that have an icon, by the word in their id and in the icon's file name. */
export const STATUSES = [
  "blinded", "bloodied", "dazed", "deafened", "distracted", "dominated", "flying", "frenzied", "grabbed", "guarded",
  "harried", "hidden", "immobilized", "incapacitated", "invisible", "marked", "ongoing", "panicked", "prone", "reeling",
  "restrained", "slowed", "stunned", "weakened",
];

const iconOf = (word) => `modules/${ID}/icons/${word}.svg`;
const nameOf = (word) => word[0].toUpperCase() + word.slice(1);

/** The world's status of that word, by its id or by its name in the world's language; undefined where there is none. */
function worldsOwn(word) {
  const named = (status) => game.i18n.localize(status.name ?? status.label ?? "").toLowerCase();
  return Object.values(CONFIG.statusEffects)
    .find((status) => !status.id?.startsWith(PREFIX) && (status.id === word || named(status) === word));
}

/** Adds the statuses that the world's game system has none of. They are a list before Foundry 14, then a table. */
export function addStatuses() {
  for (const word of STATUSES) {
    if (worldsOwn(word)) continue;
    const status = { id: PREFIX + word, name: nameOf(word), img: iconOf(word) };
    if (!Array.isArray(CONFIG.statusEffects)) CONFIG.statusEffects[status.id] ??= status;
    else if (!CONFIG.statusEffects.some(({ id }) => id === status.id)) CONFIG.statusEffects.push(status);
  }
}

/** Gives an effect that the bridge makes the world's icon for it, or ours: `strike-ongoing-3` is Ongoing. */
export function giveIcon(effect) {
  const id = [...(effect.statuses ?? [])].find((status) => status.startsWith(PREFIX));
  if (!id) return;
  const word = id.slice(PREFIX.length).replace(/-\d+$/, "");
  const worlds = worldsOwn(word);
  const img = worlds?.img ?? worlds?.icon ?? (STATUSES.includes(word) ? iconOf(word) : null);
  if (img) effect.updateSource({ img });
}

/** Marks a message of the bridge for strike.css, and whether all that it says is undone. */
export function dress(message, html) {
  const results = message.flags?.[ID]?.results;
  if (!Array.isArray(results)) return;
  const element = html.classList ? html : html[0]; // Foundry 12 hands over a jQuery object
  element.classList.add("strike-result");
  if (results.length && results.every((result) => result.undone)) element.classList.add("strike-undone");
}

Hooks.once("init", () => {
  const hook = game.release.generation < 13 ? "renderChatMessage" : "renderChatMessageHTML";
  Hooks.on(hook, dress);
});
Hooks.once("setup", addStatuses); // game systems have set theirs by now, and names can be translated
Hooks.on("preCreateActiveEffect", giveIcon);
