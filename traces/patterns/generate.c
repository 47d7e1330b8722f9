/*
 * Generated programs: the table of patterns, and the steps from a pattern to a sealed program. Must
 * not know how a pattern is made. A new pattern is a row in pattern_parts.h and its function.
 */
#include "core/memory/memory.h"
#include "core/settings/nearest_name.h"
#include "core/settings/units.h"
#include "traces/patterns/pattern_parts.h"
#include "traces/training.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct traces_pattern *traces_patterns(void) {
    static const struct traces_pattern rows[] = {
#define PATTERN_ROW(name, function, uses, help) {name, help, uses, function},
        PATTERN_ROWS(PATTERN_ROW)
#undef PATTERN_ROW
            {NULL, NULL, 0, NULL}};
    return rows;
}

/* Returns the pattern that the user probably meant: one with a similar name, or one whose name
 * contains this text; NULL if there is none. */
static const char *nearest_pattern(const char *name) {
    struct nearest_name search = nearest_name_begin(name);
    for (const struct traces_pattern *row = traces_patterns(); row->name != NULL; row++)
        nearest_name_offer(&search, row->name);
    if (search.name != NULL || strlen(name) < 3) return search.name;
    for (const struct traces_pattern *row = traces_patterns(); row->name != NULL; row++)
        if (strstr(row->name, name) != NULL) return row->name;
    return NULL;
}

static status_code find_pattern(const char *name, const struct traces_pattern **pattern,
                                struct status *status) {
    for (*pattern = traces_patterns(); (*pattern)->name != NULL; ++*pattern)
        if (strcmp((*pattern)->name, name) == 0) return STATUS_OK;
    const char *near = nearest_pattern(name);
    status_set(status, STATUS_USAGE, "there is no pattern %s%s%s%s; there are", name,
               near != NULL ? " (did you mean `" : "", near != NULL ? near : "",
               near != NULL ? "`?)" : "");
    for (const struct traces_pattern *row = traces_patterns(); row->name != NULL; row++)
        status_append(status, "  %s", row->name);
    return STATUS_USAGE;
}

/* Appends the settings training.* that are not the defaults. */
static void training_text(const struct training_config *config, char *text, size_t size) {
    struct training_config values = *config;
    struct setting_section section = {training_setting_rows, training_setting_count, &values};
    for (size_t i = 0; i < training_setting_count; i++) {
        const struct setting_row *row = &training_setting_rows[i];
        char *value = setting_new_text(&section, row);
        size_t length = strlen(text);
        if (value != NULL && strcmp(value, row->initial) != 0)
            snprintf(text + length, size - length, " --set %s=%s", row->name, value);
        free(value);
    }
}

/* Writes the name of the trace for reports: the options that generate it. */
static void source_text(const struct traces_pattern *pattern,
                        const struct traces_pattern_config *config, char *text, size_t size) {
    const char *barrier = config->has_barrier ? " --set generate.barrier=on" : "";
    if (pattern->uses & TRACES_USES_TRAINING) {
        snprintf(text, size, "%s --ranks %u --iterations %u%s", pattern->name, config->rank_count,
                 config->iterations, barrier);
        training_text(config->training, text, size);
        return;
    }
    char message[32], compute[32], neighbours[32] = "", root[32] = "", window[32] = "", size_of[64];
    units_size_text((int64_t)config->size_bytes, message, sizeof message);
    snprintf(size_of, sizeof size_of, " --size %s", message);
    if (pattern->uses & TRACES_USES_EDGE)
        snprintf(size_of, sizeof size_of, " --edge %u", config->edge);
    units_time_text(config->compute_ps, compute, sizeof compute);
    if (pattern->uses & TRACES_USES_NEIGHBOURS)
        snprintf(neighbours, sizeof neighbours, " --neighbours %u", config->neighbours);
    if (pattern->uses & TRACES_USES_ROOT) snprintf(root, sizeof root, " --root %u", config->root);
    if (pattern->uses & TRACES_USES_WINDOW)
        snprintf(window, sizeof window, " --window %u", config->window);
    snprintf(text, size, "%s --ranks %u --iterations %u%s --compute %s%s%s%s%s --seed %" PRIu64,
             pattern->name, config->rank_count, config->iterations, size_of, compute, neighbours,
             root, window, barrier, config->seed);
}

status_code traces_generate(struct program **program, const char *pattern,
                            const struct traces_pattern_config *config, struct status *status) {
    *program = NULL;
    const struct traces_pattern *row;
    FORWARD_IF_ERROR(find_pattern(pattern, &row, status));
    struct training_config training;
    struct traces_pattern_config own = *config;
    if (own.training == NULL) {
        FORWARD_IF_ERROR(training_set_defaults(&training, status));
        own.training = &training;
    }
    struct program_builder *builder = builder_new(own.rank_count, status);
    if (builder == NULL) return status_prefix(status, "pattern %s", pattern);
    status_code code = STATUS_OK;
    if (own.traces != NULL) {
        struct paging *paging = traces_paging(own.traces);
        if (paging == NULL)
            code = status_set(status, STATUS_MEMORY, "out of memory for a trace");
        else
            builder_set_paging(builder, paging);
    }
    if (code == STATUS_OK) code = pattern_define_world(builder, own.rank_count, status);
    if (code == STATUS_OK) code = row->build(&own, builder, status);
    if (code == STATUS_OK) {
        char source[2048];
        source_text(row, &own, source, sizeof source);
        uint32_t text = builder_define_string(builder, source);
        code = builder_seal(builder, 0, program, status);
        if (code == STATUS_OK) (*program)->source = text;
    }
    builder_free(builder);
    if (code != STATUS_OK) status_prefix(status, "pattern %s", pattern);
    return code;
}
