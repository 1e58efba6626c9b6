/** What is known of one asset, beside its picture. */

import { offers } from "./actions.js";
import * as api from "./api.js";
import { badge, button, make } from "./dom.js";
import { bytes, clock, kindOf, momentWords, states, stateSentences, takenWords } from "./words.js";

const proofs = {
  md5: "the server's MD5 equals this file's",
  multipartMD5: "the MD5 of its parts equals the server's",
  readBack: "it was read back and compared",
  size: "by its size only; the server tells no more",
};

const motions = {
  pair: "What is done to this photo is done to both files.",
  clip: "In the photo’s own file.",
};

/** A row of facts; nothing where nothing is known. */
function row(name, ...values) {
  const given = values.filter((value) => value !== undefined && value !== null && value !== "");
  if (given.length === 0) return [];
  return [
    make("dt", {}, name),
    make("dd", {}, ...given.map((value) => (value instanceof Node ? value : make("span", {}, String(value))))),
  ];
}

/**
 * @param {any} asset a document of gallery-sync/asset/1
 * @returns {Node[]}
 */
export function facts(asset) {
  const isAtHand = asset.absence === undefined;
  const address = api.original(asset.id, true);
  return [
    make("h2", { class: "fact-name" }, make("bdi", {}, asset.name)),
    verdict(asset),
    make("dl", {}, ...rows(asset)),
    isAtHand && make("a", { class: "wide-button", href: address, download: asset.name }, "Download the original"),
    ...offers([asset]).map(action),
  ].filter(Boolean);
}

function action({ icon, words, reason, act }) {
  return make(
    "div",
    {},
    button({ icon, words, className: "wide-button", disabled: reason !== null, onclick: act }),
    reason && make("p", { class: "soft" }, reason),
  );
}

/** The state, and why it is so. */
function verdict(asset) {
  const said = [asset.note ?? stateSentences[asset.state], asset.absence, ...(asset.reason ?? [])].filter(Boolean);
  const sentences = new Set(said.map((sentence) => sentence.replace(/[^.!?]$/, "$&.")));
  return make(
    "div",
    { class: `verdict ${asset.state}` },
    badge(asset.state),
    make(
      "div",
      {},
      make("strong", {}, states[asset.state] ?? asset.state),
      ...[...sentences].map((sentence) => make("p", {}, sentence)),
    ),
  );
}

/** What `words` make of a value, where there is one. */
const known = (value, words) => (value === undefined || value === null ? undefined : words(value));

function rows(asset) {
  const { width, height } = asset;
  const size = width && height ? `${width} × ${height}` : undefined;
  const pixels = width * height >= 1e6 ? `${((width * height) / 1e6).toFixed(1)} megapixels` : undefined;
  const dated = asset.dated === false ? "The file's date; the picture has none." : undefined;
  const proof = known(asset.proof, (word) => `Proven: ${proofs[word] ?? word}.`);
  return [
    ...row("Taken", known(asset.taken, takenWords), dated),
    ...row("File", kindOf(asset), asset.type, known(asset.size, bytes)),
    ...row("Motion", known(asset.motion, code), asset.live && motions[asset.live]),
    ...row("Picture", size, pixels, asset.duration ? clock(asset.duration) : undefined),
    ...row("Camera", asset.camera, asset.lens, asset.exposure),
    ...row("Folder", asset.root, known(asset.path, code), asset.isHere === false ? "Not on this computer." : undefined),
    ...row("Stored", known(asset.storedAt, momentWords), proof),
    ...row("Key in storage", known(asset.key, code)),
    ...row("Changed", known(asset.modified, momentWords)),
  ];
}

const code = (text) => make("code", {}, make("bdi", {}, text));
