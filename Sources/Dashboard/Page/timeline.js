/** The timeline: the rows in view as recycled nodes, over a surface of any height. */

import { Columns } from "./columns.js";
import { metricsFor, placesOf } from "./layout.js";
import { Ratios } from "./ratios.js";
import { Reach } from "./reach.js";
import { RowNodes } from "./rownodes.js";
import { Scroller } from "./scroller.js";
import { Surface } from "./surface.js";
import { Thumbnails } from "./thumbnails.js";
import { say } from "./voice.js";

/** Pixels a millisecond above which pictures are not worth asking for. */
const fast = 5;
/** Pixels a millisecond above which no badge can be read. */
const legible = 1.5;
/** Milliseconds without a scroll after which nothing scrolls. */
const calm = 90;
/** Milliseconds of a frame for blurred previews. */
const hashBudget = 5;

export class Timeline extends EventTarget {
  /** @param {{grid: HTMLElement, spacer: HTMLElement, selection: import("./selection.js").Selection}} parts */
  constructor({ grid, spacer, selection }) {
    super();
    this.grid = grid;
    this.selection = selection;
    this.scroller = new Scroller(grid, spacer, () => this.#scrolled());
    this.nodes = new RowNodes(grid, (offset) => this.columns?.get(offset));
    this.thumbnails = new Thumbnails(() => this.dispatchEvent(new Event("pictured")));
    this.reach = new Reach((trouble) => this.#reached(trouble));
    this.sizes = [512];
    /** The offset that the keyboard is at. */
    this.active = 0;
    this.speed = 0;
    this.last = { y: 0, at: 0 };
    this.frame = 0;
    selection.addEventListener("change", () => this.#mark());
    this.width = grid.clientWidth;
    new ResizeObserver(() => this.#resized()).observe(grid);
  }

  get count() {
    return this.months?.count ?? 0;
  }

  /**
   * Shows a timeline; where it is the same one that has grown, what is looked at stays where it is.
   * @param {{ratios: Uint8Array, columns: object | null}} [first] what is known of its first assets
   */
  show(months, filter, isSame, first) {
    const older = isSame && this.months
      ? { months: this.months, ratios: this.ratios, columns: this.columns, surface: this.surface }
      : null;
    this.ratios?.stop();
    this.columns?.stop();
    const anchor = older && this.scroller.y > 0 ? this.surface.anchorAt(this.scroller.y) : null;
    const activeID = older ? older.columns.get(this.active)?.id : undefined;
    this.months = months;
    this.ratios = new Ratios(months.count, filter, (from, to) => this.#reshaped(from, to));
    this.columns = new Columns(months.count, filter, () => this.#arrived());
    if (older) this.#inherit(older);
    if (first) this.ratios.begin(first.ratios);
    if (first?.columns) this.columns.begin(first.columns);
    this.surface = new Surface(months, this.ratios, metricsFor(this.#width));
    this.nodes.clear();
    this.scroller.resize(this.surface.height);
    if (!older) this.active = 0;
    if (anchor) this.#restore(older.months, anchor);
    else this.scroller.jump(0);
    if (activeID && older) this.active = this.#translated(older.months, this.active);
    this.grid.setAttribute("aria-rowcount", this.surface.rowCount);
    this.render();
    this.ratios.load();
    this.#settle();
  }

  /** Draws what is in view; as often as called, since only differences are drawn. */
  render() {
    if (!this.surface || this.#width <= 0 || this.scroller.viewHeight === 0) return;
    this.scroller.keepAway();
    this.#lay();
    const { y, viewHeight } = this.scroller;
    const [from, to] = this.#mount(this.#stretch(y, viewHeight));
    if (this.speed === 0) this.nodes.sort();
    this.ratios.wanted = from;
    this.columns.want(from, to);
    this.#load(y, viewHeight);
    this.dispatchEvent(new Event("view"));
  }

  /** Brings an asset into view, by the smallest move. */
  reveal(offset) {
    this.surface.layMonthOf(offset);
    this.scroller.resize(this.surface.height);
    const place = this.surface.placeOf(offset);
    const top = this.surface.topOf(place) - (place.row === 0 ? this.surface.metrics.monthHead : 0);
    const bottom = this.surface.topOf(place) + this.surface.heightOf(place);
    const { y, viewHeight } = this.scroller;
    if (top < y) this.scroller.jump(top);
    else if (bottom > y + viewHeight) this.scroller.jump(bottom - viewHeight + this.surface.metrics.gap);
    this.render();
  }

  /** Moves the keyboard's place to an asset. */
  activate(offset) {
    if (this.count === 0) return;
    this.active = Math.max(0, Math.min(this.count - 1, offset));
    this.reveal(this.active);
    this.#mark();
  }

  /** Goes to a height, and asks at once for what is there. */
  jump(y) {
    this.scroller.jump(y);
    this.#scrolled();
    this.render();
  }

  /** Goes to the first row of a month, exactly. */
  jumpToMonth(month) {
    this.surface.lay(this.surface.tops[month], this.surface.tops[month] + 1);
    this.scroller.resize(this.surface.height);
    this.jump(this.surface.tops[month]);
  }

  /** The states of assets have changed. */
  change({ ids, states, notes, kept }) {
    for (const offset of this.columns?.change(ids, states, notes, kept) ?? []) {
      this.nodes.tileAt(offset)?.show(this.columns.get(offset));
    }
    this.selection.change(ids, states, kept);
  }

  /** Storage can be asked again, or not any more. */
  #reached(trouble) {
    this.grid.classList.toggle("unreachable", trouble !== null);
    if (!trouble) this.forgive();
    say(trouble ? "Storage cannot be asked: what is only there is not at hand." : "What is only in storage is at hand.");
  }

  /** Asks again for pictures that could not be had. */
  forgive() {
    for (const row of this.nodes.rows()) row.forgive();
    this.#schedule();
  }

  get #width() {
    return this.width - this.#inset * 2;
  }

  get #inset() {
    return this.width < 520 ? 8 : 24;
  }

  /** The smallest thumbnail that is sharp enough. */
  get #size() {
    const wanted = this.surface.metrics.target * 1.33 * Math.min(2, devicePixelRatio) * 0.9;
    return this.sizes.find((size) => size >= wanted) ?? this.sizes.at(-1);
  }

  #scrolled() {
    const now = performance.now();
    const { y } = this.scroller;
    const passed = Math.max(8, now - this.last.at);
    if (y !== this.last.y) this.isUp = y < this.last.y;
    this.speed = passed > 200 ? 0 : Math.abs(y - this.last.y) / passed;
    this.last = { y, at: now };
    this.#schedule();
    this.rest ||= setTimeout(this.#rest, calm);
  }

  /** Waits on where it was scrolled meanwhile. */
  #rest = () => {
    const left = Math.ceil(this.last.at + calm - performance.now());
    this.rest = left > 0 ? setTimeout(this.#rest, left) : 0;
    if (this.rest) return;
    this.speed = 0;
    this.#schedule();
  };

  #schedule() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.render();
    });
  }

  /** Lays out what is in view, and keeps it in its place where heights above it turn out to be others. */
  #lay() {
    for (let round = 0; round < 3; round++) {
      const { y, viewHeight } = this.scroller;
      const anchor = this.surface.anchorAt(y);
      if (!this.surface.lay(y - viewHeight, y + viewHeight * 2)) return;
      this.#moved(y > 0 ? anchor : null);
    }
  }

  #moved(anchor) {
    this.scroller.resize(this.surface.height);
    if (anchor) {
      const target = this.surface.yOf(anchor);
      if (Math.abs(target - this.scroller.y) > 0.5) this.scroller.jump(target);
      this.last.y = this.scroller.y;
    }
    this.grid.setAttribute("aria-rowcount", this.surface.rowCount);
  }

  /**
   * The heights between which rows are mounted. Ahead of a scroll several rows are mounted at once, since each frame in
   * which any is mounted costs the browser as much again as the row.
   */
  #stretch(y, viewHeight) {
    const stretch = (behind, ahead) => ({
      top: y - viewHeight * (this.isUp ? ahead : behind),
      bottom: y + viewHeight * (1 + (this.isUp ? behind : ahead)),
    });
    const needed = stretch(0, this.speed > fast ? 0.3 : 0.15);
    const { mounted } = this;
    const suffices = mounted && mounted.top <= needed.top && mounted.bottom >= needed.bottom;
    if (this.speed === 0) this.mounted = stretch(0.3, 0.3);
    else if (!suffices) this.mounted = stretch(0.1, 0.6);
    return this.mounted;
  }

  /** Mounts the rows between two heights and returns the offsets they show. */
  #mount({ top, bottom }) {
    if (this.count === 0) return [0, 0];
    const { surface, months } = this;
    let place = surface.placeAt(Math.max(0, top));
    const from = surface.firstOf(place);
    let to = from;
    const wanted = [];
    for (; place && surface.rows[place.month] && surface.topOf(place) < bottom; place = surface.after(place)) {
      wanted.push(place);
      to = surface.endOf(place);
    }
    this.nodes.keep(wanted);
    for (const row of wanted) {
      const node = this.nodes.mount(
        surface,
        row,
        () =>
          placesOf(this.ratios.bytes, months, surface.rows[row.month], row.row, surface.endOf(row), surface.metrics),
      );
      node.move(surface.topOf(row) - this.scroller.base, this.#inset);
      node.fill(this.columns, this.speed > legible);
    }
    this.nodes.trim();
    this.#mark();
    return [from, to];
  }

  #load(y, viewHeight) {
    const middle = y + viewHeight / 2;
    const away = (row) => Math.abs(this.surface.topOf(row.place) - middle);
    const rows = [...this.nodes.rows()].sort((a, b) => away(a) - away(b));
    this.thumbnails.want(this.speed > fast ? [] : rows, this.#size);
    for (const { asset } of this.nodes.tiles()) {
      if (asset?.away) this.reach.look(asset);
    }
    const end = performance.now() + hashBudget;
    // What lies further ahead may have its pictures before it is seen.
    const isNear = (row) => away(row) < viewHeight * 0.9;
    for (const row of rows.filter(isNear)) row.preview(performance.now() > end);
    if (rows.some((row) => row.isOld && isNear(row))) this.#schedule();
  }

  #mark() {
    let active = null;
    for (const tile of this.nodes.tiles()) {
      const isActive = tile.offset === this.active;
      if (isActive) active = tile.node.id;
      tile.mark(tile.asset !== undefined && this.selection.has(tile.asset.id), isActive);
    }
    if (active === this.described) return;
    this.described = active;
    if (active) this.grid.setAttribute("aria-activedescendant", active);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  #arrived() {
    this.render();
    this.dispatchEvent(new Event("columns"));
  }

  #reshaped(from, to) {
    const anchor = this.surface.anchorAt(this.scroller.y);
    const known = this.ratios.head;
    // The first rows were laid out from true ratios; laying them out again would only flicker.
    this.surface.forget(from, to);
    this.nodes.forget(this.surface);
    this.surface.lay(this.scroller.y, this.scroller.y + 1);
    this.#moved(this.scroller.y > 0 || known === 0 ? anchor : null);
    this.#schedule();
    this.#settle();
  }

  /** Lays out the months out of view, a few milliseconds at a time. */
  #settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      const { y } = this.scroller;
      const anchor = this.surface.anchorAt(y);
      const isMore = this.surface.settle(6);
      this.#moved(y > 0 ? anchor : null);
      this.#schedule();
      if (isMore) this.#settle();
    }, 16);
  }

  #resized() {
    this.width = this.grid.clientWidth;
    this.scroller.viewHeight = this.grid.clientHeight;
    if (!this.surface || this.#width <= 0 || this.#width === this.surface.metrics.width) return this.#schedule();
    const { y } = this.scroller;
    const anchor = this.surface.anchorAt(y);
    this.surface = new Surface(this.months, this.ratios, metricsFor(this.#width));
    this.nodes.clear();
    if (anchor.offset !== undefined) this.surface.layMonthOf(anchor.offset);
    this.#moved(y > 0 ? anchor : null);
    this.#schedule();
    this.#settle();
  }

  #inherit({ months, ratios, columns }) {
    const mapping = this.months.mapping(months);
    this.ratios.inherit(ratios, this.months, mapping);
    const shown = [...this.nodes.tiles()].map(({ offset }) => offset);
    if (shown.length === 0) return;
    const shift = this.months.count - months.count;
    const [first, last] = [Math.min(...shown), Math.max(...shown)];
    this.columns.inherit(
      columns,
      Math.max(0, Math.min(first, first + shift)),
      Math.max(last, last + shift) + 1,
      mapping,
    );
  }

  /** An offset of an older timeline in this one. */
  #translated(older, offset) {
    const month = older.monthOf(offset);
    const here = this.months.keys.indexOf(older.keys[month]);
    if (here < 0) return Math.min(offset, this.count - 1);
    // New assets of a month are mostly its newest, so that places are counted from its end.
    return Math.max(this.months.starts[here], this.months.starts[here + 1] - (older.starts[month + 1] - offset));
  }

  #restore(older, anchor) {
    const offset = this.#translated(older, anchor.offset ?? older.starts[anchor.month]);
    this.surface.layMonthOf(Math.max(0, offset));
    this.scroller.resize(this.surface.height);
    const isHead = anchor.offset === undefined;
    this.scroller.jump(
      this.surface.yOf(
        isHead ? { month: this.months.monthOf(offset), into: anchor.into } : { offset, into: anchor.into },
      ),
    );
  }
}
