/** Puts the page together: route, timeline, status, and what the server says meanwhile. */

import { learnAbilities } from "./actions.js";
import * as api from "./api.js";
import { showKeys } from "./ask.js";
import { begin } from "./beginning.js";
import { find, spaced } from "./dom.js";
import { Duplicates } from "./duplicates.js";
import { emptyState, Filters } from "./filters.js";
import { Months } from "./months.js";
import { addressOf, route } from "./route.js";
import { Scrubber } from "./scrubber.js";
import { Selection } from "./selection.js";
import { StatusView } from "./status.js";
import { Timeline } from "./timeline.js";
import { sign } from "./verdict.js";
import { Viewer } from "./viewer.js";
import { banner, say, toast } from "./voice.js";
import { Walking } from "./walking.js";
import { plural } from "./words.js";

/** Milliseconds between two looks at a timeline that keeps growing. */
const growth = 4000;

const selection = new Selection();
const timeline = new Timeline({ grid: find("photos-grid"), spacer: find("spacer"), selection });
const viewer = new Viewer(find("viewer"), { timeline });
const status = new StatusView(find("status"));
const duplicates = new Duplicates(find("duplicates"), () => timeline.sizes);
const filters = new Filters((filter) => (location.hash = addressOf(filter)));
new Walking(timeline, selection, (offset) => timeline.count > 0 && viewer.open(offset));
new Scrubber(find("scrubber"), find("bubble"), timeline);

const state = {
  report: null,
  isConnected: true,
  hasEnded: false,
  isShown: false,
  isStale: false,
  loading: new AbortController(),
};

/** The first pictures are there, or are long in coming: what else the page asks for does not stand in their way. */
const { promise: pictured, resolve: isPictured } = Promise.withResolvers();
setTimeout(isPictured, 2000);
timeline.addEventListener("pictured", isPictured, { once: true });

/** Loads the timeline of the filter; `isSame` where only time has passed, so that what is looked at stays. */
async function load(isSame) {
  state.loading.abort();
  state.loading = new AbortController();
  const { signal } = state.loading;
  const { filter } = filters;
  try {
    const [document, ratios, columns] = isSame ? [await api.timeline(filter, signal)] : await begin(filter, signal);
    const months = new Months(document);
    if (document.thumbnailSizes.length > 0) timeline.sizes = document.thumbnailSizes;
    // Assets of another revision may be others.
    const first = isSame ? null : { ratios: ratios.bytes, columns: columns.revision === months.revision ? columns : null };
    timeline.show(months, filter, isSame, first);
    filters.say(months.count);
    showEmpty();
    if (months.count === 0) isPictured();
    if (!isSame && state.isShown) say(`${plural(months.count, "file")} shown.`);
    state.isShown = true;
    if (state.isConnected) banner(null);
  } catch (error) {
    if (error.name === "AbortError" || state.hasEnded) return;
    if (error.status === 400 && !filters.isEmpty) {
      // As of a folder's old name in a bookmark: asked again it would make as little sense.
      toast("This address names what is not there; everything is shown.", true);
      location.hash = addressOf({});
      return;
    }
    banner(`${error.message} It is tried again.`);
    setTimeout(() => load(isSame), 3000);
  }
}

/** Not under an open viewer, whose neighbours would move. */
const reload = spaced(growth, () => (viewer.isOpen ? (state.isStale = true) : load(true)));

find("viewer").addEventListener("close", () => {
  if (state.isStale) reload();
  state.isStale = false;
});

function showEmpty() {
  const node = find("empty");
  const isEmpty = timeline.months !== undefined && timeline.count === 0;
  node.hidden = !isEmpty;
  find("filters").hidden = isEmpty && filters.isEmpty;
  find("photos-grid").hidden = isEmpty;
  if (isEmpty) {
    node.replaceChildren(
      ...emptyState(filters.filter, state.report, {
        clear: () => (location.hash = addressOf({})),
        sync: () => status.act("sync"),
      }),
    );
  }
}

function go() {
  const { view, filter } = route();
  const isStatus = view === "status";
  const isPhotos = view === "photos";
  for (const name of ["photos", "status", "duplicates"]) find(name).hidden = view !== name;
  document.body.classList.toggle("at-status", !isPhotos);
  find("search-box").classList.toggle("away", !isPhotos);
  for (const [id, isHere] of [["to-photos", isPhotos], ["to-status", isStatus]]) {
    if (isHere) find(id).setAttribute("aria-current", "page");
    else find(id).removeAttribute("aria-current");
  }
  document.title = isStatus ? "Status – Gallery" : isPhotos ? "Gallery" : "Duplicates – Gallery";
  if (!isPhotos) isPictured();
  if (isStatus) {
    status.log.load();
    return lookAtStatus();
  }
  if (!isPhotos) return duplicates.show();
  const isOther = JSON.stringify(filter) !== JSON.stringify(filters.filter);
  if (isOther) selection.clear();
  if (isOther || !state.isShown) {
    filters.set(filter);
    load(false);
    pictured.then(() => filters.refresh()).then(() => filters.reveal());
  }
  timeline.render();
}

async function lookAtStatus() {
  try {
    hear(await api.status());
  } catch (error) {
    if (!state.report) banner(error.message);
  }
}

const lookAgain = spaced(10_000, () => !find("status").hidden && lookAtStatus());

/** Takes a report; one without its lists keeps those that were there. */
function hear(report, isShort = false) {
  const lists = ["kinds", "history", "recent", "notes"];
  const before = state.report;
  state.report = isShort && before
    ? { ...withLists(report), ...Object.fromEntries(lists.map((name) => [name, before[name]])) }
    : withLists(report);
  const { kind, words } = sign(state.report);
  find("pill").className = `pill ${kind}`;
  if (find("pill-text").textContent !== words) find("pill-text").textContent = words;
  status.show(state.report);
  if (timeline.months && timeline.count === 0) showEmpty();
}

const withLists = (report) => ({
  failures: [],
  blocked: [],
  roots: [],
  kinds: [],
  history: [],
  notes: [],
  brake: null,
  rescue: null,
  ...report,
});

/** Works that are over were told of, but for those that ended before this page was opened. */
const told = new Set();

/** Says how what goes on in the background ended. */
function hearWorks({ works }) {
  const isFirst = state.works === undefined;
  state.works = works;
  status.showWorks(works);
  for (const { id, sentence, isFailure } of works) {
    if (sentence === undefined || told.has(id)) continue;
    told.add(id);
    if (!isFirst) toast(sentence, isFailure);
  }
}

const recount = spaced(2000, () => filters.refresh());

pictured.then(() => api.listen(
  {
    status: (report) => {
      hear(report, true);
      lookAgain();
    },
    works: hearWorks,
    log: (document) => status.log.add(document),
    assets: (change) => {
      timeline.change(change);
      viewer.change(change);
      recount();
      if (filters.filter.state) reload();
    },
    timeline: ({ revision }) => {
      if (revision === timeline.months?.revision) return;
      reload();
      recount();
    },
  },
  (isConnected, hasMissed) => {
    if (isConnected && !state.isConnected) {
      banner(null);
      say("Connected again.");
    } else if (!isConnected && !state.hasEnded) {
      banner("The connection to gallery-sync is lost; what you see may be old. It is tried again.");
    }
    state.isConnected = isConnected;
    if (!isConnected || !hasMissed) return;
    timeline.forgive();
    reload();
    if (!find("status").hidden) lookAtStatus();
  },
));

api.sessionEnd.addEventListener("end", () => {
  state.hasEnded = true;
  banner("This page's session has ended. Open it again with “gallery-sync open”.");
});

window.addEventListener("hashchange", go);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, dialog")) return;
  if (event.key === "/" && !find("photos").hidden) {
    event.preventDefault();
    find("search-text").focus();
  } else if (event.key === "?") showKeys();
  else if (event.key === "g") location.hash = find("status").hidden ? "#/status" : addressOf(filters.filter);
});
// Going to the photos by the menu keeps what they were narrowed to.
find("to-photos").addEventListener("click", (event) => {
  event.preventDefault();
  location.hash = find("photos").hidden ? addressOf(filters.filter) : "#/photos";
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  find("photos-grid").focus();
});

go();
pictured.then(learnAbilities).then(() => selection.refresh());
