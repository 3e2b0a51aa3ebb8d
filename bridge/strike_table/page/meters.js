// What somebody's numbers tell: each as a number, a bar or a word, whichever this page was told.

const WOUNDS = { unhurt: "good", hurt: "low", bloodied: "dire", "badly hurt": "dire", down: "dire" };

/** All numbers of a creature, the most telling first. Who sends but one calls it HP. */
export function metersOf({ meters, hp, hp_shown: shown, wounds, gm_hp: gm }) {
  if (meters.length > 0) return meters;
  if (hp === null && gm === null && !wounds) return [];
  return [{ id: "hp", name: "HP", one: "", sign: "", value: hp?.value ?? null, max: hp?.max ?? null, shown, wounds, gm }];
}

/**
 * One of them. `left` from 0 to 1, or null where there is no greatest or nobody is to know; `health` for its colour;
 * `number` to print beside a name, with its `unit`; `words` for a tooltip and for a screen reader.
 */
export function reading(meter) {
  const exact = meter.gm ?? (meter.shown === "exact" && meter.value !== null ? meter : null);
  const unit = meter.one && exact?.value === 1 ? meter.one : meter.name;
  const told = (number) => (number === 0 ? "0" : `${meter.sign}${number}`);
  if (exact?.max === null) return { ...NOTHING, number: told(exact.value), unit, words: `${told(exact.value)} ${unit}` };
  if (exact) {
    const left = share(exact);
    const [value, most] = [told(exact.value), told(exact.max)];
    const whole = meter.sign && value === most; // a die that is as it was: d8
    const [number, words] = whole ? [value, `${value} ${meter.name}`] : [`${value}/${most}`, `${value} of ${most} ${meter.name}`];
    return { left, health: health(left), number, unit: meter.name, words };
  }
  if (meter.value !== null && meter.max !== null) {
    const left = share(meter);
    const words = `about ${Math.round(left * 100)}% of ${meter.name}`;
    return { ...NOTHING, left, health: health(left), words };
  }
  const words = meter.wounds ?? "";
  return { ...NOTHING, health: WOUNDS[words] ?? "unknown", words };
}

const NOTHING = { left: null, health: "unknown", number: "", unit: "", words: "" };

/** The one that a ring or a bar shows, and the others as far as they say something: none of what is counted is not
 * worth a word. */
export function readings(token) {
  const [first, ...others] = metersOf(token);
  const more = others.filter(({ one, value, gm }) => !(one && (gm ?? { value }).value === 0));
  return {
    first: first ? reading(first) : NOTHING,
    others: more.map((meter) => ({ id: meter.id, name: meter.name, ...reading(meter) })).filter(({ words }) => words),
  };
}

/** One of the others in few words: `Grit 3/4`, `2 Strikes`, `Grit hurt`. */
export function brief({ name, left, number, words }) {
  if (number) return left === null ? words : `${name} ${number}`;
  return left === null ? `${name} ${words}` : words;
}

function share({ value, max }) {
  return max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
}

function health(left) {
  if (left > 0.5) return "good";
  return left > 0.25 ? "low" : "dire";
}
