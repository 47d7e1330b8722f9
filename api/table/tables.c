/* The list of all kinds of results, and the sources of their rows. */
#include "api/table/tables.h"
#include "api/table/tables_comparison.h"
#include "api/traffic/traffic_sweep.h"

const struct table_schema *const *table_schemas(void) {
    static const struct table_schema *const schemas[] = {
        &tables_replay,   &tables_traffic, &tables_compare,     &tables_place,
        &tables_topology, &tables_rivals,  &tables_conjectures, &tables_bisection,
        &tables_info,     &tables_diff,    &tables_search,      NULL};
    return schemas;
}

const struct table_schema *tables_schema_of(const anax_result *result) {
    return result->kind == API_RESULT_REPLAY ? &tables_replay : &tables_traffic;
}

struct table_source tables_of_result(const anax_result *result) {
    const bool is_replay = result->kind == API_RESULT_REPLAY;
    const struct traffic_sweep *sweep = result->sweep;
    const bool candidates = sweep != NULL && sweep_has_candidates(sweep);
    return (struct table_source){
        .config = result->config,
        .scope = is_replay ? ANAX_SCOPE_REPLAY : ANAX_SCOPE_TRAFFIC,
        .program = is_replay ? result->trace->program : NULL,
        .replay = result->replay,
        .result = result,
        .comparison = candidates ? sweep->candidates : NULL,
        .value_names = candidates ? sweep->factor_names : NULL,
        .value_count = candidates ? sweep->candidates->factor_count : 0,
    };
}
