/*
 * Settings: rows of static tables, read from texts and written as texts.
 *
 * Knows units, not the meaning of settings. Invariant: a value is stored only after its text was
 * read completely and its range checked, so the structs never hold a value that their table
 * forbids.
 */
#include "core/settings/settings.h"

#include "core/base/utf8.h"
#include "core/memory/memory.h"
#include "core/settings/nearest_name.h"
#include "core/settings/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Name, reader and writer of the kinds that are an int64_t. */
static const struct {
    const char *what;
    status_code (*parse)(const char *text, int64_t *value, struct status *status);
    void (*write)(int64_t value, char *buffer, size_t size);
} numeric_kinds[] = {
    [SETTING_TIME] = {"a time", units_parse_time, units_time_text},
    [SETTING_SIZE] = {"a size", units_parse_size, units_size_text},
    [SETTING_BYTE_HOPS] = {"bytes times hops", units_parse_byte_hops, units_count_text},
    [SETTING_BANDWIDTH] = {"a bandwidth", units_parse_bandwidth, units_bandwidth_text},
    [SETTING_COUNT] = {"a number", units_parse_count, units_count_text},
    [SETTING_LENGTH] = {"a length", units_parse_length, units_length_text},
    [SETTING_DIMENSIONS] = {"dimensions", units_parse_dimensions, units_dimensions_text},
    [SETTING_AMOUNT] = {"a number", units_parse_amount, units_amount_text},
    [SETTING_SHARE] = {"a share", units_parse_share, units_share_text},
    [SETTING_RATIO] = {"a ratio", units_parse_ratio, units_ratio_text},
};

static bool is_numeric(setting_kind kind) {
    return kind <= SETTING_RATIO;
}

/* What the values of a setting by size are. */
static struct by_size_kind by_size_kind_of(const struct setting_row *row) {
    return (struct by_size_kind){numeric_kinds[SETTING_TIME].what,
                                 numeric_kinds[SETTING_TIME].parse,
                                 numeric_kinds[SETTING_TIME].write, row->minimum, row->maximum};
}

size_t setting_size(const struct setting_row *row) {
    switch (row->kind) {
    case SETTING_TIME_BY_SIZE:
        return sizeof(struct by_size);
    case SETTING_BYTE_HOPS_BY_HOP:
        return sizeof(struct by_hop);
    case SETTING_SWITCH:
        return sizeof(bool);
    case SETTING_CHOICE:
        return sizeof(int32_t);
    case SETTING_TEXT:
        return sizeof(char *);
    case SETTING_PATH:
        return SETTING_PATH_BYTES;
    default:
        return sizeof(int64_t);
    }
}

/* ---------------------------------------------------------------------------- finding */

const struct setting_row *settings_find(const struct settings *settings, const char *name,
                                        struct setting_section **section) {
    for (size_t i = 0; i < settings->section_count; i++) {
        struct setting_section *candidate = &settings->sections[i];
        for (size_t j = 0; j < candidate->row_count; j++) {
            if (strcmp(candidate->rows[j].name, name) != 0) continue;
            if (section != NULL) *section = candidate;
            return &candidate->rows[j];
        }
    }
    return NULL;
}

/* Returns true if `end` is the end of a dotted name: "latency" and "global.latency" are ends of
 * "network.global.latency". */
static bool is_end_of(const char *end, const char *name) {
    size_t end_length = strlen(end), length = strlen(name);
    return end_length < length && name[length - end_length - 1] == '.' &&
           strcmp(name + length - end_length, end) == 0;
}

const char *settings_nearest(const struct settings *settings, const char *name) {
    struct nearest_name search = nearest_name_begin(name);
    for (size_t i = 0; i < settings->section_count; i++) {
        const struct setting_section *section = &settings->sections[i];
        for (size_t j = 0; j < section->row_count; j++) {
            const struct setting_row *row = &section->rows[j];
            const bool was_called_so = row->former != NULL && strcmp(name, row->former) == 0;
            if (was_called_so || is_end_of(name, row->name)) return row->name;
            nearest_name_offer(&search, row->name);
        }
    }
    return search.name;
}

/* ---------------------------------------------------------------------------- reading */

static status_code parse_switch(const char *text, int64_t *value, struct status *status) {
    static const char *const words[] = {"off", "on", "no", "yes", "false", "true"};
    for (int64_t i = 0; i < 6; i++) {
        if (strcasecmp(text, words[i]) != 0) continue;
        *value = i % 2;
        return STATUS_OK;
    }
    return status_set(status, STATUS_USAGE, "`%.*s` is neither on nor off", UTF8_SHOWN(text, 60));
}

static status_code parse_choice(const struct setting_row *row, const char *text, int64_t *value,
                                struct status *status) {
    const char *const *names = row->choices();
    struct nearest_name search = nearest_name_begin(text);
    for (int64_t i = 0; names[i] != NULL; i++) {
        if (strcmp(text, names[i]) == 0) {
            *value = i;
            return STATUS_OK;
        }
        nearest_name_offer(&search, names[i]);
    }
    char range[512];
    setting_range_text(row, range, sizeof range);
    RETURN_ERROR_IF(search.name != NULL, status, STATUS_USAGE,
                    "`%.*s` is not %s; did you mean `%s`?", UTF8_SHOWN(text, 60), range,
                    search.name);
    return status_set(status, STATUS_USAGE, "`%.*s` is not %s", UTF8_SHOWN(text, 60), range);
}

/* Reads a word that stands in place of a number. Returns false if the text is no such word. */
static bool parse_word(const struct setting_row *row, const char *text, int64_t *value) {
    if (row->choices == NULL) return false;
    const char *const *words = row->choices();
    for (int64_t i = 0; words[i] != NULL; i++) {
        if (strcmp(text, words[i]) != 0) continue;
        *value = -1 - i;
        return true;
    }
    return false;
}

/* Says which words there are, if a text that is no number begins with a letter, as a word would.
 * Returns code, or the code of this message. */
static status_code name_words(const struct setting_row *row, const char *text, status_code code,
                              struct status *status) {
    char range[128];
    if (row->choices == NULL || !isalpha((unsigned char)text[0])) return code;
    setting_range_text(row, range, sizeof range);
    return status_set(status, STATUS_USAGE, "`%.*s` is not %s", UTF8_SHOWN(text, 60), range);
}

static status_code parse_by_size(const struct setting_row *row, const char *text,
                                 struct by_size *values, struct status *status) {
    struct by_size_kind kind = by_size_kind_of(row);
    int64_t word;
    if (parse_word(row, text, &word)) {
        *values = by_size_constant(word);
        return STATUS_OK;
    }
    status_code code = by_size_parse(&kind, text, values, status);
    return code == STATUS_OK ? code : name_words(row, text, code, status);
}

static status_code parse_by_hop(const struct setting_row *row, const char *text,
                                struct by_hop *values, struct status *status) {
    return by_hop_parse(text, row->minimum, row->maximum, values, status);
}

/* Reads a value of any kind that is one number, and checks its range. */
static status_code parse_value(const struct setting_row *row, const char *text, int64_t *value,
                               struct status *status) {
    if (row->kind == SETTING_SWITCH) return parse_switch(text, value, status);
    if (row->kind == SETTING_CHOICE) return parse_choice(row, text, value, status);
    int64_t parsed;
    if (parse_word(row, text, value)) return STATUS_OK;
    status_code code = numeric_kinds[row->kind].parse(text, &parsed, status);
    if (code != STATUS_OK) return name_words(row, text, code, status);
    if (parsed < row->minimum || parsed > row->maximum) {
        char range[128];
        setting_range_text(row, range, sizeof range);
        return status_set(status, STATUS_USAGE, "`%.*s` is out of range; it takes %s",
                          UTF8_SHOWN(text, 60), range);
    }
    *value = parsed;
    return STATUS_OK;
}

bool setting_texts_equal(const struct setting_row *row, const char *text, const char *other) {
    int64_t value, other_value;
    if (row->kind == SETTING_TEXT || row->kind == SETTING_PATH) return strcmp(text, other) == 0;
    if (row->kind == SETTING_TIME_BY_SIZE) {
        struct by_size values, others;
        return parse_by_size(row, text, &values, NULL) == STATUS_OK &&
               parse_by_size(row, other, &others, NULL) == STATUS_OK &&
               by_size_equal(&values, &others);
    }
    if (row->kind == SETTING_BYTE_HOPS_BY_HOP) {
        struct by_hop values, others;
        return parse_by_hop(row, text, &values, NULL) == STATUS_OK &&
               parse_by_hop(row, other, &others, NULL) == STATUS_OK &&
               by_hop_equal(&values, &others);
    }
    return parse_value(row, text, &value, NULL) == STATUS_OK &&
           parse_value(row, other, &other_value, NULL) == STATUS_OK && value == other_value;
}

static status_code check_path(const char *text, struct status *status) {
    RETURN_ERROR_IF(strlen(text) >= SETTING_PATH_BYTES, status, STATUS_USAGE,
                    "a path of %zu bytes is too long; at most %d are possible", strlen(text),
                    SETTING_PATH_BYTES - 1);
    return STATUS_OK;
}

status_code setting_check(const struct setting_row *row, const char *text, struct status *status) {
    int64_t value;
    struct by_size values;
    struct by_hop list;
    if (row->kind == SETTING_TEXT) return STATUS_OK;
    if (row->kind == SETTING_PATH) return check_path(text, status);
    if (row->kind == SETTING_TIME_BY_SIZE) return parse_by_size(row, text, &values, status);
    if (row->kind == SETTING_BYTE_HOPS_BY_HOP) return parse_by_hop(row, text, &list, status);
    return parse_value(row, text, &value, status);
}

/* ---------------------------------------------------------------------------- storing */

static void *member(const struct setting_section *section, const struct setting_row *row) {
    return (char *)section->values + row->offset;
}

static status_code store_text(char **stored, const char *text, struct status *status) {
    char *copy = NULL;
    if (text[0] != '\0') FORWARD_IF_ERROR(memory_copy_text(&copy, text, status));
    free(*stored);
    *stored = copy;
    return STATUS_OK;
}

static status_code store_path(char *stored, const struct setting_row *row, const char *text,
                              struct status *status) {
    if (check_path(text, status) != STATUS_OK) {
        status_prefix(status, "%s", row->name);
        return STATUS_USAGE;
    }
    memset(stored, 0, SETTING_PATH_BYTES);
    memcpy(stored, text, strlen(text) + 1);
    return STATUS_OK;
}

static status_code store_by_hop(struct by_hop *stored, const struct setting_row *row,
                                const char *text, struct status *status) {
    status_code code = parse_by_hop(row, text, stored, status);
    if (code != STATUS_OK) status_prefix(status, "%s", row->name);
    return code;
}

static status_code store(struct setting_section *section, const struct setting_row *row,
                         const char *text, struct status *status) {
    void *target = member(section, row);
    if (row->kind == SETTING_TEXT) return store_text(target, text, status);
    if (row->kind == SETTING_PATH) return store_path(target, row, text, status);
    if (row->kind == SETTING_BYTE_HOPS_BY_HOP) return store_by_hop(target, row, text, status);
    int64_t value = 0;
    struct by_size values;
    bool by_size = row->kind == SETTING_TIME_BY_SIZE;
    if ((by_size ? parse_by_size(row, text, &values, status)
                 : parse_value(row, text, &value, status)) != STATUS_OK) {
        status_prefix(status, "%s", row->name);
        return STATUS_USAGE;
    }
    if (by_size)
        *(struct by_size *)target = values;
    else if (row->kind == SETTING_SWITCH)
        *(bool *)target = value != 0;
    else if (row->kind == SETTING_CHOICE)
        *(int32_t *)target = (int32_t)value;
    else
        *(int64_t *)target = value;
    return STATUS_OK;
}

status_code settings_set_defaults(struct settings *settings, struct status *status) {
    for (size_t i = 0; i < settings->section_count; i++) {
        struct setting_section *section = &settings->sections[i];
        for (size_t j = 0; j < section->row_count; j++)
            FORWARD_IF_ERROR(store(section, &section->rows[j], section->rows[j].initial, status));
    }
    return STATUS_OK;
}

/* Sets the error that there is no setting of this name. */
static status_code refuse_name(const struct settings *settings, const char *name,
                               struct status *status) {
    const char *near = settings_nearest(settings, name);
    if (near != NULL)
        return status_set(status, STATUS_USAGE, "there is no setting `%.*s`; did you mean `%s`?",
                          UTF8_SHOWN(name, 80), near);
    return status_set(status, STATUS_USAGE,
                      "there is no setting `%.*s`; `anax list settings` shows all",
                      UTF8_SHOWN(name, 80));
}

status_code settings_set(struct settings *settings, const char *name, const char *text,
                         struct status *status) {
    struct setting_section *section;
    const struct setting_row *row = settings_find(settings, name, &section);
    return row != NULL ? store(section, row, text, status) : refuse_name(settings, name, status);
}

status_code settings_get(char **text, const struct settings *settings, const char *name,
                         struct status *status) {
    struct setting_section *section;
    const struct setting_row *row = settings_find(settings, name, &section);
    *text = row != NULL ? setting_new_text(section, row) : NULL;
    if (row == NULL) return refuse_name(settings, name, status);
    RETURN_ERROR_IF(*text == NULL, status, STATUS_MEMORY, "out of memory for the setting %s", name);
    return STATUS_OK;
}

status_code settings_set_pair(struct settings *settings, const char *pair, struct status *status) {
    const char *equals = strchr(pair, '=');
    RETURN_ERROR_IF(equals == NULL || equals == pair, status, STATUS_USAGE,
                    "`%.*s` is not a setting; write name=value, e.g. "
                    "network.global.latency=300ns",
                    UTF8_SHOWN(pair, 80));
    char *name = strndup(pair, (size_t)(equals - pair));
    RETURN_ERROR_IF(name == NULL, status, STATUS_MEMORY, "out of memory for a text");
    status_code code = settings_set(settings, name, equals + 1, status);
    free(name);
    return code;
}

void settings_clear(struct settings *settings) {
    for (size_t i = 0; i < settings->section_count; i++) {
        struct setting_section *section = &settings->sections[i];
        for (size_t j = 0; j < section->row_count; j++) {
            if (section->rows[j].kind != SETTING_TEXT) continue;
            char **text = member(section, &section->rows[j]);
            free(*text);
            *text = NULL;
        }
    }
}

/* ---------------------------------------------------------------------------- writing */

/* Returns the word that stands in place of a number, as a value below 0; 0: none does. */
static int64_t word_of(const struct setting_row *row, const void *value) {
    int64_t word = 0;
    if (row->choices == NULL) return 0;
    if (is_numeric(row->kind)) word = *(const int64_t *)value;
    if (row->kind == SETTING_TIME_BY_SIZE) word = ((const struct by_size *)value)->steps[0].value;
    return word < 0 ? word : 0;
}

void setting_text(const struct setting_section *section, const struct setting_row *row,
                  char *buffer, size_t size) {
    const void *source = member(section, row);
    const int64_t word = word_of(row, source);
    if (word < 0) {
        snprintf(buffer, size, "%s", row->choices()[-1 - word]);
    } else if (is_numeric(row->kind)) {
        numeric_kinds[row->kind].write(*(const int64_t *)source, buffer, size);
    } else if (row->kind == SETTING_TIME_BY_SIZE) {
        struct by_size_kind kind = by_size_kind_of(row);
        by_size_text(&kind, source, buffer, size);
    } else if (row->kind == SETTING_BYTE_HOPS_BY_HOP) {
        by_hop_text(source, buffer, size);
    } else if (row->kind == SETTING_SWITCH) {
        snprintf(buffer, size, "%s", *(const bool *)source ? "on" : "off");
    } else if (row->kind == SETTING_CHOICE) {
        snprintf(buffer, size, "%s", row->choices()[*(const int32_t *)source]);
    } else if (row->kind == SETTING_PATH) {
        snprintf(buffer, size, "%s", (const char *)source);
    } else {
        const char *text = *(char *const *)source;
        snprintf(buffer, size, "%s", text != NULL ? text : "");
    }
}

char *setting_new_text(const struct setting_section *section, const struct setting_row *row) {
    if (row->kind == SETTING_TEXT) {
        const char *text = *(char *const *)member(section, row);
        return strdup(text != NULL ? text : "");
    }
    char text[SETTING_TEXT_BYTES];
    setting_text(section, row, text, sizeof text);
    return strdup(text);
}

bool setting_equal(const struct setting_row *row, const void *values, const void *others) {
    const void *value = (const char *)values + row->offset;
    const void *other = (const char *)others + row->offset;
    if (row->kind == SETTING_TEXT) {
        const char *text = *(char *const *)value, *other_text = *(char *const *)other;
        return strcmp(text != NULL ? text : "", other_text != NULL ? other_text : "") == 0;
    }
    if (row->kind == SETTING_PATH) return strcmp(value, other) == 0;
    if (row->kind == SETTING_TIME_BY_SIZE) return by_size_equal(value, other);
    if (row->kind == SETTING_BYTE_HOPS_BY_HOP) return by_hop_equal(value, other);
    if (row->kind == SETTING_SWITCH) return *(const bool *)value == *(const bool *)other;
    if (row->kind == SETTING_CHOICE) return *(const int32_t *)value == *(const int32_t *)other;
    return *(const int64_t *)value == *(const int64_t *)other;
}

static void list_choices(const struct setting_row *row, char *buffer, size_t size) {
    size_t length = (size_t)snprintf(buffer, size, "one of ");
    const char *const *names = row->choices();
    for (size_t i = 0; names[i] != NULL && length < size; i++)
        length +=
            (size_t)snprintf(buffer + length, size - length, "%s%s", i > 0 ? ", " : "", names[i]);
}

/* Adds the words that may stand in place of a number: "…, protocol or auto". */
static void add_words(const struct setting_row *row, char *buffer, size_t size) {
    if (row->choices == NULL) return;
    size_t length = strlen(buffer);
    for (const char *const *word = row->choices(); *word != NULL && length < size; word++)
        length += (size_t)snprintf(buffer + length, size - length, "%s%s",
                                   word[1] != NULL ? ", " : " or ", *word);
}

/* "a time from 0 to 1s, or one for each …" */
static void add_by_size(char *buffer, size_t size) {
    size_t length = strlen(buffer);
    snprintf(buffer + length, size - length, ", by message size if need be, as 300ns/1KiB:2us");
}

static void add_by_hop(char *buffer, size_t size) {
    size_t length = strlen(buffer);
    snprintf(buffer + length, size - length,
             ", or several for a packet after 0, 1, 2, ... hops, as 0:4096:8192");
}

void setting_range_text(const struct setting_row *row, char *buffer, size_t size) {
    if (row->kind == SETTING_SWITCH) {
        snprintf(buffer, size, "on or off");
    } else if (row->kind == SETTING_CHOICE) {
        list_choices(row, buffer, size);
    } else if (row->kind == SETTING_TEXT) {
        snprintf(buffer, size, "a text");
    } else if (row->kind == SETTING_PATH) {
        snprintf(buffer, size, "the path of a file");
    } else if (row->kind == SETTING_SHARE) {
        snprintf(buffer, size, "a share above 0 and up to 1, such as 9/10");
    } else if (row->kind == SETTING_AMOUNT) {
        snprintf(buffer, size, "a number from 0 to %" PRId64 ", or a share up to 100%%",
                 row->maximum);
    } else {
        bool by_size = row->kind == SETTING_TIME_BY_SIZE;
        bool by_hop = row->kind == SETTING_BYTE_HOPS_BY_HOP;
        setting_kind kind = by_size ? SETTING_TIME : by_hop ? SETTING_BYTE_HOPS : row->kind;
        char low[UNITS_TEXT_BYTES], high[UNITS_TEXT_BYTES];
        numeric_kinds[kind].write(row->minimum, low, sizeof low);
        numeric_kinds[kind].write(row->maximum, high, sizeof high);
        const char *what = numeric_kinds[kind].what;
        if (row->maximum == INT64_MAX)
            snprintf(buffer, size, "%s of at least %s", what, low);
        else
            snprintf(buffer, size, "%s from %s to %s", what, low, high);
        if (by_size) add_by_size(buffer, size);
        if (by_hop) add_by_hop(buffer, size);
        add_words(row, buffer, size);
    }
}
