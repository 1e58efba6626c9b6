/** The rows that are in the document, and the tiles they share. */

import { make } from "./dom.js";
import { Tile } from "./tile.js";
import { dayWords, monthWords, takenDay } from "./words.js";

/** More rows than this are not kept for later. */
const spareLimit = 4;

const keyOf = ({ month, row }) => month * 4_194_304 + row;

/**
 * A row stays in the document when it leaves the view, and so do its tiles: taking nodes out and in again makes the
 * browser build their boxes anew, and leaves a hundred megabytes of old ones behind in half a minute of scrolling.
 */
class RowNode {
  constructor() {
    this.node = make("div", { class: "row", role: "row" });
    this.heads = [];
    /** Those in use. @type {Tile[]} */
    this.tiles = [];
    /** Those and others that wait to be used. @type {Tile[]} */
    this.all = [];
  }

  /** Takes up `count` tiles. */
  hold(count) {
    while (this.all.length < count) {
      const tile = new Tile();
      this.all.push(tile);
      this.node.append(tile.node);
    }
    this.all.forEach((tile, place) => tile.rest(place >= count));
    this.tiles = this.all.slice(0, count);
  }

  /** Puts up headings. @param {{kind: string, words: string, left: number, top: number}[]} headings */
  title(headings) {
    while (this.heads.length < headings.length) {
      const head = make("div", { role: "rowheader" });
      this.heads.push(head);
      this.node.prepend(head);
    }
    this.heads.forEach((head, place) => {
      const heading = headings[place];
      if (head.hidden !== (heading === undefined)) head.hidden = heading === undefined;
      if (!heading) return;
      head.className = `head ${heading.kind}`;
      head.textContent = heading.words;
      head.style.left = `${heading.left}px`;
      head.style.top = `${heading.top}px`;
    });
  }

  /** Leaves the view or comes back; for a screen reader, too. */
  rest(isAway) {
    if (this.isAway === isAway) return;
    this.isAway = isAway;
    this.node.classList.toggle("off", isAway);
    if (isAway) this.node.setAttribute("aria-hidden", "true");
    else this.node.removeAttribute("aria-hidden");
  }

  move(y, x) {
    if (this.y === y && this.x === x) return;
    [this.x, this.y] = [x, y];
    this.node.style.top = `${y}px`;
    this.node.style.left = `${x}px`;
  }

  /** Shows what is known of the assets by now. */
  fill(columns, size) {
    for (const tile of this.tiles) {
      const asset = columns.get(tile.offset);
      if (asset !== tile.asset) tile.show(asset, size);
      if (this.hasChips) tile.chip(chip(columns, tile.offset, asset));
    }
  }
}

/** Without headings for days, the first picture of a day says it. */
function chip(columns, offset, asset) {
  if (!asset) return "";
  const newer = offset > 0 ? columns.get(offset - 1) : undefined;
  const isSame = newer && Math.floor(newer.taken / 86_400) === Math.floor(asset.taken / 86_400);
  return isSame || (offset > 0 && !newer) ? "" : takenDay(asset.taken);
}

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
      row.hold(0);
      row.node.remove();
    }
    for (const row of this.spare) row.rest(true);
  }

  /** Brings the rows into the order of the timeline, in which screen readers walk them; when nothing scrolls. */
  sort() {
    const rows = [...this.mounted].sort(([a], [b]) => a - b).map(([, row]) => row.node);
    rows.forEach((node, index) => {
      const before = index > 0 ? rows[index - 1] : this.parent.firstElementChild;
      if (before.nextElementSibling !== node) before.after(node);
    });
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
    Object.assign(row, { place, layout, hasChips: !surface.months.hasDays });
    this.#build(row, surface, places());
    this.mounted.set(key, row);
    return row;
  }

  #build(row, surface, { left, widths, days }) {
    const { months, rows, metrics, rowStarts } = surface;
    const { month, row: index } = row.place;
    const strip = surface.stripOf(row.place);
    const first = surface.firstOf(row.place);
    row.rest(false);
    row.node.setAttribute("aria-rowindex", rowStarts[month] + index + 1);
    row.hold(left.length);
    row.tiles.forEach((tile, place) => {
      tile.place(first + place, left[place], strip, widths[place], rows[month].height[index]);
      if (months.hasDays) tile.chip("");
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
    const same = id === undefined ? -1 : this.spare.findIndex(({ all }) => all[0]?.asset?.id === id);
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
