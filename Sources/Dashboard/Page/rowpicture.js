/** The pictures of one row on one canvas: previews first, then the thumbnails. */

import { make } from "./dom.js";
import { drawPreviews } from "./thumbhash.js";
import { pixels } from "./thumbnails.js";

/** Of the screen's pixels in a preview. */
const coarse = 0.5;

const pen = () => new OffscreenCanvas(1, 1).getContext("2d");
/**
 * What every row is drawn with: a surface goes to the row's canvas as it is. There is one for each scale, since a
 * surface that changes its size begins anew.
 */
const [coarsePen, finePen] = [pen(), pen()];

/**
 * A canvas for each tile is a layer of its own for the browser, with nodes and buffers that are made anew in each frame
 * in which anything changes. This one takes bitmaps as they are; one to draw on has a surface and a record of what was
 * drawn besides.
 */
export class RowPicture {
  constructor() {
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.screen = this.canvas.getContext("bitmaprenderer");
    this.box = {};
  }

  /** Where the pictures stand in the row. */
  place(top, width, height) {
    const box = { top, width, height };
    for (const [name, value] of Object.entries(box)) {
      if (this.box[name] !== value) this.canvas.style[name] = `${value}px`;
    }
    this.box = box;
  }

  clear() {
    if (this.canvas.className !== "") this.#transfer(null, "");
  }

  /**
   * Draws previews.
   * @param {{left: number, width: number}[]} boxes of the tiles
   * @param {(Uint8Array | null)[]} hashes
   */
  preview(boxes, hashes) {
    if (!hashes.some(Boolean)) return this.clear();
    this.#show(coarsePen, coarse, "preview", (scale) => drawPreviews(coarsePen, scaled(boxes, scale), hashes));
  }

  /** Draws pictures, and the previews of tiles that have none yet. @param {(ImageBitmap | null)[]} bitmaps */
  draw(boxes, hashes, bitmaps) {
    this.#show(finePen, pixels(1000) / 1000, "picture", (scale) => {
      const places = scaled(boxes, scale);
      const missing = hashes.map((hash, place) => bitmaps[place] ? null : hash);
      if (missing.some(Boolean)) drawPreviews(finePen, places, missing);
      bitmaps.forEach((bitmap, place) => bitmap && fit(bitmap, places[place]));
    });
  }

  #show(pen, scale, what, paint) {
    const { canvas } = pen;
    const size = { width: this.box.width, height: this.box.height };
    for (const name in size) {
      const length = Math.max(1, Math.round(size[name] * scale));
      if (canvas[name] !== length) canvas[name] = length;
    }
    paint(scale);
    this.#transfer(canvas.transferToImageBitmap(), what);
  }

  #transfer(bitmap, what) {
    this.screen.transferFromImageBitmap(bitmap);
    this.canvas.className = what;
  }
}

const scaled = (boxes, scale) => boxes.map(({ left, width }) => ({ left: left * scale, width: width * scale }));

/** Fills a tile; a picture of an extreme shape shows its middle. */
function fit(bitmap, { left, width }) {
  const { height } = finePen.canvas;
  const zoom = Math.max(width / bitmap.width, height / bitmap.height);
  const [w, h] = [Math.min(bitmap.width, width / zoom), Math.min(bitmap.height, height / zoom)];
  finePen.drawImage(bitmap, (bitmap.width - w) / 2, (bitmap.height - h) / 2, w, h, left, 0, width, height);
}
