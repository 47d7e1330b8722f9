/* The page docs/validation.md: verdicts by machine, causes, pictures, commands. */
#include "bench/support/run_cache.h"
#include "bench/validation/validation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static double bound_of(const struct validation_row *row, size_t point) {
    return row->points[point].bound > 0 ? row->points[point].bound : row->bound;
}

verdict validation_judge(const struct validation_row *row, size_t point, double figure) {
    const double ratio = figure / row->points[point].figure, bound = bound_of(row, point);
    if (isnan(figure)) return NOT_MEASURED;
    bool met = false;
    switch (row->kind) {
    case WITHIN:
        met = fabs(ratio - 1) <= bound;
        break;
    case FACTOR:
        met = ratio <= bound && ratio >= 1 / bound;
        break;
    case AT_MOST:
        met = figure <= row->points[point].figure;
        break;
    case AT_LEAST:
        met = figure >= row->points[point].figure;
        break;
    }
    return met ? MET : NOT_MET;
}

static const char *const verdict_names[] = {"met", "**not met**", "not measured"};
static const char *const origin_names[] = {"text", "plot", "derived"};

/* Three digits, or all before the point; three decimals below 1. */
static void write_number(FILE *page, double figure) {
    const double size = fabs(figure);
    fprintf(page, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", figure);
}

static void write_bound(FILE *page, const struct validation_row *row, size_t point) {
    switch (row->kind) {
    case WITHIN:
        fprintf(page, "%.0f %%", 100 * bound_of(row, point));
        break;
    case FACTOR:
        fprintf(page, "a factor of %g", bound_of(row, point));
        break;
    case AT_MOST:
        fputs("at most this", page);
        break;
    case AT_LEAST:
        fputs("at least this", page);
        break;
    }
}

static void write_point(FILE *page, const struct validation_row *row, size_t point, double figure) {
    const struct published_point *published = &row->points[point];
    fprintf(page, "| %s | %s | ", row->what, published->at);
    write_number(page, published->figure);
    fprintf(page, " %s | %s, %s | ", row->unit, row->source, origin_names[row->origin]);
    if (isnan(figure)) {
        fputs("– | – | ", page);
    } else {
        write_number(page, figure);
        fprintf(page, " | %.2f | ", figure / published->figure);
    }
    write_bound(page, row, point);
    fprintf(page, " | %s | [%s](#commands) |\n",
            verdict_names[validation_judge(row, point, figure)], row->name);
}

/* ---------------------------------------------------------------------------- sections */

static void write_head(FILE *page, const struct validation_results *results) {
    size_t counts[3] = {0}, total = 0;
    for (size_t r = 0; validation_rows[r].name != NULL; r++)
        for (size_t i = 0; i < validation_points(&validation_rows[r]); i++, total++)
            counts[validation_judge(&validation_rows[r], i, results->figures[r][i])]++;
    fprintf(
        page,
        "# Validation\n"
        "\n"
        "This page compares published measurements of real dragonfly machines with the "
        "predictions of anax for these machines. `bench/validation.sh` writes this page; do not "
        "edit it. A figure is met if the prediction is within the stated bound.\n"
        "\n"
        "Of %zu published figures %zu are met and %zu are not; %zu are not measured.\n"
        "\n",
        total, counts[MET], counts[NOT_MET], counts[NOT_MEASURED]);
}

static void write_text(FILE *page, const char *section) {
    for (const struct section_text *row = validation_sections; row->section != NULL; row++)
        if (strcmp(row->section, section) == 0) fprintf(page, "%s\n\n", row->text);
}

static bool section_begins(size_t row) {
    return row == 0 || strcmp(validation_rows[row].section, validation_rows[row - 1].section) != 0;
}

static void write_cause(FILE *page, const struct validation_row *row, const double *figures) {
    size_t missed = 0;
    for (size_t i = 0; i < validation_points(row); i++)
        missed += validation_judge(row, i, figures[i]) == NOT_MET;
    if (missed > 0)
        fprintf(page, "- **%s** (%zu of %zu not met): %s\n", row->name, missed,
                validation_points(row),
                row->cause != NULL ? row->cause : "The cause is not known.");
}

static void write_rows(FILE *page, const struct validation_results *results) {
    for (size_t r = 0; validation_rows[r].name != NULL; r++) {
        const struct validation_row *row = &validation_rows[r];
        if (section_begins(r)) {
            fprintf(page, "## %s\n\n", row->section);
            write_text(page, row->section);
            fputs("| what | at | published | source | anax | ratio | bound | verdict | commands "
                  "|\n|---|---|---|---|---|---|---|---|---|\n",
                  page);
        }
        for (size_t i = 0; i < validation_points(row); i++)
            write_point(page, row, i, results->figures[r][i]);
        bool ends = validation_rows[r + 1].name == NULL || section_begins(r + 1);
        if (ends) fputc('\n', page);
    }
    fputs("## Causes\n"
          "\n"
          "This section gives the cause of each figure that is not met, as far as the cause is "
          "known.\n"
          "\n",
          page);
    for (size_t r = 0; validation_rows[r].name != NULL; r++)
        write_cause(page, &validation_rows[r], results->figures[r]);
    fputc('\n', page);
}

static bool write_pictures(FILE *page, const struct validation_results *results,
                           const char *folder) {
    char *directory = cache_text("%s/validation", folder);
    bool good = mkdir(directory, 0777) == 0 || errno == EEXIST;
    fputs("## Pictures\n"
          "\n"
          "Marks are published figures, and lines are predictions of anax.\n"
          "\n",
          page);
    for (const struct picture *each = validation_pictures; each->file != NULL && good; each++) {
        bool drawn = false;
        good = validation_draw(each, results, directory, &drawn);
        if (drawn) fprintf(page, "![%s](validation/%s)\n\n", each->title, each->file);
    }
    free(directory);
    return good;
}

/* The rules of the rows, in words. */
static const char *const rule_texts[] = {
    [HALF_ROUND_TRIP] = "half a round trip: the time of the iterations / iterations / 2",
    [ROUND_TRIP] = "a round trip: the time of the iterations / iterations",
    [PING_PONG_RATE] = "bytes of a message / half a round trip",
    [WINDOW_RATE] = "bytes of all messages / the time of the iterations",
    [MESSAGE_TIME] = "the time of the iterations / messages of a sender",
    [MESSAGE_RATE] = "messages of all ranks / the time of the iterations",
    [ALLTOALL_RATE] = "ranks · (ranks − 1) · bytes of a block / time",
    [MEAN_ITERATION] = "the mean time of an iteration over ranks, without the barriers",
    [SLOWEST_RANK] = "half a round trip of the slowest rank, without the barriers",
    [STEP_OF_DISTANCE] = "half a round trip less that of the second replay",
    [SLOWDOWN] = ("an iteration of the first job takes as long as its slowest rank, without the "
                  "barriers: the mean over iterations in the timeline `both` / in `alone`"),
};

static void write_commands(FILE *page) {
    fputs("## Commands\n"
          "\n"
          "This section lists, for each row, the quantity and the commands of the row's first "
          "figure.\n"
          "\n",
          page);
    for (const struct validation_row *row = validation_rows; row->name != NULL; row++) {
        char *commands = validation_commands(row, 0);
        fprintf(page, "**%s**: %s\n\n```\n%s```\n\n", row->name, rule_texts[row->rule], commands);
        free(commands);
    }
}

bool validation_page(const struct bench_options *options,
                     const struct validation_results *results) {
    char *path = cache_text("%s/validation.md", options->out);
    FILE *page = fopen(path, "w");
    bool good = page != NULL;
    if (good) {
        write_head(page, results);
        write_text(page, "");
        write_rows(page, results);
        good = write_pictures(page, results, options->out);
        write_commands(page);
        good = fclose(page) == 0 && good;
    }
    if (!good) fprintf(stderr, "bench: %s: %s\n", path, strerror(errno));
    free(path);
    return good;
}
