/*
 * Fits: laws of measured times and sizes, which hold about, and how the values scatter. Private to
 * the extrapolation. See series.h.
 */
#ifndef ANAX_TRACES_SERIES_FITS_H
#define ANAX_TRACES_SERIES_FITS_H

#include "traces/extrapolate/laws/series_law.h"

/* A position is one visit of a step. Entry i of an array of positions, which is in the order of the
 * means, describes two of them: `place` belongs to position i, all else to position `described`. */
struct series_position {
    int64_t mean;  /* of the values over the ranks of the largest program */
    int64_t least; /* of these values */
    uint32_t described;
    uint32_t place;              /* the entry that describes position i */
    uint32_t first_alike, alike; /* first and number of the entries with about the same mean */
};

/* A law of a measured value: its mean in the new program. Each value is that of a rank of the
 * largest program that has the role, times mean / known_mean. These are means of the values that
 * are copied: of sizes, of those along one dimension (law_copied.c). */
struct series_fit {
    uint32_t row;                        /* in the table of law_shapes.c */
    int64_t mean;                        /* in the new program */
    int64_t known_mean;                  /* in the largest program that has the role */
    uint32_t known_program;              /* that program */
    const struct series_sample *samples; /* that it is fitted to: of the role, or of all roles */
    uint32_t field;
    int64_t error;        /* of leaving out one program, in millionths of the mean; -1: unknown */
    int64_t weight;       /* sum of the values in that program */
    int64_t reach;        /* how far the new program is, in steps from the last but one program to
                             the last on a logarithmic scale, in 1024ths; 1024 or more */
    int64_t last_off;     /* what the law of the others gives the largest program, less its mean */
    bool has_alternative; /* another shape fits about as well and differs in the new program */
    uint32_t alternative_row;
    int64_t alternative_mean;
    bool is_weak;    /* two coefficients from three programs */
    bool is_own;     /* SERIES_SAMPLES_OWN */
    bool is_of_view; /* the samples of one view are copied, not all of a rank */
    uint8_t view;
    series_value_kind what;
    bool is_of_visits; /* of what a rank has in all visits of the step (law_visits.c) */
    bool is_of_plane; /* depends on the number of ranks in a plane across the message's dimension */
    int64_t margin;   /* of a face (law_margins.c); 0: none */
    uint8_t margin_order;
    int64_t exact; /* what an exact law that the fit replaces gives the new program; 0: none */
    uint32_t ratio_tests;              /* of a law of ratios (law_ratios.c); 0: it is none */
    struct series_position *positions; /* NULL: ranks differ in their visits */
    uint32_t position_count;
    /* Of computation: the mean deviation from the mean of the position, in the new program and in
     * the largest one. known_spread 0: values deviate as their mean grows. */
    int64_t spread, known_spread;
    int64_t deviation; /* of sizes: how far ranks of the largest program deviate from their mean, in
                          millionths of it; which rank of the new program deviates is a guess */
    /* Of sizes: how far all of the largest program deviate from their mean, and those of the
     * program that differs most from it, in millionths of the means. */
    int64_t largest_apart, other_apart;
};

/* law_shapes.c */
/* Powers of the number of ranks, in thirds or halves, and its logarithm. */
typedef enum fit_feature {
    FIT_NOTHING,
    FIT_RANKS,
    FIT_SQUARE_ROOT,
    FIT_CUBE_ROOT,
    FIT_SURFACE,
    FIT_LOGARITHM,
    FIT_SQUARE
} fit_feature;
struct fit_shape {
    fit_feature feature;
    bool is_inverse, has_offset;
    const char *text;
};
enum { FIT_SHAPES = 14 };
extern const struct fit_shape fit_shapes[FIT_SHAPES];
/* Returns the shape of a fit, such as "a + b/P". */
const char *fit_shape_text(const struct series_fit *fit);
/* Writes a fit, for reports. */
void fit_text(const struct series_fit *fit, char *text, size_t size);

/* law_least_squares.c */
/* The means of a measured value in programs. */
enum { FIT_POINTS = 64 };
struct fit_points {
    uint32_t ranks[FIT_POINTS];
    int64_t mean[FIT_POINTS];
    uint32_t count;
};
/* Returns log2 of the number of ranks, with 20 bits behind the point. */
int64_t fit_logarithm(uint32_t ranks);
/* Fits a shape to the points but one (FIT_POINTS: to all) and sets the value at `ranks`. Returns
 * false if the points do not determine the law, or the value is negative or too large. */
bool fit_value(uint32_t row, const struct fit_points *points, uint32_t left_out, uint32_t ranks,
               int64_t *value);

/* law_fits.c */
/* Fits a law to values that follow no exact one. */
status_code law_fit(struct series *series, const struct series_law_data *data,
                    struct series_law *law, struct status *status);
/* Fits a law to one mean of each program. Returns false if no shape fits, or if there are too many
 * programs. */
bool law_fit_programs(const struct series *series, int64_t (*mean_of)(const struct program *),
                      struct series_fit *fit);
/* Returns the error that is to be expected in the new program, in millionths: an error grows with
 * the distance from the series. */
int64_t fit_expected_error(const struct series_fit *fit, int64_t error);
/* Says how well a fit holds. Returns whether it is uncertain. */
bool fit_error_text(const struct series *series, const struct series_fit *fit, char *text,
                    size_t size);

/* law_whole_computation.c */
/* What the laws of all steps together give the computation of the largest program, if that is left
 * out. */
struct series_miss {
    wide sum;        /* what that program computes in these steps, in ps; 0: no step has a fit */
    signed_wide off; /* what the laws give it, less the sum */
    int64_t error;   /* the difference, in millionths of the sum */
    int64_t reach;   /* of the fits */
};
struct series_miss law_whole_miss(const struct series *series);
/* What other laws give the computation of the new program, in millionths of it. */
struct series_doubt {
    int64_t more, less; /* by the alternatives of the fits */
    int64_t weak;       /* the part that follows from laws which one value tests */
};
struct series_doubt law_whole_doubt(const struct series *series);
/* Refuses computation whose laws fail when a program is left out, unless it may be approximated. */
status_code law_whole_check(const struct series *series, struct status *status);
/* Fits a law to the whole computation. If the laws of the steps together miss the largest program
 * by more than a tenth, and the law of the whole by at most half as much, scales the fits of the
 * steps so that they add up to it. fitted_ps, exact_ps: the computation of the new program by fits
 * and by exact laws. Sets *is_scaled to whether it did. */
status_code law_whole_find(struct series *series, wide fitted_ps, wide exact_ps, bool *is_scaled,
                           struct status *status);

/* law_supersteps.c */
/* Sets the ratio of what the longest rank of each superstep computes, of all supersteps, and what a
 * rank computes on average, in millionths; 0: nothing is computed. */
status_code law_supersteps_ratio(const struct program *program, int64_t *ratio,
                                 struct status *status);

/* law_margins.c */
enum { SERIES_MOST_MEANS = 64 }; /* programs */
/* Takes the mean sizes of a message in each program, along its own dimension (*own) and along
 * others that are alike; 0: there are none. Returns false if it is no message along one dimension.
 */
bool law_means_take(const struct series_law_data *data, uint32_t *own,
                    int64_t mean[SERIES_MOST_MEANS][SERIES_DIMENSIONS]);
/* Replaces the fit of a size along a dimension by one with margins, if that halves the error. */
void law_fit_margins(const struct series_law_data *data, struct series_fit *fit);
/* The same with stricter conditions, for a fit that may replace an exact law. Returns whether they
 * hold, and sets *mean to the mean size in a program along the message's dimension. */
bool law_fit_strict_margins(const struct series_law_data *data, uint32_t program,
                            struct series_fit *fit, int64_t *mean);
/* Returns whether the margins that all dimensions show give a message another size in the new
 * program than an exact law of its own dimension, which at most one value tests or which has
 * alternatives. Sets *exact to what this law gives. */
bool law_margins_refute(const struct series_law_data *data, const struct series_value_law *laws,
                        int64_t *exact);
/* Writes the margins of a fit, for reports. */
void law_margin_text(const struct series_fit *fit, char *text, size_t size);

/* law_copied.c */
/* Sets the view whose sizes the new program copies, if these are not all samples of a rank, and
 * moves the law from the mean of all samples to that of these. Sets *samples to them, in all
 * programs, and *count; NULL: all are copied. The caller frees them. */
status_code law_copied_take(const struct series_law_data *data, struct series_fit *fit,
                            uint32_t **samples, size_t *count, struct status *status);
/* Finds the samples of a rank at a step that a fit copies: from *first on. Returns how many these
 * are. */
size_t law_copied_samples(const struct series_role_step *step, const struct series_fit *fit,
                          size_t *first, size_t end);
/* Returns whether all programs that have a step have it along its own dimension. */
bool law_has_own(const struct series_role_step *step);

/* law_visits.c */
/* The visits of a step by all ranks of a program that make it. */
struct series_visits {
    wide count;
    uint32_t ranks;
};
/* Takes the visits of a step in each program that has it, and in the new one. Returns false if the
 * loops around the step do not tell them, or if ranks make as many in all programs. */
bool law_visits_take(const struct series_law_data *data,
                     struct series_visits visits[SERIES_MOST_MEANS], struct series_visits *target);

/* law_ratios.c */
/* Takes a law of ratios if no face with margins fits, and the error is large or no program has the
 * extent of the message's dimension in the new one. */
void law_fit_ratios(const struct series_law_data *data, struct series_fit *fit);
/* Writes the law, for reports. */
void law_ratios_text(const struct series_fit *fit, char *text, size_t size);
/* Writes how well it holds. */
void law_ratios_error_text(const struct series_fit *fit, char *text, size_t size);

/* law_scatter.c */
/* Takes the positions of a fit. */
status_code law_scatter_take(const struct series_law_data *data, struct series_fit *fit,
                             struct status *status);
/* Returns a position with about the same mean. */
uint32_t law_scatter_position(const struct series_fit *fit, uint32_t position, uint32_t shift);
/* Returns the mean deviation of the values of a program from the means of their positions; -1: its
 * ranks differ in their visits. */
int64_t law_scatter_spread(const struct series_law_data *data, uint32_t program);
/* Returns the value in the new program at a position that has this value in the largest one. */
int64_t law_scatter_scaled(const struct series_fit *fit, uint32_t position, int64_t value);
/* Returns the value at a position that deviates like this value at position `from`. */
int64_t law_scatter_moved(const struct series_fit *fit, uint32_t position, uint32_t from,
                          int64_t value);
/* What a rank copies of the values of its source, if it visits a step more or less often: over is
 * what the visits of the source would give so many visits, and under what is copied. */
struct series_copied_part {
    wide over, under;
};
/* Returns it for a value of the samples of a rank, which are copied over and over again: the last
 * time, a part of them may be. trips: of the loops around the step in the new program. 1 / 1 where
 * they do not tell the visits. */
struct series_copied_part law_scatter_part(const struct series_role_step *step,
                                           const struct series_sample *samples, size_t count,
                                           uint32_t value, const uint32_t *trips);
/* Frees all fits. */
void series_fits_forget(struct series *series);
/* Drops the last fit. */
void series_fit_drop(struct series *series);

#endif
