/** Loads the pictures of tiles: a few at once, the nearest first, and none of what has left the view. */

const atOnce = 4;

/** Of the screen; more than two to a point are not seen. */
export const pixels = (points) => Math.round(points * Math.min(2, devicePixelRatio));

/** A picture in so many pixels' height, decoded outside of the page's thread. */
export async function thumbnail(source, height, signal) {
  const answer = await fetch(source, { credentials: "same-origin", signal });
  if (!answer.ok) throw new Error(answer.statusText);
  return createImageBitmap(await answer.blob(), { resizeHeight: height, resizeQuality: "medium" });
}

export class Thumbnails {
  /** @param {() => void} ended hears when all that are wanted are there */
  constructor(ended) {
    this.ended = ended;
    /** @type {Set<import("./tile.js").Tile>} */
    this.running = new Set();
    this.waiting = [];
  }

  /** @param {import("./tile.js").Tile[]} tiles those in view, the most wanted first */
  want(tiles) {
    const wanted = new Set(tiles);
    for (const tile of this.running) if (!wanted.has(tile)) this.give(tile);
    this.waiting = tiles.filter((tile) => tile.needsPicture && !this.running.has(tile));
    this.#pump();
  }

  /** Gives up on a tile's picture, for example since the tile shows something else now. */
  give(tile) {
    if (!this.running.delete(tile)) return;
    tile.dropPicture();
  }

  #pump() {
    while (this.running.size < atOnce && this.waiting.length > 0) {
      const tile = this.waiting.shift();
      if (!tile.needsPicture) continue;
      this.running.add(tile);
      tile.loadPicture(() => {
        this.running.delete(tile);
        this.#pump();
        if (this.running.size === 0) this.ended();
      });
    }
  }
}
