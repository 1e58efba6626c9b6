/** The chosen assets, by their ids, and the bar that says what can be done with them. */

import { filesOf, offers } from "./actions.js";
import { button, find, make } from "./dom.js";
import { say } from "./voice.js";
import { number, plural } from "./words.js";

/** How many a range may take in. */
export const rangeLimit = 5_000;

export class Selection extends EventTarget {
  constructor() {
    super();
    /** @type {Map<string, import("./columns.js").Asset>} */
    this.assets = new Map();
    this.bar = find("selection");
    this.words = make("strong", {});
    this.first = make("span", {});
    this.menu = make("div", { class: "menu", id: "actions-menu", popover: "auto" });
    this.more = button({ words: "More", popovertarget: "actions-menu", "aria-haspopup": "true" });
    const clear = button({
      icon: "close",
      label: "Clear the selection",
      className: "round",
      onclick: () => this.clear(),
    });
    this.bar.append(clear, this.words, this.first, this.more, this.menu);
    this.menu.addEventListener("toggle", () => this.menu.querySelector("button")?.focus());
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
    say(`${this.has(asset.id) ? "Selected" : "Not selected"}. ${this.#sum}.`);
  }

  add(assets) {
    for (const asset of assets) this.assets.set(asset.id, asset);
    this.#changed();
    say(`${this.#sum}.`);
  }

  clear() {
    if (this.size === 0) return;
    this.assets.clear();
    this.#changed();
    say("Nothing selected.");
  }

  /** States of assets have changed, and with them what can be done. */
  change(ids, states, kept) {
    ids.forEach((id, index) => {
      const asset = this.assets.get(id);
      if (asset) [asset.state, asset.kept] = [states[index], kept[index]];
    });
    this.refresh();
  }

  /** Says what is selected, and offers what can be done with it. */
  refresh() {
    this.bar.hidden = this.size === 0;
    document.body.classList.toggle("selecting", this.size > 0);
    this.words.textContent = this.#sum;
    const all = offers([...this.assets.values()]);
    const first = all.find(({ reason }) => reason === null);
    const others = all.filter((offer) => offer !== first);
    this.first.replaceChildren(...(first ? [this.#offer(first, "primary")] : []));
    this.more.hidden = others.length === 0;
    if (this.more.hidden) this.menu.hidePopover?.();
    this.menu.replaceChildren(...others.map((offer) => this.#offer(offer, "")));
  }

  /** Live Photos are one to look at and two to act on. */
  get #sum() {
    const files = filesOf([...this.assets.values()]);
    return `${number(this.size)} selected${files > this.size ? `, ${plural(files, "file")}` : ""}`;
  }

  #offer({ icon, words, count, reason, act }, className) {
    const node = button({
      icon,
      words: count > 0 && count < this.size ? `${words} (${number(count)})` : words,
      className,
      title: reason,
      disabled: reason !== null,
      onclick: async () => {
        if (this.menu.matches(":popover-open")) this.menu.hidePopover();
        if (await act()) this.clear();
      },
    });
    if (reason) node.lastChild.append(make("small", {}, reason));
    return node;
  }

  #changed() {
    this.refresh();
    this.dispatchEvent(new Event("change"));
  }
}
