/*
 * Settings: every tunable of every room is one row of that room's static table. The table feeds
 * --set, configuration files, --print-config, `anax list settings`, the man page and the errors.
 *
 * A room keeps its settings in a plain struct; a row names the member by its offset. This file
 * knows no room: api/ puts the rooms' tables together.
 *
 * Values are integers in base units: picoseconds, bytes, bytes times hops, bytes per second,
 * millimetres; ratios are millionths.
 */
#ifndef ANAX_CORE_SETTINGS_H
#define ANAX_CORE_SETTINGS_H

#include "core/by_size.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum setting_kind {
    SETTING_TIME,         /* int64_t picoseconds, text "300ns" */
    SETTING_SIZE,         /* int64_t bytes, text "2KiB" */
    SETTING_BYTE_HOPS,    /* int64_t bytes times hops, text "960" or "960B" */
    SETTING_BANDWIDTH,    /* int64_t bytes per second, text "12.5GB/s" or "100Gbit/s" */
    SETTING_COUNT,        /* int64_t */
    SETTING_LENGTH,       /* int64_t millimetres, text "1.3m" */
    SETTING_DIMENSIONS,   /* int64_t as units_parse_dimensions packs it, text "16x6" */
    SETTING_AMOUNT,       /* int64_t as units_parse_amount has it, text "12" or "1%" */
    SETTING_RATIO,        /* int64_t millionths, text "0.25" or "25%" */
    SETTING_TIME_BY_SIZE, /* struct by_size of picoseconds, text "300ns/1KiB:350ns" */
    SETTING_SWITCH,       /* bool, text on/off, yes/no, true/false */
    SETTING_CHOICE,       /* int32_t index into choices */
    SETTING_TEXT,         /* char *, owned by the struct; the empty text is NULL */
    SETTING_PATH          /* char[SETTING_PATH_BYTES] of a file: structs with it can be copied */
} setting_kind;

#define SETTING_PATH_BYTES 1024
#define SETTING_TEXT_BYTES 1024 /* holds any value's text but that of SETTING_TEXT */

struct setting_row {
    const char *name; /* dotted: "network.global.latency" */
    setting_kind kind;
    size_t offset;   /* of the member in the room's struct */
    int64_t minimum; /* of numeric kinds, in base units */
    int64_t maximum;
    const char *initial; /* default, as a user would write it */
    /* SETTING_CHOICE: the names in order of their index, NULL-terminated, taken from the family's
     * own table by this function. Numeric kinds: words that may stand in place of a number, stored
     * as -1, -2, …; NULL for none. */
    const char *const *(*choices)(void);
    const char *help; /* one line, ends without a full stop */
};

/* A function of that name for a row's `choices`, where no family has a table of its own. */
#define SETTING_CHOICES(function, ...)                                                             \
    static const char *const *function(void) {                                                     \
        static const char *const choices[] = {__VA_ARGS__, NULL};                                  \
        return choices;                                                                            \
    }

/* A room's table with the struct it writes to. */
struct setting_section {
    const struct setting_row *rows;
    size_t row_count;
    void *values; /* the room's struct */
};

/* All sections of a run; built by api/. */
struct settings {
    struct setting_section *sections;
    size_t section_count;
};

/* Sets every row to its initial text (SETTING_TEXT members must be NULL or owned before). */
status_code settings_defaults(struct settings *settings, struct status *status);

/* Finds a row by its full name; returns NULL when there is none. *section may be NULL. */
const struct setting_row *settings_find(const struct settings *settings, const char *name,
                                        struct setting_section **section);

/* The valid name nearest to a wrong one (edit distance), or NULL when none is near. */
const char *settings_nearest(const struct settings *settings, const char *name);

/* Sets one value from text; checks kind, unit and range. Error texts name the setting, the text and
 * what would be right. */
status_code settings_set(struct settings *settings, const char *name, const char *text,
                         struct status *status);

/* Says whether settings_set would take the text, with the same errors but for the name; sets
 * nothing. */
status_code setting_check(const struct setting_row *row, const char *text, struct status *status);

/* "name=text", as given to --set. */
status_code settings_set_pair(struct settings *settings, const char *pair, struct status *status);

/* The value as text that settings_set reads back to the same value. Writes at most size bytes. */
void setting_text(const struct setting_section *section, const struct setting_row *row,
                  char *buffer, size_t size);

/* The same as a text to be freed, however long it is; NULL when out of memory. */
char *setting_new_text(const struct setting_section *section, const struct setting_row *row);

/* Whether two texts that setting_check takes are of one value: 1us and 1000ns. */
bool setting_texts_equal(const struct setting_row *row, const char *text, const char *other);

/* Bytes of a setting's member in its struct. */
size_t setting_size(const struct setting_row *row);

/* Whether two structs of a room hold the same value of a setting. */
bool setting_equal(const struct setting_row *row, const void *values, const void *others);

/* What the setting takes, for people: "a time from 1ps to 1s", "one of minimal, valiant, ugal-l",
 * "on or off". Writes at most size bytes. */
void setting_range_text(const struct setting_row *row, char *buffer, size_t size);

/* Frees all SETTING_TEXT members. */
void settings_clear(struct settings *settings);

/* Prints all settings as a YAML file that config_file_read reads back to the same values, with
 * each help text as a comment; returns a text to be freed, NULL when out of memory. */
char *settings_yaml(const struct settings *settings);

#endif
