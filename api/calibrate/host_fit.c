/*
 * Fits LogGP's parameters of hosts to ping-pongs and streams. docs/calibrate.md has the equations.
 *
 * With H(n) = measured - network, a ping-pong gives
 *     n <= E:  H(n) = s + r + latency + copies * n
 *     n >  E:  H(n) = s + r + 3 latency + 2 Z(c) + rendezvous + k * n
 * where s and r are the overheads of sender and receiver, and latency is that of both NICs,
 * and k is what a byte of a large message costs both hosts (mpi.*_overhead_per_kib). A
 * stream of windows of W messages gives the larger of s and r.
 */
#include "api/calibrate/host_fit.h"

#include "api/calibrate/host_division.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- how a value was found */

void host_fit_set_how(struct fit_result *fitted, fit_standing standing, const char *how, ...) {
    va_list arguments;
    va_start(arguments, how);
    fitted->standing = standing;
    vsnprintf(fitted->how, sizeof fitted->how, how, arguments);
    va_end(arguments);
}

void host_fit_warn(struct host_fit *fit, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_add(&fit->warnings, "%s\n", line);
}

/* Returns the power of ten to which a value is rounded: at most a quarter of the half interval, at
 * least 1. */
static double grain_of(double half_interval) {
    if (!isfinite(half_interval) || half_interval < 4) return 1;
    return pow(10, floor(log10(half_interval / 4)));
}

void host_fit_add_step(struct fit_result *fitted, uint64_t from_bytes, double value,
                       double half_interval) {
    const double grain = grain_of(half_interval);
    const int64_t rounded = (int64_t)(round((value > 0 ? value : 0) / grain) * grain);
    struct fit_step *last = fitted->count > 0 ? &fitted->steps[fitted->count - 1] : NULL;
    if ((last != NULL && last->value == rounded) || fitted->count == FIT_STEPS) return;
    fitted->steps[fitted->count++] = (struct fit_step){from_bytes, rounded, half_interval};
}

const char *const fit_needs_nodes = "messages within a node pass no NIC";

/* ---------------------------------------------------------------------------- segments */

/* The hosts' times on both sides of the eager threshold. */
struct pieces {
    const struct host_data *data;
    struct segment_point points[SEGMENT_POINTS_MAX];
    size_t eager_count; /* number of points up to the threshold */
    uint64_t eager_bytes;
    struct segments eager, rendezvous; /* points of `rendezvous` are numbered from eager_count */
};

static void fill_points(struct pieces *pieces) {
    for (size_t i = 0; i < pieces->data->latency_count; i++) {
        const struct fit_latency_point *latency = &pieces->data->latencies[i];
        pieces->points[i] = (struct segment_point){
            latency->size_bytes, latency->measured_ps - latency->network_ps, latency->error_ps};
    }
}

static size_t count_up_to(const struct pieces *pieces, uint64_t bytes) {
    size_t count = 0;
    while (count < pieces->data->latency_count && pieces->points[count].size_bytes <= bytes)
        count++;
    return count;
}

static status_code fit_sides(struct pieces *pieces, struct status *status) {
    const size_t count = pieces->data->latency_count, eager = pieces->eager_count;
    FORWARD_IF_ERROR(segments_fit(&pieces->eager, pieces->points, eager, status));
    return segments_fit(&pieces->rendezvous, pieces->points + eager, count - eager, status);
}

/* Returns whether the messages of all segments from number `from` on can be rendezvous: whether
 * they take at least min_ps. */
static bool can_be_rendezvous(const struct segments *segments, size_t from,
                              const struct segment_point *points, double min_ps) {
    for (size_t k = from; k < segments->count; k++) {
        const struct segment *segment = &segments->list[k];
        const double value = segment_at(segment, points[segment->first].size_bytes);
        if (value + points[segment->first].error < min_ps) return false;
    }
    return true;
}

/* Finds the border between segments where the fixed part rises most, and by at least half the time
 * of the request and the answer of a rendezvous. (Copies may end there, so the time itself need not
 * rise.) Returns the number of points before the border; 0: there is no such border. */
static size_t find_rise(const struct pieces *pieces, const struct segments *segments,
                        double latency_ps) {
    const double round_ps = 2 * pieces->data->control_ps + 2 * latency_ps;
    double max = round_ps / 2;
    size_t before = 0;
    for (size_t k = 1; k < segments->count; k++) {
        const struct segment *segment = &segments->list[k];
        const double rise = segment->fixed.value - (segment - 1)->fixed.value;
        if (rise < max || !can_be_rendezvous(segments, k, pieces->points, round_ps + latency_ps))
            continue;
        max = rise;
        before = segment->first;
    }
    return before;
}

/* Returns the latency of both NICs that follows from the smallest messages, for any threshold. */
static double first_latency(const struct pieces *pieces, const struct segments *segments) {
    struct host_fit scratch = {.warnings = TEXT_BUFFER_INIT};
    struct host_division division;
    const struct segment *first = &segments->list[0];
    host_division_find(&division, &scratch, pieces->data, first,
                       pieces->points[first->first + first->count - 1].size_bytes);
    free(text_take(&scratch.warnings));
    return division.latency.value;
}

static const char *const give_it = "if the library's threshold is known, set mpi.eager_threshold";

static status_code take_rise(struct pieces *pieces, struct host_fit *fit, size_t before,
                             struct status *status) {
    struct fit_result *threshold = &fit->parameters[FIT_EAGER_THRESHOLD];
    pieces->eager_bytes = pieces->points[before - 1].size_bytes;
    pieces->eager_count = before;
    host_fit_set_how(threshold, FIT_DETERMINED,
                     "ping-pong: its fixed part rises most between %" PRIu64 " and %" PRIu64
                     " bytes",
                     pieces->eager_bytes, pieces->points[before].size_bytes);
    host_fit_add_step(threshold, 0, (double)pieces->eager_bytes, 0);
    host_fit_warn(fit,
                  "mpi.eager_threshold: taken to be the size after which the fixed part of the "
                  "ping-pong rises most (%" PRIu64 " bytes); %s",
                  pieces->eager_bytes, give_it);
    return fit_sides(pieces, status);
}

/* Decides on the threshold if the ping-pong shows no rendezvous. The threshold stays if messages
 * above it take as long as a rendezvous; otherwise all measured sizes are eager. */
static status_code keep_threshold(struct pieces *pieces, struct host_fit *fit, double min_ps,
                                  struct status *status) {
    struct fit_result *threshold = &fit->parameters[FIT_EAGER_THRESHOLD];
    const size_t count = pieces->data->latency_count;
    FORWARD_IF_ERROR(fit_sides(pieces, status));
    if (can_be_rendezvous(&pieces->rendezvous, 0, pieces->points + pieces->eager_count, min_ps)) {
        host_fit_set_how(threshold, FIT_KEPT, "the ping-pong shows no rendezvous");
        host_fit_warn(fit,
                      "mpi.eager_threshold: the ping-pong shows no rendezvous, so it stays %" PRIu64
                      " bytes; %s",
                      pieces->eager_bytes, give_it);
        return STATUS_OK;
    }
    pieces->eager_bytes = pieces->points[count - 1].size_bytes;
    pieces->eager_count = count;
    host_fit_set_how(threshold, FIT_DETERMINED,
                     "ping-pong: no size takes as long as a rendezvous would");
    host_fit_add_step(threshold, 0, (double)pieces->eager_bytes, 0);
    host_fit_warn(
        fit,
        "mpi.eager_threshold: no measured size takes as long as a rendezvous on this network, "
        "so all are taken to be eager; %s",
        give_it);
    return fit_sides(pieces, status);
}

static status_code find_threshold(struct pieces *pieces, struct host_fit *fit,
                                  struct status *status) {
    const struct host_data *data = pieces->data;
    struct segments all;
    pieces->eager_bytes = (uint64_t)data->eager_bytes;
    pieces->eager_count = count_up_to(pieces, pieces->eager_bytes);
    if (data->eager_is_given) {
        host_fit_set_how(&fit->parameters[FIT_EAGER_THRESHOLD], FIT_KEPT, "as it was given");
        return fit_sides(pieces, status);
    }
    FORWARD_IF_ERROR(segments_fit(&all, pieces->points, data->latency_count, status));
    const double latency_ps = first_latency(pieces, &all);
    const size_t before = find_rise(pieces, &all, latency_ps);
    if (before > 0) return take_rise(pieces, fit, before, status);
    return keep_threshold(pieces, fit, 2 * data->control_ps + 3 * latency_ps, status);
}

/* ---------------------------------------------------------------------------- parameters */

/* Raises the fixed part of a segment to at least `min`, and then fits the slope again. */
static void raise_fixed(struct segment *segment, const struct segment_point *points, double min) {
    if (segment->fixed.value >= min) return;
    double above = 0, squares = 0;
    for (size_t i = segment->first; i < segment->first + segment->count; i++) {
        const double size = (double)points[i].size_bytes / points[i].error;
        above += size * (points[i].value - min) / points[i].error;
        squares += size * size;
    }
    segment->fixed.value = min;
    segment->slope.value = squares > 0 && above > 0 ? above / squares : 0;
}

static double both(double half_interval, double other) {
    return sqrt(half_interval * half_interval + other * other);
}

/* Rounds a sum and divides it into two parameters that add up to the rounded sum. */
static void divide(struct host_fit *fit, fit_parameter first, fit_parameter second,
                   uint64_t from_bytes, struct segment_estimate sum, double share) {
    const double grain = grain_of(sum.half_interval);
    const double rounded = round((sum.value > 0 ? sum.value : 0) / grain) * grain;
    const double part = floor(rounded * share + 1e-6);
    struct fit_result *one = &fit->parameters[first], *other = &fit->parameters[second];
    const double half_interval =
        grain > 1 ? sum.half_interval * (share > 0.5 ? share : 1 - share) : sum.half_interval / 2;
    /* the sum is already rounded, so the parts are not rounded again */
    const size_t ones = one->count, others = other->count;
    host_fit_add_step(one, from_bytes, part, 0);
    host_fit_add_step(other, from_bytes, rounded - part, 0);
    if (one->count > ones) one->steps[ones].half_interval = half_interval;
    if (other->count > others) other->steps[others].half_interval = half_interval;
}

static uint64_t begin_of(const struct segments *segments, size_t k,
                         const struct segment_point *points, uint64_t first_bytes) {
    return k == 0 ? first_bytes : points[segments->list[k].first].size_bytes;
}

static void fill_eager(struct host_fit *fit, struct pieces *pieces,
                       const struct host_division *division) {
    for (size_t k = 0; k < pieces->eager.count; k++) {
        struct segment *segment = &pieces->eager.list[k];
        const uint64_t from = begin_of(&pieces->eager, k, pieces->points, 0);
        raise_fixed(segment, pieces->points, division->latency.value);
        const struct segment_estimate overheads = {
            segment->fixed.value - division->latency.value,
            both(segment->fixed.half_interval, division->latency.half_interval)};
        const struct segment_estimate copies = {segment->slope.value * 1024,
                                                segment->slope.half_interval * 1024};
        divide(fit, FIT_SEND_OVERHEAD, FIT_RECEIVE_OVERHEAD, from, overheads, division->send_share);
        divide(fit, FIT_SEND_COPY, FIT_RECEIVE_COPY, from, copies, 0.5);
    }
}

static int64_t last_value(const struct fit_result *fitted) {
    return fitted->count > 0 ? fitted->steps[fitted->count - 1].value : 0;
}

static void fill_rendezvous(struct host_fit *fit, struct pieces *pieces,
                            const struct host_division *division) {
    const struct segment_point *points = pieces->points + pieces->eager_count;
    const uint64_t first = pieces->eager_count > 0 ? pieces->eager_bytes + 1 : 0;
    const double overheads = (double)(last_value(&fit->parameters[FIT_SEND_OVERHEAD]) +
                                      last_value(&fit->parameters[FIT_RECEIVE_OVERHEAD]));
    const double known = 2 * pieces->data->control_ps + 3 * division->latency.value;
    bool missing = false;
    if (pieces->rendezvous.count == 0) return;
    if (first > 0) {
        host_fit_add_step(&fit->parameters[FIT_RENDEZVOUS_SEND], 0, 0, 0);
        host_fit_add_step(&fit->parameters[FIT_RENDEZVOUS_RECEIVE], 0, 0, 0);
        host_fit_add_step(&fit->parameters[FIT_SEND_PER_KIB], 0, 0, 0);
        host_fit_add_step(&fit->parameters[FIT_RECEIVE_PER_KIB], 0, 0, 0);
    }
    for (size_t k = 0; k < pieces->rendezvous.count; k++) {
        struct segment *segment = &pieces->rendezvous.list[k];
        const uint64_t from = begin_of(&pieces->rendezvous, k, points, first);
        missing = missing || segment->fixed.value + segment->fixed.half_interval < known;
        raise_fixed(segment, points, known);
        const double rest = segment->fixed.value - known;
        const double half = both(segment->fixed.half_interval, 3 * division->latency.half_interval);
        const bool enough = rest >= overheads;
        divide(fit, FIT_RENDEZVOUS_SEND, FIT_RENDEZVOUS_RECEIVE, from,
               (struct segment_estimate){enough ? rest - overheads : 0, half}, 0.5);
        divide(fit, FIT_SEND_OVERHEAD, FIT_RECEIVE_OVERHEAD, from,
               (struct segment_estimate){enough ? overheads : rest, enough ? 0 : half},
               division->send_share);
        divide(fit, FIT_SEND_PER_KIB, FIT_RECEIVE_PER_KIB, from,
               (struct segment_estimate){segment->slope.value * 1024,
                                         segment->slope.half_interval * 1024},
               0.5);
    }
    if (missing)
        host_fit_warn(
            fit,
            "messages above the eager threshold take less than a rendezvous on this network "
            "(%.0f ns for its request, answer and %s alone): the machine's network is too "
            "slow, or the threshold is larger",
            known / 1e3, pieces->data->is_within_node ? "memory" : "NICs");
}

static void describe_parameters(struct host_fit *fit, const struct pieces *pieces,
                                const struct host_division *division) {
    struct fit_result *parameters = fit->parameters;
    for (fit_parameter i = FIT_SEND_OVERHEAD; i <= FIT_RECEIVE_OVERHEAD; i++)
        host_fit_set_how(&parameters[i], FIT_DIVIDED, "%s", division->of_overheads);
    for (fit_parameter i = FIT_SEND_COPY; i <= FIT_RECEIVE_COPY; i++)
        host_fit_set_how(
            &parameters[i], pieces->eager.count > 0 ? FIT_DIVIDED : FIT_KEPT, "%s",
            pieces->eager.count > 0
                ? "ping-pong up to the threshold: half of its slope beyond the network's"
                : "no ping-pong up to the threshold");
    const bool large = pieces->rendezvous.count > 0;
    for (fit_parameter i = FIT_RENDEZVOUS_SEND; i <= FIT_RENDEZVOUS_RECEIVE; i++)
        host_fit_set_how(&parameters[i], large ? FIT_DIVIDED : FIT_KEPT, "%s",
                         large ? "ping-pong above the threshold: half of what it takes more"
                               : "no ping-pong above the threshold");
    for (fit_parameter i = FIT_SEND_PER_KIB; i <= FIT_RECEIVE_PER_KIB; i++)
        host_fit_set_how(
            &parameters[i], large ? FIT_DIVIDED : FIT_KEPT, "%s",
            large ? "ping-pong above the threshold: half of its slope beyond the network's"
                  : "no ping-pong above the threshold");
    if (!large)
        host_fit_warn(
            fit, "mpi.rendezvous_*_overhead, mpi.*_overhead_per_kib: no ping-pong is larger than "
                 "the eager threshold, so they stay as they were");
    if (pieces->eager.count == 0)
        host_fit_warn(fit,
                      "mpi.*_overhead: no ping-pong is up to the eager threshold, so what small "
                      "messages cost is taken from larger ones");
}

/* Fills in the latency and the bandwidth of what carries messages: of the NICs, or of the node's
 * memory. Within a node CPUs copy every byte, so that the memory itself takes no time per byte. */
static void fill_latency(struct host_fit *fit, const struct host_data *data,
                         const struct host_division *division) {
    struct fit_result *parameters = fit->parameters;
    const fit_standing standing = division->latency_is_fitted ? FIT_DIVIDED : FIT_KEPT;
    for (fit_parameter i = FIT_SEND_LATENCY; i <= FIT_RECEIVE_LATENCY; i++)
        host_fit_set_how(&parameters[i], data->is_within_node ? FIT_KEPT : standing, "%s",
                         data->is_within_node ? fit_needs_nodes : division->of_latency);
    if (data->is_within_node) {
        struct fit_result *latency = &parameters[FIT_MEMORY_LATENCY];
        struct fit_result *bandwidth = &parameters[FIT_MEMORY_BANDWIDTH];
        host_fit_set_how(latency, standing, "%s", division->of_latency);
        if (division->latency_is_fitted)
            host_fit_add_step(latency, 0, division->latency.value, division->latency.half_interval);
        host_fit_set_how(bandwidth, FIT_DIVIDED,
                         "the time per byte counts as CPU time at both ends");
        host_fit_add_step(bandwidth, 0, data->fastest_memory, 0);
        return;
    }
    for (fit_parameter i = FIT_MEMORY_LATENCY; i <= FIT_MEMORY_BANDWIDTH; i++)
        host_fit_set_how(&parameters[i], FIT_KEPT,
                         "needs processes on one node (calibrate.distance=same-node)");
    if (division->latency_is_fitted)
        divide(fit, FIT_SEND_LATENCY, FIT_RECEIVE_LATENCY, 0, division->latency, 0.5);
}

static void check_network(struct host_fit *fit, const struct host_data *data) {
    for (size_t i = 0; i < data->latency_count; i++) {
        const struct fit_latency_point *point = &data->latencies[i];
        if (point->measured_ps + 2 * point->error_ps >= point->network_ps) continue;
        host_fit_warn(
            fit,
            "the machine's network alone takes %.4g us for %" PRIu64
            " bytes, of which %.4g us were measured: it is slower than the measured one, or "
            "the nodes were nearer to each other (calibrate.distance)",
            point->network_ps / 1e6, point->size_bytes, point->measured_ps / 1e6);
        return;
    }
}

status_code host_fit_run(struct host_fit *fit, const struct host_data *data,
                         struct status *status) {
    struct pieces pieces = {.data = data};
    struct host_division division;
    fill_points(&pieces);
    check_network(fit, data);
    FORWARD_IF_ERROR(find_threshold(&pieces, fit, status));
    const bool small = pieces.eager.count > 0;
    const struct segment *first = small ? &pieces.eager.list[0] : &pieces.rendezvous.list[0];
    const struct segment_point *last = &pieces.points[first->first + first->count - 1];
    host_division_find(&division, fit, data, first, small ? last->size_bytes : 0);
    fill_eager(fit, &pieces, &division);
    fill_rendezvous(fit, &pieces, &division);
    fill_latency(fit, data, &division);
    describe_parameters(fit, &pieces, &division);
    return STATUS_OK;
}
