/* Tells whether a replay has used random numbers: for its placement, for occupied nodes, background
 * traffic or noise, for collectives in random order, or for choices of the network. */
#include "api/run/seed_influence.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether the order of partners in a collective can be random: the algorithm random-order,
 * or rules that choose it. */
static bool has_random_orders(const anax_config *config) {
    const struct setting_section *section = &config->sections[API_SECTION_REPLAY];
    bool found = false;
    for (size_t r = 0; r < section->row_count && !found; r++) {
        if (section->rows[r].kind != SETTING_CHOICE) continue;
        char *value = setting_new_text(section, &section->rows[r]);
        found =
            value == NULL || strcmp(value, "random-order") == 0 || strcmp(value, "cray-mpich") == 0;
        free(value);
    }
    return found;
}

bool seed_has_influence(const anax_replay_result *result) {
    const anax_config *config = result->run.config;
    if (network_depends_on_seed(result->run.network) || config->hosts.noise != HOSTS_NOISE_NONE ||
        config->jobs.background_millionths != 0 || config->placement.occupied_millionths != 0)
        return true;
    for (size_t i = 0; i < result->job_count; i++)
        if (placement_policies()[result->jobs[i].policy].is_seeded) return true;
    return has_random_orders(config);
}
