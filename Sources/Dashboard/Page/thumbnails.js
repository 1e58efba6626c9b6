/** Loads the pictures of tiles: a few at once, the nearest first, and none of what has left the view. */

const atOnce = 4;

export class Thumbnails {
  constructor() {
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
      });
    }
  }
}
