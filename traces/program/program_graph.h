/*
 * Ranks that are graphs: what the vertices of a rank need, instead of an order in which the rank
 * executes operations. Schedules in GOAL become such ranks.
 *
 * A vertex begins once the vertices that it needs are complete or, where the need says so, have
 * begun. Vertices of one CPU take turns, and vertices of different CPUs run side by side.
 */
#ifndef ANAX_TRACES_PROGRAM_GRAPH_H
#define ANAX_TRACES_PROGRAM_GRAPH_H

#include "traces/program/program.h"

/* Vertices of a rank and CPUs and NICs that they name are fewer than these. */
#define PROGRAM_VERTEX_LIMIT (UINT32_C(1) << 31)
#define PROGRAM_CPU_LIMIT    256u

/* What a vertex needs: another vertex of the rank, and whether it is enough that this one has
 * begun. */
#define PROGRAM_NEED(vertex, only_begun) ((vertex) << 1 | ((only_begun) ? 1u : 0u))
/* Returns the vertex that a need names. */
static inline uint32_t program_need_vertex(uint32_t need) {
    return need >> 1;
}
/* Returns whether it is enough that the vertex of a need has begun. */
static inline bool program_need_only_begun(uint32_t need) {
    return (need & 1) != 0;
}

/* Returns whether a rank, which is in memory, is a graph. */
static inline bool program_rank_is_graph(const struct program *program, uint32_t rank) {
    return PROGRAM_OPERATION_AT(program, rank, program->ranks[rank].first)->kind ==
           OPERATION_VERTEX;
}

/* Returns the CPU of a VERTEX. */
static inline uint8_t program_vertex_cpu(const struct program_operation *vertex) {
    return (uint8_t)(vertex->place & 0xFF);
}
/* Returns the NIC of a VERTEX. */
static inline uint8_t program_vertex_nic(const struct program_operation *vertex) {
    return (uint8_t)(vertex->place >> 8 & 0xFF);
}

/* Returns the first of the wait.count needs of a VERTEX of the rank. */
static inline const uint32_t *program_vertex_needs(const struct program *program, uint32_t rank,
                                                   const struct program_operation *vertex) {
    if (vertex->wait.count == 1) return &vertex->wait.first;
    return program->wait_slots + program->ranks[rank].first_wait_slot + vertex->wait.first;
}

/* Returns true if any rank is a graph. */
bool program_has_graphs(const struct program *program);

/* Tests the invariants of a rank that is a graph, and sets *sends and *receives to the numbers of
 * its messages. Returns NULL if all is right; else a text, not to be freed, that says what is wrong
 * with the operation *place, which counts from 0 in the rank. */
const char *program_graph_check(const struct program *program, uint32_t rank, uint64_t *place,
                                uint32_t *sends, uint32_t *receives);

#endif
