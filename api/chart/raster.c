/* Writes pixels as a PNG file with a palette, and embeds the file into an SVG text as base64. */
#include "api/chart/raster.h"

#include "api/chart/svg.h"
#include "core/memory/memory.h"

#include <png.h>
#include <stdlib.h>

struct raster raster_new(size_t width, size_t height, const char *const *colours,
                         size_t colour_count) {
    return (struct raster){.pixels = memory_new(width * height, 1),
                           .width = width,
                           .height = height,
                           .colours = colours,
                           .colour_count = colour_count};
}

void raster_free(struct raster *raster) {
    free(raster->pixels);
    raster->pixels = NULL;
}

/* Returns the PNG file and its size; NULL: out of memory. */
static uint8_t *png_of(const struct raster *raster, size_t *size) {
    enum { CHANNELS = 3, RED_SHIFT = 16, GREEN_SHIFT = 8, HEX = 16 };
    uint8_t colours[RASTER_COLOURS * CHANNELS];
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)raster->width,
                       .height = (png_uint_32)raster->height,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = (png_uint_32)raster->colour_count};
    png_alloc_size_t bytes = 0;
    for (size_t i = 0; i < raster->colour_count; i++) {
        const unsigned long colour = strtoul(raster->colours[i] + 1, NULL, HEX);
        colours[i * CHANNELS] = (uint8_t)(colour >> RED_SHIFT);
        colours[i * CHANNELS + 1] = (uint8_t)(colour >> GREEN_SHIFT);
        colours[i * CHANNELS + 2] = (uint8_t)colour;
    }
    uint8_t *file = NULL;
    if (raster->pixels != NULL &&
        png_image_write_get_memory_size(image, bytes, 0, raster->pixels, 0, colours) != 0)
        file = malloc(bytes);
    if (file != NULL &&
        png_image_write_to_memory(&image, file, &bytes, 0, raster->pixels, 0, colours) == 0) {
        free(file);
        file = NULL;
    }
    png_image_free(&image);
    *size = bytes;
    return file;
}

static void add_base64(struct text_buffer *text, const uint8_t *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { GROUP = 3, LOW_SIX = 63 };
    for (size_t i = 0; i < size; i += GROUP) {
        const size_t left = size - i;
        const unsigned group = (unsigned)bytes[i] << 16 |
                               (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? (unsigned)bytes[i + 2] : 0);
        text_add(text, "%c%c%c%c", digits[group >> 18], digits[group >> 12 & LOW_SIX],
                 left > 1 ? digits[group >> 6 & LOW_SIX] : '=',
                 left > 2 ? digits[group & LOW_SIX] : '=');
    }
}

void raster_draw(struct text_buffer *text, const struct raster *raster, double x, double y,
                 double width, double height) {
    size_t size;
    uint8_t *file = png_of(raster, &size);
    if (file == NULL) {
        text->failed = true;
        return;
    }
    text_add(text, "<image x='");
    svg_number(text, x);
    text_add(text, "' y='");
    svg_number(text, y);
    text_add(text, "' width='");
    svg_number(text, width);
    text_add(text, "' height='");
    svg_number(text, height);
    text_add(text, "' preserveAspectRatio='none' image-rendering='pixelated' "
                   "href='data:image/png;base64,");
    add_base64(text, file, size);
    text_add(text, "'/>\n");
    free(file);
}
