/** How things stand, in one sentence: for the status view and the small sign above the photos. */

import { number, plural } from "./words.js";

/** The headline of a report, as the agent words it where it does. */
export function headline(report) {
  if (report.headline) return report.headline;
  if (report.destination === null) return "No destination yet.";
  const { total, stored, waiting, failed, unreadable } = report.assets;
  if (total === 0) return "Nothing to store yet.";
  if (stored === total) return total === 1 ? "The one file is stored." : `All ${number(total)} files are stored.`;
  const parts = [`${number(stored)} of ${number(total)} files stored`];
  if (waiting > 0) parts.push(`${number(waiting)} waiting`);
  if (failed + unreadable > 0) parts.push(`${number(failed + unreadable)} with problems`);
  return `${parts.join(", ")}.`;
}

/** Whole percent; 100 only when everything is stored, 0 only when nothing is. */
export function percent(report) {
  if (report.percent !== undefined) return report.percent;
  const { total, stored } = report.assets;
  if (total === 0) return 0;
  if (stored === total) return 100;
  return stored === 0 ? 0 : Math.min(99, Math.max(1, Math.floor((stored * 100) / total)));
}

/** What waits for these goes on by itself; for anything else a person has to do something. */
const passing = ["offline", "paused", "metered"];

/** A few words and their kind. */
export function sign(report) {
  const { total, stored, waiting, failed, unreadable } = report.assets;
  const problems = failed + unreadable;
  if (report.destination === null) return { kind: "waiting", words: "Not set up" };
  if (report.queue?.paused) return { kind: "paused", words: "Paused" };
  if (problems > 0) return { kind: "failed", words: plural(problems, "problem") };
  if (!report.agent.running) return { kind: "paused", words: "Not running" };
  if (report.brake) return { kind: "failed", words: `${number(report.brake.count)} held` };
  const cause = report.blocked.find(({ reason }) => !passing.includes(reason));
  if (cause) return { kind: "failed", words: cause.title };
  if (waiting > 0) return { kind: "waiting", words: `${number(waiting)} waiting` };
  if (total === 0) return { kind: "paused", words: "Nothing yet" };
  return stored === total ? { kind: "stored", words: "All stored" } : { kind: "waiting", words: "Storing" };
}
