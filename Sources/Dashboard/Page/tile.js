/** One picture of the timeline: a blurred preview at once, then the thumbnail, with its badges. */

import * as api from "./api.js";
import { badge, make } from "./dom.js";
import { bytesOf, colour, preview } from "./thumbhash.js";
import { pixels, thumbnail } from "./thumbnails.js";
import { clock, kindOf, stateSentences, takenWords } from "./words.js";

let made = 0;

export class Tile {
  constructor() {
    this.node = make("div", { class: "tile", role: "gridcell", id: `tile-${++made}` });
    /**
     * First the blurred preview, then the picture: a second canvas for each tile costs 9 MB while one scrolls. It takes
     * bitmaps as they are; one to draw on has a surface and a record of what was drawn besides.
     */
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.pen = this.canvas.getContext("bitmaprenderer", { alpha: false });
    this.badge = badge("stored");
    this.length = make("span", { class: "length", "aria-hidden": "true" });
    this.day = make("span", { class: "chip", "aria-hidden": "true" });
    this.tick = make("button", {
      type: "button",
      class: "tick",
      title: "Select",
      tabindex: "-1",
      "aria-hidden": "true",
    });
    this.node.append(this.canvas, this.badge, this.length, this.day, this.tick);
    /** @type {import("./columns.js").Asset | undefined} */
    this.asset = undefined;
    this.#blank();
  }

  /** Where the tile stands in its row. */
  place(offset, x, y, width, height) {
    this.offset = offset;
    const style = this.node.style;
    style.left = `${x}px`;
    style.top = `${y}px`;
    style.width = `${width}px`;
    style.height = `${height}px`;
    this.height = height;
    // A picture made for a much smaller tile is made again; it stays until then.
    if (this.hasPicture && pixels(height) > this.canvas.height * 1.3) this.hasPicture = false;
  }

  /** @param {import("./columns.js").Asset | undefined} asset `undefined` while it is not known */
  show(asset, size) {
    const isOther = asset?.id !== this.asset?.id || asset?.hash !== this.hash;
    if (isOther) this.#blank();
    this.asset = asset;
    this.node.classList.toggle("unknown", !asset);
    this.node.classList.toggle("away", asset?.away === true);
    if (!asset) return;
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
    if (this.canvas.className === "off" && this.bytes) this.#draw(preview(this.bytes), "");
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
    if (this.day.textContent !== text) this.day.textContent = text;
    this.day.hidden = text === "";
  }

  #blank() {
    const { ended } = this;
    this.dropPicture();
    // The place among the few that load at once is free again.
    ended?.();
    this.asset =
      this.hash =
      this.bytes =
      this.source =
        undefined;
    this.hasPicture = this.hasFailed = false;
    this.#draw(null, "off");
    this.badge.style.visibility = "hidden";
    this.length.hidden = this.day.hidden = true;
    this.node.style.backgroundColor = "";
    this.node.classList.remove("bare");
    this.state = undefined;
    this.node.setAttribute("aria-label", "Loading");
  }

  #face(asset) {
    this.hash = asset.hash;
    this.bytes = asset.hash ? bytesOf(asset.hash) : null;
    if (this.bytes) this.node.style.backgroundColor = colour(this.bytes);
    const kinds = { video: asset.duration ? clock(asset.duration) : "Video", animation: "GIF", raw: "RAW" };
    const words = asset.live ? "Live" : kinds[asset.kind] ?? "";
    this.length.hidden = words === "";
    this.length.textContent = words;
    this.length.classList.toggle("moving", asset.kind === "video");
    this.length.classList.toggle("live", Boolean(asset.live));
  }

  #state(asset) {
    const note = asset.note ?? "";
    if (this.state === asset.state && this.note === note) return;
    this.state = asset.state;
    this.note = note;
    this.badge.className = `badge ${asset.state}`;
    this.badge.style.visibility = "";
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
      const bitmap = await thumbnail(source, pixels(this.height), signal);
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
  #draw(bitmap, className) {
    if (this.canvas.className === className && !bitmap) return;
    // The canvas's own size says the shape in which it is fitted.
    if (bitmap) Object.assign(this.canvas, { width: bitmap.width, height: bitmap.height });
    this.pen.transferFromImageBitmap(bitmap);
    this.canvas.className = className;
  }

  /** Without a picture the name stands in. */
  #bare() {
    this.hasFailed = true;
    if (this.bytes) return;
    this.node.classList.add("bare");
    this.node.dataset.name = this.asset?.name ?? "";
  }
}
