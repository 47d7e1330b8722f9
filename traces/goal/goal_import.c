/*
 * Imports a schedule in GOAL, text or binary: every rank becomes a graph. Must not know how files
 * look.
 *
 * Tags of GOAL have 32 bits, one more than those of MPI. So there are two communicators of all
 * ranks, and the highest bit of a tag is the number of its communicator.
 */
#include "traces/goal/goal.h"

#include "core/base/plural.h"
#include "core/files/input_file.h"
#include "core/memory/memory.h"
#include "traces/traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void goal_rank_begin(struct goal_rank *rank, uint32_t number) {
    rank->rank = number;
    rank->vertex_count = rank->edge_count = rank->label_bytes = 0;
    key_table_remove_all(&rank->label_index);
}

void goal_rank_free(struct goal_rank *rank) {
    free(rank->vertices);
    free(rank->edges);
    free(rank->labels);
    key_table_free(&rank->label_index);
    free(rank->order);
    free(rank->needs);
    free(rank->first);
    free(rank->position);
    *rank = (struct goal_rank){0};
}

status_code goal_add_vertex(struct goal_rank *rank, const struct goal_vertex *vertex,
                            struct status *status) {
    RETURN_ERROR_IF(rank->vertex_count >= PROGRAM_VERTEX_LIMIT - 2, status, STATUS_INPUT,
                    "rank %u: more than %u operations", rank->rank, PROGRAM_VERTEX_LIMIT - 2);
    FORWARD_IF_ERROR(memory_grow((void **)&rank->vertices, &rank->vertex_capacity,
                                 rank->vertex_count + 1, sizeof *vertex, status));
    rank->vertices[rank->vertex_count++] = *vertex;
    return STATUS_OK;
}

status_code goal_add_edge(struct goal_rank *rank, uint32_t vertex, uint32_t need,
                          struct status *status) {
    RETURN_ERROR_IF(rank->edge_count >= UINT32_MAX - 2, status, STATUS_INPUT,
                    "rank %u: more than %u requirements", rank->rank, UINT32_MAX - 2);
    FORWARD_IF_ERROR(memory_grow((void **)&rank->edges, &rank->edge_capacity, rank->edge_count + 1,
                                 sizeof *rank->edges, status));
    rank->edges[rank->edge_count++] = (struct goal_edge){vertex, need};
    return STATUS_OK;
}

void goal_write_place(const struct goal_reader *reader, uint64_t place,
                      char text[GOAL_PLACE_TEXT]) {
    snprintf(text, GOAL_PLACE_TEXT, reader->is_binary ? "%s, byte %" PRIu64 : "%s:%" PRIu64,
             reader->path, place);
}

void goal_write_vertex_name(const struct goal_rank *rank, uint32_t vertex,
                            char text[GOAL_NAME_TEXT]) {
    uint32_t label = rank->vertices[vertex].label;
    if (label != 0)
        snprintf(text, GOAL_NAME_TEXT, "%.60s", rank->labels + label);
    else
        snprintf(text, GOAL_NAME_TEXT, "operation %u", vertex);
}

/* ---- the file ---- */

static status_code read_bytes(struct goal_reader *reader, FILE *file, struct status *status) {
    bool known = fseeko(file, 0, SEEK_END) == 0;
    off_t size = known ? ftello(file) : -1;
    RETURN_ERROR_IF(size < 0 || fseeko(file, 0, SEEK_SET) != 0, status, STATUS_INPUT,
                    "%s: cannot be read", reader->path);
    reader->bytes = malloc((size_t)size + 1);
    RETURN_ERROR_IF(reader->bytes == NULL, status, STATUS_MEMORY,
                    "out of memory for %s of %jd bytes", reader->path, (intmax_t)size);
    reader->size = fread(reader->bytes, 1, (size_t)size, file);
    reader->bytes[reader->size] = '\0';
    RETURN_ERROR_IF(reader->size != (size_t)size, status, STATUS_INPUT, "%s: cannot be read",
                    reader->path);
    reader->is_binary = goal_is_binary(reader->bytes, reader->size);
    return STATUS_OK;
}

static status_code begin_import(struct goal_reader *reader, struct status *status) {
    return reader->is_binary ? goal_binary_begin(reader, status) : goal_text_begin(reader, status);
}

static status_code next(struct goal_reader *reader, struct goal_rank *rank, bool *found,
                        struct status *status) {
    FORWARD_IF_ERROR(reader->is_binary ? goal_binary_next(reader, rank, found, status)
                                       : goal_text_next(reader, rank, found, status));
    return *found ? goal_order_vertices(reader, rank, status) : STATUS_OK;
}

/* ---- the program ---- */

static status_code define_communicators(struct program_builder *builder, uint32_t rank_count,
                                        struct status *status) {
    static const char *const names[] = {"GOAL", "GOAL, tags from 2^31"};
    uint32_t *members = memory_new(rank_count, sizeof *members), index;
    RETURN_ERROR_IF(members == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    rank_count);
    for (uint32_t i = 0; i < rank_count; i++)
        members[i] = i;
    status_code code = STATUS_OK;
    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++)
        code = builder_define_communicator(builder, names[i], members, rank_count, &index, status);
    free(members);
    return code;
}

static status_code append_vertex(struct program_builder *builder, struct goal_rank *rank,
                                 uint32_t index, struct status *status) {
    const struct goal_vertex *from = &rank->vertices[index];
    struct builder_vertex vertex = {.kind = from->kind, .cpu = from->cpu, .nic = from->nic};
    if (from->kind == OPERATION_COMPUTE) {
        vertex.duration_ps = (int64_t)from->duration_ns * 1000;
    } else {
        vertex.communicator = from->tag >> 31;
        vertex.tag = (int32_t)(from->tag & INT32_MAX);
        vertex.peer = from->peer;
        vertex.bytes = from->bytes;
    }
    uint32_t first = rank->first[index], count = rank->first[index + 1] - first;
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t need = rank->needs[i];
        rank->needs[i] =
            PROGRAM_NEED(rank->position[program_need_vertex(need)], program_need_only_begun(need));
    }
    const uint32_t *needs = count > 0 ? rank->needs + first : NULL; /* none at all: no array */
    return builder_append_vertex(builder, rank->rank, &vertex, needs, count, status);
}

static status_code append_ranks(struct goal_reader *reader, struct program_builder *builder,
                                struct goal_rank *rank, bool *seen, uint64_t *vertices,
                                void (*progress)(void *context, uint64_t done, uint64_t total),
                                void *context, struct status *status) {
    bool found = true;
    FORWARD_IF_ERROR(next(reader, rank, &found, status));
    for (uint32_t done = 1; found; done++) {
        RETURN_ERROR_IF(seen[rank->rank], status, STATUS_INPUT,
                        "%s:%" PRIu64 ": rank %u ends here for the second time", reader->path,
                        reader->line, rank->rank);
        seen[rank->rank] = true;
        *vertices += rank->vertex_count;
        for (uint32_t i = 0; i < rank->vertex_count; i++)
            FORWARD_IF_ERROR(append_vertex(builder, rank, rank->order[i], status));
        FORWARD_IF_ERROR(builder_end_rank(builder, rank->rank, status));
        if (progress != NULL) progress(context, done, reader->rank_count);
        FORWARD_IF_ERROR(next(reader, rank, &found, status));
    }
    for (uint32_t i = 0; i < reader->rank_count; i++)
        RETURN_ERROR_IF(!seen[i], status, STATUS_INPUT,
                        "%s: num_ranks is %u, but rank %u is missing (cut short?)", reader->path,
                        reader->rank_count, i);
    return STATUS_OK;
}

/* ---- messages without a partner ---- */

/* Finds the first message that is not matched. Returns false if there is none. */
static bool find_unmatched(const struct program *program, uint32_t *rank,
                           const struct program_operation **operation) {
    for (*rank = 0; *rank < program->rank_count; ++*rank) {
        const struct program_rank *rank_entry = &program->ranks[*rank];
        for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
            *operation = &program->operations[i];
            if (((*operation)->kind == OPERATION_SEND || (*operation)->kind == OPERATION_RECEIVE) &&
                (*operation)->message.match == PROGRAM_NONE)
                return true;
        }
    }
    return false;
}

/* Reads the file again up to the message, to tell its place. */
static status_code report_unmatched(struct goal_reader *reader, struct goal_rank *rank,
                                    const struct program *program, struct status *status) {
    const struct program_operation *operation = NULL;
    uint32_t number;
    if (!find_unmatched(program, &number, &operation)) return STATUS_OK;
    bool found = true;
    FORWARD_IF_ERROR(begin_import(reader, status));
    do
        FORWARD_IF_ERROR(next(reader, rank, &found, status));
    while (found && rank->rank != number);
    uint32_t vertex = rank->order[operation->message.slot];
    char place[GOAL_PLACE_TEXT], name[GOAL_NAME_TEXT];
    goal_write_place(reader, rank->vertices[vertex].place, place);
    goal_write_vertex_name(rank, vertex, name);
    bool sends = operation->kind == OPERATION_SEND;
    uint64_t all = program->unmatched_sends + program->unmatched_receives;
    return status_set(status, STATUS_INPUT,
                      "%s: rank %u, %s: %s rank %u with tag %u has no %s there; in all, %" PRIu64
                      " message%s without the other side",
                      place, number, name, sends ? "the send to" : "the recv from",
                      operation->message.peer, rank->vertices[vertex].tag, sends ? "recv" : "send",
                      all, all == 1 ? " is" : "s are");
}

static status_code import(struct goal_reader *reader, struct program **program, unsigned threads,
                          void (*progress)(void *context, uint64_t done, uint64_t total),
                          void *context, struct status *status) {
    FORWARD_IF_ERROR(begin_import(reader, status));
    struct program_builder *builder = builder_new(reader->rank_count, status);
    if (builder == NULL) return status->code;
    struct goal_rank rank = {0};
    uint64_t vertices = 0;
    bool *seen = memory_new(reader->rank_count, sizeof *seen);
    status_code code = seen != NULL ? define_communicators(builder, reader->rank_count, status)
                                    : status_set(status, STATUS_MEMORY,
                                                 "out of memory for %u ranks", reader->rank_count);
    if (code == STATUS_OK)
        code = append_ranks(reader, builder, &rank, seen, &vertices, progress, context, status);
    if (code == STATUS_OK) {
        builder_set_source(builder, reader->path, reader->is_binary ? "binary GOAL" : "GOAL",
                           vertices, reader->rank_count, 0);
        code = builder_seal(builder, threads, program, status);
    }
    if (code == STATUS_OK) code = report_unmatched(reader, &rank, *program, status);
    if (code != STATUS_OK && *program != NULL) {
        program_free(*program);
        *program = NULL;
    }
    free(seen);
    goal_rank_free(&rank);
    builder_free(builder);
    return code;
}

status_code traces_import_goal(struct program **program, const char *path, unsigned threads,
                               void (*progress)(void *context, uint64_t done, uint64_t total),
                               void *progress_context, struct status *status) {
    *program = NULL;
    struct goal_reader reader = {.path = path};
    FILE *file;
    FORWARD_IF_ERROR(input_file_open(&file, path, status));
    status_code code = read_bytes(&reader, file, status);
    fclose(file);
    if (code == STATUS_OK)
        code = import(&reader, program, threads, progress, progress_context, status);
    free(reader.bytes);
    return code;
}

/* ---- recognising ---- */

/* Returns the first character behind blanks and comments of a text. */
static const char *skip_comments(const char *text) {
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (strncmp(text, "//", 2) == 0) {
            text += strcspn(text, "\n");
        } else if (strncmp(text, "/*", 2) == 0) {
            const char *end = strstr(text + 2, "*/");
            if (end == NULL) return text;
            text = end + 2;
        } else {
            return text;
        }
    }
}

status_code traces_is_goal_file(bool *is_goal, const char *path, struct status *status) {
    static const char word[] = "num_ranks";
    char begin_of[1 << 12];
    FILE *file;
    *is_goal = false;
    FORWARD_IF_ERROR(input_file_open(&file, path, status));
    size_t size = fread(begin_of, 1, sizeof begin_of - 1, file);
    fclose(file);
    begin_of[size] = '\0';
    size_t length = strlen(path);
    const char *first = skip_comments(begin_of);
    *is_goal = goal_is_binary(begin_of, size) || strncmp(first, word, sizeof word - 1) == 0 ||
               (length > 5 && strcmp(path + length - 5, ".goal") == 0);
    return STATUS_OK;
}
