// What a Foundry world shows of strike better than it could by itself: statuses with icons, results as cards.
// The bridge works without it. Players get buttons under what strike asks them: what they press becomes a message of
// their own, which the bridge reads. Whether it counts is decided there, by the rules of the game.

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
  const { results, asked, answer } = message.flags?.[ID] ?? {};
  const element = html.classList ? html : html[0]; // Foundry 12 hands over a jQuery object
  if (asked) giveButtons(asked, element);
  if (answer?.came) element.append(made("p", "strike-came", answer.came));
  if (!Array.isArray(results)) return;
  element.classList.add("strike-result");
  if (results.length && results.every((result) => result.undone)) element.classList.add("strike-undone");
}

/** Gives a question its buttons, where it is open and this user may answer it: its options, or the dice that an option
 * wants rolled before it counts. */
function giveButtons(asked, element) {
  element.classList.add(asked.over ? "strike-over" : "strike-asked");
  if (asked.over || ![game.user.id, game.user.name].includes(asked.player)) return;
  const row = made("div", "strike-buttons");
  const give = (words, press, about = "") => {
    const button = Object.assign(made("button", "", words), { type: "button", title: about });
    button.addEventListener("click", async () => {
      for (const each of row.children) each.disabled = true; // pressed twice it would be answered twice
      await press();
    });
    row.append(button);
  };
  if (asked.dice) give(`Roll ${asked.dice.n}d${asked.dice.sides} for strike`, () => roll(asked));
  for (const { name, label } of asked.options) give(name, () => answer(asked, name), label);
  element.append(row);
}

/** Says which option this user picks. */
async function answer(asked, option) {
  await ChatMessage.create({ content: said(option), flags: flagged(asked, option) });
}

/** Rolls the dice of the option that was picked, in Foundry: their faces are those that count. */
async function roll(asked) {
  const { option, n, sides } = asked.dice;
  const thrown = await new Roll(`${n}d${sides}`).evaluate();
  await thrown.toMessage({ flavor: said(option), flags: flagged(asked, option) });
}

function flagged(asked, option) {
  return { [ID]: { answer: { decision: asked.decision, option } } };
}

/** An option as words of a message: nothing in it is markup, or rolled. */
function said(option) {
  return made("p", "", option.replaceAll("[[", "[ [").replaceAll("@", "@\u200b")).outerHTML;
}

function made(tag, name, words = "") {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.textContent = words;
  return element;
}

Hooks.once("init", () => {
  const hook = game.release.generation < 13 ? "renderChatMessage" : "renderChatMessageHTML";
  Hooks.on(hook, dress);
});
Hooks.once("setup", addStatuses); // game systems have set theirs by now, and names can be translated
Hooks.on("preCreateActiveEffect", giveIcon);
