// The screen that it is shown on: a television (?screen=1), whether it sleeps, light or dark, the whole of it or a
// window. What one has chosen stays on the device.

const THEMES = ["auto", "light", "dark"];
const NAMES = { auto: "Light as the device", light: "Light", dark: "Dark" };

export class Screen {
  #theme = "auto";
  #button;

  /** `theme` and `full` are the buttons. */
  constructor({ theme, full, television, overlay }) {
    if (overlay) document.documentElement.dataset.overlay = overlay;
    this.#button = theme;
    this.#wear(read("theme"));
    theme.addEventListener("click", () => this.#wear(THEMES[(THEMES.indexOf(this.#theme) + 1) % THEMES.length]));
    full.hidden = !document.fullscreenEnabled;
    full.addEventListener("click", () => toggleFull().catch(() => {}));
    if (!television) return;
    document.documentElement.dataset.screen = "television";
    keepAwake();
  }

  #wear(theme) {
    this.#theme = THEMES.includes(theme) ? theme : "auto";
    document.documentElement.dataset.theme = this.#theme;
    this.#button.setAttribute("aria-label", `Colours: ${NAMES[this.#theme]}`);
    this.#button.title = NAMES[this.#theme];
    this.#button.dataset.theme = this.#theme;
    keep("theme", this.#theme);
  }
}

async function toggleFull() {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await document.documentElement.requestFullscreen();
}

/** A television goes on showing the game while nobody touches it. It may only be asked for while it is seen. */
async function keepAwake() {
  const ask = () => !document.hidden && navigator.wakeLock?.request("screen").catch(() => {});
  document.addEventListener("visibilitychange", ask);
  addEventListener("pointerdown", ask, { once: true });
  await ask();
}

export function read(name) {
  try {
    return localStorage.getItem(`strike ${name}`);
  } catch {
    return null; // a browser that keeps nothing
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(`strike ${name}`, value);
  } catch {
    // then it is asked for anew
  }
}
