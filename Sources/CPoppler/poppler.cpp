#include "CPoppler.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include <fontconfig/fontconfig.h>
#include <poppler/cpp/poppler-document.h>
#include <poppler/cpp/poppler-image.h>
#include <poppler/cpp/poppler-page-renderer.h>
#include <poppler/cpp/poppler-page.h>

struct cpoppler_document {
    std::unique_ptr<poppler::document> document;
    std::unique_ptr<poppler::page> page;
    std::string metadata;
    double width = 0;
    double height = 0;
};

namespace {

void (*listener)(const char *message) = nullptr;

void tell(const std::string &message, void *) {
    if (listener) listener(message.c_str());
}

/// A family that documents and drawings name, and those that stand for it, the one of the same widths first.
struct Substitute {
    const char *family;
    const char *ours;
    const char *other;
};

const Substitute substitutes[] = {
    {"Helvetica", "Liberation Sans", "DejaVu Sans"},
    {"Arial", "Liberation Sans", "DejaVu Sans"},
    {"Times", "Liberation Serif", "DejaVu Serif"},
    {"Times New Roman", "Liberation Serif", "DejaVu Serif"},
    {"Courier", "Liberation Mono", "DejaVu Sans Mono"},
    {"Courier New", "Liberation Mono", "DejaVu Sans Mono"},
    {"Symbol", "Standard Symbols PS", "DejaVu Sans"},
    {"ZapfDingbats", "D050000L", "DejaVu Sans"},
    // What drawings name besides: the families of CSS as browsers show them, and what most systems have.
    {"sans-serif", "Liberation Sans", "DejaVu Sans"},
    {"serif", "Liberation Serif", "DejaVu Serif"},
    {"Georgia", "Liberation Serif", "DejaVu Serif"},
    {"monospace", "Liberation Mono", "DejaVu Sans Mono"},
    {"Consolas", "Liberation Mono", "DejaVu Sans Mono"},
    {"Menlo", "Liberation Mono", "DejaVu Sans Mono"},
    {"Monaco", "Liberation Mono", "DejaVu Sans Mono"},
    {"Verdana", "DejaVu Sans", "Liberation Sans"},
    {"Bitstream Vera Sans", "DejaVu Sans", "Liberation Sans"},
};

/// What a family is shown in of which nothing is known.
const char *const last_families =
    "<string>Liberation Sans</string><string>DejaVu Sans</string><string>Droid Sans Fallback</string>";

/// The substitutes as fontconfig reads them.
std::string font_rules() {
    std::string rules = "<fontconfig>";
    for (const Substitute &substitute : substitutes)
        rules += std::string("<alias binding=\"same\"><family>") + substitute.family + "</family><accept><family>"
            + substitute.ours + "</family><family>" + substitute.other + "</family></accept></alias>";
    return rules + "<match><edit name=\"family\" mode=\"append_last\">" + last_families
        + "</edit></match></fontconfig>";
}

template <typename Body> int guarded(Body body) {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return cpoppler_no_memory;
    } catch (...) {
        return cpoppler_damaged;
    }
}

int open_first(const char *bytes, int count, cpoppler_document &opened) {
    opened.document.reset(poppler::document::load_from_raw_data(bytes, count));
    if (!opened.document) return cpoppler_damaged;
    if (opened.document->is_locked()) return cpoppler_locked;
    if (opened.document->pages() < 1) return cpoppler_empty;
    opened.page.reset(opened.document->create_page(0));
    if (!opened.page) return cpoppler_damaged;
    const poppler::rectf box = opened.page->page_rect(poppler::crop_box);
    opened.width = std::fabs(box.width());
    opened.height = std::fabs(box.height());
    const auto orientation = opened.page->orientation();
    if (orientation == poppler::page::landscape || orientation == poppler::page::seascape)
        std::swap(opened.width, opened.height);
    if (!std::isfinite(opened.width) || !std::isfinite(opened.height)) return cpoppler_damaged;
    if (opened.width <= 0 || opened.height <= 0) return cpoppler_damaged;
    // Its bytes as they are: Poppler takes them for letters of one byte each.
    opened.metadata = opened.document->metadata().to_latin1();
    return cpoppler_done;
}

}  // namespace

void cpoppler_listen(void (*hear)(const char *message)) {
    listener = hear;
    poppler::set_debug_error_function(tell, nullptr);
}

int cpoppler_use_fonts(const char *const *paths, int count) {
    FcConfig *fonts = FcConfigCreate();
    if (!fonts) return 0;
    int found = 0;
    const auto bytes = [](const char *text) { return reinterpret_cast<const FcChar8 *>(text); };
    for (int index = 0; index < count; index++) found += FcConfigAppFontAddFile(fonts, bytes(paths[index]));
    FcConfigParseAndLoadFromMemory(fonts, bytes(font_rules().c_str()), FcTrue);
    FcConfigSetCurrent(fonts);
    FcConfigDestroy(fonts);
    return found;
}

int cpoppler_open(const char *bytes, int count, cpoppler_document **document) {
    return guarded([&] {
        auto opened = std::make_unique<cpoppler_document>();
        const int end = open_first(bytes, count, *opened);
        if (end == cpoppler_done) *document = opened.release();
        return end;
    });
}

void cpoppler_close(cpoppler_document *document) { delete document; }

double cpoppler_width(const cpoppler_document *document) { return document->width; }

double cpoppler_height(const cpoppler_document *document) { return document->height; }

const char *cpoppler_metadata(const cpoppler_document *document) { return document->metadata.c_str(); }

int cpoppler_draw(
    const cpoppler_document *document, int width, int height, uint8_t *pixels, ptrdiff_t bytes_per_row) {
    return guarded([&] {
        poppler::page_renderer renderer;
        renderer.set_image_format(poppler::image::format_rgb24);
        renderer.set_paper_color(0xffffffff);
        renderer.set_render_hint(poppler::page_renderer::antialiasing);
        renderer.set_render_hint(poppler::page_renderer::text_antialiasing);
        const double across = 72.0 * width / document->width, down = 72.0 * height / document->height;
        const poppler::image drawn =
            renderer.render_page(document->page.get(), across, down, 0, 0, width, height);
        if (!drawn.is_valid() || drawn.width() != width || drawn.height() != height)
            return static_cast<int>(cpoppler_damaged);
        for (int y = 0; y < height; y++)
            std::memcpy(pixels + y * bytes_per_row, drawn.const_data() + y * drawn.bytes_per_row(), width * 3);
        return static_cast<int>(cpoppler_done);
    });
}
