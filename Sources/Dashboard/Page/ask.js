/** Questions before what cannot be taken back, and the list of keys. */

import { button, find, make } from "./dom.js";

/** Whether the user agrees. */
export function ask(question, agree) {
  return new Promise((resolve) => {
    const dialog = make("dialog", { class: "question", "aria-labelledby": "question" });
    const answer = (value) => () => dialog.close(value);
    dialog.append(
      make("p", { id: "question" }, question),
      make(
        "div",
        { class: "actions" },
        button({ words: "Cancel", onclick: answer("") }),
        button({ words: agree, className: "primary", onclick: answer("yes") }),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
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
  "Viewer": [["← →", "Newer, older"], ["+ − 0", "Zoom"], ["I", "Facts"], ["D", "Download"], ["Space", "Play, pause"], [
    "Escape",
    "Close",
  ]],
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
