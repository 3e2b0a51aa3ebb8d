// The link of this player, and speaking with the table. The secret comes behind the # of the address, which
// browsers send to nobody; it is taken out of there at once, and kept for as long as this tab is.

const KEPT = "strike: link";
const FRESH = 13_000; // ms: a sign of life comes every 10 s, and who hears none for longer is not live
const SILENCE = 25_000; // ms without one after which a line counts as dead
const AGAIN = [500, 1000, 2000, 4000, 8000]; // ms until the next try

function taken() {
  const secret = decodeURIComponent(location.hash.slice(1));
  if (secret) {
    sessionStorage.setItem(KEPT, secret);
    history.replaceState(null, "", location.pathname);
  }
  return secret || sessionStorage.getItem(KEPT) || "";
}

let secret = taken();
addEventListener("hashchange", () => {
  secret = taken();
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
    if (!answer.ok) return found.error?.message ?? "That code was not taken.";
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
      signal: AbortSignal.timeout(SILENCE),
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
    if (!answer.ok) return null;
    const content = await answer.blob();
    return await new Promise((done, failed) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.onerror = failed;
      reader.readAsDataURL(content);
    });
  } catch {
    return null;
  }
}

const pictures = new Map(); // by hash: the address, once it is there, and who waits for it

/** The address of a picture, or null until it is there: a phone's link stands in no address. `come` is called then. */
export function pictureAt(hash, come) {
  const known = pictures.get(hash);
  if (known) {
    if (known.address === null) known.waiting.push(come);
    return known.address;
  }
  const asked = { address: null, waiting: [come] };
  pictures.set(hash, asked);
  picture(`images/${hash}`).then((address) => {
    if (address === null) return pictures.delete(hash);
    asked.address = address;
    for (const tell of asked.waiting.splice(0)) tell();
  });
  return null;
}

/** Follow the page: `show` gets it whenever it is another; `sign` how the line stands: "live" while it is open and
 * something was heard over it just now; "lost", with the time when something was heard last, or null; "withdrawn",
 * or "unknown" of a link that led nowhere from the first, after which nothing more comes. */
export async function follow(show, sign) {
  const line = { heard: null };
  for (let tries = 0; ; ) {
    const heard = () => {
      line.heard = Date.now();
      sign("live");
    };
    const ended = await listen(line, heard, sign, (page) => {
      tries = 0;
      show(page);
    });
    if (ended === "withdrawn") return sign(line.heard === null ? "unknown" : "withdrawn");
    sign("lost", line.heard);
    await woken(AGAIN[Math.min(tries++, AGAIN.length - 1)]);
  }
}

async function listen(line, heard, sign, show) {
  const ending = new AbortController();
  const began = Date.now();
  const look = () => {
    if (Date.now() - Math.max(began, line.heard ?? 0) > SILENCE) ending.abort();
    else if (line.heard !== null && Date.now() - line.heard > FRESH) sign("lost", line.heard);
  };
  const watch = setInterval(look, 1000);
  document.addEventListener("visibilitychange", look); // a phone that was asleep finds out at once
  try {
    const answer = await fetch("/api/v1/own/events", {
      headers: { Authorization: `Bearer ${secret}` },
      signal: ending.signal,
      cache: "no-store",
    });
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
      heard();
    }
  } catch {
    return "lost";
  } finally {
    clearInterval(watch);
    document.removeEventListener("visibilitychange", look);
    ending.abort();
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
