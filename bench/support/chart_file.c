/* Draws a chart into memory and writes it as an SVG file. */
#include "bench/support/chart_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool chart_file_write(const struct chart *chart, const char *path) {
    struct text_buffer buffer = TEXT_BUFFER_INIT;
    chart_draw(&buffer, chart);
    char *text = text_take(&buffer);
    FILE *file = text != NULL ? fopen(path, "w") : NULL;
    bool good = file != NULL && fputs(text, file) >= 0;
    if (file != NULL) good = fclose(file) == 0 && good;
    if (!good) fprintf(stderr, "bench: %s: %s\n", path, strerror(errno));
    free(text);
    return good;
}
