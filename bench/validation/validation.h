/*
 * bench/validation.sh: published measurements of real machines, the commands that predict them, and
 * the page that holds the two against each other.
 *
 * The table (validation_table.c) has a row for each measurement: published figures with their
 * source, the command, how anax's figure follows from what the command printed, and the bound.
 * Invariant: a verdict follows from the two figures by the bound that stands in the page; nothing
 * but the cause of a verdict is written by hand.
 */
#ifndef ANAX_BENCH_VALIDATION_H
#define ANAX_BENCH_VALIDATION_H

#include "bench/support/bench_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- validation_table.c ---------------------------------------------------------------------- */

/* How a published figure stands in its source. */
typedef enum figure_origin { FROM_TEXT, FROM_PLOT, DERIVED } figure_origin;

/* How anax's figure follows from a replay. All times are those of the iterations. */
typedef enum figure_rule {
    HALF_ROUND_TRIP, /* time / iterations / 2 */
    ROUND_TRIP,      /* time / iterations */
    PING_PONG_RATE,  /* bytes / (time / iterations / 2) */
    WINDOW_RATE,     /* bytes of all messages of all ranks / time */
    MESSAGE_TIME,    /* time / messages of a sender */
    MESSAGE_RATE,    /* messages of all ranks / time */
    ALLTOALL_RATE,   /* ranks · (ranks - 1) · bytes · iterations / time */
    MEAN_ITERATION,  /* mean time of an iteration, over ranks; barriers do not count */
    SLOWEST_RANK, /* time / iterations / 2 of the rank that takes longest; barriers do not count */
    STEP_OF_DISTANCE, /* half round trip, less that of the replay `nearer` */
    SLOWDOWN          /* mean over samples of the slowest rank's time, with and without the second
                         job; what lies between iterations does not count */
} figure_rule;

typedef enum bound_kind {
    WITHIN,  /* |anax / published - 1| <= bound */
    FACTOR,  /* 1/bound <= anax / published <= bound */
    AT_MOST, /* anax <= published */
    AT_LEAST /* anax >= published */
} bound_kind;

struct published_point {
    const char *at; /* takes the place of @ in the programs: a size; NULL ends the points */
    double figure;
    double bound;        /* 0: that of the row */
    const char *rest;    /* takes the place of # in the programs; NULL: none */
    const char *rounds;  /* takes the place of $ in the programs; NULL: none */
    const char *samples; /* takes the place of % in the programs; NULL: none */
};

enum { POINTS_MAX = 20, PROGRAMS_MAX = 2 };

struct validation_row {
    const char *name; /* NULL ends the table */
    const char *section;
    const char *what;
    const char *source;
    figure_origin origin;
    const char *programs[PROGRAMS_MAX]; /* arguments of anax generate */
    const char *replay;                 /* arguments of anax replay, after the programs */
    const char *start;                  /* of the first of two programs; the second starts at 0 */
    const char *nearer;                 /* STEP_OF_DISTANCE: other arguments of anax replay */
    figure_rule rule;
    const char *unit;
    double units; /* in a second, or in a byte per second */
    bound_kind kind;
    double bound;
    struct published_point points[POINTS_MAX];
    const char *cause;   /* why it is off; NULL: not known to be */
    const char *picture; /* file of the picture that it is in; NULL: none */
};

extern const struct validation_row validation_rows[];

struct picture {
    const char *file; /* NULL ends the table */
    const char *title;
    const char *x_label;
    const char *y_label;
    double base;   /* of the x axis' logarithm, for sizes; 0: linear */
    double y_base; /* of the y axis' logarithm; 0: linear, from 0 on */
};

extern const struct picture validation_pictures[];

/* ---- validation_text.c ----------------------------------------------------------------------- */

#define ARIES                "Cray XC (Aries)"
#define ARIES_CONGESTION     "Congestion on Cray XC (Aries)"
#define SLINGSHOT            "Slingshot with 100 Gbit/s NICs"
#define SLINGSHOT_11         "Slingshot 11"
#define SLINGSHOT_CONGESTION "Congestion on Slingshot"

/* What stands above the table of a section ("": above all of them), by hand. */
struct section_text {
    const char *section; /* NULL ends the table */
    const char *text;
};

extern const struct section_text validation_sections[];

/* ---- validation_run.c ------------------------------------------------------------------------ */

/* anax's figures of all rows, NAN where there is none. */
struct validation_results {
    double (*figures)[POINTS_MAX];
    size_t failed; /* runs */
};

size_t validation_points(const struct validation_row *row);
/* Runs what was not run before by the same program, machine and command. */
struct validation_results validation_run(const struct bench_options *options);
/* The commands of a point as anyone can type them, one per line, to be freed. */
char *validation_commands(const struct validation_row *row, size_t point);

/* ---- validation_samples.c -------------------------------------------------------------------- */

/* The mean over the iterations of the time of their slowest rank, of the first ranks of a timeline
 * (the path of traces.otf2); NAN, with a message, on errors. */
double validation_sample_s(const char *path, size_t ranks);

/* ---- validation_page.c, validation_draw.c ---------------------------------------------------- */

typedef enum verdict { MET, NOT_MET, NOT_MEASURED } verdict;
verdict validation_judge(const struct validation_row *row, size_t point, double figure);
bool validation_page(const struct bench_options *options, const struct validation_results *results);
/* Draws a picture into the folder. *drawn: it has something in it. */
bool validation_draw(const struct picture *picture, const struct validation_results *results,
                     const char *folder, bool *drawn);

#endif
