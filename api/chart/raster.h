/*
 * Dense pictures: pixels of few colours as a PNG inside an SVG, where shapes would take too many
 * bytes. Must not know what the pixels mean.
 *
 * The same pixels give the same bytes with the same versions of libpng and zlib.
 */
#ifndef ANAX_API_RASTER_H
#define ANAX_API_RASTER_H

#include "api/text/text_buffer.h"

#include <stddef.h>
#include <stdint.h>

enum { RASTER_COLOURS = 16 };

struct raster {
    uint8_t *pixels; /* [row * width + column], numbers of colours; NULL: memory has run out */
    size_t width, height;
    const char *const *colours; /* as #rrggbb */
    size_t colour_count;        /* at most RASTER_COLOURS */
};

/* Returns pixels of colour 0, which raster_free frees. */
struct raster raster_new(size_t width, size_t height, const char *const *colours,
                         size_t colour_count);

/* Frees what raster_new has made. */
void raster_free(struct raster *raster);

/* Adds the pixels as a picture that fills the rectangle. Viewers do not smooth its edges. */
void raster_draw(struct text_buffer *text, const struct raster *raster, double x, double y,
                 double width, double height);

#endif
