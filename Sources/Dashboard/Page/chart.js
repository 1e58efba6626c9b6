/** Bars of what was stored in each span of time. */

import { draw, make } from "./dom.js";
import { bytes, dayHere, momentWords, plural } from "./words.js";

const [width, height] = [720, 120];
const day = 86_400_000;
/** So few spans do not become broad bars. */
const fewest = 14;

const timeOf = (span) => new Date(span.start).getTime();

/** @param {{start: string, bytes: number, objects: number}[]} history spans of one length, oldest first, some missing */
export function chart(history) {
  const times = history.map(timeOf);
  const length = Math.min(day, ...times.slice(1).map((time, index) => time - times[index]));
  const name = length < day ? momentWords : dayHere;
  const slots = Math.max(fewest, Math.round((times.at(-1) - times[0]) / length) + 1);
  const begin = times.at(-1) - (slots - 1) * length;
  const most = Math.max(1, ...history.map((span) => span.bytes));
  const total = history.reduce((sum, span) => sum + span.bytes, 0);
  const [first, last] = [name(begin), name(times.at(-1))];
  const bars = history.map((span, index) => {
    const words = `${name(times[index])}: ${bytes(span.bytes)}, ${plural(span.objects, "object")}`;
    return bar((times[index] - begin) / length, width / slots, span.bytes / most, words);
  });
  const ground = draw("line", { x1: 0, y1: height - 0.5, x2: width, y2: height - 0.5 });
  const frame = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", class: "chart", role: "img" };
  const label = `${bytes(total)} stored between ${first} and ${last}`;
  const words = [first, `${bytes(total)} in all, ${bytes(most)} at most`, last];
  return make(
    "figure",
    {},
    draw("svg", { ...frame, "aria-label": label }, ground, ...bars),
    make("figcaption", {}, ...words.map((text) => make("span", {}, text))),
  );
}

function bar(slot, step, share, words) {
  const tall = share > 0 ? Math.max(2, share * (height - 4)) : 0;
  const title = draw("title");
  title.textContent = words;
  const place = { x: (slot + 0.12) * step, y: height - tall, width: step * 0.76, height: tall };
  return draw("rect", { ...place, rx: Math.min(3, step / 4) }, title);
}
