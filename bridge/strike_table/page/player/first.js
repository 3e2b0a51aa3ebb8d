// What a phone does first, in a file of its own that is there long before the others: it takes the secret of its link and
// asks for the page. The secret comes behind the # of the address, which browsers send to nobody; it is taken out of there
// at once, and kept for as long as this tab is.

export const KEPT = "strike: link";

export const secret = decodeURIComponent(location.hash.slice(1)) || sessionStorage.getItem(KEPT) || "";

/** Ask for what the page shows, again whenever it is another; `line` ends it. */
export function openLine(line) {
  const headers = { Authorization: `Bearer ${secret}` };
  return fetch("/api/v1/own/events", { headers, signal: line.signal, cache: "no-store" });
}

const line = new AbortController();

/** The line that is open already, and how it may be ended; `follow` takes it once. */
export const early = { line, answer: secret ? openLine(line) : null };
early.answer?.catch(() => {}); // told to who follows

/** Keep the secret of the address, and take it out of there. Browsers do that slowly: what is asked for comes first. */
export function takeSecret() {
  const secret = decodeURIComponent(location.hash.slice(1));
  if (!secret) return;
  sessionStorage.setItem(KEPT, secret);
  history.replaceState(null, "", location.pathname);
}

takeSecret();
