/** The calls of /api/1/; docs: Sources/Contracts/dashboard.md. */

const root = "/api/1";

/** An answer that is not what was asked for; `message` is a sentence for people. */
export class Refusal extends Error {
  /** @param {number} status 0 where nothing answered. */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Listeners of calls that were refused because this page's session has ended. */
export const sessionEnd = new EventTarget();

/**
 * `path` is a folder of `root`; `since` and `until` are days such as `2024-06-30`.
 * @typedef {{state?: string, root?: string, path?: string, kind?: string, camera?: string, since?: string, until?: string, text?: string}} Filter
 */

/** @param {Filter} filter */
function query(filter, more = {}) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...more, ...filter })) {
    if (value !== undefined && value !== "") parts.set(name, value);
  }
  const text = parts.toString();
  return text ? `?${text}` : "";
}

async function call(path, options = {}) {
  let answer;
  try {
    answer = await fetch(root + path, { credentials: "same-origin", redirect: "error", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "gallery-sync does not answer.");
  }
  if (answer.ok) return answer;
  if (answer.status === 401 || answer.status === 403) sessionEnd.dispatchEvent(new Event("end"));
  throw new Refusal(answer.status, await sentence(answer));
}

/** What was refused and what to do, as the server words it. */
async function sentence(answer) {
  const refused = `It was refused (${answer.status}).`;
  try {
    const { message, next } = await answer.json();
    return [message ?? refused, next].filter(Boolean).join(" ");
  } catch {
    return refused;
  }
}

const json = async (path, signal) => (await call(path, { signal })).json();

/** How many assets there are by month, newest first; with `days` where the server has them. */
export const timeline = (filter, signal) => json(`/timeline${query(filter)}`, signal);

/** One byte an asset. */
export async function ratios(from, count, filter, signal) {
  const answer = await call(`/timeline/ratios${query(filter, { from, count })}`, { signal });
  return { bytes: new Uint8Array(await answer.arrayBuffer()), revision: answer.headers.get("X-Revision") };
}

export const columns = (from, count, filter, signal) =>
  json(`/timeline/assets${query(filter, { from, count })}`, signal);
export const facets = (filter, signal) => json(`/facets${query(filter)}`, signal);
export const folders = (root, path) => json(`/folders${query({}, { root, path })}`);
export const duplicates = (from, count) => json(`/duplicates${query({}, { from, count })}`);
export const asset = (id, signal) => json(`/assets/${encodeURIComponent(id)}`, signal);
export const abilities = (signal) => json("/actions", signal);
export const log = (signal) => json("/log", signal);
export const status = (signal) => json("/status", signal);

async function post(path, document) {
  const body = JSON.stringify(document);
  return (await call(path, { method: "POST", headers: { "Content-Type": "application/json" }, body })).json();
}

/** Asks the agent for something; its answer has a `sentence`. */
export const act = (action, details = {}) => post("/actions", { action, ...details });

/** The calls of the set-up page. */
export const setUp = {
  beginning: () => json("/setup"),
  folders: (text) => json(`/setup/folders${query({ text })}`),
  findings: () => json("/setup/trial"),
  attempt: (answers) => post("/setup/trial", answers),
  signIn: (typed) => post("/setup/sign-in", typed),
  start: (answers) => post("/setup/start", answers),
  agent: () => json("/setup/agent"),
};

/** The version in the address lets the browser keep the picture for good. */
export const thumbnail = (id, size, hash) =>
  `${root}/assets/${encodeURIComponent(id)}/thumbnail${query({}, { size, v: hash ?? "" })}`;
/** Those of several assets that this computer has, in one answer. */
export const thumbnails = (ids, size) => `${root}/thumbnails${query({}, { size, ids: ids.join(",") })}`;
export const original = (id, download = false) =>
  `${root}/assets/${encodeURIComponent(id)}/original${download ? "?download=1" : ""}`;

/**
 * Hears the server's events for as long as the page is in view, and connects again where it broke.
 *
 * A browser has six connections to a server. A page in the background that kept one would be missed by the others: with
 * six of them, or six that the way back leads to, nothing more is loaded.
 * @param {Record<string, (document: any) => void>} handlers by the event's name
 * @param {(isConnected: boolean, hasMissed: boolean) => void} heard `hasMissed`: there may have been events before
 */
export function listen(handlers, heard) {
  let [wait, timer, hasMissed] = [1000, 0, document.hidden];
  /** @type {EventSource | undefined} */
  let source;
  const close = () => {
    clearTimeout(timer);
    source?.close();
    hasMissed = true;
  };
  const open = () => {
    source = new EventSource(`${root}/events`);
    source.onopen = () => {
      wait = 1000;
      heard(true, hasMissed);
    };
    source.onerror = () => {
      heard(false, true);
      // A browser gives up by itself after an answer that is no stream, and waits too long after others.
      close();
      timer = setTimeout(open, wait);
      wait = Math.min(15_000, wait * 2);
    };
    for (const [name, handler] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
    }
  };
  document.addEventListener("visibilitychange", () => {
    close();
    if (!document.hidden) open();
  });
  if (!document.hidden) open();
}

/** What moves of a Live Photo. */
export const motion = (id) => `${root}/assets/${encodeURIComponent(id)}/motion`;

/** Why the bytes at an address cannot be had, in the server's words; `null` where they can. */
export async function whyNot(address) {
  try {
    await call(address.slice(root.length), { headers: { Range: "bytes=0-0" } });
    return null;
  } catch (error) {
    // An empty file has no first byte.
    return error.status === 416 ? null : error.message;
  }
}
