/** What is known of one asset, beside its picture. */

import * as api from "./api.js";
import { badge, button, make } from "./dom.js";
import { bytes, clock, kindNames, momentWords, stateSentences, states, takenWords } from "./words.js";

const proofs = {
  md5: "the server's MD5 equals this file's",
  multipartMD5: "the MD5 of its parts equals the server's",
  readBack: "it was read back and compared",
  size: "by its size only; the server tells no more",
};

/** A row of facts; nothing where nothing is known. */
function row(name, ...values) {
  const known = values.filter((value) => value !== undefined && value !== null && value !== "");
  if (known.length === 0) return [];
  return [make("dt", {}, name), make("dd", {}, ...known.map((value) => (value instanceof Node ? value : make("span", {}, String(value)))))];
}

/**
 * @param {any} asset a document of gallery-sync/asset/1
 * @param {(id: string) => void} retry
 * @returns {Node[]}
 */
export function facts(asset, retry) {
  const { width, height } = asset;
  const size = width && height ? `${width} × ${height}` : undefined;
  const pixels = width && height && width * height >= 1e6 ? `${((width * height) / 1e6).toFixed(1)} megapixels` : undefined;
  const said = [asset.note ?? stateSentences[asset.state], ...(asset.reason ?? [])].filter(Boolean);
  const sentences = new Set(said.map((sentence) => sentence.replace(/[^.!?]$/, "$&.")));
  const isTried = asset.state === "failed" || asset.state === "waiting";
  return [
    make("h2", { class: "fact-name" }, make("bdi", {}, asset.name)),
    make(
      "div", { class: `verdict ${asset.state}` }, badge(asset.state),
      make("div", {}, make("strong", {}, states[asset.state] ?? asset.state),
        ...[...sentences].map((sentence) => make("p", {}, sentence)),
        isTried && button({ icon: "retry", words: "Retry", onclick: () => retry(asset.id) }))),
    make(
      "dl", {},
      ...row("Taken", asset.taken === undefined ? undefined : takenWords(asset.taken), asset.dated === false ? "The file's date; the picture has none." : undefined),
      ...row("File", kindNames[asset.kind], asset.type, asset.size === undefined ? undefined : bytes(asset.size)),
      ...row("Picture", size, pixels, asset.duration ? clock(asset.duration) : undefined),
      ...row("Camera", asset.camera, asset.lens, asset.exposure),
      ...row("Folder", asset.root, asset.path && code(asset.path), asset.isHere === false ? "Not on this computer." : undefined),
      ...row("Stored", asset.storedAt === undefined ? undefined : momentWords(asset.storedAt), asset.proof ? `Proven: ${proofs[asset.proof] ?? asset.proof}.` : undefined),
      ...row("Key in storage", asset.key && code(asset.key)),
      ...row("Changed", asset.modified === undefined ? undefined : momentWords(asset.modified))),
    asset.isHere === false && asset.state !== "remote" ? null : make("a", { class: "wide-button", href: api.original(asset.id, true), download: asset.name }, "Download the original"),
  ].filter(Boolean);
}

const code = (text) => make("code", {}, make("bdi", {}, text));
