/**
 * Scrolls a surface of any height. Browsers cap an element's height (Firefox at 17.9 million pixels), so the scrolled
 * element is a window of the surface that is moved where the scroll position comes near its ends. Within the window a
 * pixel of the wheel is a pixel of the surface.
 */

const windowHeight = 4_000_000;

export class Scroller {
  /**
   * @param {HTMLElement} node what scrolls
   * @param {HTMLElement} spacer gives it its height
   * @param {() => void} moved
   */
  constructor(node, spacer, moved) {
    this.node = node;
    this.spacer = spacer;
    /** Where the window begins on the surface. */
    this.base = 0;
    this.height = 0;
    this.viewHeight = node.clientHeight;
    // Asking the browser for it in the middle of changes would make it lay out the page each time.
    this.top = 0;
    node.addEventListener("scroll", () => {
      this.top = node.scrollTop;
      moved();
    }, { passive: true });
    node.addEventListener("scrollend", () => this.centre());
  }

  get y() {
    return this.base + this.top;
  }

  get end() {
    return Math.max(0, this.height - this.viewHeight);
  }

  resize(height) {
    if (height === this.height) return;
    const y = this.y;
    this.height = height;
    this.spacer.style.height = `${Math.min(height, windowHeight)}px`;
    if (this.base > this.#lastBase) this.jump(y);
  }

  /** Moves to a height of the surface, exactly. */
  jump(y) {
    const target = Math.max(0, Math.min(y, this.end));
    const inside = target - this.base;
    if (inside < windowHeight / 8 || inside > (windowHeight * 7) / 8 - this.viewHeight) {
      this.base = this.#baseFor(target);
    }
    this.#scroll(target - this.base);
  }

  /** Moves the window where its edge is near and is not the surface's; call it in every frame, too. */
  keepAway() {
    const { top } = this;
    const room = this.viewHeight * 4;
    const isNear = (top < room && this.base > 0) || (top > windowHeight - room && this.base < this.#lastBase);
    if (isNear) this.#move();
  }

  /** Moves the window while nothing scrolls, so that it is never in the way. */
  centre() {
    if (Math.abs(this.top - windowHeight / 2) > windowHeight / 4) this.#move();
  }

  get #lastBase() {
    return Math.max(0, this.height - windowHeight);
  }

  #baseFor(y) {
    return Math.round(Math.max(0, Math.min(y - windowHeight / 2, this.#lastBase)));
  }

  #move() {
    const y = this.y;
    const base = this.#baseFor(y);
    if (base === this.base) return;
    this.base = base;
    this.#scroll(y - base);
  }

  #scroll(top) {
    this.node.scrollTop = top;
    this.top = top;
  }
}
