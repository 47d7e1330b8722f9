/* Counts the collectives and messages of each rank inside a part, and compares the counts of all
 * sides. Must not know the use of the part inside. */
#include "traces/program/edit/program_inside.h"

#include "core/memory/memory.h"

#include <stdlib.h>

static const struct program_collective_arguments *
arguments_of(const struct program *program, const struct program_operation *operation) {
    return &program->collective_arguments[operation->collective.arguments];
}

/* Returns true if all members count the collective alike. */
static bool is_counted(const struct program *program, const struct program_operation *operation) {
    const struct program_collective_arguments *arguments = arguments_of(program, operation);
    return arguments->kind != PROGRAM_COLLECTIVE_CREATE_HANDLE &&
           arguments->kind != PROGRAM_COLLECTIVE_DESTROY_HANDLE &&
           program->communicators[arguments->communicator].members != PROGRAM_NONE;
}

static uint32_t *present_of(const struct program_inside *inside,
                            const struct program_operation *operation) {
    return &inside->present
                [inside->first_instance[arguments_of(inside->whole, operation)->communicator] +
                 operation->collective.instance];
}

/* Counts the collectives of each communicator and makes room for them. */
static status_code lay_out_instances(struct program_inside *inside, struct status *status) {
    const struct program *whole = inside->whole;
    inside->first_instance = memory_new((size_t)whole->communicator_count + 1, sizeof(uint64_t));
    RETURN_ERROR_IF(inside->first_instance == NULL, status, STATUS_MEMORY,
                    "out of memory for a part of a program");
    for (uint64_t i = 0; i < whole->operation_count; i++) {
        const struct program_operation *operation = &program_array(whole)[i];
        if (operation->kind != OPERATION_COLLECTIVE || !is_counted(whole, operation)) continue;
        uint64_t *count = &inside->first_instance[arguments_of(whole, operation)->communicator + 1];
        if (operation->collective.instance >= *count)
            *count = (uint64_t)operation->collective.instance + 1;
    }
    for (uint32_t c = 0; c < whole->communicator_count; c++)
        inside->first_instance[c + 1] += inside->first_instance[c];
    inside->present =
        memory_new(inside->first_instance[whole->communicator_count], sizeof *inside->present);
    RETURN_ERROR_IF(inside->present == NULL, status, STATUS_MEMORY,
                    "out of memory for a part of a program");
    return STATUS_OK;
}

status_code program_inside_new(struct program_inside *inside, const struct program *whole,
                               const struct program_bounds *bounds, unsigned threads,
                               struct status *status) {
    *inside = (struct program_inside){.whole = whole, .bounds = bounds};
    FORWARD_IF_ERROR(program_posted_find(&inside->posted, whole, threads, status));
    FORWARD_IF_ERROR(lay_out_instances(inside, status));
    for (uint32_t rank = 0; rank < whole->rank_count; rank++) {
        const struct program_operation *operations =
            program_array(whole) + whole->ranks[rank].first;
        for (uint64_t i = bounds[rank].first; i < bounds[rank].end; i++)
            if (operations[i].kind == OPERATION_COLLECTIVE && is_counted(whole, &operations[i]))
                ++*present_of(inside, &operations[i]);
    }
    return STATUS_OK;
}

void program_inside_free(struct program_inside *inside) {
    program_posted_free(&inside->posted);
    free(inside->first_instance);
    free(inside->present);
}

/* Returns true if b is a one-sided operation on the same lock as a. */
static bool same_lock(const struct program *program, const struct program_operation *a,
                      const struct program_operation *b) {
    if (!program_is_one_sided(b) || b->message.peer != a->message.peer ||
        program_lock_kind(program, b) == PROGRAM_LOCK_NONE)
        return false;
    const struct program_envelope *one = &program->envelopes[a->message.envelope],
                                  *other = &program->envelopes[b->message.envelope];
    return one->communicator == other->communicator &&
           program_lock_number(one->tag) == program_lock_number(other->tag);
}

/* Returns true if the lock operation's counterpart lies inside. An unlock follows its lock, and a
 * rank holds a lock at most once. */
static bool is_lock_inside(const struct program_inside *inside, uint32_t rank, uint64_t place) {
    const struct program *whole = inside->whole;
    const struct program_operation *operations = program_array(whole) + whole->ranks[rank].first;
    const struct program_bounds *bounds = &inside->bounds[rank];
    const struct program_operation *own = &operations[place];
    bool forward = program_lock_takes(program_lock_kind(whole, own));
    while (forward ? ++place < bounds->end : place-- > bounds->first)
        if (same_lock(whole, own, &operations[place])) return true;
    return false;
}

bool program_inside_has_message(const struct program_inside *inside, uint32_t rank,
                                uint64_t place) {
    const struct program *whole = inside->whole;
    const struct program_operation *operation =
        &program_array(whole)[whole->ranks[rank].first + place];
    if (program_is_one_sided(operation) && program_lock_kind(whole, operation) != PROGRAM_LOCK_NONE)
        return is_lock_inside(inside, rank, place);
    if (operation->message.match == PROGRAM_NONE) return true;
    uint32_t peer = operation->message.peer;
    const struct program_posted_rank *other = &inside->posted.ranks[peer];
    const struct program_places *places =
        operation->kind == OPERATION_SEND ? &other->receives : &other->sends;
    uint64_t match = places->at[operation->message.match];
    return match >= inside->bounds[peer].first && match < inside->bounds[peer].end;
}

bool program_inside_has_collective(const struct program_inside *inside,
                                   const struct program_operation *operation) {
    if (!is_counted(inside->whole, operation)) return true;
    const struct program_communicator *c =
        &inside->whole->communicators[arguments_of(inside->whole, operation)->communicator];
    return *present_of(inside, operation) == c->size + c->remote_size;
}
