/** Zooms and moves a picture: wheel, pinch, double click, drag; without zoom a drag to the side turns the page. */

const largest = 12;
/** Pixels that a finger must go to turn the page or to close. */
const swipe = 60;

export class Zoom {
  /**
   * @param {HTMLElement} stage takes the events
   * @param {{turn: (step: number) => void, close: () => void, changed: (scale: number) => void}} steps
   */
  constructor(stage, steps) {
    this.stage = stage;
    this.steps = steps;
    /** Pixels of the screen for one of the picture shown to fit. */
    this.scale = 1;
    this.x = this.y = 0;
    /** @type {Map<number, {x: number, y: number}>} */
    this.fingers = new Map();
    stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    stage.addEventListener("dblclick", (event) => this.#double(event));
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, (event) => this.#up(event));
  }

  /** @param {HTMLElement | null} node what is zoomed; `null` for what cannot be, such as a video */
  attach(node) {
    this.node = node;
    this.reset();
  }

  reset() {
    this.scale = 1;
    this.x = this.y = 0;
    this.#apply();
  }

  /** By a factor, about a point of the stage; its middle without one. */
  by(factor, point = this.#centre) {
    if (!this.node) return;
    const scale = Math.max(1, Math.min(largest, this.scale * factor));
    const centre = this.#centre;
    const [dx, dy] = [point.x - centre.x, point.y - centre.y];
    this.x = dx - ((dx - this.x) * scale) / this.scale;
    this.y = dy - ((dy - this.y) * scale) / this.scale;
    this.scale = scale;
    this.#apply();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.#apply();
  }

  get isZoomed() {
    return this.scale > 1.01;
  }

  get #centre() {
    return { x: this.stage.clientWidth / 2, y: this.stage.clientHeight / 2 };
  }

  #pointOf(event) {
    const box = this.stage.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** The picture's edge does not leave the stage's. */
  #apply() {
    if (!this.node) return;
    const room = (inner, outer) => Math.max(0, (inner * this.scale - outer) / 2);
    const [right, below] = [
      room(this.node.offsetWidth, this.stage.clientWidth),
      room(this.node.offsetHeight, this.stage.clientHeight),
    ];
    this.x = Math.max(-right, Math.min(right, this.x));
    this.y = Math.max(-below, Math.min(below, this.y));
    this.node.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.stage.classList.toggle("zoomed", this.isZoomed);
    this.steps.changed(this.scale);
  }

  #wheel(event) {
    if (!this.node) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 24 : 1;
    this.by(Math.exp((-event.deltaY * unit) / (event.ctrlKey ? 120 : 400)), this.#pointOf(event));
  }

  #double(event) {
    if (!this.node) return;
    if (this.isZoomed) return this.reset();
    const natural = (this.node.naturalWidth || 0) / Math.max(1, this.node.offsetWidth);
    this.by(Math.max(2.5, natural), this.#pointOf(event));
  }

  #down(event) {
    if (event.button !== 0 || event.target.closest("video, button, a")) return;
    this.stage.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, this.#pointOf(event));
    this.start = {
      ...this.#pointOf(event),
      isSingle: this.fingers.size === 1 && !this.isZoomed,
      isTouch: event.pointerType === "touch",
    };
  }

  #move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.#pointOf(event);
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    this.fingers.set(event.pointerId, now);
    if (others.length === 1) {
      const apart = (point) => Math.hypot(point.x - others[0].x, point.y - others[0].y);
      this.start.isSingle = false;
      this.by(apart(now) / Math.max(1, apart(before)), { x: (now.x + others[0].x) / 2, y: (now.y + others[0].y) / 2 });
    } else if (this.isZoomed) {
      this.pan(now.x - before.x, now.y - before.y);
    } else if (this.node && this.start.isSingle) {
      const dx = now.x - this.start.x;
      this.node.style.transform = `translate(${dx}px, ${Math.max(0, now.y - this.start.y) / 3}px)`;
    }
  }

  #up(event) {
    if (!this.fingers.delete(event.pointerId) || !this.start?.isSingle) return;
    const now = this.#pointOf(event);
    const [dx, dy] = [now.x - this.start.x, now.y - this.start.y];
    this.#apply();
    if (event.type === "pointercancel") return;
    if (Math.abs(dx) > swipe && Math.abs(dx) > Math.abs(dy) * 1.5) this.steps.turn(dx < 0 ? 1 : -1);
    else if (this.start.isTouch && dy > swipe * 1.5 && dy > Math.abs(dx) * 1.5) this.steps.close();
  }
}
