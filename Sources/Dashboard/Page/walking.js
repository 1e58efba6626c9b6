/** Pointer and keyboard in the timeline: moving, opening, selecting. */

import { placesOf } from "./layout.js";
import { rangeLimit } from "./selection.js";
import { toast } from "./voice.js";
import { number } from "./words.js";

/** Milliseconds until a finger that rests selects. */
const longPress = 450;

export class Walking {
  /**
   * @param {import("./timeline.js").Timeline} timeline
   * @param {import("./selection.js").Selection} selection
   * @param {(offset: number) => void} open
   */
  constructor(timeline, selection, open) {
    this.timeline = timeline;
    this.selection = selection;
    this.open = open;
    /** Where a range with Shift begins. */
    this.anchor = 0;
    const { grid } = timeline;
    grid.addEventListener("keydown", (event) => this.#key(event));
    grid.addEventListener("click", (event) => this.#click(event));
    grid.addEventListener("mousedown", (event) => event.shiftKey && event.preventDefault());
    this.#holdToSelect(grid);
  }

  async #key(event) {
    if (event.altKey || event.metaKey) return;
    const { timeline } = this;
    const before = timeline.active;
    const target = this.#target(event);
    if (target !== null) {
      event.preventDefault();
      timeline.activate(target);
      if (event.shiftKey) {
        await this.#selectRange(this.selection.size === 0 ? (this.anchor = before) : this.anchor, timeline.active);
      } else this.anchor = timeline.active;
      return;
    }
    if (event.key === "Enter") this.open(timeline.active);
    else if (event.key === " ") await this.#toggle(timeline.active);
    else if (event.key === "Escape") this.selection.clear();
    else return;
    event.preventDefault();
  }

  /** The offset that a key leads to; `null` for other keys. */
  #target({ key }) {
    const { timeline } = this;
    const { active, count } = timeline;
    const page = timeline.scroller.viewHeight * 0.9;
    switch (key) {
      case "ArrowRight":
        return active + 1;
      case "ArrowLeft":
        return active - 1;
      case "ArrowDown":
        return this.#across(1);
      case "ArrowUp":
        return this.#across(-1);
      case "PageDown":
        return this.#further(page);
      case "PageUp":
        return this.#further(-page);
      case "Home":
        return 0;
      case "End":
        return count - 1;
      default:
        return null;
    }
  }

  /** The asset above or below. */
  #across(step) {
    const { surface, active, count } = this.timeline;
    surface.layMonthOf(active);
    const place = surface.placeOf(active);
    const edge = step > 0 ? surface.endOf(place) : surface.firstOf(place) - 1;
    if (edge < 0 || edge >= count) return active;
    const middle = this.#middle(place, active);
    surface.layMonthOf(edge);
    return this.#nearest(surface.placeOf(edge), middle);
  }

  /** The asset a page away. */
  #further(distance) {
    const { surface, active } = this.timeline;
    surface.layMonthOf(active);
    const place = surface.placeOf(active);
    const y = Math.max(0, Math.min(surface.height - 1, surface.topOf(place) + distance));
    surface.lay(y, y + 1);
    return this.#nearest(surface.placeAt(y), this.#middle(place, active));
  }

  #places(place) {
    const { surface, ratios, months } = this.timeline;
    return placesOf(ratios.bytes, months, surface.rows[place.month], place.row, surface.endOf(place), surface.metrics);
  }

  #middle(place, offset) {
    const { left, widths } = this.#places(place);
    const index = offset - this.timeline.surface.firstOf(place);
    return left[index] + widths[index] / 2;
  }

  #nearest(place, middle) {
    const { left, widths } = this.#places(place);
    const away = left.map((x, index) => Math.abs(x + widths[index] / 2 - middle));
    return this.timeline.surface.firstOf(place) + away.indexOf(Math.min(...away));
  }

  #tileOf(target) {
    const node = target.closest?.(".tile");
    if (!node) return undefined;
    for (const tile of this.timeline.nodes.tiles()) if (tile.node === node) return tile;
    return undefined;
  }

  async #click(event) {
    const tile = this.#tileOf(event.target);
    if (!tile?.asset || this.wasHeld) return;
    const isTick = event.target.closest(".tick") !== null;
    this.timeline.active = tile.offset;
    this.timeline.grid.focus({ preventScroll: true });
    if (event.shiftKey && (isTick || this.selection.size > 0)) return this.#selectRange(this.anchor, tile.offset);
    this.anchor = tile.offset;
    if (isTick || event.ctrlKey || event.metaKey || this.selection.size > 0) await this.#toggle(tile.offset);
    else this.open(tile.offset);
  }

  async #toggle(offset) {
    const asset = await this.#asset(offset);
    if (asset) this.selection.toggle(asset);
  }

  async #selectRange(from, to) {
    const [first, last] = from < to ? [from, to] : [to, from];
    const end = Math.min(last, first + rangeLimit - 1);
    const assets = [];
    for (let offset = first; offset <= end; offset++) {
      const asset = this.timeline.columns.get(offset) ?? (await this.#asset(offset));
      if (!asset) return;
      assets.push(asset);
    }
    this.selection.add(assets);
    if (end < last) toast(`The first ${number(rangeLimit)} files of the range are selected; that is the most at once.`);
  }

  async #asset(offset) {
    try {
      return await this.timeline.columns.fetch(offset);
    } catch (error) {
      toast(error.message, true);
      return undefined;
    }
  }

  #holdToSelect(grid) {
    let timer = 0;
    const stop = () => clearTimeout(timer);
    grid.addEventListener("pointerdown", (event) => {
      this.wasHeld = false;
      stop();
      if (event.pointerType !== "touch") return;
      const tile = this.#tileOf(event.target);
      timer = setTimeout(() => {
        this.wasHeld = true;
        if (tile?.asset) this.selection.toggle(tile.asset);
      }, longPress);
    });
    for (const name of ["pointerup", "pointercancel", "scroll"]) grid.addEventListener(name, stop, { passive: true });
    grid.addEventListener("contextmenu", (event) => this.wasHeld && event.preventDefault());
  }
}
