/*
 * Scales computation by region.
 *
 * Invariant: the number and the order of operations do not change, so indices stay valid.
 */
#include "traces/program/edit/program_scale.h"

#include "core/base/utf8.h"
#include "core/memory/memory.h"
#include "core/settings/units.h"
#include "traces/program/edit/program_regions.h"
#include "traces/program/program_hash.h"
#include "traces/program/program_packed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTION       "trace.compute_scale"
#define FACTOR_LIMIT INT64_C(1000000000000)
#define UNSCALED     INT64_C(-1)

struct scaler {
    struct program *program;
    const char *scales;
    int64_t *factors; /* factor of each region, in millionths; UNSCALED: none */
    int64_t *open;    /* factors of the open scaled regions of the rank, outermost first */
    size_t depth, capacity;
    int64_t computed_ps; /* scaled, since the rank's last call */
};

/* Finds the factor of an entry REGION:FACTOR and its length. The factor is followed by a comma or
 * the end of the text: names may contain commas and colons too ("solve<double, 3>",
 * "mesh::smooth"). Returns NULL if there is none. */
static const char *find_factor(const char *entry, size_t *length) {
    for (const char *colon = strchr(entry, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        *length = strspn(colon + 1, "0123456789.% ");
        char end = colon[1 + *length];
        if (*length > 0 && colon > entry && (end == ',' || end == '\0')) return colon + 1;
    }
    return NULL;
}

static status_code set_factor(struct scaler *scaler, const char *name, size_t length,
                              int64_t factor, struct status *status) {
    const struct program *program = scaler->program;
    if (!program_has_region(program, name, length))
        return program_set_unknown_region(program, OPTION, scaler->scales, name, length, status);
    for (uint32_t i = 0; i < program->region_count; i++) {
        if (!program_region_has_name(program, i, name, length)) continue;
        RETURN_ERROR_IF(program->regions[i].is_mpi, status, STATUS_USAGE,
                        OPTION ": %.*s is an MPI call; there is no computation in it", (int)length,
                        name);
        RETURN_ERROR_IF(scaler->factors[i] != UNSCALED, status, STATUS_USAGE,
                        OPTION ": region %.*s has two factors", (int)length, name);
        scaler->factors[i] = factor;
    }
    return STATUS_OK;
}

static status_code read_entry(struct scaler *scaler, const char **entry, struct status *status) {
    size_t length;
    char number[64];
    const char *factor = find_factor(*entry, &length);
    RETURN_ERROR_IF(factor == NULL || length >= sizeof number, status, STATUS_USAGE,
                    OPTION ": `%.*s` is not REGION:FACTOR (solve:0.5); several are separated by "
                           "commas",
                    UTF8_SHOWN(*entry, 80));
    memcpy(number, factor, length);
    number[length] = '\0';
    int64_t millionths;
    if (units_parse_ratio(number, &millionths, status) != STATUS_OK) {
        status_prefix(status, OPTION);
        return STATUS_USAGE;
    }
    RETURN_ERROR_IF(millionths > FACTOR_LIMIT, status, STATUS_USAGE,
                    OPTION ": a factor of %s; at most 1000000 is possible", number);
    size_t name_length = (size_t)(factor - 1 - *entry);
    while (name_length > 0 && (*entry)[name_length - 1] == ' ')
        name_length--;
    FORWARD_IF_ERROR(set_factor(scaler, *entry, name_length, millionths, status));
    *entry = factor + length;
    if (**entry == '\0') return STATUS_OK;
    *entry += 1 + strspn(*entry + 1, " ");
    RETURN_ERROR_IF(**entry == '\0', status, STATUS_USAGE, OPTION ": `%.*s` ends with a comma",
                    UTF8_SHOWN(scaler->scales, 80));
    return STATUS_OK;
}

static status_code enter_region(struct scaler *scaler, uint32_t region, struct status *status) {
    if (scaler->factors[region] == UNSCALED) return STATUS_OK;
    FORWARD_IF_ERROR(memory_grow((void **)&scaler->open, &scaler->capacity, scaler->depth + 1,
                                 sizeof *scaler->open, status));
    scaler->open[scaler->depth++] = scaler->factors[region];
    return STATUS_OK;
}

/* Scales a computation, or, with change false, only tests that it does not become too long. */
static status_code scale_compute(struct scaler *scaler, uint32_t rank,
                                 struct program_operation *operation, bool change,
                                 struct status *status) {
    wide scaled = (wide)operation->compute.duration_ps;
    if (scaler->depth > 0) scaled = scaled * (uint64_t)scaler->open[scaler->depth - 1] / 1000000;
    if (scaled == 0) scaled = 1;
    RETURN_ERROR_IF(scaled > (wide)(PROGRAM_TIME_LIMIT_PS - scaler->computed_ps), status,
                    STATUS_INPUT,
                    OPTION ": a computation of rank %" PRIu32 " becomes longer than %" PRId64 " s",
                    rank, PROGRAM_TIME_LIMIT_PS / INT64_C(1000000000000));
    scaler->computed_ps += (int64_t)scaled;
    if (change) operation->compute.duration_ps = (int64_t)scaled;
    return STATUS_OK;
}

static status_code scale_rank(struct scaler *scaler, uint32_t rank, bool change,
                              struct status *status) {
    const struct program_rank *rank_entry = &scaler->program->ranks[rank];
    scaler->depth = 0;
    scaler->computed_ps = 0;
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        struct program_operation *operation = &scaler->program->operations[i];
        if (operation->kind == OPERATION_ENTER)
            FORWARD_IF_ERROR(enter_region(scaler, operation->mark.region, status));
        else if (operation->kind == OPERATION_LEAVE)
            scaler->depth -= scaler->factors[operation->mark.region] != UNSCALED;
        else if (operation->kind == OPERATION_CALL)
            scaler->computed_ps = 0;
        else if (operation->kind == OPERATION_COMPUTE)
            FORWARD_IF_ERROR(scale_compute(scaler, rank, operation, change, status));
    }
    return STATUS_OK;
}

/* Appends the scales to the program's source: "traces.otf2, compute solve:0.5". */
static status_code append_to_source(struct program *program, const char *scales,
                                    struct status *status) {
    const char *source = program_text(program, program->source);
    size_t size = strlen(source) + strlen(scales) + sizeof ", compute ";
    RETURN_ERROR_IF(program->string_bytes + size > UINT32_MAX, status, STATUS_INPUT,
                    "the names of the trace are too long");
    char *strings = malloc((size_t)program->string_bytes + size);
    RETURN_ERROR_IF(strings == NULL, status, STATUS_MEMORY, "out of memory for a name");
    memcpy(strings, program->strings, (size_t)program->string_bytes);
    snprintf(strings + program->string_bytes, size, "%s, compute %s", source, scales);
    free(program->strings);
    program->strings = strings;
    program->source = (uint32_t)program->string_bytes;
    program->string_bytes += size;
    return STATUS_OK;
}

static status_code scale(struct scaler *scaler, unsigned threads, struct status *status) {
    struct program *program = scaler->program;
    for (uint32_t i = 0; i < program->region_count; i++)
        scaler->factors[i] = UNSCALED;
    for (const char *entry = scaler->scales; *entry != '\0';)
        FORWARD_IF_ERROR(read_entry(scaler, &entry, status));
    for (int change = 0; change < 2; change++)
        for (uint32_t rank = 0; rank < program->rank_count; rank++)
            FORWARD_IF_ERROR(scale_rank(scaler, rank, change == 1, status));
    FORWARD_IF_ERROR(append_to_source(program, scaler->scales, status));
    return program_hash(program, threads, &program->content_hash, status);
}

status_code program_scale(struct program *program, const char *scales, unsigned threads,
                          struct status *status) {
    FORWARD_IF_ERROR(program_unpack(program, status));
    struct scaler scaler = {.program = program,
                            .scales = scales,
                            .factors = memory_new(program->region_count, sizeof(int64_t))};
    RETURN_ERROR_IF(scaler.factors == NULL, status, STATUS_MEMORY, "out of memory for %u regions",
                    program->region_count);
    status_code code = scale(&scaler, threads, status);
    free(scaler.factors);
    free(scaler.open);
    return code;
}
