/** Whether storage can be asked, looked at again and again while something in view is only there. */

import * as api from "./api.js";

/** Milliseconds between two looks. */
const calm = 60_000;
const worried = 15_000;

export class Reach {
  /** @param {(trouble: string | null) => void} changed hears why what is only in storage is not at hand */
  constructor(changed) {
    this.changed = changed;
    /** @type {string | null} */
    this.trouble = null;
    this.next = 0;
  }

  /** Looks by means of an asset that is only in storage, unless it was looked lately. */
  async look(asset) {
    if (performance.now() < this.next) return;
    this.next = Infinity;
    let trouble = this.trouble;
    try {
      trouble = (await api.asset(asset.id)).absence ?? null;
    } catch {
      // The banner says when nothing answers.
    }
    this.next = performance.now() + (trouble ? worried : calm);
    if (trouble === this.trouble) return;
    this.trouble = trouble;
    this.changed(trouble);
  }
}
