/*
 * Counts how much of a trace its program carries, in one pass over the operations. A call that is
 * not modelled stays in the program as a call without operations (see the importer), and a note has
 * its name (recordings have one note for all calls of MPI-IO). Waits for its request have no note.
 * Must not know archives.
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
    wide unmodelled_ps, file_ps;
    uint64_t unmodelled_calls, file_calls; /* file_*: of calls that only access files */
    call_class class;
};

struct program_coverage_sums {
    wide time_ps;
    struct program_coverage counts;
    uint64_t file_waits; /* calls that only wait for accesses to files */
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
    const bool is_of_files = strncmp(name, "MPI_File_", strlen("MPI_File_")) == 0;
    if (!is_noted(program, name) && !(is_of_files && is_noted(program, "MPI-IO")))
        return CALL_MODELLED;
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

/* A call of a rank while its operations are passed. */
struct open_call {
    struct program_operation begin; /* OPERATION_END: none */
    bool is_empty;
    bool has_others; /* operations that concern no file */
    bool has_access;
    bool *is_access; /* [slot]: the request is an access to a file; NULL: there are no files */
};

/* Returns whether a WAIT waits for accesses to files alone. */
static bool waits_for_accesses(const struct open_call *call, const struct program *program,
                               uint32_t rank, const struct program_operation *wait) {
    const uint32_t *slots = &wait->wait.first;
    if (call->is_access == NULL) return false;
    if (wait->wait.count > 1)
        slots = program->wait_slots + program->ranks[rank].first_wait_slot + wait->wait.first;
    for (uint32_t i = 0; i < wait->wait.count; i++)
        if (!call->is_access[slots[i]]) return false;
    return true;
}

/* Takes note of an operation inside a call, or of a request outside calls. */
static void pass_operation(struct open_call *call, const struct program *program, uint32_t rank,
                           const struct program_operation *operation) {
    uint32_t slot = PROGRAM_NONE;
    bool is_access = operation->kind == OPERATION_FILE;
    call->is_empty = false;
    call->has_access |= is_access;
    if (operation->kind == OPERATION_WAIT)
        is_access = waits_for_accesses(call, program, rank, operation);
    call->has_others |= !is_access;
    if (operation->kind == OPERATION_FILE) slot = operation->file.slot;
    if (operation->kind == OPERATION_SEND || operation->kind == OPERATION_RECEIVE)
        slot = operation->message.slot;
    if (operation->kind == OPERATION_COLLECTIVE) slot = operation->collective.slot;
    if (call->is_access != NULL && slot != PROGRAM_NONE) call->is_access[slot] = is_access;
}

/* Counts a call at its end, as unmodelled if it has no operations and its class allows that. */
static void add_call(struct program_coverage_sums *sums, const struct open_call *call,
                     const struct program_operation *end) {
    struct region_sum *region = &sums->regions[call->begin.mark.region];
    struct program_coverage *coverage = &sums->counts;
    bool is_unmodelled = call->is_empty && region->class != CALL_MODELLED;
    bool is_file = !call->is_empty && !call->has_others;
    if (region->class == CALL_IGNORED) return;
    wide passed_ps = region->class != CALL_HANDLE ? time_between(&call->begin, end) : 0;
    sums->time_ps += passed_ps;
    if (is_unmodelled) region->unmodelled_ps += passed_ps;
    if (is_file) region->file_ps += passed_ps;
    if (is_unmodelled && region->class == CALL_WAIT) return;
    coverage->calls++;
    region->unmodelled_calls += is_unmodelled;
    region->file_calls += is_file && call->has_access;
    sums->file_waits += is_file && !call->has_access;
    coverage->collectives += is_unmodelled && region->class == CALL_COLLECTIVE;
    coverage->unmodelled_collectives += is_unmodelled && region->class == CALL_COLLECTIVE;
}

static void add_operation(struct program_coverage *coverage, const struct program *program,
                          const struct program_operation *operation) {
    if (operation->kind == OPERATION_COLLECTIVE)
        coverage->collectives += !is_handle(program, operation);
    coverage->accesses += operation->kind == OPERATION_FILE;
    if (program_is_message(program, operation)) {
        coverage->messages++;
        coverage->unmatched += operation->message.match == PROGRAM_NONE;
    }
}

status_code program_coverage_add(struct program_coverage_sums *sums, const struct program *program,
                                 uint32_t rank, struct status *status) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    struct open_call call = {.begin = {.kind = OPERATION_END}};
    if (program->file_count > 0) {
        call.is_access = memory_new(rank_entry->slot_count, sizeof *call.is_access);
        RETURN_ERROR_IF(call.is_access == NULL, status, STATUS_MEMORY,
                        "out of memory for requests");
    }
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        const struct program_operation *operation = PROGRAM_OPERATION_AT(program, rank, i);
        add_operation(&sums->counts, program, operation);
        if (operation->kind == OPERATION_CALL) {
            call.begin = *operation;
            call.is_empty = true;
            call.has_others = call.has_access = false;
        } else if (operation->kind == OPERATION_RETURN && call.begin.kind == OPERATION_CALL) {
            add_call(sums, &call, operation);
        } else {
            pass_operation(&call, program, rank, operation);
        }
    }
    free(call.is_access);
    return STATUS_OK;
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
    sums->file_waits += more.file_waits;
    sums->counts.accesses += more.counts.accesses;
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
        sums->regions[i].file_calls += region.file_calls;
        sums->regions[i].file_ps += region.file_ps;
    }
}

void program_coverage_conclude(const struct program_coverage_sums *sums, bool files_take_time,
                               struct program_coverage *coverage) {
    wide unmodelled_ps = 0, longest_ps = 0, longest_call_ps = 0;
    uint64_t most_calls = 0;
    uint32_t longest_of_all = PROGRAM_NONE;
    *coverage = sums->counts;
    coverage->most_called = coverage->longest = PROGRAM_NONE;
    if (!files_take_time) coverage->calls -= sums->file_waits;
    for (uint32_t i = 0; i < sums->region_count; i++) {
        const struct region_sum *region = &sums->regions[i];
        const uint64_t calls =
            region->unmodelled_calls + (files_take_time ? 0 : region->file_calls);
        const wide time_ps = region->unmodelled_ps + (files_take_time ? 0 : region->file_ps);
        coverage->unmodelled_calls += calls;
        unmodelled_ps += time_ps;
        if (time_ps > longest_ps) {
            longest_ps = time_ps;
            longest_of_all = i;
        }
        if (calls == 0) continue; /* waits have none */
        if (calls > most_calls) {
            most_calls = calls;
            coverage->most_called = i;
        }
        if (region->class == CALL_HANDLE) continue;
        if (coverage->longest == PROGRAM_NONE || time_ps > longest_call_ps) {
            longest_call_ps = time_ps;
            coverage->longest = i;
        }
    }
    if (coverage->longest == PROGRAM_NONE) coverage->longest = longest_of_all; /* a wait */
    coverage->time_ns = (uint64_t)(sums->time_ps / 1000);
    coverage->unmodelled_ns = (uint64_t)(unmodelled_ps / 1000);
}

status_code program_coverage_compute(const struct program *program, bool files_take_time,
                                     struct program_coverage *coverage, struct status *status) {
    const struct program_coverage *found = program_division_coverage(program, files_take_time);
    if (found != NULL) {
        *coverage = *found;
        return STATUS_OK;
    }
    struct program_coverage_sums *sums = program_coverage_new(program, status);
    if (sums == NULL) return STATUS_MEMORY;
    status_code code = STATUS_OK;
    for (uint32_t rank = 0; rank < program->rank_count && code == STATUS_OK; rank++)
        code = program_coverage_add(sums, program, rank, status);
    if (code == STATUS_OK) program_coverage_conclude(sums, files_take_time, coverage);
    free(sums);
    return code;
}
