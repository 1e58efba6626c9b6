/** The whole timeline as one tall surface: where each month, row and asset lies. */

import { estimate, rowsOf } from "./layout.js";
import { lastAtMost } from "./months.js";

/** @typedef {{month: number, row: number}} Place */

export class Surface {
  /**
   * @param {import("./months.js").Months} months
   * @param {import("./ratios.js").Ratios} ratios
   * @param {import("./layout.js").Metrics} metrics
   */
  constructor(months, ratios, metrics) {
    this.months = months;
    this.ratios = ratios;
    this.metrics = metrics;
    /** @type {(import("./layout.js").Rows | null)[]} */
    this.rows = new Array(months.length).fill(null);
    this.guesses = this.rows.map((_, month) => estimate(months, month, metrics));
    /** Months whose guess is their true height: rows are kept of those only that were in view. */
    this.exact = new Uint8Array(months.length);
    this.tops = new Float64Array(months.length + 1);
    this.rowStarts = new Uint32Array(months.length + 1);
    /** The months below this one are laid out from what is known. */
    this.settled = 0;
    this.#stack();
  }

  get height() {
    return this.tops[this.months.length];
  }

  get rowCount() {
    return this.rowStarts[this.months.length];
  }

  /** Lays out what has not been, of the months between two heights; whether anything moved. */
  lay(top, bottom) {
    let moved = false;
    for (let month = this.monthAt(top); month < this.months.length && this.tops[month] < bottom; month++) {
      if (this.rows[month]) continue;
      this.#layMonth(month);
      moved = true;
    }
    if (moved) this.#stack();
    return moved;
  }

  layMonthOf(offset) {
    const month = this.months.monthOf(offset);
    if (this.rows[month]) return;
    this.#layMonth(month);
    this.#stack();
  }

  /** Forgets the rows of the months that have assets between two offsets, since their shapes are known now. */
  forget(from, to) {
    const last = this.months.monthOf(Math.max(from, to - 1));
    for (let month = this.months.monthOf(from); month <= last; month++) {
      this.rows[month] = null;
      this.exact[month] = 0;
    }
    this.settled = Math.min(this.settled, this.months.monthOf(from));
  }

  /** Lays out months whose ratios are known, for some milliseconds; whether more are left that could be. */
  settle(milliseconds) {
    const end = performance.now() + milliseconds;
    for (; this.settled < this.months.length && performance.now() < end; this.settled++) {
      const month = this.settled;
      if (!this.ratios.has(this.months.starts[month], this.months.starts[month + 1])) break;
      if (this.rows[month] || this.exact[month]) continue;
      const { length, total } = this.#rowsOf(month);
      this.guesses[month] = { rows: length, total };
      this.exact[month] = 1;
    }
    this.#stack();
    const next = this.settled;
    return next < this.months.length && this.ratios.has(this.months.starts[next], this.months.starts[next + 1]);
  }

  monthAt(y) {
    return lastAtMost(this.tops, y, this.months.length);
  }

  /** The first place whose lower edge is below `y`; its month must be laid out. */
  placeAt(y) {
    const month = this.monthAt(y);
    const rows = this.rows[month];
    return { month, row: rows ? lastAtMost(rows.y, y - this.tops[month], rows.length) : 0 };
  }

  placeOf(offset) {
    const month = this.months.monthOf(offset);
    const rows = this.rows[month];
    return { month, row: rows ? lastAtMost(rows.first, offset, rows.length) : 0 };
  }

  topOf({ month, row }) {
    const rows = this.rows[month];
    return this.tops[month] + (rows ? rows.y[row] : 0);
  }

  /** The height of a row with its strip of days, without the gap after it. */
  heightOf({ month, row }) {
    const rows = this.rows[month];
    return rows.height[row] + this.stripOf({ month, row });
  }

  stripOf({ month, row }) {
    return this.rows[month].marks[row] & 1 ? this.metrics.dayHead : 0;
  }

  firstOf({ month, row }) {
    return this.rows[month].first[row];
  }

  endOf({ month, row }) {
    const rows = this.rows[month];
    return row + 1 < rows.length ? rows.first[row + 1] : this.months.starts[month + 1];
  }

  /** The row after, in the next month if need be; `null` at the end. */
  after({ month, row }) {
    if (row + 1 < this.rows[month].length) return { month, row: row + 1 };
    return month + 1 < this.months.length ? { month: month + 1, row: 0 } : null;
  }

  /** What lies at `y`, to find it again after heights have changed. */
  anchorAt(y) {
    const month = this.monthAt(y);
    const rows = this.rows[month];
    const into = y - this.tops[month];
    if (into < this.metrics.monthHead || this.months.count === 0) return { month, into };
    if (rows) {
      const row = lastAtMost(rows.y, into, rows.length);
      return { offset: rows.first[row], into: into - rows.y[row] };
    }
    const share = (into - this.metrics.monthHead) / Math.max(1, this.guesses[month].total - this.metrics.monthHead);
    return { offset: this.months.starts[month] + Math.floor(share * (this.months.size(month) - 1)), into: 0 };
  }

  yOf(anchor) {
    if (anchor.offset === undefined) return this.tops[Math.min(anchor.month, this.months.length - 1)] + anchor.into;
    const place = this.placeOf(anchor.offset);
    if (this.rows[place.month]) return this.topOf(place) + anchor.into;
    const share = (anchor.offset - this.months.starts[place.month]) / Math.max(1, this.months.size(place.month));
    return this.tops[place.month] + this.metrics.monthHead +
      share * (this.guesses[place.month].total - this.metrics.monthHead);
  }

  #layMonth(month) {
    this.rows[month] = this.#rowsOf(month);
  }

  #rowsOf(month) {
    return rowsOf(this.ratios.bytes, this.months, month, this.metrics);
  }

  #stack() {
    for (let month = 0; month < this.months.length; month++) {
      const rows = this.rows[month];
      this.tops[month + 1] = this.tops[month] + (rows ? rows.total : this.guesses[month].total);
      this.rowStarts[month + 1] = this.rowStarts[month] + (rows ? rows.length : this.guesses[month].rows);
    }
  }
}
