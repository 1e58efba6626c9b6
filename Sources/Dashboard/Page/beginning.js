/** What the first screen needs, asked for before the page's other modules are there. */

import * as api from "./api.js";
import { route } from "./route.js";

/** Enough ratios for the first screen of the largest display. */
const ratioCount = 2_048;
/** Assets that one call for their columns asks for. */
export const pageLength = 128;

const ask = (filter, signal) =>
  Promise.all([
    api.timeline(filter, signal),
    api.ratios(0, ratioCount, filter, signal),
    api.columns(0, pageLength, filter, signal),
  ]);

const { view, filter: filterThen } = route();
let first = view === "photos" ? ask(filterThen) : null;
// `load` of app.js hears what went wrong.
first?.catch(() => {});

/**
 * The months, the first ratios and the first assets of a timeline: those that were asked for when the page came, else
 * new ones.
 * @param {api.Filter} filter
 */
export function begin(filter, signal) {
  const begun = JSON.stringify(filter) === JSON.stringify(filterThen) ? first : null;
  first = null;
  return begun ?? ask(filter, signal);
}
