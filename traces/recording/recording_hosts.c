/*
 * The hosts of a recording. The clocks of ranks on one host agree. Those of different hosts are
 * aligned at the end of MPI_Init, which all ranks leave at about the same time.
 *
 * On a host with more ranks than processors the ranks take turns. The time between two calls is
 * then longer than the computation in it, so processor time counts instead, unless
 * trace.computation says which time counts.
 */
#include "traces/recording/recording_survey.h"

#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

struct host {
    int64_t start_ns; /* when the first of its ranks left MPI_Init, by the host's clock */
    uint32_t ranks;   /* how many of the recording run on it */
    uint8_t processors[RECORDING_MASK_BYTES]; /* on which some of these may run: a bit each */
};

/* Returns the FNV-1a hash of a name, by which hosts are told apart. */
static uint64_t hash_of(const char *name) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name != '\0'; name++)
        hash = (hash ^ (uint8_t)*name) * UINT64_C(1099511628211);
    return hash;
}

static uint32_t processors_of(const struct host *host) {
    uint32_t count = 0;
    for (unsigned i = 0; i < RECORDING_MASK_BYTES; i++)
        count += (uint32_t)__builtin_popcount(host->processors[i]);
    return count;
}

/* Fills in the hosts, which are zeroed and as many as ranks, and the host of each rank. */
static status_code find_hosts(const struct survey *survey, struct host *hosts, uint32_t *host_of,
                              struct status *status) {
    struct key_table names = {0};
    status_code code = STATUS_OK;
    uint32_t count = 0;
    for (uint32_t rank = 0; code == STATUS_OK && rank < survey->rank_count; rank++) {
        const struct recording_header *header = &survey->ranks[rank].header;
        uint64_t key = hash_of(header->host);
        uint32_t at = key_table_find(&names, key);
        if (at == KEY_TABLE_NONE) {
            at = count++;
            hosts[at].start_ns = header->start_ns;
            code = key_table_insert(&names, key, at, status);
        }
        host_of[rank] = at;
        hosts[at].ranks++;
        if (header->start_ns < hosts[at].start_ns) hosts[at].start_ns = header->start_ns;
        for (unsigned i = 0; i < RECORDING_MASK_BYTES; i++)
            hosts[at].processors[i] |= header->processors[i];
    }
    key_table_free(&names);
    return code;
}

static bool uses_processor_time(const struct survey *survey, const struct host *host) {
    if (survey->config->computation != TRACES_TIME_AUTO)
        return survey->config->computation == TRACES_TIME_PROCESSOR;
    uint32_t processors = processors_of(host);
    return processors > 0 && host->ranks > processors;
}

/* Sets the ranks' offsets and which time is computation. A clock that says something impossible
 * gives the offset of the end of MPI_Init. */
static void set_ranks(struct survey *survey, const struct host *hosts, const uint32_t *host_of) {
    const int64_t limit_ns = PROGRAM_TIME_LIMIT_PS / 1000;
    int64_t min_ps = INT64_MAX;
    for (uint32_t rank = 0; rank < survey->rank_count; rank++) {
        struct survey_rank *own = &survey->ranks[rank];
        const struct host *host = &hosts[host_of[rank]];
        int64_t before_ns = 0;
        bool fits = !__builtin_sub_overflow(own->header.begin_ns, host->start_ns, &before_ns) &&
                    before_ns > -limit_ns && before_ns < limit_ns;
        own->offset_ps = fits ? before_ns * 1000 : 0;
        own->uses_processor_time = uses_processor_time(survey, host);
        if (own->offset_ps < min_ps) min_ps = own->offset_ps;
    }
    for (uint32_t rank = 0; rank < survey->rank_count; rank++)
        survey->ranks[rank].offset_ps -= min_ps;
}

status_code recording_align_clocks(struct survey *survey, struct status *status) {
    struct host *hosts = memory_new(survey->rank_count, sizeof *hosts);
    uint32_t *host_of = memory_new(survey->rank_count, sizeof *host_of);
    status_code code = hosts != NULL && host_of != NULL
                           ? find_hosts(survey, hosts, host_of, status)
                           : status_set(status, STATUS_MEMORY, "out of memory for hosts");
    if (code == STATUS_OK) set_ranks(survey, hosts, host_of);
    free(hosts);
    free(host_of);
    return code;
}
