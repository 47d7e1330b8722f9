/* The list of all kinds of results, and the sources of the rows of replays and of traffic. */
#include "api/table/tables.h"
#include "api/table/tables_compare.h"
#include "api/traffic/sweep.h"

const struct table_schema *const *table_schemas(void) {
    static const struct table_schema *const schemas[] = {
        &tables_replay, &tables_traffic,     &tables_compare,       &tables_place, &tables_topology,
        &tables_rivals, &tables_conjectures, &tables_bisection,     &tables_info,  &tables_diff,
        &tables_search, &tables_calibration, &tables_extrapolation, NULL};
    return schemas;
}

struct table_source tables_replay_source(const anax_replay_result *result) {
    return (struct table_source){
        .config = result->run.config,
        .scope = ANAX_SCOPE_REPLAY,
        .program = result->trace->program,
        .replay = result->replay,
        .run = &result->run,
        .result = result,
    };
}

struct table_source tables_traffic_source(const anax_traffic_result *result) {
    const struct traffic_sweep *sweep = result->sweep;
    const bool candidates = sweep != NULL && sweep_has_candidates(sweep);
    return (struct table_source){
        .config = result->run.config,
        .scope = ANAX_SCOPE_TRAFFIC,
        .run = &result->run,
        .traffic = result,
        .candidates = candidates ? &sweep->candidates : NULL,
        .value_names = candidates ? sweep->factor_names : NULL,
        .value_count = candidates ? sweep->candidates.factor_count : 0,
    };
}
