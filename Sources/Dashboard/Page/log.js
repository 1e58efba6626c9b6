/** The last lines of the agent's log, as they come. */

import * as api from "./api.js";
import { make } from "./dom.js";
import { momentWords } from "./words.js";

/** Lines that are shown at most. */
const limit = 300;
const levels = ["error", "warning", "info", "debug", "trace"];

export class LogView {
  constructor() {
    this.lines = [];
    this.level = make(
      "select",
      { "aria-label": "Lines of the log", onchange: () => this.#draw() },
      make("option", { value: "trace" }, "All lines"),
      make("option", { value: "warning" }, "Warnings and errors"),
      make("option", { value: "error" }, "Errors"),
    );
    this.list = make("ol", { class: "log", tabindex: "0", "aria-label": "Log" });
    this.word = make("p", { class: "soft" });
    this.node = make(
      "section",
      { class: "card" },
      make("div", { class: "card-head" }, make("h3", {}, "Log"), this.level),
      this.list,
      this.word,
    );
  }

  async load() {
    try {
      this.lines = [];
      this.add(await api.log());
    } catch (error) {
      this.word.textContent = error.message;
    }
  }

  /** Takes lines that are newer than those that are there. */
  add({ lines }) {
    const last = this.lines.at(-1)?.number ?? 0;
    const news = lines.filter(({ number }) => number > last);
    this.lines = [...this.lines, ...news].slice(-limit);
    this.#draw();
  }

  #draw() {
    // The newest stay in view, unless an older one is being read.
    const isAtEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    const most = levels.indexOf(this.level.value);
    const shown = this.lines.filter(({ level }) => levels.indexOf(level) <= most);
    this.list.replaceChildren(...shown.map((line) => this.#line(line)));
    this.list.hidden = shown.length === 0;
    this.word.hidden = shown.length > 0;
    this.word.textContent = this.lines.length > 0 ? "No such line." : "Nothing was logged by this process.";
    if (isAtEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  #line({ at, level, message, details }) {
    return make(
      "li",
      { class: level },
      make("time", { datetime: at }, momentWords(at)),
      level !== "info" && make("b", {}, level),
      make("bdi", {}, message),
      ...details.map(([name, value]) => make("span", { class: "soft" }, `${name} `, make("bdi", {}, value))),
    );
  }
}
