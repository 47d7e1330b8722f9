/*
 * Configuration files: turns the names and values of a YAML text into settings.
 *
 * Knows the tables of settings, not their meaning. Follows nested maps only if a table has such a
 * map. Invariant: settings change only after the end of the text, and only if it has no fault.
 */
#include "core/settings/config_file.h"

#include "core/base/utf8.h"
#include "core/memory/memory.h"
#include "core/settings/nearest_name.h"
#include "core/settings/source_report.h"
#include "core/settings/yaml_stream.h"

#include <stdlib.h>
#include <string.h>

#define FILE_SIZE_MAX  ((size_t)1 << 20)
#define PATH_MAX_BYTES 256

/* A known name in the file: a setting with its value, or a map (value NULL). */
struct entry {
    struct settings *settings; /* settings to which it belongs; NULL: the key of a list */
    char *path;
    char *value;
    struct yaml_mark at;
};

struct reader {
    struct settings *settings;      /* settings to read into; NULL: none yet */
    const struct config_list *list; /* NULL: the file has settings, not a list */
    struct yaml_stream yaml;
    char path[PATH_MAX_BYTES]; /* name of the current map, ends with a dot; "" at the top */
    struct entry *entries;
    size_t entry_count;
    size_t entry_capacity;
};

/* ---------------------------------------------------------------------------- names */

/* Returns a row inside the map called path; NULL if no table has such a map. */
static const struct setting_row *first_row_in(const struct settings *settings, const char *path) {
    size_t length = strlen(path);
    for (size_t i = 0; i < settings->section_count; i++) {
        const struct setting_section *section = &settings->sections[i];
        for (size_t j = 0; j < section->row_count; j++) {
            const char *name = section->rows[j].name;
            if (strncmp(name, path, length) == 0 && name[length] == '.') return &section->rows[j];
        }
    }
    return NULL;
}

/* Writes the name of the map that is nearest to path to `near`. Returns false if none is near. */
static bool nearest_map(const struct settings *settings, const char *path, char *near,
                        size_t size) {
    bool found = false;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < settings->section_count; i++) {
        const struct setting_section *section = &settings->sections[i];
        for (size_t j = 0; j < section->row_count; j++) {
            const char *name = section->rows[j].name;
            for (const char *dot = strchr(name, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
                char map[PATH_MAX_BYTES];
                snprintf(map, sizeof map, "%.*s", (int)(dot - name), name);
                struct nearest_name search = nearest_name_begin(path);
                nearest_name_offer(&search, map);
                if (search.name == NULL || search.distance >= best) continue;
                best = search.distance;
                snprintf(near, size, "%s", map);
                found = true;
            }
        }
    }
    return found;
}

/* Adds a fault for an unknown name. The hint is a map for a map and a setting for a value, if there
 * is one. */
static void unknown_name(struct reader *reader, struct yaml_mark at, const char *path,
                         bool is_map) {
    struct yaml_stream *yaml = &reader->yaml;
    char near[PATH_MAX_BYTES], hint[PATH_MAX_BYTES + 32];
    bool found = is_map && nearest_map(reader->settings, path, near, sizeof near);
    const char *setting = found ? NULL : settings_nearest(reader->settings, path);
    if (setting != NULL) snprintf(near, sizeof near, "%s", setting);
    found = found || setting != NULL || nearest_map(reader->settings, path, near, sizeof near);
    if (found) snprintf(hint, sizeof hint, "did you mean `%s`?", near);
    YAML_FAULT(yaml, at, found ? hint : NULL, "there is no setting `%.*s`", UTF8_SHOWN(path, 80));
}

/* Records that the file gives a known name. Returns NULL if the name is given twice (a fault) or if
 * out of memory. */
static struct entry *note_name(struct reader *reader, struct yaml_mark at, const char *path) {
    struct yaml_stream *yaml = &reader->yaml;
    for (size_t i = 0; i < reader->entry_count; i++) {
        if (reader->entries[i].settings != reader->settings ||
            strcmp(reader->entries[i].path, path) != 0)
            continue;
        YAML_FAULT(yaml, at, NULL, "`%s` is given twice, first in line %zu", path,
                   reader->entries[i].at.line);
        return NULL;
    }
    void *entries = reader->entries;
    if (memory_grow(&entries, &reader->entry_capacity, reader->entry_count + 1,
                    sizeof *reader->entries, NULL) == STATUS_OK) {
        reader->entries = entries;
        struct entry *added = &reader->entries[reader->entry_count];
        *added = (struct entry){reader->settings, strdup(path), NULL, at};
        if (added->path != NULL) {
            reader->entry_count++;
            return added;
        }
    }
    yaml->out_of_memory = true;
    return NULL;
}

/* ---------------------------------------------------------------------------- nodes */

static void read_map(struct reader *reader);

/* Reads the current node as the value of a setting. */
static void read_value(struct reader *reader, struct yaml_mark key, const struct setting_row *row,
                       struct entry *entry) {
    struct yaml_stream *yaml = &reader->yaml;
    struct yaml_mark at = yaml_mark_of(yaml);
    char range[256];
    setting_range_text(row, range, sizeof range);
    if (!yaml_is_bare(yaml)) {
        /* yaml_is_bare has added the fault */
    } else if (yaml_kind_of(yaml) != YAML_SCALAR) {
        YAML_FAULT(yaml, at, NULL, "%s takes %s, not a %s", row->name, range,
                   yaml_kind_of(yaml) == YAML_LIST ? "list" : "map");
    } else if (yaml_is_empty(yaml)) {
        YAML_FAULT(yaml, key, NULL, "%s has no value; it takes %s", row->name, range);
    } else {
        struct status status = STATUS_INIT;
        entry->value = yaml_text(yaml);
        if (entry->value != NULL && setting_check(row, entry->value, &status) != STATUS_OK)
            YAML_FAULT(yaml, at, NULL, "%s: %s", row->name, status.text);
        status_clear(&status);
    }
    yaml_skip_node(yaml);
}

/* Reads the current node as the map called path. */
static void read_inner_map(struct reader *reader, const char *path,
                           const struct setting_row *example) {
    struct yaml_stream *yaml = &reader->yaml;
    if (yaml_is_empty(yaml) || !yaml_is_bare(yaml)) {
        yaml_skip_node(yaml);
    } else if (yaml_kind_of(yaml) == YAML_MAP) {
        size_t outer = strlen(reader->path);
        snprintf(reader->path, sizeof reader->path, "%s.", path);
        read_map(reader);
        reader->path[outer] = '\0';
    } else {
        YAML_FAULT(yaml, yaml_mark_of(yaml), NULL,
                   "`%s` is a group of settings; write them below it by name, such as `%s`", path,
                   example->name + strlen(path) + 1);
        yaml_skip_node(yaml);
    }
}

/* Reads the current node as the value of the list's key: items, each with settings of its own. */
static void read_list(struct reader *reader, struct yaml_mark at, const char *key) {
    struct yaml_stream *yaml = &reader->yaml;
    const struct config_list *list = reader->list;
    bool known = strcmp(key, list->key) == 0;
    if (!known)
        YAML_FAULT(yaml, at, NULL, "there is nothing called `%.*s` here, but only the list `%s`",
                   UTF8_SHOWN(key, 80), list->key);
    else if (note_name(reader, at, key) != NULL && yaml_is_bare(yaml) &&
             yaml_kind_of(yaml) != YAML_LIST)
        YAML_FAULT(yaml, yaml_mark_of(yaml), NULL,
                   "`%s` is a list: write every %s below it, after `- `", list->key, list->item);
    if (!known || yaml_kind_of(yaml) != YAML_LIST) {
        yaml_skip_node(yaml);
        return;
    }
    yaml_advance(yaml);
    while (yaml_kind_of(yaml) != YAML_NONE && yaml_kind_of(yaml) != YAML_LIST_END) {
        struct yaml_mark start = yaml_mark_of(yaml);
        if (!yaml_is_bare(yaml) || yaml_kind_of(yaml) != YAML_MAP) {
            if (yaml_kind_of(yaml) != YAML_MAP && yaml_kind_of(yaml) != YAML_ALIAS)
                YAML_FAULT(yaml, start, NULL, "a %s is a map, such as `- trace: traces.otf2`",
                           list->item);
            yaml_skip_node(yaml);
            continue;
        }
        reader->settings = list->next(list->context, start.line);
        yaml->out_of_memory = yaml->out_of_memory || reader->settings == NULL;
        if (yaml->out_of_memory) return;
        read_map(reader);
        reader->settings = NULL;
    }
    yaml_advance(yaml);
}

/* Reads the current node as the value of a key. */
static void read_entry(struct reader *reader, struct yaml_mark at, const char *key) {
    struct yaml_stream *yaml = &reader->yaml;
    if (reader->settings == NULL) {
        read_list(reader, at, key);
        return;
    }
    char path[PATH_MAX_BYTES];
    bool fits = snprintf(path, sizeof path, "%s%s", reader->path, key) < (int)sizeof path;
    bool is_text = strcmp(path, "description") == 0 || strcmp(path, "source") == 0;
    const struct setting_row *row = settings_find(reader->settings, path, NULL);
    const struct setting_row *inner = first_row_in(reader->settings, path);
    if (!fits || (!is_text && row == NULL && inner == NULL)) {
        unknown_name(reader, at, path, yaml_kind_of(yaml) == YAML_MAP);
        yaml_skip_node(yaml);
        return;
    }
    struct entry *entry = note_name(reader, at, path);
    if (entry == NULL || (is_text && row == NULL))
        yaml_skip_node(yaml);
    else if (row != NULL && (inner == NULL || yaml_kind_of(yaml) != YAML_MAP))
        read_value(reader, at, row, entry);
    else
        read_inner_map(reader, path, inner);
}

/* Reads a map, from its start event past its end. */
static void read_map(struct reader *reader) {
    struct yaml_stream *yaml = &reader->yaml;
    yaml_advance(yaml);
    while (yaml_kind_of(yaml) != YAML_NONE && yaml_kind_of(yaml) != YAML_MAP_END) {
        struct yaml_mark at = yaml_mark_of(yaml);
        if (!yaml_is_bare(yaml) || yaml_kind_of(yaml) != YAML_SCALAR) {
            if (yaml_kind_of(yaml) != YAML_SCALAR && yaml_kind_of(yaml) != YAML_ALIAS)
                YAML_FAULT(yaml, at, NULL, "a name is expected here");
            yaml_skip_node(yaml);
            yaml_skip_node(yaml);
            continue;
        }
        char *key = yaml_text(yaml);
        yaml_advance(yaml);
        if (key == NULL)
            yaml_skip_node(yaml);
        else if (yaml_kind_of(yaml) != YAML_NONE)
            read_entry(reader, at, key);
        free(key);
    }
    yaml_advance(yaml);
}

static void read_document(struct reader *reader) {
    struct yaml_stream *yaml = &reader->yaml;
    if (yaml_kind_of(yaml) != YAML_DOCUMENT) return; /* only comments */
    yaml_advance(yaml);
    if (yaml_kind_of(yaml) == YAML_MAP && yaml_is_bare(yaml)) {
        read_map(reader);
    } else if (yaml_kind_of(yaml) != YAML_NONE) {
        if (yaml_kind_of(yaml) != YAML_MAP && !yaml_is_empty(yaml))
            YAML_FAULT(yaml, yaml_mark_of(yaml), NULL,
                       "settings are expected here, as `name: value`");
        yaml_skip_node(yaml);
    }
    yaml_advance(yaml); /* document end */
    if (yaml_kind_of(yaml) == YAML_DOCUMENT)
        YAML_FAULT(yaml, yaml_mark_of(yaml), NULL,
                   "a second document (---); one file is one document");
}

static status_code apply_file(const struct reader *reader, struct status *status) {
    for (size_t i = 0; i < reader->entry_count; i++) {
        const struct entry *entry = &reader->entries[i];
        if (entry->value != NULL)
            FORWARD_IF_ERROR(settings_set(entry->settings, entry->path, entry->value, status));
    }
    return STATUS_OK;
}

static void pass_to_watch(struct reader *reader, const struct config_watch *watch) {
    struct status status = STATUS_INIT;
    for (size_t i = 0; i < reader->entry_count; i++)
        if (reader->entries[i].value != NULL)
            watch->given(watch->context, reader->entries[i].path, reader->entries[i].value);
    const char *wrong = watch->judge(watch->context, &status);
    for (size_t i = 0; i < reader->entry_count && wrong != NULL; i++)
        if (strcmp(reader->entries[i].path, wrong) == 0)
            YAML_FAULT(&reader->yaml, reader->entries[i].at, NULL, "%s",
                       status.text != NULL ? status.text : "it must not stand here");
    status_clear(&status);
}

/* Reads settings, which a watch may see, or a list. */
static status_code text_read(struct settings *settings, const struct config_watch *watch,
                             const struct config_list *list, const char *name, const char *text,
                             size_t size, struct status *status) {
    RETURN_ERROR_IF(size > FILE_SIZE_MAX, status, STATUS_INPUT,
                    "%s: %zu bytes; a configuration has at most %zu", name, size, FILE_SIZE_MAX);
    struct reader reader = {
        .settings = settings, .list = list, .yaml = {.report = SOURCE_REPORT(name, text, size)}};
    status_code code = STATUS_OK;
    if (source_text_check(&reader.yaml.report)) {
        if (yaml_begin(&reader.yaml)) read_document(&reader);
        yaml_end(&reader.yaml);
    }
    if (watch != NULL && reader.yaml.report.faults == 0 && !reader.yaml.out_of_memory)
        pass_to_watch(&reader, watch);
    if (reader.yaml.out_of_memory)
        code = status_set(status, STATUS_MEMORY, "%s: out of memory for reading it", name);
    status_code faults =
        source_report_close(&reader.yaml.report, code == STATUS_OK ? status : NULL);
    if (code == STATUS_OK) code = faults;
    if (code == STATUS_OK) code = apply_file(&reader, status);
    for (size_t i = 0; i < reader.entry_count; i++) {
        free(reader.entries[i].path);
        free(reader.entries[i].value);
    }
    free(reader.entries);
    return code;
}

static status_code file_read(struct settings *settings, const struct config_watch *watch,
                             const struct config_list *list, const char *path,
                             struct status *status) {
    char *text;
    size_t size;
    FORWARD_IF_ERROR(source_file_read(path, FILE_SIZE_MAX, &text, &size, status));
    status_code code = text_read(settings, watch, list, path, text, size, status);
    free(text);
    return code;
}

status_code config_text_read(struct settings *settings, const char *name, const char *text,
                             size_t size, struct status *status) {
    return text_read(settings, NULL, NULL, name, text, size, status);
}

status_code config_file_read(struct settings *settings, const char *path, struct status *status) {
    return file_read(settings, NULL, NULL, path, status);
}

status_code config_file_read_watched(struct settings *settings, const struct config_watch *watch,
                                     const char *path, struct status *status) {
    return file_read(settings, watch, NULL, path, status);
}

status_code config_list_text_read(const struct config_list *list, const char *name,
                                  const char *text, size_t size, struct status *status) {
    return text_read(NULL, NULL, list, name, text, size, status);
}

status_code config_list_read(const struct config_list *list, const char *path,
                             struct status *status) {
    return file_read(NULL, NULL, list, path, status);
}
