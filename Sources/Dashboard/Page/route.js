/** The address after #: which view, and what the photos are narrowed to. */

import { kinds, states } from "./words.js";

const names = ["state", "root", "path", "kind", "camera", "since", "until", "text"];
const isDay = (value) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
/** Which values mean anything, where that is known here; others are left out, as of an address that was mistyped. */
const means = {
  state: (value) => Object.hasOwn(states, value),
  kind: (value) => Object.hasOwn(kinds, value),
  since: isDay,
  until: isDay,
};
const views = ["status", "duplicates"];

/** @returns {{view: "photos" | "status" | "duplicates", filter: import("./api.js").Filter}} */
export function route() {
  const [path, search = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const given = new URLSearchParams(search);
  const filter = {};
  for (const name of names) {
    const value = given.get(name);
    if (value && (means[name]?.(value) ?? true)) filter[name] = value;
  }
  if (filter.since > filter.until) [filter.since, filter.until] = [filter.until, filter.since];
  return { view: views.includes(path) ? path : "photos", filter };
}

/** @param {import("./api.js").Filter} filter */
export function addressOf(filter) {
  const given = new URLSearchParams();
  for (const name of names) if (filter[name]) given.set(name, filter[name]);
  const search = given.toString();
  return `#/photos${search ? `?${search}` : ""}`;
}
