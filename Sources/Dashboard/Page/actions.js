/** What can be asked for about files: which of it makes sense for which states, and how it is asked. */

import * as api from "./api.js";
import { ask, askFolder, askLife, askWords, showLinks } from "./ask.js";
import { toast } from "./voice.js";
import { plural } from "./words.js";

/** How many ids an action takes at once. */
const batch = 2_000;
const few = 100;

/** Names of the actions that this server carries out, and why it does not carry out the others. */
const abilities = { allowed: new Set(), refused: {} };

export async function learnAbilities() {
  try {
    const { allowed, refused } = await api.abilities();
    abilities.allowed = new Set(allowed);
    abilities.refused = refused;
  } catch {
    // Nothing is offered then; the banner says that nothing answers.
  }
}

/** Where restored files go unless another folder is named; kept while the page is open. */
let folder = "~/Restored";

/** Asks for an action of many files, some at a time; the last answer, or `null` where it was refused. */
async function perform(name, ids, details = {}) {
  let answer = null;
  try {
    for (let from = 0; from < ids.length; from += batch) {
      const one = await api.act(name, { ids: ids.slice(from, from + batch), ...details });
      answer = { ...one, count: one.count + (answer?.count ?? 0) };
    }
  } catch (error) {
    toast(error.message, true);
    return null;
  }
  return answer;
}

async function say(name, ids, details) {
  const answer = await perform(name, ids, details);
  if (answer) toast(answer.sentence);
  return answer !== null;
}

/** Sends files again and says how that went; whether it was accepted. */
export const retry = (ids) => say("retry", ids);

async function leaveOut(ids) {
  const answer = await perform("leaveOut", ids);
  if (!answer) return false;
  toast(answer.sentence, false, answer.count > 0 && { words: "Undo", act: () => retry(ids) });
  return true;
}

async function release(ids, files) {
  const question = `${plural(files, "changed file")} will be sent. What is stored is replaced by what the ${
    files === 1 ? "file is" : "files are"
  } now.`;
  return (await ask(question, "Send")) && say("releaseBrake", ids);
}

async function resend(ids, files) {
  const question = `${plural(files, "file")} will be read and sent once more, though stored already.`;
  return (await ask(question, "Send again")) && say("resend", ids);
}

async function link(ids, files) {
  const seconds = await askLife(files);
  const answer = seconds && (await perform("link", ids, { seconds }));
  if (!answer) return false;
  await showLinks(answer);
  return true;
}

async function restore(ids, files) {
  const wanted = await askFolder(files, folder);
  if (!wanted) return false;
  folder = wanted;
  return say("restore", ids, { folder });
}

/** Asks what would be deleted, has the words typed, and only then deletes. */
async function prune(ids) {
  const plan = await perform("prune", ids.slice(0, batch));
  if (!plan) return false;
  if (!plan.question) {
    toast(plan.sentence);
    return false;
  }
  const words = await askWords(plan.sentence, plan.question);
  return words !== null && say("prune", ids.slice(0, batch), { words });
}

/** How many files these are: an action on a Live Photo is one on its movie, too. */
export const filesOf = (assets) => assets.reduce((sum, { live }) => sum + (live === "pair" ? 2 : 1), 0);

/** The state that decides what can be done: what is stored of a file that is left out now can be had, and none is sent. */
const stateOf = ({ state, kept }) => (kept ? "kept" : state);

/**
 * In the order in which they are offered. `limit`: how many files one may be about.
 * @type {{name: string, icon: string, words: string, states: string[], limit?: number, act: (ids: string[], files: number) => Promise<boolean>}[]}
 */
const all = [
  { name: "retry", icon: "retry", words: "Retry", states: ["failed", "waiting"], act: retry },
  { name: "retry", icon: "retry", words: "Send after all", states: ["ignored"], act: retry },
  { name: "releaseBrake", icon: "check", words: "Send the changes", states: ["held"], act: release },
  { name: "link", icon: "link", words: "Copy a link", states: ["stored", "remote", "kept"], limit: few, act: link },
  { name: "restore", icon: "download", words: "Restore to a folder", states: ["stored", "remote", "kept"], act: restore },
  {
    name: "show",
    icon: "folder",
    words: "Show in the file manager",
    states: ["stored", "waiting", "failed", "held", "ignored", "kept"],
    limit: few,
    act: (ids) => say("show", ids),
  },
  { name: "resend", icon: "retry", words: "Send again", states: ["stored"], act: resend },
  { name: "leaveOut", icon: "close", words: "Not needed any more", states: ["failed", "waiting"], act: leaveOut },
  { name: "prune", icon: "trash", words: "Delete from storage", states: ["remote"], limit: batch, act: prune },
];

/**
 * What can be done with these files; an action that only some of them are for names how many.
 * @param {{id: string, state: string, kept?: boolean, live?: string | null}[]} assets
 */
export function offers(assets) {
  return all.flatMap(({ name, icon, words, states, limit = Infinity, act }) => {
    const concerned = assets.filter((asset) => states.includes(stateOf(asset)));
    const ids = concerned.map(({ id }) => id);
    if (ids.length === 0) return [];
    const isMuch = ids.length > limit ? `At most ${limit} files at once.` : null;
    const reason = isMuch ?? (abilities.allowed.has(name) ? null : abilities.refused[name] ?? "");
    // What this server never carries out is not offered; what this computer lacks says so.
    if (reason === "") return [];
    const count = assets.length > 1 ? ids.length : 0;
    return [{ name, icon, words, count, reason, act: () => act(ids, filesOf(concerned)) }];
  });
}
