/*
 * Changed settings of a configuration: settings whose values differ from those of its machine, or
 * from the defaults. Results list them, so that nobody takes a changed machine for the named one.
 */
#ifndef ANAX_API_CHANGED_SETTINGS_H
#define ANAX_API_CHANGED_SETTINGS_H

#include "api/api.h"

struct changed_setting {
    const char *name;
    char *value;
    char *initial;      /* value of the machine or default value, as text */
    bool is_of_machine; /* initial is the machine's value, not a default */
};

struct changed_settings {
    struct changed_setting *list; /* in the order of the tables */
    size_t count;
    size_t capacity;
};

/* Finds the changed settings that have an effect in a scope. After a failure there is nothing to
 * free. */
status_code changed_settings_find(struct changed_settings *changes, const anax_config *config,
                                  anax_scope scope, struct status *status);
/* Finds the settings mpi.* that the machine's file sets, with the values of that file, even if they
 * were changed since. After a failure there is nothing to free. */
status_code changed_settings_find_machine_values(struct changed_settings *settings,
                                                 const anax_config *config, struct status *status);

/* Frees the settings that either function has found. */
void changed_settings_free(struct changed_settings *changes);

/* Returns whether two networks are different machines: whether any setting differs, except the
 * routing and misrouting policies, which are chosen for a run and named beside the machine. */
bool changed_network_differs(const struct network_config *network,
                             const struct network_config *other);

/* Returns the machine's name in results: "kim-72", "kim-72, changed" or "custom". The caller frees
 * the text; NULL: out of memory. */
char *changed_machine_name(const anax_config *config);

#endif
