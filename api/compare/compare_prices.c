/* Finds the prices of the candidates' machines. */
#include "api/compare/comparison.h"
#include "api/compare/machine_numbers.h"
#include "api/config/changed_settings.h"
#include "core/memory/memory.h"

/* Returns whether two configurations have the same machine at the same prices. */
static bool is_alike(const anax_config *one, const anax_config *other) {
    for (size_t r = 0; r < floor_setting_count; r++)
        if (!setting_equal(&floor_setting_rows[r], &one->floor, &other->floor)) return false;
    return !changed_network_differs(&one->network, &other->network);
}

/* Finds the price of a candidate. Candidates that follow each other often have the same network:
 * *before is the configuration of the one before it, or NULL, and becomes that of this one. */
static status_code find_price(anax_comparison *comparison, size_t index, anax_config **before,
                              struct status *status) {
    struct status own = STATUS_INIT;
    struct machine_numbers figures = {.price = -1};
    anax_config *config = NULL;
    status_code code = comparison_new_config(&config, comparison, index, 0, &own);
    if (code == STATUS_OK && *before != NULL && is_alike(config, *before))
        figures.price = comparison->prices[index - 1];
    else if (code == STATUS_OK)
        code = machine_numbers_find(&figures, config, &own);
    anax_config_free(*before);
    *before = code == STATUS_OK ? config : NULL;
    if (code != STATUS_OK) anax_config_free(config);
    if (code == STATUS_MEMORY) return status_take(status, code, own.text);
    comparison->prices[index] = code == STATUS_OK ? figures.price : -1;
    status_clear(&own);
    return STATUS_OK;
}

status_code comparison_find_prices(anax_comparison *comparison, struct status *status) {
    anax_config *before = NULL;
    status_code code = STATUS_OK;
    comparison->prices = memory_new(comparison->set.candidate_count, sizeof *comparison->prices);
    RETURN_ERROR_IF(comparison->prices == NULL, status, STATUS_MEMORY,
                    "out of memory for %zu candidates", comparison->set.candidate_count);
    for (size_t i = 0; i < comparison->set.candidate_count && code == STATUS_OK; i++)
        code = find_price(comparison, i, &before, status);
    anax_config_free(before);
    return code;
}
