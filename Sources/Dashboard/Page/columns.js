/** Assets of the timeline in pages; the least recently used go. */

import * as api from "./api.js";
import { pageLength } from "./beginning.js";

const pageLimit = 24;
const atOnce = 2;

/**
 * @typedef {{id: string, taken: number, dated: boolean, hash: string | null, state: string, kind: string,
 *   duration: number | null, name: string, note: string | null, live: "pair" | "clip" | null, away: boolean, kept: boolean}} Asset
 * @typedef {{assets: (Asset | undefined)[], isStale: boolean}} Page
 */

export class Columns {
  /**
   * @param {number} count
   * @param {api.Filter} filter
   * @param {(from: number, to: number) => void} arrived
   */
  constructor(count, filter, arrived) {
    this.count = count;
    this.filter = filter;
    this.arrived = arrived;
    /** In order of use, the last used last. @type {Map<number, Page>} */
    this.pages = new Map();
    /** @type {Map<number, {abort: AbortController, done: Promise<void>}>} */
    this.running = new Map();
    this.wanted = [];
    this.retryAt = 0;
  }

  /** Takes the first page, which was asked for before the count was known. */
  begin(document) {
    this.#touch(0, { assets: assetsOf(document), isStale: false });
  }

  /** @returns {Asset | undefined} */
  get(offset) {
    return this.pages.get(Math.floor(offset / pageLength))?.assets[offset % pageLength];
  }

  /** Loads what is between two offsets, nearest to their middle first, and gives up on what is not. */
  want(from, to) {
    const middle = (from + to) / 2 / pageLength;
    const wanted = [];
    for (let index = Math.floor(from / pageLength); index * pageLength < Math.min(to, this.count); index++) {
      const page = this.pages.get(index);
      if (page) this.#touch(index, page);
      if (!page || page.isStale) wanted.push(index);
    }
    this.wanted = wanted.sort((a, b) => Math.abs(a + 0.5 - middle) - Math.abs(b + 0.5 - middle));
    for (const [index, { abort, isKept }] of this.running) if (!isKept && !wanted.includes(index)) abort.abort();
    this.#pump();
  }

  /** One asset, asked for where it is not at hand. @returns {Promise<Asset | undefined>} */
  async fetch(offset) {
    const index = Math.floor(offset / pageLength);
    if (this.get(offset)) return this.get(offset);
    const running = this.running.get(index) ?? this.#start(index);
    running.isKept = true;
    await running.done;
    return this.get(offset);
  }

  /** Changes what is known of assets; the offsets that are at hand and changed. */
  change(ids, states, notes, kept) {
    const places = new Map(ids.map((id, index) => [id, index]));
    const changed = [];
    for (const [index, page] of this.pages) {
      page.assets.forEach((asset, place) => {
        const at = asset && places.get(asset.id);
        if (at === undefined) return;
        asset.state = states[at];
        asset.note = notes?.[at] ?? null;
        asset.kept = kept?.[at] ?? false;
        changed.push(index * pageLength + place);
      });
    }
    return changed;
  }

  /** Takes over what an older timeline had of the offsets from…to, until the new pages arrive. */
  inherit(older, from, to, mapping) {
    for (let index = Math.floor(from / pageLength); index * pageLength < Math.min(to, this.count); index++) {
      const assets = [];
      for (let place = 0; place < pageLength && index * pageLength + place < this.count; place++) {
        const before = mapping(index * pageLength + place);
        assets.push(before < 0 ? undefined : older.get(before));
      }
      this.pages.set(index, { assets, isStale: true });
    }
  }

  stop() {
    this.wanted = [];
    for (const { abort } of this.running.values()) abort.abort();
  }

  #pump() {
    if (performance.now() < this.retryAt) return;
    for (const index of this.wanted) {
      if (this.running.size >= atOnce) return;
      if (!this.running.has(index)) this.#start(index);
    }
  }

  #start(index) {
    const abort = new AbortController();
    const running = { abort, isKept: false, done: this.#load(index, abort.signal) };
    this.running.set(index, running);
    return running;
  }

  async #load(index, signal) {
    const from = index * pageLength;
    try {
      const document = await api.columns(from, pageLength, this.filter, signal);
      this.#touch(index, { assets: assetsOf(document), isStale: false });
      this.wanted = this.wanted.filter((other) => other !== index);
      this.running.delete(index);
      this.arrived(from, from + pageLength);
    } catch (error) {
      this.running.delete(index);
      if (error.name !== "AbortError") this.#rest();
    }
    this.#pump();
  }

  /** After a failure nothing is asked for a while. */
  #rest() {
    this.retryAt = performance.now() + 2000;
    setTimeout(() => this.#pump(), 2050);
  }

  #touch(index, page) {
    this.pages.delete(index);
    this.pages.set(index, page);
    if (this.pages.size > pageLimit) this.pages.delete(this.pages.keys().next().value);
  }
}

/** @returns {Asset[]} */
function assetsOf({ ids, taken, dated, hashes, states, kinds, durations, names, notes, lives, away, kept }) {
  return ids.map((id, index) => ({
    id,
    taken: taken[index],
    dated: dated[index],
    hash: hashes[index],
    state: states[index],
    kind: kinds[index],
    duration: durations[index],
    name: names[index],
    note: notes[index],
    live: lives[index],
    away: away[index],
    kept: kept[index],
  }));
}
