/*
 * Counts how much of a trace its program carries, in one pass over the operations. A call that is
 * not modelled stays in the program as a call without operations (see the importer), and a note has
 * its name. Waits for its request have no note. Must not know archives.
 */
#include "traces/program/program_coverage.h"
#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "traces/program/file/program_division.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum call_class {
    CALL_MODELLED,
    CALL_NOTED,
    CALL_COLLECTIVE, /* a collective that is noted */
    CALL_HANDLE,     /* a call that is noted and makes a communicator */
    CALL_WAIT,
    CALL_IGNORED
} call_class;

struct region_sum {
    wide unmodelled_ps;
    uint64_t unmodelled_calls;
    call_class class;
};

struct program_coverage_sums {
    wide time_ps;
    struct program_coverage counts;
    uint64_t region_count;
    struct region_sum regions[];
};

static bool is_noted(const struct program *program, const char *name) {
    for (uint32_t i = 0; i < program->note_count; i++)
        if (program->notes[i].is_assumed == 0 &&
            strcmp(program_text(program, program->notes[i].what), name) == 0)
            return true;
    return false;
}

/* Returns true for the name of a collective: MPI_Ineighbor_alltoall, MPI_Bcast, … */
static bool is_collective(const char *name) {
    static const char *const kinds[] = {"barrier",   "bcast",     "gather",   "scatter",
                                        "allgather", "allreduce", "alltoall", "reduce",
                                        "scan",      "exscan",    "neighbor_"};
    if (strncmp(name, "MPI_", 4) != 0) return false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(kinds[i]);
        if (strncasecmp(name + 4, kinds[i], length) == 0) return true;
        if (name[4] == 'I' && strncmp(name + 5, kinds[i], length) == 0) return true;
    }
    return false;
}

bool program_lacks_collectives(const struct program *program) {
    for (uint32_t i = 0; i < program->note_count; i++) {
        const char *name = program_text(program, program->notes[i].what);
        if (program->notes[i].is_assumed == 0 && name[0] != '\0' && is_collective(name) &&
            name[4] == 'I' && strncmp(name, "MPI_Ineighbor_", strlen("MPI_Ineighbor_")) != 0)
            return true;
    }
    return false;
}

static bool makes_communicator(const char *name) {
    static const char *const kinds[] = {"MPI_Comm_", "MPI_Cart_", "MPI_Graph_", "MPI_Dist_graph_",
                                        "MPI_Intercomm_"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strncmp(name, kinds[i], strlen(kinds[i])) == 0) return true;
    return false;
}

static call_class class_of(const struct program *program, uint32_t region) {
    const char *name = program_text(program, program->regions[region].name);
    if (strcmp(name, "MPI_Init") == 0 || strcmp(name, "MPI_Init_thread") == 0 ||
        strcmp(name, "MPI_Finalize") == 0)
        return CALL_IGNORED;
    if (strncmp(name, "MPI_Wait", strlen("MPI_Wait")) == 0) return CALL_WAIT;
    if (!is_noted(program, name)) return CALL_MODELLED;
    if (makes_communicator(name)) return CALL_HANDLE;
    return is_collective(name) ? CALL_COLLECTIVE : CALL_NOTED;
}

static bool is_handle(const struct program *program, const struct program_operation *operation) {
    uint32_t kind = program->collective_arguments[operation->collective.arguments].kind;
    return kind == PROGRAM_COLLECTIVE_CREATE_HANDLE || kind == PROGRAM_COLLECTIVE_DESTROY_HANDLE ||
           kind == PROGRAM_COLLECTIVE_WINDOW;
}

static wide time_between(const struct program_operation *call,
                         const struct program_operation *end) {
    int64_t from_ps = call->mark.trace_ps, to_ps = end->mark.trace_ps;
    return to_ps > from_ps ? (wide)to_ps - (wide)from_ps : 0;
}

/* Counts a call at its end, as unmodelled if it has no operations and its class allows that. */
static void add_call(struct program_coverage_sums *sums, const struct program_operation *call,
                     const struct program_operation *end, bool is_empty) {
    struct region_sum *region = &sums->regions[call->mark.region];
    struct program_coverage *coverage = &sums->counts;
    bool is_unmodelled = is_empty && region->class != CALL_MODELLED;
    if (region->class == CALL_IGNORED) return;
    wide passed_ps = region->class != CALL_HANDLE ? time_between(call, end) : 0;
    sums->time_ps += passed_ps;
    if (is_unmodelled) region->unmodelled_ps += passed_ps;
    if (is_unmodelled && region->class == CALL_WAIT) return;
    coverage->calls++;
    region->unmodelled_calls += is_unmodelled;
    coverage->collectives += is_unmodelled && region->class == CALL_COLLECTIVE;
    coverage->unmodelled_collectives += is_unmodelled && region->class == CALL_COLLECTIVE;
}

void program_coverage_add(struct program_coverage_sums *sums, const struct program *program,
                          uint32_t rank) {
    struct program_coverage *coverage = &sums->counts;
    const struct program_rank *rank_entry = &program->ranks[rank];
    struct program_operation call = {.kind = OPERATION_END};
    uint64_t call_at = 0;
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        const struct program_operation *operation = PROGRAM_OPERATION_AT(program, rank, i);
        if (operation->kind == OPERATION_CALL) {
            call = *operation;
            call_at = i;
        }
        if (operation->kind == OPERATION_COLLECTIVE)
            coverage->collectives += !is_handle(program, operation);
        if (program_is_message(program, operation)) {
            coverage->messages++;
            coverage->unmatched += operation->message.match == PROGRAM_NONE;
        }
        if (operation->kind == OPERATION_RETURN && call.kind == OPERATION_CALL)
            add_call(sums, &call, operation, i == call_at + 1);
    }
}

size_t program_coverage_bytes(const struct program *program) {
    return sizeof(struct program_coverage_sums) + program->region_count * sizeof(struct region_sum);
}

struct program_coverage_sums *program_coverage_new(const struct program *program,
                                                   struct status *status) {
    struct program_coverage_sums *sums = memory_new(1, program_coverage_bytes(program));
    if (sums == NULL) {
        status_set(status, STATUS_MEMORY, "out of memory for %u regions", program->region_count);
        return NULL;
    }
    sums->region_count = program->region_count;
    for (uint32_t i = 0; i < program->region_count; i++)
        sums->regions[i].class = class_of(program, i);
    return sums;
}

void program_coverage_join(struct program_coverage_sums *sums, const void *others) {
    const char *from = others;
    struct program_coverage_sums more; /* a copy, since `others` may not be aligned */
    memcpy(&more, from, sizeof more);
    sums->time_ps += more.time_ps;
    sums->counts.messages += more.counts.messages;
    sums->counts.unmatched += more.counts.unmatched;
    sums->counts.calls += more.counts.calls;
    sums->counts.collectives += more.counts.collectives;
    sums->counts.unmodelled_collectives += more.counts.unmodelled_collectives;
    from += sizeof more;
    for (uint64_t i = 0; i < sums->region_count; i++) {
        struct region_sum region;
        memcpy(&region, from + i * sizeof region, sizeof region);
        sums->regions[i].unmodelled_calls += region.unmodelled_calls;
        sums->regions[i].unmodelled_ps += region.unmodelled_ps;
    }
}

void program_coverage_conclude(const struct program_coverage_sums *sums,
                               struct program_coverage *coverage) {
    const struct region_sum *regions = sums->regions;
    wide unmodelled_ps = 0, longest_ps = 0;
    uint32_t longest_of_all = PROGRAM_NONE;
    *coverage = sums->counts;
    coverage->most_called = coverage->longest = PROGRAM_NONE;
    for (uint32_t i = 0; i < sums->region_count; i++) {
        const struct region_sum *region = &regions[i];
        coverage->unmodelled_calls += region->unmodelled_calls;
        unmodelled_ps += region->unmodelled_ps;
        if (region->unmodelled_ps > longest_ps) {
            longest_ps = region->unmodelled_ps;
            longest_of_all = i;
        }
        if (region->unmodelled_calls == 0) continue; /* waits have none */
        uint32_t *max = &coverage->most_called, *longest = &coverage->longest;
        if (*max == PROGRAM_NONE || region->unmodelled_calls > regions[*max].unmodelled_calls)
            *max = i;
        if (region->class == CALL_HANDLE) continue;
        if (*longest == PROGRAM_NONE || region->unmodelled_ps > regions[*longest].unmodelled_ps)
            *longest = i;
    }
    if (coverage->longest == PROGRAM_NONE) coverage->longest = longest_of_all; /* a wait */
    coverage->time_ns = (uint64_t)(sums->time_ps / 1000);
    coverage->unmodelled_ns = (uint64_t)(unmodelled_ps / 1000);
}

status_code program_coverage_compute(const struct program *program,
                                     struct program_coverage *coverage, struct status *status) {
    const struct program_coverage *found = program_division_coverage(program);
    if (found != NULL) {
        *coverage = *found;
        return STATUS_OK;
    }
    struct program_coverage_sums *sums = program_coverage_new(program, status);
    if (sums == NULL) return STATUS_MEMORY;
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        program_coverage_add(sums, program, rank);
    program_coverage_conclude(sums, coverage);
    free(sums);
    return STATUS_OK;
}
