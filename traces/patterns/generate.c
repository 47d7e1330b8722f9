/*
 * Synthetic programs: the table of patterns and the way from one to a sealed program. Must not know
 * how a pattern is made; adding one is a row in pattern_parts.h and its function.
 */
#include "core/memory.h"
#include "core/nearest.h"
#include "traces/patterns/pattern_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const traces_pattern *traces_patterns(void) {
    static const traces_pattern rows[] = {
#define PATTERN_ROW(name, function, uses, help) {name, help, uses, function},
        PATTERN_ROWS(PATTERN_ROW)
#undef PATTERN_ROW
            {NULL, NULL, 0, NULL}};
    return rows;
}

/* The pattern that was probably meant, by a slip or by a part of its name; NULL for none. */
static const char *nearest_pattern(const char *name) {
    nearest search = nearest_to(name);
    for (const traces_pattern *row = traces_patterns(); row->name != NULL; row++)
        nearest_offer(&search, row->name);
    if (search.name != NULL || strlen(name) < 3) return search.name;
    for (const traces_pattern *row = traces_patterns(); row->name != NULL; row++)
        if (strstr(row->name, name) != NULL) return row->name;
    return NULL;
}

static status_code find_pattern(const char *name, const traces_pattern **pattern, status *status) {
    for (*pattern = traces_patterns(); (*pattern)->name != NULL; ++*pattern)
        if (strcmp((*pattern)->name, name) == 0) return STATUS_OK;
    const char *near = nearest_pattern(name);
    status_set(status, STATUS_USAGE, "there is no pattern %s%s%s%s; there are", name,
               near != NULL ? " (did you mean `" : "", near != NULL ? near : "",
               near != NULL ? "`?)" : "");
    for (const traces_pattern *row = traces_patterns(); row->name != NULL; row++)
        status_append(status, "  %s", row->name);
    return STATUS_USAGE;
}

/* What reports call the trace: the pattern with all its options. */
static void source_text(const char *pattern, const traces_pattern_config *config, char *text,
                        size_t size) {
    snprintf(text, size,
             "%s, %u ranks, %u iterations, %" PRIu64 " bytes, compute %" PRId64
             " ps, %u neighbours, root %u, seed %" PRIu64,
             pattern, config->rank_count, config->iterations, config->size_bytes,
             config->compute_ps, config->neighbours, config->root, config->seed);
}

static status_code define_world(program_builder *builder, uint32_t rank_count, status *status) {
    uint32_t *members = memory_new(rank_count, sizeof *members), world;
    RETURN_ERROR_IF(members == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    rank_count);
    for (uint32_t i = 0; i < rank_count; i++)
        members[i] = i;
    status_code code =
        builder_communicator(builder, "MPI_COMM_WORLD", members, rank_count, &world, status);
    free(members);
    return code;
}

status_code traces_generate(program **program, const char *pattern,
                            const traces_pattern_config *config, status *status) {
    *program = NULL;
    const traces_pattern *row;
    FORWARD_IF_ERROR(find_pattern(pattern, &row, status));
    program_builder *builder = builder_new(config->rank_count, status);
    if (builder == NULL) return status_prefix(status, "pattern %s", pattern);
    status_code code = define_world(builder, config->rank_count, status);
    if (code == STATUS_OK) code = row->build(config, builder, status);
    if (code == STATUS_OK) {
        char source[512];
        source_text(pattern, config, source, sizeof source);
        uint32_t text = builder_string(builder, source);
        code = builder_seal(builder, 0, program, status);
        if (code == STATUS_OK) (*program)->source = text;
    }
    builder_free(builder);
    if (code != STATUS_OK) status_prefix(status, "pattern %s", pattern);
    return code;
}
