/*
 * Laws of values that scatter: several shapes of law are fitted to the means of the programs
 * (law_least_squares.c). Each program is left out in turn and predicted by the others. A shape
 * replaces an earlier one of the table only if it halves the error of these predictions.
 */
#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/series_law.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REACH_BITS = 10 };

/* In millionths: the error of a fit that is certain, and the error that scatter alone may make. */
enum { MOST_ERROR = 50000, SCATTER_ERROR = 10000 };
/* In millionths: the error that rounding alone may make of a time. */
enum { ROUNDING = 1000 };

/* Returns the mean error of leaving out one program, in millionths of its value; -1: unknown. */
static int64_t error_of(uint32_t row, const struct fit_points *points) {
    signed_wide sum = 0;
    if (points->count < (fit_shapes[row].has_offset ? 3 : 2)) return -1;
    for (uint32_t i = 0; i < points->count; i++) {
        int64_t value = 0;
        if (!fit_value(row, points, i, points->ranks[i], &value)) return -1;
        const int64_t off =
            value > points->mean[i] ? value - points->mean[i] : points->mean[i] - value;
        const signed_wide part =
            (signed_wide)off * 1000000 / (points->mean[i] > 0 ? points->mean[i] : 1);
        sum += part < 1000000000 ? part : 1000000000;
    }
    return (int64_t)(sum / points->count);
}

/* Returns whether a dimension is as long as all others in each program that has samples: then all
 * shapes of the number of ranks are also some of the number in a plane. */
static bool are_cubes(const struct series_law_data *data) {
    const uint32_t grid = data->series->grids.symmetric;
    for (size_t i = 0; i < data->count; i++) {
        const struct series_sample *sample = &data->step->samples[data->samples[i]];
        const uint32_t *extents = data->series->programs[sample->program].extents.of[grid];
        for (uint32_t d = 1; d < data->series->grids.rules[grid].dimensions; d++)
            if (extents[d] != extents[0]) return false;
    }
    return true;
}

/* Returns whether all ranks of all programs have the samples of a step. */
static bool are_of_all(const struct series_law_data *data) {
    uint64_t ranks = 0;
    for (uint32_t k = 0; k < data->series->program_count; k++)
        ranks += data->series->programs[k].program->rank_count;
    return data->count == ranks * data->step->visit_count;
}

/* Returns whether the values are sizes of messages along a dimension that is alike in all programs.
 * They depend on the other dimensions: on the number of ranks in a plane across this one. */
static bool is_of_plane(const struct series_law_data *data) {
    const uint8_t crossed = data->series->grids.symmetric > 0
                                ? data->series->steps.symbols[data->step->symbol].crossed
                                : 0;
    return data->choice == SERIES_SAMPLES_OWN && crossed != 0 && (crossed & (crossed - 1)) == 0 &&
           (data->what == SERIES_VALUE_BYTES || data->what == SERIES_VALUE_RECEIVED) &&
           (are_of_all(data) || !are_cubes(data));
}

/* Returns the number of ranks that a law depends on. */
static uint32_t ranks_of(const struct series_law_data *data, const struct series_fit *fit,
                         uint32_t ranks, const struct series_grid_extents *extents) {
    if (!fit->is_of_plane) return ranks;
    const uint8_t crossed = data->series->steps.symbols[data->step->symbol].crossed;
    return ranks / extents->of[data->series->grids.symmetric][__builtin_ctz(crossed)];
}

/* Takes the mean value of each program. */
static void take_means(const struct series_law_data *data, struct fit_points *points,
                       struct series_fit *fit) {
    uint32_t last = UINT32_MAX, count = 0;
    signed_wide sum = 0;
    points->count = 0;
    for (size_t i = 0; i <= data->count; i++) {
        const uint32_t program =
            i < data->count ? data->step->samples[data->samples[i]].program : UINT32_MAX - 1;
        if (program != last && count > 0 && points->count < FIT_POINTS) {
            const struct series_program *from = &data->series->programs[last];
            points->ranks[points->count] =
                ranks_of(data, fit, from->program->rank_count, &from->extents);
            points->mean[points->count++] = (int64_t)(sum / count);
            if (last == data->known_program) {
                fit->known_mean = (int64_t)(sum / count);
                fit->weight = sum < INT64_MAX ? (int64_t)sum : INT64_MAX;
            }
            sum = 0;
            count = 0;
        }
        if (i == data->count) break;
        last = program;
        sum += law_sample_value(data, i);
        count++;
    }
}

/* Returns whether a law is one of those for planes: a constant, or the area that n ranks share. */
static bool may_fit_plane(uint32_t row) {
    return fit_shapes[row].feature == FIT_NOTHING ||
           (fit_shapes[row].is_inverse && fit_shapes[row].feature == FIT_RANKS);
}

/* Moves the value of a law for planes, so that the law holds for the largest program. */
static int64_t through_largest(uint32_t row, const struct fit_points *points, int64_t value) {
    const uint32_t last = points->count - 1;
    int64_t known;
    if (!fit_value(row, points, FIT_POINTS, points->ranks[last], &known) || known <= 0)
        return value;
    const signed_wide moved = fit_shapes[row].has_offset
                                  ? (signed_wide)value + points->mean[last] - known
                                  : (signed_wide)value * points->mean[last] / known;
    return moved < 0 || moved > INT64_MAX ? value : (int64_t)moved;
}

/* Finds the shape of law that fits about as well and differs most from the chosen one in the new
 * program, if it differs by more than a tenth. */
static void find_alternative(const struct fit_points *points, uint32_t target,
                             struct series_fit *fit) {
    int64_t most = fit->mean / 10;
    for (uint32_t row = 0; row < FIT_SHAPES; row++) {
        const int64_t error = error_of(row, points);
        int64_t value;
        if (row == fit->row || error < 0 || error > 2 * fit->error + SCATTER_ERROR) continue;
        /* A law that falls below zero fits as well as one that does not. */
        if (!fit_value(row, points, FIT_POINTS, target, &value)) value = 0;
        const int64_t off = value > fit->mean ? value - fit->mean : fit->mean - value;
        if (off <= most) continue;
        most = off;
        fit->has_alternative = true;
        fit->alternative_row = row;
        fit->alternative_mean = value;
    }
}

/* Sets how far the new program is, and what the law gives the largest one if that is left out. */
static void measure(const struct fit_points *points, uint32_t target, struct series_fit *fit) {
    const uint32_t last = points->count - 1;
    int64_t value;
    fit->reach = 1 << REACH_BITS;
    if (fit->error < 0 || last == 0) return;
    if (fit_value(fit->row, points, last, points->ranks[last], &value))
        fit->last_off = value - points->mean[last];
    const int64_t step =
        fit_logarithm(points->ranks[last]) - fit_logarithm(points->ranks[last - 1]);
    const int64_t way = fit_logarithm(target) - fit_logarithm(points->ranks[last]);
    if (way > step && step > 0) fit->reach = (way << REACH_BITS) / step;
}

/* Finds how far computation deviates in the new program. Noise is as long in short steps as in long
 * ones, and imbalance is a share of the work, so the deviation lies between these. */
static void find_spread(const struct series *series, const struct series_law_data *data,
                        struct series_fit *fit) {
    struct fit_points points = {.count = 0};
    int64_t least = -1, known = 0;
    if (fit->what != SERIES_VALUE_COMPUTE || fit->positions == NULL) return;
    for (uint32_t k = 0; k < series->program_count && points.count < FIT_POINTS; k++) {
        const int64_t spread = law_scatter_spread(data, k);
        if (spread < 0) continue;
        points.ranks[points.count] = series->programs[k].program->rank_count;
        points.mean[points.count++] = spread;
        if (k == fit->known_program) known = spread;
    }
    for (uint32_t row = 0; row < FIT_SHAPES; row++) {
        const int64_t error = error_of(row, &points);
        int64_t value;
        if (error < 0 || (least >= 0 && error > least / 2) ||
            !fit_value(row, &points, FIT_POINTS, series->target_ranks, &value) || value <= 0)
            continue;
        least = error;
        fit->spread = value;
        fit->known_spread = known;
    }
    if (known == 0 || least < 0 || fit->known_mean <= 0) {
        fit->known_spread = 0;
        return;
    }
    const int64_t share = (int64_t)((signed_wide)known * fit->mean / fit->known_mean);
    const int64_t smallest = share < known ? share : known, largest = share < known ? known : share;
    if (fit->spread < smallest) fit->spread = smallest;
    if (fit->spread > largest) fit->spread = largest;
}

static bool is_of_size(const struct series_fit *fit) {
    return fit->what == SERIES_VALUE_BYTES || fit->what == SERIES_VALUE_RECEIVED ||
           fit->what == SERIES_VALUE_SEND_BYTES || fit->what == SERIES_VALUE_RECEIVE_BYTES;
}

/* Returns how far the values of a program deviate from their mean, in millionths of it; -1: the
 * program has no values, or their mean is 0. */
static int64_t apart_in(const struct series_law_data *data, uint32_t program) {
    const struct series_sample *samples = data->step->samples;
    wide sum = 0, off = 0;
    uint64_t count = 0;
    for (size_t i = 0; i < data->count; i++)
        if (samples[data->samples[i]].program == program) {
            sum += wide_magnitude(law_sample_value(data, i));
            count++;
        }
    if (count == 0 || sum == 0) return -1;
    const signed_wide mean = (signed_wide)wide_mean(sum, count);
    for (size_t i = 0; i < data->count; i++)
        if (samples[data->samples[i]].program == program)
            off += wide_magnitude((signed_wide)law_sample_value(data, i) - mean);
    return wide_millionths((wide)wide_mean(off, count), (wide)mean);
}

/* Finds the program whose sizes deviate from their mean by another share than those of the largest
 * program. One call may send messages of several kinds by turns, along several dimensions for
 * example. The mean of their sizes then follows no simple law. */
static void find_apart(const struct series_law_data *data, struct series_fit *fit) {
    int64_t most = -1;
    if (!is_of_size(fit)) return;
    fit->largest_apart = apart_in(data, fit->known_program);
    for (uint32_t k = 0; k < data->series->program_count && fit->largest_apart >= 0; k++) {
        const int64_t apart = apart_in(data, k);
        const int64_t change =
            apart > fit->largest_apart ? apart - fit->largest_apart : fit->largest_apart - apart;
        if (apart < 0 || change <= most) continue;
        most = change;
        fit->other_apart = apart;
    }
}

/* Returns whether each program has several samples, all with one value. */
static bool is_without_scatter(const struct series_law_data *data) {
    const struct series_sample *samples = data->step->samples;
    size_t first = 0;
    for (size_t i = 1; i <= data->count; i++) {
        const bool is_next = i == data->count || samples[data->samples[i]].program !=
                                                     samples[data->samples[first]].program;
        if (is_next && i - first < 2) return false;
        if (is_next)
            first = i;
        else if (law_sample_value(data, i) != law_sample_value(data, first))
            return false;
    }
    return data->count > 0;
}

/* Finds how far the sizes of ranks deviate in the largest program. */
static void find_deviation(const struct series_law_data *data, struct series_fit *fit) {
    const struct series_sample *samples = data->step->samples;
    wide off = 0;
    uint64_t count = 0;
    if (!is_of_size(fit) || fit->known_mean <= 0) return;
    const int64_t spread = law_scatter_spread(data, fit->known_program);
    for (size_t i = 0; i < data->count && spread < 0; i++) {
        if (samples[data->samples[i]].program != fit->known_program) continue;
        off += wide_magnitude((signed_wide)law_sample_value(data, i) - fit->known_mean);
        count++;
    }
    const int64_t mean = spread < 0 ? wide_mean(off, count) : spread;
    fit->deviation = wide_millionths((uint64_t)mean, (uint64_t)fit->known_mean);
}

int64_t fit_expected_error(const struct series_fit *fit, int64_t error) {
    return (int64_t)(((signed_wide)error * fit->reach) >> REACH_BITS);
}

/* Chooses the shape of law that fits the points, and sets its value in the new program. */
static void choose_shape(const struct fit_points *points, uint32_t target, struct series_fit *fit) {
    fit->error = -1;
    fit->mean = fit->known_mean;
    for (uint32_t row = 0; row < FIT_SHAPES; row++) {
        const int64_t error = error_of(row, points);
        int64_t value;
        if (fit->is_of_plane && !may_fit_plane(row)) continue;
        /* Scatter alone must not make a law that grows, so a later law must halve the error. The
         * laws of planes do not grow, so there a smaller error suffices. */
        const int64_t most = fit->is_of_plane ? fit->error - 1 : fit->error / 2;
        if (error < 0 || (fit->error >= 0 && error > most) ||
            !fit_value(row, points, FIT_POINTS, target, &value))
            continue;
        fit->error = error;
        fit->row = row;
        fit->mean = fit->is_of_plane ? through_largest(row, points, value) : value;
    }
    if (fit->error >= 0 && !fit->is_of_plane) find_alternative(points, target, fit);
    measure(points, target, fit);
    fit->is_weak = fit_shapes[fit->row].has_offset && points->count < 4;
}

/* Adds a fit, and makes its law. */
static status_code add_fit(struct series *series, const struct series_law_data *data,
                           const struct series_fit *fit, struct series_law *law,
                           struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&series->laws.fits, &series->laws.fit_capacity,
                                 series->laws.fit_count + 1, sizeof *fit, status));
    *law = (struct series_law){.kind = SERIES_LAW_FIT,
                               .a = (int64_t)series->laws.fit_count,
                               .programs = data->programs,
                               .is_open = fit->error < 0};
    series->laws.fits[series->laws.fit_count++] = *fit;
    return STATUS_OK;
}

/* Finds a fit to the same samples: those of all roles are fitted for each rare role. */
static bool find_fit(const struct series *series, const struct series_law_data *data,
                     struct series_fit *fit) {
    for (size_t i = series->laws.fit_count; i-- > 0;) {
        const struct series_fit *known = &series->laws.fits[i];
        if (known->samples != data->step->samples || known->field != data->field ||
            known->known_program != data->known_program || data->levels != 0 ||
            known->is_own != (data->choice == SERIES_SAMPLES_OWN))
            continue;
        *fit = *known;
        return true;
    }
    return false;
}

/* Adds a copy of a fit. */
static status_code repeat_fit(struct series *series, const struct series_law_data *data,
                              struct series_fit *fit, struct series_law *law,
                              struct status *status) {
    struct series_position *positions = memory_new(fit->position_count + 1u, sizeof *positions);
    RETURN_ERROR_IF(positions == NULL, status, STATUS_MEMORY, "out of memory for laws");
    if (fit->position_count > 0)
        memcpy(positions, fit->positions, fit->position_count * sizeof *positions);
    if (fit->positions != NULL)
        fit->positions = positions;
    else
        free(positions);
    const status_code code = add_fit(series, data, fit, law, status);
    if (code != STATUS_OK) free(fit->positions);
    return code;
}

static int64_t multiply(int64_t value, wide over, wide under) {
    const signed_wide result = (signed_wide)value * (signed_wide)over / (signed_wide)under;
    return result > INT64_MAX ? INT64_MAX : (int64_t)result;
}

/* Takes the law of what a rank has in all visits of the step, if it fits better than that of one
 * visit. */
static void fit_visits(const struct series_law_data *data, const struct fit_points *points,
                       struct series_fit *fit) {
    struct series_visits visits[SERIES_MOST_MEANS], target;
    struct fit_points sums = *points;
    struct series_fit whole = *fit;
    if (data->what != SERIES_VALUE_COMPUTE || points->count < 2 ||
        !law_visits_take(data, visits, &target))
        return;
    for (uint32_t i = 0; i < points->count; i++)
        sums.mean[i] = multiply(points->mean[i], visits[i].count, visits[i].ranks);
    const struct series_visits *last = &visits[points->count - 1];
    whole.has_alternative = false;
    choose_shape(&sums, data->series->target_ranks, &whole);
    if (whole.error < 0 || (fit->error >= 0 && whole.error >= fit->error)) return;
    *fit = whole;
    fit->is_of_visits = true;
    fit->mean = multiply(whole.mean, target.ranks, target.count);
    fit->alternative_mean = multiply(whole.alternative_mean, target.ranks, target.count);
    fit->last_off = multiply(whole.last_off, last->ranks, last->count);
}

/* Takes how the values that are copied deviate from their means. */
static status_code take_scatter(struct series *series, const struct series_law_data *data,
                                uint32_t *samples, size_t count, struct series_fit *fit,
                                struct status *status) {
    struct series_law_data copied = *data;
    if (samples != NULL) {
        copied.samples = samples;
        copied.count = count;
    }
    const status_code code = law_scatter_take(&copied, fit, status);
    if (code == STATUS_OK) {
        find_spread(series, &copied, fit);
        find_deviation(&copied, fit);
    }
    free(samples);
    return code;
}

status_code law_fit(struct series *series, const struct series_law_data *data,
                    struct series_law *law, struct status *status) {
    struct fit_points points;
    struct series_fit fit;
    uint32_t *samples;
    size_t count;
    if (find_fit(series, data, &fit)) return repeat_fit(series, data, &fit, law, status);
    fit = (struct series_fit){.what = data->what,
                              .error = -1,
                              .known_program = data->known_program,
                              .samples = data->step->samples,
                              .field = data->field};
    fit.is_of_plane = is_of_plane(data);
    take_means(data, &points, &fit);
    choose_shape(&points, ranks_of(data, &fit, series->target_ranks, &series->target), &fit);
    fit_visits(data, &points, &fit);
    find_apart(data, &fit);
    fit.misses_law = is_without_scatter(data) &&
                     fit.error > (fit.what == SERIES_VALUE_COMPUTE ? ROUNDING : SCATTER_ERROR);
    fit.rounds = law_rounds_find(data, &fit.places_are_unknown);
    FORWARD_IF_ERROR(law_copied_take(data, &fit, &samples, &count, status));
    law_fit_margins(data, &fit);
    fit.exact = data->exact;
    law_fit_ratios(data, &fit);
    fit.is_own = data->choice == SERIES_SAMPLES_OWN;
    FORWARD_IF_ERROR(take_scatter(series, data, samples, count, &fit, status));
    const status_code code = add_fit(series, data, &fit, law, status);
    if (code != STATUS_OK) free(fit.positions);
    return code;
}

bool law_fit_programs(const struct series *series, int64_t (*mean_of)(const struct program *),
                      struct series_fit *fit) {
    struct fit_points points = {.count = 0};
    *fit = (struct series_fit){.what = SERIES_VALUE_COMPUTE,
                               .known_program = series->program_count - 1};
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct program *program = series->programs[k].program;
        if (points.count == FIT_POINTS) return false;
        points.ranks[points.count] = program->rank_count;
        points.mean[points.count++] = fit->known_mean = mean_of(program);
    }
    choose_shape(&points, series->target_ranks, fit);
    return fit->error >= 0;
}

void series_fits_forget(struct series *series) {
    for (size_t i = 0; i < series->laws.fit_count; i++)
        free(series->laws.fits[i].positions);
    series->laws.fit_count = 0;
    free(series->laws.whole);
    series->laws.whole = NULL;
}

void series_fit_drop(struct series *series) {
    free(series->laws.fits[--series->laws.fit_count].positions);
}

bool fit_error_text(const struct series *series, const struct series_fit *fit, char *text,
                    size_t size) {
    if (fit->error < 0) {
        snprintf(text, size, "too few programs to test it");
        return true;
    }
    if (fit->ratio_tests > 0) {
        law_ratios_error_text(fit, text, size);
        return true;
    }
    const int64_t expected = fit_expected_error(fit, fit->error);
    char far[SERIES_TEXT] = "";
    if (expected > MOST_ERROR && fit->error <= MOST_ERROR)
        snprintf(far, sizeof far, ", about %" PRId64 ".%" PRId64 " %% at %u ranks",
                 expected / 10000, expected / 1000 % 10, series->target_ranks);
    char apart[SERIES_TEXT] = "";
    const bool are_apart = fit->deviation > MOST_ERROR;
    const int64_t change = fit->other_apart - fit->largest_apart;
    const bool are_mixed = change > MOST_ERROR || -change > MOST_ERROR;
    if (are_apart)
        snprintf(apart, sizeof apart, "; ranks are %" PRId64 ".%" PRId64 " %% off their mean",
                 fit->deviation / 10000, fit->deviation / 1000 % 10);
    const int length =
        snprintf(text, size, "error %" PRId64 ".%" PRId64 " %% with one program left out%s%s%s",
                 fit->error / 10000, fit->error / 1000 % 10, far,
                 fit->is_weak ? ", but one value tests it" : "", apart);
    if (fit->has_alternative && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length,
                 "; %s fits about as well: mean %" PRId64 ", not %" PRId64,
                 fit_shapes[fit->alternative_row].text, fit->alternative_mean, fit->mean);
    if (are_mixed)
        snprintf(text + strlen(text), size - strlen(text),
                 "; its sizes are %" PRId64 ".%" PRId64 " %% off their mean in one program, and "
                 "%" PRId64 ".%" PRId64 " %% in the largest",
                 fit->other_apart / 10000, fit->other_apart / 1000 % 10, fit->largest_apart / 10000,
                 fit->largest_apart / 1000 % 10);
    if (fit->misses_law)
        snprintf(text + strlen(text), size - strlen(text),
                 "; nothing scatters, so another law gives the values");
    if (fit->places_are_unknown)
        snprintf(text + strlen(text), size - strlen(text),
                 "; ranks compute before some visits only, and no rule says which");
    if (fit->exact != 0)
        snprintf(text + strlen(text), size - strlen(text),
                 "; an exact law of this dimension alone gives %" PRId64 ", not %" PRId64,
                 fit->exact, fit->mean);
    return fit->has_alternative || fit->is_weak || are_apart || are_mixed || fit->exact != 0 ||
           fit->misses_law || fit->places_are_unknown || expected > MOST_ERROR;
}
