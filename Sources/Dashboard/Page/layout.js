/** Justified rows: pure functions from ratios to rows. */

/**
 * @typedef {{width: number, target: number, gap: number, monthHead: number, dayHead: number, dayGap: number, label: number}} Metrics
 * @typedef {{first: Uint32Array, y: Float64Array, height: Uint16Array, marks: Uint8Array, length: number, total: number}} Rows
 */

/** Marks of a row: it has a strip with days above it; it fills the width. */
export const withDays = 1;
export const justified = 2;

/** From a ratio's byte to the shape that is drawn; extremes are cropped so that a tile can be hit. */
export const shapes = Float32Array.from(
  { length: 256 },
  (_, byte) => byte === 0 ? 1 : Math.min(3.2, Math.max(0.5, 2 ** ((byte - 128) / 48))),
);

/** A row that is nearly full is stretched. */
const nearlyFull = 0.78;

/** @returns {Metrics} */
export function metricsFor(width) {
  const [target, gap] = width < 520 ? [124, 3] : width < 1000 ? [168, 4] : [208, 4];
  return {
    width,
    target,
    gap,
    monthHead: width < 520 ? 52 : 64,
    dayHead: 34,
    dayGap: width < 520 ? 12 : 20,
    label: 92,
  };
}

/** Collects rows; grows as needed and is used for one month after another. */
class Pen {
  first = new Uint32Array(1024);
  y = new Float64Array(1024);
  height = new Uint16Array(1024);
  marks = new Uint8Array(1024);

  begin(metrics) {
    this.metrics = metrics;
    this.length = 0;
    this.top = metrics.monthHead;
    this.open = null;
  }

  add(first, height, marks) {
    if (this.length === this.first.length) this.#grow();
    const index = this.length++;
    const whole = Math.max(24, Math.min(2000, Math.round(height)));
    this.first[index] = first;
    this.y[index] = this.top;
    this.height[index] = whole;
    this.marks[index] = marks;
    this.top += whole + this.metrics.gap + (marks & withDays ? this.metrics.dayHead : 0);
  }

  /** Ends the row that is not full yet. */
  close() {
    const open = this.open;
    this.open = null;
    if (!open) return;
    const { width, target, gap } = this.metrics;
    const gaps = gap * (open.to - open.first - 1);
    const isNear = open.days === 1 && open.sum * target + gaps >= width * nearlyFull;
    this.add(open.first, isNear ? (width - gaps) / open.sum : target, open.marks | (isNear ? justified : 0));
  }

  /** @returns {Rows} */
  rows() {
    const length = this.length;
    return {
      first: this.first.slice(0, length),
      y: this.y.slice(0, length),
      height: this.height.slice(0, length),
      marks: this.marks.slice(0, length),
      length,
      total: this.top,
    };
  }

  #grow() {
    for (const name of ["first", "y", "height", "marks"]) {
      const larger = new this[name].constructor(this.length * 2);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}

const pen = new Pen();

/** The width of a day's pictures at the target height; what exceeds a row is not added up. */
function naturalWidth(bytes, from, to, { width, target, gap, label }) {
  let sum = -gap;
  for (let offset = from; offset < to && sum <= width; offset++) sum += shapes[bytes[offset]] * target + gap;
  return Math.max(sum, label);
}

/** Full rows of one day; what is left over stays open. */
function fill(bytes, from, to, mark, { width, target, gap }) {
  let [first, sum] = [from, 0];
  const markOf = (row) => justified | (row === from ? mark : 0);
  for (let offset = from; offset < to; offset++) {
    const shape = shapes[bytes[offset]];
    const others = offset - first;
    if ((sum + shape) * target + gap * others < width) {
      sum += shape;
      continue;
    }
    // The row ends before or after this picture, whichever leaves it closer to the target height.
    const after = (width - gap * others) / (sum + shape);
    const before = others > 0 ? (width - gap * (others - 1)) / sum : Infinity;
    const isBefore = before - target < target - after;
    pen.add(first, isBefore ? before : after, markOf(first));
    [first, sum] = isBefore ? [offset, shape] : [offset + 1, 0];
  }
  if (first === to) return;
  const isWhole = first === from;
  pen.open = { first, to, sum, days: 1, width: sum * target + gap * (to - first - 1), marks: isWhole ? mark : 0 };
  if (!isWhole) pen.close();
}

/**
 * The rows of one month; small days stand side by side.
 * @param {Uint8Array} bytes the ratios of the whole timeline
 * @param {import("./months.js").Months} months
 * @param {Metrics} metrics
 * @returns {Rows}
 */
export function rowsOf(bytes, months, month, metrics) {
  pen.begin(metrics);
  const mark = months.hasDays ? withDays : 0;
  for (let day = months.firstDays[month]; day < months.firstDays[month + 1]; day++) {
    const [from, to] = [months.dayStarts[day], months.dayStarts[day + 1]];
    const width = months.hasDays ? naturalWidth(bytes, from, to, metrics) : Infinity;
    if (pen.open && Math.max(pen.open.width, metrics.label) + metrics.dayGap + width <= metrics.width) {
      const open = pen.open;
      open.width = Math.max(open.width, metrics.label) + metrics.dayGap + width;
      open.days += 1;
      open.to = to;
      continue;
    }
    pen.close();
    fill(bytes, from, to, mark, metrics);
  }
  pen.close();
  return pen.rows();
}

/** The height of a month whose ratios are not known, near enough for the scrubber. */
export function estimate(months, month, metrics) {
  const { width, target, gap, dayHead, monthHead } = metrics;
  const tile = target * 1.2 + gap;
  const days = months.hasDays ? months.firstDays[month + 1] - months.firstDays[month] : 0;
  const rows = Math.max(1, Math.ceil((months.size(month) * tile + (days * width) / 4) / width));
  return { rows, total: monthHead + rows * (target + gap) + Math.min(days, rows) * dayHead };
}

/**
 * Where the pictures of one row stand: left edges and widths in whole pixels, and where days begin.
 * @param {Rows} rows
 * @param {number} to the offset after the row's last picture
 */
export function placesOf(bytes, months, rows, row, to, metrics) {
  const first = rows.first[row];
  const [left, widths, days] = [[], [], []];
  const { width, gap, dayGap, label } = metrics;
  const isFull = (rows.marks[row] & justified) !== 0;
  let sum = 0;
  for (let offset = first; offset < to; offset++) sum += shapes[bytes[offset]];
  const scale = isFull ? (width - gap * (to - first - 1)) / sum : rows.height[row];
  let [x, dayLeft] = [0, 0];
  for (let offset = first; offset < to; offset++) {
    if (rows.marks[row] & withDays && months.beginsDay(offset)) {
      if (offset > first) x = Math.max(x - gap, dayLeft + label) + dayGap;
      dayLeft = x;
      days.push({ day: months.dayOf(offset), left: Math.round(x) });
    }
    const right = x + shapes[bytes[offset]] * scale;
    left.push(Math.round(x));
    widths.push(Math.max(1, Math.round(right) - Math.round(x)));
    x = right + gap;
  }
  return { left, widths, days };
}
