/* How the predicted time depends on each setting along the critical path. */
#include "api/chart/signed_bars.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BARS = 12 };

struct effect {
    const char *setting, *unit;
    double elasticity, derivative;
    double holds_up, holds_down; /* not finite: however far */
};

static int largest_first(const void *first, const void *second) {
    const struct effect *a = first, *b = second;
    if (fabs(a->elasticity) != fabs(b->elasticity))
        return fabs(a->elasticity) > fabs(b->elasticity) ? -1 : 1;
    return strcmp(a->setting, b->setting);
}

/* Writes a share of a percent with its sign: "+0.365 %". */
static const char *effect_text(char *text, double elasticity) {
    snprintf(text, VALUES_TEXT, "%+.3f %%", elasticity);
    return text;
}

/* Writes how far a derivative holds, in percent. */
static const char *range_text(char *text, double share) {
    if (isfinite(share))
        snprintf(text, VALUES_TEXT, "%.4g %%", 100 * share);
    else
        snprintf(text, VALUES_TEXT, "any");
    return text;
}

static void draw(struct page *page, const struct effect *effects, size_t count) {
    struct signed_bar bars[BARS];
    char notes[BARS][VALUES_TEXT];
    size_t shown = 0;
    for (; shown < count && shown < BARS && effects[shown].elasticity != 0; shown++)
        bars[shown] = (struct signed_bar){effects[shown].setting,
                                          effect_text(notes[shown], effects[shown].elasticity),
                                          effects[shown].elasticity};
    if (shown == 0) {
        page_paragraph(page, "No setting acts along the critical path.");
        return;
    }
    const struct signed_bars drawn = {
        .name = "sensitivity",
        .title = "Change of the predicted time if a setting grows by one percent",
        .axis = "change of the predicted time (%)",
        .above = "a larger value takes longer",
        .below = "a larger value is faster",
        .unit = 1,
        .bars = bars,
        .count = shown};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    signed_bars_draw(&svg, &drawn);
    page_picture(page, "sensitivity", &svg,
                 "One percent more of %s changes the predicted time most: by %s. This holds as "
                 "long as the critical path stays the same.",
                 effects[0].setting, notes[0]);
}

void page_sensitivity(struct page *page, struct json_object *result) {
    struct json_object *list = page_value_list(result, "sensitivity");
    const size_t count = page_value_count(list);
    struct effect *effects = memory_new(count + 1, sizeof *effects);
    size_t kept = 0;
    char text[VALUES_TEXT], time[VALUES_TEXT];
    if (effects == NULL) page->failed = true;
    for (size_t i = 0; i < count && effects != NULL; i++) {
        struct json_object *row = page_value_at(list, i);
        const double elasticity = page_value_number(row, "elasticity");
        if (isfinite(elasticity))
            effects[kept++] = (struct effect){page_value_text(row, "setting"),
                                              page_value_text(row, "unit"),
                                              elasticity,
                                              page_value_number(row, "derivative"),
                                              page_value_number(row, "holds_up"),
                                              page_value_number(row, "holds_down")};
    }
    if (kept > 0) {
        qsort(effects, kept, sizeof *effects, largest_first);
        page_section(page, "sensitivity", "What would change the time");
        draw(page, effects, kept);
        page_numbers(page, "Numbers: settings that act along the critical path",
                     "setting|#the time, if it grows by one percent|#the time, if it grows by one "
                     "unit|unit|#holds if it grows by at most|#or shrinks by at most");
        for (size_t i = 0; i < kept; i++) {
            page_cell(page, "%s", effects[i].setting);
            page_cell(page, "%s", effect_text(text, effects[i].elasticity));
            page_cell(page, "%s%s", effects[i].derivative > 0 ? "+" : "",
                      page_value_time(time, effects[i].derivative));
            page_cell(page, "%s", effects[i].unit);
            page_cell(page, "%s", range_text(text, effects[i].holds_up));
            page_cell(page, "%s", range_text(text, effects[i].holds_down));
        }
        page_numbers_end(page);
    }
    free(effects);
}
