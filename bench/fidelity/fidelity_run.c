/*
 * Runs the plan. What a command measured lies in BUILD/fidelity/NAME-HASH, a folder that appears
 * when it is complete, with a hash of the program and of the command: so a run that was interrupted
 * goes on where it was, and nothing old is taken for new.
 */
#include "bench/fidelity/fidelity.h"
#include "bench/support/child.h"
#include "bench/support/run_cache.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static bool family_has(const char *build, const char *family, const char *name) {
    char command[512];
    struct child_measure list;
    snprintf(command, sizeof command, "%s/anax list %s --json", build, family);
    bool found = false;
    struct json_object *members;
    if (child_run(command, &list) && json_object_object_get_ex(list.json, "members", &members))
        for (size_t i = 0; i < json_object_array_length(members) && !found; i++) {
            struct json_object *member = json_object_array_get_idx(members, i);
            found =
                strcmp(json_object_get_string(json_object_object_get(member, "name")), name) == 0;
        }
    child_clear(&list);
    return found;
}

static struct load_point read_point(const struct table *points, size_t row) {
    double messages = table_number(points, row, "messages");
    return (struct load_point){
        .offered = table_number(points, row, "offered_load"),
        .accepted = table_number(points, row, "accepted_load"),
        .stable = table_number(points, row, "stable") > 0,
        .latency = messages > 0 ? table_number(points, row, "mean_latency_ps") / 1000 : NAN,
        .minimal_latency = table_number(points, row, "minimal_mean_latency_ps") / 1000,
        .nonminimal_latency = table_number(points, row, "nonminimal_mean_latency_ps") / 1000,
        .accepted_latency = table_number(points, row, "accepted_mean_latency_ps") / 1000,
        .minimal_share = table_number(points, row, "minimal_share"),
        .hops = table_number(points, row, "mean_hops"),
    };
}

static bool read_table(struct table *table, const char *folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return table_read(table, path);
}

static bool read_folder(struct measurement *measurement, const char *folder) {
    struct table points;
    bool good = read_table(&points, folder, "points.csv");
    if (good) measurement->points = calloc(points.rows + 1, sizeof *measurement->points);
    good = good && measurement->points != NULL;
    for (size_t i = 0; good && i < points.rows; i++)
        measurement->points[measurement->count++] = read_point(&points, i);
    table_free(&points);
    if (good && measurement->experiment->kind == POINT)
        good = read_table(&measurement->links, folder, "links.csv") &&
               read_table(&measurement->routers, folder, "routers.csv") &&
               read_table(&measurement->latencies, folder, "latencies.csv");
    return good;
}

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Runs the command unless its folder is there; reads the folder. */
static run_state run(struct measurement *measurement, const struct bench_options *options,
                     uint64_t hash) {
    const char *name = measurement->experiment->name;
    struct stat present;
    hash = cache_hash(hash, measurement->command, strlen(measurement->command));
    char *folder = cache_text("%s/fidelity/%s-%016" PRIx64, options->build, name, hash);
    run_state state = RUN_DONE;
    if (stat(folder, &present) != 0) {
        state = RUN_NO_POLICY;
        if ((options->only == NULL || strstr(name, options->only) != NULL) &&
            family_has(options->build, "routing", measurement->experiment->routing)) {
            char *command = cache_text("%s/%s --quiet --json -o %s", options->build,
                                       measurement->command, folder);
            double start_s = now_s();
            struct child_measure child;
            state = child_run(command, &child) ? RUN_DONE : RUN_FAILED;
            child_clear(&child);
            fprintf(stderr, "%-28s %6.1f s%s\n", name, now_s() - start_s,
                    state == RUN_DONE ? "" : "  FAILED");
            free(command);
        }
    }
    if (state == RUN_DONE && !read_folder(measurement, folder)) state = RUN_FAILED;
    free(folder);
    return state;
}

static char *command_of(const struct experiment *experiment, bool quick) {
    return cache_text("anax traffic --routing %s %s%s %s %s", experiment->routing,
                      experiment->options, quick ? experiment->quick_options : "",
                      experiment->kind == POINT ? "--load" : "--loads",
                      quick ? experiment->quick_loads : experiment->loads);
}

struct measurement *measure_all(const struct bench_options *options, size_t *failed) {
    size_t count = 0;
    while (experiments[count].name != NULL)
        count++;
    struct measurement *all = calloc(count + 1, sizeof *all);
    if (all == NULL) cache_out_of_memory();
    const uint64_t hash = cache_begin(options->build, "fidelity");
    *failed = 0;
    for (size_t i = 0; i < count; i++) {
        all[i].experiment = &experiments[i];
        all[i].command = command_of(&experiments[i], options->quick);
        all[i].state = run(&all[i], options, hash);
        *failed += all[i].state == RUN_FAILED;
    }
    return all;
}

void measured_free(struct measurement *all) {
    for (struct measurement *each = all; each->experiment != NULL; each++) {
        free(each->command);
        free(each->points);
        table_free(&each->links);
        table_free(&each->routers);
        table_free(&each->latencies);
    }
    free(all);
}

const struct measurement *measured(const struct measurement *all, const char *name) {
    for (; all->experiment != NULL; all++)
        if (strcmp(all->experiment->name, name) == 0) return all->state == RUN_DONE ? all : NULL;
    fprintf(stderr, "fidelity: there is no experiment %s\n", name);
    exit(1);
}

const struct load_point *point_at(const struct measurement *curve, double load) {
    for (size_t i = 0; i < curve->count; i++)
        if (fabs(curve->points[i].offered - load) < 1e-6) return &curve->points[i];
    return NULL;
}

double latency_at(const struct measurement *curve, double load) {
    const struct load_point *point = point_at(curve, load);
    return point != NULL ? point->latency : NAN;
}

double throughput(const struct measurement *curve) {
    double max = 0;
    for (size_t i = 0; i < curve->count; i++)
        if (curve->points[i].accepted > max) max = curve->points[i].accepted;
    return max;
}

double first_unstable(const struct measurement *curve) {
    for (size_t i = 0; i < curve->count; i++)
        if (!curve->points[i].stable) return curve->points[i].offered;
    return INFINITY;
}

double saturation_load(const struct measurement *curve) {
    double bound = 4 * curve->points[0].latency;
    for (size_t i = 1; i < curve->count; i++) {
        const struct load_point *below = &curve->points[i - 1], *above = &curve->points[i];
        if (isnan(above->latency)) return below->offered; /* nothing arrived any more */
        if (above->latency >= bound)
            return below->offered + (above->offered - below->offered) * (bound - below->latency) /
                                        (above->latency - below->latency);
    }
    return INFINITY;
}
