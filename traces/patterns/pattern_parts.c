/*
 * Appends the MPI calls of one rank and the frame around all patterns. Must not know any pattern.
 *
 * Invariants: the operations of a rank depend only on the configuration and on the rank's number,
 * so several threads build ranks at the same time. Event numbers and times are those of the OTF2
 * archive that traces_write_otf2 writes with the times of traces_compute_nominal_times.
 */
#include "traces/patterns/pattern_parts.h"
#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "core/processes/parallel.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define SECOND_PS INT64_C(1000000000000)

static const char *const call_names[PATTERN_CALLS] = {
    [PATTERN_INIT] = "MPI_Init",
    [PATTERN_FINALIZE] = "MPI_Finalize",
    [PATTERN_COMM_SPLIT] = "MPI_Comm_split",
    [PATTERN_COMM_FREE] = "MPI_Comm_free",
    [PATTERN_IRECV] = "MPI_Irecv",
    [PATTERN_ISEND] = "MPI_Isend",
    [PATTERN_WAITALL] = "MPI_Waitall",
    [PATTERN_SEND] = "MPI_Send",
    [PATTERN_RECV] = "MPI_Recv",
    [PATTERN_SENDRECV] = "MPI_Sendrecv",
    [PATTERN_ALLTOALL] = "MPI_Alltoall",
    [PATTERN_ALLREDUCE] = "MPI_Allreduce",
    [PATTERN_BCAST] = "MPI_Bcast",
    [PATTERN_BARRIER] = "MPI_Barrier",
    [PATTERN_WAIT] = "MPI_Wait",
    [PATTERN_ALLGATHER] = "MPI_Allgather",
    [PATTERN_REDUCE_SCATTER_BLOCK] = "MPI_Reduce_scatter_block",
    [PATTERN_IALLREDUCE] = "MPI_Iallreduce",
    [PATTERN_IALLGATHER] = "MPI_Iallgather",
    [PATTERN_IREDUCE_SCATTER_BLOCK] = "MPI_Ireduce_scatter_block"};

/* The program of a pattern while its ranks are appended. */
struct pattern_job {
    const struct traces_pattern_config *config;
    struct program_builder *builder;
    const struct pattern_plan *plan;
    uint32_t regions[PATTERN_CALLS];  /* of each call in the program */
    uint32_t iteration_region;        /* which each iteration is in */
    struct pattern_rank *workers;     /* the rank on which each thread works */
    atomic_uint_fast64_t event_count; /* events of the ranks that are done */
    atomic_int_fast64_t span_ps;      /* nominal time of the longest of these ranks */
};

/* Evaluates a call of the builder unless an earlier call has failed, and keeps the result. */
#define TRY(rank, expression)                                                                      \
    do {                                                                                           \
        if ((rank)->code == STATUS_OK) (rank)->code = (expression);                                \
    } while (0)

static void begin_call(struct pattern_rank *rank, pattern_call call) {
    TRY(rank, builder_call(rank->builder, rank->rank, rank->job->regions[call], rank->event_number,
                           rank->now_ps, rank->status));
    rank->event_number++;
}

static void end_call(struct pattern_rank *rank) {
    rank->now_ps += TRACES_NOMINAL_CALL_PS;
    rank->event_number++;
    TRY(rank, builder_wait_call(rank->builder, rank->rank, rank->status));
    TRY(rank, builder_return(rank->builder, rank->rank, rank->now_ps, false, rank->status));
}

void pattern_compute(struct pattern_rank *rank, int64_t duration_ps) {
    TRY(rank, builder_compute(rank->builder, rank->rank, duration_ps, rank->status));
    rank->now_ps += duration_ps;
}

void pattern_compute_part(struct pattern_rank *rank, unsigned index, unsigned parts) {
    const int64_t compute_ps = rank->config->compute_ps;
    pattern_compute(rank, compute_ps / parts + (index < compute_ps % parts ? 1 : 0));
}

/* Returns a new request of the rank. Ids count up from 1, like those of Score-P. */
static uint64_t new_request(struct pattern_rank *rank) {
    TRY(rank, memory_grow((void **)&rank->requests, &rank->request_capacity,
                          rank->request_count + 1, sizeof *rank->requests, rank->status));
    rank->request_total++;
    if (rank->code == STATUS_OK) rank->requests[rank->request_count++] = rank->request_total;
    return rank->request_total;
}

static void append_send(struct pattern_rank *rank, uint32_t destination, int32_t tag,
                        uint64_t bytes, uint64_t request) {
    TRY(rank, builder_send(rank->builder, rank->rank, rank->world, destination, tag, bytes, 0,
                           request, rank->status));
    rank->event_number++;
}

static void append_receive(struct pattern_rank *rank, uint32_t source, int32_t tag, uint64_t bytes,
                           uint64_t request) {
    TRY(rank, builder_receive(rank->builder, rank->rank, rank->world, source, tag, bytes, 0,
                              request, rank->status));
    rank->event_number++;
}

uint64_t pattern_irecv(struct pattern_rank *rank, uint32_t source, int32_t tag, uint64_t bytes) {
    begin_call(rank, PATTERN_IRECV);
    uint64_t request = new_request(rank);
    append_receive(rank, source, tag, bytes, request);
    end_call(rank);
    return request;
}

uint64_t pattern_isend(struct pattern_rank *rank, uint32_t destination, int32_t tag,
                       uint64_t bytes) {
    begin_call(rank, PATTERN_ISEND);
    uint64_t request = new_request(rank);
    append_send(rank, destination, tag, bytes, request);
    end_call(rank);
    return request;
}

void pattern_wait(struct pattern_rank *rank, uint64_t request) {
    begin_call(rank, PATTERN_WAIT);
    TRY(rank, builder_wait(rank->builder, rank->rank, &request, 1, rank->status));
    rank->event_number++;
    size_t kept = 0;
    for (size_t i = 0; i < rank->request_count; i++)
        if (rank->requests[i] != request) rank->requests[kept++] = rank->requests[i];
    rank->request_count = kept;
    end_call(rank);
}

void pattern_waitall(struct pattern_rank *rank) {
    if (rank->request_count == 0) return;
    begin_call(rank, PATTERN_WAITALL);
    TRY(rank, builder_wait(rank->builder, rank->rank, rank->requests, (uint32_t)rank->request_count,
                           rank->status));
    rank->event_number += rank->request_count;
    rank->request_count = 0;
    end_call(rank);
}

void pattern_send(struct pattern_rank *rank, uint32_t destination, int32_t tag, uint64_t bytes) {
    begin_call(rank, PATTERN_SEND);
    append_send(rank, destination, tag, bytes, BUILDER_NO_REQUEST);
    end_call(rank);
}

void pattern_recv(struct pattern_rank *rank, uint32_t source, int32_t tag, uint64_t bytes) {
    begin_call(rank, PATTERN_RECV);
    append_receive(rank, source, tag, bytes, BUILDER_NO_REQUEST);
    end_call(rank);
}

void pattern_sendrecv(struct pattern_rank *rank, uint32_t destination, uint64_t send_bytes,
                      uint32_t source, uint64_t receive_bytes, int32_t tag) {
    begin_call(rank, PATTERN_SENDRECV);
    append_send(rank, destination, tag, send_bytes, BUILDER_NO_REQUEST);
    append_receive(rank, source, tag, receive_bytes, BUILDER_NO_REQUEST);
    end_call(rank);
}

static void append_collective(struct pattern_rank *rank, pattern_call call,
                              program_collective_kind kind, uint32_t communicator, uint32_t root,
                              uint64_t bytes, uint64_t request) {
    struct program_collective_arguments arguments = {.kind = kind,
                                                     .communicator = communicator,
                                                     .root = root,
                                                     .send_bytes = bytes,
                                                     .receive_bytes = bytes};
    begin_call(rank, call);
    TRY(rank, builder_collective(rank->builder, rank->rank, &arguments, 0, request, rank->status));
    rank->event_number += request == BUILDER_NO_REQUEST ? 2 : 1;
    end_call(rank);
}

void pattern_collective(struct pattern_rank *rank, pattern_call call, program_collective_kind kind,
                        uint32_t communicator, uint32_t root, uint64_t bytes) {
    append_collective(rank, call, kind, communicator, root, bytes, BUILDER_NO_REQUEST);
}

uint64_t pattern_start(struct pattern_rank *rank, pattern_call call, program_collective_kind kind,
                       uint32_t communicator, uint64_t bytes) {
    uint64_t request = new_request(rank);
    append_collective(rank, call, kind, communicator, PROGRAM_NONE, bytes, request);
    return request;
}

void pattern_mark(struct pattern_rank *rank, uint32_t region, bool begins) {
    if (begins)
        TRY(rank, builder_enter(rank->builder, rank->rank, region, rank->now_ps, rank->status));
    else
        TRY(rank, builder_leave(rank->builder, rank->rank, rank->now_ps, rank->status));
    rank->event_number++;
}

/* Appends all operations of a rank but its end. */
static void frame(struct pattern_rank *rank) {
    const struct pattern_job *job = rank->job;
    const struct pattern_plan *plan = job->plan;
    pattern_collective(rank, PATTERN_INIT, PROGRAM_COLLECTIVE_CREATE_HANDLE, rank->world,
                       PROGRAM_NONE, 0);
    for (uint32_t i = 0; i < plan->split_count; i++)
        pattern_collective(rank, PATTERN_COMM_SPLIT, PROGRAM_COLLECTIVE_CREATE_HANDLE, rank->world,
                           PROGRAM_NONE, 0);
    for (uint32_t i = 0; i < job->config->iterations && rank->code == STATUS_OK; i++) {
        if (job->config->has_barrier)
            pattern_collective(rank, PATTERN_BARRIER, PROGRAM_COLLECTIVE_BARRIER, rank->world,
                               PROGRAM_NONE, 0);
        pattern_mark(rank, job->iteration_region, true);
        if (!plan->own_compute) pattern_compute(rank, job->config->compute_ps);
        plan->body(rank, i, plan->context);
        pattern_mark(rank, job->iteration_region, false);
    }
    for (uint32_t i = 0; i < plan->split_count; i++)
        pattern_collective(rank, PATTERN_COMM_FREE, PROGRAM_COLLECTIVE_DESTROY_HANDLE,
                           plan->split(plan->context, rank->rank, i), PROGRAM_NONE, 0);
    pattern_collective(rank, PATTERN_FINALIZE, PROGRAM_COLLECTIVE_DESTROY_HANDLE, rank->world,
                       PROGRAM_NONE, 0);
}

/* Appends one rank; a parallel_function. */
static status_code run_rank(void *context, unsigned worker, uint64_t rank, struct status *status) {
    struct pattern_job *job = context;
    struct pattern_rank *self = &job->workers[worker];
    *self = (struct pattern_rank){.job = job,
                                  .config = job->config,
                                  .builder = job->builder,
                                  .world = 0,
                                  .rank = (uint32_t)rank,
                                  .size = job->config->rank_count,
                                  .event_number = 1, /* after ProgramBegin */
                                  .requests = self->requests,
                                  .request_capacity = self->request_capacity,
                                  .status = status};
    frame(self);
    if (self->code == STATUS_OK)
        self->code = builder_end_rank(job->builder, (uint32_t)rank, status);
    atomic_fetch_add(&job->event_count, self->event_number + 1); /* plus 1 for OPERATION_END */
    int64_t span = atomic_load(&job->span_ps);
    while (self->now_ps > span &&
           !atomic_compare_exchange_weak(&job->span_ps, &span, self->now_ps)) {
    }
    return self->code;
}

status_code pattern_check_size(const struct traces_pattern_config *config,
                               const struct pattern_plan *plan, struct status *status) {
    RETURN_ERROR_IF(config->iterations == 0, status, STATUS_USAGE,
                    "a pattern needs at least one iteration");
    RETURN_ERROR_IF(
        config->compute_ps < 0 || config->compute_ps > INT64_MAX / 4 ||
            config->compute_ps > INT64_MAX / 4 / config->iterations,
        status, STATUS_USAGE,
        "a compute time of %" PRId64 " s in %u iterations is out of range: together it is at most "
        "%" PRId64 " days",
        config->compute_ps / SECOND_PS, config->iterations, INT64_MAX / 4 / SECOND_PS / 86400);
    RETURN_ERROR_IF(config->size_bytes >> 48 != 0, status, STATUS_USAGE,
                    "a message of %" PRIu64 " bytes is too large (at most 2^48 - 1)",
                    config->size_bytes);
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_bytes <= 0) return STATUS_OK;
    /* also the marks of the iteration, and its computation */
    uint64_t operations = plan->operations_per_iteration + 3 +
                          (config->has_barrier ? PATTERN_COLLECTIVE_OPERATIONS : 0);
    uint64_t memory_bytes = (uint64_t)pages * (uint64_t)page_bytes;
    uint64_t per_rank = config->iterations * operations;
    uint64_t limit = memory_bytes / sizeof(struct program_operation) / config->rank_count;
    bool too_many = __builtin_mul_overflow((uint64_t)config->iterations, operations, &per_rank);
    RETURN_ERROR_IF(too_many || per_rank > limit, status, STATUS_USAGE,
                    "%u iteration%s of %" PRIu64 " operations on %u rank%s do not fit into this "
                    "computer\'s %" PRIu64 " MiB; take fewer ranks or iterations",
                    config->iterations, plural(config->iterations), operations, config->rank_count,
                    plural(config->rank_count), memory_bytes >> 20);
    return STATUS_OK;
}

status_code pattern_run(const struct traces_pattern_config *config, struct program_builder *builder,
                        const struct pattern_plan *plan, struct status *status) {
    struct pattern_job job = {.config = config, .builder = builder, .plan = plan};
    FORWARD_IF_ERROR(pattern_check_size(config, plan, status));
    for (unsigned i = 0; i < PATTERN_CALLS; i++)
        job.regions[i] = builder_define_region(builder, call_names[i], true);
    job.iteration_region = builder_define_region(builder, "iteration", false);
    unsigned workers = parallel_threads(0, config->rank_count);
    job.workers = memory_new(workers, sizeof *job.workers);
    RETURN_ERROR_IF(job.workers == NULL, status, STATUS_MEMORY, "out of memory for %u threads",
                    workers);
    status_code code = parallel_for(0, config->rank_count, run_rank, &job, status);
    for (unsigned i = 0; i < workers; i++)
        free(job.workers[i].requests);
    free(job.workers);
    if (code == STATUS_OK)
        builder_set_source(builder, "", "anax", atomic_load(&job.event_count), config->rank_count,
                           atomic_load(&job.span_ps));
    return code;
}

status_code pattern_define_world(struct program_builder *builder, uint32_t rank_count,
                                 struct status *status) {
    uint32_t *members = memory_new(rank_count, sizeof *members), world;
    RETURN_ERROR_IF(members == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    rank_count);
    for (uint32_t i = 0; i < rank_count; i++)
        members[i] = i;
    status_code code =
        builder_define_communicator(builder, "MPI_COMM_WORLD", members, rank_count, &world, status);
    free(members);
    return code;
}

void pattern_grid(uint32_t count, unsigned dimensions, uint32_t *extents) {
    /* In each step the largest factor up to the root leaves the most even factors for the rest. */
    for (unsigned left = dimensions; left > 1; left--) {
        uint32_t root = 1;
        for (uint32_t next = 2;; next++) {
            uint64_t power = 1;
            for (unsigned i = 0; i < left; i++)
                power *= next;
            if (power > count) break;
            root = next;
        }
        while (count % root != 0)
            root--;
        extents[left - 1] = root;
        count /= root;
    }
    extents[0] = count;
}

uint64_t pattern_square_root(uint64_t square) {
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= square) root |= bit;
    return root;
}

status_code pattern_check_root(const struct traces_pattern_config *config, struct status *status) {
    RETURN_ERROR_IF(config->root >= config->rank_count, status, STATUS_USAGE,
                    "generate.root is %u, but there %s only %u rank%s; ranks count from 0",
                    config->root, config->rank_count == 1 ? "is" : "are", config->rank_count,
                    plural(config->rank_count));
    return STATUS_OK;
}
