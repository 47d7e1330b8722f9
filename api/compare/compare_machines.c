/* The machines of a comparison, which are its first factor. */
#include "api/compare/comparison.h"
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
    return !changed_network(&machine->network, &other->network) &&
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

status_code comparison_take_machines(anax_comparison *comparison,
                                     const anax_config *const *machines, size_t count,
                                     struct status *status) {
    struct compare_factor *factor = comparison->factors;
    comparison->factor_count = 1;
    FORWARD_IF_ERROR(memory_copy_text(&factor->setting, "machine", status));
    factor->values = memory_new(count, sizeof *factor->values);
    comparison->machines = memory_new(count, sizeof(anax_config *));
    RETURN_ERROR_IF(factor->values == NULL || comparison->machines == NULL, status, STATUS_MEMORY,
                    "out of memory for machines");
    for (size_t i = 0; i < count; i++) {
        FORWARD_IF_ERROR(check_machine(machines, i, comparison->scope, status));
        FORWARD_IF_ERROR(api_config_copy(&comparison->machines[i], machines[i], status));
        factor->count++;
        FORWARD_IF_ERROR(
            memory_copy_text(&factor->values[i], api_machine_name(machines[i]), status));
    }
    comparison->candidate_count = factor->count;
    return STATUS_OK;
}

status_code comparison_name_machines(anax_comparison *comparison, struct status *status) {
    for (size_t i = 0; i < comparison->factors[0].count; i++) {
        struct settings *settings = &comparison->machines[i]->settings;
        for (size_t f = 1; f < comparison->factor_count; f++) {
            const struct compare_factor *factor = &comparison->factors[f];
            if (factor->count == 1)
                FORWARD_IF_ERROR(
                    settings_set(settings, factor->setting, factor->values[0], status));
        }
        char *name = changed_machine_name(comparison->machines[i]);
        RETURN_ERROR_IF(name == NULL, status, STATUS_MEMORY, "out of memory for machines");
        free(comparison->factors[0].values[i]);
        comparison->factors[0].values[i] = name;
    }
    return STATUS_OK;
}
