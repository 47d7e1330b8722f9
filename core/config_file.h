/*
 * YAML configuration files -> settings.
 *
 * All faults of a file are reported in one status text, one per line block:
 *   file:line:col: error: what is wrong
 *     source line
 *     ^ (did you mean `nearest`?)
 */
#ifndef ANAX_CORE_CONFIG_FILE_H
#define ANAX_CORE_CONFIG_FILE_H

#include "core/settings.h"

/* Reads the file at path. Nested maps give dotted names ("network: {global: {latency: 300ns}}").
 * The keys `description` and `source` at the top level are texts for people and are ignored, unless
 * a table has a setting of that name.
 * Nothing is set unless the whole file is right. */
status_code config_file_read(struct settings *settings, const char *path, struct status *status);

/* Looks at what a file gives, once it is right and before anything is set. */
struct config_watch {
    void *context;
    /* For every setting, in the order of the file; the texts are valid during the reading. */
    void (*given)(void *context, const char *name, const char *value);
    /* After all of them: NULL, or the name of the one that must not stand there. That is a fault of
     * the file, with the text that is put in status. */
    const char *(*judge)(void *context, struct status *status);
};

status_code config_file_read_watched(struct settings *settings, const struct config_watch *watch,
                                     const char *path, struct status *status);

/* The same for text in memory; name stands for the file in messages. */
status_code config_text_read(struct settings *settings, const char *name, const char *text,
                             size_t size, struct status *status);

/* A file with one key whose value is a list of maps, each with settings of its own:
 *   jobs:
 *     - trace: a.otf2
 *       start: 10us
 */
struct config_list {
    const char *key;  /* "jobs" */
    const char *item; /* what one is, for messages: "job" */
    void *context;
    /* A new item begins at that line: the settings it is read into, which must stay where they are
     * until the reading is over. NULL when out of memory. */
    struct settings *(*next)(void *context, size_t line);
};

status_code config_list_read(const struct config_list *list, const char *path,
                             struct status *status);

/* The same for text in memory, as config_text_read. */
status_code config_list_text_read(const struct config_list *list, const char *name,
                                  const char *text, size_t size, struct status *status);

#endif
