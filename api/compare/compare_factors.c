/* The factors of a comparison, and the configuration of each point. */
#include "api/compare/comparison.h"
#include "api/report/text_buffer.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CANDIDATES_MAX = 10000 };

const char *comparison_value(const anax_comparison *comparison, size_t candidate, size_t factor) {
    for (size_t i = comparison->factor_count - 1; i > factor; i--)
        candidate /= comparison->factors[i].count;
    const struct compare_factor *of = &comparison->factors[factor];
    return of->values[candidate % of->count];
}

char *comparison_label(const anax_comparison *comparison, size_t candidate) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const char *between = "";
    for (size_t i = 0; i < comparison->factor_count; i++) {
        if (comparison->factors[i].count == 1) continue;
        text_add(&text, "%s%s", between, comparison_value(comparison, candidate, i));
        between = ", ";
    }
    if (between[0] == '\0') text_add(&text, "the only candidate");
    return text_take(&text);
}

/* Checks that a setting can be a factor. Refused are settings without an effect on a replay or on
 * its time, settings that opening the trace has used, and settings that comparisons vary by other
 * means. */
static status_code check_setting(const anax_comparison *comparison, const char *name,
                                 struct status *status) {
    static const struct {
        const char *setting, *instead;
    } fixed[] = {
        {"machine", "give several machines instead (--machine)"},
        {"seed", "every candidate is run with several seeds (--seeds)"},
        {"description", "it has no effect"},
        {"jobs.alone", "it has no effect on the time of a job"},
    };
    const anax_config *config = comparison->machines[0];
    RETURN_ERROR_IF(settings_find(&config->settings, name, NULL) == NULL, status, STATUS_USAGE,
                    "there is no setting `%s` to vary%s%s%s; `anax list settings` shows all", name,
                    settings_nearest(&config->settings, name) != NULL ? " (did you mean `" : "",
                    settings_nearest(&config->settings, name) != NULL
                        ? settings_nearest(&config->settings, name)
                        : "",
                    settings_nearest(&config->settings, name) != NULL ? "`?)" : "");
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        RETURN_ERROR_IF(strcmp(fixed[i].setting, name) == 0, status, STATUS_USAGE,
                        "`%s` cannot vary: %s", name, fixed[i].instead);
    const bool is_replay = comparison->scope == ANAX_SCOPE_REPLAY;
    RETURN_ERROR_IF(!is_replay && strcmp(name, "network.routing") == 0, status, STATUS_USAGE,
                    "`%s` cannot vary: give several policies instead (--routing)", name);
    RETURN_ERROR_IF(!anax_config_in_scope(config, comparison->scope, name) ||
                        (is_replay && anax_config_in_scope(config, ANAX_SCOPE_TRACE, name)),
                    status, STATUS_USAGE, "`%s` cannot vary: it has no effect on %s", name,
                    is_replay ? "the replay of a trace that is open" : "synthetic traffic");
    for (size_t i = 0; i < comparison->factor_count; i++)
        RETURN_ERROR_IF(strcmp(comparison->factors[i].setting, name) == 0, status, STATUS_USAGE,
                        "`%s` varies twice; give one list of values", name);
    return STATUS_OK;
}

static status_code add_value(struct compare_factor *factor, const anax_config *config,
                             const char *value, struct status *status) {
    RETURN_ERROR_IF(*value == '\0', status, STATUS_USAGE,
                    "%s: a value between commas is empty; remove the comma", factor->setting);
    const struct setting_row *row = settings_find(&config->settings, factor->setting, NULL);
    status_code code = setting_check(row, value, status);
    if (code != STATUS_OK) return status_prefix(status, "%s", factor->setting);
    for (size_t i = 0; i < factor->count; i++)
        RETURN_ERROR_IF(setting_texts_equal(row, factor->values[i], value), status, STATUS_USAGE,
                        "%s: the value %s is given twice%s%s%s; remove one", factor->setting, value,
                        strcmp(factor->values[i], value) != 0 ? " (" : "",
                        strcmp(factor->values[i], value) != 0 ? factor->values[i] : "",
                        strcmp(factor->values[i], value) != 0 ? ")" : "");
    code = memory_copy_text(&factor->values[factor->count], value, status);
    if (code == STATUS_OK) factor->count++;
    return code;
}

/* Adds the values of a list to a factor; cuts the list up in place. */
static status_code add_values(struct compare_factor *factor, const anax_config *config, char *list,
                              struct status *status) {
    size_t max = 1;
    for (const char *comma = list; (comma = strchr(comma, ',')) != NULL; comma++)
        max++;
    factor->values = memory_new(max, sizeof *factor->values);
    RETURN_ERROR_IF(factor->values == NULL, status, STATUS_MEMORY, "out of memory for values");
    for (char *value = list, *next; value != NULL; value = next) {
        next = strchr(value, ',');
        if (next != NULL) *next++ = '\0';
        FORWARD_IF_ERROR(add_value(factor, config, value, status));
    }
    return STATUS_OK;
}

static status_code add_factor(anax_comparison *comparison, char *pair, struct status *status) {
    char *list = strchr(pair, '=');
    RETURN_ERROR_IF(list == NULL, status, STATUS_USAGE,
                    "`%s` is not a setting with its values: write NAME=VALUE,VALUE,...", pair);
    *list++ = '\0';
    FORWARD_IF_ERROR(check_setting(comparison, pair, status));
    struct compare_factor *factor = &comparison->factors[comparison->factor_count++];
    FORWARD_IF_ERROR(memory_copy_text(&factor->setting, pair, status));
    FORWARD_IF_ERROR(add_values(factor, comparison->machines[0], list, status));
    comparison->candidate_count *= factor->count;
    RETURN_ERROR_IF(comparison->candidate_count > CANDIDATES_MAX, status, STATUS_USAGE,
                    "%zu candidates or more, and at most %d in one comparison; vary less at once",
                    comparison->candidate_count, CANDIDATES_MAX);
    return STATUS_OK;
}

status_code comparison_add_factor(anax_comparison *comparison, const char *pair,
                                  struct status *status) {
    char *copy = NULL;
    FORWARD_IF_ERROR(memory_copy_text(&copy, pair, status));
    status_code code = add_factor(comparison, copy, status);
    free(copy);
    return code;
}

static status_code set_values(anax_config *config, const anax_comparison *comparison,
                              size_t candidate, struct status *status) {
    for (size_t i = 1; i < comparison->factor_count; i++)
        FORWARD_IF_ERROR(settings_set(&config->settings, comparison->factors[i].setting,
                                      comparison_value(comparison, candidate, i), status));
    return network_config_check(&config->network, status);
}

status_code comparison_config(anax_config **config, const anax_comparison *comparison,
                              size_t candidate, uint32_t seed, struct status *status) {
    const size_t each = comparison->candidate_count / comparison->factors[0].count;
    FORWARD_IF_ERROR(api_config_copy(config, comparison->machines[candidate / each], status));
    (*config)->run.seed = comparison->first_seed + seed;
    (*config)->jobs.alone = false; /* a single job needs no replay alone */
    status_code code = set_values(*config, comparison, candidate, status);
    if (code == STATUS_OK) return code;
    anax_config_free(*config);
    *config = NULL;
    return code;
}
