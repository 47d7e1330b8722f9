/*
 * The order of a rank's vertices: a walk in depth through what they need, from each vertex in the
 * order of the file. Must not know how files look.
 */
#include "traces/goal/goal.h"

#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNSEEN UINT32_MAX
#define OPEN   (UINT32_MAX - 1)

enum { CYCLE_SHOWN = 8 };

/* Lists the needs of each vertex, with a counting sort: first[v + 1] advances to the end of the
 * list of v. */
static status_code sort_needs(struct goal_rank *rank, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&rank->first, &rank->first_capacity,
                                 rank->vertex_count + 2, sizeof *rank->first, status));
    FORWARD_IF_ERROR(memory_grow((void **)&rank->needs, &rank->needs_capacity, rank->edge_count,
                                 sizeof *rank->needs, status));
    memset(rank->first, 0, (rank->vertex_count + 2) * sizeof *rank->first);
    for (size_t i = 0; i < rank->edge_count; i++)
        rank->first[rank->edges[i].vertex + 2]++;
    for (size_t vertex = 0; vertex < rank->vertex_count; vertex++)
        rank->first[vertex + 2] += rank->first[vertex + 1];
    for (size_t i = 0; i < rank->edge_count; i++)
        rank->needs[rank->first[rank->edges[i].vertex + 1]++] = rank->edges[i].need;
    return STATUS_OK;
}

struct vertex_visit {
    uint32_t vertex;
    uint32_t next; /* index in needs of the next one to look at */
};

struct cycle_walk {
    struct vertex_visit *open; /* from the vertex of the walk to the present one */
    size_t count, capacity;
};

static status_code report_cycle(const struct goal_reader *reader, const struct goal_rank *rank,
                                const struct cycle_walk *walk, uint32_t vertex,
                                struct status *status) {
    char place[GOAL_PLACE_TEXT], name[GOAL_NAME_TEXT], text[CYCLE_SHOWN * (GOAL_NAME_TEXT + 4) + 8];
    size_t first = walk->count - 1, length = 0;
    while (walk->open[first].vertex != vertex)
        first--;
    for (size_t i = first; i < walk->count && i < first + CYCLE_SHOWN; i++) {
        goal_write_vertex_name(rank, walk->open[i].vertex, name);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s -> ", name);
    }
    goal_write_place(reader, rank->vertices[vertex].place, place);
    goal_write_vertex_name(rank, vertex, name);
    return status_set(status, STATUS_INPUT,
                      "%s: rank %u: each of these requires the next one: %s%s%s", place, rank->rank,
                      text, walk->count - first > CYCLE_SHOWN ? "… -> " : "", name);
}

static status_code enter_vertex(struct goal_rank *rank, struct cycle_walk *walk, uint32_t vertex,
                                struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&walk->open, &walk->capacity, walk->count + 1,
                                 sizeof *walk->open, status));
    walk->open[walk->count++] = (struct vertex_visit){vertex, rank->first[vertex]};
    rank->position[vertex] = OPEN;
    return STATUS_OK;
}

/* Appends a vertex to the order, after all that it needs. */
static status_code append_vertex(const struct goal_reader *reader, struct goal_rank *rank,
                                 struct cycle_walk *walk, uint32_t vertex, uint32_t *count,
                                 struct status *status) {
    FORWARD_IF_ERROR(enter_vertex(rank, walk, vertex, status));
    while (walk->count > 0) {
        struct vertex_visit *visit = &walk->open[walk->count - 1];
        if (visit->next == rank->first[visit->vertex + 1]) {
            rank->position[visit->vertex] = *count;
            rank->order[(*count)++] = visit->vertex;
            walk->count--;
            continue;
        }
        uint32_t needed = program_need_vertex(rank->needs[visit->next++]);
        if (rank->position[needed] == OPEN) return report_cycle(reader, rank, walk, needed, status);
        if (rank->position[needed] == UNSEEN)
            FORWARD_IF_ERROR(enter_vertex(rank, walk, needed, status));
    }
    return STATUS_OK;
}

static status_code order_all(const struct goal_reader *reader, struct goal_rank *rank,
                             struct cycle_walk *walk, struct status *status) {
    uint32_t count = 0;
    for (uint32_t vertex = 0; vertex < rank->vertex_count; vertex++)
        rank->position[vertex] = UNSEEN;
    for (uint32_t vertex = 0; vertex < rank->vertex_count; vertex++)
        if (rank->position[vertex] == UNSEEN)
            FORWARD_IF_ERROR(append_vertex(reader, rank, walk, vertex, &count, status));
    return STATUS_OK;
}

static status_code check_vertex(const struct goal_reader *reader, const struct goal_rank *rank,
                                uint32_t index, struct status *status) {
    const struct goal_vertex *vertex = &rank->vertices[index];
    char place[GOAL_PLACE_TEXT], name[GOAL_NAME_TEXT];
    goal_write_place(reader, vertex->place, place);
    goal_write_vertex_name(rank, index, name);
    if (vertex->kind == OPERATION_COMPUTE) {
        RETURN_ERROR_IF(vertex->duration_ns > (uint64_t)PROGRAM_TIME_LIMIT_PS / 1000, status,
                        STATUS_INPUT,
                        "%s: rank %u, %s: a calc of %" PRIu64 " ns; it may take 26 days at most",
                        place, rank->rank, name, vertex->duration_ns);
        return STATUS_OK;
    }
    bool sends = vertex->kind == OPERATION_SEND;
    const char *what = sends ? "send to" : "recv from";
    RETURN_ERROR_IF(sends && vertex->peer == UINT32_MAX, status, STATUS_INPUT,
                    "%s: rank %u, %s: a send to rank -1 (%" PRIu32 "), but the ranks are 0 to %u",
                    place, rank->rank, name, UINT32_MAX, reader->rank_count - 1);
    RETURN_ERROR_IF(sends && vertex->tag == UINT32_MAX, status, STATUS_INPUT,
                    "%s: rank %u, %s: a send with the tag -1 (%" PRIu32
                    "), which stands for any tag in a recv; the tags of sends are 0 to %" PRIu32,
                    place, rank->rank, name, UINT32_MAX, UINT32_MAX - 1);
    RETURN_ERROR_IF(vertex->peer == UINT32_MAX || vertex->tag == UINT32_MAX, status, STATUS_INPUT,
                    "%s: rank %u, %s: a recv from any source or with any tag (-1 or %" PRIu32
                    "); which message it takes would depend on the machine, so name both",
                    place, rank->rank, name, UINT32_MAX);
    RETURN_ERROR_IF(vertex->peer >= reader->rank_count, status, STATUS_INPUT,
                    "%s: rank %u, %s: %s rank %u, but the ranks are 0 to %u", place, rank->rank,
                    name, what, vertex->peer, reader->rank_count - 1);
    RETURN_ERROR_IF(vertex->bytes >= PROGRAM_BYTES_LIMIT, status, STATUS_INPUT,
                    "%s: rank %u, %s: a message of %" PRIu64
                    " bytes; at most 2^48 - 1 are possible",
                    place, rank->rank, name, vertex->bytes);
    return STATUS_OK;
}

status_code goal_order_vertices(const struct goal_reader *reader, struct goal_rank *rank,
                                struct status *status) {
    for (uint32_t i = 0; i < rank->vertex_count; i++)
        FORWARD_IF_ERROR(check_vertex(reader, rank, i, status));
    FORWARD_IF_ERROR(sort_needs(rank, status));
    FORWARD_IF_ERROR(memory_grow((void **)&rank->order, &rank->order_capacity, rank->vertex_count,
                                 sizeof *rank->order, status));
    FORWARD_IF_ERROR(memory_grow((void **)&rank->position, &rank->position_capacity,
                                 rank->vertex_count, sizeof *rank->position, status));
    struct cycle_walk walk = {0};
    status_code code = order_all(reader, rank, &walk, status);
    free(walk.open);
    return code;
}
