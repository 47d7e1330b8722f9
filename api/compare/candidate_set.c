/* The factors of a set of candidates, and the configuration of each candidate. */
#include "api/compare/candidate_set.h"

#include "api/text/text_buffer.h"
#include "core/memory/memory.h"
#include "mapping/placement.h"

#include <stdlib.h>
#include <string.h>

enum { CANDIDATES_MAX = 10000 };

const char *candidate_set_value(const struct candidate_set *set, size_t candidate, size_t factor) {
    for (size_t i = set->factor_count - 1; i > factor; i--)
        candidate /= set->factors[i].count;
    const struct compare_factor *of = &set->factors[factor];
    return of->values[candidate % of->count];
}

char *candidate_set_label(const struct candidate_set *set, size_t candidate) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const char *between = "";
    for (size_t i = 0; i < set->factor_count; i++) {
        if (set->factors[i].count == 1) continue;
        text_add(&text, "%s%s", between, candidate_set_value(set, candidate, i));
        between = ", ";
    }
    if (between[0] == '\0') text_add(&text, "the only candidate");
    return text_take(&text);
}

/* Checks that a setting can be a factor. Refused are settings without an effect on a replay or on
 * its time, settings that opening the trace has used, and settings that comparisons vary by other
 * means. */
static status_code check_setting(const struct candidate_set *set, const char *name,
                                 struct status *status) {
    static const struct {
        const char *setting, *instead;
    } fixed[] = {
        {"machine", "give several machines instead (plan.machines)"},
        {"seed", "every candidate is run with several seeds (plan.seeds)"},
        {"description", "it has no effect"},
        {"jobs.alone", "it has no effect on the time of a job"},
    };
    const anax_config *config = set->machines[0];
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
    const bool is_replay = set->scope == ANAX_SCOPE_REPLAY;
    RETURN_ERROR_IF(!is_replay && strcmp(name, "network.routing") == 0, status, STATUS_USAGE,
                    "`%s` cannot vary: give several policies instead (plan.routings)", name);
    RETURN_ERROR_IF(!anax_config_in_scope(config, set->scope, name) ||
                        (is_replay && anax_config_in_scope(config, ANAX_SCOPE_TRACE, name)),
                    status, STATUS_USAGE, "`%s` cannot vary: it has no effect on %s", name,
                    is_replay ? "the replay of a trace that is open" : "synthetic traffic");
    for (size_t i = 0; i < set->factor_count; i++)
        RETURN_ERROR_IF(strcmp(set->factors[i].setting, name) == 0, status, STATUS_USAGE,
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

static status_code add_factor(struct candidate_set *set, char *pair, struct status *status) {
    char *list = strchr(pair, '=');
    RETURN_ERROR_IF(list == NULL, status, STATUS_USAGE,
                    "`%s` is not a setting with its values: write NAME=VALUE,VALUE,...", pair);
    *list++ = '\0';
    FORWARD_IF_ERROR(check_setting(set, pair, status));
    struct compare_factor *factor = &set->factors[set->factor_count++];
    FORWARD_IF_ERROR(memory_copy_text(&factor->setting, pair, status));
    FORWARD_IF_ERROR(add_values(factor, set->machines[0], list, status));
    set->candidate_count *= factor->count;
    RETURN_ERROR_IF(set->candidate_count > CANDIDATES_MAX, status, STATUS_USAGE,
                    "%zu candidates or more, and at most %d in one comparison; vary less at once",
                    set->candidate_count, CANDIDATES_MAX);
    return STATUS_OK;
}

status_code candidate_set_init(struct candidate_set *set, anax_scope scope,
                               const anax_config *const *machines, size_t machine_count,
                               const char *const *factors, size_t factor_count,
                               struct status *status) {
    *set = (struct candidate_set){.scope = scope};
    set->factors = memory_new(factor_count + 1, sizeof *set->factors);
    RETURN_ERROR_IF(set->factors == NULL, status, STATUS_MEMORY, "out of memory for candidates");
    FORWARD_IF_ERROR(candidate_set_take_machines(set, machines, machine_count, status));
    for (size_t i = 0; i < factor_count; i++) {
        char *copy = NULL;
        FORWARD_IF_ERROR(memory_copy_text(&copy, factors[i], status));
        status_code code = add_factor(set, copy, status);
        free(copy);
        FORWARD_IF_ERROR(code);
    }
    return candidate_set_name_machines(set, status);
}

static void free_factor(struct compare_factor *factor) {
    for (size_t i = 0; i < factor->count; i++)
        free(factor->values[i]);
    free(factor->values);
    free(factor->setting);
}

void candidate_set_clear(struct candidate_set *set) {
    const size_t machines = set->factor_count > 0 ? set->factors[0].count : 0;
    for (size_t i = 0; set->machines != NULL && i < machines; i++)
        anax_config_free(set->machines[i]);
    for (size_t i = 0; i < set->factor_count; i++)
        free_factor(&set->factors[i]);
    free(set->machines);
    free(set->factors);
    *set = (struct candidate_set){0};
}

static bool reads_file(const char *policy) {
    for (const struct placement_policy *row = placement_policies(); row->name != NULL; row++)
        if (strcmp(row->name, policy) == 0) return row->reads_file;
    return false;
}

/* Returns whether placement.file is meant for other candidates than this one: their placements read
 * it, and that of this one does not. */
static bool is_file_of_others(const struct candidate_set *set, size_t candidate) {
    for (size_t i = 1; i < set->factor_count; i++) {
        const struct compare_factor *factor = &set->factors[i];
        if (strcmp(factor->setting, "placement.policy") != 0) continue;
        if (reads_file(candidate_set_value(set, candidate, i))) return false;
        for (size_t k = 0; k < factor->count; k++)
            if (reads_file(factor->values[k])) return true;
    }
    return false;
}

/* Returns whether the values of a factor differ between candidates. */
static bool varies(const struct candidate_set *set, const char *setting) {
    for (size_t i = 1; i < set->factor_count; i++)
        if (strcmp(set->factors[i].setting, setting) == 0) return set->factors[i].count > 1;
    return false;
}

static status_code set_values(anax_config *config, const struct candidate_set *set,
                              size_t candidate, struct status *status) {
    for (size_t i = 1; i < set->factor_count; i++)
        FORWARD_IF_ERROR(settings_set(&config->settings, set->factors[i].setting,
                                      candidate_set_value(set, candidate, i), status));
    if (config->placement.file != NULL && !varies(set, "placement.file") &&
        is_file_of_others(set, candidate))
        FORWARD_IF_ERROR(settings_set(&config->settings, "placement.file", "", status));
    return network_config_check(&config->network, status);
}

status_code candidate_set_config(anax_config **config, const struct candidate_set *set,
                                 size_t candidate, int64_t seed, struct status *status) {
    const size_t each = set->candidate_count / set->factors[0].count;
    FORWARD_IF_ERROR(api_config_copy(config, set->machines[candidate / each], status));
    (*config)->run.seed = seed;
    (*config)->jobs.replays_alone = false; /* a single job needs no replay alone */
    status_code code = set_values(*config, set, candidate, status);
    if (code == STATUS_OK) return code;
    anax_config_free(*config);
    *config = NULL;
    return code;
}

/* Returns whether all values of a setting are above 0, if it varies; otherwise that of a machine.
 */
static bool is_always_positive(const struct candidate_set *set, const char *setting,
                               bool of_machine) {
    for (size_t f = 1; f < set->factor_count; f++) {
        const struct compare_factor *factor = &set->factors[f];
        if (strcmp(factor->setting, setting) != 0) continue;
        bool all = true;
        for (size_t i = 0; i < factor->count; i++)
            all = all && strtod(factor->values[i], NULL) > 0;
        return all;
    }
    return of_machine;
}

bool candidate_set_has_storage(const struct candidate_set *set) {
    bool has = true;
    for (size_t i = 0; i < set->factors[0].count; i++) {
        const struct replay_storage *storage = &set->machines[i]->replay.storage;
        has = has && (is_always_positive(set, "io.nodes", storage->nodes > 0) ||
                      is_always_positive(set, "io.share", storage->share_millionths > 0));
    }
    return has;
}
