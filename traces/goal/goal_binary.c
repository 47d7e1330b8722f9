/*
 * The binary form of GOAL, as LogGOPSim's txt2bin writes it. All numbers are little-endian and not
 * aligned:
 *
 *     u64 4223; u32 ranks; u8 highest CPU; u8 highest NIC
 *     for each rank: u64 begin, u64 end of its part, both counted from behind the first u64
 *     part of a rank: u32 vertices; u32 roots; u32 number of each root; the vertices; the appendix
 *     vertex: u32 needs; u8 kind (1 send, 2 recv, 3 calc); u32 peer; u64 bytes or nanoseconds;
 *             u32 tag; u8 CPU; u8 NIC; u32 count and u32 first of the vertices that need its end,
 *             u32 count and u32 first of those that need its begin (indices in the appendix)
 *     appendix: u32 numbers of vertices
 *
 * Must not know what vertices mean. Invariant: no number is used as an index before it has been
 * tested, and a rank has as many vertices and needs as its part has bytes for.
 */
#include "traces/goal/goal.h"

#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAGIC_BYTES = 8,
    HEADER_BYTES = MAGIC_BYTES + 4 + 2,
    VERTEX_BYTES = 39,
    KIND_SEND = 1,
    KIND_RECEIVE = 2,
    KIND_CALC = 3
};
#define MAGIC UINT64_C(4223)

static uint64_t get(const char *bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
    return value;
}

static uint32_t get32(const char *bytes) {
    return (uint32_t)get(bytes, 4);
}

bool goal_is_binary(const char *bytes, size_t size) {
    return size >= MAGIC_BYTES && get(bytes, MAGIC_BYTES) == MAGIC;
}

status_code goal_binary_begin(struct goal_reader *reader, struct status *status) {
    RETURN_ERROR_IF(reader->size < HEADER_BYTES, status, STATUS_INPUT,
                    "%s: a schedule in binary GOAL of %zu bytes (cut short?)", reader->path,
                    reader->size);
    reader->rank_count = get32(reader->bytes + MAGIC_BYTES);
    reader->next = 0;
    uint64_t room = (reader->size - HEADER_BYTES) / 16;
    RETURN_ERROR_IF(reader->rank_count == 0 || reader->rank_count > room, status, STATUS_INPUT,
                    "%s: a schedule in binary GOAL of %u ranks, with a table of %" PRIu64
                    " at most (cut short?)",
                    reader->path, reader->rank_count, room);
    return STATUS_OK;
}

/* The part of a rank. */
struct part {
    const char *vertices;
    const char *appendix;
    uint32_t vertex_count;
    uint64_t appendix_count;
};

static status_code find_part(const struct goal_reader *reader, uint32_t rank, struct part *part,
                             struct status *status) {
    const char *entry = reader->bytes + HEADER_BYTES + (size_t)rank * 16;
    uint64_t begin = get(entry, 8), end = get(entry + 8, 8), size = reader->size - MAGIC_BYTES;
    RETURN_ERROR_IF(end > size, status, STATUS_INPUT,
                    "%s: rank %u ends at byte %" PRIu64 " of a file of %zu bytes (cut short?)",
                    reader->path, rank, end, reader->size);
    RETURN_ERROR_IF(begin > end || end - begin < 8, status, STATUS_INPUT,
                    "%s: rank %u begins at byte %" PRIu64 " and ends at byte %" PRIu64
                    " (damaged?)",
                    reader->path, rank, begin, end);
    const char *bytes = reader->bytes + MAGIC_BYTES + begin;
    uint64_t left = end - begin - 8, roots = get32(bytes + 4);
    part->vertex_count = get32(bytes);
    uint64_t vertex_bytes = (uint64_t)part->vertex_count * VERTEX_BYTES;
    RETURN_ERROR_IF(roots * 4 > left || vertex_bytes > left - roots * 4, status, STATUS_INPUT,
                    "%s: rank %u has %" PRIu64 " bytes, too few for its %u operations (damaged?)",
                    reader->path, rank, end - begin, part->vertex_count);
    part->vertices = bytes + 8 + roots * 4;
    part->appendix = part->vertices + vertex_bytes;
    part->appendix_count = (left - roots * 4 - vertex_bytes) / 4;
    return STATUS_OK;
}

static status_code read_edges(const struct goal_reader *reader, struct goal_rank *rank,
                              const struct part *part, uint32_t vertex, const char *field,
                              bool only_begun, struct status *status) {
    uint64_t count = get32(field), first = get32(field + 4);
    if (count == 0) return STATUS_OK;
    RETURN_ERROR_IF(first + count > part->appendix_count, status, STATUS_INPUT,
                    "%s: rank %u, operation %u: it is required by %" PRIu64
                    " others, of which not all are listed (damaged?)",
                    reader->path, rank->rank, vertex, count);
    RETURN_ERROR_IF(rank->edge_count + count > part->appendix_count, status, STATUS_INPUT,
                    "%s: rank %u, operation %u: its list of operations is also that of another one "
                    "(damaged?)",
                    reader->path, rank->rank, vertex);
    for (uint64_t i = first; i < first + count; i++) {
        uint32_t other = get32(part->appendix + 4 * i);
        RETURN_ERROR_IF(
            other >= part->vertex_count, status, STATUS_INPUT,
            "%s: rank %u, operation %u: it is required by operation %u of %u (damaged?)",
            reader->path, rank->rank, vertex, other, part->vertex_count);
        FORWARD_IF_ERROR(goal_add_edge(rank, other, PROGRAM_NEED(vertex, only_begun), status));
    }
    return STATUS_OK;
}

static status_code read_vertex(const struct goal_reader *reader, struct goal_rank *rank,
                               const struct part *part, uint32_t index, struct status *status) {
    const char *bytes = part->vertices + (size_t)index * VERTEX_BYTES;
    unsigned kind = (unsigned char)bytes[4];
    RETURN_ERROR_IF(kind < KIND_SEND || kind > KIND_CALC, status, STATUS_INPUT,
                    "%s: rank %u, operation %u: kind %u, which GOAL does not have (damaged?)",
                    reader->path, rank->rank, index, kind);
    struct goal_vertex vertex = {.kind = kind == KIND_SEND      ? OPERATION_SEND
                                         : kind == KIND_RECEIVE ? OPERATION_RECEIVE
                                                                : OPERATION_COMPUTE,
                                 .peer = get32(bytes + 5),
                                 .tag = get32(bytes + 17),
                                 .cpu = (uint8_t)bytes[21],
                                 .nic = (uint8_t)bytes[22],
                                 .place = (uint64_t)(bytes - reader->bytes)};
    *(vertex.kind == OPERATION_COMPUTE ? &vertex.duration_ns : &vertex.bytes) = get(bytes + 9, 8);
    FORWARD_IF_ERROR(goal_add_vertex(rank, &vertex, status));
    FORWARD_IF_ERROR(read_edges(reader, rank, part, index, bytes + 23, false, status));
    return read_edges(reader, rank, part, index, bytes + 31, true, status);
}

/* Checks that each vertex is required by as many as it says it needs. */
static status_code check_needs(const struct goal_reader *reader, const struct goal_rank *rank,
                               const struct part *part, struct status *status) {
    uint32_t *found = memory_new(part->vertex_count, sizeof *found);
    RETURN_ERROR_IF(found == NULL, status, STATUS_MEMORY, "out of memory for %u operations",
                    part->vertex_count);
    for (size_t i = 0; i < rank->edge_count; i++)
        found[rank->edges[i].vertex]++;
    uint32_t wrong = 0;
    while (wrong < part->vertex_count &&
           found[wrong] == get32(part->vertices + (size_t)wrong * VERTEX_BYTES))
        wrong++;
    free(found);
    RETURN_ERROR_IF(wrong < part->vertex_count, status, STATUS_INPUT,
                    "%s: rank %u, operation %u: it requires another number of operations than list "
                    "it (damaged?)",
                    reader->path, rank->rank, wrong);
    return STATUS_OK;
}

status_code goal_binary_next(struct goal_reader *reader, struct goal_rank *rank, bool *found,
                             struct status *status) {
    *found = reader->next < reader->rank_count;
    if (!*found) return STATUS_OK;
    struct part part;
    goal_rank_begin(rank, reader->next++);
    FORWARD_IF_ERROR(find_part(reader, rank->rank, &part, status));
    for (uint32_t i = 0; i < part.vertex_count; i++)
        FORWARD_IF_ERROR(read_vertex(reader, rank, &part, i, status));
    return check_needs(reader, rank, &part, status);
}
