/** The rows that are in the document, and the tiles they share. */

import { make } from "./dom.js";
import { Tile } from "./tile.js";
import { dayWords, monthWords, takenDay } from "./words.js";

/** More tiles than this are not kept for later. */
const spareLimit = 60;

const keyOf = ({ month, row }) => month * 4_194_304 + row;

class RowNode {
  constructor() {
    this.node = make("div", { class: "row", role: "row" });
    this.heads = [];
    /** @type {Tile[]} */
    this.tiles = [];
  }

  move(y, x) {
    const transform = `translate(${x}px, ${y}px)`;
    if (this.transform !== transform) this.node.style.transform = this.transform = transform;
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
    this.spareRows = [];
    /** Tiles without a row, by the asset that they last showed, so that it need not be loaded again. */
    this.spare = new Map();
    /** @type {Map<number, Tile>} */
    this.byOffset = new Map();
  }

  rows() {
    return this.mounted.values();
  }

  *tiles() {
    for (const row of this.mounted.values()) yield* row.tiles;
  }

  tileAt(offset) {
    return this.byOffset.get(offset);
  }

  /** Takes out what is not among `places`. */
  keep(surface, places) {
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

  /** Frees the memory of what will hardly be needed again. */
  trim() {
    for (const [key, tile] of this.spare) {
      if (this.spare.size <= spareLimit) return;
      tile.show(undefined);
      this.spare.delete(key);
    }
  }

  /**
   * The node of a row, made where it is not in the document yet.
   * @param {() => {left: number[], widths: number[], days: {day: number, left: number}[]}} places
   * @returns {RowNode}
   */
  mount(surface, place, places) {
    const key = keyOf(place);
    const layout = surface.rows[place.month];
    const present = this.mounted.get(key);
    if (present?.layout === layout) return present;
    if (present) this.#unmount(key);
    const row = this.spareRows.pop() ?? new RowNode();
    Object.assign(row, { place, layout, hasChips: !surface.months.hasDays, transform: "" });
    this.#build(row, surface, places());
    this.mounted.set(key, row);
    this.#insert(row, key);
    return row;
  }

  #build(row, surface, { left, widths, days }) {
    const { months, rows, metrics, rowStarts } = surface;
    const { month, row: index } = row.place;
    const strip = surface.stripOf(row.place);
    const height = rows[month].height[index];
    const first = surface.firstOf(row.place);
    row.node.setAttribute("aria-rowindex", rowStarts[month] + index + 1);
    row.tiles = left.map((x, place) => {
      const tile = this.#take(first + place);
      tile.place(first + place, x, strip, widths[place], height);
      if (months.hasDays) tile.chip("");
      row.node.append(tile.node);
      this.byOffset.set(first + place, tile);
      return tile;
    });
    row.heads = days.map(({ day, left }) => heading("day", dayWords(months.dayKeys[day]), left, 0));
    if (index === 0) row.heads.unshift(heading("month", monthWords(months.keys[month]), 0, -metrics.monthHead));
    row.node.prepend(...row.heads);
  }

  /** Rows stand in the document in the order of the timeline, as screen readers walk them. */
  #insert(row, key) {
    let next = null;
    let nearest = Infinity;
    for (const [other, candidate] of this.mounted) {
      if (other > key && other < nearest) [nearest, next] = [other, candidate.node];
    }
    this.parent.insertBefore(row.node, next);
  }

  #take(offset) {
    const id = this.assetAt(offset)?.id;
    const found = id !== undefined && this.spare.has(id) ? id : this.spare.keys().next().value;
    if (found === undefined) return new Tile();
    const tile = this.spare.get(found);
    this.spare.delete(found);
    return tile;
  }

  #unmount(key) {
    const row = this.mounted.get(key);
    this.mounted.delete(key);
    row.node.remove();
    row.node.replaceChildren();
    for (const tile of row.tiles) {
      if (this.byOffset.get(tile.offset) === tile) this.byOffset.delete(tile.offset);
      const name = tile.asset?.id ?? tile;
      this.spare.set(this.spare.has(name) ? tile : name, tile);
    }
    row.tiles = [];
    if (this.spareRows.length < 40) this.spareRows.push(row);
  }
}

function heading(kind, words, left, top) {
  const node = make("div", { class: `head ${kind}`, role: "rowheader" }, words);
  node.style.transform = `translate(${left}px, ${top}px)`;
  return node;
}
