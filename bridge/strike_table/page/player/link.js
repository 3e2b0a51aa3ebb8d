// The link of this player, and speaking with the table.

import { NextFrame, readable } from "/static/draw.js";
import { Pulse, SILENT } from "/static/pulse.js";
import { KEPT, early, openLine, secret, takeSecret } from "./first.js";

const AGAIN = [500, 1000, 2000, 4000, 8000]; // ms until the next try

addEventListener("hashchange", () => {
  takeSecret();
  location.reload();
});

/** Whether this tab has a link. */
export function hasLink() {
  return secret !== "";
}

/** Take the link that a code leads to. What is wrong with the code, in words; where nothing is, the page loads anew. */
export async function enter(code) {
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/api/v1/code", { method: "POST", headers, body: JSON.stringify({ code }) });
    const found = await answer.json();
    if (!answer.ok) return found.error?.message ?? "That code was not accepted.";
    sessionStorage.setItem(KEPT, found.link);
    location.reload();
    return "";
  } catch {
    return "The table can't be reached: try again.";
  }
}

/** Ask the table for something, or tell it. What it answers, and how; status 0 where it can't be reached. */
export async function ask(method, path, body) {
  const headers = { Authorization: `Bearer ${secret}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const answer = await fetch(`/api/v1/own${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(SILENT),
    });
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : {} };
  } catch {
    return { status: 0, body: {} };
  }
}

/** The address of a picture of the map: of its bytes, since none that it could be loaded from may have the secret. Null
 * where it isn't to be had. */
export async function picture(path) {
  try {
    const answer = await fetch(`/api/v1/own/${path}`, { headers: { Authorization: `Bearer ${secret}` } });
    return answer.ok ? await readable(await answer.blob()) : null;
  } catch {
    return null;
  }
}

const pictures = new Map(); // by hash: the address, null until it is there
const wanted = []; // to be asked for
const asking = new NextFrame(() => {
  for (const ask of wanted.splice(0)) ask();
}, { after: true }); // the map is seen first

/** The address of a picture, or null until it is there: a phone's link stands in no address. `came`, of `NextFrame`, is
 * asked then, once for however many come together. */
export function pictureAt(hash, came) {
  const known = pictures.get(hash);
  if (known !== undefined) return known;
  pictures.set(hash, null);
  wanted.push(async () => {
    const address = await picture(`images/${hash}`);
    if (address === null) return pictures.delete(hash);
    pictures.set(hash, address);
    came.ask();
  });
  asking.ask();
  return null;
}

/** Follow the page: `show` gets it whenever it is another; `sign` what a pulse tells, and "withdrawn", or "unknown" of a
 * link that led nowhere from the first, after which nothing more comes. */
export async function follow(show, sign) {
  let { line, answer } = early;
  const pulse = new Pulse(sign, () => line.abort());
  for (let tries = 0; ; ) {
    pulse.begin();
    const shown = (page) => {
      tries = 0;
      show(page);
    };
    if ((await listen(line, answer, pulse, shown)) === "withdrawn") break;
    pulse.lose();
    await woken(AGAIN[Math.min(tries++, AGAIN.length - 1)]);
    line = new AbortController();
    answer = openLine(line);
  }
  pulse.end();
  sign(pulse.known ? "withdrawn" : "unknown");
}

async function listen(line, asked, pulse, show) {
  try {
    const answer = await asked;
    if (answer.status === 401 || answer.status === 404) return "withdrawn";
    if (!answer.ok) return "lost";
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let kept = ""; ; ) {
      const { value, done } = await reader.read();
      if (done) return "lost";
      const frames = (kept + value).split("\n\n");
      kept = frames.pop();
      for (const frame of frames) {
        const event = /^event: (.*)$/m.exec(frame)?.[1];
        if (event === "withdrawn") return "withdrawn";
        if (event === "own") show(JSON.parse(/^data: (.*)$/m.exec(frame)[1]));
      }
      pulse.hear();
    }
  } catch {
    return "lost";
  } finally {
    line.abort();
  }
}

/** Wait; a phone that is looked at again, or has its network again, waits no longer. */
function woken(time) {
  return new Promise((go) => {
    const on = () => {
      if (document.visibilityState === "visible") done();
    };
    const done = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", on);
      removeEventListener("online", on);
      go();
    };
    const timer = setTimeout(done, time);
    document.addEventListener("visibilitychange", on);
    addEventListener("online", on);
  });
}
