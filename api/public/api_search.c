/* Searches through the public interface. */
#include "api/caller_struct.h"
#include "api/command_support.h"
#include "api/points/points_run.h"
#include "api/search/search_state.h"
#include "api/table/tables.h"
#include "core/memory/memory.h"

#include <stdlib.h>

void anax_search_free(anax_search *search) {
    if (search == NULL) return;
    for (size_t i = 0; search->candidates != NULL && i < search->candidate_count; i++)
        free(search->candidates[i].reason);
    anax_comparison_free(search->on_whole);
    anax_comparison_free(search->on_part);
    program_free(search->part_trace.program);
    free(search->candidates);
    free(search);
}

static status_code begin_comparison(anax_comparison **comparison, const anax_search_plan *plan,
                                    const anax_trace *const *trace, uint32_t seeds,
                                    struct status *status) {
    anax_compare_plan own = ANAX_COMPARE_PLAN_INIT;
    own.machines = plan->machines;
    own.machine_count = plan->machine_count;
    own.factors = plan->factors;
    own.factor_count = plan->factor_count;
    own.traces = trace;
    own.trace_count = 1;
    own.paths = plan->path != NULL ? &plan->path : NULL;
    own.seeds = seeds;
    *comparison = memory_new(1, sizeof **comparison);
    RETURN_ERROR_IF(*comparison == NULL, status, STATUS_MEMORY, "out of memory for a search");
    return comparison_begin(*comparison, &own, status);
}

static status_code check_finished(const anax_search *search, struct status *status) {
    const char *reason = NULL;
    for (size_t i = 0; i < search->candidate_count; i++) {
        if (search->candidates[i].is_front) return STATUS_OK;
        if (search->candidates[i].stage > 0 && reason == NULL)
            reason = search->candidates[i].reason;
    }
    return status_set(status, STATUS_RUN, "no candidate has a time; the first: %s",
                      reason != NULL ? reason : "");
}

/* Finds the candidates and the part of the trace for the first stage. */
static status_code prepare_first_stage(anax_search *search, const anax_search_plan *plan,
                                       const anax_options *options, struct status *status) {
    enum { SEEDS_MAX = 1000 };
    RETURN_ERROR_IF(plan->trace == NULL || plan->machine_count == 0, status, STATUS_USAGE,
                    "a search needs a machine and a trace");
    RETURN_ERROR_IF(plan->seeds < 1 || plan->seeds > SEEDS_MAX, status, STATUS_USAGE,
                    "a search has 1 to %d seeds, not %llu", SEEDS_MAX,
                    (unsigned long long)plan->seeds);
    search->trace = plan->trace;
    search->share_millionths = 1000000;
    FORWARD_IF_ERROR(search_limits_parse(search->limits, plan->limits, plan->limit_count, status));
    FORWARD_IF_ERROR(
        begin_comparison(&search->on_whole, plan, &search->trace, (uint32_t)plan->seeds, status));
    FORWARD_IF_ERROR(search_prepare_candidates(search, status));
    FORWARD_IF_ERROR(search_part_make(search, options->threads, status));
    if (search->part_trace.program != NULL) {
        search->cut = &search->part_trace;
        FORWARD_IF_ERROR(begin_comparison(&search->on_part, plan, &search->cut, 1, status));
    }
    return STATUS_OK;
}

static status_code run_search(anax_search *search, const anax_search_plan *plan,
                              const anax_options *options, struct status *status) {
    FORWARD_IF_ERROR(prepare_first_stage(search, plan, options, status));
    FORWARD_IF_ERROR(search_run_stages(search, plan->points_folder, options, status));
    FORWARD_IF_ERROR(search_judge(search, status));
    return check_finished(search, status);
}

static anax_search *search_new(struct status *status) {
    anax_search *search = memory_new(1, sizeof *search);
    if (search == NULL) status_set(status, STATUS_MEMORY, "out of memory for a search");
    return search;
}

static status_code take_part(anax_sweep_part *part, const anax_search_plan *plan,
                             const anax_options *options, struct status *status) {
    FORWARD_IF_ERROR(
        points_check_part(part->part, part->parts, plan->points_folder, "a search", status));
    anax_search *search = search_new(status);
    if (search == NULL) return status->code;
    search->process_part = part->part;
    search->process_parts = part->parts;
    const status_code code = run_search(search, plan, options, status);
    part->points = part->all_points = search->point_count;
    part->found = search->found;
    part->damaged = search->damaged;
    part->failed = search->failed;
    anax_search_free(search);
    return code;
}

anax_code anax_search_part(anax_sweep_part *part, const anax_search_plan *plan,
                           const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    anax_search_plan own_plan = ANAX_SEARCH_PLAN_INIT;
    anax_sweep_part own_part = ANAX_SWEEP_PART_INIT;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK &&
        caller_struct_read(&own_plan, plan, &caller_search_plan_struct, &status) == STATUS_OK &&
        caller_struct_read(&own_part, part, &caller_sweep_part_struct, &status) == STATUS_OK &&
        take_part(&own_part, &own_plan, &own, &status) == STATUS_OK)
        caller_struct_write(part, &own_part, &caller_sweep_part_struct, &status);
    return api_return(&status, error);
}

/* Sets *parts by the points of the first stage. */
static status_code count_parts(unsigned *parts, anax_search *search, const anax_search_plan *plan,
                               const anax_options *options, struct status *status) {
    FORWARD_IF_ERROR(prepare_first_stage(search, plan, options, status));
    anax_comparison *first = search->on_part != NULL ? search->on_part : search->on_whole;
    return comparison_count_parts(parts, first, plan->points_folder, options, status);
}

anax_code api_search_count_parts(unsigned *parts, const anax_search_plan *plan,
                                 const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    *parts = 0;
    anax_search *search = search_new(&status);
    if (search != NULL && caller_read_options(&own, options, __func__, &status) == STATUS_OK)
        count_parts(parts, search, plan, &own, &status);
    anax_search_free(search);
    return api_return(&status, error);
}

anax_code anax_search_run(anax_search **search, const anax_search_plan *plan,
                          const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    anax_search_plan own_plan = ANAX_SEARCH_PLAN_INIT;
    *search = search_new(&status);
    status_code code = status.code;
    if (code == STATUS_OK) code = caller_read_options(&own, options, __func__, &status);
    if (code == STATUS_OK)
        code = caller_struct_read(&own_plan, plan, &caller_search_plan_struct, &status);
    if (code == STATUS_OK) {
        (*search)->ascii_only = own.ascii_only;
        code = run_search(*search, &own_plan, &own, &status);
    }
    if (code != STATUS_OK) {
        anax_search_free(*search);
        *search = NULL;
    }
    return api_return(&status, error);
}

size_t anax_search_point_count(size_t *found, size_t *damaged, const anax_search *search) {
    if (found != NULL) *found = search->found;
    if (damaged != NULL) *damaged = search->damaged;
    return search->point_count;
}

char *anax_search_text(const anax_search *search) {
    return report_search_text(search);
}

/* Returns the source of a search's tables. Its settings are those of the first machine. names: of
 * the factors; NULL: out of memory. */
static struct table_source source_of(const anax_search *search, const char ***names) {
    const anax_comparison *whole = search->on_whole;
    *names = memory_new(whole->set.factor_count, sizeof **names);
    for (size_t i = 0; *names != NULL && i < whole->set.factor_count; i++)
        (*names)[i] = whole->set.factors[i].setting;
    return (struct table_source){.config = whole->set.machines[0],
                                 .scope = ANAX_SCOPE_SEARCH,
                                 .candidates = &whole->set,
                                 .comparison = whole,
                                 .search = search,
                                 .value_names = *names,
                                 .value_count = whole->set.factor_count};
}

char *anax_search_json(const anax_search *search) {
    const char **names;
    const struct table_source source = source_of(search, &names);
    char *json = names != NULL ? table_json(&tables_search, &source) : NULL;
    free(names);
    return json;
}

/* Copies one table, or writes all tables that have a file into a folder. */
static anax_code use_tables(const anax_search *search, anax_table **table, const char *name,
                            const char *folder, anax_error *error) {
    struct status status = STATUS_INIT;
    const char **names;
    const struct table_source source = source_of(search, &names);
    if (names == NULL)
        status_set(&status, STATUS_MEMORY, "out of memory for a search");
    else if (folder != NULL)
        table_write_files(&tables_search, &source, folder, &status);
    else
        table_collect(table, &tables_search, name, &source, &status);
    free(names);
    return api_return(&status, error);
}

anax_code anax_search_table(anax_table **table, const anax_search *search, const char *name,
                            anax_error *error) {
    *table = NULL;
    return use_tables(search, table, name, NULL, error);
}

anax_code anax_search_write_tables(const anax_search *search, const char *folder,
                                   anax_error *error) {
    return use_tables(search, NULL, NULL, folder, error);
}
