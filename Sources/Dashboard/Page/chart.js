/** Bars of what was stored in each span of time. */

import { draw, make } from "./dom.js";
import { bytes, dayHere, plural } from "./words.js";

const [width, height] = [720, 120];

/** @param {{start: string, bytes: number, objects: number}[]} history oldest first */
export function chart(history) {
  const most = Math.max(1, ...history.map((span) => span.bytes));
  const step = width / history.length;
  const bars = history.map((span, index) => {
    const tall = span.bytes > 0 ? Math.max(2, (span.bytes / most) * (height - 4)) : 0;
    const bar = draw("rect", { x: index * step + step * 0.12, y: height - tall, width: step * 0.76, height: tall, rx: Math.min(3, step / 4) });
    const words = draw("title");
    words.textContent = `${dayHere(span.start)}: ${bytes(span.bytes)}, ${plural(span.objects, "object")}`;
    bar.append(words);
    return bar;
  });
  const total = history.reduce((sum, span) => sum + span.bytes, 0);
  const label = `${bytes(total)} stored between ${dayHere(history[0].start)} and ${dayHere(history.at(-1).start)}`;
  const picture = draw("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label, class: "chart" },
    draw("line", { x1: 0, y1: height - 0.5, x2: width, y2: height - 0.5 }), ...bars);
  return make("figure", {}, picture,
    make("figcaption", {}, make("span", {}, dayHere(history[0].start)), make("span", {}, `${bytes(total)} in all, ${bytes(most)} at most`), make("span", {}, dayHere(history.at(-1).start))));
}
