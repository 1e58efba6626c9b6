/** One picture of the timeline: a blurred preview at once, then the thumbnail, with its badges. */

import * as api from "./api.js";
import { badge, make } from "./dom.js";
import { bytesOf, preview } from "./thumbhash.js";
import { pixels, thumbnail } from "./thumbnails.js";
import { clock, kindOf, stateSentences, takenWords } from "./words.js";

let made = 0;

/**
 * What of a tile does not differ from before is not touched: each touch makes the browser compute styles and boxes anew,
 * and it frees old ones after a minute, not at once.
 */
export class Tile {
  constructor() {
    this.node = make("div", { class: "tile", role: "gridcell", id: `tile-${++made}` });
    /**
     * First the blurred preview, then the picture: a second canvas for each tile costs 9 MB while one scrolls. It takes
     * bitmaps as they are; one to draw on has a surface and a record of what was drawn besides.
     */
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.pen = this.canvas.getContext("bitmaprenderer");
    this.badge = badge("stored");
    this.length = make("span", { class: "length", "aria-hidden": "true", hidden: true });
    this.day = make("span", { class: "chip", "aria-hidden": "true", hidden: true });
    this.tick = make("button", {
      type: "button",
      class: "tick",
      title: "Select",
      tabindex: "-1",
      "aria-hidden": "true",
    });
    this.node.append(this.canvas, this.badge, this.length, this.day, this.tick);
    /** What the canvas shows: nothing, the preview, or the picture. @type {"" | "hash" | "picture"} */
    this.face = "";
    this.lengthWords = this.dayWords = "";
    this.box = {};
    this.#forget();
    this.#unknown();
  }

  /** Where the tile stands in its row. */
  place(offset, left, top, width, height) {
    this.offset = offset;
    const { box } = this;
    for (const [name, value] of [["left", left], ["top", top], ["width", width], ["height", height]]) {
      if (box[name] !== value) this.node.style[name] = `${box[name] = value}px`;
    }
    // A picture made for a much smaller tile is made again; it stays until then.
    if (this.hasPicture && pixels(height) > this.bitmapHeight * 1.3) this.hasPicture = false;
  }

  /** Leaves the row, which has fewer tiles now, or comes back. */
  rest(isAway) {
    if (this.isAway === isAway) return;
    this.isAway = isAway;
    this.node.classList.toggle("off", isAway);
    if (isAway) {
      this.node.setAttribute("aria-hidden", "true");
      this.show(undefined);
    } else this.node.removeAttribute("aria-hidden");
  }

  /** @param {import("./columns.js").Asset | undefined} asset `undefined` while it is not known */
  show(asset, size) {
    const isOther = asset?.id !== this.asset?.id || asset?.hash !== this.hash;
    if (isOther) this.#forget();
    const wasAway = this.asset?.away === true;
    this.asset = asset;
    if (wasAway !== (asset?.away === true)) this.node.classList.toggle("away");
    if (!asset) return isOther && this.#unknown();
    const source = api.thumbnail(asset.id, size, asset.hash);
    if (isOther || (source !== this.source && !this.hasPicture)) this.source = source;
    if (isOther) this.#face(asset);
    this.#state(asset);
  }

  get needsPicture() {
    return this.asset !== undefined && !this.hasPicture && !this.hasFailed;
  }

  /** The blurred preview, where nothing better is there. */
  drawHash() {
    if (this.bytes && (this.isOld || this.face === "")) this.#draw(preview(this.bytes), "hash");
    else this.wipe();
  }

  /** Takes away the picture of another asset. */
  wipe() {
    if (this.isOld) this.#draw(null, "");
  }

  loadPicture(ended) {
    this.ended = ended;
    this.abort = new AbortController();
    this.#load(this.source, this.abort.signal);
  }

  /** Ends a request that has not been answered. */
  dropPicture() {
    this.ended = null;
    this.abort?.abort();
  }

  /** Lets a picture that could not be had be asked for again. */
  forgive() {
    this.hasFailed = false;
  }

  mark(isSelected, isActive) {
    if (this.isSelected !== isSelected) this.node.setAttribute("aria-selected", this.isSelected = isSelected);
    if (this.isActive !== isActive) this.node.classList.toggle("active", this.isActive = isActive);
  }

  /** The day, on the first picture of it, where no heading says it. */
  chip(text) {
    if (this.dayWords === text) return;
    this.day.textContent = this.dayWords = text;
    this.day.hidden = text === "";
  }

  /** Lets go of an asset; what the canvas shows of it goes when the next preview is drawn. */
  #forget() {
    const { ended } = this;
    this.dropPicture();
    // The place among the few that load at once is free again.
    ended?.();
    this.hash = this.bytes = this.source = undefined;
    if (this.hasFailed) this.node.classList.remove("bare");
    this.hasPicture = this.hasFailed = false;
    this.isOld = this.face !== "";
  }

  #unknown() {
    this.wipe();
    this.badge.style.visibility = "hidden";
    this.#mark("", "");
    this.chip("");
    this.state = undefined;
    this.node.setAttribute("aria-label", "Loading");
  }

  #face(asset) {
    this.hash = asset.hash;
    this.bytes = asset.hash ? bytesOf(asset.hash) : null;
    const kinds = { video: asset.duration ? clock(asset.duration) : "Video", animation: "GIF", raw: "RAW" };
    this.name = undefined;
    this.#mark(asset.live ? "Live" : kinds[asset.kind] ?? "", asset.live ? "live" : asset.kind === "video" ? "moving" : "");
  }

  /** What kind it is of, where that is no photo. */
  #mark(words, kind) {
    if (this.lengthWords !== words) {
      this.length.textContent = this.lengthWords = words;
      this.length.hidden = words === "";
    }
    const className = `length ${kind}`;
    if (words && this.length.className !== className) this.length.className = className;
  }

  #state(asset) {
    const note = asset.note ?? "";
    if (this.state === asset.state && this.note === note && this.name === asset.name) return;
    if (this.state !== asset.state) this.badge.className = `badge ${asset.state}`;
    if (this.state === undefined) this.badge.style.visibility = "";
    this.state = asset.state;
    this.note = note;
    this.name = asset.name;
    const length = asset.kind === "video" && asset.duration ? `, ${clock(asset.duration)}` : "";
    const state = note || stateSentences[asset.state] || asset.state;
    const sentence = asset.away && asset.state !== "remote" ? `${state} Its folder is not at hand now.` : state;
    const taken = `${takenWords(asset.taken)}${asset.dated ? "" : " (the file's date)"}`;
    this.node.setAttribute(
      "aria-label",
      `${kindOf(asset)}${length}, ${taken}, ${asset.name}. ${sentence}`,
    );
    this.node.title = asset.state === "stored" && !note && !asset.away ? asset.name : `${asset.name}\n${sentence}`;
  }

  /** Shows the picture in the tile's own size: the browser keeps nothing of it, neither as it came nor as it was decoded. */
  async #load(source, signal) {
    try {
      const bitmap = await thumbnail(source, pixels(this.box.height), signal);
      if (signal.aborted) return bitmap.close();
      this.#draw(bitmap, "picture");
      this.#ended(true);
    } catch {
      if (!signal.aborted) this.#ended(false);
    }
  }

  #ended(isLoaded) {
    const { ended } = this;
    if (!ended) return;
    this.ended = null;
    this.hasPicture = isLoaded;
    if (!isLoaded) this.#bare();
    ended();
  }

  /** Shows a bitmap, which is the canvas's from now on, or none. */
  #draw(bitmap, face) {
    const isCropped = face === "picture" && this.#isOfOtherShape(bitmap);
    // The canvas's own size says the shape in which it is fitted.
    if (isCropped) Object.assign(this.canvas, { width: bitmap.width, height: bitmap.height });
    if (this.isCropped !== isCropped) this.canvas.classList.toggle("cropped", this.isCropped = isCropped);
    this.bitmapHeight = bitmap?.height;
    this.pen.transferFromImageBitmap(bitmap);
    this.face = face;
    this.isOld = false;
  }

  /** Whether it would be seen that the picture is stretched: tiles of extreme shapes show a part of theirs. */
  #isOfOtherShape({ width, height }) {
    return Math.abs(width / height / (this.box.width / this.box.height) - 1) > 0.03;
  }

  /** Without a picture the name stands in. */
  #bare() {
    this.hasFailed = true;
    if (this.bytes) return;
    this.node.classList.add("bare");
    this.node.dataset.name = this.asset?.name ?? "";
  }
}
