/* A calibration as a picture: measured (marks) against modelled (lines) times of all benchmarks by
 * size, both axes logarithmic. Knows results only. */
#include "api/chart/chart.h"
#include "api/report/report_calibration.h"
#include "core/memory/memory.h"
#include "core/settings/units.h"

#include <stdio.h>
#include <stdlib.h>

enum { LABEL_BYTES = 96 };

/* The chart's series: for each table the measured series, then the modelled series. */
struct drawing {
    struct chart_series *series;
    char (*labels)[LABEL_BYTES];
    double **values; /* to be freed */
    size_t count, value_count;
};

static void size_tick(double value, char *text, size_t size) {
    units_size_text((int64_t)value, text, size);
}

static bool add_table(struct drawing *drawing, const struct measurement *table,
                      const double *modelled_ps, struct chart *chart) {
    double *values = memory_new(3 * table->count, sizeof *values);
    if (values == NULL) return false;
    double *sizes = values, *measured = sizes + table->count, *modelled = measured + table->count;
    drawing->values[drawing->value_count++] = values;
    for (size_t i = 0; i < table->count; i++) {
        sizes[i] = (double)table->rows[i].size_bytes;
        measured[i] = table->rows[i].time_ps / 1e6;
        modelled[i] = modelled_ps[i] / 1e6;
    }
    chart_axis_include(&chart->x, sizes, table->count);
    chart_axis_include(&chart->y, measured, 2 * table->count);
    const size_t style = drawing->count / 2;
    for (int model = 0; model < 2; model++) {
        char *label = drawing->labels[drawing->count];
        snprintf(label, LABEL_BYTES, "%s, %s", table->name, model ? "modelled" : "measured");
        drawing->series[drawing->count++] = (struct chart_series){
            .label = label,
            .x = sizes,
            .y = model ? modelled : measured,
            .count = table->count,
            .style = style,
            .has_line = model,
            .has_marks = !model,
        };
    }
    return true;
}

static bool draw(struct text_buffer *text, struct drawing *drawing,
                 const anax_calibration *calibration) {
    const struct measurement_list *list = &calibration->measurements;
    struct chart chart = {
        .title = "Time of a message or operation, measured and modelled",
        .x = {.label = "bytes", .base = 2, .tick = size_tick},
        .y = {.label = "us", .base = 10},
    };
    drawing->series = memory_new(2 * list->count, sizeof *drawing->series);
    drawing->labels = memory_new(2 * list->count, sizeof *drawing->labels);
    drawing->values = memory_new(list->count, sizeof *drawing->values);
    bool drawn = drawing->series != NULL && drawing->labels != NULL && drawing->values != NULL;
    for (size_t t = 0; t < list->count && drawn; t++)
        if (calibration->modelled_ps[t] != NULL)
            drawn = add_table(drawing, &list->tables[t], calibration->modelled_ps[t], &chart);
    chart.series = drawing->series;
    chart.count = drawing->count;
    if (drawn) chart_draw(text, &chart);
    return drawn;
}

char *report_calibration_svg(const anax_calibration *calibration) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    struct drawing drawing = {0};
    if (!draw(&text, &drawing, calibration)) text.failed = true;
    for (size_t i = 0; i < drawing.value_count; i++)
        free(drawing.values[i]);
    free(drawing.values);
    free(drawing.labels);
    free(drawing.series);
    return text_take(&text);
}
