/*
 * Fits: laws that measured times and sizes follow approximately, and how the values scatter. Times
 * are in picoseconds, sizes in bytes, and errors in millionths. Functions with a status return
 * STATUS_MEMORY, and STATUS_INPUT only where their comment says so. Private to the extrapolation.
 * See series.h.
 */
#ifndef ANAX_TRACES_SERIES_FITS_H
#define ANAX_TRACES_SERIES_FITS_H

#include "traces/extrapolate/laws/series_law.h"

/* A position is one visit of a step, such as the visit in iteration 3. An array of positions is in
 * the order of their means. Entry i of it is about position `described`; only `place` is about
 * position i. */
struct series_position {
    int64_t mean;                /* of the values over the ranks of the largest program */
    int64_t least;               /* of these values */
    uint32_t described;          /* number of the position */
    uint32_t place;              /* index of the entry about position i */
    uint32_t first_alike, alike; /* first and number of the entries with about the same mean */
};

/* A law of a measured value: its mean in the new program. The new program copies values of the
 * known program, the largest one that has the role, times mean / known_mean. Both are means of the
 * values that are copied: for sizes, of those along one dimension (law_copied.c). */
struct series_fit {
    uint32_t row;           /* in the table of law_shapes.c */
    int64_t mean;           /* in the new program */
    int64_t known_mean;     /* in the known program */
    uint32_t known_program; /* its number */
    const struct series_sample
        *samples;     /* that the law is fitted to: of the role, or of all roles */
    uint32_t field;   /* index of the value among those of the step */
    int64_t error;    /* of leaving out one program, in millionths of the mean; -1: unknown */
    int64_t weight;   /* sum of the values in the known program */
    int64_t reach;    /* distance of the new program from the largest one, divided by that of the
                         two largest programs, on a logarithmic scale; in 1024ths, at least 1024 */
    int64_t last_off; /* what the law of the other programs gives the largest one, less its mean */
    bool has_alternative; /* another shape fits about as well and differs in the new program */
    uint32_t alternative_row;
    int64_t alternative_mean;
    bool is_weak;    /* two coefficients from three programs */
    bool misses_law; /* each program has one value, and the fit misses these values */
    bool is_own;     /* fitted to SERIES_SAMPLES_OWN */
    bool is_of_view; /* only samples of `view` are copied, not all of a rank */
    uint8_t view;
    series_value_kind what;
    uint32_t rounds;         /* of computation: of visits (law_copied_rounds.c); 0: none */
    bool places_are_unknown; /* of computation: no rounds say before which visits it is */
    bool is_of_visits;       /* of what a rank has in all visits of the step (law_visits.c) */
    bool is_of_plane; /* depends on the number of ranks in a plane across the message's dimension */
    int64_t margin;   /* of a face (law_margins.c); 0: it has none */
    uint8_t margin_order; /* which dimensions have the margin */
    int64_t exact; /* what an exact law that the fit replaces gives the new program; 0: none */
    uint32_t
        ratio_tests; /* number of sizes that test a law of ratios (law_ratios.c); 0: it is none */
    struct series_position *positions; /* NULL: ranks have different numbers of visits */
    uint32_t position_count;
    /* Of computation: the mean deviation from the means of the positions, in the new program and in
     * the known one. known_spread 0: deviations grow with the means. */
    int64_t spread, known_spread;
    int64_t deviation; /* of sizes: how far ranks of the largest program deviate from their mean, in
                          millionths of it; which rank of the new program deviates is a guess */
    /* Of sizes: how far those of the largest program deviate from their mean, and those of the
     * program whose share differs most from it, in millionths of the means. */
    int64_t largest_apart, other_apart;
};

/* law_shapes.c */
/* The feature f of a shape; P is the number of ranks. */
typedef enum fit_feature {
    FIT_NOTHING,     /* 1 */
    FIT_RANKS,       /* P */
    FIT_SQUARE_ROOT, /* P^(1/2) */
    FIT_CUBE_ROOT,   /* P^(1/3) */
    FIT_SURFACE,     /* P^(2/3) */
    FIT_LOGARITHM,   /* log2 P */
    FIT_SQUARE       /* P^2; only its inverse */
} fit_feature;
/* A shape of laws: b f, or a + b f (has_offset), with 1/f for f if is_inverse. */
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
/* The means of a measured value in programs, in the order of the programs. */
enum { FIT_POINTS = 64 };
struct fit_points {
    uint32_t ranks[FIT_POINTS]; /* of the program, or in a plane of its grid */
    int64_t mean[FIT_POINTS];
    uint32_t count;
};
/* Returns log2 of the number of ranks, which is positive, in units of 2^-20. */
int64_t fit_logarithm(uint32_t ranks);
/* Fits the shape of a row to all points but number left_out (FIT_POINTS: to all), and sets *value
 * to the value of the law at `ranks`. Returns false if the points do not determine the law, or if
 * the value is negative or too large. */
bool fit_value(uint32_t row, const struct fit_points *points, uint32_t left_out, uint32_t ranks,
               int64_t *value);

/* law_fits.c */
/* Fits a law to values that follow no exact law, and appends the fit to those of the series. */
status_code law_fit(struct series *series, const struct series_law_data *data,
                    struct series_law *law, struct status *status);
/* Fits a law to one value of each program, that of mean_of. Returns false if no shape fits, or if
 * there are more than FIT_POINTS programs. */
bool law_fit_programs(const struct series *series, int64_t (*mean_of)(const struct program *),
                      struct series_fit *fit);
/* Returns the error that is to be expected in the new program, in millionths: an error grows with
 * the distance from the series. */
int64_t fit_expected_error(const struct series_fit *fit, int64_t error);
/* Writes how well a fit holds, for reports. Returns whether it is uncertain. */
bool fit_error_text(const struct series *series, const struct series_fit *fit, char *text,
                    size_t size);

/* law_whole_computation.c */
/* How far the laws of all steps together miss the computation of the largest program if this
 * program is left out. */
struct series_miss {
    wide sum;        /* computation of the program in steps with a fit, in ps; 0: no step has one */
    signed_wide off; /* what the laws of the other programs give these steps, less the sum */
    int64_t error;   /* |off| in millionths of the sum */
    int64_t reach;   /* of the fits */
};
/* Returns how far they miss it. */
struct series_miss law_whole_miss(const struct series *series);
/* What other laws give the computation of the new program, in millionths of what the laws give. */
struct series_doubt {
    int64_t more, less; /* by the alternatives that give more, and by those that give less */
    int64_t weak;       /* the part that follows from laws which one value tests */
};
/* Returns what they give. */
struct series_doubt law_whole_doubt(const struct series *series);
/* STATUS_INPUT: with one program left out, the laws of computation miss it by more than 15 % on
 * average, and the caller does not allow approximations. */
status_code law_whole_check(const struct series *series, struct status *status);
/* Fits a law to the whole computation. If the laws of the steps together miss the largest program
 * by more than 10 %, and this law misses it by at most half as much, scales the fits of the steps
 * so that all computation adds up to this law. fitted_ps, exact_ps: computation of the new program
 * by fits and by exact laws. Sets *is_scaled to whether the fits were scaled. */
status_code law_whole_find(struct series *series, wide fitted_ps, wide exact_ps, bool *is_scaled,
                           struct status *status);

/* law_supersteps.c */
/* Sets *ratio to the sum of the longest computation of each superstep, divided by the mean
 * computation of a rank, in millionths; 0: the program computes nothing. */
status_code law_supersteps_ratio(const struct program *program, int64_t *ratio,
                                 struct status *status);

/* law_margins.c */
enum { SERIES_MOST_MEANS = 64 }; /* programs */
/* Sets mean[k][d] to the mean size of a message in program k along dimension d, if all dimensions
 * are alike; 0: program k has none. Sets *own to the message's own dimension. Returns false if it
 * is no message along one dimension. */
bool law_means_take(const struct series_law_data *data, uint32_t *own,
                    int64_t mean[SERIES_MOST_MEANS][SERIES_DIMENSIONS]);
/* Replaces the fit of a size along a dimension by one with margins, if that at least halves its
 * error (docs/extrapolate-rules.md, "Margins", has the conditions). Otherwise the fit stays. */
void law_fit_margins(const struct series_law_data *data, struct series_fit *fit);
/* Fits margins with the stricter conditions for a fit that may replace an exact law. Returns
 * whether they hold. Sets *mean to the mean size of program number `program` along the message's
 * dimension. */
bool law_fit_strict_margins(const struct series_law_data *data, uint32_t program,
                            struct series_fit *fit, int64_t *mean);

/* law_refuted.c */
/* Returns whether a fit with margins replaces an exact law a + b f of the size of a message that
 * has alternatives, or that at most one value tests: the two give the new program sizes that differ
 * by more than 5 %. Sets *exact to what the exact law gives. */
bool law_margins_refute(const struct series_law_data *data, const struct series_value_law *laws,
                        int64_t *exact);

/* law_margins.c */
/* Writes the margins of a fit, for reports. */
void law_margin_text(const struct series_fit *fit, char *text, size_t size);

/* law_copied.c */
/* If the new program copies only the sizes of one view, sets this view, and changes the means of
 * the fit from those of all samples to those of these sizes. Sets *samples to the indices of the
 * samples of the view in all programs, which the caller frees, and *count to their number; NULL:
 * all are copied. */
status_code law_copied_take(const struct series_law_data *data, struct series_fit *fit,
                            uint32_t **samples, size_t *count, struct status *status);
/* Moves *first, the index of a rank's first sample at a step, to its first sample that a fit
 * copies, and returns how many of its samples, which end before index `end`, are copied. */
size_t law_copied_samples(const struct series_role_step *step, const struct series_fit *fit,
                          size_t *first, size_t end);
/* Returns whether all programs with samples at a step have samples along its own dimension. */
bool law_has_own(const struct series_role_step *step);

/* law_visits.c */
/* How often the ranks of a program visit a step. */
struct series_visits {
    wide count;     /* visits of all these ranks */
    uint32_t ranks; /* ranks that visit it */
};
/* Sets visits[i] to those of the i-th program that has the step, and *target to those of some ranks
 * of the new program. Returns false if the visits of a rank are not the product of the iterations
 * of the loops around the step, or if ranks have equally many on average in all programs. */
bool law_visits_take(const struct series_law_data *data,
                     struct series_visits visits[SERIES_MOST_MEANS], struct series_visits *target);

/* law_ratios.c */
/* Replaces the fit of a size by a law of ratios, if no face with margins fits, and the fit has a
 * large error or says nothing about the new extent of the message's dimension
 * (docs/extrapolate-rules.md, "Ratios", has the conditions). Otherwise the fit stays. */
void law_fit_ratios(const struct series_law_data *data, struct series_fit *fit);
/* Writes a law of ratios, for reports. */
void law_ratios_text(const struct series_fit *fit, char *text, size_t size);
/* Writes how well a law of ratios holds, for reports. */
void law_ratios_error_text(const struct series_fit *fit, char *text, size_t size);

/* law_scatter.c */
/* Sets the positions of a fit, if all ranks of the known program have equally many visits.
 * series_fits_forget frees them. */
status_code law_scatter_take(const struct series_law_data *data, struct series_fit *fit,
                             struct status *status);
/* Returns another position with about the same mean, by the shift; `position`: there is no other
 * one. */
uint32_t law_scatter_position(const struct series_fit *fit, uint32_t position, uint32_t shift);
/* Returns the mean deviation of the values of a program from the means of their positions; -1: its
 * ranks have different numbers of visits. */
int64_t law_scatter_spread(const struct series_law_data *data, uint32_t program);
/* Returns the value of the new program at a position at which the known program has `value`. */
int64_t law_scatter_scaled(const struct series_fit *fit, uint32_t position, int64_t value);
/* Returns the value that deviates from the mean of a position as `value` does from that of position
 * `from`, in proportion. */
int64_t law_scatter_moved(const struct series_fit *fit, uint32_t position, uint32_t from,
                          int64_t value);
/* The factor over / under for the values that a rank copies of its source, if it visits a step more
 * or less often. over: the mean of all values of the source, times the visits of the rank; under:
 * the sum of the values that the rank copies; both times the visits of the source. */
struct series_copied_part {
    wide over, under;
    uint32_t rounds; /* copied round by round; 0: over and over again */
    uint64_t visits; /* with rounds: of the rank */
};
/* Returns this factor for value number `field`. samples: the `count` samples of the source, which
 * are copied over and over again, the last time perhaps only a part of them. trips: of the loops
 * around the step, for the new rank. rounds: of the fit. 1 / 1 if the visits are not the product of
 * these trips. */
struct series_copied_part law_scatter_part(const struct series_role_step *step,
                                           const struct series_sample *samples, size_t count,
                                           uint32_t field, const uint32_t *trips, uint32_t rounds);

/* law_copied_rounds.c */
/* Returns how many rounds of visits all ranks have, of which some compute and others do not; 0:
 * there are no such rounds, or all ranks have equally many visits. Sets *are_unknown to whether
 * ranks compute nothing before some visits, and no rounds say which. */
uint32_t law_rounds_find(const struct series_law_data *data, bool *are_unknown);
/* Returns the visit of a rank with `known` visits that a visit of a rank with `visits` copies. Both
 * are multiples of the number of rounds. */
uint64_t law_rounds_place(uint64_t visit, uint64_t visits, uint64_t known, uint32_t rounds);

/* law_fits.c */
/* Frees all fits of a series. */
void series_fits_forget(struct series *series);
/* Frees the last fit of a series. */
void series_fit_drop(struct series *series);

#endif
