/** The status view: what is safe, what is not and why, and what can be done about it. */

import * as api from "./api.js";
import { ask } from "./ask.js";
import { chart } from "./chart.js";
import { button, make, nextStep } from "./dom.js";
import { FailedList } from "./failed.js";
import { LogView } from "./log.js";
import { toast } from "./voice.js";
import { headline, percent } from "./verdict.js";
import { bytes, kinds, number, plural, relative, span } from "./words.js";

export class StatusView {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    this.failed = new FailedList();
    this.log = new LogView();
    this.parts = {};
    for (const name of ["head", "works", "overview", "attention", "failures", "rescue", "history", "limits", "roots", "notes"]) {
      this.parts[name] = make("div", { class: `part part-${name}` });
    }
    const last = make("div", { class: "part" }, make("div", {}, this.log.node));
    node.append(make("div", { class: "status-page" }, ...Object.values(this.parts), last));
    // Only the times that are counted from now change by themselves.
    setInterval(() => this.#tick(), 1000);
  }

  /** @param {any} report */
  show(report) {
    this.report = report;
    if (this.node.hidden) return;
    this.#put("head", head(report, this));
    this.#put("overview", overview(report));
    this.#put("attention", attention(report, this));
    this.#put("rescue", rescue(report.rescue));
    this.#put("history", report.history.length > 0 ? card("Stored lately", chart(report.history)) : null);
    this.#put("limits", limits(report.limits));
    this.#put("roots", roots(report));
    this.#put(
      "notes",
      report.notes.length > 0
        ? card("Notes", make("ul", { class: "notes" }, ...report.notes.map((note) => make("li", {}, note))))
        : null,
    );
    this.parts.failures.replaceChildren(...(this.#problems > 0 ? [this.failed.node] : []));
    this.failed.refresh(this.#problems, report.failures);
  }

  /** What goes on beside the sending, and how it ended. */
  showWorks(works) {
    const rows = works.map(({ title, done, total, sentence, isFailure }) =>
      make(
        "li",
        { class: isFailure ? "failed" : "" },
        make("div", {}, make("strong", {}, title), sentence && make("p", { class: "soft" }, sentence)),
        make("span", { class: "soft" }, sentence ? (isFailure ? "Ended" : "Done") : `${number(done)} of ${number(total)}`),
        !sentence && meter(done / total, title),
      )
    );
    this.#put("works", rows.length > 0 ? card("Restores", make("ul", { class: "roots" }, ...rows)) : null);
  }

  /** Asks the agent for something and says how it answered. */
  async act(action, details) {
    try {
      toast((await api.act(action, details)).sentence);
    } catch (error) {
      toast(error.message, true);
    }
  }

  get #problems() {
    return this.report.assets.failed;
  }

  /** Replaces a part where it has changed, so that focus and what is being read stay. */
  #put(name, content) {
    const part = this.parts[name];
    const nodes = [content].flat().filter(Boolean);
    const next = make("div", {}, ...nodes);
    if (part.firstChild?.isEqualNode(next)) return;
    const focused = part.contains(document.activeElement) ? document.activeElement.textContent : null;
    part.replaceChildren(next);
    if (focused === null) return;
    const again = [...part.querySelectorAll("button, a")].find(({ textContent }) => textContent === focused);
    (again ?? this.node).focus({ preventScroll: true });
  }

  #tick() {
    if (this.node.hidden) return;
    for (const node of this.node.querySelectorAll("time[data-at]")) {
      const words = timeWords(node.dataset);
      if (node.textContent !== words) node.textContent = words;
    }
  }
}

const timeWords = ({ at, form }) => (form === "left" ? left(at) : relative(at));

function left(moment) {
  const seconds = (new Date(moment).getTime() - Date.now()) / 1000;
  return seconds > 0 ? `${span(seconds)} left` : "its time is over";
}

/** A time that is counted from now. */
function time(moment, form = "relative") {
  return make("time", { datetime: moment, "data-at": moment, "data-form": form }, timeWords({ at: moment, form }));
}

function card(title, ...content) {
  return make("section", { class: "card" }, make("h3", {}, title), ...content);
}

/** Where the objects go, in a sentence. */
function placeOf(destination) {
  if (!destination) return "No destination is chosen; in a terminal, run “gallery-sync init”.";
  const { url, bucket, prefix, local } = destination;
  if (local) return "Stored on this computer only. Not protected against loss of this disk.";
  return `${url ?? "Unknown address"}, bucket ${[bucket, prefix].filter(Boolean).join("/")}`;
}

function head(report, view) {
  const { destination, agent, queue } = report;
  const isPaused = queue?.paused ?? agent.paused;
  const actions = !destination ? [] : agent.running
    ? [
      button({ icon: "retry", words: "Sync now", className: "primary", onclick: () => view.act("sync") }),
      isPaused && button({ icon: "play", words: "Resume", onclick: () => view.act("resume") }),
      !isPaused && button({ icon: "pause", words: "Pause", onclick: () => view.act("pause") }),
      !isPaused && button({ words: "Pause for an hour", onclick: () => view.act("pause", { minutes: 60 }) }),
    ]
    : [
      make(
        "p",
        { class: "soft" },
        "No agent runs, so nothing is sent. Start it with ",
        make("code", {}, "gallery-sync watch"),
        ".",
      ),
    ];
  return make(
    "header",
    { class: "status-head" },
    make(
      "div",
      {},
      make("h2", {}, headline(report)),
      make("p", { class: "soft" }, placeOf(destination)),
      agent.reason && make("p", { class: "soft" }, agent.reason),
    ),
    make("div", { class: "actions" }, ...actions),
  );
}

/** The stored share, and that of problems; what waits is the empty rest. */
function shares(report) {
  const { assets } = report;
  const whole = Math.max(1, assets.total);
  const bar = make("div", { class: "meter large", role: "img", "aria-label": `${percent(report)} % stored` });
  for (const state of ["stored", "failed", "unreadable"]) {
    if (assets[state] === 0) continue;
    const part = make("span", { class: state });
    part.style.width = `${Math.max(0.6, (assets[state] / whole) * 100)}%`;
    bar.append(part);
  }
  return bar;
}

function overview(report) {
  const { assets, besides, brake } = report;
  if (assets.total === 0 && besides.remoteOnly === 0) return null;
  // The photos know what is held apart from what waits.
  const held = brake?.count ?? 0;
  const tile = (state, words, count, more) =>
    make(
      count > 0 ? "a" : "div",
      { class: `tile-fact ${count > 0 ? state : "quiet"}`, href: count > 0 ? `#/photos?state=${state}` : null },
      make("span", { class: "soft" }, words),
      make("strong", {}, number(count)),
      more && make("small", { class: "soft" }, more),
    );
  const wait = report.nextAttempt ? [make("span", { class: "soft" }, "Next attempt ", time(report.nextAttempt))] : [];
  return make(
    "section",
    { class: "card", "aria-label": "Overview" },
    make(
      "p",
      { class: "share" },
      make("strong", {}, `${percent(report)} %`),
      make("span", { class: "soft" }, `${bytes(report.bytes.stored)} of ${bytes(report.bytes.total)}`),
      ...wait,
    ),
    shares(report),
    make(
      "div",
      { class: "tile-facts" },
      tile("stored", "Stored", assets.stored, "verified in storage"),
      tile("waiting", "Waiting", Math.max(0, assets.waiting - held)),
      held > 0 && tile("held", "Held", held, "until you agree"),
      tile("failed", "Failed", assets.failed),
      assets.unreadable > 0 && tile("failed", "Unreadable", assets.unreadable),
      besides.remoteOnly > 0 && tile("remote", "Only in storage", besides.remoteOnly),
    ),
  );
}

/** What waits and why, each with the step that mends it. */
function attention(report, view) {
  const entries = report.blocked.map((cause) => {
    const quantity = [
      cause.files > 0 && plural(cause.files, "file"),
      cause.pictures > 0 && plural(cause.pictures, "picture"),
    ].filter(Boolean).join(", ");
    const step = cause.reason === "paused"
      ? button({ words: "Resume", onclick: () => view.act("resume") })
      : button({ words: "Try now", onclick: () => view.act("sync") });
    return entry(
      "waiting",
      `${cause.title}: ${quantity} ${cause.count === 1 ? "waits" : "wait"}`,
      [cause.message, cause.path && `Such as ${cause.path}`],
      cause.next,
      report.agent.running && step,
    );
  });
  const { brake } = report;
  if (brake) {
    const look = button({ words: "Look at them", onclick: () => (location.hash = "#/photos?state=held") });
    const send = button({ words: `Send all ${number(brake.count)}`, onclick: () => release(brake, view) });
    entries.unshift(
      entry(
        "held",
        `${plural(brake.count, "changed file is held", "changed files are held")}`,
        [brake.reason],
        brake.next,
        look,
        report.agent.running && send,
      ),
    );
  }
  return entries.length > 0 ? card("What waits", make("ul", { class: "causes" }, ...entries)) : null;
}

async function release(brake, view) {
  const question = `${
    plural(brake.count, "changed file")
  } will be sent. What is stored is replaced by what the files are now.`;
  if (await ask(question, `Send ${number(brake.count)}`)) view.act("releaseBrake");
}

function entry(state, title, sentences, next, ...steps) {
  return make(
    "li",
    { class: state },
    make(
      "div",
      {},
      make("strong", {}, title),
      ...sentences.filter(Boolean).map((sentence) => make("p", { class: "soft" }, make("bdi", {}, sentence))),
      next && nextStep(next),
    ),
    ...steps,
  );
}

function rescue(summary) {
  if (!summary) return null;
  const fileless = summary.fileless ?? 0;
  const lost = summary.failed - fileless;
  const sums = [
    `${number(summary.stored)} stored`,
    summary.safe > 0 && `${number(summary.safe)} on this disk`,
    summary.open > 0 && `${number(summary.open)} still at the provider`,
    lost > 0 && `${number(lost)} lost`,
    fileless > 0 && `${number(fileless)} ended without a file`,
    summary.rate && `${bytes(summary.rate)}/s`,
  ];
  return card(
    "Rescues",
    make("p", { class: "soft" }, `${sums.filter(Boolean).join(", ")}.`),
    ...(summary.blocked ?? []).map(nextStep),
    make("ul", { class: "rescues" }, ...summary.files.map(rescuedFile)),
  );
}

/** A provider's file, how much of it is here, and when it goes. */
function rescuedFile(file) {
  const share = file.size ? file.received / file.size : 0;
  const received = file.received > 0 ? bytes(file.received) : "";
  const amount = file.size ? `${bytes(file.received)} of ${bytes(file.size)}` : received;
  const lifetime = file.assumed ? " (usual lifetime)" : "";
  const when = file.expires &&
    make("span", { class: `deadline ${file.danger}` }, time(file.expires, "left"), lifetime);
  const words = [amount, file.message].filter(Boolean).join(" · ");
  const name = make("strong", {}, make("bdi", {}, file.file));
  return make("li", {}, make("div", {}, name, make("p", { class: "soft" }, words)), when, meter(share, file.file));
}

function meter(share, name) {
  const fill = make("span", { class: "stored" });
  fill.style.width = `${Math.min(100, share * 100)}%`;
  return make("div", { class: "meter", role: "img", "aria-label": `${name}: ${Math.floor(share * 100)} %` }, fill);
}

/** What the destination takes, and how fast it is sent. */
function limits(known) {
  if (!known) return null;
  const { largestFile, budget, room, rate } = known;
  const rows = [
    budget !== undefined && ["Room", `${bytes(room)} of ${bytes(budget)} free`],
    largestFile !== undefined && ["Largest file", bytes(largestFile)],
    rate !== undefined && ["Speed", `at most ${bytes(rate)}/s at this time`],
  ].filter(Boolean);
  return card(
    "Limits",
    make("dl", { class: "limits" }, ...rows.flatMap(([name, words]) => [make("dt", {}, name), make("dd", {}, words)])),
  );
}

function roots(report) {
  if (report.roots.length === 0) return null;
  const rows = report.roots.map((root) =>
    make(
      "li",
      {},
      make(
        "div",
        {},
        make("a", { href: `#/photos?root=${encodeURIComponent(root.name)}` }, make("bdi", {}, root.name)),
        make("p", { class: "soft" }, make("bdi", {}, root.path)),
        root.paused && make("p", { class: "trouble" }, root.paused),
      ),
      make("span", { class: "soft" }, `${number(root.stored)} of ${number(root.total)} · ${bytes(root.bytes)}`),
      meter(root.total > 0 ? root.stored / root.total : 0, root.name),
    )
  );
  const sorts = report.kinds.map((kind) => `${kinds[kind.name] ?? kind.name} ${number(kind.total)}`).join(" · ");
  const seen = report.lastScan
    ? [make("p", { class: "soft" }, "Last looked at ", time(report.lastScan), sorts && ` · ${sorts}`)]
    : [];
  return card("Folders", make("ul", { class: "roots" }, ...rows), ...seen);
}
