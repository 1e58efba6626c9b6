#ifndef CPOPPLER_H
#define CPOPPLER_H

#include <stddef.h>
#include <stdint.h>

// Poppler's C++ interface as far as it is needed: Swift sees C, and no exception leaves these functions.

#ifdef __cplusplus
extern "C" {
#endif

/// A PDF document and its first page.
typedef struct cpoppler_document cpoppler_document;

/// How a call ended.
enum {
    cpoppler_done = 0,
    cpoppler_damaged,
    /// Only its password opens it.
    cpoppler_locked,
    cpoppler_empty,
    cpoppler_no_memory,
};

/// Has Poppler's messages given to `hear` instead of written to standard error.
void cpoppler_listen(void (*hear)(const char *message));

/// Has all libraries of this process find these fonts and no others, as far as they are there; once for all.
/// Returns how many there are.
int cpoppler_use_fonts(const char *const *paths, int count);

/// Opens the document in `bytes`, which must outlive it; after `cpoppler_done` the caller closes it.
int cpoppler_open(const char *bytes, int count, cpoppler_document **document);
void cpoppler_close(cpoppler_document *document);

/// The first page's sides as it is shown, in points of 1/72 inch; always finite and above 0.
double cpoppler_width(const cpoppler_document *document);
double cpoppler_height(const cpoppler_document *document);

/// The document's XMP, or an empty text; valid as long as the document.
const char *cpoppler_metadata(const cpoppler_document *document);

/// Draws the first page on white, in so many pixels of red, green and blue.
int cpoppler_draw(
    const cpoppler_document *document, int width, int height, uint8_t *pixels, ptrdiff_t bytes_per_row);

#ifdef __cplusplus
}
#endif

#endif
