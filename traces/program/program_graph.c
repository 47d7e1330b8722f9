/*
 * The invariants of ranks that are graphs. Must not know how the graph was made. Invariant: no
 * number is used as an index before it has been tested.
 */
#include "traces/program/program_graph.h"

bool program_has_graphs(const struct program *program) {
    if (program->division != NULL) return false;
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        if (program->ranks[rank].count > 0 && program_rank_is_graph(program, rank)) return true;
    return false;
}

static const char *check_vertex(const struct program *program, uint32_t rank,
                                const struct program_operation *vertex, uint32_t number) {
    if (vertex->flags != 0) return "flags that a vertex does not have";
    if (vertex->place >> 16 != 0) return "a CPU or NIC of too large a number";
    if (number >= program->ranks[rank].slot_count) return "more vertices than slots";
    uint64_t last = (uint64_t)vertex->wait.first + vertex->wait.count;
    if (vertex->wait.count > 1 && last > program->ranks[rank].wait_slot_count)
        return "needs outside the wait slots";
    const uint32_t *needs = program_vertex_needs(program, rank, vertex);
    for (uint32_t i = 0; i < vertex->wait.count; i++)
        if (program_need_vertex(needs[i]) >= number) return "a need of a vertex that is not before";
    return NULL;
}

static const char *check_message(const struct program *program,
                                 const struct program_operation *operation, uint32_t number) {
    if (operation->flags != 0) return "flags that a message of a vertex does not have";
    if (operation->message.peer >= program->rank_count) return "a peer that does not exist";
    if (operation->message.envelope >= program->envelope_count)
        return "an envelope that does not exist";
    if (!program_is_message(program, operation)) return "a message with the tag of a window";
    if (operation->message.match == PROGRAM_NONE)
        return "a message of a vertex without its other side";
    return operation->message.slot == number ? NULL : "a message in the slot of another vertex";
}

static const char *check_operation(const struct program *program, uint32_t rank, uint64_t place,
                                   uint32_t *vertices, uint32_t *sends, uint32_t *receives) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    const struct program_operation *operation = &program->operations[rank_entry->first + place];
    bool begins = place > 0 && operation[-1].kind == OPERATION_VERTEX;
    if ((operation->kind == OPERATION_END) != (place == rank_entry->count - 1))
        return "an end in the wrong place";
    if (operation->kind == OPERATION_END)
        return *vertices == rank_entry->slot_count ? NULL : "fewer vertices than slots";
    if (operation->kind == OPERATION_VERTEX)
        return check_vertex(program, rank, operation, (*vertices)++);
    if (!begins) return "an operation that belongs to no vertex";
    switch (operation->kind) {
    case OPERATION_COMPUTE:
        if (operation->flags != 0) return "flags that a computation does not have";
        if (operation->compute.duration_ps > PROGRAM_TIME_LIMIT_PS)
            return "computation of more than 26 days";
        return operation->compute.duration_ps > 0 ? NULL : "computation that takes no time";
    case OPERATION_SEND:
        ++*sends;
        return check_message(program, operation, *vertices - 1);
    case OPERATION_RECEIVE:
        ++*receives;
        return check_message(program, operation, *vertices - 1);
    default:
        return "an operation that a vertex cannot have";
    }
}

const char *program_graph_check(const struct program *program, uint32_t rank, uint64_t *place,
                                uint32_t *sends, uint32_t *receives) {
    uint32_t vertices = 0;
    const char *wrong = NULL;
    *sends = *receives = 0;
    for (*place = 0; wrong == NULL && *place < program->ranks[rank].count; ++*place)
        wrong = check_operation(program, rank, *place, &vertices, sends, receives);
    *place -= wrong != NULL;
    return wrong;
}
