/** Files with the same content under several names, side by side. */

import * as api from "./api.js";
import { badge, button, make } from "./dom.js";
import { bytes, plural, states } from "./words.js";

const page = 30;

export class Duplicates {
  /**
   * @param {HTMLElement} node
   * @param {() => number[]} sizes of thumbnails
   */
  constructor(node, sizes) {
    this.sizes = sizes;
    this.title = make("h2", { class: "duplicates-title" });
    this.about = make("p", { class: "soft" });
    this.list = make("ul", { class: "duplicates" });
    this.more = button({ words: "Show more", onclick: () => this.#load() });
    node.append(make("div", { class: "status-page" }, this.title, this.about, this.list, this.more));
  }

  async show() {
    this.list.replaceChildren();
    this.title.textContent = "Looking for files that are the same…";
    this.about.textContent = "";
    this.more.hidden = true;
    await this.#load();
  }

  async #load() {
    try {
      const { count, bytes: waste, sets } = await api.duplicates(this.list.children.length, page);
      this.title.textContent = count === 0
        ? "No two files are the same"
        : `${plural(count, "content is", "contents are")} there more than once`;
      this.about.textContent = count === 0
        ? "Files are compared by all of their bytes."
        : `Without the copies there would be ${bytes(waste)} less. gallery-sync deletes no file of yours: what to keep is yours to choose.`;
      this.list.append(...sets.map((set) => this.#set(set)));
      this.more.hidden = this.list.children.length >= count;
    } catch (error) {
      this.title.textContent = error.message;
    }
  }

  #set({ size, count, files }) {
    const head = `${plural(count, "file")} of ${bytes(size)} each`;
    return make(
      "li",
      { class: "card" },
      make("h3", {}, head),
      make("ul", { class: "copies" }, ...files.map((file) => this.#copy(file))),
      count > files.length && make("p", { class: "soft" }, `The first ${files.length} are shown.`),
    );
  }

  #copy({ id, name, path, state, hash }) {
    const image = make("img", {
      src: api.thumbnail(id, this.sizes()[0] ?? 256, hash),
      alt: "",
      loading: "lazy",
    });
    image.onerror = () => image.remove();
    const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
    return make(
      "li",
      {},
      make("span", { class: "frame" }, image),
      make("strong", {}, badge(state), make("bdi", {}, name)),
      make("span", { class: "unseen" }, states[state]),
      make("code", { class: "soft" }, make("bdi", {}, folder)),
    );
  }
}
