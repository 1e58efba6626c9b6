/** Numbers, dates and states as the page says them. */

const locale = navigator.languages.find((language) => language.startsWith("en")) ?? "en-GB";
const numbers = new Intl.NumberFormat(locale);

const utc = (options) => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
const formats = {
  month: utc({ month: "long", year: "numeric" }),
  day: utc({ weekday: "short", day: "numeric", month: "short" }),
  date: utc({ dateStyle: "full" }),
  short: utc({ dateStyle: "medium" }),
  full: utc({ dateStyle: "long", timeStyle: "short" }),
  here: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
  hereDay: new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short" }),
};

export const number = (value) => numbers.format(value);
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** `2024-06` as `June 2024`. */
export const monthWords = (key) => formats.month.format(new Date(`${key}-01T00:00:00Z`));
/** `2024-06-03` as `Mon, 3 Jun`. */
export const dayWords = (key) => formats.day.format(new Date(`${key}T00:00:00Z`));
/** Seconds of a wall clock, as the timeline has them. */
export const takenWords = (seconds) => formats.full.format(new Date(seconds * 1000));
export const takenDay = (seconds) => formats.day.format(new Date(seconds * 1000));

/** Days such as `2024-06-30` as `30 Jun 2024 – 2 Jul 2024`; `null` for none. */
export function dateWords(since, until) {
  const words = (day) => (day ? formats.short.format(new Date(`${day}T00:00:00Z`)) : "");
  if (!since && !until) return null;
  return since === until ? words(since) : `${words(since)} – ${words(until)}`.trim();
}

/** A moment in ISO 8601 or in milliseconds since 1970, in this computer's zone. */
export const momentWords = (moment) => formats.here.format(new Date(moment));
export const dayHere = (moment) => formats.hereDay.format(new Date(moment));

/** `1.2 MB`, as the command line writes it. */
export function bytes(value) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  let rest = value;
  for (; rest >= 999.5 && unit < units.length - 1; unit++) rest /= 1000;
  const digits = unit > 0 && rest < 9.95 ? 1 : 0;
  return `${rest.toFixed(digits)} ${units[unit]}`;
}

/** Seconds of a video as `3:07`. */
export function clock(seconds) {
  const whole = Math.round(seconds);
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** A length of time in its two largest units. */
export function span(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const pair = (a, unit, b, small) => (b > 0 ? `${a} ${unit} ${b} ${small}` : `${a} ${unit}`);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return pair(Math.floor(whole / 60), "min", whole < 600 ? whole % 60 : 0, "s");
  if (whole < 86400) return pair(Math.floor(whole / 3600), "h", Math.floor((whole % 3600) / 60), "min");
  const days = Math.floor(whole / 86400);
  return pair(days, days === 1 ? "day" : "days", Math.floor((whole % 86400) / 3600), "h");
}

/** `5 min ago`, `in 2 h`, `now`. */
export function relative(moment, now = Date.now()) {
  const seconds = (new Date(moment).getTime() - now) / 1000;
  if (Math.abs(seconds) < 5) return "now";
  return seconds < 0 ? `${span(-seconds)} ago` : `in ${span(seconds)}`;
}

/** The states in the order in which they are offered, and their names. */
export const states = {
  stored: "Stored",
  waiting: "Waiting",
  failed: "Failed",
  remote: "Only in storage",
  held: "Held",
  ignored: "Left out",
};

/** What a state means, in a sentence. */
export const stateSentences = {
  stored: "Stored and verified.",
  waiting: "Waiting to be stored.",
  failed: "Not stored: it failed.",
  remote: "Only in storage: the file is gone from this computer.",
  held: "Held: too many files changed at once.",
  ignored: "Left out by a rule.",
};

export const kinds = { photo: "Photos", raw: "RAW", video: "Videos", animation: "Animations", other: "Other" };
const kindNames = { photo: "Photo", raw: "RAW photo", video: "Video", animation: "Animation", other: "File" };
/** What an asset is, in a word or two. */
export const kindOf = ({ kind, live }) => (live ? "Live Photo" : kindNames[kind] ?? "File");
