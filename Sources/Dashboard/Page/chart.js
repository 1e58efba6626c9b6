/** Bars of what was stored in each span of time. */

import { draw, make } from "./dom.js";
import { bytes, dayHere, plural } from "./words.js";

const [width, height] = [720, 120];

/** @param {{start: string, bytes: number, objects: number}[]} history oldest first */
export function chart(history) {
  const most = Math.max(1, ...history.map((span) => span.bytes));
  const total = history.reduce((sum, span) => sum + span.bytes, 0);
  const [first, last] = [dayHere(history[0].start), dayHere(history.at(-1).start)];
  const label = `${bytes(total)} stored between ${first} and ${last}`;
  const ground = draw("line", { x1: 0, y1: height - 0.5, x2: width, y2: height - 0.5 });
  const bars = history.map((span, index) => bar(span, index, width / history.length, most));
  const frame = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", class: "chart" };
  const words = [first, `${bytes(total)} in all, ${bytes(most)} at most`, last];
  return make(
    "figure",
    {},
    draw("svg", { ...frame, role: "img", "aria-label": label }, ground, ...bars),
    make("figcaption", {}, ...words.map((text) => make("span", {}, text))),
  );
}

function bar(span, index, step, most) {
  const tall = span.bytes > 0 ? Math.max(2, (span.bytes / most) * (height - 4)) : 0;
  const title = draw("title");
  title.textContent = `${dayHere(span.start)}: ${bytes(span.bytes)}, ${plural(span.objects, "object")}`;
  const place = { x: (index + 0.12) * step, y: height - tall, width: step * 0.76, height: tall };
  return draw("rect", { ...place, rx: Math.min(3, step / 4) }, title);
}
