/*
 * Steps of distributed training of a transformer: layers shared by tensor-, context- and
 * expert-parallel ranks, pipeline stages, gradients summed over data-parallel ranks. Must not know
 * where sizes and times come from (training_shape.h). docs/training.md describes the steps.
 *
 * Invariant: each stage carries out all units of its schedule in every step; sends are waited for
 * at the end of the step alone, so stages cannot wait for each other in a circle.
 */
#include "core/memory/memory.h"
#include "traces/patterns/pattern_parts.h"
#include "traces/patterns/training_schedule.h"
#include "traces/patterns/training_shape.h"

#include <stdlib.h>

/* Groups of ranks that call collectives together. */
typedef enum training_group {
    TRAINING_TENSOR,
    TRAINING_CONTEXT,
    TRAINING_EXPERT,
    TRAINING_GRADIENT,        /* ranks with the same dense parameters */
    TRAINING_EXPERT_GRADIENT, /* ranks with the same experts */
    TRAINING_GROUPS
} training_group;

static const char *const group_names[TRAINING_GROUPS] = {"tensor parallel", "context parallel",
                                                         "expert parallel", "data parallel",
                                                         "data parallel (experts)"};

struct training_job {
    struct training_shape shape;
    uint32_t *schedule;                       /* see training_schedule */
    uint32_t group_size[TRAINING_GROUPS];     /* ranks */
    uint32_t *communicators[TRAINING_GROUPS]; /* [rank]; NULL: the group is one rank */
    training_group splits[TRAINING_GROUPS];   /* the groups that have communicators */
    uint32_t split_count;
};

/* A rank during a step. */
struct training_rank {
    struct pattern_rank *rank;
    const struct training_job *job;
    const struct training_shape *shape;
    uint32_t stage;
    uint64_t parameters; /* request of the gather of the next layer's parameters; 0: none */
};

/* Appends a computation of so many floating-point operations. */
static void append_compute(const struct training_rank *self, wide operations) {
    pattern_compute(self->rank, training_time_ps(self->shape, operations));
}

/* Appends a collective of the rank's group of a kind. A group of one rank has none. */
static void append_group_collective(const struct training_rank *self, training_group group,
                                    pattern_call call, program_collective_kind kind,
                                    uint64_t bytes) {
    if (self->job->group_size[group] == 1) return;
    uint32_t communicator = self->job->communicators[group][self->rank->rank];
    pattern_collective(self->rank, call, kind, communicator, PROGRAM_NONE, bytes);
}

/* With sequence parallelism, tensor-parallel ranks gather the tokens of a layer's part before it.
 * copies: of each token. */
static void gather_tokens(const struct training_rank *self, int64_t copies) {
    if (self->shape->sequence_parallel)
        append_group_collective(self, TRAINING_TENSOR, PATTERN_ALLGATHER,
                                PROGRAM_COLLECTIVE_ALLGATHER,
                                training_stage_bytes(self->shape) * (uint64_t)copies);
}

/* The backward pass of the matrices that take a part's input: gradients of the input, then those of
 * the matrices, with as many operations each. With sequence parallelism, a rank has kept its share
 * of the input alone, and gathers the rest again while it computes the gradients of the input. */
static void compute_input_gradients(const struct training_rank *self, wide operations) {
    const struct training_shape *shape = self->shape;
    uint64_t gathered = 0;
    if (shape->sequence_parallel && shape->overlap && self->job->group_size[TRAINING_TENSOR] > 1)
        gathered = pattern_start(self->rank, PATTERN_IALLGATHER, PROGRAM_COLLECTIVE_ALLGATHER,
                                 self->job->communicators[TRAINING_TENSOR][self->rank->rank],
                                 training_stage_bytes(shape));
    else
        gather_tokens(self, 1);
    append_compute(self, operations);
    if (gathered != 0) pattern_wait(self->rank, gathered);
    append_compute(self, operations);
}

/* Tensor-parallel ranks sum the outputs of a layer's part after it. With sequence parallelism each
 * of them gets its tokens alone, in so many copies. */
static void sum_tokens(const struct training_rank *self, int64_t copies) {
    if (self->shape->sequence_parallel)
        append_group_collective(self, TRAINING_TENSOR, PATTERN_REDUCE_SCATTER_BLOCK,
                                PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK,
                                training_stage_bytes(self->shape) * (uint64_t)copies);
    else
        append_group_collective(self, TRAINING_TENSOR, PATTERN_ALLREDUCE,
                                PROGRAM_COLLECTIVE_ALLREDUCE,
                                training_activation_bytes(self->shape));
}

/* Attention over the whole sequence: keys and values go round the ring of the context-parallel
 * ranks, while each computes with those that it has. passes: 1 forward; 2 backward, where their
 * gradients go along. */
static void attend(const struct training_rank *self, uint32_t passes) {
    const struct training_shape *shape = self->shape;
    wide operations = training_attention_operations(shape) * passes / (uint64_t)shape->context;
    uint32_t context = (uint32_t)shape->context, stride = (uint32_t)shape->tensor;
    uint32_t me = self->rank->rank / stride % context, base = self->rank->rank - me * stride;
    uint32_t next = base + (me + 1) % context * stride;
    uint32_t previous = base + (me + context - 1) % context * stride;
    uint64_t bytes = training_key_value_bytes(shape) * passes;
    for (uint32_t i = 0; i < context; i++) {
        uint64_t received = 0, sent = 0;
        if (i + 1 < context) {
            received = pattern_irecv(self->rank, previous, TRAINING_RING_TAG, bytes);
            sent = pattern_isend(self->rank, next, TRAINING_RING_TAG, bytes);
        }
        if (received != 0 && !shape->overlap) pattern_wait(self->rank, received);
        append_compute(self, operations);
        if (received != 0 && shape->overlap) pattern_wait(self->rank, received);
        if (sent != 0) pattern_wait(self->rank, sent);
    }
}

/* The feed-forward part. Tokens go to the ranks of their experts, and come back. */
static void feed_forward(const struct training_rank *self, bool is_forward) {
    const struct training_shape *shape = self->shape;
    wide operations = training_feed_forward_operations(shape);
    bool has_experts = shape->experts > 1;
    int64_t copies = has_experts ? shape->experts_per_token : 1;
    uint64_t block = training_expert_block_bytes(shape);
    if (has_experts)
        append_group_collective(self, TRAINING_EXPERT, PATTERN_ALLTOALL,
                                PROGRAM_COLLECTIVE_ALLTOALL, block);
    gather_tokens(self, copies);
    if (is_forward) {
        append_compute(self, operations);
    } else if (has_experts) {
        append_compute(self, 2u * operations); /* gathered tokens are kept for it */
    } else {
        wide first = operations * ((uint64_t)shape->matrices - 1) / (uint64_t)shape->matrices;
        append_compute(self, 2u * (operations - first));
        compute_input_gradients(self, first);
    }
    sum_tokens(self, copies);
    if (has_experts)
        append_group_collective(self, TRAINING_EXPERT, PATTERN_ALLTOALL,
                                PROGRAM_COLLECTIVE_ALLTOALL, block);
}

static void forward_layer(const struct training_rank *self) {
    gather_tokens(self, 1);
    append_compute(self, training_projection_operations(self->shape));
    attend(self, 1);
    sum_tokens(self, 1);
    feed_forward(self, true);
}

static void backward_layer(const struct training_rank *self) {
    wide output = training_attention_output_operations(self->shape);
    if (self->shape->recompute) forward_layer(self);
    feed_forward(self, false);
    gather_tokens(self, 1);
    append_compute(self, 2u * output);
    attend(self, 2);
    compute_input_gradients(self, training_projection_operations(self->shape) - output);
    sum_tokens(self, 1);
}

/* Returns the bytes of one rank's share of parameters that the ranks of a group divide. bytes: of
 * one parameter. */
static uint64_t share_bytes(const struct training_rank *self, training_group group,
                            uint64_t parameters, int64_t bytes) {
    return training_share(parameters, self->job->group_size[group]) * (uint64_t)bytes;
}

/* Starts (with overlap) or carries out the sum of the gradients of so many parameters over a group.
 * With sharding each rank gets its share of the sum alone. */
static void sum_gradients_of(const struct training_rank *self, training_group group,
                             uint64_t parameters) {
    const struct training_shape *shape = self->shape;
    if (self->job->group_size[group] == 1 || parameters == 0) return;
    bool scatters = shape->sharding != TRAINING_UNSHARDED;
    uint64_t bytes = scatters ? share_bytes(self, group, parameters, shape->gradient_bytes)
                              : parameters * (uint64_t)shape->gradient_bytes;
    uint32_t communicator = self->job->communicators[group][self->rank->rank];
    program_collective_kind kind =
        scatters ? PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK : PROGRAM_COLLECTIVE_ALLREDUCE;
    if (shape->overlap)
        pattern_start(self->rank, scatters ? PATTERN_IREDUCE_SCATTER_BLOCK : PATTERN_IALLREDUCE,
                      kind, communicator, bytes);
    else
        pattern_collective(self->rank, scatters ? PATTERN_REDUCE_SCATTER_BLOCK : PATTERN_ALLREDUCE,
                           kind, communicator, PROGRAM_NONE, bytes);
}

static void sum_gradients(const struct training_rank *self, uint64_t dense, uint64_t expert) {
    sum_gradients_of(self, TRAINING_GRADIENT, dense);
    sum_gradients_of(self, TRAINING_EXPERT_GRADIENT, expert);
}

/* Gathers parameters from the ranks that divide them. */
static void gather_parameters(const struct training_rank *self, uint64_t dense, uint64_t expert) {
    int64_t bytes = self->shape->data_bytes;
    append_group_collective(self, TRAINING_GRADIENT, PATTERN_ALLGATHER,
                            PROGRAM_COLLECTIVE_ALLGATHER,
                            share_bytes(self, TRAINING_GRADIENT, dense, bytes));
    if (expert > 0)
        append_group_collective(self, TRAINING_EXPERT_GRADIENT, PATTERN_ALLGATHER,
                                PROGRAM_COLLECTIVE_ALLGATHER,
                                share_bytes(self, TRAINING_EXPERT_GRADIENT, expert, bytes));
}

/* Starts to gather dense parameters; returns the request. */
static uint64_t start_gather(const struct training_rank *self, uint64_t dense) {
    return pattern_start(self->rank, PATTERN_IALLGATHER, PROGRAM_COLLECTIVE_ALLGATHER,
                         self->job->communicators[TRAINING_GRADIENT][self->rank->rank],
                         share_bytes(self, TRAINING_GRADIENT, dense, self->shape->data_bytes));
}

/* With full sharding: makes the parameters of a layer or of an end of the model present. next:
 * dense parameters that the unit needs after them (0: none), which are under way while the rank
 * computes with these. Experts' parameters are not gathered ahead. */
static void need_parameters(struct training_rank *self, uint64_t dense, uint64_t expert,
                            uint64_t next) {
    const struct training_shape *shape = self->shape;
    if (shape->sharding != TRAINING_SHARDED_FULLY) return;
    if (self->job->group_size[TRAINING_GRADIENT] == 1 || !shape->overlap) {
        gather_parameters(self, dense, expert);
        return;
    }
    if (self->parameters == 0) self->parameters = start_gather(self, dense);
    pattern_wait(self->rank, self->parameters);
    self->parameters = next > 0 ? start_gather(self, next) : 0;
    if (expert > 0)
        append_group_collective(
            self, TRAINING_EXPERT_GRADIENT, PATTERN_ALLGATHER, PROGRAM_COLLECTIVE_ALLGATHER,
            share_bytes(self, TRAINING_EXPERT_GRADIENT, expert, shape->data_bytes));
}

/* Parts of the model are numbered along a sequence's way: part = chunk * stages + stage. */
static int64_t part_of(const struct training_rank *self, struct training_unit unit) {
    return (int64_t)unit.chunk * self->shape->pipeline + self->stage;
}

static bool is_last_part(const struct training_rank *self, int64_t part) {
    return part + 1 == self->shape->pipeline * self->shape->chunks;
}

/* Returns whether the embedding and the output of the model are one matrix of this rank. */
static bool shares_ends(const struct training_shape *shape) {
    return shape->tied && shape->pipeline == 1;
}

/* Parameters that a unit needs after those of a layer: another layer's, or at an end of the model
 * those of this end. */
static uint64_t parameters_after(const struct training_rank *self, bool is_last_layer, bool ends) {
    if (!is_last_layer) return training_dense_parameters(self->shape);
    return ends && !shares_ends(self->shape) ? training_embedding_parameters(self->shape) : 0;
}

static void forward(struct training_rank *self, struct training_unit unit) {
    const struct training_shape *shape = self->shape;
    int64_t part = part_of(self, unit);
    int64_t layers = training_layers_of_part(shape, part);
    uint64_t dense = training_dense_parameters(shape), expert = training_expert_parameters(shape);
    uint64_t embedding = training_embedding_parameters(shape);
    bool ends = is_last_part(self, part);
    if (part == 0) {
        need_parameters(self, embedding, 0, dense);
        sum_tokens(self, 1); /* the embedding's rows are divided */
    }
    for (int64_t i = 0; i < layers; i++) {
        need_parameters(self, dense, expert, parameters_after(self, i + 1 == layers, ends));
        forward_layer(self);
    }
    if (!ends) return;
    if (!shares_ends(shape)) need_parameters(self, embedding, 0, 0);
    gather_tokens(self, 1);
    append_compute(self, training_output_operations(shape));
}

static void backward(struct training_rank *self, struct training_unit unit) {
    const struct training_shape *shape = self->shape;
    int64_t part = part_of(self, unit);
    int64_t layers = training_layers_of_part(shape, part);
    bool sums = unit.is_last || shape->sharding == TRAINING_SHARDED_FULLY;
    uint64_t dense = training_dense_parameters(shape), expert = training_expert_parameters(shape);
    uint64_t embedding = training_embedding_parameters(shape);
    if (is_last_part(self, part)) {
        need_parameters(self, embedding, 0, dense);
        compute_input_gradients(self, training_output_operations(shape));
        sum_tokens(self, 1);
        if (sums && !shares_ends(shape)) sum_gradients(self, embedding, 0);
    }
    for (int64_t i = 0; i < layers; i++) {
        need_parameters(self, dense, expert, parameters_after(self, i + 1 == layers, part == 0));
        backward_layer(self);
        if (sums) sum_gradients(self, dense, expert);
    }
    if (part != 0) return;
    if (!shares_ends(shape)) need_parameters(self, embedding, 0, 0);
    gather_tokens(self, 1); /* the gradients of the embedding's output */
    if (sums) sum_gradients(self, embedding, 0);
}

/* Returns the rank with the same numbers in the stage after this one, or before it. The last stage
 * is before the first. */
static uint32_t stage_neighbour(const struct training_rank *self, bool after) {
    uint32_t stages = (uint32_t)self->shape->pipeline, stride = self->rank->size / stages;
    uint32_t stage = (self->stage + (after ? 1 : stages - 1)) % stages;
    return self->rank->rank - self->stage * stride + stage * stride;
}

/* Posts the receive of what a unit starts from. Returns 0 if that is on this rank. */
static uint64_t receive_input(const struct training_rank *self, struct training_unit unit) {
    int64_t part = part_of(self, unit);
    if (unit.is_forward ? part == 0 : is_last_part(self, part)) return 0;
    if (self->shape->pipeline == 1) return 0;
    return pattern_irecv(self->rank, stage_neighbour(self, !unit.is_forward),
                         training_stage_tag(unit.is_forward, (uint32_t)part),
                         training_stage_bytes(self->shape));
}

/* Sends what a unit ends with to the stage that continues, if that is another one. */
static void send_output(const struct training_rank *self, struct training_unit unit) {
    int64_t part = part_of(self, unit);
    if (unit.is_forward ? is_last_part(self, part) : part == 0) return;
    if (self->shape->pipeline == 1) return;
    int64_t to = unit.is_forward ? part + 1 : part - 1;
    pattern_isend(self->rank, stage_neighbour(self, unit.is_forward),
                  training_stage_tag(unit.is_forward, (uint32_t)to),
                  training_stage_bytes(self->shape));
}

/* Tied embeddings on two stages: both have the sum of their own gradients, and send it to each
 * other. */
static void exchange_tied_gradients(const struct training_rank *self) {
    const struct training_shape *shape = self->shape;
    uint32_t stages = (uint32_t)shape->pipeline, stride = self->rank->size / stages;
    if (!shape->tied || stages == 1 || (self->stage != 0 && self->stage + 1 != stages)) return;
    uint64_t parameters = training_embedding_parameters(shape);
    if (shape->sharding != TRAINING_UNSHARDED)
        parameters = training_share(parameters, self->job->group_size[TRAINING_GRADIENT]);
    uint64_t bytes = parameters * (uint64_t)shape->gradient_bytes;
    uint32_t peer = self->rank->rank % stride + (self->stage == 0 ? stages - 1 : 0) * stride;
    int32_t tag = training_stage_tag(true, (uint32_t)(shape->pipeline * shape->chunks));
    pattern_sendrecv(self->rank, peer, bytes, peer, bytes, tag);
}

/* Waits for all gradients, and with a sharded optimiser gathers the updated parameters. */
static void update(const struct training_rank *self) {
    const struct training_shape *shape = self->shape;
    pattern_waitall(self->rank);
    exchange_tied_gradients(self);
    /* the norm of all gradients, one number */
    pattern_collective(self->rank, PATTERN_ALLREDUCE, PROGRAM_COLLECTIVE_ALLREDUCE,
                       self->rank->world, PROGRAM_NONE, 4);
    if (shape->sharding != TRAINING_SHARDED_OPTIMISER) return;
    uint64_t dense = 0, expert = 0;
    for (int64_t chunk = 0; chunk < shape->chunks; chunk++) {
        int64_t part = chunk * shape->pipeline + self->stage;
        uint64_t layers = (uint64_t)training_layers_of_part(shape, part);
        dense += layers * training_dense_parameters(shape);
        expert += layers * training_expert_parameters(shape);
        if (part == 0) dense += training_embedding_parameters(shape);
        if (is_last_part(self, part) && !shares_ends(shape))
            dense += training_embedding_parameters(shape);
    }
    gather_parameters(self, dense, expert);
}

/* Appends one step of a rank; a pattern_body. */
static void training_step(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    const struct training_job *job = context;
    struct training_rank self = {.rank = rank, .job = job, .shape = &job->shape};
    self.stage = (uint32_t)(rank->rank / (rank->size / job->shape.pipeline));
    uint32_t units = training_units(&job->shape);
    const uint32_t *schedule = job->schedule + (size_t)self.stage * units;
    uint64_t input = receive_input(&self, training_unit_of(&job->shape, schedule[0]));
    for (uint32_t i = 0; i < units; i++) {
        struct training_unit unit = training_unit_of(&job->shape, schedule[i]);
        uint64_t next = 0;
        bool ahead = job->shape.overlap && i + 1 < units;
        if (ahead) next = receive_input(&self, training_unit_of(&job->shape, schedule[i + 1]));
        if (input != 0) pattern_wait(rank, input);
        if (unit.is_forward)
            forward(&self, unit);
        else
            backward(&self, unit);
        send_output(&self, unit);
        if (!ahead && i + 1 < units)
            next = receive_input(&self, training_unit_of(&job->shape, schedule[i + 1]));
        input = next;
    }
    update(&self);
}

/* Where the ranks of a group are: rank = first + i * stride[0] + j * stride[1], with i and j below
 * the extents. */
struct group_dimensions {
    uint32_t extent[2], stride[2];
};

static struct group_dimensions dimensions_of(const struct training_shape *shape,
                                             training_group group) {
    uint32_t tensor = (uint32_t)shape->tensor, context = (uint32_t)shape->context;
    uint32_t data = (uint32_t)shape->data, expert = (uint32_t)shape->expert;
    uint32_t replica = tensor * context; /* stride of the data-parallel dimension */
    switch (group) {
    case TRAINING_TENSOR:
        return (struct group_dimensions){{tensor, 1}, {1, 1}};
    case TRAINING_CONTEXT:
        return (struct group_dimensions){{context, 1}, {tensor, 1}};
    case TRAINING_EXPERT:
        return (struct group_dimensions){{expert, 1}, {replica, 1}};
    case TRAINING_GRADIENT:
        return (struct group_dimensions){{context, data}, {tensor, replica}};
    default:
        return (struct group_dimensions){{context, data / expert}, {tensor, replica * expert}};
    }
}

/* Makes the communicators of all groups of a kind. members: room for all ranks. */
static status_code define_group(struct training_job *job, training_group group, uint32_t ranks,
                                struct program_builder *builder, uint32_t *members,
                                struct status *status) {
    struct group_dimensions d = dimensions_of(&job->shape, group);
    uint32_t size = d.extent[0] * d.extent[1];
    job->group_size[group] = size;
    if (size == 1) return STATUS_OK;
    job->communicators[group] = memory_new(ranks, sizeof *job->communicators[group]);
    RETURN_ERROR_IF(job->communicators[group] == NULL, status, STATUS_MEMORY,
                    "out of memory for the groups of %u ranks", ranks);
    job->splits[job->split_count++] = group;
    for (uint32_t first = 0; first < ranks; first++) {
        if (first / d.stride[0] % d.extent[0] != 0 || first / d.stride[1] % d.extent[1] != 0)
            continue;
        for (uint32_t i = 0; i < size; i++)
            members[i] = first + i % d.extent[0] * d.stride[0] + i / d.extent[0] * d.stride[1];
        uint32_t communicator;
        FORWARD_IF_ERROR(builder_define_communicator(builder, group_names[group], members, size,
                                                     &communicator, status));
        for (uint32_t i = 0; i < size; i++)
            job->communicators[group][members[i]] = communicator;
    }
    return STATUS_OK;
}

static uint32_t split_of_rank(const void *context, uint32_t rank, uint32_t dimension) {
    const struct training_job *job = context;
    return job->communicators[job->splits[dimension]][rank];
}

/* Returns a bound on the operations of a step. */
static uint64_t operations_of(const struct training_shape *shape) {
    /* of a layer: at most 17 calls forward and again backward, of at most 4 operations, and
     * 4 calls and a computation for each turn of the ring */
    uint64_t layer = 2u * (68u + 17u * (uint64_t)shape->context);
    uint64_t part = (uint64_t)training_layers_of_part(shape, 0) * layer + 64;
    return training_units(shape) * part + 64;
}

status_code pattern_build_training(const struct traces_pattern_config *config,
                                   struct program_builder *builder, struct status *status) {
    struct training_job job = {.schedule = NULL};
    FORWARD_IF_ERROR(training_shape_of(config->training, config->rank_count, &job.shape, status));
    struct pattern_plan plan = {.body = training_step,
                                .context = &job,
                                .split = split_of_rank,
                                .operations_per_iteration = operations_of(&job.shape),
                                .own_compute = true};
    FORWARD_IF_ERROR(pattern_check_size(config, &plan, status));
    uint32_t *members = memory_new(config->rank_count, sizeof *members);
    job.schedule = training_schedule(&job.shape);
    status_code code = members != NULL && job.schedule != NULL
                           ? STATUS_OK
                           : status_set(status, STATUS_MEMORY, "out of memory for a schedule");
    for (training_group g = 0; g < TRAINING_GROUPS && code == STATUS_OK; g++)
        code = define_group(&job, g, config->rank_count, builder, members, status);
    plan.split_count = job.split_count;
    if (code == STATUS_OK) code = pattern_run(config, builder, &plan, status);
    for (training_group g = 0; g < TRAINING_GROUPS; g++)
        free(job.communicators[g]);
    free(job.schedule);
    free(members);
    return code;
}
