/* A comparison for programs, schema anax.compare/1. Keys are documented in anax-json(5). */
#include "api/compare/comparison.h"
#include "api/report/json_build.h"
#include "api/report/report.h"
#include "api/report/warnings.h"
#include "api/version.h"

#include <stdlib.h>

static void put_factors(struct json_object *object, const anax_comparison *comparison) {
    struct json_object *factors = json_put_array(object, "factors");
    for (size_t i = 0; i < comparison->factor_count; i++) {
        const struct compare_factor *factor = &comparison->factors[i];
        struct json_object *entry = json_append_object(factors);
        json_put_text(entry, "setting", factor->setting);
        struct json_object *values = json_put_array(entry, "values");
        for (size_t k = 0; k < factor->count; k++)
            json_append_text(values, factor->values[k]);
    }
}

/* Each with its own settings, before the factors change some. */
static void put_machines(struct json_object *object, const anax_comparison *comparison) {
    struct json_object *machines = json_put_array(object, "machines");
    for (size_t i = 0; i < comparison->factors[0].count; i++) {
        struct json_object *entry = json_append_object(machines);
        report_json_machine_name(entry, comparison->machines[i]);
        report_settings_json(entry, comparison->machines[i], ANAX_SCOPE_REPLAY, NULL);
    }
}

/* Of the baseline's first point; where its values do not fit together, what they change. That
 * points are not run alone too is no change of the user's. */
static void put_configuration(struct json_object *object, const anax_comparison *comparison) {
    anax_config *config = NULL;
    comparison_config(&config, comparison, 0, 0, NULL);
    if (config != NULL) config->jobs.alone = comparison->machines[0]->jobs.alone;
    report_json_configuration(object, config != NULL ? config : comparison->machines[0],
                              ANAX_SCOPE_REPLAY, NULL);
    anax_config_free(config);
}

static void put_interval(struct json_object *object, const struct compare_sample *sample) {
    if (sample->half_ps >= 0) {
        json_put_int(object, "low_ps", sample->mean_ps - sample->half_ps);
        json_put_int(object, "high_ps", sample->mean_ps + sample->half_ps);
    } else {
        json_put_null(object, "low_ps");
        json_put_null(object, "high_ps");
    }
}

/* Six decimals; null where nothing was tested. */
static void put_probability(struct json_object *object, const char *key, double p) {
    if (p >= 0)
        json_put_millionths(object, key, (int64_t)(p * 1e6 + 0.5));
    else
        json_put_null(object, key);
}

static void put_difference(struct json_object *object, const struct compare_candidate *candidate,
                           const struct compare_sample *baseline) {
    const struct compare_sample *sample = &candidate->difference;
    if (sample->count == 0) {
        json_put_null(object, "difference");
        return;
    }
    struct json_object *difference = json_put_object(object, "difference");
    json_put_count(difference, "seeds", sample->count);
    json_put_int(difference, "mean_ps", sample->mean_ps);
    put_interval(difference, sample);
    if (baseline->mean_ps > 0)
        json_put_change(difference, "share", sample->mean_ps, (uint64_t)baseline->mean_ps);
    else
        json_put_null(difference, "share");
    put_probability(difference, "p", sample->p);
    put_probability(difference, "holm_p", candidate->holm_p);
    json_put_bool(difference, "significant", candidate->significant);
}

static void put_points(struct json_object *object, const anax_comparison *comparison, size_t trace,
                       size_t candidate) {
    struct json_object *points = json_put_array(object, "points");
    for (uint32_t seed = 0; seed < comparison->seed_count; seed++) {
        const struct compare_point *point =
            &comparison->points[comparison_point(comparison, trace, candidate, seed)];
        struct json_object *entry = json_append_object(points);
        json_put_int(entry, "seed", comparison->first_seed + seed);
        json_put_bool(entry, "completed", point->finished);
        if (point->finished) {
            json_put_int(entry, "time_ps", point->time_ps);
            json_put_hash(entry, "digest", point->digest);
        } else {
            json_put_text(entry, "failure", point->failure != NULL ? point->failure : "");
        }
    }
}

static void put_time(struct json_object *object, const struct compare_sample *sample) {
    if (sample->count == 0) {
        json_put_null(object, "time");
        return;
    }
    struct json_object *time = json_put_object(object, "time");
    json_put_count(time, "seeds", sample->count);
    json_put_int(time, "mean_ps", sample->mean_ps);
    put_interval(time, sample);
    json_put_int(time, "min_ps", sample->least_ps);
    json_put_int(time, "max_ps", sample->most_ps);
}

static void put_candidate(struct json_object *array, const anax_comparison *comparison,
                          size_t trace, size_t index) {
    const struct compare_candidate *all =
        &comparison->candidates[trace * comparison->candidate_count];
    struct json_object *object = json_append_object(array);
    if (all[index].rank > 0)
        json_put_count(object, "rank", all[index].rank);
    else
        json_put_null(object, "rank");
    json_put_bool(object, "baseline", index == 0);
    struct json_object *values = json_put_object(object, "values");
    for (size_t i = 0; i < comparison->factor_count; i++)
        json_put_text(values, comparison->factors[i].setting,
                      comparison_value(comparison, index, i));
    put_time(object, &all[index].time);
    put_difference(object, &all[index], &all[0].time);
    put_points(object, comparison, trace, index);
}

static bool put_trace(struct json_object *array, const anax_comparison *comparison, size_t trace) {
    const struct program *program = comparison->traces[trace]->program;
    size_t *order = NULL;
    if (comparison_order(comparison, trace, &order, NULL) != STATUS_OK) return false;
    struct json_object *object = json_append_object(array);
    json_put_text(object, "name", comparison->names[trace]);
    json_put_text(object, "path", comparison->paths[trace]);
    json_put_hash(object, "hash", program->content_hash);
    json_put_count(object, "ranks", program->rank_count);
    warnings_json(object, program);
    struct json_object *candidates = json_put_array(object, "candidates");
    for (size_t i = 0; i < comparison->candidate_count; i++)
        put_candidate(candidates, comparison, trace, order[i]);
    free(order);
    return true;
}

char *report_comparison_json(const anax_comparison *comparison) {
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    json_put_text(object, "schema", "anax.compare/1");
    json_put_text(object, "version", API_VERSION);
    json_put_bool(object, "completed", comparison->failed == 0);
    json_put_int(object, "first_seed", comparison->first_seed);
    json_put_count(object, "seeds", comparison->seed_count);
    json_put_millionths(object, "confidence", (int64_t)(COMPARE_CONFIDENCE * 1e6 + 0.5));
    put_factors(object, comparison);
    put_machines(object, comparison);
    put_configuration(object, comparison);
    struct json_object *traces = json_put_array(object, "traces");
    bool good = true;
    for (size_t trace = 0; trace < comparison->trace_count && good; trace++)
        good = put_trace(traces, comparison, trace);
    if (good) return json_finish(object);
    json_object_put(object);
    return NULL;
}
