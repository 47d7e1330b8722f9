/*
 * A chart as a small SVG: axes with ticks, curves told apart by colour (safe for colour-blind
 * readers), dashes and marks, reference points as hollow marks, or steps instead of lines. Knows
 * nothing of what it shows.
 */
#include "bench/fidelity.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 380, LEFT = 62, RIGHT = 170, TOP = 30, BOTTOM = 46, STYLES = 8 };

/* The palette of Okabe and Ito. */
static const char *const colours[STYLES] = {"#000000", "#e69f00", "#56b4e9", "#009e73",
                                            "#d55e00", "#0072b2", "#cc79a7", "#7f7f7f"};
static const char *const dashes[STYLES] = {"", "6 2", "2 2", "8 2 2 2", "4 4", "", "10 3", "1 3"};

static double across(const struct chart *chart, double x) {
    return LEFT + (WIDTH - LEFT - RIGHT) * x / chart->x_most;
}

static double up(const struct chart *chart, double y) {
    double least = chart->y_least, most = chart->y_most;
    double part =
        chart->y_logarithmic ? log(y / least) / log(most / least) : (y - least) / (most - least);
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part;
}

/* 1, 2 or 5 times a power of ten: four to ten ticks. */
static double tick_step(double range) {
    double step = pow(10, floor(log10(range / 4)));
    if (range / step > 20) return 5 * step;
    return range / step > 10 ? 2 * step : step;
}

static void text_at(FILE *file, double x, double y, const char *anchor, const char *text) {
    fprintf(file, "<text x='%.0f' y='%.0f' text-anchor='%s'>", x, y, anchor);
    for (; *text != '\0'; text++)
        if (*text == '&')
            fputs("&amp;", file);
        else if (*text == '<')
            fputs("&lt;", file);
        else
            fputc(*text, file);
    fputs("</text>\n", file);
}

static void y_tick(FILE *file, const struct chart *chart, double y) {
    char label[32];
    snprintf(label, sizeof label, "%g", y);
    fprintf(file, "<path class='g' d='M%d %.1fH%d'/>\n", LEFT, up(chart, y), WIDTH - RIGHT);
    text_at(file, LEFT - 6, up(chart, y) + 4, "end", label);
}

static void axes(FILE *file, const struct chart *chart) {
    double step = tick_step(chart->x_most);
    for (double i = 0; i * step <= chart->x_most * 1.0001; i++) {
        char label[32];
        snprintf(label, sizeof label, "%g", i * step);
        fprintf(file, "<path class='g' d='M%.1f %dV%d'/>\n", across(chart, i * step), TOP,
                HEIGHT - BOTTOM);
        text_at(file, across(chart, i * step), HEIGHT - BOTTOM + 16, "middle", label);
    }
    if (chart->y_logarithmic)
        for (double y = pow(10, ceil(log10(chart->y_least) - 1e-9)); y <= chart->y_most * 1.0001;
             y *= 10)
            y_tick(file, chart, y);
    else
        for (double i = 0, y_step = tick_step(chart->y_most - chart->y_least);
             chart->y_least + i * y_step <= chart->y_most * 1.0001; i++)
            y_tick(file, chart, chart->y_least + i * y_step);
    fprintf(file, "<path class='a' d='M%d %dV%dH%d'/>\n", LEFT, TOP, HEIGHT - BOTTOM,
            WIDTH - RIGHT);
    text_at(file, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", chart->x_label);
    fprintf(file, "<g transform='rotate(-90 14 %d)'>", (TOP + HEIGHT - BOTTOM) / 2);
    text_at(file, 14, (TOP + HEIGHT - BOTTOM) / 2.0, "middle", chart->y_label);
    fputs("</g>\n", file);
    text_at(file, LEFT, 18, "start", chart->title);
}

static void mark(FILE *file, double x, double y, size_t style, bool hollow) {
    const char *fill = hollow ? "#fff" : colours[style % STYLES];
    const char *line = colours[style % STYLES];
    if (style % 3 == 0)
        fprintf(file, "<circle cx='%.1f' cy='%.1f' r='3' fill='%s' stroke='%s'/>\n", x, y, fill,
                line);
    else if (style % 3 == 1)
        fprintf(file, "<rect x='%.1f' y='%.1f' width='5.4' height='5.4' fill='%s' stroke='%s'/>\n",
                x - 2.7, y - 2.7, fill, line);
    else
        fprintf(file, "<path d='M%.1f %.1fl3.4 6h-6.8z' fill='%s' stroke='%s'/>\n", x, y - 3.5,
                fill, line);
}

/* A value beyond the picture is drawn at its upper edge, and the curve ends there. */
static bool inside(const struct chart *chart, double *y) {
    bool in = *y <= chart->y_most;
    if (!in) *y = chart->y_most;
    if (*y < chart->y_least) *y = chart->y_least;
    return in;
}

/* Beyond the right edge there is the legend. */
static bool beyond(const struct chart *chart, double x) {
    return x > chart->x_most * 1.0001;
}

static void curve(FILE *file, const struct chart *chart, const struct series *series,
                  size_t style) {
    bool begun = false;
    fprintf(file, "<path fill='none' stroke='%s' stroke-width='1.6' stroke-dasharray='%s' d='",
            colours[style % STYLES], dashes[style % STYLES]);
    for (size_t i = 0; i < series->count; i++) {
        double y = series->y[i];
        if (isnan(y) || beyond(chart, series->x[i])) {
            begun = false;
            continue;
        }
        bool in = inside(chart, &y);
        double x = across(chart, series->x[i]);
        if (begun && series->bars)
            fprintf(file, "H%.1fV%.1f", x, up(chart, y));
        else
            fprintf(file, "%c%.1f %.1f", begun ? 'L' : 'M', x, up(chart, y));
        begun = true;
        if (!in && !series->bars) break;
    }
    fputs("'/>\n", file);
}

static void marks(FILE *file, const struct chart *chart, const struct series *series,
                  size_t style) {
    for (size_t i = 0; i < series->count; i++) {
        double y = series->y[i];
        if (isnan(y) || beyond(chart, series->x[i]) || !inside(chart, &y)) continue;
        mark(file, across(chart, series->x[i]), up(chart, y), style, series->dots);
    }
}

bool svg_write(const struct chart *chart, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "fidelity: %s: %s\n", path, strerror(errno));
        return false;
    }
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' "
            "font-size='12'>\n<style>.g{stroke:#ddd}.a{stroke:#000;fill:none}</style>\n"
            "<rect width='100%%' height='100%%' fill='#fff'/>\n",
            WIDTH, HEIGHT);
    axes(file, chart);
    for (size_t i = 0, style = 0; i < chart->count; i++, style++) {
        const struct series *series = &chart->series[i];
        if (series->dots && style > 0) style--; /* reference points look like the curve before */
        double y = TOP + 8 + 17 * (double)i;
        if (!series->dots) curve(file, chart, series, style);
        if (!series->bars) marks(file, chart, series, style);
        if (!series->dots)
            fprintf(
                file,
                "<path d='M%d %.0fh24' stroke='%s' stroke-width='1.6' stroke-dasharray='%s'/>\n",
                WIDTH - RIGHT + 8, y, colours[style % STYLES], dashes[style % STYLES]);
        if (!series->bars) mark(file, WIDTH - RIGHT + 20, y, style, series->dots);
        text_at(file, WIDTH - RIGHT + 38, y + 4, "start", series->label);
    }
    fputs("</svg>\n", file);
    bool failed = ferror(file) != 0;
    return fclose(file) == 0 && !failed;
}
