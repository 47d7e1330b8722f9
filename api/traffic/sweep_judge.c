/* Figures of curves and loads, from their points. docs/model.md, 7, has the definitions. */
#include "api/traffic/sweep.h"

#include <stdlib.h>

/* Orders points by curve, load and seed; points that did not finish come last. */
static int compare_points(const void *first, const void *second) {
    const struct sweep_point *a = first, *b = second;
    if (a->finished != b->finished) return a->finished ? -1 : 1;
    if (a->curve != b->curve) return a->curve < b->curve ? -1 : 1;
    const int64_t load = a->figures.offered_millionths, other = b->figures.offered_millionths;
    if (load != other) return load < other ? -1 : 1;
    return a->seed < b->seed ? -1 : a->seed > b->seed;
}

/* Marks the points of a curve that are not stable, or lie above one of their seed that is not. */
static void find_saturation(struct traffic_sweep *sweep, const struct sweep_curve *curve) {
    for (size_t i = curve->first; i < curve->end; i++) {
        struct sweep_point *point = &sweep->points[i];
        for (size_t j = curve->first; j < curve->end; j++) {
            const struct sweep_point *other = &sweep->points[j];
            if (other->seed == point->seed && !other->figures.stable &&
                other->figures.offered_millionths <= point->figures.offered_millionths)
                point->beyond_saturation = true;
        }
    }
}

void sweep_judge(struct traffic_sweep *sweep) {
    if (sweep->searches != NULL)
        qsort(sweep->points, sweep->points_wanted, sizeof *sweep->points, compare_points);
    while (sweep->point_count < sweep->points_wanted && sweep->points[sweep->point_count].finished)
        sweep->point_count++;
    size_t next = 0;
    for (size_t i = 0; i < sweep->curve_count; i++) {
        struct sweep_curve *curve = &sweep->curves[i];
        curve->first = next;
        while (next < sweep->point_count && sweep->points[next].curve == i)
            next++;
        curve->end = next;
        find_saturation(sweep, curve);
    }
}

size_t sweep_load_of(struct sweep_load *load, const struct traffic_sweep *sweep, size_t first,
                     size_t end) {
    enum { JUDGED_SEEDS_MAX = 1000 };
    int64_t accepted[JUDGED_SEEDS_MAX], latency_ps[JUDGED_SEEDS_MAX];
    uint32_t latencies = 0;
    const struct sweep_point *points = sweep->points;
    *load = (struct sweep_load){.load_millionths = points[first].figures.offered_millionths};
    size_t next = first;
    for (; next < end && load->seeds < JUDGED_SEEDS_MAX; next++) {
        const struct traffic_point *figures = &points[next].figures;
        if (figures->offered_millionths != load->load_millionths) break;
        accepted[load->seeds++] = figures->accepted_millionths;
        load->stable += figures->stable;
        load->beyond += points[next].beyond_saturation;
        if (!points[next].beyond_saturation && figures->messages > 0)
            latency_ps[latencies++] = wide_mean(figures->latency_sum_ps, figures->messages);
    }
    load->accepted = compare_sample_of(accepted, load->seeds);
    load->latency = compare_sample_of(latency_ps, latencies);
    return next;
}

struct compare_sample sweep_saturation(const struct traffic_sweep *sweep, size_t curve) {
    enum { JUDGED_SEEDS_MAX = 1000 };
    int64_t loads[JUDGED_SEEDS_MAX];
    uint32_t count = 0;
    for (; sweep->searches != NULL && count < sweep->seed_count && count < JUDGED_SEEDS_MAX;
         count++)
        loads[count] = sweep->searches[curve * sweep->seed_count + count].stable_millionths;
    return compare_sample_of(loads, count);
}

void sweep_overloads(int64_t *of_all, int64_t *of_channel, const struct traffic_sweep *sweep,
                     size_t search) {
    const struct sweep_search *found = &sweep->searches[search];
    const struct sweep_curve *curve = &sweep->curves[search / sweep->seed_count];
    const int64_t end =
        found->stable_millionths > 0 ? found->stable_millionths : found->unstable_millionths;
    *of_all = 1000000;
    *of_channel = traffic_overload_of_channel(&curve->config->network, &curve->config->traffic);
    for (size_t i = curve->first; i < curve->end; i++)
        if (sweep->points[i].seed == search % sweep->seed_count &&
            sweep->points[i].figures.offered_millionths == end)
            *of_all = traffic_overload_of_all(&sweep->points[i].figures);
}
