/* The machines of a set of candidates, which are its first factor. */
#include "api/compare/candidate_set.h"

#include "api/config/changed_settings.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether runs on both machines are equal: whether the networks, their routing and
 * misrouting policies, and for replays the settings replay.* and mpi.* are equal. */
static bool are_same(const anax_config *machine, const anax_config *other, anax_scope scope) {
    const struct setting_section *replay = &machine->sections[API_SECTION_REPLAY];
    for (size_t r = 0; scope == ANAX_SCOPE_REPLAY && r < replay->row_count; r++)
        if (!setting_equal(&replay->rows[r], &machine->replay, &other->replay)) return false;
    return !changed_network_differs(&machine->network, &other->network) &&
           machine->network.routing == other->network.routing &&
           machine->network.misrouting == other->network.misrouting;
}

/* Checks that machine number i of a list differs from the machines before it. */
static status_code check_machine(const anax_config *const *machines, size_t i, anax_scope scope,
                                 struct status *status) {
    const anax_config *machine = machines[i];
    const char *name = api_machine_name(machine);
    for (size_t j = 0; j < i; j++) {
        const anax_config *other = machines[j];
        const char *other_name = api_machine_name(other);
        RETURN_ERROR_IF(strcmp(other_name, name) == 0, status, STATUS_USAGE,
                        "machine %s is given twice; remove one", name);
        RETURN_ERROR_IF(are_same(machine, other, scope), status, STATUS_USAGE,
                        "machines %s and %s are the same with these settings; remove one of them, "
                        "or the settings (network.*) that make them so",
                        other_name, name);
    }
    return STATUS_OK;
}

status_code candidate_set_take_machines(struct candidate_set *set,
                                        const anax_config *const *machines, size_t count,
                                        struct status *status) {
    struct compare_factor *factor = set->factors;
    set->factor_count = 1;
    FORWARD_IF_ERROR(memory_copy_text(&factor->setting, "machine", status));
    factor->values = memory_new(count, sizeof *factor->values);
    set->machines = memory_new(count, sizeof(anax_config *));
    RETURN_ERROR_IF(factor->values == NULL || set->machines == NULL, status, STATUS_MEMORY,
                    "out of memory for machines");
    for (size_t i = 0; i < count; i++) {
        FORWARD_IF_ERROR(check_machine(machines, i, set->scope, status));
        FORWARD_IF_ERROR(api_config_copy(&set->machines[i], machines[i], status));
        factor->count++;
        FORWARD_IF_ERROR(
            memory_copy_text(&factor->values[i], api_machine_name(machines[i]), status));
    }
    set->candidate_count = factor->count;
    return STATUS_OK;
}

status_code candidate_set_name_machines(struct candidate_set *set, struct status *status) {
    for (size_t i = 0; i < set->factors[0].count; i++) {
        struct settings *settings = &set->machines[i]->settings;
        for (size_t f = 1; f < set->factor_count; f++) {
            const struct compare_factor *factor = &set->factors[f];
            if (factor->count == 1)
                FORWARD_IF_ERROR(
                    settings_set(settings, factor->setting, factor->values[0], status));
        }
        char *name = changed_machine_name(set->machines[i]);
        RETURN_ERROR_IF(name == NULL, status, STATUS_MEMORY, "out of memory for machines");
        free(set->factors[0].values[i]);
        set->factors[0].values[i] = name;
    }
    return STATUS_OK;
}
