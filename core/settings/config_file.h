/*
 * Reads YAML configuration files into settings.
 *
 * All faults of a file are reported in one status text. Each fault has the form
 *
 *   file:line:col: error: what is wrong
 *     source line
 *     ^ (did you mean `...`?)
 */
#ifndef ANAX_CORE_CONFIG_FILE_H
#define ANAX_CORE_CONFIG_FILE_H

#include "core/settings/settings.h"

/* Reads the file at path. Nested maps form dotted names ("network: {global: {latency: 300ns}}").
 * The keys `description` and `source` at the top level are texts for users; the reader ignores them
 * unless a table has a setting of that name. Sets nothing if the file has a fault. STATUS_INPUT
 * lists all faults. */
status_code config_file_read(struct settings *settings, const char *path, struct status *status);

/* Functions that see the settings of a file. They are called if the file has no other fault, before
 * any setting changes. */
struct config_watch {
    void *context;
    /* Called for every setting, in the order of the file. The texts are valid during the call. */
    void (*given)(void *context, const char *name, const char *value);
    /* Called after all `given` calls. Returns NULL, or the name of a setting that the file must not
     * have. The text that judge puts in status is then reported as a fault of the file. */
    const char *(*judge)(void *context, struct status *status);
};

/* Reads the file at path like config_file_read, and lets `watch` see its settings. */
status_code config_file_read_watched(struct settings *settings, const struct config_watch *watch,
                                     const char *path, struct status *status);

/* Reads a text in memory like config_file_read. name: the name of the file in messages. */
status_code config_text_read(struct settings *settings, const char *name, const char *text,
                             size_t size, struct status *status);

/* The form of a file with one key, whose value is a list of maps. Each map has settings of its own:
 *
 *   jobs:
 *     - trace: a.otf2
 *       start: 10us */
struct config_list {
    const char *key;  /* "jobs" */
    const char *item; /* name of an item in messages: "job" */
    void *context;
    /* Called when a new item begins at this line. Returns the settings of the item, which must keep
     * their address until the file is read; NULL if out of memory. */
    struct settings *(*next)(void *context, size_t line);
};

/* Reads the file at path as a list of items. STATUS_INPUT lists all faults. */
status_code config_list_read(const struct config_list *list, const char *path,
                             struct status *status);

/* Reads a text in memory like config_list_read. name: the name of the file in messages. */
status_code config_list_text_read(const struct config_list *list, const char *name,
                                  const char *text, size_t size, struct status *status);

#endif
