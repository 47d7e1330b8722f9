/*
 * Tests every invariant of program.h. The program may come from anywhere, also from a file that
 * another program wrote. Invariant: no number is used as an index before it has been tested.
 */
#include "traces/program/program_check.h"
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "core/processes/parallel.h"
#include "traces/program/program_graph.h"
#include "traces/program/program_topology.h"
#include "traces/program/seal/program_match_collectives.h"
#include "traces/program/seal/program_match_messages.h"
#include "traces/program/send_modes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* State of a slot. HELD: the slot of a persistent send after a test. */
enum { SLOT_FREE, SLOT_POSTED, SLOT_POSTED_PERSISTENT, SLOT_HELD };

/* Stands for the mode of a call whose name tells none. */
enum { ANY_MODE = UINT8_MAX };

/* State of one worker. */
struct check_scratch {
    uint8_t *posted; /* state of each slot of the current rank */
    size_t posted_capacity;
    uint32_t *open_regions;
    size_t open_capacity;
    struct program_posted_rank lists; /* of the current rank */
};

struct checker {
    const struct program *program;
    unsigned workers;
    uint32_t first; /* rank that item 0 is */
    uint8_t *modes; /* for each region, the mode in which it sends, or ANY_MODE */
    struct check_scratch *scratch;
    struct program_posted posted;
    bool reads_times; /* the times of marks are checked, too */
};

/* The walk through the operations of the current rank. */
struct check_walk {
    const struct program *program;
    const struct program_rank *rank_entry;
    const uint8_t *modes;
    struct check_scratch *scratch;
    size_t open_count;
    uint32_t call_region;      /* region of the current call; PROGRAM_NONE: outside calls */
    int64_t computed_ps;       /* since the last call: one computation without user regions */
    bool reads_times;          /* as of the checker */
    int64_t first_ps, last_ps; /* times of the first and the last mark so far */
    uint32_t sends, receives, marks;
};

static status_code check_text(const struct program *program, uint32_t offset, const char *what,
                              uint64_t index, struct status *status) {
    RETURN_ERROR_IF(offset >= program->string_bytes, status, STATUS_INPUT,
                    "%s %" PRIu64 ": its text lies outside the texts", what, index);
    return STATUS_OK;
}

static status_code check_communicators(const struct program *program, struct status *status) {
    for (uint64_t i = 0; i < program->communicator_member_count; i++)
        RETURN_ERROR_IF(program->communicator_members[i] >= program->rank_count, status,
                        STATUS_INPUT, "communicator member %" PRIu64 ": there is no rank %u", i,
                        program->communicator_members[i]);
    for (uint32_t i = 0; i < program->communicator_count; i++) {
        const struct program_communicator *c = &program->communicators[i];
        FORWARD_IF_ERROR(check_text(program, c->name, "communicator", i, status));
        bool self = c->members == PROGRAM_NONE;
        uint64_t last = self ? 0 : (uint64_t)c->members + c->size;
        uint64_t remote_last = (uint64_t)c->remote_members + c->remote_size;
        RETURN_ERROR_IF(c->size == 0 || c->size > program->rank_count ||
                            c->remote_size > program->rank_count ||
                            (self && (c->size != 1 || c->remote_size > 0)) ||
                            last > program->communicator_member_count ||
                            remote_last > program->communicator_member_count,
                        status, STATUS_INPUT, "communicator %u: its members are not all there", i);
    }
    return STATUS_OK;
}

/* Records the run of members that a communicator names. Returns false if the run has another length
 * than before: two runs are either equal or disjoint. */
static bool record_run(uint32_t *run_size, uint32_t first, uint32_t size) {
    if (size == 0) return true;
    if (run_size[first] == 0) run_size[first] = size;
    return run_size[first] == size;
}

/* Tests that the runs of members follow each other without gaps, and that no rank is twice in a
 * run. (This also bounds the work of all later checks by the size of the tables.) */
static status_code check_runs_of_members(const struct program *program, uint32_t *run_size,
                                         uint64_t *seen_in, struct status *status) {
    for (uint32_t i = 0; i < program->communicator_count; i++) {
        const struct program_communicator *c = &program->communicators[i];
        bool self = c->members == PROGRAM_NONE;
        RETURN_ERROR_IF((!self && !record_run(run_size, c->members, c->size)) ||
                            !record_run(run_size, c->remote_members, c->remote_size),
                        status, STATUS_INPUT, "communicator %u: its group overlaps another", i);
    }
    uint64_t start = 0, next = 0;
    for (uint64_t i = 0; i < program->communicator_member_count; i++) {
        RETURN_ERROR_IF((i == next) != (run_size[i] != 0), status, STATUS_INPUT,
                        "communicator member %" PRIu64 ": its group overlaps another, or is none",
                        i);
        if (i == next) start = i, next = i + run_size[i];
        uint32_t rank = program->communicator_members[i];
        RETURN_ERROR_IF(seen_in[rank] == start + 1, status, STATUS_INPUT,
                        "communicator member %" PRIu64 ": rank %u is twice in one group", i, rank);
        seen_in[rank] = start + 1;
    }
    return STATUS_OK;
}

static status_code check_groups(const struct program *program, struct status *status) {
    uint32_t *run_size = memory_new(program->communicator_member_count, sizeof *run_size);
    uint64_t *seen_in = memory_new(program->rank_count, sizeof *seen_in);
    status_code code = run_size != NULL && seen_in != NULL
                           ? check_runs_of_members(program, run_size, seen_in, status)
                           : status_set(status, STATUS_MEMORY, "out of memory for checking");
    free(run_size);
    free(seen_in);
    return code;
}

static status_code check_tables(const struct program *program, struct status *status) {
    RETURN_ERROR_IF(program->rank_count == 0 || program->rank_count == PROGRAM_NONE, status,
                    STATUS_INPUT, "a program of %u ranks", program->rank_count);
    RETURN_ERROR_IF(program->string_bytes == 0 || program->strings[0] != '\0' ||
                        program->strings[program->string_bytes - 1] != '\0',
                    status, STATUS_INPUT, "the texts do not begin and end as they should");
    RETURN_ERROR_IF(program->span_ps < 0, status, STATUS_INPUT, "a trace of %" PRId64 " ps",
                    program->span_ps);
    FORWARD_IF_ERROR(check_text(program, program->source, "source", 0, status));
    FORWARD_IF_ERROR(check_text(program, program->creator, "creator", 0, status));
    FORWARD_IF_ERROR(check_communicators(program, status));
    FORWARD_IF_ERROR(check_groups(program, status));
    FORWARD_IF_ERROR(program_topology_check(program, status));
    for (uint32_t i = 0; i < program->envelope_count; i++)
        RETURN_ERROR_IF(program->envelopes[i].communicator >= program->communicator_count, status,
                        STATUS_INPUT, "envelope %u: there is no communicator %u", i,
                        program->envelopes[i].communicator);
    for (uint32_t i = 0; i < program->region_count; i++) {
        FORWARD_IF_ERROR(check_text(program, program->regions[i].name, "region", i, status));
        RETURN_ERROR_IF(program->regions[i].is_mpi > 1, status, STATUS_INPUT,
                        "region %u: is_mpi is neither 0 nor 1", i);
    }
    for (uint32_t i = 0; i < program->file_count; i++)
        FORWARD_IF_ERROR(check_text(program, program->files[i].name, "file", i, status));
    for (uint32_t i = 0; i < program->note_count; i++) {
        FORWARD_IF_ERROR(check_text(program, program->notes[i].what, "note", i, status));
        FORWARD_IF_ERROR(check_text(program, program->notes[i].why, "note", i, status));
        RETURN_ERROR_IF(program->notes[i].is_assumed > 1, status, STATUS_INPUT,
                        "note %u: is_assumed is neither 0 nor 1", i);
    }
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        const struct program_collective_arguments *arguments = &program->collective_arguments[i];
        RETURN_ERROR_IF(arguments->kind >= PROGRAM_COLLECTIVE_KINDS ||
                            arguments->communicator >= program->communicator_count,
                        status, STATUS_INPUT,
                        "collective arguments %u: kind %u on communicator %u do not exist", i,
                        arguments->kind, arguments->communicator);
        RETURN_ERROR_IF(arguments->send_bytes >= PROGRAM_BYTES_LIMIT ||
                            arguments->receive_bytes >= PROGRAM_BYTES_LIMIT,
                        status, STATUS_INPUT,
                        "collective arguments %u: %s of %" PRIu64 " bytes sent and %" PRIu64
                        " received",
                        i, program_collective_name(arguments->kind), arguments->send_bytes,
                        arguments->receive_bytes);
    }
    return STATUS_OK;
}

/* Tests that the operations and wait slots of the ranks follow each other without gaps. */
static status_code check_runs(const struct program *program, struct status *status) {
    uint64_t operations = 0, wait_slots = 0;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const struct program_rank *rank_entry = &program->ranks[rank];
        RETURN_ERROR_IF(rank_entry->first != operations ||
                            rank_entry->first_wait_slot != wait_slots || rank_entry->count == 0 ||
                            rank_entry->count > program->operation_count - operations ||
                            rank_entry->count >= PROGRAM_NONE ||
                            rank_entry->wait_slot_count > program->wait_slot_count - wait_slots ||
                            rank_entry->slot_count > rank_entry->count,
                        status, STATUS_INPUT, "rank %u: its operations are not in their place",
                        rank);
        operations += rank_entry->count;
        wait_slots += rank_entry->wait_slot_count;
    }
    RETURN_ERROR_IF(operations != program->operation_count ||
                        wait_slots != program->wait_slot_count,
                    status, STATUS_INPUT, "operations that belong to no rank");
    return STATUS_OK;
}

/* This function and the following ones return what is wrong with an operation, or NULL. */
static const char *post_slot(struct check_walk *walk, uint32_t slot,
                             const struct program_operation *operation) {
    if (slot >= walk->rank_entry->slot_count) return "a slot that does not exist";
    uint8_t *posted = &walk->scratch->posted[slot];
    bool is_send = operation->kind == OPERATION_SEND && !program_is_one_sided(operation);
    if (*posted == SLOT_HELD && !is_send) return "the slot of a persistent send";
    if (*posted == SLOT_POSTED || *posted == SLOT_POSTED_PERSISTENT) return "a slot posted twice";
    bool is_persistent = is_send && (operation->flags & OPERATION_FLAG_SEND_PERSISTENT) != 0;
    *posted = is_persistent ? SLOT_POSTED_PERSISTENT : SLOT_POSTED;
    return NULL;
}

static const char *wait_slot(struct check_walk *walk, uint32_t slot, bool is_tested) {
    if (slot >= walk->rank_entry->slot_count) return "a wait for a slot that does not exist";
    uint8_t *posted = &walk->scratch->posted[slot];
    if (*posted == SLOT_FREE || *posted == SLOT_HELD) return "a wait for a slot that is not posted";
    *posted = is_tested && *posted == SLOT_POSTED_PERSISTENT ? SLOT_HELD : SLOT_FREE;
    return NULL;
}

static const char *check_mark(struct check_walk *walk, const struct program_operation *operation) {
    uint32_t region = operation->mark.region;
    if (region >= walk->program->region_count) return "a region that does not exist";
    if (operation->flags != 0) return "flags";
    if (operation->mark.trace_ps > PROGRAM_TIME_LIMIT_PS ||
        operation->mark.trace_ps < -PROGRAM_TIME_LIMIT_PS)
        return "a time of more than 26 days";
    if (walk->marks++ == 0) walk->first_ps = walk->last_ps = operation->mark.trace_ps;
    if (walk->reads_times && operation->mark.trace_ps < walk->last_ps)
        return "a time before that of the mark before it";
    walk->last_ps = operation->mark.trace_ps;
    if (walk->reads_times && walk->last_ps - walk->first_ps > walk->program->span_ps)
        return "a time after the end of the trace";
    if (operation->kind == OPERATION_RETURN) {
        if (walk->call_region != region) return "a return from a call that is not open";
        walk->call_region = PROGRAM_NONE;
        return NULL;
    }
    if (walk->call_region != PROGRAM_NONE) return "a call or region inside a call";
    if (operation->kind == OPERATION_CALL) {
        if (!walk->program->regions[region].is_mpi) return "a call of a user region";
        walk->call_region = region;
        walk->computed_ps = 0;
    } else if (operation->kind == OPERATION_ENTER) {
        if (memory_grow((void **)&walk->scratch->open_regions, &walk->scratch->open_capacity,
                        walk->open_count + 1, sizeof region, NULL) != STATUS_OK)
            return "more nested regions than fit in memory";
        walk->scratch->open_regions[walk->open_count++] = region;
    } else if (walk->open_count == 0 || walk->scratch->open_regions[--walk->open_count] != region) {
        return "the end of a region that is not the open one";
    }
    return NULL;
}

static const char *check_message(struct check_walk *walk,
                                 const struct program_operation *operation) {
    bool send = operation->kind == OPERATION_SEND;
    unsigned allowed = send ? OPERATION_FLAG_SEND_SYNCHRONOUS | OPERATION_FLAG_SEND_READY |
                                  OPERATION_FLAG_SEND_BUFFERED | OPERATION_FLAG_DETACHED |
                                  OPERATION_FLAG_RMA_WRITE | OPERATION_FLAG_RMA_READ |
                                  OPERATION_FLAG_SEND_PERSISTENT
                            : OPERATION_FLAG_DETACHED | OPERATION_FLAG_RECEIVE_INFERRED;
    if ((operation->flags & ~allowed) != 0) return "flags that a message does not have";
    unsigned mode = walk->modes[walk->call_region];
    if (send && mode != ANY_MODE && (operation->flags & SEND_MODES_FLAGS) != mode)
        return "a send in another mode than its call has";
    if ((operation->flags & OPERATION_FLAG_SEND_PERSISTENT) &&
        ((operation->flags & OPERATION_FLAG_DETACHED) ||
         !program_only_gives(walk->program, operation)))
        return "a persistent send that no test can have found complete";
    if (operation->message.peer >= walk->program->rank_count) return "a peer that does not exist";
    if (operation->message.envelope >= walk->program->envelope_count)
        return "an envelope that does not exist";
    int32_t tag = walk->program->envelopes[operation->message.envelope].tag;
    bool one_sided = tag == PROGRAM_TAG_RMA || (tag >= PROGRAM_TAG_LOCK && tag <= PROGRAM_TAG_LAST);
    if (one_sided != program_is_one_sided(operation))
        return "a one-sided operation with the tag of a message, or a message with that of one";
    if (operation->bytes > 0 && !program_is_one_sided(operation) &&
        !program_is_message(walk->program, operation))
        return "bytes in a message of a window's synchronisation";
    if (send)
        walk->sends++;
    else
        walk->receives++;
    if (operation->flags & OPERATION_FLAG_DETACHED)
        return operation->message.slot == PROGRAM_NONE ? NULL
                                                       : "a slot for which no operation may wait";
    return post_slot(walk, operation->message.slot, operation);
}

/* Returns true if the rank is the member that the arguments name. */
static bool is_member(const struct program *program,
                      const struct program_collective_arguments *arguments, uint32_t rank) {
    const struct program_communicator *c = &program->communicators[arguments->communicator];
    if (c->members == PROGRAM_NONE) return arguments->own_member == 0;
    return (arguments->own_member < c->size &&
            program->communicator_members[c->members + arguments->own_member] == rank) ||
           (arguments->own_member < c->remote_size &&
            program->communicator_members[c->remote_members + arguments->own_member] == rank);
}

static const char *check_collective(struct check_walk *walk,
                                    const struct program_operation *operation, uint32_t rank) {
    const struct program *program = walk->program;
    if (operation->collective.arguments >= program->collective_argument_count)
        return "arguments that do not exist";
    const struct program_collective_arguments *arguments =
        &program->collective_arguments[operation->collective.arguments];
    const struct program_communicator *c = &program->communicators[arguments->communicator];
    const unsigned allowed = OPERATION_FLAG_COLLECTIVE_SPLIT | OPERATION_FLAG_COLLECTIVE_BLOCKING |
                             OPERATION_FLAG_COLLECTIVE_IN_PLACE |
                             OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE;
    const unsigned either = OPERATION_FLAG_COLLECTIVE_SPLIT | OPERATION_FLAG_COLLECTIVE_BLOCKING;
    if ((operation->flags & ~allowed) != 0 || (operation->flags & either) == either)
        return "flags that a collective does not have";
    if (operation->value > 0 && !program_is_reduction(arguments->kind) &&
        !program_is_paired(arguments->kind))
        return "a value that its kind does not have";
    bool handle = arguments->kind == PROGRAM_COLLECTIVE_CREATE_HANDLE ||
                  arguments->kind == PROGRAM_COLLECTIVE_DESTROY_HANDLE;
    if (!is_member(program, arguments, rank) && !(handle && arguments->own_member == PROGRAM_NONE))
        return "a collective on a communicator of which the rank is not a member";
    uint32_t root_size = c->remote_size > c->size ? c->remote_size : c->size;
    if (arguments->root != PROGRAM_NONE && arguments->root >= root_size)
        return "a root that does not exist";
    if (operation->flags & OPERATION_FLAG_COLLECTIVE_BLOCKING)
        return operation->collective.slot == PROGRAM_NONE
                   ? NULL
                   : "a slot for which no operation may wait";
    return post_slot(walk, operation->collective.slot, operation);
}

static const char *check_file(struct check_walk *walk, const struct program_operation *operation) {
    const unsigned allowed =
        OPERATION_FLAG_DETACHED | OPERATION_FLAG_FILE_WRITE | OPERATION_FLAG_FILE_COLLECTIVE;
    if ((operation->flags & ~allowed) != 0) return "flags that an access to a file does not have";
    if (operation->file.index >= walk->program->file_count) return "a file that does not exist";
    if (operation->file.offset > PROGRAM_OFFSET_LIMIT - operation->bytes)
        return "an access beyond the largest file";
    if (operation->flags & OPERATION_FLAG_DETACHED)
        return operation->file.slot == PROGRAM_NONE ? NULL
                                                    : "a slot for which no operation may wait";
    return post_slot(walk, operation->file.slot, operation);
}

static const char *check_wait(struct check_walk *walk, const struct program_operation *operation) {
    uint32_t first = operation->wait.first, count = operation->wait.count;
    bool is_tested = (operation->flags & OPERATION_FLAG_WAIT_TESTED) != 0;
    if ((operation->flags & ~OPERATION_FLAG_WAIT_TESTED) != 0)
        return "flags that a wait does not have";
    if (count == 0) return "a wait for nothing";
    if (count == 1) return wait_slot(walk, first, is_tested);
    if ((uint64_t)first + count > walk->rank_entry->wait_slot_count)
        return "a wait outside the wait slots";
    const uint32_t *slots = walk->program->wait_slots + walk->rank_entry->first_wait_slot + first;
    for (uint32_t i = 0; i < count; i++) {
        const char *wrong = wait_slot(walk, slots[i], is_tested);
        if (wrong != NULL) return wrong;
    }
    return NULL;
}

static const char *check_operation(struct check_walk *walk,
                                   const struct program_operation *operation, uint32_t rank,
                                   bool last) {
    bool in_call = walk->call_region != PROGRAM_NONE;
    if ((operation->kind == OPERATION_END) != last) return "an end in the wrong place";
    switch (operation->kind) {
    case OPERATION_COMPUTE:
        if (in_call) return "computation inside an MPI call";
        if (operation->compute.duration_ps <= 0) return "computation that takes no time";
        if (operation->compute.duration_ps > PROGRAM_TIME_LIMIT_PS - walk->computed_ps)
            return "computation of more than 26 days";
        walk->computed_ps += operation->compute.duration_ps;
        return NULL;
    case OPERATION_CALL:
    case OPERATION_RETURN:
    case OPERATION_ENTER:
    case OPERATION_LEAVE:
        return check_mark(walk, operation);
    case OPERATION_SEND:
    case OPERATION_RECEIVE:
        return in_call ? check_message(walk, operation) : "a message outside MPI calls";
    case OPERATION_COLLECTIVE:
        return in_call ? check_collective(walk, operation, rank) : "a collective outside MPI calls";
    case OPERATION_WAIT:
        return in_call ? check_wait(walk, operation) : "a wait outside MPI calls";
    case OPERATION_FILE:
        return in_call ? check_file(walk, operation) : "an access to a file outside MPI calls";
    case OPERATION_END:
        return in_call || walk->open_count > 0 ? "a call or region that is open at the end" : NULL;
    default:
        return "an operation of unknown kind";
    }
}

/* Tests that a rank has as many messages and marks as it says. */
static status_code check_counts(const struct program_rank *rank_entry, uint32_t rank,
                                uint32_t sends, uint32_t receives, uint32_t marks,
                                struct status *status) {
    RETURN_ERROR_IF(sends != rank_entry->send_count || receives != rank_entry->receive_count ||
                        marks != rank_entry->mark_count,
                    status, STATUS_INPUT, "rank %u: its operations are not as many as it says",
                    rank);
    return STATUS_OK;
}

static status_code check_graph(struct checker *checker, uint32_t rank,
                               struct program_posted_rank *lists, struct status *status) {
    const struct program *program = checker->program;
    const struct program_rank *rank_entry = &program->ranks[rank];
    uint64_t place;
    uint32_t sends, receives;
    const char *wrong = program_graph_check(program, rank, &place, &sends, &receives);
    RETURN_ERROR_IF(wrong != NULL, status, STATUS_INPUT, "rank %u, operation %" PRIu64 ": %s", rank,
                    place, wrong);
    for (uint64_t i = 0; i < rank_entry->count; i++)
        FORWARD_IF_ERROR(program_posted_add(
            &checker->posted, program->paging, lists,
            PROGRAM_OPERATION_AT(program, rank, rank_entry->first + i), i, status));
    FORWARD_IF_ERROR(program_posted_keep(&checker->posted, rank, lists, status));
    return check_counts(rank_entry, rank, sends, receives, 0, status);
}

static status_code check_rank(void *context, unsigned worker, uint64_t item,
                              struct status *status) {
    struct checker *checker = context;
    const uint64_t rank = checker->first + item;
    const struct program_rank *rank_entry = &checker->program->ranks[rank];
    struct program_posted_rank *lists = &checker->scratch[worker].lists;
    program_posted_remove_all(lists);
    if (program_rank_is_graph(checker->program, (uint32_t)rank))
        return check_graph(checker, (uint32_t)rank, lists, status);
    struct check_walk walk = {.program = checker->program,
                              .rank_entry = rank_entry,
                              .modes = checker->modes,
                              .scratch = &checker->scratch[worker],
                              .call_region = PROGRAM_NONE,
                              .reads_times = checker->reads_times};
    FORWARD_IF_ERROR(memory_grow((void **)&walk.scratch->posted, &walk.scratch->posted_capacity,
                                 rank_entry->slot_count, 1, status));
    for (uint32_t slot = 0; slot < rank_entry->slot_count; slot++)
        walk.scratch->posted[slot] = SLOT_FREE;
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation =
            PROGRAM_OPERATION_AT(checker->program, (uint32_t)rank, rank_entry->first + i);
        const char *wrong =
            check_operation(&walk, operation, (uint32_t)rank, i == rank_entry->count - 1);
        RETURN_ERROR_IF(wrong != NULL, status, STATUS_INPUT, "rank %u, operation %" PRIu64 ": %s",
                        (uint32_t)rank, i, wrong);
        FORWARD_IF_ERROR(program_posted_add(&checker->posted, checker->program->paging, lists,
                                            operation, i, status));
    }
    FORWARD_IF_ERROR(program_posted_keep(&checker->posted, (uint32_t)rank, lists, status));
    paging_evict(checker->program->paging);
    return check_counts(rank_entry, (uint32_t)rank, walk.sends, walk.receives, walk.marks, status);
}

static status_code check_matches(const struct program *program, const struct program_posted *posted,
                                 unsigned threads, struct status *status) {
    struct program_match_counts counts;
    FORWARD_IF_ERROR(program_match_messages_check(program, posted, threads, &counts, status));
    RETURN_ERROR_IF(counts.unmatched_sends != program->unmatched_sends ||
                        counts.unmatched_receives != program->unmatched_receives,
                    status, STATUS_INPUT,
                    "%" PRIu64 " sends and %" PRIu64 " receives are unmatched, not %" PRIu64
                    " and %" PRIu64,
                    counts.unmatched_sends, counts.unmatched_receives, program->unmatched_sends,
                    program->unmatched_receives);
    uint64_t wrong = counts.truncated_receives + counts.longer_receives;
    RETURN_ERROR_IF(wrong > 0, status, STATUS_INPUT,
                    "%" PRIu64 " receives have other lengths than the messages that they receive",
                    wrong);
    return STATUS_OK;
}

/* Tests the ranks from `first` to before `end`, and lists their messages and collectives. */
static status_code check_ranks(struct checker *checker, uint32_t first, uint32_t end,
                               struct status *status) {
    FORWARD_IF_ERROR(program_posted_new(&checker->posted, checker->program->rank_count, status));
    checker->posted.paging = checker->program->paging;
    checker->first = first;
    return parallel_for(checker->workers, end - first, check_rank, checker, status);
}

static status_code check_operations(struct checker *checker, struct status *status) {
    const struct program *program = checker->program;
    FORWARD_IF_ERROR(check_ranks(checker, 0, program->rank_count, status));
    FORWARD_IF_ERROR(check_matches(program, &checker->posted, checker->workers, status));
    return program_match_collectives_check(program, &checker->posted, checker->workers, status);
}

static status_code add_sums(struct checker *checker, uint32_t first, uint32_t end,
                            struct program_sums *sums, struct status *status) {
    struct program_sums_scratch scratch = {0};
    status_code code = STATUS_OK;
    for (uint32_t rank = first; rank < end && code == STATUS_OK; rank++)
        code = program_sums_add(sums, &scratch, checker->program, rank,
                                &checker->posted.ranks[rank], status);
    program_sums_scratch_free(&scratch);
    return code;
}

/* Records the mode of each region's sends. Names of MPI-4's calls with large counts end with _c. */
static void record_modes(const struct program *program, uint8_t *modes) {
    for (uint32_t i = 0; i < program->region_count; i++) {
        const char *name = program->strings + program->regions[i].name;
        size_t length = strlen(name);
        if (length > 2 && strcmp(name + length - 2, "_c") == 0) length -= 2;
        unsigned mode;
        bool told = program->regions[i].is_mpi && program_send_mode(name, length, &mode);
        modes[i] = told ? (uint8_t)mode : ANY_MODE;
    }
}

static status_code checker_new(struct checker *checker, const struct program *program,
                               unsigned threads, struct status *status) {
    checker->program = program;
    checker->workers = parallel_threads(threads, program->rank_count);
    checker->modes = memory_new(program->region_count + UINT64_C(1), 1);
    checker->scratch = memory_new(checker->workers, sizeof *checker->scratch);
    RETURN_ERROR_IF(checker->modes == NULL || checker->scratch == NULL, status, STATUS_MEMORY,
                    "out of memory for checking");
    record_modes(program, checker->modes);
    return STATUS_OK;
}

static void checker_free(struct checker *checker) {
    const struct program *program = checker->program;
    for (unsigned i = 0; checker->scratch != NULL && i < checker->workers; i++) {
        free(checker->scratch[i].posted);
        program_posted_release(program->paging, &checker->scratch[i].lists);
        free(checker->scratch[i].open_regions);
    }
    free(checker->scratch);
    free(checker->modes);
    program_posted_free(&checker->posted);
}

status_code program_check_tables(const struct program *program, struct status *status) {
    FORWARD_IF_ERROR(check_tables(program, status));
    return check_runs(program, status);
}

static status_code check_program(const struct program *program, bool reads_times, unsigned threads,
                                 struct status *status) {
    FORWARD_IF_ERROR(program_check_tables(program, status));
    struct checker checker = {.reads_times = reads_times};
    status_code code = checker_new(&checker, program, threads, status);
    if (code == STATUS_OK) code = check_operations(&checker, status);
    checker_free(&checker);
    return code;
}

status_code program_check_ranks(const struct program *program, uint32_t first, uint32_t end,
                                unsigned threads, struct program_sums *sums,
                                struct status *status) {
    struct checker checker = {.reads_times = true};
    status_code code = checker_new(&checker, program, threads, status);
    if (code == STATUS_OK) code = check_ranks(&checker, first, end, status);
    if (code == STATUS_OK) code = add_sums(&checker, first, end, sums, status);
    checker_free(&checker);
    return code;
}

status_code program_check(const struct program *program, struct status *status) {
    return check_program(program, false, 0, status);
}

status_code program_check_file(const struct program *program, struct status *status) {
    return check_program(program, true, 0, status);
}

status_code program_check_loaded(const struct program *program, unsigned threads,
                                 struct status *status) {
    return check_program(program, true, threads, status);
}
