/*
 * What a configuration has changed: the settings whose values are not those of its machine, or of
 * the defaults. Results tell them, so that a changed machine is never taken for the named one.
 */
#ifndef ANAX_API_CHANGED_SETTINGS_H
#define ANAX_API_CHANGED_SETTINGS_H

#include "api/api.h"

struct changed_setting {
    const char *name;
    char *value;
    char *initial;   /* what it would be */
    bool of_machine; /* initial is the machine's, not a default */
};

struct changed_settings {
    struct changed_setting *list; /* in the order of the tables */
    size_t count;
    size_t capacity;
};

/* Those that have an effect in a scope. On failure there is nothing to free. */
status_code changed_settings_find(struct changed_settings *changes, const anax_config *config,
                                  anax_scope scope, struct status *status);
/* The mpi.* that go with the machine, with its values, whatever was set since. On failure there is
 * nothing to free. */
status_code changed_settings_of_machine(struct changed_settings *settings,
                                        const anax_config *config, struct status *status);
void changed_settings_free(struct changed_settings *changes);

/* Whether two networks are different machines: every setting makes another one, but for the routing
 * and misrouting policies, which are chosen for a run and named beside the machine. */
bool changed_network(const struct network_config *network, const struct network_config *other);

/* What results call the machine: "kim-72", "kim-72, changed" or "custom". To be freed; NULL when
 * out of memory. */
char *changed_machine_name(const anax_config *config);

#endif
