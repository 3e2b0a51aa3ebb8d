// How somebody is: from HP as a number, a bar or a word, whichever this page was told.

const WOUNDS = { unhurt: "good", hurt: "low", bloodied: "dire", down: "dire" };

/**
 * `left` from 0 to 1, or null when nobody is to know; `health` for its colour; `number` to print beside a name;
 * `words` for a tooltip and for a screen reader.
 */
export function vitality(token) {
  const exact = token.gm_hp ?? (token.hp_shown === "bar" ? null : token.hp);
  if (exact !== null) {
    const left = share(exact);
    return { left, health: health(left), number: `${exact.value}/${exact.max}`, words: `${exact.value} of ${exact.max} HP` };
  }
  if (token.hp !== null) {
    const left = share(token.hp);
    return { left, health: health(left), number: "", words: `about ${Math.round(left * 100)}% of HP` };
  }
  const words = token.wounds ?? "";
  return { left: null, health: WOUNDS[words] ?? "unknown", number: "", words };
}

function share({ value, max }) {
  return max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
}

function health(left) {
  if (left > 0.5) return "good";
  return left > 0.25 ? "low" : "dire";
}
