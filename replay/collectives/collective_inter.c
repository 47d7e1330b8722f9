/*
 * Collectives on intercommunicators: rooted ones between the root and the other group, the others
 * through the first members (leaders) of the two groups, as MPICH does it. What has one vector runs
 * within a group as a collective of its own, by the library's choice; what has blocks, along flat
 * trees.
 *
 * Invariant: members of the root's own group, other than the root, take part in nothing.
 */
#include "replay/collectives/collective_families.h"

typedef struct inter_group {
    uint32_t first; /* its leader */
    uint32_t size;
} inter_group;

static inter_group group_of(const collective_call *call, uint32_t member) {
    if (member < call->size) return (inter_group){0, call->size};
    return (inter_group){call->size, call->remote_size};
}

static inter_group own_group(const collective_call *call) {
    return group_of(call, call->me);
}

static inter_group other_group(const collective_call *call) {
    return group_of(call, call->me < call->size ? call->size : 0);
}

static collective_blocks blocks_of(inter_group group) {
    return (collective_blocks){group.first, group.size};
}

/* Tags: between the groups, towards the leader, from the leader; of collectives within a group, in
 * the two highest bits. */
enum { ACROSS, UP, DOWN };

static const collective_blocks whole = {0, 1};

static bool is_leader(const collective_call *call) {
    return call->me == own_group(call).first;
}

/* A collective of one group, rooted at its leader. */
typedef struct local_part {
    const collective_algorithm *algorithm;
    collective_call call;
    uint32_t leader;
} local_part;

static local_part local_part_of(const collective_call *call, uint32_t kind) {
    inter_group own = own_group(call);
    local_part part = {.call = *call, .leader = own.first};
    part.call.kind = kind;
    part.call.size = own.size;
    part.call.remote_size = 0;
    part.call.me = call->me - own.first;
    part.call.root = 0;
    part.algorithm = collective_chosen(&part.call);
    return part;
}

static uint32_t local_steps(const local_part *part) {
    return part->algorithm->steps(&part->call);
}

static void local_step(const local_part *part, uint32_t number, uint32_t direction,
                       collective_step *step) {
    collective_describe(part->algorithm, &part->call, number, step);
    step->tag += direction << 30;
    if (step->to != COLLECTIVE_NOBODY) step->to += part->leader;
    if (step->from != COLLECTIVE_NOBODY) step->from += part->leader;
}

/* What a member gives its leader, the leaders exchange, and a member gets from its leader. Both
 * sides of a message name it from the same member's point of view. */
static collective_blocks given_up(const collective_call *call, uint32_t member) {
    if (call->kind == PROGRAM_ALLGATHER || call->kind == PROGRAM_ALLGATHERV)
        return (collective_blocks){member, 1};
    if (call->kind == PROGRAM_REDUCE_SCATTER || call->kind == PROGRAM_REDUCE_SCATTER_BLOCK)
        return blocks_of(other_group(call));
    return whole;
}

static collective_blocks given_across(const collective_call *call, bool by_me) {
    inter_group own = own_group(call), other = other_group(call);
    if (call->kind == PROGRAM_ALLGATHER || call->kind == PROGRAM_ALLGATHERV)
        return blocks_of(by_me ? own : other);
    if (call->kind == PROGRAM_REDUCE_SCATTER || call->kind == PROGRAM_REDUCE_SCATTER_BLOCK)
        return blocks_of(by_me ? other : own);
    return whole;
}

static collective_blocks given_down(const collective_call *call, uint32_t member) {
    if (call->kind == PROGRAM_ALLGATHER || call->kind == PROGRAM_ALLGATHERV)
        return blocks_of(other_group(call));
    if (call->kind == PROGRAM_REDUCE_SCATTER || call->kind == PROGRAM_REDUCE_SCATTER_BLOCK)
        return (collective_blocks){member, 1};
    return whole;
}

static bool combines(const collective_call *call) {
    return call->kind == PROGRAM_REDUCE_SCATTER || call->kind == PROGRAM_REDUCE_SCATTER_BLOCK;
}

static void step_up(const collective_call *call, uint32_t number, collective_step *step) {
    inter_group own = own_group(call);
    step->tag = UP;
    if (call->me != own.first) {
        step->to = own.first;
        step->send = given_up(call, call->me);
        return;
    }
    step->from = own.first + 1 + number;
    step->receive = given_up(call, step->from);
    step->combine = combines(call);
    step->wait = number + 2 == own.size;
}

static void step_down(const collective_call *call, uint32_t number, collective_step *step) {
    inter_group own = own_group(call);
    step->tag = DOWN;
    if (call->me != own.first) {
        step->from = own.first;
        step->receive = given_down(call, call->me);
        return;
    }
    step->to = own.first + 1 + number;
    step->send = given_down(call, step->to);
    step->wait = number + 2 == own.size;
}

uint32_t collective_inter_leaders_steps(const collective_call *call) {
    inter_group own = own_group(call);
    return call->me == own.first ? 2 * (own.size - 1) + 1 : 2;
}

void collective_inter_leaders_step(const collective_call *call, uint32_t number,
                                   collective_step *step) {
    inter_group own = own_group(call);
    uint32_t ups = call->me == own.first ? own.size - 1 : 1;
    if (number < ups) {
        step_up(call, number, step);
    } else if (call->me != own.first) {
        step_down(call, 0, step);
    } else if (number > ups) {
        step_down(call, number - ups - 1, step);
    } else {
        step->tag = ACROSS;
        step->to = step->from = other_group(call).first;
        step->send = given_across(call, true);
        step->receive = given_across(call, false);
    }
}

/* In rooted collectives: is the root in the other group, so that mine does the work? */
static bool root_is_remote(const collective_call *call) {
    return call->root != COLLECTIVE_NOBODY &&
           group_of(call, call->root).first != own_group(call).first;
}

uint32_t collective_inter_bcast_steps(const collective_call *call) {
    if (!root_is_remote(call)) return call->me == call->root;
    local_part bcast = local_part_of(call, PROGRAM_BCAST);
    return is_leader(call) + local_steps(&bcast);
}

/* Between the root and the leader of the other group. */
static void step_to_or_from_root(const collective_call *call, bool to_root, collective_step *step) {
    uint32_t other = call->me == call->root ? other_group(call).first : call->root;
    step->tag = ACROSS;
    step->send = step->receive = whole;
    *((call->me == call->root) == to_root ? &step->from : &step->to) = other;
}

void collective_inter_bcast_step(const collective_call *call, uint32_t number,
                                 collective_step *step) {
    if (call->me == call->root || (is_leader(call) && number == 0)) {
        step_to_or_from_root(call, false, step);
        return;
    }
    local_part bcast = local_part_of(call, PROGRAM_BCAST);
    local_step(&bcast, number - is_leader(call), DOWN, step);
}

uint32_t collective_inter_reduce_steps(const collective_call *call) {
    if (!root_is_remote(call)) return call->me == call->root;
    local_part reduce = local_part_of(call, PROGRAM_REDUCE);
    return local_steps(&reduce) + is_leader(call);
}

void collective_inter_reduce_step(const collective_call *call, uint32_t number,
                                  collective_step *step) {
    local_part reduce = local_part_of(call, PROGRAM_REDUCE);
    if (call->me == call->root || number == local_steps(&reduce))
        step_to_or_from_root(call, true, step);
    else
        local_step(&reduce, number, UP, step);
}

/* Within each group to its leader, between the leaders, and within the groups again. */
static uint32_t exchange_steps(const collective_call *call, uint32_t up_kind) {
    local_part up = local_part_of(call, up_kind), down = local_part_of(call, PROGRAM_BCAST);
    return local_steps(&up) + is_leader(call) + local_steps(&down);
}

static void exchange_step(const collective_call *call, uint32_t up_kind, uint32_t number,
                          collective_step *step) {
    local_part up = local_part_of(call, up_kind);
    uint32_t ups = local_steps(&up);
    if (number < ups) {
        local_step(&up, number, UP, step);
    } else if (number == ups && is_leader(call)) {
        step->tag = ACROSS;
        step->to = step->from = other_group(call).first;
        step->send = step->receive = whole;
    } else {
        local_part down = local_part_of(call, PROGRAM_BCAST);
        local_step(&down, number - ups - is_leader(call), DOWN, step);
    }
}

uint32_t collective_inter_allreduce_steps(const collective_call *call) {
    return exchange_steps(call, PROGRAM_REDUCE);
}

void collective_inter_allreduce_step(const collective_call *call, uint32_t number,
                                     collective_step *step) {
    exchange_step(call, PROGRAM_REDUCE, number, step);
}

uint32_t collective_inter_barrier_steps(const collective_call *call) {
    return exchange_steps(call, PROGRAM_BARRIER);
}

void collective_inter_barrier_step(const collective_call *call, uint32_t number,
                                   collective_step *step) {
    exchange_step(call, PROGRAM_BARRIER, number, step);
}

uint32_t collective_inter_gather_steps(const collective_call *call) {
    if (root_is_remote(call)) return 1;
    return call->me == call->root ? other_group(call).size : 0;
}

void collective_inter_gather_step(const collective_call *call, uint32_t number,
                                  collective_step *step) {
    step->tag = ACROSS;
    if (root_is_remote(call)) {
        step->to = call->root;
        step->send = (collective_blocks){call->me, 1};
        return;
    }
    inter_group other = other_group(call);
    step->from = other.first + number;
    step->receive = (collective_blocks){step->from, 1};
    step->wait = number + 1 == other.size;
}

uint32_t collective_inter_scatter_steps(const collective_call *call) {
    return collective_inter_gather_steps(call);
}

void collective_inter_scatter_step(const collective_call *call, uint32_t number,
                                   collective_step *step) {
    step->tag = ACROSS;
    if (root_is_remote(call)) {
        step->from = call->root;
        step->receive = (collective_blocks){call->me, 1};
        return;
    }
    inter_group other = other_group(call);
    step->to = other.first + number;
    step->send = (collective_blocks){step->to, 1};
    step->wait = number + 1 == other.size;
}

uint32_t collective_inter_alltoall_steps(const collective_call *call) {
    return other_group(call).size;
}

/* Each begins with another member of the other group. */
void collective_inter_alltoall_step(const collective_call *call, uint32_t number,
                                    collective_step *step) {
    inter_group own = own_group(call), other = other_group(call);
    step->tag = ACROSS;
    step->to = step->from = other.first + (call->me - own.first + number) % other.size;
    step->send = (collective_blocks){step->to, 1};
    step->receive = (collective_blocks){call->me, 1};
    step->wait = number + 1 == other.size;
}
