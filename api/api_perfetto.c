/* The predicted run as a trace for the Perfetto viewer. */
#include "api/api.h"
#include "api/caller_struct.h"
#include "api/path_timeline.h"
#include "api/result.h"
#include "traces/traces.h"

#include <stdlib.h>

enum {
    RANKS_MOST = 256
}; /* unless the caller asks for more: viewers show no thousands of tracks */

static status_code choose_ranks(struct traces_perfetto *input, const anax_result *result,
                                const char *path, uint32_t first, uint32_t count,
                                struct status *status) {
    const uint32_t ranks = result->replay->rank_count;
    RETURN_ERROR_IF(first >= ranks, status, STATUS_USAGE,
                    "%s: there is no rank %u; the ranks are 0 to %u", path, first, ranks - 1);
    RETURN_ERROR_IF(count > ranks - first, status, STATUS_USAGE,
                    "%s: there is no rank %llu; the ranks are 0 to %u", path,
                    (unsigned long long)first + count - 1, ranks - 1);
    input->first_rank = first;
    input->rank_count = count;
    if (count == 0) input->rank_count = ranks - first < RANKS_MOST ? ranks - first : RANKS_MOST;
    return STATUS_OK;
}

static status_code write_perfetto(const anax_result *result, const char *path, uint32_t first,
                                  uint32_t count, bool replace, struct status *status) {
    struct traces_times times;
    struct traces_perfetto input = {.times = &times};
    struct path_timeline way = {0};
    int64_t *end_ps;
    status_code code = result_times(&times, &end_ps, result, path, status);
    if (code == STATUS_OK && result->replay->path_count > 0) {
        code = path_timeline_of(&way, &result->replay->paths[0], status);
        times.path = &way.path;
    }
    if (code == STATUS_OK) code = choose_ranks(&input, result, path, first, count, status);
    if (code == STATUS_OK)
        code = traces_write_perfetto(result->trace->program, &input, path, replace, status);
    path_timeline_clear(&way);
    free(end_ps);
    return code;
}

anax_code anax_result_write_perfetto(const anax_result *result, const char *path, uint32_t first,
                                     uint32_t count, const anax_options *options,
                                     anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    if (caller_options(&own, options, &status) == STATUS_OK)
        write_perfetto(result, path, first, count, own.replace, &status);
    return api_return(&status, error);
}
