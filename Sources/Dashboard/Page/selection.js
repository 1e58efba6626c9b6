/** The chosen assets, by their ids, and the bar that says what can be done with them. */

import * as api from "./api.js";
import { button, find, make } from "./dom.js";
import { say, toast } from "./voice.js";
import { number, plural } from "./words.js";

/** How many a range may take in. */
export const rangeLimit = 5_000;
/** How many ids an action takes at once. */
const batch = 2_000;

export class Selection extends EventTarget {
  constructor() {
    super();
    /** @type {Map<string, import("./columns.js").Asset>} */
    this.assets = new Map();
    this.bar = find("selection");
    this.words = make("strong", {});
    this.retry = button({ icon: "retry", words: "Retry", className: "primary", onclick: () => this.#retry() });
    const clear = button({
      icon: "close",
      label: "Clear the selection",
      className: "round",
      onclick: () => this.clear(),
    });
    this.bar.append(clear, this.words, this.retry);
  }

  get size() {
    return this.assets.size;
  }

  has(id) {
    return this.assets.has(id);
  }

  /** @param {import("./columns.js").Asset} asset */
  toggle(asset) {
    if (!this.assets.delete(asset.id)) this.assets.set(asset.id, asset);
    this.#changed();
    say(`${this.has(asset.id) ? "Selected" : "Not selected"}. ${plural(this.size, "file")} selected.`);
  }

  add(assets) {
    for (const asset of assets) this.assets.set(asset.id, asset);
    this.#changed();
    say(`${plural(this.size, "file")} selected.`);
  }

  clear() {
    if (this.size === 0) return;
    this.assets.clear();
    this.#changed();
    say("Nothing selected.");
  }

  /** States of assets have changed, and with them what can be retried. */
  change(ids, states) {
    ids.forEach((id, index) => {
      const asset = this.assets.get(id);
      if (asset) asset.state = states[index];
    });
    this.refresh();
  }

  /** Says what is selected; returns what can be retried. */
  refresh() {
    const tried = [...this.assets.values()].filter(({ state }) => state === "failed" || state === "waiting");
    this.bar.hidden = this.size === 0;
    document.body.classList.toggle("selecting", this.size > 0);
    this.words.textContent = `${number(this.size)} selected`;
    this.retry.disabled = tried.length === 0;
    this.retry.lastChild.textContent = tried.length > 0 ? `Retry ${number(tried.length)}` : "Nothing to retry";
    return tried;
  }

  #changed() {
    this.refresh();
    this.dispatchEvent(new Event("change"));
  }

  async #retry() {
    if (await retry(this.refresh().map(({ id }) => id))) this.clear();
  }
}

/** Sends files again and says how that went; whether it was accepted. */
export async function retry(ids) {
  let sentence = "";
  try {
    for (let from = 0; from < ids.length; from += batch) {
      const part = ids.slice(from, from + batch);
      sentence = (await api.act("retry", { ids: part })).sentence;
    }
  } catch (error) {
    toast(error.message, true);
    return false;
  }
  toast(ids.length > batch ? `${plural(ids.length, "file is", "files are")} tried again.` : sentence);
  return true;
}
