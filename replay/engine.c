/*
 * The replay's state: built from a program and a placement, checked, freed.
 */
#include "replay/engine.h"
#include "replay/protocol.h"

#include "core/memory.h"
#include "core/plural.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

engine_domain *engine_domain_of_rank(engine *engine, uint32_t rank) {
    return &engine->domains[engine->ranks[rank].domain];
}

void engine_fail(engine_domain *domain, status_code code, const char *format, ...) {
    if (domain->failure.code != STATUS_OK) return;
    va_list arguments;
    va_start(arguments, format);
    status_set_v(&domain->failure, code, format, arguments);
    va_end(arguments);
}

void engine_pass_limit(engine_domain *domain, uint32_t rank, int64_t *clock_ps) {
    engine_fail(domain, STATUS_RUN,
                "replay: rank %u: its clock passes %" PRId64
                " s (26 days); scale its computation down (replay.compute_scale), or lower what "
                "messages cost (mpi.send_overhead and its like)",
                rank, HOST_TIME_LIMIT_PS / INT64_C(1000000000000));
    *clock_ps = HOST_TIME_LIMIT_PS;
}

void engine_send_message(engine_domain *domain, int64_t ready_ps, const network_message *message) {
    over_expect(domain->engine);
    if (message->notify_sent) over_expect(domain->engine);
    transport_send(domain->engine->transport, domain->index, ready_ps, message);
}

void engine_timer(engine_domain *domain, int64_t at_ps, uint32_t rank) {
    over_expect(domain->engine);
    transport_timer(domain->engine->transport, domain->index, at_ps, rank);
}

/* ---------------------------------------------------------------- what the transport reports */

static void on_delivered(void *context, uint32_t index, int64_t now_ps,
                         const network_delivery *delivery) {
    engine_domain *domain = &((engine *)context)->domains[index];
    transfer_delivered(domain, now_ps, delivery);
    over_done(domain, now_ps);
}

static void on_sent(void *context, uint32_t index, int64_t now_ps, const network_cookie *cookie) {
    engine_domain *domain = &((engine *)context)->domains[index];
    transfer_sent(domain, now_ps, cookie);
    over_done(domain, now_ps);
}

static void on_timer(void *context, uint32_t index, int64_t now_ps, uint32_t rank) {
    engine_domain *domain = &((engine *)context)->domains[index];
    rank_timer(domain, rank, now_ps);
    over_done(domain, now_ps);
}

static bool is_over(void *context, int64_t now_ps) {
    return over_is(context, now_ps);
}

void engine_attach(engine *engine, transport *transport) {
    engine->transport = transport;
    transport->sink = (transport_sink){.context = engine,
                                       .delivered = on_delivered,
                                       .sent = on_sent,
                                       .timer = on_timer,
                                       .over = is_over};
}

/* ---------------------------------------------------------------- the state */

static int compare_pairs(const void *left, const void *right) {
    const engine_pairs *a = left, *b = right;
    if (a->sizes != b->sizes) return a->sizes < b->sizes ? -1 : 1;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    return (a->remote_size > b->remote_size) - (a->remote_size < b->remote_size);
}

const collective_pairs *engine_find_pairs(const engine *engine, uint32_t sizes, uint32_t size,
                                          uint32_t remote_size) {
    engine_pairs key = {.sizes = sizes, .size = size, .remote_size = remote_size};
    if (engine->pairs_count == 0) return NULL;
    const engine_pairs *found =
        bsearch(&key, engine->pairs, engine->pairs_count, sizeof *engine->pairs, compare_pairs);
    return found == NULL ? NULL : found->pairs;
}

static bool is_rooted(uint32_t kind) {
    switch (kind) {
    case PROGRAM_BCAST:
    case PROGRAM_GATHER:
    case PROGRAM_GATHERV:
    case PROGRAM_SCATTER:
    case PROGRAM_SCATTERV:
    case PROGRAM_REDUCE:
        return true;
    default:
        return false;
    }
}

/* What one member's call adds to the data of all: messages hold at most all of it. 0: all members'
 * data are one vector. */
static uint64_t block_bytes(const program_collective_arguments *arguments) {
    switch ((program_collective_kind)arguments->kind) {
    case PROGRAM_BCAST:
    case PROGRAM_REDUCE:
    case PROGRAM_ALLREDUCE:
    case PROGRAM_SCAN:
    case PROGRAM_EXSCAN:
        return 0;
    case PROGRAM_GATHERV:
    case PROGRAM_ALLGATHERV:
        return arguments->send_bytes;
    case PROGRAM_SCATTERV:
    case PROGRAM_REDUCE_SCATTER:
        return arguments->receive_bytes;
    default:
        return arguments->send_bytes > arguments->receive_bytes ? arguments->send_bytes
                                                                : arguments->receive_bytes;
    }
}

/* What program_check does not promise but the algorithms need. */
static status_code check_arguments(const program *program, status *status) {
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        const program_collective_arguments *arguments = &program->collective_arguments[i];
        const program_communicator *communicator = &program->communicators[arguments->communicator];
        const char *name = program_collective_name((program_collective_kind)arguments->kind);
        bool inter = communicator->remote_size > 0;
        uint32_t larger = communicator->size > communicator->remote_size
                              ? communicator->size
                              : communicator->remote_size;
        bool handle =
            arguments->kind == PROGRAM_CREATE_HANDLE || arguments->kind == PROGRAM_DESTROY_HANDLE;
        if (handle && arguments->me == PROGRAM_NONE) continue; /* of a non-member: local */
        RETURN_ERROR_IF(arguments->me >= larger, status, STATUS_INPUT,
                        "replay: %s by member %u of a communicator of %u", name, arguments->me,
                        larger);
        RETURN_ERROR_IF(inter && collective_intercommunicator_algorithm(arguments->kind) == NULL,
                        status, STATUS_INPUT, "replay: MPI has no %s on intercommunicators (%s)",
                        name, program_text(program, communicator->name));
        uint32_t members = communicator->size + communicator->remote_size;
        uint64_t bytes = block_bytes(arguments);
        RETURN_ERROR_IF((wide)members * bytes >= COLLECTIVE_BYTES_LIMIT, status, STATUS_INPUT,
                        "replay: %s of %u members with %" PRIu64
                        " bytes each: more than 1 EiB in all (damaged trace?)",
                        name, members, bytes);
        bool unknown_root = arguments->root == PROGRAM_NONE && inter;
        RETURN_ERROR_IF(
            is_rooted(arguments->kind) && !unknown_root && arguments->root >= larger, status,
            STATUS_INPUT, "replay: %s with root %u on a communicator of %u member%s (%s)", name,
            arguments->root, larger, plural(larger), program_text(program, communicator->name));
    }
    return STATUS_OK;
}

static status_code check_limits(const program *program, const placement *placement,
                                status *status) {
    RETURN_ERROR_IF(placement->rank_count != program->rank_count, status, STATUS_USAGE,
                    "replay: a placement of %u ranks for a program of %u", placement->rank_count,
                    program->rank_count);
    RETURN_ERROR_IF(program->rank_count >= ENGINE_RANK_LIMIT, status, STATUS_INPUT,
                    "replay: %u ranks; at most %u can be replayed", program->rank_count,
                    ENGINE_RANK_LIMIT - 1);
    RETURN_ERROR_IF(program->communicator_count >= ENGINE_COMMUNICATOR_LIMIT - 1, status,
                    STATUS_INPUT, "replay: %u communicators are too many",
                    program->communicator_count);
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        RETURN_ERROR_IF(program->ranks[rank].slot_count >= ENGINE_SLOT_LIMIT, status, STATUS_INPUT,
                        "replay: rank %u has %u requests in flight at once, which is too many",
                        rank, program->ranks[rank].slot_count);
        RETURN_ERROR_IF(program->ranks[rank].count >= ENGINE_OPERATION_LIMIT, status, STATUS_INPUT,
                        "replay: rank %u has too many operations", rank);
    }
    return check_arguments(program, status);
}

static status_code new_ranks(engine *engine, status *status) {
    const program *program = engine->program;
    uint64_t slots = 0, marks = 0;
    engine->ranks = memory_new_aligned(program->rank_count, sizeof *engine->ranks);
    RETURN_ERROR_IF(engine->ranks == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    program->rank_count);
    for (uint32_t i = 0; i < program->rank_count; i++) {
        engine_rank *rank = &engine->ranks[i];
        uint32_t node = engine->placement->node_of_rank[i];
        rank->first = rank->next = program->ranks[i].first;
        rank->first_slot = slots;
        rank->domain = network_config_domain_of_node(engine->machine, node);
        rank->outside = true;
        rank->tasks = PROGRAM_NONE;
        rank->result.rank = i;
        rank->result.node = node;
        if (engine->timeline != NULL) engine->timeline->first[i] = marks;
        slots += program->ranks[i].slot_count;
        marks += program->ranks[i].mark_count;
    }
    engine->slots = memory_new(slots, sizeof *engine->slots);
    engine->tested_until_ps = memory_new(program->rank_count, sizeof *engine->tested_until_ps);
    RETURN_ERROR_IF(engine->slots == NULL || engine->tested_until_ps == NULL, status, STATUS_MEMORY,
                    "out of memory for requests");
    if (engine->timeline == NULL) return STATUS_OK;
    engine->timeline->first[program->rank_count] = marks;
    engine->timeline->times_ps = memory_new(marks, sizeof(int64_t));
    RETURN_ERROR_IF(engine->timeline->times_ps == NULL, status, STATUS_MEMORY,
                    "out of memory for the timeline");
    return STATUS_OK;
}

static status_code new_timeline(engine *engine, status *status) {
    uint32_t rank_count = engine->program->rank_count;
    engine->timeline = memory_new(1, sizeof *engine->timeline);
    if (engine->timeline != NULL) {
        engine->timeline->rank_count = rank_count;
        engine->timeline->first = memory_new((size_t)rank_count + 1, sizeof(uint64_t));
    }
    RETURN_ERROR_IF(engine->timeline == NULL || engine->timeline->first == NULL, status,
                    STATUS_MEMORY, "out of memory for the timeline");
    return STATUS_OK;
}

/* The number of a called region; the next one if it has none. */
static void number_call(engine *engine, uint32_t region) {
    const program *program = engine->program;
    uint32_t *call = &engine->call_of_region[region];
    if (*call != PROGRAM_NONE) return;
    *call = engine->call_count++;
    engine->call_names[*call] = program_text(program, program->regions[region].name);
}

/* One pass over a rank's operations, for what has to be known before it begins. */
static status_code survey_rank(engine *engine, uint32_t rank, status *status) {
    const program_rank *part = &engine->program->ranks[rank];
    const program_operation *operations = engine->program->operations + part->first;
    wide sent_bytes = 0; /* of so many one cannot say afterwards that they did not wrap */
    for (uint64_t i = 0; i < part->count; i++) {
        if (operations[i].kind == PROGRAM_CALL) number_call(engine, operations[i].mark.region);
        if (operations[i].kind == PROGRAM_SEND) sent_bytes += operations[i].value;
    }
    RETURN_ERROR_IF(sent_bytes > INT64_MAX, status, STATUS_INPUT,
                    "replay: rank %u sends more than 8 EiB in all (damaged trace?)", rank);
    return STATUS_OK;
}

/* MPI_Finalize, under which ranks wait at their end: after all others where no rank calls it. */
static void number_end_call(engine *engine) {
    static const char name[] = "MPI_Finalize";
    engine->end_call = 0;
    while (engine->end_call < engine->call_count &&
           strcmp(engine->call_names[engine->end_call], name) != 0)
        engine->end_call++;
    if (engine->end_call == engine->call_count) engine->call_names[engine->call_count++] = name;
}

/* Gives the regions that are called dense numbers. */
static status_code survey(engine *engine, status *status) {
    const program *program = engine->program;
    engine->call_of_region = memory_new(program->region_count, sizeof(uint32_t));
    engine->call_names = memory_new((size_t)program->region_count + 1, sizeof(char *));
    RETURN_ERROR_IF(engine->call_of_region == NULL || engine->call_names == NULL, status,
                    STATUS_MEMORY, "out of memory for %u regions", program->region_count);
    for (uint32_t i = 0; i < program->region_count; i++)
        engine->call_of_region[i] = PROGRAM_NONE;
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        FORWARD_IF_ERROR(survey_rank(engine, rank, status));
    number_end_call(engine);
    return STATUS_OK;
}

/* Sorts what was collected and drops repetitions. */
static void sort_pairs(engine *engine) {
    uint32_t kept = 0;
    if (engine->pairs_count == 0) return;
    qsort(engine->pairs, engine->pairs_count, sizeof *engine->pairs, compare_pairs);
    for (uint32_t i = 1; i < engine->pairs_count; i++) {
        if (compare_pairs(&engine->pairs[kept], &engine->pairs[i]) != 0)
            engine->pairs[++kept] = engine->pairs[i];
    }
    engine->pairs_count = kept + 1;
}

static bool gives_sums(const program_collective_arguments *arguments) {
    return arguments->kind == PROGRAM_ALLTOALLV || arguments->kind == PROGRAM_ALLTOALLW;
}

/* Most programs have none, and need not be gone through. */
static bool has_pairs(const program *program) {
    for (uint32_t i = 0; i < program->collective_argument_count; i++)
        if (gives_sums(&program->collective_arguments[i])) return true;
    return false;
}

/* The distinct sets of sums of ALLTOALLVs; repetitions are dropped whenever room runs out, so
 * memory follows the distinct ones. */
static status_code collect_pairs(engine *engine, status *status) {
    const program *program = engine->program;
    size_t capacity = 0;
    if (!has_pairs(program)) return STATUS_OK;
    for (uint64_t i = 0; i < program->operation_count; i++) {
        const program_operation *operation = &program->operations[i];
        if (operation->kind != PROGRAM_COLLECTIVE) continue;
        const program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        if (!gives_sums(arguments)) continue;
        const program_communicator *communicator = &program->communicators[arguments->communicator];
        if (engine->pairs_count == capacity) {
            sort_pairs(engine);
            if (2 * (size_t)engine->pairs_count >= capacity)
                FORWARD_IF_ERROR(memory_grow((void **)&engine->pairs, &capacity,
                                             2 * (size_t)engine->pairs_count + 64,
                                             sizeof *engine->pairs, status));
        }
        engine->pairs[engine->pairs_count++] =
            (engine_pairs){.sizes = operation->collective.sizes,
                           .size = communicator->size,
                           .remote_size = communicator->remote_size};
    }
    sort_pairs(engine);
    return STATUS_OK;
}

static status_code size_pairs(engine *engine, status *status) {
    for (uint32_t i = 0; i < engine->pairs_count; i++) {
        engine_pairs *entry = &engine->pairs[i];
        uint32_t size = entry->size, remote = entry->remote_size, members = size + remote;
        const uint64_t *rows = engine->program->sizes + entry->sizes, *columns = rows + members;
        if (remote == 0) {
            FORWARD_IF_ERROR(
                collective_pairs_init(&entry->pairs[0], rows, size, columns, size, status));
            continue;
        }
        FORWARD_IF_ERROR(
            collective_pairs_init(&entry->pairs[0], rows, size, columns + size, remote, status));
        FORWARD_IF_ERROR(
            collective_pairs_init(&entry->pairs[1], rows + size, remote, columns, size, status));
    }
    return STATUS_OK;
}

static status_code sum_sizes(engine *engine, status *status) {
    const program *program = engine->program;
    engine->size_sums = memory_new(program->size_count + 1, sizeof *engine->size_sums);
    RETURN_ERROR_IF(engine->size_sums == NULL, status, STATUS_MEMORY,
                    "out of memory for %" PRIu64 " sizes of collectives", program->size_count);
    for (uint64_t i = 0; i < program->size_count; i++)
        engine->size_sums[i + 1] = engine->size_sums[i] + program->sizes[i];
    return STATUS_OK;
}

static status_code new_domains(engine *engine, status *status) {
    engine->domain_count = network_config_domains(engine->machine);
    engine->domains = memory_new(engine->domain_count, sizeof *engine->domains);
    RETURN_ERROR_IF(engine->domains == NULL, status, STATUS_MEMORY, "out of memory for %u domains",
                    engine->domain_count);
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        engine_domain *domain = &engine->domains[i];
        domain->engine = engine;
        domain->index = i;
        domain->free_send = domain->free_activation = PROGRAM_NONE;
        domain->free_task = domain->free_lock_request = PROGRAM_NONE;
        domain->calls = memory_new(engine->call_count, sizeof *domain->calls);
        RETURN_ERROR_IF(domain->calls == NULL, status, STATUS_MEMORY, "out of memory for %u calls",
                        engine->call_count);
    }
    return STATUS_OK;
}

static status_code build(engine *engine, bool timeline, status *status) {
    if (timeline) FORWARD_IF_ERROR(new_timeline(engine, status));
    FORWARD_IF_ERROR(new_ranks(engine, status));
    FORWARD_IF_ERROR(survey(engine, status));
    FORWARD_IF_ERROR(new_domains(engine, status));
    FORWARD_IF_ERROR(sum_sizes(engine, status));
    FORWARD_IF_ERROR(collect_pairs(engine, status));
    return size_pairs(engine, status);
}

status_code engine_new(engine **made, const program *program, const placement *placement,
                       const replay_config *config, const network_config *machine,
                       transport *transport, bool timeline, status *status) {
    FORWARD_IF_ERROR(check_limits(program, placement, status));
    engine *engine = memory_new(1, sizeof *engine);
    RETURN_ERROR_IF(engine == NULL, status, STATUS_MEMORY, "out of memory for a replay");
    engine->program = program;
    engine->placement = placement;
    engine->config = *config;
    protocol_resolve(&engine->config);
    engine->machine = machine;
    engine_attach(engine, transport);
    status_code code = build(engine, timeline, status);
    if (code != STATUS_OK) {
        engine_free(engine);
        return code;
    }
    *made = engine;
    return STATUS_OK;
}

void replay_timeline_free(replay_timeline *timeline) {
    if (timeline == NULL) return;
    free(timeline->first);
    free(timeline->times_ps);
    free(timeline);
}

void engine_free(engine *engine) {
    if (engine == NULL) return;
    for (uint32_t i = 0; engine->domains != NULL && i < engine->domain_count; i++) {
        engine_domain *domain = &engine->domains[i];
        inflight_clear(&domain->inflight);
        free(domain->sends);
        free(domain->activations);
        free(domain->tasks);
        free(domain->locks);
        free(domain->lock_requests);
        free(domain->calls);
        status_clear(&domain->failure);
    }
    for (uint32_t i = 0; i < engine->pairs_count; i++) {
        collective_pairs_clear(&engine->pairs[i].pairs[0]);
        collective_pairs_clear(&engine->pairs[i].pairs[1]);
    }
    free(engine->domains);
    free(engine->ranks);
    free(engine->slots);
    free(engine->tested_until_ps);
    free(engine->call_of_region);
    free(engine->call_names);
    free(engine->pairs);
    free(engine->size_sums);
    replay_timeline_free(engine->timeline);
    free(engine);
}

void engine_start(engine *engine) {
    for (uint32_t rank = 0; rank < engine->program->rank_count; rank++) {
        int64_t start_ps = engine->start_ps != NULL ? engine->start_ps[rank] : 0;
        engine->ranks[rank].clock_ps = start_ps;
        engine_timer(engine_domain_of_rank(engine, rank), start_ps, rank);
    }
}

status_code engine_check_end(engine *engine, status *status) {
    uint64_t sent = 0, received = 0;
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        const engine_domain *domain = &engine->domains[i];
        if (domain->failure.code != STATUS_OK)
            return status_set(status, domain->failure.code, "%s", domain->failure.text);
        sent += domain->sent;
        received += domain->received;
    }
    for (uint32_t rank = 0; rank < engine->program->rank_count; rank++) {
        if (engine->ranks[rank].phase != RANK_FINISHED) return stall_report(engine, status);
    }
    RETURN_ERROR_IF(sent != received, status, STATUS_RUN,
                    "replay: %" PRIu64 " messages were sent but %" PRIu64
                    " received; this is a fault of the simulator, please report it",
                    sent, received);
    return STATUS_OK;
}
