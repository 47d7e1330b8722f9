/*
 * YAML configuration files. The only file that includes libfyaml.
 *
 * Knows the settings' tables, not what they mean. The file is read as a stream of events, never as
 * a tree, and nesting is followed only where a table has such a map: depth, aliases and size of a
 * hostile file cost nothing. Invariant: settings are touched only after the last event, and only
 * when there was no fault.
 */
#include "core/config_file.h"

#include "core/memory.h"
#include "core/nearest.h"
#include "core/source_report.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#define FILE_SIZE_MAX  ((size_t)1 << 20)
#define PATH_MAX_BYTES 256

/* A known name that the file has given: a setting with its value, or a map (value NULL). */
typedef struct entry {
    settings *settings; /* it is of; NULL: of none */
    char *path;
    char *value;
    size_t line;
} entry;

typedef struct reader {
    settings *settings;      /* being read into; NULL: none yet */
    const config_list *list; /* NULL: a file of settings */
    source_report report;
    struct fy_parser *parser;
    struct fy_event *event;    /* the current one; NULL once the stream has ended or broken */
    char path[PATH_MAX_BYTES]; /* of the current map, ends with a dot; "" at the top */
    entry *entries;
    size_t entry_count;
    size_t entry_capacity;
    bool no_memory;
} reader;

/* ---------------------------------------------------------------------------- events */

static void advance(reader *reader) {
    if (reader->event != NULL) fy_parser_event_free(reader->parser, reader->event);
    bool stop = source_report_full(&reader->report) || reader->no_memory;
    reader->event = stop ? NULL : fy_parser_parse(reader->parser);
}

static enum fy_event_type kind(const reader *reader) {
    return reader->event != NULL ? reader->event->type : FYET_NONE;
}

/* Goes past the current node, whatever is in it. */
static void skip_node(reader *reader) {
    size_t depth = 0;
    while (reader->event != NULL) {
        enum fy_event_type type = kind(reader);
        depth += type == FYET_MAPPING_START || type == FYET_SEQUENCE_START;
        depth -= type == FYET_MAPPING_END || type == FYET_SEQUENCE_END;
        advance(reader);
        if (depth == 0) return;
    }
}

typedef struct mark {
    size_t line;
    size_t column;
} mark;

static mark mark_of(const reader *reader) {
    const struct fy_mark *start = reader->event != NULL ? fy_event_start_mark(reader->event) : NULL;
    if (start == NULL || start->line < 0 || start->column < 0) return (mark){1, 1};
    /* libfyaml's places are after the sign that a quoted text or an alias starts with */
    bool signed_start = kind(reader) == FYET_ALIAS;
    if (kind(reader) == FYET_SCALAR) {
        enum fy_scalar_style style = fy_token_scalar_style(reader->event->scalar.value);
        signed_start = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    }
    size_t column = (size_t)start->column;
    return (mark){(size_t)start->line + 1, signed_start && column > 0 ? column : column + 1};
}

#define FAULT(reader, at, hint, ...)                                                               \
    source_fault(&(reader)->report, (at).line, (at).column, (hint), __VA_ARGS__)

/* Anchors, aliases and tags say nothing that a setting needs; false if the node has one. */
static bool is_bare(reader *reader) {
    const struct fy_event *event = reader->event;
    bool anchor = false, tag = false;
    switch (kind(reader)) {
    case FYET_ALIAS:
        FAULT(reader, mark_of(reader), NULL, "an alias (*name) cannot stand here; write the value");
        return false;
    case FYET_SCALAR:
        anchor = event->scalar.anchor != NULL, tag = event->scalar.tag != NULL;
        break;
    case FYET_MAPPING_START:
        anchor = event->mapping_start.anchor != NULL, tag = event->mapping_start.tag != NULL;
        break;
    case FYET_SEQUENCE_START:
        anchor = event->sequence_start.anchor != NULL, tag = event->sequence_start.tag != NULL;
        break;
    default:
        break;
    }
    if (anchor || tag)
        FAULT(reader, mark_of(reader), NULL, "%s means nothing here; remove it",
              anchor ? "an anchor (&name)" : "a tag (!name)");
    return !anchor && !tag;
}

/* The text of the current scalar, to be freed; NULL when out of memory. By chunks, because
 * fy_token_get_text of libfyaml 0.7.12 leaks for texts of many chunks. */
static char *join_chunks(reader *reader, size_t *length) {
    struct fy_token_iter *chunks = fy_token_iter_create(reader->event->scalar.value);
    const struct fy_iter_chunk *chunk = NULL;
    int error = 0;
    void *text = NULL;
    size_t capacity = 0;
    *length = 0;
    bool failed = chunks == NULL || memory_grow(&text, &capacity, 1, sizeof(char), NULL);
    while (!failed && (chunk = fy_token_iter_chunk_next(chunks, chunk, &error)) != NULL) {
        failed = memory_grow(&text, &capacity, *length + chunk->len + 1, sizeof(char), NULL);
        if (failed) break;
        memcpy((char *)text + *length, chunk->str, chunk->len);
        *length += chunk->len;
    }
    if (chunks != NULL) fy_token_iter_destroy(chunks);
    if (failed || error != 0) {
        reader->no_memory = true;
        free(text);
        return NULL;
    }
    ((char *)text)[*length] = '\0';
    return text;
}

/* The current scalar as a text to be freed; NULL after a fault. */
static char *scalar_text(reader *reader) {
    size_t length;
    char *text = join_chunks(reader, &length);
    if (text == NULL) return NULL;
    bool single_quoted = fy_token_scalar_style(reader->event->scalar.value) == FYSS_SINGLE_QUOTED;
    if (strlen(text) < length) {
        FAULT(reader, mark_of(reader), NULL, "a text with a zero character");
    } else if (single_quoted && strstr(text, "''") != NULL) {
        /* libfyaml 0.7.12 counts such quotes wrongly when it gives a text by chunks */
        FAULT(reader, mark_of(reader), NULL,
              "several quotes in a row in a single-quoted text; write it in double quotes");
    } else {
        return text;
    }
    free(text);
    return NULL;
}

/* Nothing was written where a node could be ("latency:"). */
static bool is_empty(const reader *reader) {
    if (kind(reader) != FYET_SCALAR) return false;
    struct fy_token *value = reader->event->scalar.value;
    return fy_token_scalar_style(value) == FYSS_PLAIN && fy_token_get_text_length(value) == 0;
}

/* ---------------------------------------------------------------------------- names */

/* A row inside the map called path, NULL when no table has such a map. */
static const setting_row *first_row_in(const settings *settings, const char *path) {
    size_t length = strlen(path);
    for (size_t i = 0; i < settings->section_count; i++) {
        const setting_section *section = &settings->sections[i];
        for (size_t j = 0; j < section->row_count; j++) {
            const char *name = section->rows[j].name;
            if (strncmp(name, path, length) == 0 && name[length] == '.') return &section->rows[j];
        }
    }
    return NULL;
}

/* The map of the tables whose name is nearest to path, in near; false when none is near. */
static bool nearest_map(const settings *settings, const char *path, char *near, size_t size) {
    bool found = false;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < settings->section_count; i++) {
        const setting_section *section = &settings->sections[i];
        for (size_t j = 0; j < section->row_count; j++) {
            const char *name = section->rows[j].name;
            for (const char *dot = strchr(name, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
                char map[PATH_MAX_BYTES];
                snprintf(map, sizeof map, "%.*s", (int)(dot - name), name);
                nearest search = nearest_to(path);
                nearest_offer(&search, map);
                if (search.name == NULL || search.distance >= best) continue;
                best = search.distance;
                snprintf(near, size, "%s", map);
                found = true;
            }
        }
    }
    return found;
}

/* Maps are offered first for maps, settings for values. */
static void unknown_name(reader *reader, mark at, const char *path, bool is_map) {
    char near[PATH_MAX_BYTES], hint[PATH_MAX_BYTES + 32];
    bool found = is_map && nearest_map(reader->settings, path, near, sizeof near);
    const char *setting = found ? NULL : settings_nearest(reader->settings, path);
    if (setting != NULL) snprintf(near, sizeof near, "%s", setting);
    found = found || setting != NULL || nearest_map(reader->settings, path, near, sizeof near);
    if (found) snprintf(hint, sizeof hint, "did you mean `%s`?", near);
    FAULT(reader, at, found ? hint : NULL, "there is no setting `%.80s`", path);
}

/* Notes that the file gives a known name; NULL if it did so before, or memory is short. */
static entry *enter(reader *reader, mark at, const char *path) {
    for (size_t i = 0; i < reader->entry_count; i++) {
        if (reader->entries[i].settings != reader->settings ||
            strcmp(reader->entries[i].path, path) != 0)
            continue;
        FAULT(reader, at, NULL, "`%s` is given twice, first in line %zu", path,
              reader->entries[i].line);
        return NULL;
    }
    void *entries = reader->entries;
    if (memory_grow(&entries, &reader->entry_capacity, reader->entry_count + 1,
                    sizeof *reader->entries, NULL) == STATUS_OK) {
        reader->entries = entries;
        entry *added = &reader->entries[reader->entry_count];
        *added = (entry){reader->settings, strdup(path), NULL, at.line};
        if (added->path != NULL) {
            reader->entry_count++;
            return added;
        }
    }
    reader->no_memory = true;
    return NULL;
}

/* ---------------------------------------------------------------------------- nodes */

static void read_map(reader *reader);

/* The current node is the value of a setting. */
static void read_value(reader *reader, mark key, const setting_row *row, entry *entry) {
    mark at = mark_of(reader);
    char range[256];
    setting_range_text(row, range, sizeof range);
    if (!is_bare(reader)) {
        /* told */
    } else if (kind(reader) != FYET_SCALAR) {
        FAULT(reader, at, NULL, "%s takes %s, not a %s", row->name, range,
              kind(reader) == FYET_SEQUENCE_START ? "list" : "map");
    } else if (is_empty(reader)) {
        FAULT(reader, key, NULL, "%s has no value; it takes %s", row->name, range);
    } else {
        status status = STATUS_INIT;
        entry->value = scalar_text(reader);
        if (entry->value != NULL && setting_check(row, entry->value, &status) != STATUS_OK)
            FAULT(reader, at, NULL, "%s: %s", row->name, status.text);
        status_clear(&status);
    }
    skip_node(reader);
}

/* The current node is what stands under the name of a map. */
static void read_inner_map(reader *reader, const char *path, const setting_row *example) {
    if (is_empty(reader) || !is_bare(reader)) {
        skip_node(reader);
    } else if (kind(reader) == FYET_MAPPING_START) {
        size_t outer = strlen(reader->path);
        snprintf(reader->path, sizeof reader->path, "%s.", path);
        read_map(reader);
        reader->path[outer] = '\0';
    } else {
        FAULT(reader, mark_of(reader), NULL,
              "`%s` is a group of settings; write them below it by name, such as `%s`", path,
              example->name + strlen(path) + 1);
        skip_node(reader);
    }
}

/* The current node is the value of the list's key: items, each with settings of its own. */
static void read_list(reader *reader, mark at, const char *key) {
    const config_list *list = reader->list;
    bool known = strcmp(key, list->key) == 0;
    if (!known)
        FAULT(reader, at, NULL, "there is nothing called `%.80s` here, but only the list `%s`", key,
              list->key);
    else if (enter(reader, at, key) != NULL && is_bare(reader) &&
             kind(reader) != FYET_SEQUENCE_START)
        FAULT(reader, mark_of(reader), NULL, "`%s` is a list: write every %s below it, after `- `",
              list->key, list->item);
    if (!known || kind(reader) != FYET_SEQUENCE_START) {
        skip_node(reader);
        return;
    }
    advance(reader);
    while (reader->event != NULL && kind(reader) != FYET_SEQUENCE_END) {
        mark start = mark_of(reader);
        if (!is_bare(reader) || kind(reader) != FYET_MAPPING_START) {
            if (kind(reader) != FYET_MAPPING_START && kind(reader) != FYET_ALIAS)
                FAULT(reader, start, NULL, "a %s is a map, such as `- trace: traces.otf2`",
                      list->item);
            skip_node(reader);
            continue;
        }
        reader->settings = list->next(list->context, start.line);
        reader->no_memory = reader->no_memory || reader->settings == NULL;
        if (reader->no_memory) return;
        read_map(reader);
        reader->settings = NULL;
    }
    advance(reader);
}

/* The current node is the value that belongs to a key. */
static void read_entry(reader *reader, mark at, const char *key) {
    if (reader->settings == NULL) {
        read_list(reader, at, key);
        return;
    }
    char path[PATH_MAX_BYTES];
    bool fits = snprintf(path, sizeof path, "%s%s", reader->path, key) < (int)sizeof path;
    bool is_text = strcmp(path, "description") == 0 || strcmp(path, "source") == 0;
    const setting_row *row = settings_find(reader->settings, path, NULL);
    const setting_row *inner = first_row_in(reader->settings, path);
    if (!fits || (!is_text && row == NULL && inner == NULL)) {
        unknown_name(reader, at, path, kind(reader) == FYET_MAPPING_START);
        skip_node(reader);
        return;
    }
    entry *entry = enter(reader, at, path);
    if (entry == NULL || (is_text && row == NULL))
        skip_node(reader);
    else if (row != NULL && (inner == NULL || kind(reader) != FYET_MAPPING_START))
        read_value(reader, at, row, entry);
    else
        read_inner_map(reader, path, inner);
}

/* The current event starts a map; goes past its end. */
static void read_map(reader *reader) {
    advance(reader);
    while (reader->event != NULL && kind(reader) != FYET_MAPPING_END) {
        mark at = mark_of(reader);
        if (!is_bare(reader) || kind(reader) != FYET_SCALAR) {
            if (kind(reader) != FYET_SCALAR && kind(reader) != FYET_ALIAS)
                FAULT(reader, at, NULL, "a name is expected here");
            skip_node(reader);
            skip_node(reader);
            continue;
        }
        char *key = scalar_text(reader);
        advance(reader);
        if (key == NULL)
            skip_node(reader);
        else if (reader->event != NULL)
            read_entry(reader, at, key);
        free(key);
    }
    advance(reader);
}

static void read_stream(reader *reader) {
    advance(reader); /* stream start */
    advance(reader);
    if (kind(reader) != FYET_DOCUMENT_START) return; /* nothing but comments */
    advance(reader);
    if (kind(reader) == FYET_MAPPING_START && is_bare(reader)) {
        read_map(reader);
    } else if (reader->event != NULL) {
        if (kind(reader) != FYET_MAPPING_START && !is_empty(reader))
            FAULT(reader, mark_of(reader), NULL, "settings are expected here, as `name: value`");
        skip_node(reader);
    }
    advance(reader); /* document end */
    if (kind(reader) == FYET_DOCUMENT_START)
        FAULT(reader, mark_of(reader), NULL, "a second document (---); one file is one document");
}

/* ---------------------------------------------------------------------------- files */

/* libfyaml collects its errors; nothing of it may reach a terminal. */
static void swallow(struct fy_diag *diag, void *user, const char *text, size_t length) {
    (void)diag, (void)user, (void)text, (void)length;
}

static void tell_syntax_errors(reader *reader, struct fy_diag *diag) {
    void *previous = NULL;
    const struct fy_diag_error *error;
    while ((error = fy_diag_errors_iterate(diag, &previous)) != NULL) {
        if (error->type < FYET_ERROR || source_report_full(&reader->report)) continue;
        bool placed = error->line > 0 && error->column > 0;
        source_fault(&reader->report, placed ? (size_t)error->line : 1,
                     placed ? (size_t)error->column : 0, NULL, "YAML: %s", error->msg);
    }
}

static status_code parse(reader *reader, status *status) {
    struct fy_diag_cfg diag_config;
    fy_diag_cfg_default(&diag_config);
    diag_config.fp = NULL;
    diag_config.output_fn = swallow;
    diag_config.colorize = false;
    struct fy_diag *diag = fy_diag_create(&diag_config);
    if (diag != NULL) fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg parse_config = {.flags = FYPCF_DEFAULT_PARSE, .diag = diag};
    reader->parser = diag != NULL ? fy_parser_create(&parse_config) : NULL;
    bool ready = reader->parser != NULL && fy_parser_set_string(reader->parser, reader->report.text,
                                                                reader->report.size) == 0;
    if (ready) {
        read_stream(reader);
        unsigned told = reader->report.faults;
        if (reader->event != NULL) fy_parser_event_free(reader->parser, reader->event);
        if (fy_parser_get_stream_error(reader->parser)) {
            tell_syntax_errors(reader, diag);
            if (told == reader->report.faults)
                source_fault(&reader->report, 1, 0, NULL, "this is not YAML");
        }
    }
    if (reader->parser != NULL) fy_parser_destroy(reader->parser);
    if (diag != NULL) fy_diag_destroy(diag);
    RETURN_ERROR_IF(!ready || reader->no_memory, status, STATUS_MEMORY, "%s: out of memory",
                    reader->report.name);
    return STATUS_OK;
}

static status_code apply(const reader *reader, status *status) {
    for (size_t i = 0; i < reader->entry_count; i++) {
        const entry *entry = &reader->entries[i];
        if (entry->value != NULL)
            FORWARD_IF_ERROR(settings_set(entry->settings, entry->path, entry->value, status));
    }
    return STATUS_OK;
}

/* Either settings or a list. */
static status_code text_read(settings *settings, const config_list *list, const char *name,
                             const char *text, size_t size, status *status) {
    RETURN_ERROR_IF(size > FILE_SIZE_MAX, status, STATUS_INPUT,
                    "%s: %zu bytes; a configuration has at most %zu", name, size, FILE_SIZE_MAX);
    reader reader = {.settings = settings, .list = list, .report = SOURCE_REPORT(name, text, size)};
    status_code code = STATUS_OK;
    if (source_text_check(&reader.report)) code = parse(&reader, status);
    status_code faults = source_report_close(&reader.report, code == STATUS_OK ? status : NULL);
    if (code == STATUS_OK) code = faults;
    if (code == STATUS_OK) code = apply(&reader, status);
    for (size_t i = 0; i < reader.entry_count; i++) {
        free(reader.entries[i].path);
        free(reader.entries[i].value);
    }
    free(reader.entries);
    return code;
}

static status_code file_read(settings *settings, const config_list *list, const char *path,
                             status *status) {
    char *text;
    size_t size;
    FORWARD_IF_ERROR(source_file_read(path, FILE_SIZE_MAX, &text, &size, status));
    status_code code = text_read(settings, list, path, text, size, status);
    free(text);
    return code;
}

status_code config_text_read(settings *settings, const char *name, const char *text, size_t size,
                             status *status) {
    return text_read(settings, NULL, name, text, size, status);
}

status_code config_file_read(settings *settings, const char *path, status *status) {
    return file_read(settings, NULL, path, status);
}

status_code config_list_text_read(const config_list *list, const char *name, const char *text,
                                  size_t size, status *status) {
    return text_read(NULL, list, name, text, size, status);
}

status_code config_list_read(const config_list *list, const char *path, status *status) {
    return file_read(NULL, list, path, status);
}
