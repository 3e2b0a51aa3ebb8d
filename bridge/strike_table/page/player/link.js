// The link of this player, and speaking with the table. The secret comes behind the # of the address, which
// browsers send to nobody; it is taken out of there at once, and kept for as long as this tab is.

const KEPT = "strike: link";
const SILENCE = 40_000; // ms without a sign of life after which a line counts as dead; one comes every 15 s
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
export async function picture(hash) {
  try {
    const answer = await fetch(`/api/v1/own/images/${hash}`, { headers: { Authorization: `Bearer ${secret}` } });
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

/** Follow the page: `show` gets it whenever it is another, `sign` how the line stands: "live", "lost", or
 * "withdrawn", after which nothing more comes. */
export async function follow(show, sign) {
  for (let tries = 0; ; ) {
    const ended = await listen(
      (page) => {
        tries = 0;
        show(page);
      },
      () => sign("live"),
    );
    if (ended === "withdrawn") return sign("withdrawn");
    sign("lost");
    await woken(AGAIN[Math.min(tries++, AGAIN.length - 1)]);
  }
}

async function listen(show, live) {
  const ending = new AbortController();
  let watch;
  const heard = () => {
    clearTimeout(watch);
    watch = setTimeout(() => ending.abort(), SILENCE);
  };
  try {
    heard();
    const answer = await fetch("/api/v1/own/events", {
      headers: { Authorization: `Bearer ${secret}` },
      signal: ending.signal,
      cache: "no-store",
    });
    if (answer.status === 401 || answer.status === 404) return "withdrawn";
    if (!answer.ok) return "lost";
    live();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let kept = ""; ; ) {
      const { value, done } = await reader.read();
      if (done) return "lost";
      heard();
      const frames = (kept + value).split("\n\n");
      kept = frames.pop();
      for (const frame of frames) {
        const event = /^event: (.*)$/m.exec(frame)?.[1];
        if (event === "withdrawn") return "withdrawn";
        if (event === "own") show(JSON.parse(/^data: (.*)$/m.exec(frame)[1]));
      }
    }
  } catch {
    return "lost";
  } finally {
    clearTimeout(watch);
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
