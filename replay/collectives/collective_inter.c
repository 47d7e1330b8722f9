/*
 * Collectives on intercommunicators, as in MPICH 4 (src/mpi/coll/<operation>/ *_inter_*.c): a
 * sequence of parts. A part is a collective within the member's own group, rooted at the group's
 * first member (leader) and by the library's choice of algorithm, or messages between the groups.
 *
 * Invariants: in a rooted collective, the members of the root's own group other than the root take
 * part in nothing. If both groups send to each other one after the other, the first group sends
 * first.
 */
#include "replay/collectives/collective_families.h"

/* Gathers and scatters of fewer bytes than SHORT_BELOW go through the leader
 * (MPIR_CVAR_GATHER_INTER_SHORT_MSG_SIZE, MPIR_CVAR_SCATTER_INTER_SHORT_MSG_SIZE). */
#define SHORT_BELOW 2048
#define PARTS_MAX   4

struct inter_group {
    uint32_t first; /* its leader, as numbered in collective_call */
    uint32_t size;
};

/* The two highest bits of tags: messages between the groups; collectives within a group that lead
 * to the leader, or from it. */
enum { ACROSS, UP, DOWN };

/* A vector: its bytes, and the byte at which it begins in the data of the whole collective. */
struct inter_vector {
    uint64_t start;
    uint64_t bytes;
};

typedef enum part_form {
    LOCAL,        /* a collective of the own group */
    MESSAGE,      /* at most one message sent and at most one received */
    RECEIVE_EACH, /* receives the block of each member of the other group, all at once */
    RECEIVE_NEXT, /* receives these blocks one after another */
    SEND_EACH,
    SEND_NEXT,
    EXCHANGE_EACH /* exchanges blocks with one member of the other group after another */
} part_form;

struct inter_part {
    part_form form;
    collective_layout layout; /* of all forms but LOCAL */
    struct inter_vector vector;
    /* LOCAL */
    const struct collective_algorithm *algorithm;
    struct collective_call call;
    uint32_t direction;
    /* MESSAGE */
    uint32_t to, from;
    struct collective_blocks blocks; /* the blocks sent or received */
};

/* The parts of a collective that one member takes part in. */
struct inter_plan {
    const struct collective_call *call;
    struct inter_group own, other;
    bool is_leader;
    bool is_first; /* whether the member is in the first group */
    struct inter_part parts[PARTS_MAX];
    uint32_t count;
};

static struct inter_group group_of(const struct collective_call *call, bool first) {
    return first ? (struct inter_group){0, call->size}
                 : (struct inter_group){call->size, call->remote_size};
}

static struct collective_blocks blocks_of(struct inter_group group) {
    return (struct collective_blocks){group.first, group.size};
}

static const struct collective_blocks whole = {0, 1};

/* ---- parts ---- */

/* Adds a collective within the member's own group. vector.bytes: bytes of the vector, or of one
 * block. */
static void local(struct inter_plan *plan, uint32_t kind, uint32_t direction,
                  struct inter_vector vector) {
    struct inter_part *part = &plan->parts[plan->count++];
    *part = (struct inter_part){
        .form = LOCAL, .call = *plan->call, .direction = direction, .vector = vector};
    part->call.kind = kind;
    part->call.size = plan->own.size;
    part->call.remote_size = 0;
    part->call.own_member = plan->call->own_member - plan->own.first;
    part->call.root = 0;
    part->call.send_bytes = part->call.receive_bytes = vector.bytes;
    part->algorithm = collective_chosen(&part->call);
}

static void message(struct inter_plan *plan, uint32_t to, uint32_t from, collective_layout layout,
                    struct collective_blocks blocks, struct inter_vector vector) {
    plan->parts[plan->count++] = (struct inter_part){.form = MESSAGE,
                                                     .layout = layout,
                                                     .vector = vector,
                                                     .to = to,
                                                     .from = from,
                                                     .blocks = blocks};
}

static void add_send(struct inter_plan *plan, uint32_t to, collective_layout layout,
                     struct collective_blocks blocks, struct inter_vector vector) {
    message(plan, to, COLLECTIVE_NOBODY, layout, blocks, vector);
}

static void add_receive(struct inter_plan *plan, uint32_t from, collective_layout layout,
                        struct collective_blocks blocks, struct inter_vector vector) {
    message(plan, COLLECTIVE_NOBODY, from, layout, blocks, vector);
}

static void with_each(struct inter_plan *plan, part_form form, collective_layout layout) {
    plan->parts[plan->count++] = (struct inter_part){.form = form, .layout = layout};
}

/* ---- rooted collectives ---- */

/* Returns whether the root is in the other group, so that the member's own group takes part. */
static bool root_is_remote(const struct inter_plan *plan) {
    uint32_t root = plan->call->root;
    return root != COLLECTIVE_NOBODY && (root < plan->call->size) != plan->is_first;
}

static void plan_bcast(struct inter_plan *plan, struct inter_vector vector) {
    if (!root_is_remote(plan)) {
        add_send(plan, plan->other.first, COLLECTIVE_VECTOR, whole, vector);
        return;
    }
    if (plan->is_leader) add_receive(plan, plan->call->root, COLLECTIVE_VECTOR, whole, vector);
    local(plan, PROGRAM_COLLECTIVE_BCAST, DOWN, vector);
}

static void plan_reduce(struct inter_plan *plan, struct inter_vector vector) {
    if (!root_is_remote(plan)) {
        add_receive(plan, plan->other.first, COLLECTIVE_VECTOR, whole, vector);
        return;
    }
    local(plan, PROGRAM_COLLECTIVE_REDUCE, UP, vector);
    if (plan->is_leader) add_send(plan, plan->call->root, COLLECTIVE_VECTOR, whole, vector);
}

static const struct inter_vector none = {0, 0};

/* Plans a gather of blocks of one size, which go through the leader if they have few bytes. */
static void plan_gather(struct inter_plan *plan) {
    uint64_t bytes = collective_vector_bytes(plan->call);
    bool remote = root_is_remote(plan);
    struct collective_blocks blocks = blocks_of(remote ? plan->own : plan->other);
    bool is_short = blocks.count * bytes < SHORT_BELOW;
    if (!remote && is_short) {
        add_receive(plan, plan->other.first, COLLECTIVE_BLOCKS, blocks, none);
    } else if (!remote) {
        with_each(plan, RECEIVE_NEXT, COLLECTIVE_BLOCKS);
    } else if (is_short) {
        local(plan, PROGRAM_COLLECTIVE_GATHER, UP, (struct inter_vector){0, bytes});
        if (plan->is_leader) add_send(plan, plan->call->root, COLLECTIVE_BLOCKS, blocks, none);
    } else {
        add_send(plan, plan->call->root, COLLECTIVE_BLOCKS,
                 (struct collective_blocks){plan->call->own_member, 1}, none);
    }
}

static void plan_scatter(struct inter_plan *plan) {
    uint64_t bytes = collective_vector_bytes(plan->call);
    bool remote = root_is_remote(plan);
    struct collective_blocks blocks = blocks_of(remote ? plan->own : plan->other);
    bool is_short = blocks.count * bytes < SHORT_BELOW;
    if (!remote && is_short) {
        add_send(plan, plan->other.first, COLLECTIVE_BLOCKS, blocks, none);
    } else if (!remote) {
        with_each(plan, SEND_NEXT, COLLECTIVE_BLOCKS);
    } else if (is_short) {
        if (plan->is_leader) add_receive(plan, plan->call->root, COLLECTIVE_BLOCKS, blocks, none);
        local(plan, PROGRAM_COLLECTIVE_SCATTER, DOWN, (struct inter_vector){0, bytes});
    } else {
        add_receive(plan, plan->call->root, COLLECTIVE_BLOCKS,
                    (struct collective_blocks){plan->call->own_member, 1}, none);
    }
}

static void plan_gatherv(struct inter_plan *plan) {
    struct collective_blocks own = {plan->call->own_member, 1};
    if (root_is_remote(plan))
        add_send(plan, plan->call->root, COLLECTIVE_SIZED, own, none);
    else
        with_each(plan, RECEIVE_EACH, COLLECTIVE_SIZED);
}

static void plan_scatterv(struct inter_plan *plan) {
    struct collective_blocks own = {plan->call->own_member, 1};
    if (root_is_remote(plan))
        add_receive(plan, plan->call->root, COLLECTIVE_SIZED, own, none);
    else
        with_each(plan, SEND_EACH, COLLECTIVE_SIZED);
}

/* ---- the others ---- */

/* The leaders send to each other, the first group's leader first. Each group broadcasts what its
 * leader receives; the second group does this before its leader sends. */
static void exchange_and_bcast(struct inter_plan *plan, collective_layout layout,
                               struct inter_vector incoming) {
    uint32_t peer = plan->other.first;
    struct collective_blocks out = layout == COLLECTIVE_EMPTY ? whole : blocks_of(plan->own);
    struct collective_blocks in = layout == COLLECTIVE_EMPTY ? whole : blocks_of(plan->other);
    if (plan->is_leader && plan->is_first) add_send(plan, peer, layout, out, none);
    if (plan->is_leader) add_receive(plan, peer, layout, in, none);
    local(plan, PROGRAM_COLLECTIVE_BCAST, DOWN, incoming);
    if (plan->is_leader && !plan->is_first) add_send(plan, peer, layout, out, none);
}

static void plan_barrier(struct inter_plan *plan) {
    local(plan, PROGRAM_COLLECTIVE_BARRIER, UP, none);
    exchange_and_bcast(plan, COLLECTIVE_EMPTY, none);
}

static void plan_allreduce(struct inter_plan *plan, struct inter_vector vector) {
    uint32_t peer = plan->other.first;
    local(plan, PROGRAM_COLLECTIVE_REDUCE, UP, vector);
    if (plan->is_leader) message(plan, peer, peer, COLLECTIVE_VECTOR, whole, vector);
    local(plan, PROGRAM_COLLECTIVE_BCAST, DOWN, vector);
}

/* Returns all blocks of a group as one vector. */
static struct inter_vector vector_of(const struct inter_plan *plan, struct inter_group group,
                                     collective_layout layout) {
    struct collective_step step = {.layout = layout};
    struct collective_blocks blocks = blocks_of(group);
    return (struct inter_vector){collective_offset(plan->call, &step, blocks),
                                 collective_bytes(plan->call, &step, blocks, 0, 0)};
}

static void plan_allgather(struct inter_plan *plan) {
    local(plan, PROGRAM_COLLECTIVE_GATHER, UP, (struct inter_vector){0, plan->call->send_bytes});
    exchange_and_bcast(plan, COLLECTIVE_BLOCKS, vector_of(plan, plan->other, COLLECTIVE_BLOCKS));
}

/* Each leader receives the blocks of the other group, first the leader of the first group; a bcast
 * within the group follows. */
static void plan_allgatherv(struct inter_plan *plan) {
    struct collective_blocks own = {plan->call->own_member, 1};
    if (plan->is_leader && plan->is_first) with_each(plan, RECEIVE_EACH, COLLECTIVE_SIZED);
    add_send(plan, plan->other.first, COLLECTIVE_SIZED, own, none);
    if (plan->is_leader && !plan->is_first) with_each(plan, RECEIVE_EACH, COLLECTIVE_SIZED);
    local(plan, PROGRAM_COLLECTIVE_BCAST, DOWN, vector_of(plan, plan->other, COLLECTIVE_SIZED));
}

/* Each group reduces its members' vectors. The other group's leader receives the result and
 * scatters it. The first group's leader receives before its group reduces, the second group's
 * leader after it has sent. */
static void plan_reduce_scatter(struct inter_plan *plan, struct inter_vector incoming,
                                struct inter_vector outgoing, uint32_t scatter) {
    uint32_t peer = plan->other.first;
    if (plan->is_leader && plan->is_first)
        add_receive(plan, peer, COLLECTIVE_VECTOR, whole, incoming);
    local(plan, PROGRAM_COLLECTIVE_REDUCE, UP, outgoing);
    if (plan->is_leader) add_send(plan, peer, COLLECTIVE_VECTOR, whole, outgoing);
    if (plan->is_leader && !plan->is_first)
        add_receive(plan, peer, COLLECTIVE_VECTOR, whole, incoming);
    local(plan, scatter, DOWN, (struct inter_vector){0, collective_vector_bytes(plan->call)});
}

/* Both groups' vectors have the same bytes: MPI demands that the sums of their blocks are equal. */
static void plan_reduce_scatter_block(struct inter_plan *plan) {
    uint64_t bytes = plan->own.size * collective_vector_bytes(plan->call);
    struct inter_vector first = {0, bytes}, second = {bytes, bytes};
    plan_reduce_scatter(plan, plan->is_first ? first : second, plan->is_first ? second : first,
                        PROGRAM_COLLECTIVE_SCATTER);
}

/* ---- all of it ---- */

static void plan_of(const struct collective_call *call, struct inter_plan *plan) {
    bool first = call->own_member < call->size;
    *plan = (struct inter_plan){.call = call,
                                .own = group_of(call, first),
                                .other = group_of(call, !first),
                                .is_first = first};
    plan->is_leader = call->own_member == plan->own.first;
    struct inter_vector vector = {0, collective_vector_bytes(call)};
    bool takes_part = call->own_member == call->root || root_is_remote(plan);
    switch ((program_collective_kind)call->kind) {
    case PROGRAM_COLLECTIVE_BCAST:
        if (takes_part) plan_bcast(plan, vector);
        break;
    case PROGRAM_COLLECTIVE_REDUCE:
        if (takes_part) plan_reduce(plan, vector);
        break;
    case PROGRAM_COLLECTIVE_GATHER:
        if (takes_part) plan_gather(plan);
        break;
    case PROGRAM_COLLECTIVE_GATHERV:
        if (takes_part) plan_gatherv(plan);
        break;
    case PROGRAM_COLLECTIVE_SCATTER:
        if (takes_part) plan_scatter(plan);
        break;
    case PROGRAM_COLLECTIVE_SCATTERV:
        if (takes_part) plan_scatterv(plan);
        break;
    case PROGRAM_COLLECTIVE_ALLGATHER:
        plan_allgather(plan);
        break;
    case PROGRAM_COLLECTIVE_ALLGATHERV:
        plan_allgatherv(plan);
        break;
    case PROGRAM_COLLECTIVE_ALLTOALL:
        with_each(plan, EXCHANGE_EACH, COLLECTIVE_BLOCKS);
        break;
    case PROGRAM_COLLECTIVE_ALLTOALLV:
    case PROGRAM_COLLECTIVE_ALLTOALLW:
        with_each(plan, EXCHANGE_EACH, COLLECTIVE_PAIRED);
        break;
    case PROGRAM_COLLECTIVE_ALLREDUCE:
        plan_allreduce(plan, vector);
        break;
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
        plan_reduce_scatter(plan, vector_of(plan, plan->own, COLLECTIVE_SIZED),
                            vector_of(plan, plan->other, COLLECTIVE_SIZED),
                            PROGRAM_COLLECTIVE_SCATTERV);
        break;
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        plan_reduce_scatter_block(plan);
        break;
    default: /* BARRIER, CREATE_HANDLE, WINDOW */
        plan_barrier(plan);
    }
}

static uint32_t larger_group(const struct inter_plan *plan) {
    return plan->own.size > plan->other.size ? plan->own.size : plan->other.size;
}

static uint32_t part_steps(const struct inter_plan *plan, const struct inter_part *part) {
    switch (part->form) {
    case LOCAL:
        return part->algorithm->steps(&part->call);
    case MESSAGE:
        return 1;
    case EXCHANGE_EACH:
        return larger_group(plan);
    default:
        return plan->other.size;
    }
}

static void local_step(const struct inter_plan *plan, const struct inter_part *part,
                       uint32_t number, struct collective_step *step) {
    collective_describe(part->algorithm, &part->call, number, step);
    step->tag += part->direction << 30;
    step->vector_start = part->vector.start;
    if (step->to != COLLECTIVE_NOBODY) step->to += plan->own.first;
    if (step->from != COLLECTIVE_NOBODY) step->from += plan->own.first;
    if (step->layout != COLLECTIVE_BLOCKS && step->layout != COLLECTIVE_SIZED) return;
    step->send.first += plan->own.first;
    step->receive.first += plan->own.first;
}

/* One round of an exchange: each member sends to at most one member of the other group and receives
 * from at most one. The smaller group has no partner for some members in a round. */
static void exchange_step(const struct inter_plan *plan, uint32_t number,
                          struct collective_step *step) {
    uint32_t rounds = larger_group(plan), me = plan->call->own_member - plan->own.first;
    uint32_t to = (me + number) % rounds, from = (me + rounds - number) % rounds;
    if (to < plan->other.size) step->to = plan->other.first + to;
    if (from < plan->other.size) step->from = plan->other.first + from;
    step->send = (struct collective_blocks){plan->other.first + to, 1};
    step->receive = (struct collective_blocks){plan->call->own_member, 1};
}

static void each_step(const struct inter_plan *plan, part_form form, uint32_t number,
                      struct collective_step *step) {
    uint32_t member = plan->other.first + number;
    bool sends = form == SEND_EACH || form == SEND_NEXT;
    bool at_once = form == SEND_EACH || form == RECEIVE_EACH;
    *(sends ? &step->to : &step->from) = member;
    *(sends ? &step->send : &step->receive) = (struct collective_blocks){member, 1};
    step->completes_before_next = !at_once || number + 1 == plan->other.size;
}

uint32_t collective_inter_steps(const struct collective_call *call) {
    struct inter_plan plan;
    plan_of(call, &plan);
    uint32_t steps = 0;
    for (uint32_t i = 0; i < plan.count; i++)
        steps += part_steps(&plan, &plan.parts[i]);
    return steps;
}

void collective_inter_step(const struct collective_call *call, uint32_t number,
                           struct collective_step *step) {
    struct inter_plan plan;
    plan_of(call, &plan);
    const struct inter_part *part = plan.parts;
    for (uint32_t steps; number >= (steps = part_steps(&plan, part)); part++)
        number -= steps;
    if (part->form == LOCAL) {
        local_step(&plan, part, number, step);
        return;
    }
    step->tag = ACROSS;
    step->layout = part->layout;
    step->vector_start = part->vector.start;
    step->vector_bytes = part->vector.bytes;
    if (part->form == EXCHANGE_EACH) {
        exchange_step(&plan, number, step);
    } else if (part->form == MESSAGE) {
        step->to = part->to;
        step->from = part->from;
        step->send = step->receive = part->blocks;
    } else {
        each_step(&plan, part->form, number, step);
    }
}
