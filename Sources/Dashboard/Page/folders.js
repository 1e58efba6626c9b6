/** The folders of the gallery as a tree that opens level by level, and the way to the one that is shown. */

import * as api from "./api.js";
import { button, icon, make } from "./dom.js";
import { number } from "./words.js";

export class Folders {
  /** @param {(part: api.Filter) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.menu = make("div", { class: "menu folders", id: "folders-menu", popover: "auto", "aria-label": "Folders" });
    this.words = make("span", {});
    this.button = button({ icon: "folder", label: "Folder", className: "menu-button", popovertarget: "folders-menu" });
    this.button.removeAttribute("aria-label");
    this.button.append(this.words);
    this.way = make("nav", { class: "way", "aria-label": "Folder", hidden: true });
    this.menu.addEventListener("toggle", (event) => event.newState === "open" && this.#open());
  }

  /** @param {api.Filter} filter */
  show(filter) {
    this.filter = filter;
    const parts = filter.root ? [filter.root, ...this.#steps(filter.path)] : [];
    this.words.textContent = parts.at(-1) ?? "All folders";
    this.way.hidden = parts.length < 2;
    this.way.replaceChildren(
      this.#step("All folders", {}),
      ...parts.map((name, index) =>
        this.#step(
          name,
          { root: filter.root, path: this.#pathTo(filter.path, index) },
          index === parts.length - 1,
        )
      ),
    );
  }

  /** Names of the folders on the way; one whose bytes are no text is a step by itself. */
  #steps(path) {
    if (!path) return [];
    return path.startsWith("~") ? ["…"] : path.split("/");
  }

  #pathTo(path, index) {
    if (index === 0 || !path) return undefined;
    return path.startsWith("~") ? path : path.split("/").slice(0, index).join("/");
  }

  #step(name, { root, path }, isHere = false) {
    const words = make("bdi", {}, name);
    return isHere
      ? make("span", { "aria-current": "location" }, words)
      : button({ words: name, onclick: () => this.choose({ root, path }) });
  }

  async #open() {
    this.menu.replaceChildren(this.#row({ name: "All folders", root: undefined, path: "" }), make("p", {}, "Looking…"));
    try {
      const { folders } = await api.folders();
      this.menu.lastChild.replaceWith(this.#list(folders, folders.length === 1));
    } catch (error) {
      this.menu.lastChild.textContent = error.message;
    }
    this.menu.querySelector("button")?.focus();
  }

  #list(folders, isOpen = false) {
    return make("ul", {}, ...folders.map((folder) => this.#item(folder, isOpen)));
  }

  #item(folder, isOpen) {
    const toggle = button({
      icon: "right",
      label: `Folders in ${folder.name}`,
      className: "twist",
      "aria-expanded": "false",
      onclick: () => this.#twist(item, toggle, folder),
    });
    if (!folder.hasFolders) toggle.style.visibility = "hidden";
    const item = make("li", {}, make("div", {}, toggle, this.#row(folder)));
    const holds = folder.root === this.filter.root &&
      (folder.path === "" || `${this.filter.path ?? ""}/`.startsWith(`${folder.path}/`));
    if (folder.hasFolders && (isOpen || holds)) this.#twist(item, toggle, folder);
    return item;
  }

  async #twist(item, toggle, folder) {
    const isOpen = toggle.getAttribute("aria-expanded") === "true";
    toggle.setAttribute("aria-expanded", !isOpen);
    if (isOpen) return item.querySelector("ul")?.remove();
    try {
      const { folders } = await api.folders(folder.root, folder.path);
      item.append(this.#list(folders));
    } catch (error) {
      item.append(make("p", {}, error.message));
    }
  }

  #row({ name, root, path, count }) {
    const isHere = root === this.filter.root && (path || undefined) === this.filter.path;
    return make(
      "button",
      {
        type: "button",
        "aria-current": isHere ? "true" : null,
        onclick: () => {
          this.menu.hidePopover();
          this.choose({ root, path: path || undefined });
        },
      },
      icon("folder"),
      make("bdi", {}, name),
      count !== undefined && make("span", { class: "tally" }, number(count)),
    );
  }
}
