/*
 * Settings: every setting of a room is one row of the room's static table. The table feeds --set,
 * configuration files, --print-config, `anax list settings`, the man page and the errors.
 *
 * A room keeps its settings in a plain struct; a row names the member by its offset. This file
 * knows no room: api/ combines the tables of the rooms.
 *
 * Values are integers in base units: picoseconds, bytes, bytes times hops, bytes per second,
 * millimetres. Ratios are in millionths.
 */
#ifndef ANAX_CORE_SETTINGS_H
#define ANAX_CORE_SETTINGS_H

#include "core/base/status.h"
#include "core/settings/by_hop.h"
#include "core/settings/by_size.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum setting_kind {
    SETTING_TIME,             /* int64_t picoseconds, text "300ns" */
    SETTING_SIZE,             /* int64_t bytes, text "2KiB" */
    SETTING_BYTE_HOPS,        /* int64_t bytes times hops, text "960" or "960B" */
    SETTING_BANDWIDTH,        /* int64_t bytes per second, text "12.5GB/s" or "100Gbit/s" */
    SETTING_COUNT,            /* int64_t */
    SETTING_LENGTH,           /* int64_t millimetres, text "1.3m" */
    SETTING_DIMENSIONS,       /* int64_t packed by units_parse_dimensions, text "16x6" */
    SETTING_AMOUNT,           /* int64_t from units_parse_amount, text "12" or "1%" */
    SETTING_SHARE,            /* int64_t packed by units_parse_share, text "9/10" */
    SETTING_RATIO,            /* int64_t millionths, text "0.25" or "25%" */
    SETTING_TIME_BY_SIZE,     /* struct by_size of picoseconds, text "300ns/1KiB:350ns" */
    SETTING_BYTE_HOPS_BY_HOP, /* struct by_hop of bytes times hops, text "0:4096:8192" */
    SETTING_SWITCH,           /* bool, text on/off, yes/no, true/false */
    SETTING_CHOICE,           /* int32_t index in choices */
    SETTING_TEXT,             /* char *, owned by the struct; the empty text is NULL */
    SETTING_PATH /* char[SETTING_PATH_BYTES], path of a file; a struct with it can be copied */
} setting_kind;

#define SETTING_PATH_BYTES 1024
#define SETTING_TEXT_BYTES 1024 /* holds any value's text but that of SETTING_TEXT */

struct setting_row {
    const char *name; /* dotted name: "network.global.latency" */
    setting_kind kind;
    size_t offset;   /* offset of the member in the room's struct */
    int64_t minimum; /* for numeric kinds, in base units */
    int64_t maximum;
    const char *initial; /* default, as a user writes it */
    /* SETTING_CHOICE: returns the names in order of their index, ended by NULL, from the family's
     * own table. Numeric kinds and times by size: returns words that may stand in place of a
     * number, stored as -1, -2, …; NULL for none. */
    const char *const *(*choices)(void);
    const char *help;     /* one line, ends without a full stop */
    bool decides_nothing; /* no result depends on it: what was kept with another value is as good */
    const char *former;   /* a name that it had before, for settings_nearest; NULL: none */
};

/* Defines a function for a row's `choices` for choices without a table of their own. */
#define SETTING_CHOICES(function, ...)                                                             \
    static const char *const *function(void) {                                                     \
        static const char *const choices[] = {__VA_ARGS__, NULL};                                  \
        return choices;                                                                            \
    }

/* The table of a room and the struct to which it writes. */
struct setting_section {
    const struct setting_row *rows;
    size_t row_count;
    void *values; /* struct of the room */
};

/* All sections of a run. api/ builds them. */
struct settings {
    struct setting_section *sections;
    size_t section_count;
};

/* Sets every setting to its default. SETTING_TEXT members must be NULL or own their text before. */
status_code settings_set_defaults(struct settings *settings, struct status *status);

/* Finds a row by its full name. Returns NULL if there is none. section may be NULL. */
const struct setting_row *settings_find(const struct settings *settings, const char *name,
                                        struct setting_section **section);

/* Returns the valid name nearest to a wrong one; NULL if no name is near. For a name that a setting
 * had before, returns that setting's. */
const char *settings_nearest(const struct settings *settings, const char *name);

/* Sets one value from a text. Checks kind, unit and range. The error names the setting, the text
 * and what would be right. */
status_code settings_set(struct settings *settings, const char *name, const char *text,
                         struct status *status);

/* Sets *text to the present value as a text for settings_set, which the caller frees. STATUS_USAGE:
 * there is no such setting; STATUS_MEMORY. *text is NULL after an error. */
status_code settings_get(char **text, const struct settings *settings, const char *name,
                         struct status *status);

/* Tests whether settings_set would accept the text. The errors are the same but without the name.
 */
status_code setting_check(const struct setting_row *row, const char *text, struct status *status);

/* Sets one value from "name=text", as given to --set. */
status_code settings_set_pair(struct settings *settings, const char *pair, struct status *status);

/* Writes the value as a text that settings_set reads back to the same value. Writes at most size
 * bytes. */
void setting_text(const struct setting_section *section, const struct setting_row *row,
                  char *buffer, size_t size);

/* Returns the text of setting_text with any length. The caller frees it; NULL if out of memory. */
char *setting_new_text(const struct setting_section *section, const struct setting_row *row);

/* Returns true if two texts that setting_check accepts have equal values, such as 1us and 1000ns.
 */
bool setting_texts_equal(const struct setting_row *row, const char *text, const char *other);

/* Bytes of a setting's member in its struct. */
size_t setting_size(const struct setting_row *row);

/* Returns true if two structs of a room have equal values of a setting. */
bool setting_equal(const struct setting_row *row, const void *values, const void *others);

/* Writes what the setting accepts, for users: "a time from 1ps to 1s", "one of minimal, valiant,
 * ugal-l", "on or off". Writes at most size bytes. */
void setting_range_text(const struct setting_row *row, char *buffer, size_t size);

/* Frees all SETTING_TEXT members. */
void settings_clear(struct settings *settings);

/* Returns all settings as a YAML file that config_file_read reads back to the same values, with
 * each help text as a comment. The caller frees the text; NULL if out of memory. */
char *settings_yaml(const struct settings *settings);

#endif
