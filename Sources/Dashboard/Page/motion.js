/** The motion of a Live Photo, silent over its picture: while that or the button is held, or once by a tap or a key. */

import * as api from "./api.js";
import { make } from "./dom.js";

/** Milliseconds after which a finger or a button rests. */
const hold = 350;
/** Pixels that it may move meanwhile. */
const rest = 8;

export class Motion {
  /**
   * @param {HTMLElement} stage holds the picture
   * @param {(sentence: string) => void} say
   */
  constructor(stage, say) {
    this.stage = stage;
    this.say = say;
    /** The Live Photo that is shown, else `null`. @type {import("./columns.js").Asset | null} */
    this.asset = null;
    const name = "Live: play the motion";
    this.button = make("button", { type: "button", class: "live-button", "aria-label": name, hidden: true });
    this.button.append(make("span", { "aria-hidden": "true" }, "Live"));
    this.button.addEventListener("pointerdown", () => this.#press());
    this.button.addEventListener("pointerup", () => this.#release());
    this.button.addEventListener("pointercancel", () => this.stop());
    // A key or a reader presses without a pointer.
    this.button.addEventListener("click", ({ detail }) => detail === 0 && this.toggle());
    this.button.addEventListener("contextmenu", (event) => event.preventDefault());
    this.#holdPicture();
  }

  /** Takes a picture in the place of the one before; without motion there is no button. */
  attach(asset) {
    this.stop();
    this.asset = asset?.live ? asset : null;
    this.button.hidden = this.asset === null;
  }

  toggle() {
    if (this.video) this.stop();
    else this.play();
  }

  play() {
    if (!this.asset || this.video) return;
    const { asset } = this;
    const picture = this.stage.querySelector("img.full");
    const video = make("video", { class: "motion", playsinline: true, "aria-hidden": "true", tabindex: "-1" });
    video.muted = true;
    if (picture) video.style.cssText = picture.style.cssText;
    video.onended = () => this.stop();
    video.onerror = async () => {
      if (this.video !== video) return;
      this.stop();
      const reason = await api.whyNot(api.motion(asset.id));
      if (this.asset === asset) this.say(reason ?? "This browser cannot play the motion.");
    };
    video.src = api.motion(asset.id);
    this.video = video;
    this.button.setAttribute("aria-pressed", true);
    this.stage.append(video);
    // A play that is ended before it began is none that failed.
    video.play().catch(() => {});
  }

  stop() {
    const { video } = this;
    this.video = null;
    this.button.removeAttribute("aria-pressed");
    if (!video) return;
    video.onerror = video.onended = null;
    video.removeAttribute("src");
    video.load();
    video.remove();
  }

  #press() {
    this.wasPlaying = Boolean(this.video);
    this.pressed = performance.now();
    this.play();
  }

  /** What was only tapped plays to its end, or ends. */
  #release() {
    if (this.wasPlaying || performance.now() - this.pressed > hold) this.stop();
  }

  #holdPicture() {
    let timer = 0;
    let start = null;
    const end = () => {
      clearTimeout(timer);
      if (start?.isHeld) this.stop();
      start = null;
    };
    this.stage.addEventListener("pointerdown", ({ button, clientX, clientY, isPrimary }) => {
      end();
      if (button !== 0 || !isPrimary || !this.asset) return;
      start = { clientX, clientY, isHeld: false };
      timer = setTimeout(() => {
        start.isHeld = true;
        this.play();
      }, hold);
    });
    this.stage.addEventListener("pointermove", ({ clientX, clientY }) => {
      if (start && !start.isHeld && Math.hypot(clientX - start.clientX, clientY - start.clientY) > rest) end();
    });
    for (const name of ["pointerup", "pointercancel"]) this.stage.addEventListener(name, end);
  }
}
