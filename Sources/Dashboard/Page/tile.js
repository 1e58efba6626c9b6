/** One asset of the timeline: its place in a row, with its badges; the row draws its picture. */

import { badge, make } from "./dom.js";
import { clock, kindOf, stateSentences, takenWords } from "./words.js";

let made = 0;

/**
 * What of a tile does not differ from before is not touched: each touch makes the browser compute styles and boxes anew,
 * and it frees old ones after a minute, not at once.
 */
export class Tile {
  constructor() {
    this.node = make("div", { class: "tile", role: "gridcell", id: `tile-${++made}` });
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
    this.node.append(this.badge, this.length, this.day, this.tick);
    this.lengthWords = this.dayWords = "";
    this.box = {};
    this.#unknown();
  }

  /** Where the tile stands in its row. @param {{left: number, top: number, width: number, height: number}} box */
  place(offset, box) {
    this.offset = offset;
    for (const name in box) if (this.box[name] !== box[name]) this.node.style[name] = `${box[name]}px`;
    this.box = box;
  }

  /** @param {import("./columns.js").Asset | undefined} asset `undefined` while it is not known */
  show(asset) {
    if ((this.asset?.away === true) !== (asset?.away === true)) this.node.classList.toggle("away");
    const wasKnown = this.asset !== undefined;
    this.asset = asset;
    if (asset) this.#tell(asset);
    else if (wasKnown) this.#unknown();
  }

  /** What of its picture is there: without one the name stands in. @param {"nothing" | "picture" | "none"} what */
  shows(what) {
    const isBlank = what !== "picture" && !this.asset?.hash;
    const isBare = what === "none" && isBlank;
    if (isBare && this.node.dataset.name !== this.asset.name) this.node.dataset.name = this.asset.name;
    for (const [name, isSo] of [["plain", isBlank], ["bare", isBare]]) {
      if (this[name] !== isSo) this.node.classList.toggle(name, this[name] = isSo);
    }
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

  #unknown() {
    this.node.classList.add("unknown");
    this.badge.style.visibility = "hidden";
    this.#mark("", "");
    this.state = undefined;
    this.node.setAttribute("aria-label", "Loading");
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

  #tell(asset) {
    const note = asset.note ?? "";
    const told = [asset.id, asset.state, note, asset.away, asset.live, asset.duration];
    if (this.state !== undefined && told.every((value, index) => value === this.told[index])) return;
    this.told = told;
    if (this.state !== asset.state) this.badge.className = `badge ${asset.state}`;
    if (this.state === undefined) {
      this.badge.style.visibility = "";
      this.node.classList.remove("unknown");
    }
    this.state = asset.state;
    const kinds = { video: asset.duration ? clock(asset.duration) : "Video", animation: "GIF", raw: "RAW" };
    const moves = asset.kind === "video" ? "moving" : "";
    this.#mark(asset.live ? "Live" : kinds[asset.kind] ?? "", asset.live ? "live" : moves);
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
}
