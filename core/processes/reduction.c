/*
 * The vector that processes add up at the beginning of an exchange. It has the purposes of all of
 * them, their summaries, and how many processes send a block to each process.
 *
 * If the processes have different purposes, their summaries are not added. In this case one of them
 * has failed, or all are about to fail.
 */
#include "core/processes/reduction.h"

#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum { DIRECT_PROCESSES = 32, DIRECT_PROCESSES_MAX = 1000000 };

struct sums {
    uint32_t least_purpose;
    uint32_t greatest_purpose;
    uint64_t summary[PROCESSES_SUMMARY_BYTES / 8];
    uint32_t blocks[]; /* [process]: how many processes send it a block */
};

struct reduction {
    unsigned count;
    size_t bytes; /* of *sums, a multiple of 8 */
    struct sums *sums;
    void (*add)(void *sum, const void *part);
};

status_code reduction_limit(unsigned *limit, struct status *status) {
    const char *text = getenv("ANAX_TEST_DIRECT_PROCESSES");
    *limit = DIRECT_PROCESSES;
    if (text == NULL) return STATUS_OK;
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    RETURN_ERROR_IF(*text < '0' || *text > '9' || *end != '\0' || value > DIRECT_PROCESSES_MAX,
                    status, STATUS_USAGE,
                    "ANAX_TEST_DIRECT_PROCESSES is `%s`; it can be a number from 0 to %d", text,
                    DIRECT_PROCESSES_MAX);
    *limit = (unsigned)value;
    return STATUS_OK;
}

struct reduction *reduction_new(unsigned count) {
    struct reduction *reduction = memory_new(1, sizeof *reduction);
    if (reduction == NULL) return NULL;
    reduction->count = count;
    reduction->bytes = (sizeof *reduction->sums + count * sizeof(uint32_t) + 7) / 8 * 8;
    reduction->sums = memory_new(1, reduction->bytes);
    if (reduction->sums != NULL) return reduction;
    free(reduction);
    return NULL;
}

void reduction_free(struct reduction *reduction) {
    if (reduction == NULL) return;
    free(reduction->sums);
    free(reduction);
}

static bool is_uniform(const struct sums *sums) {
    return sums->least_purpose == sums->greatest_purpose;
}

/* A processes_add. */
static void add_sums(void *context, void *sum, const void *part) {
    const struct reduction *reduction = context;
    struct sums *to = sum;
    const struct sums *from = part;
    if (from->least_purpose < to->least_purpose) to->least_purpose = from->least_purpose;
    if (from->greatest_purpose > to->greatest_purpose)
        to->greatest_purpose = from->greatest_purpose;
    for (unsigned i = 0; i < reduction->count; i++)
        to->blocks[i] += from->blocks[i];
    if (reduction->add != NULL && is_uniform(to)) reduction->add(to->summary, from->summary);
}

void reduction_begin(struct reduction *reduction, const struct processes_plugin *plugin,
                     unsigned number, processes_purpose purpose,
                     const struct processes_summary *summary, const bool *has_block) {
    struct sums *sums = reduction->sums;
    memset(sums, 0, reduction->bytes);
    sums->least_purpose = sums->greatest_purpose = (uint32_t)purpose;
    if (summary->bytes > 0) memcpy(sums->summary, summary->sum, summary->bytes);
    for (unsigned i = 0; i < reduction->count; i++)
        sums->blocks[i] = i != number && has_block[i];
    reduction->add = summary->add;
    plugin->reduce(sums, reduction->bytes, add_sums, reduction);
}

const uint32_t *reduction_expected(const struct reduction *reduction, unsigned number) {
    return &reduction->sums->blocks[number];
}

bool reduction_take(const struct reduction *reduction, const struct processes_summary *summary) {
    if (!is_uniform(reduction->sums)) return false;
    if (summary->bytes > 0) memcpy(summary->sum, reduction->sums->summary, summary->bytes);
    return true;
}
