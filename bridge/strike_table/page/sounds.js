// Sounds of our own, made as they are needed: dice that come to lie, and a bell for a critical. Off until one asks for them.

import { keep, read } from "./screen.js";

export class Sounds {
  #on = read("sounds") === "on";
  #context = null;

  /** `button` switches them. */
  constructor(button) {
    const show = () => {
      button.setAttribute("aria-pressed", String(this.#on));
      button.title = this.#on ? "Sounds on" : "Sounds off";
    };
    button.addEventListener("click", () => {
      this.#on = !this.#on;
      keep("sounds", this.#on ? "on" : "off");
      show();
      this.dice(2);
    });
    show();
  }

  /** So many dice land. */
  dice(count) {
    for (let at = 0; at < Math.min(count, 6) * 2; at++) this.#knock(0.1 + 0.09 * at + 0.03 * Math.random());
  }

  /** Something stands out. */
  bell() {
    for (const [at, pitch] of [660, 880, 1320].entries()) this.#tone(pitch, at * 0.09);
  }

  #now() {
    if (!this.#on || document.hidden) return null;
    this.#context ??= new AudioContext();
    return this.#context;
  }

  #knock(later) {
    const context = this.#now();
    if (!context) return;
    const length = Math.floor(context.sampleRate * 0.03);
    const noise = context.createBuffer(1, length, context.sampleRate);
    const wave = noise.getChannelData(0);
    for (let at = 0; at < length; at++) wave[at] = (Math.random() * 2 - 1) * (1 - at / length) ** 4;
    const source = new AudioBufferSourceNode(context, { buffer: noise });
    const body = new BiquadFilterNode(context, { type: "bandpass", frequency: 1400 + 900 * Math.random(), Q: 2 });
    source.connect(body).connect(new GainNode(context, { gain: 0.5 })).connect(context.destination);
    source.start(context.currentTime + later);
  }

  #tone(frequency, later) {
    const context = this.#now();
    if (!context) return;
    const begins = context.currentTime + later;
    const loud = new GainNode(context, { gain: 0.16 });
    loud.gain.exponentialRampToValueAtTime(0.001, begins + 1.2);
    const tone = new OscillatorNode(context, { type: "triangle", frequency });
    tone.connect(loud).connect(context.destination);
    tone.start(begins);
    tone.stop(begins + 1.2);
  }
}
