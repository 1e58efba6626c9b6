/** The widths over heights of all assets, one byte each, fetched in pieces: what is looked at comes first. */

import * as api from "./api.js";

const piece = 65_536;
/** What stands in until the size is known: 4:3. */
const usual = 148;

export class Ratios {
  /**
   * @param {number} count
   * @param {api.Filter} filter
   * @param {(from: number, to: number) => void} arrived
   */
  constructor(count, filter, arrived) {
    this.bytes = new Uint8Array(count).fill(usual);
    this.filter = filter;
    this.arrived = arrived;
    this.known = new Uint8Array(Math.ceil(count / piece));
    this.head = 0;
    this.wanted = 0;
    this.abort = new AbortController();
  }

  get count() {
    return this.bytes.length;
  }

  has(from, to) {
    if (to <= this.head) return true;
    for (let index = Math.floor(from / piece); index * piece < to; index++) if (!this.known[index]) return false;
    return true;
  }

  /** Takes the first bytes, which were asked for before the count was known. */
  begin(bytes) {
    this.bytes.set(bytes.subarray(0, this.count));
    this.head = Math.min(bytes.length, this.count);
    if (this.head === this.count) this.known.fill(1);
  }

  /**
   * Takes over what an older timeline knew of months that have not changed. What has no size yet is asked for again: it
   * may have one by now.
   */
  inherit(older, months, mapping) {
    const isTaken = months.keys.map((_, month) => {
      const [from, size] = [months.starts[month], months.size(month)];
      const before = size > 0 ? mapping(from) : -1;
      if (before < 0) return size === 0;
      const bytes = older.bytes.subarray(before, before + size);
      this.bytes.set(bytes, from);
      return older.has(before, before + size) && !bytes.includes(0);
    });
    this.known.forEach((_, index) => {
      const last = months.monthOf(Math.min(this.count, (index + 1) * piece) - 1);
      const first = months.monthOf(index * piece);
      this.known[index] = isTaken.slice(first, last + 1).every(Boolean) ? 1 : 0;
    });
  }

  /** Fetches all pieces one after another, the one at `wanted` first. */
  async load() {
    try {
      for (let index = this.#next(); index >= 0; index = this.#next()) {
        const from = index * piece;
        const { bytes } = await api.ratios(from, piece, this.filter, this.abort.signal);
        this.bytes.set(bytes.subarray(0, this.count - from), from);
        this.known[index] = 1;
        this.arrived(from, Math.min(this.count, from + piece));
      }
    } catch (error) {
      // The pictures show in usual shapes meanwhile.
      if (error.name !== "AbortError") setTimeout(() => this.load(), 5000);
    }
  }

  stop() {
    this.abort.abort();
  }

  #next() {
    const here = Math.floor(this.wanted / piece);
    for (const index of [here, here + 1, here - 1]) if (this.known[index] === 0) return index;
    return this.known.indexOf(0);
  }
}
