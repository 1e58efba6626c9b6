/** A row of the timeline: its headings, its pictures on one canvas, and its tiles. */

import { make, spaced } from "./dom.js";
import { RowPicture } from "./rowpicture.js";
import { bytesOf } from "./thumbhash.js";
import { decoded, picture, pixels } from "./thumbnails.js";
import { Tile } from "./tile.js";
import { takenDay } from "./words.js";

let made = 0;

/** Milliseconds in which pictures that come one by one from storage are drawn together: a row is drawn whole. */
const patience = 300;

/** Hides a part from the eye and from screen readers; its styles and boxes stay as they are. */
function putAway(node, isAway) {
  node.classList.toggle("off", isAway);
  if (isAway) node.setAttribute("aria-hidden", "true");
  else node.removeAttribute("aria-hidden");
}

/**
 * A row stays in the document when it leaves the view, and so do its tiles: taking nodes out and in again makes the
 * browser build their boxes anew, and leaves a hundred megabytes of old ones behind in half a minute of scrolling.
 *
 * While one scrolls fast, a row has no more than its previews: its tiles are given their places when they can be seen.
 */
export class RowNode {
  constructor() {
    this.picture = new RowPicture();
    this.cells = make("div", { class: "cells", role: "presentation" });
    this.node = make("div", { class: "row", role: "row", id: `row-${++made}` }, this.picture.canvas, this.cells);
    this.heads = [];
    /** Those in use. @type {Tile[]} */
    this.tiles = [];
    /** Those and others that wait to be used. @type {Tile[]} */
    this.all = [];
    /** What is known of the assets that stand in it. @type {(import("./columns.js").Asset | undefined)[]} */
    this.assets = [];
    /** What of each picture is there. @type {("nothing" | "picture" | "none")[]} */
    this.got = [];
  }

  /**
   * Takes up other places.
   * @param {{first: number, strip: number, height: number, left: number[], widths: number[], hasChips: boolean}} places
   */
  build(places) {
    const { strip, height, left, widths } = places;
    this.places = places;
    this.boxes = left.map((x, index) => ({ left: x, top: strip, width: widths[index], height }));
    this.picture.place(strip, left.at(-1) + widths.at(-1), height);
    this.assets.length = left.length;
    this.tiles = [];
    this.isOther = true;
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

  /** Leaves the view or comes back; its pictures take two megabytes, so they go. */
  rest(isAway) {
    if (this.isAway === isAway) return;
    putAway(this.node, this.isAway = isAway);
    if (!isAway) return;
    this.drop();
    this.picture.clear();
    this.shown = "";
  }

  move(y, x) {
    if (this.y === y && this.x === x) return;
    [this.x, this.y] = [x, y];
    this.node.style.top = `${y}px`;
    this.node.style.left = `${x}px`;
  }

  /** Shows what is known of the assets by now; `isFast` where it goes by too fast for more than previews. */
  fill(columns, isFast) {
    const { first } = this.places;
    for (const place of this.boxes.keys()) {
      const asset = columns.get(first + place);
      const before = this.assets[place];
      if (asset?.id !== before?.id || asset?.hash !== before?.hash) this.isOther = true;
      this.assets[place] = asset;
    }
    if (this.isOther) this.#compare();
    if (this.tiles.length === 0 && isFast) return this.#seat(false);
    if (this.tiles.length === 0) this.#hold();
    this.tiles.forEach((tile, place) => {
      if (tile.asset !== this.assets[place]) tile.show(this.assets[place]);
      tile.shows(this.got[place]);
      tile.chip(this.places.hasChips ? chip(columns, first + place, this.assets[place]) : "");
    });
  }

  /** Takes up as many tiles as there are places. */
  #hold() {
    const { first } = this.places;
    while (this.all.length < this.boxes.length) {
      const tile = new Tile();
      this.all.push(tile);
      this.cells.append(tile.node);
    }
    this.tiles = this.all.slice(0, this.boxes.length);
    this.tiles.forEach((tile, place) => tile.place(first + place, this.boxes[place]));
    this.all.forEach((tile, place) => {
      const isAway = place >= this.boxes.length;
      if (tile.isAway !== isAway) putAway(tile.node, tile.isAway = isAway);
    });
    this.#seat(true);
  }

  #seat(isSeated) {
    if (this.isSeated !== isSeated) putAway(this.cells, !(this.isSeated = isSeated));
  }

  /** Lets go of the pictures, unless the same ones stand at the same places. */
  #compare() {
    this.isOther = false;
    const { boxes, assets } = this;
    const shown = boxes.map(({ left, width, height }, place) =>
      [assets[place]?.id, assets[place]?.hash, left, width, height]
    ).join();
    if (shown === this.shown) return;
    this.shown = shown;
    const { ended } = this;
    this.drop();
    // The place among the few that load at once is free again.
    ended?.();
    this.got = boxes.map(() => "nothing");
    this.hashes = assets.map((asset) => asset?.hash ? bytesOf(asset.hash) : null);
    this.isOld = true;
  }

  /** Draws the previews where other pictures are, or none; `isLate` where there is no time for it. */
  preview(isLate) {
    if (!this.isOld) return;
    if (isLate) return this.picture.clear();
    this.isOld = false;
    this.picture.preview(this.boxes, this.hashes);
  }

  /** Pictures come all at once, so they are not asked for before all of the row's assets are known. */
  get needsPictures() {
    return this.got.includes("nothing") && !this.assets.includes(undefined);
  }

  /** Lets pictures that could not be had be asked for again. */
  forgive() {
    this.got = this.got.map((what) => what === "none" ? "nothing" : what);
  }

  /**
   * @param {Promise<(Blob | null)[]>} answer its pictures; `null` for what this computer has none of
   * @param {() => void} ended hears when all are there, or cannot be had
   */
  load(size, answer, ended) {
    this.ended = ended;
    this.abort = new AbortController();
    this.#load(size, answer, this.abort.signal);
  }

  /** Ends what has not been answered. */
  drop() {
    this.ended = null;
    this.abort?.abort();
  }

  async #load(size, answer, signal) {
    const assets = [...this.assets];
    const height = pixels(this.places.height);
    const bitmaps = assets.map(() => null);
    const take = async (place, blob) => {
      bitmaps[place] = await decoded(blob, height).catch(() => null);
    };
    try {
      const blobs = await answer;
      if (signal.aborted) return;
      await Promise.all(blobs.map((blob, place) => blob && take(place, blob)));
      this.#draw(bitmaps, signal);
      const redraw = spaced(patience, () => this.#draw(bitmaps, signal));
      for (const [place, asset] of assets.entries()) {
        if (blobs[place] || signal.aborted) continue;
        const blob = await picture(asset, size, signal).catch(() => null);
        if (blob) await take(place, blob);
        if (bitmaps[place]) redraw();
      }
      if (blobs.includes(null)) this.#draw(bitmaps, signal);
    } catch {
      // Nothing answered: the names stand in.
    }
    if (!signal.aborted) this.#finish(bitmaps);
    // What is to be drawn later finds none.
    for (const bitmap of bitmaps.splice(0)) bitmap?.close();
  }

  #draw(bitmaps, signal) {
    if (signal.aborted || !bitmaps.some(Boolean)) return;
    this.isOld = false;
    this.picture.draw(this.boxes, this.hashes, bitmaps);
    bitmaps.forEach((bitmap, place) => bitmap && this.#get(place, "picture"));
  }

  #finish(bitmaps) {
    bitmaps.forEach((bitmap, place) => bitmap || this.#get(place, "none"));
    const { ended } = this;
    this.ended = null;
    ended();
  }

  #get(place, what) {
    this.got[place] = what;
    this.tiles[place]?.shows(what);
  }
}

/** Without headings for days, the first picture of a day says it. */
function chip(columns, offset, asset) {
  if (!asset) return "";
  const newer = offset > 0 ? columns.get(offset - 1) : undefined;
  const isSame = newer && Math.floor(newer.taken / 86_400) === Math.floor(asset.taken / 86_400);
  return isSame || (offset > 0 && !newer) ? "" : takenDay(asset.taken);
}
