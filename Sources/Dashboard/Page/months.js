/** Where months and days begin in the timeline, from the server's counts. */

/** The last index whose value is at most `value`, in sorted `values` of which the first `count` count. */
export function lastAtMost(values, value, count = values.length) {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

function starts(entries) {
  const offsets = new Uint32Array(entries.length + 1);
  entries.forEach(([, count], index) => (offsets[index + 1] = offsets[index] + count));
  return offsets;
}

export class Months {
  /** @param {{count: number, months: [string, number][], days?: [string, number][], revision: string}} document */
  constructor(document) {
    this.revision = document.revision;
    this.keys = document.months.map(([key]) => key);
    this.starts = starts(document.months);
    this.length = this.keys.length;
    this.count = this.starts[this.length];
    const days = document.days ? starts(document.days) : null;
    this.hasDays = days !== null && days[days.length - 1] === this.count;
    this.dayKeys = this.hasDays ? document.days.map(([key]) => key) : this.keys;
    this.dayStarts = this.hasDays ? days : this.starts;
    this.firstDays = this.starts.map((start) => lastAtMost(this.dayStarts, start));
  }

  size(month) {
    return this.starts[month + 1] - this.starts[month];
  }

  monthOf(offset) {
    return lastAtMost(this.starts, offset, this.length);
  }

  dayOf(offset) {
    return lastAtMost(this.dayStarts, offset, this.dayKeys.length);
  }

  /** Whether `offset` is a day's first, and the days are known. */
  beginsDay(offset) {
    return this.hasDays && this.dayStarts[this.dayOf(offset)] === offset;
  }

  /** A function from offsets here to those in `older`, -1 where that month has changed. */
  mapping(older) {
    const places = new Map(older.keys.map((key, index) => [key, index]));
    return (offset) => {
      const month = this.monthOf(offset);
      const other = places.get(this.keys[month]);
      if (other === undefined || older.size(other) !== this.size(month)) return -1;
      return older.starts[other] + offset - this.starts[month];
    };
  }
}
