/** Questions before what cannot be taken back, and the list of keys. */

import { button, find, make } from "./dom.js";
import { momentWords, plural } from "./words.js";

/**
 * Shows a question with `parts` below it; resolves to what `value` says once the user agrees, else `null`.
 * `beside`: a button in the place of the one that cancels.
 * @template Value
 */
function inquire(question, agree, { parts = [], value = () => true, isReady = () => true, beside } = {}) {
  return new Promise((resolve) => {
    const close = () => dialog.close("");
    const yes = button({ words: agree, className: "primary", type: "submit" });
    const form = make(
      "form",
      { method: "dialog" },
      make("p", { id: "question" }, question),
      ...parts,
      make("div", { class: "actions" }, beside ?? button({ words: "Cancel", onclick: close }), yes),
    );
    const dialog = make("dialog", { class: "question", "aria-labelledby": "question" }, form);
    const look = () => (yes.disabled = !isReady());
    form.addEventListener("input", look);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (isReady()) dialog.close("yes");
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes" ? value() : null);
    });
    look();
    document.body.append(dialog);
    dialog.showModal();
    if (parts.length === 0) yes.focus();
  });
}

/** Whether the user agrees. */
export const ask = async (question, agree) => (await inquire(question, agree)) === true;

/** The folder to restore to; `null` where the user does not want to. */
export function askFolder(count, folder) {
  const input = make("input", { value: folder, spellcheck: "false", autocomplete: "off", required: true });
  const note = "Each comes below its folder’s name. What is there already is compared, and never replaced.";
  return inquire(`Where to restore ${plural(count, "file")}?`, "Restore", {
    parts: [make("label", {}, "Folder on this computer", input), make("p", { class: "soft" }, note)],
    value: () => input.value.trim(),
    isReady: () => /^(\/|~\/)/.test(input.value.trim()),
  });
}

const lives = [["One hour", 3600], ["One day", 86_400], ["One week", 604_800], ["30 days", 2_592_000]];

/** How many seconds links are to work; `null` where none are wanted. */
export function askLife(count) {
  const select = make("select", {}, ...lives.map(([words, seconds]) => make("option", { value: seconds }, words)));
  select.value = 604_800;
  const note = "Anyone who has the link sees the file until then. A link cannot be taken back.";
  return inquire(count === 1 ? "Make a link to this file?" : `Make links to ${plural(count, "file")}?`, "Make", {
    parts: [make("label", {}, "It works for", select), make("p", { class: "soft" }, note)],
    value: () => Number(select.value),
  });
}

/** Shows links, and copies them. */
export async function showLinks({ sentence, links = [] }) {
  const text = links.map(({ url }) => url).join("\n");
  const area = make("textarea", { readonly: true, rows: Math.min(6, links.length * 3), "aria-label": "Links" });
  area.value = text;
  const ends = links[0]?.expiresAt;
  const word = make("p", { class: "soft", role: "status" }, ends ? `Until ${momentWords(ends)}.` : "For good.");
  const copy = button({
    words: "Copy",
    onclick: async () => {
      area.select();
      try {
        await navigator.clipboard.writeText(text);
        word.textContent = "Copied.";
      } catch {
        word.textContent = "This browser does not let the page copy: use its own way.";
      }
    },
  });
  await inquire(sentence, "Done", { parts: [area, word], beside: copy });
}

/** The words that a person has to type; `null` where they were not. */
export function askWords(question, { words, examples }) {
  const input = make("input", { spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
  const list = make("ul", { class: "examples" }, ...examples.map((name) => make("li", {}, make("bdi", {}, name))));
  return inquire(question, "Delete for good", {
    parts: [list, make("label", {}, `Type “${words}” to go on`, input)],
    value: () => input.value.trim(),
    isReady: () => input.value.trim() === words,
  });
}

const keys = {
  "Photos": [
    ["← → ↑ ↓", "Move"],
    ["Page up, Page down", "A page"],
    ["Home, End", "Newest, oldest"],
    ["Enter", "Open"],
    ["Space", "Select"],
    ["Shift + arrows", "Select a range"],
    ["Escape", "Select nothing"],
  ],
  "Viewer": [["← →", "Newer, older"], ["+ − 0", "Zoom"], ["I", "Facts"], ["D", "Download"], ["Space", "Play, pause; the motion of a Live Photo"], ["Escape", "Close"]],
  "Everywhere": [["/", "Search"], ["G", "Photos or status"], ["?", "This list"]],
};

export function showKeys() {
  const dialog = find("keys");
  if (dialog.open) return;
  const groups = Object.entries(keys).map(([name, rows]) =>
    make(
      "div",
      {},
      make("h3", {}, name),
      make("dl", {}, ...rows.flatMap(([key, words]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)])),
    )
  );
  dialog.replaceChildren(
    make(
      "div",
      { class: "keys-head" },
      make("h2", { id: "keys-title" }, "Keys"),
      button({ icon: "close", label: "Close", className: "round", onclick: () => dialog.close() }),
    ),
    make("div", { class: "key-groups" }, ...groups),
  );
  dialog.showModal();
}
