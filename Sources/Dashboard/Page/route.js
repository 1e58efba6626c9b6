/** The address after #: which view, and what the photos are narrowed to. */

const names = ["state", "root", "path", "kind", "camera", "since", "until", "text"];
const views = ["status", "duplicates"];

/** @returns {{view: "photos" | "status" | "duplicates", filter: import("./api.js").Filter}} */
export function route() {
  const [path, search = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const given = new URLSearchParams(search);
  const filter = {};
  for (const name of names) if (given.get(name)) filter[name] = given.get(name);
  return { view: views.includes(path) ? path : "photos", filter };
}

/** @param {import("./api.js").Filter} filter */
export function addressOf(filter) {
  const given = new URLSearchParams();
  for (const name of names) if (filter[name]) given.set(name, filter[name]);
  const search = given.toString();
  return `#/photos${search ? `?${search}` : ""}`;
}
