/** Loads the pictures of rows: several in one answer, the nearest first, and none of what has left the view. */

import * as api from "./api.js";

/** Rows that load at once, and those of them that share an answer. */
const [atOnce, together] = [4, 2];
/** The most pictures in one answer. */
const answerLimit = 64;

/** Of the screen; more than two to a point are not seen. */
export const pixels = (points) => Math.round(points * Math.min(2, devicePixelRatio));

async function ask(address, signal) {
  const answer = await fetch(address, { credentials: "same-origin", signal });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer;
}

/**
 * The pictures of several assets in one call: each call costs the browser ten kilobytes that it frees late.
 * @returns {Promise<(Blob | null)[]>} `null` for what this computer has no picture of
 */
export async function pictures(ids, size, signal) {
  const answer = await ask(api.thumbnails(ids, size), signal);
  const all = await answer.blob();
  let from = 0;
  return answer.headers.get("X-Pictures").split(",").map((part) => {
    const [length, type] = part.split(" ");
    if (!type) return null;
    return all.slice(from, from += Number(length), type);
  });
}

/** The picture of one asset, from storage if need be. */
export const picture = async (asset, size, signal) =>
  (await ask(api.thumbnail(asset.id, size, asset.hash), signal)).blob();

/** A picture in so many pixels' height, decoded outside of the page's thread. */
export const decoded = (blob, height) => createImageBitmap(blob, { resizeHeight: height, resizeQuality: "medium" });

/** One answer for several rows, given up when none of them waits for it any more. */
class Call {
  constructor(rows, size) {
    this.waiting = new Set(rows);
    this.abort = new AbortController();
    const blobs = pictures(rows.flatMap(({ assets }) => assets.map(({ id }) => id)), size, this.abort.signal);
    let from = 0;
    /** What each row takes of the answer. @type {Promise<(Blob | null)[]>[]} */
    this.parts = rows.map(({ assets: { length } }) => {
      const first = from;
      from += length;
      return blobs.then((all) => all.slice(first, first + length));
    });
  }

  leave(row) {
    this.waiting.delete(row);
    if (this.waiting.size === 0) this.abort.abort();
  }
}

export class Thumbnails {
  /** @param {() => void} ended hears when all that are wanted are there */
  constructor(ended) {
    this.ended = ended;
    /** @type {Map<import("./rownodes.js").RowNode, Call>} */
    this.running = new Map();
    this.waiting = [];
  }

  /** @param {import("./rownodes.js").RowNode[]} rows those in view, the most wanted first */
  want(rows, size) {
    const wanted = new Set(rows);
    for (const row of this.running.keys()) {
      if (wanted.has(row)) continue;
      this.#leave(row);
      row.drop();
    }
    this.waiting = rows.filter((row) => row.needsPictures && !this.running.has(row));
    this.#pump(size);
  }

  #leave(row) {
    this.running.get(row)?.leave(row);
    this.running.delete(row);
  }

  #pump(size) {
    while (this.running.size <= atOnce - together) {
      this.waiting = this.waiting.filter((row) => row.needsPictures);
      const rows = this.#next();
      if (rows.length === 0) return;
      const call = new Call(rows, size);
      for (const row of rows) this.running.set(row, call);
      rows.forEach((row, index) => row.load(size, call.parts[index], () => this.#end(row, size)));
    }
  }

  /** The next rows that share an answer. @returns {import("./rownodes.js").RowNode[]} */
  #next() {
    let count = 0;
    const isTooMany = (row) => (count += row.assets.length) > answerLimit;
    const end = this.waiting.slice(0, together).findIndex(isTooMany);
    return this.waiting.splice(0, end < 0 ? together : Math.max(1, end));
  }

  #end(row, size) {
    this.#leave(row);
    this.#pump(size);
    if (this.running.size === 0) this.ended();
  }
}
