/** What the page says by the way: a note at the lower edge, and words for screen readers. */

import { button, find, make } from "./dom.js";

let hiding = 0;
let saying = 0;

/** For screen readers only; of several in a row the last is said. */
export function say(sentence) {
  clearTimeout(saying);
  saying = setTimeout(() => (find("announcer").textContent = sentence), 250);
}

/** For all; a failure stays until it is closed, and what can be undone a little longer. */
export function toast(sentence, isFailure = false, undo = null) {
  const node = find("toast");
  // What lies beside an open dialog can neither be seen nor reached.
  const viewer = find("viewer");
  (viewer.open ? viewer : document.querySelector("main")).append(node);
  clearTimeout(hiding);
  const close = () => (node.hidden = true);
  node.replaceChildren(
    make("span", {}, sentence),
    ...(undo ? [button({ words: undo.words, onclick: () => (close(), undo.act()) })] : []),
    ...(isFailure ? [button({ icon: "close", label: "Close", className: "round", onclick: close })] : []),
  );
  node.classList.toggle("failure", isFailure);
  node.hidden = false;
  say(sentence);
  if (!isFailure) hiding = setTimeout(close, undo ? 12_000 : 5000);
}

/** What is wrong with the page as a whole; `null` where nothing is. */
export function banner(sentence) {
  const node = find("banner");
  if (node.textContent !== (sentence ?? "")) node.textContent = sentence ?? "";
  node.hidden = sentence === null;
}
