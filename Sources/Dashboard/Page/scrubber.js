/** The rail of years: drag it, press a year, or use the keys to reach any month. */

import { make } from "./dom.js";
import { monthWords } from "./words.js";

/** Pixels between the labels of years. */
const labelHeight = 20;
/** Pixels above and below the rail's ends. */
const margin = 14;
/** Milliseconds for which the month is shown beside the rail after a scroll. */
const bubbleTime = 900;

export class Scrubber {
  /**
   * @param {HTMLElement} rail
   * @param {HTMLElement} bubble
   * @param {import("./timeline.js").Timeline} timeline
   */
  constructor(rail, bubble, timeline) {
    this.rail = rail;
    this.bubble = bubble;
    this.timeline = timeline;
    this.marks = make("div", { class: "marks", "aria-hidden": "true" });
    this.thumb = make("div", { class: "thumb", "aria-hidden": "true" });
    rail.append(this.marks, this.thumb);
    /** The marks on the rail, from the top. @type {{node: HTMLElement, kind?: string, words?: string, y?: number}[]} */
    this.drawn = [];
    this.height = rail.clientHeight;
    new ResizeObserver(() => {
      this.height = rail.clientHeight;
      if (timeline.surface) this.#follow();
    }).observe(rail);
    timeline.addEventListener("view", () => this.#follow());
    rail.addEventListener("pointerdown", (event) => this.#grab(event));
    rail.addEventListener("pointermove", (event) => this.#hover(event));
    rail.addEventListener("pointerleave", () => this.#hide());
    rail.addEventListener("keydown", (event) => this.#key(event));
    // While anything listens to the wheel, the browser makes events of all its turns, over the pictures, too.
    const turn = (event) => timeline.grid.scrollBy(0, event.deltaY);
    rail.addEventListener("pointerenter", () => rail.addEventListener("wheel", turn, { passive: true }));
    rail.addEventListener("pointerleave", () => rail.removeEventListener("wheel", turn));
  }

  #follow() {
    const { surface, scroller } = this.timeline;
    // Nothing else shows or hides the rail: its marks are those of the last timeline that needed it.
    const isUseful = scroller.end > scroller.viewHeight;
    if (isUseful !== this.isUseful) this.rail.hidden = !(this.isUseful = isUseful);
    if (!isUseful) return;
    this.#label(surface);
    const share = scroller.end > 0 ? scroller.y / scroller.end : 0;
    const y = Math.round(share * this.#length);
    if (this.thumbY !== y) this.thumb.style.transform = `translateY(${this.thumbY = y}px)`;
    const month = surface.monthAt(scroller.y + 1);
    if (this.shown !== month || this.shownOf !== surface.months) this.#tell(surface.months, month);
    if (this.month !== undefined && this.month !== month && !this.isHovered) this.#flash(month, y);
    this.month = month;
  }

  #tell(months, month) {
    [this.shown, this.shownOf] = [month, months];
    this.rail.setAttribute("aria-valuemax", months.length - 1);
    this.rail.setAttribute("aria-valuenow", month);
    this.rail.setAttribute("aria-valuetext", monthWords(months.keys[month]));
  }

  /** Years at their heights, as many as have room; dots for months. Heights change often, and most marks then do not. */
  #label(surface) {
    const key = `${surface.height} ${this.height}`;
    if (key === this.labelled) return;
    this.labelled = key;
    let [count, lastLabel, lastDot, lastYear] = [0, -labelHeight, -6, ""];
    surface.months.keys.forEach((name, month) => {
      const year = name.slice(0, 4);
      const y = this.#yOf(surface.tops[month]);
      if (year !== lastYear && y - lastLabel >= labelHeight) {
        this.#mark(count++, "year", y, year);
        lastLabel = lastDot = y;
      } else if (y - lastDot >= 6 && y - lastLabel >= labelHeight / 2) {
        this.#mark(count++, "dot", y, "");
        lastDot = y;
      }
      lastYear = year;
    });
    for (const { node } of this.drawn.splice(count)) node.remove();
  }

  #mark(index, kind, height, words) {
    const y = Math.round(height);
    const mark = (this.drawn[index] ??= { node: this.marks.appendChild(make("span")) });
    if (mark.kind !== kind) mark.node.className = mark.kind = kind;
    if (mark.words !== words) mark.node.textContent = mark.words = words;
    // No transform: with hundreds the browser allocates 10 KB more for each frame in which anything changes.
    if (mark.y !== y) mark.node.style.top = `${(mark.y = y) + margin}px`;
  }

  get #length() {
    return this.height - 2 * margin;
  }

  /** The place on the rail of a height of the surface. */
  #yOf(top) {
    const { end } = this.timeline.scroller;
    return end > 0 ? Math.min(1, top / end) * this.#length : 0;
  }

  #targetOf(event) {
    const y = event.clientY - this.rail.getBoundingClientRect().top - margin;
    return Math.max(0, Math.min(1, y / this.#length)) * this.timeline.scroller.end;
  }

  #grab(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.rail.setPointerCapture(event.pointerId);
    this.rail.focus({ preventScroll: true });
    const drag = (moved) => this.timeline.jump(this.#targetOf(moved));
    const drop = () => {
      this.rail.removeEventListener("pointermove", drag);
      this.rail.classList.remove("dragged");
      this.#hide();
    };
    this.rail.classList.add("dragged");
    const label = event.target.closest?.(".year");
    if (label) this.#goToYear(label.textContent);
    else drag(event);
    this.rail.addEventListener("pointermove", drag);
    this.rail.addEventListener("lostpointercapture", drop, { once: true });
  }

  #goToYear(year) {
    const month = this.timeline.months.keys.findIndex((key) => key.startsWith(year));
    if (month >= 0) this.timeline.jumpToMonth(month);
  }

  #hover(event) {
    this.isHovered = true;
    const { surface } = this.timeline;
    if (!surface) return;
    const y = event.clientY - this.rail.getBoundingClientRect().top - margin;
    this.#show(surface.monthAt(this.#targetOf(event)), Math.max(0, Math.min(this.#length, y)));
  }

  #flash(month, y) {
    this.#show(month, y);
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => this.#hide(), bubbleTime);
  }

  #show(month, y) {
    clearTimeout(this.hiding);
    const { bubble } = this;
    const words = monthWords(this.timeline.months.keys[month]);
    if (this.said !== words) bubble.textContent = this.said = words;
    const height = Math.round(y);
    if (this.bubbleY !== height) bubble.style.transform = `translateY(${this.bubbleY = height}px)`;
    if (!this.isLively) this.#liven(true);
  }

  #hide() {
    this.isHovered = false;
    if (this.isLively && !this.rail.classList.contains("dragged")) this.#liven(false);
  }

  #liven(isLively) {
    this.isLively = isLively;
    this.bubble.hidden = !isLively;
    this.rail.classList.toggle("lively", isLively);
  }

  #key(event) {
    const { months, surface, scroller } = this.timeline;
    const here = surface.monthAt(scroller.y + 1);
    const year = (step) => this.#yearFrom(months, here, step);
    const targets = {
      ArrowDown: here + 1,
      ArrowRight: here + 1,
      ArrowUp: here - 1,
      ArrowLeft: here - 1,
      PageDown: year(1),
      PageUp: year(-1),
      Home: 0,
      End: months.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    if (event.key === "End") return this.timeline.jump(scroller.end);
    this.timeline.jumpToMonth(Math.max(0, Math.min(months.length - 1, target)));
  }

  /** The first month of the next year, or of this or the one before. */
  #yearFrom(months, here, step) {
    const years = months.keys.map((key) => key.slice(0, 4));
    if (step > 0) {
      const next = years.findIndex((year, month) => month > here && year !== years[here]);
      return next < 0 ? months.length - 1 : next;
    }
    const first = years.indexOf(years[here]);
    return first < here ? first : years.indexOf(years[Math.max(0, here - 1)]);
  }
}
