/** Asks what to keep safe and where to, has it tried, writes it, and starts; docs: Sources/Contracts/dashboard.md. */

import * as api from "./api.js";
import { badge, button, find, icon, make } from "./dom.js";

/** Milliseconds between two looks at a trial that runs, and at whether an agent runs. */
const glance = 150;
const patience = 1000;

const fields = ["folders", "url", "bucket", "budget", "key", "email", "password", "code"];
const signs = { fine: "stored", doubtful: "waiting", wrong: "failed" };

/** The chosen folders, as they were typed. */
let folders = [];
/** The answers that a trial found right. */
let tried = null;

const isLocal = () => find("form").elements.where.value === "local";
const isHosted = () => /^https?:\/\/[^/]*\.supabase\.(co|in)(\/|$)/i.test(find("url").value.trim());

function answers(makesBucket = false) {
  return {
    folders,
    url: isLocal() ? "local" : find("url").value.trim(),
    place: find("bucket").value.trim(),
    budget: isHosted() ? find("budget").value.trim() : "",
    key: isLocal() ? "" : find("key").value.trim(),
    makesBucket,
  };
}

/** What was tried does not hold any more. */
function changed() {
  tried = null;
  find("start").hidden = true;
  find("try").hidden = false;
  find("make").hidden = true;
  find("sign-in").hidden = true;
  for (const node of document.querySelectorAll(".project")) node.hidden = isLocal();
  find("plan").hidden = !isHosted();
}

function showFolders() {
  find("folders").replaceChildren(
    ...folders.map((path) =>
      make(
        "li",
        {},
        icon("folder"),
        make("bdi", {}, path),
        button({ icon: "close", label: `Leave out ${path}`, className: "round", onclick: () => leaveOut(path) }),
      )
    ),
  );
  for (const offer of find("offers").children) offer.hidden = folders.includes(offer.dataset.path);
  changed();
}

function leaveOut(path) {
  folders = folders.filter((other) => other !== path);
  showFolders();
  find("folder").focus();
}

function add(path) {
  const plain = path.trim().replace(/(.)\/+$/, "$1");
  if (plain !== "" && !folders.includes(plain)) folders.push(plain);
  find("folder").value = "";
  trouble("folders", null);
  showFolders();
}

/** Folders whose paths begin with what is typed; an answer that is late is not shown. */
async function complete() {
  const text = find("folder").value;
  const { folders: found } = await api.setUp.folders(text).catch(() => ({ folders: [] }));
  if (find("folder").value !== text) return;
  find("found").replaceChildren(...found.map((value) => make("option", { value })));
}

function trouble(field, sentence) {
  const known = fields.includes(field) ? field : "form";
  const node = find(`${known}-trouble`);
  node.textContent = sentence ?? "";
  node.hidden = !sentence;
  const input = find(known === "folders" ? "folder" : known);
  if (input instanceof HTMLInputElement) {
    if (sentence) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
  return input;
}

function say(words) {
  find("said").textContent = words;
}

function showFindings(findings) {
  find("trial").hidden = findings.length === 0;
  const items = findings.map(({ name, result, sentence, sql }) =>
    make(
      "li",
      { "data-result": result },
      badge(signs[result]),
      make("strong", {}, name),
      make("p", {}, sentence),
      sql && make("pre", { tabindex: "0", "aria-label": "SQL" }, sql),
    )
  );
  find("findings").replaceChildren(...items);
}

/** Shows each finding as it is made, until `isOver`. */
async function watch(isOver) {
  while (!isOver()) {
    const { findings } = await api.setUp.findings().catch(() => ({ findings: [] }));
    if (!isOver()) showFindings(findings);
    await new Promise((done) => setTimeout(done, glance));
  }
}

async function attempt(makesBucket) {
  if (find("folder").value.trim() !== "") add(find("folder").value);
  for (const field of [...fields, "form"]) trouble(field, null);
  const asked = answers(makesBucket);
  find("try").disabled = true;
  say("It is being tried…");
  let isOver = false;
  watch(() => isOver);
  try {
    const verdict = await api.setUp.attempt(asked);
    isOver = true;
    showFindings(verdict.findings);
    judge(verdict, asked);
  } catch (error) {
    isOver = true;
    trouble("form", error.message);
    say("");
  }
  find("try").disabled = false;
}

function judge(verdict, asked) {
  const [first] = verdict.troubles.map(({ field, sentence }) => trouble(field, sentence));
  find("make").hidden = !verdict.mayMakeBucket;
  find("sign-in").hidden = !verdict.needsSignIn;
  // What was typed meanwhile was not tried.
  if (JSON.stringify(answers(asked.makesBucket)) !== JSON.stringify(asked)) return changed();
  if (!verdict.isRight) {
    say("Nothing was written yet.");
    return first?.focus();
  }
  find("try").hidden = true;
  if (verdict.needsSignIn) {
    say("It can start once you are signed in.");
    return find("email").focus();
  }
  tried = asked;
  find("start").hidden = false;
  find("start").focus();
  say(verdict.mayMakeBucket ? "It can start; the bucket is made at the first sync." : "All is well: it can start.");
}

/** Signs in with what is there: a code, a password, or an address to send a code to. */
async function signIn() {
  for (const field of fields) trouble(field, null);
  const asked = answers();
  const [email, password, code] = ["email", "password", "code"].map((field) => find(field).value.trim());
  find("enter").disabled = true;
  say("Signing in…");
  try {
    const { isSignedIn, sentence, troubles } = await api.setUp.signIn({ answers: asked, email, password, code });
    say(sentence ?? "");
    const [first] = troubles.map(({ field, sentence }) => trouble(field, sentence));
    first?.focus();
    if (isSignedIn) {
      forgetSecrets();
      await attempt(false);
    } else if (!first) {
      find("coded").hidden = false;
      find("code").focus();
    }
  } catch (error) {
    trouble("form", error.message);
    say("");
  }
  find("enter").disabled = false;
}

/** Says what the button leads to. */
function offerSignIn() {
  const isCode = find("password").value === "" && find("code").value === "";
  find("enter").textContent = isCode ? "Send a code" : "Sign in";
}

/** What was typed to sign in is not kept in the page. */
function forgetSecrets() {
  for (const field of ["password", "code"]) find(field).value = "";
  find("coded").hidden = true;
  offerSignIn();
}

async function start() {
  find("start").disabled = true;
  say("It is being written…");
  try {
    showDone(await api.setUp.start(tried));
  } catch (error) {
    trouble("form", error.message);
    say("");
  }
  find("start").disabled = false;
}

function showDone({ sentences, command }) {
  // The key is not kept in the page.
  find("key").value = "";
  find("form").hidden = true;
  find("sentences").replaceChildren(...sentences.map((sentence) => make("p", {}, sentence)));
  find("next").hidden = !command;
  find("command").textContent = command ?? "";
  find("done").hidden = false;
  find("done").focus();
  waitForAgent();
}

async function waitForAgent() {
  for (;;) {
    const { page } = await api.setUp.agent().catch(() => ({}));
    if (page) return location.replace(page);
    await new Promise((done) => setTimeout(done, patience));
  }
}

function begin({ profile, configuration, folders: known, offers, url, place, keyOrigin }) {
  find("profile").textContent = `Profile “${profile}”, written to ${configuration}. Files are read only, never changed.`;
  folders = known;
  find("offers").replaceChildren(
    ...offers.map((path) => button({ icon: "plus", words: path, "data-path": path, onclick: () => add(path) })),
  );
  find("url").value = url;
  find("bucket").value = place;
  find("budget").value = "free";
  find("key-hint").textContent = keyOrigin
    ? `(empty for the one from ${keyOrigin})`
    : "(or its anon or publishable key, to sign in as a user)";
  showFolders();
}

const form = find("form");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(false);
});
form.addEventListener("input", (event) => {
  if (event.target.closest("#sign-in")) return offerSignIn();
  changed();
  if (event.target.id === "folder") complete();
});
find("folder").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || find("folder").value.trim() === "") return;
  event.preventDefault();
  add(find("folder").value);
});
find("folder").addEventListener("focus", complete);
find("add").addEventListener("click", () => {
  if (find("folder").value.trim() === "") find("folder").focus();
  else add(find("folder").value);
});
find("make").addEventListener("click", () => attempt(true));
find("enter").addEventListener("click", signIn);
find("sign-in").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
  event.preventDefault();
  signIn();
});
find("start").addEventListener("click", start);
api.sessionEnd.addEventListener("end", () =>
  trouble("form", "This page’s session has ended. Open it again with “gallery-sync open”."));

api.setUp.beginning().then(begin, (error) => trouble("form", error.message));
