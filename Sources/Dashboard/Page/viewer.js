/** One asset over the whole window: picture or video, its neighbours, its facts. */

import * as api from "./api.js";
import { badge, button, icon, make } from "./dom.js";
import { facts } from "./facts.js";
import { Motion } from "./motion.js";
import { say } from "./voice.js";
import { number, takenWords } from "./words.js";
import { Zoom } from "./zoom.js";

/** Extensions of pictures that most browsers cannot show; their largest thumbnail stands in. */
const unshown = /\.(hei[cf]s?|tiff?|dng|cr[23w]|nef|nrw|arw|sr2|raf|rw2|orf|pef|srw|3fr|iiq|jp2|jpf|jxl|psd|pdf|ai)$/i;

export class Viewer {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {{timeline: import("./timeline.js").Timeline}} parts
   */
  constructor(dialog, { timeline }) {
    this.dialog = dialog;
    this.timeline = timeline;
    /** Pictures of the neighbours, so that turning the page shows them at once. */
    this.near = [];
    this.#build();
    this.zoom = new Zoom(this.stage, {
      turn: (step) => this.turn(step),
      close: () => this.close(),
      changed: (scale) => this.#zoomed(scale),
    });
    dialog.addEventListener("keydown", (event) => this.#key(event));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
    window.addEventListener("popstate", () => this.dialog.open && this.#shut());
  }

  get isOpen() {
    return this.dialog.open;
  }

  async open(offset) {
    if (!this.dialog.open) {
      // The browser's way back closes the viewer.
      history.pushState({ isViewer: true }, "");
      this.dialog.showModal();
      this.stage.focus();
    }
    await this.#show(offset);
  }

  close() {
    if (history.state?.isViewer) history.back();
    else this.#shut();
  }

  turn(step) {
    const target = this.offset + step;
    if (target < 0 || target >= this.timeline.count) {
      return say(step < 0 ? "This is the newest." : "This is the oldest.");
    }
    return this.#show(target);
  }

  /** States of assets have changed. */
  change({ ids }) {
    if (!this.isOpen || !this.asset || !ids.includes(this.asset.id)) return;
    this.#head(this.asset);
    this.#describe(this.asset);
  }

  #build() {
    this.stage = make("div", { class: "viewer-stage", tabindex: "-1" });
    this.title = make("p", { class: "viewer-title" });
    this.badge = badge("stored");
    this.place = make("span", { class: "viewer-place" });
    this.panel = make("aside", { class: "facts", id: "facts", "aria-label": "Facts", hidden: true, tabindex: "0" });
    this.previous = button({ icon: "left", label: "Newer", className: "turn newer", onclick: () => this.turn(-1) });
    this.next = button({ icon: "right", label: "Older", className: "turn older", onclick: () => this.turn(1) });
    const bar = make("div", { class: "viewer-bar" });
    bar.append(this.#round("close", "Close", () => this.close()), this.title, this.place, this.badge, ...this.#tools());
    const main = make("div", { class: "viewer-main" }, bar, this.stage, this.previous, this.next);
    this.dialog.append(main, this.panel);
  }

  #round(icon, label, onclick) {
    return button({ icon, label, className: "round", onclick });
  }

  #tools() {
    const words = "Download the original";
    this.less = this.#round("minus", "Zoom out", () => this.zoom.by(1 / 1.5));
    this.more = this.#round("plus", "Zoom in", () => this.zoom.by(1.5));
    this.download = make("a", { class: "round", "aria-label": words, title: words }, icon("download"));
    this.about = this.#round("info", "Facts", () => this.#toggleFacts());
    this.about.setAttribute("aria-controls", "facts");
    this.about.setAttribute("aria-expanded", false);
    this.motion = new Motion(this.stage, (sentence) => this.#word(sentence));
    return [this.motion.button, this.less, this.more, this.download, this.about];
  }

  async #show(offset) {
    this.offset = offset;
    let asset;
    try {
      asset = await this.timeline.columns.fetch(offset);
    } catch (error) {
      return this.#word(error.message);
    }
    if (this.offset !== offset || !asset || !this.isOpen) return;
    this.asset = asset;
    this.timeline.active = offset;
    this.#head(asset);
    this.#picture(asset);
    this.motion.attach(asset);
    this.#describe(asset);
    this.#preload(offset);
    say(`${asset.name}, ${number(offset + 1)} of ${number(this.timeline.count)}`);
  }

  #head(asset) {
    const name = make("bdi", {}, asset.name);
    this.title.replaceChildren(
      name,
      make("span", {}, takenWords(asset.taken) + (asset.dated ? "" : " (the file's date)")),
    );
    this.place.textContent = `${number(this.offset + 1)} of ${number(this.timeline.count)}`;
    this.badge.className = `badge ${asset.state}`;
    this.download.href = api.original(asset.id, true);
    this.download.download = asset.name;
    this.previous.disabled = this.offset === 0;
    this.next.disabled = this.offset === this.timeline.count - 1;
  }

  #picture(asset) {
    this.#clear();
    const isZoomable = asset.kind !== "video";
    this.less.hidden = this.more.hidden = !isZoomable;
    if (asset.kind === "video") return this.#video(asset);
    const preview = make("img", {
      class: "full soft",
      src: this.#thumbnail(asset),
      alt: asset.name,
      draggable: "false",
    });
    preview.onload = () => this.#fit(preview, preview.naturalWidth, preview.naturalHeight);
    preview.onerror = () => this.#nothing(asset, preview);
    this.stage.append(preview);
    this.zoom.attach(preview);
    return this.#tryOriginal(asset, preview);
  }

  /** The original takes the preview's place once it is decoded, so that nothing flickers. */
  async #tryOriginal(asset, preview) {
    const reason = "This browser cannot show the original; this is its preview. It can be downloaded.";
    if (asset.kind === "raw" || unshown.test(asset.name)) return this.#word(reason);
    const full = this.near.find(({ asset: other }) => other.id === asset.id)?.image ?? new Image();
    full.className = "full";
    full.alt = asset.name;
    full.draggable = false;
    if (!full.src) full.src = api.original(asset.id);
    try {
      await full.decode();
    } catch {
      const sentence = (await api.whyNot(api.original(asset.id))) ?? reason;
      if (this.asset === asset) this.#word(sentence);
      return;
    }
    if (this.asset !== asset) return;
    if (!preview.isConnected) this.stage.replaceChildren(preview);
    this.#fit(full, full.naturalWidth, full.naturalHeight);
    full.style.transform = preview.style.transform;
    preview.replaceWith(full);
    this.zoom.node = full;
  }

  #video(asset) {
    const video = make("video", {
      controls: true,
      playsinline: true,
      preload: "metadata",
      poster: this.#thumbnail(asset),
      "aria-label": asset.name,
    });
    video.addEventListener("error", async () => {
      if (this.asset !== asset) return;
      const reason = (await api.whyNot(api.original(asset.id))) ??
        "This browser cannot play this video. It can be downloaded.";
      if (this.asset !== asset) return;
      const still = make("img", { class: "full", src: this.#thumbnail(asset), alt: asset.name });
      still.onload = () => this.#fit(still, still.naturalWidth, still.naturalHeight);
      still.onerror = () => this.#nothing(asset, still);
      video.replaceWith(still);
      this.#word(reason);
    });
    video.src = api.original(asset.id);
    this.stage.append(video);
    this.zoom.attach(null);
  }

  /** Where there is no preview either. */
  #nothing(asset, image) {
    if (this.asset !== asset || !image.isConnected) return;
    image.replaceWith(
      make(
        "div",
        { class: "nothing" },
        icon("picture"),
        make("p", {}, asset.note ?? "There is no preview of this file."),
      ),
    );
    this.zoom.attach(null);
  }

  /** Pictures fill the stage as far as their shape allows, small ones at most at four times their size. */
  #fit(image, width, height) {
    const limit = image.classList.contains("soft") ? Infinity : 4;
    const scale = Math.min(this.stage.clientWidth / width, this.stage.clientHeight / height, limit);
    image.style.width = `${width * scale}px`;
    image.style.height = `${height * scale}px`;
  }

  #thumbnail(asset) {
    return api.thumbnail(asset.id, this.timeline.sizes.at(-1), asset.hash);
  }

  #word(sentence) {
    this.stage.querySelector(".word")?.remove();
    this.stage.append(make("p", { class: "word" }, sentence));
    say(sentence);
  }

  #clear() {
    this.motion.attach(null);
    for (const video of this.stage.querySelectorAll("video")) {
      video.pause();
      video.removeAttribute("src");
      video.load();
    }
    this.stage.replaceChildren();
  }

  async #describe(asset) {
    this.factsAbort?.abort();
    if (this.panel.hidden) return;
    this.factsAbort = new AbortController();
    try {
      const document = await api.asset(asset.id, this.factsAbort.signal);
      if (this.asset === asset) this.panel.replaceChildren(...facts(document));
    } catch (error) {
      if (error.name !== "AbortError") this.panel.replaceChildren(make("p", {}, error.message));
    }
  }

  async #preload(offset) {
    const before = this.near;
    this.near = [];
    for (const place of [offset + 1, offset - 1]) {
      if (place < 0 || place >= this.timeline.count) continue;
      const asset = await this.timeline.columns.fetch(place).catch(() => undefined);
      if (!asset || this.offset !== offset) return;
      const kept = before.find((one) => one.asset.id === asset.id);
      if (kept) this.near.push(kept);
      else if (asset.kind === "photo" && !unshown.test(asset.name)) {
        const image = new Image();
        image.src = api.original(asset.id);
        this.near.push({ asset, image });
      }
    }
  }

  #toggleFacts() {
    this.panel.hidden = !this.panel.hidden;
    this.about.setAttribute("aria-expanded", !this.panel.hidden);
    if (this.asset) this.#describe(this.asset);
    const image = this.stage.querySelector("img.full");
    if (image?.naturalWidth) this.#fit(image, image.naturalWidth, image.naturalHeight);
    this.zoom.reset();
  }

  #zoomed(scale) {
    this.less.disabled = scale <= 1;
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isVideo = event.target.closest("video") !== null;
    const steps = {
      ArrowLeft: () => this.#arrow(-1, 0),
      ArrowRight: () => this.#arrow(1, 0),
      ArrowUp: () => this.#arrow(0, -1),
      ArrowDown: () => this.#arrow(0, 1),
      "+": () => this.zoom.by(1.5),
      "=": () => this.zoom.by(1.5),
      "-": () => this.zoom.by(1 / 1.5),
      "0": () => this.zoom.reset(),
      i: () => this.#toggleFacts(),
      d: () => this.download.click(),
      Home: () => this.#show(0),
      End: () => this.#show(this.timeline.count - 1),
      " ": () => this.#play(),
    };
    const isOnButton = event.key === " " && event.target.closest("button, a");
    if (!steps[event.key] || isOnButton || isVideo || event.target.closest(".facts")) return;
    event.preventDefault();
    steps[event.key]();
  }

  #arrow(x, y) {
    if (this.zoom.isZoomed) this.zoom.pan(-x * 80, -y * 80);
    else if (x !== 0) this.turn(x);
  }

  #play() {
    const video = this.stage.querySelector("video");
    if (this.motion.asset) this.motion.toggle();
    else if (video) video.paused ? video.play() : video.pause();
  }

  #shut() {
    this.#clear();
    this.near = [];
    this.asset = undefined;
    this.dialog.close();
    this.timeline.activate(this.offset);
    this.timeline.grid.focus({ preventScroll: true });
  }
}
