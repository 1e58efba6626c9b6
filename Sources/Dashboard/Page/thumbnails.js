/** Loads the pictures of rows: a few rows at once, the nearest first, and none of what has left the view. */

import * as api from "./api.js";

const atOnce = 4;

/** Of the screen; more than two to a point are not seen. */
export const pixels = (points) => Math.round(points * Math.min(2, devicePixelRatio));

async function ask(address, signal) {
  const answer = await fetch(address, { credentials: "same-origin", signal });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer;
}

/**
 * The pictures of several assets in one call: one for each costs the browser ten kilobytes that it frees late.
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

export class Thumbnails {
  /** @param {() => void} ended hears when all that are wanted are there */
  constructor(ended) {
    this.ended = ended;
    /** @type {Set<import("./rownodes.js").RowNode>} */
    this.running = new Set();
    this.waiting = [];
  }

  /** @param {import("./rownodes.js").RowNode[]} rows those in view, the most wanted first */
  want(rows, size) {
    const wanted = new Set(rows);
    for (const row of this.running) if (!wanted.has(row)) this.#give(row);
    this.waiting = rows.filter((row) => row.needsPictures && !this.running.has(row));
    this.#pump(size);
  }

  /** Gives up on a row's pictures. */
  #give(row) {
    this.running.delete(row);
    row.drop();
  }

  #pump(size) {
    while (this.running.size < atOnce && this.waiting.length > 0) {
      const row = this.waiting.shift();
      if (!row.needsPictures) continue;
      this.running.add(row);
      row.load(size, () => {
        this.running.delete(row);
        this.#pump(size);
        if (this.running.size === 0) this.ended();
      });
    }
  }
}
