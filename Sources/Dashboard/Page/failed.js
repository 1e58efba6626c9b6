/** Files that failed, each with its reason and a retry; and one for all of them. */

import { retry } from "./actions.js";
import * as api from "./api.js";
import { button, make, nextStep, spaced } from "./dom.js";
import { toast } from "./voice.js";
import { number, plural } from "./words.js";

const shown = 20;
const pageLength = 512;
const filter = { state: "failed" };

export class FailedList {
  constructor() {
    this.list = make("ul", { class: "failed-files" });
    this.causes = make("ul", { class: "causes" });
    this.all = button({ icon: "retry", words: "Retry all", className: "primary", onclick: () => this.#retryAll() });
    this.more = make("a", { href: "#/photos?state=failed" });
    this.node = make(
      "section",
      { class: "card" },
      make("div", { class: "card-head" }, make("h3", {}, "What failed"), this.all),
      this.causes,
      this.list,
      this.more,
    );
    this.load = spaced(2000, () => this.#load());
  }

  /** Looks again where the number or the causes have changed. */
  refresh(count, causes) {
    const key = JSON.stringify([count, causes]);
    if (key === this.key) return;
    this.key = key;
    this.count = count;
    if (count === 0) return;
    this.all.lastChild.textContent = `Retry all ${number(count)}`;
    this.causes.replaceChildren(
      ...causes.map((cause) =>
        make(
          "li",
          { class: "failed" },
          make(
            "div",
            {},
            make("strong", {}, `${plural(cause.count, "file")}: ${cause.message || cause.code}`),
            nextStep(cause.next),
          ),
          make("code", { class: "soft" }, cause.code),
        )
      ),
    );
    this.load();
  }

  async #load() {
    try {
      const { ids, names, notes, hashes } = await api.columns(0, shown, filter);
      this.list.replaceChildren(...ids.map((id, index) => this.#row(id, names[index], notes[index], hashes[index])));
      this.more.hidden = this.count <= ids.length;
      this.more.textContent = `Show all ${number(this.count)} among the photos`;
    } catch (error) {
      this.list.replaceChildren(make("li", {}, error.message));
    }
  }

  #row(id, name, note, hash) {
    const again = button({
      words: "Retry",
      label: `Retry ${name}`,
      title: "Retry",
      onclick: async () => {
        again.disabled = true;
        if (!(await retry([id]))) again.disabled = false;
      },
    });
    const image = make("img", {
      src: api.thumbnail(id, 256, hash),
      alt: "",
      loading: "lazy",
      width: "56",
      height: "56",
    });
    image.onerror = () => image.remove();
    return make(
      "li",
      {},
      make("span", { class: "frame" }, image),
      make("div", {}, make("bdi", {}, name), note && make("p", { class: "soft" }, note)),
      again,
    );
  }

  async #retryAll() {
    this.all.disabled = true;
    try {
      const ids = [];
      for (let from = 0; from < this.count; from += pageLength) {
        ids.push(...(await api.columns(from, pageLength, filter)).ids);
      }
      await retry([...new Set(ids)]);
    } catch (error) {
      toast(error.message, true);
    }
    this.all.disabled = false;
    this.load();
  }
}
