/** What the timeline is narrowed to, and what it says where nothing is left. */

import * as api from "./api.js";
import { badge, button, find, make } from "./dom.js";
import { Folders } from "./folders.js";
import { dateWords, kinds, number, plural, states } from "./words.js";

const typingPause = 250;

export class Filters {
  /** @param {(filter: api.Filter) => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {api.Filter} */
    this.filter = {};
    this.chips = new Map();
    this.states = make("div", { class: "chips", role: "group", "aria-label": "State" });
    this.folders = new Folders((part) => this.#change({ root: undefined, path: undefined, ...part }));
    this.kind = this.#menu("kind", "All kinds");
    this.camera = this.#menu("camera", "All cameras");
    this.#dates();
    this.count = make("span", { class: "count", role: "status" });
    find("filters").append(this.states, make(
      "div",
      { class: "menus" },
      this.folders.button,
      this.date,
      this.kind,
      this.camera,
      make("a", { class: "wide-button", href: "#/duplicates" }, "Duplicates"),
      this.count,
    ));
    find("filters").after(this.folders.way);
    document.body.append(this.folders.menu, this.dateMenu);
    this.#chip("", "All");
    for (const [state, words] of Object.entries(states)) this.#chip(state, words);
    this.#listenToText();
  }

  get isEmpty() {
    return Object.values(this.filter).every((value) => !value);
  }

  /** @param {api.Filter} filter */
  set(filter) {
    this.filter = filter;
    this.text.value = filter.text ?? "";
    this.folders.show(filter);
    [this.since.value, this.until.value] = [filter.since ?? "", filter.until ?? ""];
    this.date.lastChild.textContent = dateWords(filter.since, filter.until) ?? "Any date";
    for (const [state, chip] of this.chips) chip.setAttribute("aria-pressed", state === (filter.state ?? ""));
  }

  /** Asks for the counts of what is offered. */
  async refresh() {
    this.abort?.abort();
    this.abort = new AbortController();
    const { state, ...others } = this.filter;
    try {
      const facets = await api.facets(others, this.abort.signal);
      this.#offer(facets, state);
      return facets;
    } catch {
      // The chips stay as they were; the banner says when nothing answers.
      return null;
    }
  }

  /** Brings the chosen state into view, where the row of them is longer than the window. */
  reveal() {
    this.chips.get(this.filter.state ?? "")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  say(count) {
    this.count.textContent = this.isEmpty ? "" : `${number(count)} shown`;
  }

  #change(part) {
    this.changed({ ...this.filter, ...part });
  }

  #chip(state, words) {
    const node = button({
      words,
      className: "chip-button",
      "aria-pressed": false,
      onclick: () => this.#change({ state: state || undefined }),
    });
    if (state) node.prepend(badge(state));
    node.append(make("span", { class: "tally" }));
    this.states.append(node);
    this.chips.set(state, node);
  }

  #menu(name, all) {
    const node = make("select", {
      "aria-label": name === "camera" ? "Camera" : "Kind",
      onchange: () => this.#change({ [name]: node.value || undefined }),
    });
    node.append(make("option", { value: "" }, all));
    return node;
  }

  /** The first and the last day, in a menu of their own. */
  #dates() {
    const day = (name) =>
      make("input", { type: "date", onchange: ({ target }) => this.#change({ [name]: target.value || undefined }) });
    [this.since, this.until] = [day("since"), day("until")];
    const any = button({
      words: "Any date",
      onclick: () => {
        this.dateMenu.hidePopover();
        this.#change({ since: undefined, until: undefined });
      },
    });
    const fields = [make("label", {}, "From", this.since), make("label", {}, "To", this.until)];
    this.dateMenu = make("div", { class: "menu dates", id: "date-menu", popover: "auto" }, ...fields, any);
    this.date = button({ words: "Any date", className: "menu-button", popovertarget: "date-menu" });
  }

  #offer(facets, chosen) {
    // The counts know days and kinds, but neither names nor folders nor cameras.
    const isCounted = !this.filter.text && !this.filter.path && !this.filter.camera;
    const all = Object.values(facets.states).reduce((sum, count) => sum + count, 0);
    for (const [state, chip] of this.chips) {
      const count = state ? facets.states[state] ?? 0 : all;
      chip.lastChild.textContent = isCounted ? number(count) : "";
      chip.hidden = state !== "" && count === 0 && state !== chosen;
    }
    const { motions } = facets;
    this.chips.get("").title = motions > 0 ? `${plural(motions, "Live Photo")} shown once, with two files each` : "";
    this.#options(
      this.kind,
      Object.entries(facets.kinds).map(([name, count]) => [name, kinds[name] ?? name, count]),
      this.filter.kind,
    );
    const cameras = Object.entries(facets.cameras ?? {}).sort((a, b) => b[1] - a[1]);
    this.#options(this.camera, cameras.map(([name, count]) => [name, name, count]), this.filter.camera);
  }

  #options(menu, entries, chosen) {
    const known = entries.some(([value]) => value === chosen) || !chosen ? entries : [...entries, [chosen, chosen, 0]];
    const nodes = known.map(([value, words, count]) => make("option", { value }, `${words} · ${number(count)}`));
    menu.replaceChildren(menu.firstChild, ...nodes);
    menu.value = chosen ?? "";
    menu.hidden = entries.length < 2 && !chosen;
  }

  #listenToText() {
    this.text = find("search-text");
    let timer = 0;
    this.text.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#change({ text: this.text.value.trim() || undefined }), typingPause);
    });
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "ArrowDown") find("photos-grid").focus();
    });
  }
}

const nothing = {
  stored: ["Nothing stored yet", "What is stored and verified shows here."],
  waiting: ["Nothing waits", "Everything that was found is stored or has its reason under Status."],
  failed: ["Nothing failed", "Every file that was tried is stored or on its way."],
  remote: ["Nothing is only in storage", "Files that you delete here while they are stored show here."],
  held: ["Nothing is held", "Where very many files change at once, they are held here until you agree."],
  ignored: ["Nothing is left out", "Files that a rule leaves out show here."],
};

/**
 * What stands in the place of pictures.
 * @param {api.Filter} filter
 * @param {any} report the status, where it is known
 * @param {{clear: () => void, sync: () => void}} steps
 */
export function emptyState(filter, report, steps) {
  const all = button({ words: "Show all", className: "primary", onclick: steps.clear });
  if (filter.text) {
    return [
      heading(`No name contains “${filter.text}”`),
      sentence("Only names are searched; part of one is enough."),
      all,
    ];
  }
  if (filter.state && nothing[filter.state] && !filter.root && !filter.kind) {
    const [title, words] = nothing[filter.state];
    return [heading(title), sentence(words), all];
  }
  if (Object.values(filter).some(Boolean)) {
    return [heading("Nothing matches"), sentence("No file has all that was asked for."), all];
  }
  if (report?.destination === null) {
    return [heading("Nothing is set up yet"), sentence("In a terminal, run"), make("code", {}, "gallery-sync init")];
  }
  const folders = report?.roots?.map(({ path }) => make("li", {}, path)) ?? [];
  return [
    heading("No photos yet"),
    sentence(
      folders.length > 0
        ? "Photos and videos show here as soon as they are found in"
        : "Photos and videos show here as soon as they are found.",
    ),
    folders.length > 0 && make("ul", {}, ...folders),
    report?.agent?.running
      ? button({ words: "Look now", className: "primary", onclick: steps.sync })
      : sentence("Run “gallery-sync watch” to look for them."),
  ].filter(Boolean);
}

const heading = (words) => make("h2", {}, words);
const sentence = (words) => make("p", {}, words);
