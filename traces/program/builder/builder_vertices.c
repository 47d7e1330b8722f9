/*
 * Phase 2 of building a program, for ranks that are graphs: appends vertices. Must not know files.
 * Invariant: a rank has either vertices or calls.
 */
#include "traces/program/builder/builder_parts.h"

#include "core/memory/memory.h"
#include "traces/program/program_graph.h"

#include <inttypes.h>
#include <string.h>

static status_code append_needs(struct builder_rank *part, const uint32_t *needs, uint32_t count,
                                uint32_t *first, struct status *status) {
    *first = count == 1 ? needs[0] : 0;
    if (count < 2) return STATUS_OK;
    *first = (uint32_t)part->wait_count;
    FORWARD_IF_ERROR(paging_grow(part->paging, (void **)&part->waits, &part->wait_capacity,
                                 part->wait_count + count, sizeof *part->waits, status));
    memcpy(part->waits + part->wait_count, needs, count * sizeof *needs);
    part->wait_count += count;
    return STATUS_OK;
}

static status_code append_work(struct program_builder *builder, struct builder_rank *part,
                               uint32_t rank, const struct builder_vertex *vertex,
                               struct status *status) {
    struct program_operation *operation = NULL;
    if (vertex->kind == OPERATION_COMPUTE) {
        RETURN_ERROR_IF(vertex->duration_ps < 0 || vertex->duration_ps > PROGRAM_TIME_LIMIT_PS,
                        status, STATUS_INPUT, "rank %u: computation of more than 26 days", rank);
        if (vertex->duration_ps == 0) return STATUS_OK;
        FORWARD_IF_ERROR(builder_append(part, rank, &operation, status));
        *operation = (struct program_operation){.kind = OPERATION_COMPUTE,
                                                .compute = {vertex->duration_ps, 0}};
        return STATUS_OK;
    }
    uint32_t envelope;
    FORWARD_IF_ERROR(builder_find_envelope(builder, rank, vertex->communicator, vertex->peer,
                                           vertex->tag, vertex->bytes, &envelope, status));
    FORWARD_IF_ERROR(builder_append(part, rank, &operation, status));
    *operation = (struct program_operation){.kind = vertex->kind & 0xFF,
                                            .value = vertex->bytes & (PROGRAM_BYTES_LIMIT - 1),
                                            .message = {.peer = vertex->peer,
                                                        .request_state = BUILDER_WAITED,
                                                        .slot = part->vertex_count,
                                                        .envelope = envelope}};
    return STATUS_OK;
}

status_code builder_append_vertex(struct program_builder *builder, uint32_t rank,
                                  const struct builder_vertex *vertex, const uint32_t *needs,
                                  uint32_t need_count, struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, false, "a vertex", &part, status));
    RETURN_ERROR_IF(part->operation_count > 0 && part->vertex_count == 0, status, STATUS_USAGE,
                    "rank %u: a vertex in a rank with calls", rank);
    RETURN_ERROR_IF(part->vertex_count >= PROGRAM_VERTEX_LIMIT - 1 ||
                        part->wait_count >= PROGRAM_NONE - need_count,
                    status, STATUS_INPUT, "rank %u: more than %u vertices, or %u needs", rank,
                    PROGRAM_VERTEX_LIMIT - 1, PROGRAM_NONE);
    for (uint32_t i = 0; i < need_count; i++)
        RETURN_ERROR_IF(program_need_vertex(needs[i]) >= part->vertex_count, status, STATUS_USAGE,
                        "rank %u: vertex %u needs vertex %u, which is not before it", rank,
                        part->vertex_count, program_need_vertex(needs[i]));
    uint32_t first;
    FORWARD_IF_ERROR(append_needs(part, needs, need_count, &first, status));
    struct program_operation *operation = NULL;
    FORWARD_IF_ERROR(builder_append(part, rank, &operation, status));
    *operation =
        (struct program_operation){.kind = OPERATION_VERTEX,
                                   .value = (uint64_t)(vertex->nic << 8 | vertex->cpu) & 0xFFFF,
                                   .wait = {first, need_count, 0}};
    FORWARD_IF_ERROR(append_work(builder, part, rank, vertex, status));
    part->vertex_count++;
    return STATUS_OK;
}
