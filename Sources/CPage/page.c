// The files of the gallery page, embedded by the compiler: what a Swift array literal would take 14 s of a build for
// (150 KB), this takes milliseconds for, and a changed file is noticed. A new file gets its lines here; a test
// compares them with the folder.
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "../Dashboard/Page/index.html"
};
static const unsigned char actions_js[] = {
#embed "../Dashboard/Page/actions.js"
};
static const unsigned char api_js[] = {
#embed "../Dashboard/Page/api.js"
};
static const unsigned char app_js[] = {
#embed "../Dashboard/Page/app.js"
};
static const unsigned char ask_js[] = {
#embed "../Dashboard/Page/ask.js"
};
static const unsigned char badges_svg[] = {
#embed "../Dashboard/Page/badges.svg"
};
static const unsigned char beginning_js[] = {
#embed "../Dashboard/Page/beginning.js"
};
static const unsigned char chart_js[] = {
#embed "../Dashboard/Page/chart.js"
};
static const unsigned char columns_js[] = {
#embed "../Dashboard/Page/columns.js"
};
static const unsigned char dom_js[] = {
#embed "../Dashboard/Page/dom.js"
};
static const unsigned char duplicates_js[] = {
#embed "../Dashboard/Page/duplicates.js"
};
static const unsigned char facts_js[] = {
#embed "../Dashboard/Page/facts.js"
};
static const unsigned char failed_js[] = {
#embed "../Dashboard/Page/failed.js"
};
static const unsigned char filters_js[] = {
#embed "../Dashboard/Page/filters.js"
};
static const unsigned char folders_js[] = {
#embed "../Dashboard/Page/folders.js"
};
static const unsigned char icon_svg[] = {
#embed "../Dashboard/Page/icon.svg"
};
static const unsigned char layout_js[] = {
#embed "../Dashboard/Page/layout.js"
};
static const unsigned char log_js[] = {
#embed "../Dashboard/Page/log.js"
};
static const unsigned char months_js[] = {
#embed "../Dashboard/Page/months.js"
};
static const unsigned char motion_js[] = {
#embed "../Dashboard/Page/motion.js"
};
static const unsigned char ratios_js[] = {
#embed "../Dashboard/Page/ratios.js"
};
static const unsigned char reach_js[] = {
#embed "../Dashboard/Page/reach.js"
};
static const unsigned char route_js[] = {
#embed "../Dashboard/Page/route.js"
};
static const unsigned char rownode_js[] = {
#embed "../Dashboard/Page/rownode.js"
};
static const unsigned char rownodes_js[] = {
#embed "../Dashboard/Page/rownodes.js"
};
static const unsigned char rowpicture_js[] = {
#embed "../Dashboard/Page/rowpicture.js"
};
static const unsigned char scroller_js[] = {
#embed "../Dashboard/Page/scroller.js"
};
static const unsigned char scrubber_js[] = {
#embed "../Dashboard/Page/scrubber.js"
};
static const unsigned char selection_js[] = {
#embed "../Dashboard/Page/selection.js"
};
static const unsigned char setup_css[] = {
#embed "../Dashboard/Page/setup.css"
};
static const unsigned char setup_html[] = {
#embed "../Dashboard/Page/setup.html"
};
static const unsigned char setup_js[] = {
#embed "../Dashboard/Page/setup.js"
};
static const unsigned char status_css[] = {
#embed "../Dashboard/Page/status.css"
};
static const unsigned char status_js[] = {
#embed "../Dashboard/Page/status.js"
};
static const unsigned char style_css[] = {
#embed "../Dashboard/Page/style.css"
};
static const unsigned char surface_js[] = {
#embed "../Dashboard/Page/surface.js"
};
static const unsigned char thumbhash_js[] = {
#embed "../Dashboard/Page/thumbhash.js"
};
static const unsigned char thumbnails_js[] = {
#embed "../Dashboard/Page/thumbnails.js"
};
static const unsigned char tile_js[] = {
#embed "../Dashboard/Page/tile.js"
};
static const unsigned char timeline_css[] = {
#embed "../Dashboard/Page/timeline.css"
};
static const unsigned char timeline_js[] = {
#embed "../Dashboard/Page/timeline.js"
};
static const unsigned char verdict_js[] = {
#embed "../Dashboard/Page/verdict.js"
};
static const unsigned char viewer_css[] = {
#embed "../Dashboard/Page/viewer.css"
};
static const unsigned char viewer_js[] = {
#embed "../Dashboard/Page/viewer.js"
};
static const unsigned char voice_js[] = {
#embed "../Dashboard/Page/voice.js"
};
static const unsigned char walking_js[] = {
#embed "../Dashboard/Page/walking.js"
};
static const unsigned char words_js[] = {
#embed "../Dashboard/Page/words.js"
};
static const unsigned char zoom_js[] = {
#embed "../Dashboard/Page/zoom.js"
};

#define PAGE_FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct cpage_file files[] = {
    PAGE_FILE("index.html", index_html),
    PAGE_FILE("actions.js", actions_js),
    PAGE_FILE("api.js", api_js),
    PAGE_FILE("app.js", app_js),
    PAGE_FILE("ask.js", ask_js),
    PAGE_FILE("badges.svg", badges_svg),
    PAGE_FILE("beginning.js", beginning_js),
    PAGE_FILE("chart.js", chart_js),
    PAGE_FILE("columns.js", columns_js),
    PAGE_FILE("dom.js", dom_js),
    PAGE_FILE("duplicates.js", duplicates_js),
    PAGE_FILE("facts.js", facts_js),
    PAGE_FILE("failed.js", failed_js),
    PAGE_FILE("filters.js", filters_js),
    PAGE_FILE("folders.js", folders_js),
    PAGE_FILE("icon.svg", icon_svg),
    PAGE_FILE("layout.js", layout_js),
    PAGE_FILE("log.js", log_js),
    PAGE_FILE("months.js", months_js),
    PAGE_FILE("motion.js", motion_js),
    PAGE_FILE("ratios.js", ratios_js),
    PAGE_FILE("reach.js", reach_js),
    PAGE_FILE("route.js", route_js),
    PAGE_FILE("rownode.js", rownode_js),
    PAGE_FILE("rownodes.js", rownodes_js),
    PAGE_FILE("rowpicture.js", rowpicture_js),
    PAGE_FILE("scroller.js", scroller_js),
    PAGE_FILE("scrubber.js", scrubber_js),
    PAGE_FILE("selection.js", selection_js),
    PAGE_FILE("setup.css", setup_css),
    PAGE_FILE("setup.html", setup_html),
    PAGE_FILE("setup.js", setup_js),
    PAGE_FILE("status.css", status_css),
    PAGE_FILE("status.js", status_js),
    PAGE_FILE("style.css", style_css),
    PAGE_FILE("surface.js", surface_js),
    PAGE_FILE("thumbhash.js", thumbhash_js),
    PAGE_FILE("thumbnails.js", thumbnails_js),
    PAGE_FILE("tile.js", tile_js),
    PAGE_FILE("timeline.css", timeline_css),
    PAGE_FILE("timeline.js", timeline_js),
    PAGE_FILE("verdict.js", verdict_js),
    PAGE_FILE("viewer.css", viewer_css),
    PAGE_FILE("viewer.js", viewer_js),
    PAGE_FILE("voice.js", voice_js),
    PAGE_FILE("walking.js", walking_js),
    PAGE_FILE("words.js", words_js),
    PAGE_FILE("zoom.js", zoom_js),
};

size_t cpage_count(void) { return sizeof files / sizeof *files; }

struct cpage_file cpage_file(size_t index) { return files[index]; }
