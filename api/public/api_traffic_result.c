/* Results of synthetic traffic: reading and writing them. */
#include "api/report/report.h"
#include "api/result.h"
#include "api/table/tables.h"
#include "api/traffic/sweep.h"

#include <stdlib.h>

void anax_traffic_result_free(anax_traffic_result *result) {
    if (result == NULL) return;
    result_clear(&result->run);
    sweep_free(result->sweep);
    free(result->histogram);
    free(result);
}

bool anax_traffic_result_completed(const anax_traffic_result *result) {
    return result->run.completed;
}

anax_code anax_traffic_result_digest(uint64_t *digest, const anax_traffic_result *result,
                                     anax_error *error) {
    struct status status = STATUS_INIT;
    *digest = 0;
    if (!result->run.completed)
        status_set(&status, STATUS_STATE, "the traffic did not finish, so there is no digest");
    else
        *digest = result->run.digest;
    return api_return(&status, error);
}

size_t anax_traffic_result_point_count(size_t *found, size_t *damaged,
                                       const anax_traffic_result *result) {
    const struct traffic_sweep *sweep = result->sweep;
    const size_t count = sweep != NULL ? sweep->point_count : 0;
    size_t kept = 0, broken = 0;
    for (size_t i = 0; i < count; i++) {
        kept += sweep->points[i].was_kept;
        broken += sweep->points[i].was_damaged;
    }
    if (found != NULL) *found = kept;
    if (damaged != NULL) *damaged = broken;
    return count;
}

char *anax_traffic_result_text(const anax_traffic_result *result) {
    return report_traffic_text(result);
}

char *anax_traffic_result_json(const anax_traffic_result *result) {
    const struct table_source source = tables_traffic_source(result);
    return table_json(&tables_traffic, &source);
}

anax_code anax_traffic_result_table(anax_table **table, const anax_traffic_result *result,
                                    const char *name, anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = tables_traffic_source(result);
    table_collect(table, &tables_traffic, name, &source, &status);
    return api_return(&status, error);
}

anax_code anax_traffic_result_write_tables(const anax_traffic_result *result, const char *folder,
                                           anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = tables_traffic_source(result);
    if (result_check_complete(&result->run, folder, &status) == STATUS_OK)
        table_write_files(&tables_traffic, &source, folder, &status);
    return api_return(&status, error);
}
