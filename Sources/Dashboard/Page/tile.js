/** One picture of the timeline: a blurred preview at once, then the thumbnail, with its badges. */

import * as api from "./api.js";
import { badge, button, make, setBadge } from "./dom.js";
import { bytesOf, colour, picture } from "./thumbhash.js";
import { clock, kindNames, stateSentences, takenWords } from "./words.js";

let made = 0;

export class Tile {
  constructor() {
    this.node = make("div", { class: "tile", role: "gridcell", id: `tile-${++made}` });
    this.canvas = make("canvas", { class: "hash", "aria-hidden": "true" });
    this.image = make("img", { alt: "", decoding: "async", draggable: "false" });
    this.badge = badge("stored");
    this.length = make("span", { class: "length", "aria-hidden": "true" });
    this.day = make("span", { class: "chip", "aria-hidden": "true" });
    this.tick = button({ icon: "check", label: "Select", title: "Select", className: "tick", tabindex: "-1", "aria-hidden": "true" });
    this.node.append(this.canvas, this.image, this.badge, this.length, this.day, this.tick);
    this.image.onload = () => this.#ended(true);
    this.image.onerror = () => this.#ended(false);
    /** @type {import("./columns.js").Asset | undefined} */
    this.asset = undefined;
    this.#blank();
  }

  /** Where the tile stands in its row. */
  place(offset, x, y, width, height) {
    this.offset = offset;
    const style = this.node.style;
    style.transform = `translate(${x}px, ${y}px)`;
    style.width = `${width}px`;
    style.height = `${height}px`;
    this.side = Math.max(width, height);
  }

  /** @param {import("./columns.js").Asset | undefined} asset `undefined` while it is not known */
  show(asset, size) {
    const isOther = asset?.id !== this.asset?.id || asset?.hash !== this.hash;
    if (isOther) this.#blank();
    this.asset = asset;
    this.node.classList.toggle("unknown", !asset);
    if (!asset) return;
    const source = api.thumbnail(asset.id, size, asset.hash);
    if (isOther || (source !== this.source && !this.hasPicture)) this.source = source;
    if (isOther) this.#face(asset);
    this.#state(asset);
  }

  get needsPicture() {
    return this.asset !== undefined && !this.hasPicture && !this.hasFailed;
  }

  /** The blurred preview; whether there was anything to draw. */
  drawHash() {
    if (this.hasHash || this.hasPicture || !this.bytes) return false;
    const image = picture(this.bytes);
    this.canvas.width = image.width;
    this.canvas.height = image.height;
    (this.context ??= this.canvas.getContext("2d", { willReadFrequently: true })).putImageData(image, 0, 0);
    this.canvas.hidden = false;
    return (this.hasHash = true);
  }

  loadPicture(ended) {
    this.ended = ended;
    this.began = performance.now();
    this.image.src = this.source;
  }

  /** Ends a request that has not been answered. */
  dropPicture() {
    this.ended = null;
    this.image.removeAttribute("src");
  }

  /** Lets a picture that could not be had be asked for again. */
  forgive() {
    this.hasFailed = false;
  }

  mark(isSelected, isActive) {
    this.node.setAttribute("aria-selected", isSelected);
    this.node.classList.toggle("active", isActive);
  }

  /** The day, on the first picture of it, where no heading says it. */
  chip(text) {
    if (this.day.textContent !== text) this.day.textContent = text;
    this.day.hidden = text === "";
  }

  #blank() {
    const loading = this.ended;
    this.dropPicture();
    // The place among the few that load at once is free again.
    loading?.();
    this.asset = this.hash = this.bytes = this.source = undefined;
    this.hasPicture = this.hasFailed = this.hasHash = false;
    this.canvas.hidden = this.image.hidden = true;
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
    const isMoving = asset.kind === "video" || asset.kind === "animation" || asset.kind === "raw";
    const words = { video: asset.duration ? clock(asset.duration) : "Video", animation: "GIF", raw: "RAW" };
    this.length.hidden = !isMoving;
    this.length.textContent = words[asset.kind] ?? "";
    this.length.classList.toggle("moving", asset.kind === "video");
  }

  #state(asset) {
    const note = asset.note ?? "";
    if (this.state === asset.state && this.note === note) return;
    this.state = asset.state;
    this.note = note;
    setBadge(this.badge, asset.state);
    this.badge.style.visibility = "";
    const length = asset.kind === "video" && asset.duration ? `, ${clock(asset.duration)}` : "";
    const sentence = note || stateSentences[asset.state] || asset.state;
    const taken = `${takenWords(asset.taken)}${asset.dated ? "" : " (the file's date)"}`;
    this.node.setAttribute("aria-label", `${kindNames[asset.kind] ?? "File"}${length}, ${taken}, ${asset.name}. ${sentence}`);
    this.node.title = asset.state === "stored" && !note ? asset.name : `${asset.name}\n${sentence}`;
  }

  #ended(isLoaded) {
    if (!this.ended) return;
    const ended = this.ended;
    this.ended = null;
    this.hasPicture = isLoaded;
    this.hasFailed = !isLoaded;
    this.image.hidden = !isLoaded;
    this.image.classList.toggle("late", performance.now() - this.began > 60);
    if (!isLoaded) this.#bare();
    ended();
  }

  /** Without a picture the name stands in. */
  #bare() {
    this.image.removeAttribute("src");
    if (this.bytes) return;
    this.node.classList.add("bare");
    this.node.dataset.name = this.asset?.name ?? "";
  }
}
