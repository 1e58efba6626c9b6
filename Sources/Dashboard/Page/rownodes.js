/** The rows that are in the document. */

import { RowNode } from "./rownode.js";
import { dayWords, monthWords } from "./words.js";

/** More rows than this are not kept for later. */
const spareLimit = 4;

const keyOf = ({ month, row }) => month * 4_194_304 + row;

export class RowNodes {
  /**
   * @param {HTMLElement} parent
   * @param {(offset: number) => import("./columns.js").Asset | undefined} assetAt
   */
  constructor(parent, assetAt) {
    this.parent = parent;
    this.assetAt = assetAt;
    /** @type {Map<number, RowNode>} */
    this.mounted = new Map();
    /** @type {RowNode[]} */
    this.spare = [];
    this.order = "";
  }

  rows() {
    return this.mounted.values();
  }

  *tiles() {
    for (const row of this.mounted.values()) yield* row.tiles;
  }

  tileAt(offset) {
    for (const tile of this.tiles()) if (tile.offset === offset) return tile;
    return undefined;
  }

  /** Takes out what is not among `places`. */
  keep(places) {
    const wanted = new Set(places.map(keyOf));
    for (const key of [...this.mounted.keys()]) if (!wanted.has(key)) this.#unmount(key);
  }

  /** Takes out rows whose month is laid out in another way since. */
  forget(surface) {
    for (const [key, row] of [...this.mounted]) if (surface.rows[row.place.month] !== row.layout) this.#unmount(key);
  }

  clear() {
    for (const key of [...this.mounted.keys()]) this.#unmount(key);
  }

  /** Puts away what was not taken up again, and frees what will hardly be. */
  trim() {
    while (this.spare.length > spareLimit) {
      const row = this.spare.shift();
      row.drop();
      row.node.remove();
    }
    for (const row of this.spare) row.rest(true);
  }

  /**
   * Names the rows in the order of the timeline, in which screen readers walk them; when nothing scrolls. Nodes that are
   * moved in the document are laid out anew with all that is in them.
   */
  sort() {
    const rows = [...this.mounted].sort(([a], [b]) => a - b).map(([, row]) => row.node.id).join(" ");
    if (rows !== this.order) this.parent.setAttribute("aria-owns", this.order = rows);
  }

  /**
   * The node of a row, taken up where it is not in view yet.
   * @param {() => {left: number[], widths: number[], days: {day: number, left: number}[]}} places
   * @returns {RowNode}
   */
  mount(surface, place, places) {
    const key = keyOf(place);
    const layout = surface.rows[place.month];
    const present = this.mounted.get(key);
    if (present?.layout === layout) return present;
    if (present) this.#unmount(key);
    const row = this.#take(surface.firstOf(place));
    Object.assign(row, { place, layout });
    this.#build(row, surface, places());
    this.mounted.set(key, row);
    return row;
  }

  #build(row, surface, { left, widths, days }) {
    const { months, rows, metrics, rowStarts } = surface;
    const { month, row: index } = row.place;
    row.rest(false);
    row.node.setAttribute("aria-rowindex", rowStarts[month] + index + 1);
    row.build({
      first: surface.firstOf(row.place),
      strip: surface.stripOf(row.place),
      height: rows[month].height[index],
      left,
      widths,
      hasChips: !months.hasDays,
    });
    const headings = days.map(({ day, left }) => ({ kind: "day", words: dayWords(months.dayKeys[day]), left, top: 0 }));
    if (index === 0) {
      headings.push({ kind: "month", words: monthWords(months.keys[month]), left: 0, top: -metrics.monthHead });
    }
    row.title(headings);
  }

  /** A spare row, that which shows the same asset first if there is one: its pictures need not be loaded again. */
  #take(first) {
    const id = this.assetAt(first)?.id;
    const same = id === undefined ? -1 : this.spare.findIndex(({ assets }) => assets[0]?.id === id);
    const row = same >= 0 ? this.spare.splice(same, 1)[0] : this.spare.shift() ?? new RowNode();
    if (!row.node.isConnected) this.parent.append(row.node);
    return row;
  }

  #unmount(key) {
    const row = this.mounted.get(key);
    this.mounted.delete(key);
    this.spare.push(row);
  }
}
