/* Comparisons through the public interface: turns a plan into a comparison. */
#include "api/caller_struct.h"
#include "api/command_support.h"
#include "api/compare/kept_points.h"
#include "api/points/points_run.h"
#include "api/run/jobs.h"
#include "api/table/tables.h"
#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS_MAX = 1000, POINTS_MAX = 1000000, NEGLIGIBLE_MILLIONTHS = 5000 };

/* Names a trace by its path if another trace has the same name. Refuses equal paths. */
static status_code name_apart(anax_comparison *comparison, size_t trace, struct status *status) {
    bool shared = false;
    for (size_t i = 0; i < comparison->trace_count; i++) {
        if (i == trace) continue;
        RETURN_ERROR_IF(strcmp(comparison->paths[i], comparison->paths[trace]) == 0, status,
                        STATUS_USAGE, "trace %s is given twice; remove one",
                        comparison->paths[trace]);
        char *name = jobs_name(comparison->paths[i]);
        RETURN_ERROR_IF(name == NULL, status, STATUS_MEMORY, "out of memory for names of traces");
        shared = shared || strcmp(name, comparison->names[trace]) == 0;
        free(name);
    }
    if (!shared) return STATUS_OK;
    free(comparison->names[trace]);
    comparison->names[trace] = NULL;
    return memory_copy_text(&comparison->names[trace], comparison->paths[trace], status);
}

static status_code take_traces(anax_comparison *comparison, const anax_compare_plan *plan,
                               struct status *status) {
    for (size_t i = 0; i < plan->trace_count; i++) {
        const struct program *program = plan->traces[i]->program;
        const char *path =
            plan->paths != NULL ? plan->paths[i] : program_text(program, program->source);
        FORWARD_IF_ERROR(memory_copy_text(&comparison->paths[i], path, status));
        comparison->names[i] = jobs_name(path);
        RETURN_ERROR_IF(comparison->names[i] == NULL, status, STATUS_MEMORY,
                        "out of memory for names of traces");
    }
    for (size_t i = 0; i < plan->trace_count; i++)
        FORWARD_IF_ERROR(name_apart(comparison, i, status));
    return STATUS_OK;
}

status_code comparison_begin(anax_comparison *comparison, const anax_compare_plan *plan,
                             struct status *status) {
    RETURN_ERROR_IF(plan->machine_count == 0 || plan->trace_count == 0, status, STATUS_USAGE,
                    "a comparison needs a machine and a trace");
    RETURN_ERROR_IF(plan->seeds < 1 || plan->seeds > SEEDS_MAX, status, STATUS_USAGE,
                    "a comparison has 1 to %d seeds, not %" PRIu64, SEEDS_MAX, plan->seeds);
    comparison->names = memory_new(plan->trace_count, sizeof *comparison->names);
    comparison->paths = memory_new(plan->trace_count, sizeof *comparison->paths);
    RETURN_ERROR_IF(comparison->names == NULL || comparison->paths == NULL, status, STATUS_MEMORY,
                    "out of memory for a comparison");
    comparison->negligible_millionths = NEGLIGIBLE_MILLIONTHS;
    if (plan->negligible != NULL &&
        units_parse_ratio(plan->negligible, &comparison->negligible_millionths, status) !=
            STATUS_OK)
        return status_prefix(status, "plan.negligible");
    RETURN_ERROR_IF(
        comparison->negligible_millionths < 0 || comparison->negligible_millionths > 1000000,
        status, STATUS_USAGE, "plan.negligible is %s; it takes a share from 0 to 1, e.g. 0.5%%",
        plan->negligible);
    comparison->traces = plan->traces;
    comparison->trace_count = plan->trace_count;
    comparison->seed_count = (uint32_t)plan->seeds;
    comparison->first_seed = plan->machines[0]->run.seed;
    RETURN_ERROR_IF(comparison->first_seed > INT64_MAX - SEEDS_MAX, status, STATUS_USAGE,
                    "seed %lld has too few numbers after it", (long long)comparison->first_seed);
    FORWARD_IF_ERROR(candidate_set_init(&comparison->set, ANAX_SCOPE_REPLAY, plan->machines,
                                        plan->machine_count, plan->factors, plan->factor_count,
                                        status));
    FORWARD_IF_ERROR(take_traces(comparison, plan, status));
    comparison->point_count =
        plan->trace_count * comparison->set.candidate_count * comparison->seed_count;
    RETURN_ERROR_IF(comparison->point_count > POINTS_MAX, status, STATUS_USAGE,
                    "%zu points, and at most %d in one comparison; vary less at once",
                    comparison->point_count, POINTS_MAX);
    comparison->points = memory_new(comparison->point_count, sizeof *comparison->points);
    RETURN_ERROR_IF(comparison->points == NULL, status, STATUS_MEMORY,
                    "out of memory for %zu points", comparison->point_count);
    return STATUS_OK;
}

static status_code refuse_failures(const anax_comparison *comparison, struct status *status) {
    if (comparison->failed == 0) return STATUS_OK;
    const struct compare_point *first = comparison->points;
    while (first->finished)
        first++;
    return status_set(status, STATUS_RUN, "%zu of %zu point%s %s no time; the first: %s",
                      comparison->failed, comparison->point_count, plural(comparison->point_count),
                      comparison->failed == 1 ? "has" : "have",
                      first->failure != NULL ? first->failure : "");
}

static status_code compare(anax_comparison **comparison, const anax_compare_plan *plan,
                           const anax_options *options, struct status *status) {
    *comparison = memory_new(1, sizeof **comparison);
    RETURN_ERROR_IF(*comparison == NULL, status, STATUS_MEMORY, "out of memory for a comparison");
    status_code code = comparison_begin(*comparison, plan, status);
    (*comparison)->ascii_only = options->ascii_only;
    if (code == STATUS_OK)
        code = comparison_run(*comparison, plan->points_folder, 0, 0, options, status);
    if (code == STATUS_OK) code = comparison_judge(*comparison, status);
    if (code == STATUS_OK) code = comparison_find_prices(*comparison, status);
    if (code == STATUS_OK) return refuse_failures(*comparison, status);
    anax_comparison_free(*comparison);
    *comparison = NULL;
    return code;
}

anax_code anax_compare(anax_comparison **comparison, const anax_compare_plan *plan,
                       const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    anax_compare_plan own_plan = ANAX_COMPARE_PLAN_INIT;
    *comparison = NULL;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK &&
        caller_struct_read(&own_plan, plan, &caller_compare_plan_struct, &status) == STATUS_OK)
        compare(comparison, &own_plan, &own, &status);
    return api_return(&status, error);
}

static status_code compare_part(anax_sweep_part *part, const anax_compare_plan *plan,
                                const anax_options *options, struct status *status) {
    FORWARD_IF_ERROR(
        points_check_part(part->part, part->parts, plan->points_folder, "a comparison", status));
    anax_comparison *comparison = memory_new(1, sizeof *comparison);
    RETURN_ERROR_IF(comparison == NULL, status, STATUS_MEMORY, "out of memory for a comparison");
    status_code code = comparison_begin(comparison, plan, status);
    if (code == STATUS_OK)
        code = comparison_run(comparison, plan->points_folder, part->part, part->parts, options,
                              status);
    part->all_points = comparison->point_count;
    part->points = points_of_part(comparison->point_count, part->part, part->parts);
    part->found = comparison->found;
    part->damaged = comparison->damaged;
    part->failed = comparison->failed;
    anax_comparison_free(comparison);
    return code;
}

anax_code anax_compare_part(anax_sweep_part *part, const anax_compare_plan *plan,
                            const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    anax_compare_plan own_plan = ANAX_COMPARE_PLAN_INIT;
    anax_sweep_part own_part = ANAX_SWEEP_PART_INIT;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK &&
        caller_struct_read(&own_plan, plan, &caller_compare_plan_struct, &status) == STATUS_OK &&
        caller_struct_read(&own_part, part, &caller_sweep_part_struct, &status) == STATUS_OK &&
        compare_part(&own_part, &own_plan, &own, &status) == STATUS_OK)
        caller_struct_write(part, &own_part, &caller_sweep_part_struct, &status);
    return api_return(&status, error);
}

anax_code api_compare_count_parts(unsigned *parts, const anax_compare_plan *plan,
                                  const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_comparison *comparison = memory_new(1, sizeof *comparison);
    *parts = 0;
    if (comparison == NULL)
        status_set(&status, STATUS_MEMORY, "out of memory for a comparison");
    else if (comparison_begin(comparison, plan, &status) == STATUS_OK)
        comparison_count_parts(parts, comparison, plan->points_folder, options, &status);
    anax_comparison_free(comparison);
    return api_return(&status, error);
}

size_t anax_comparison_point_count(size_t *found, size_t *damaged,
                                   const anax_comparison *comparison) {
    if (found != NULL) *found = comparison->found;
    if (damaged != NULL) *damaged = comparison->damaged;
    return comparison->point_count;
}

void api_abandon_points(const char *folder) {
    kept_abandon(folder);
}

char *anax_comparison_text(const anax_comparison *comparison) {
    return report_comparison_text(comparison);
}

/* Returns the source of a comparison's tables. Its settings are those of the baseline's first
 * point; if the baseline's values do not fit together, those of its machine. The setting
 * jobs.alone, which comparisons turn off, does not count as changed. names: of the factors; NULL:
 * out of memory. */
static struct table_source source_of(const anax_comparison *comparison, anax_config **config,
                                     const char ***names) {
    *config = NULL;
    comparison_new_config(config, comparison, 0, 0, NULL);
    if (*config != NULL)
        (*config)->jobs.replays_alone = comparison->set.machines[0]->jobs.replays_alone;
    *names = memory_new(comparison->set.factor_count, sizeof **names);
    for (size_t i = 0; *names != NULL && i < comparison->set.factor_count; i++)
        (*names)[i] = comparison->set.factors[i].setting;
    return (struct table_source){.config = *config != NULL ? *config : comparison->set.machines[0],
                                 .scope = ANAX_SCOPE_REPLAY,
                                 .candidates = &comparison->set,
                                 .comparison = comparison,
                                 .value_names = *names,
                                 .value_count = comparison->set.factor_count};
}

char *anax_comparison_json(const anax_comparison *comparison) {
    anax_config *config;
    const char **names;
    const struct table_source source = source_of(comparison, &config, &names);
    char *json = names != NULL ? table_json(&tables_compare, &source) : NULL;
    anax_config_free(config);
    free(names);
    return json;
}

/* Copies one table, or writes all tables that have a file into a folder. */
static anax_code use_tables(const anax_comparison *comparison, anax_table **table, const char *name,
                            const char *folder, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_config *config;
    const char **names;
    const struct table_source source = source_of(comparison, &config, &names);
    if (names == NULL)
        status_set(&status, STATUS_MEMORY, "out of memory for a comparison");
    else if (folder != NULL)
        table_write_files(&tables_compare, &source, folder, &status);
    else
        table_collect(table, &tables_compare, name, &source, &status);
    anax_config_free(config);
    free(names);
    return api_return(&status, error);
}

anax_code anax_comparison_table(anax_table **table, const anax_comparison *comparison,
                                const char *name, anax_error *error) {
    *table = NULL;
    return use_tables(comparison, table, name, NULL, error);
}

anax_code anax_comparison_write_tables(const anax_comparison *comparison, const char *folder,
                                       anax_error *error) {
    return use_tables(comparison, NULL, NULL, folder, error);
}
