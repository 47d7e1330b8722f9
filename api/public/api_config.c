/*
 * Configurations: the settings of all rooms in one object. The only setting that this file knows by
 * name is `machine`, which chosen_machine.c chooses.
 */
#include "api/api.h"
#include "api/config/chosen_machine.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void connect_sections(anax_config *config) {
    const struct setting_section sections[API_SECTIONS] = {
        [API_SECTION_RUN] = {api_run_setting_rows, api_run_setting_count, &config->run},
        [API_SECTION_NETWORK] = {network_setting_rows, network_setting_count, &config->network},
        [API_SECTION_PLACEMENT] = {placement_setting_rows, placement_setting_count,
                                   &config->placement},
        [API_SECTION_REPLAY] = {replay_setting_rows, replay_setting_count, &config->replay},
        [API_SECTION_TRACES] = {traces_setting_rows, traces_setting_count, &config->traces},
        [API_SECTION_TRAFFIC] = {traffic_setting_rows, traffic_setting_count, &config->traffic},
        [API_SECTION_GENERATE] = {api_generate_setting_rows, api_generate_setting_count,
                                  &config->generate},
        [API_SECTION_TRAINING] = {training_setting_rows, training_setting_count, &config->training},
        [API_SECTION_FLOOR] = {floor_setting_rows, floor_setting_count, &config->floor},
        [API_SECTION_JOBS] = {api_jobs_setting_rows, api_jobs_setting_count, &config->jobs},
        [API_SECTION_HOSTS] = {hosts_setting_rows, hosts_setting_count, &config->hosts},
        [API_SECTION_CALIBRATE] = {calibrate_setting_rows, calibrate_setting_count,
                                   &config->calibrate},
        [API_SECTION_RECORD] = {api_record_setting_rows, api_record_setting_count, &config->record},
        [API_SECTION_EXTRAPOLATE] = {api_extrapolate_setting_rows, api_extrapolate_setting_count,
                                     &config->extrapolate},
        [API_SECTION_EXCHANGE] = {api_exchange_setting_rows, api_exchange_setting_count,
                                  &config->exchange},
    };
    memcpy(config->sections, sections, sizeof sections);
    config->settings = (struct settings){config->sections, API_SECTIONS};
}

status_code api_config_new(anax_config **config, struct status *status) {
    *config = memory_new(1, sizeof **config);
    RETURN_ERROR_IF(*config == NULL, status, STATUS_MEMORY, "out of memory for a configuration");
    connect_sections(*config);
    status_code code = settings_set_defaults(&(*config)->settings, status);
    (*config)->machine_network = (*config)->network;
    (*config)->machine_replay = (*config)->replay;
    if (code != STATUS_OK) {
        anax_config_free(*config);
        *config = NULL;
    }
    return code;
}

anax_code anax_config_new(anax_config **config, anax_error *error) {
    struct status status = STATUS_INIT;
    api_config_new(config, &status);
    return api_return(&status, error);
}

void anax_config_free(anax_config *config) {
    if (config == NULL) return;
    settings_clear(&config->settings);
    for (size_t i = 0; i < config->file_count; i++)
        free(config->files[i]);
    free(config->files);
    free(config);
}

/* The sections that the settings of a scope are in. */
#define HAS(section) (UINT32_C(1) << API_SECTION_##section)
static const uint32_t scopes[] = {
    [ANAX_SCOPE_ALL] = (UINT32_C(1) << API_SECTIONS) - 1,
    [ANAX_SCOPE_REPLAY] = HAS(RUN) | HAS(NETWORK) | HAS(PLACEMENT) | HAS(REPLAY) | HAS(TRACES) |
                          HAS(JOBS) | HAS(HOSTS) | HAS(RECORD),
    [ANAX_SCOPE_TRAFFIC] = HAS(RUN) | HAS(NETWORK) | HAS(TRAFFIC) | HAS(RECORD),
    [ANAX_SCOPE_GENERATE] = HAS(GENERATE) | HAS(TRAINING),
    [ANAX_SCOPE_TRACE] = HAS(TRACES),
    [ANAX_SCOPE_TOPOLOGY] = HAS(RUN) | HAS(NETWORK) | HAS(FLOOR),
    [ANAX_SCOPE_PLACE] =
        HAS(RUN) | HAS(NETWORK) | HAS(PLACEMENT) | HAS(REPLAY) | HAS(TRACES) | HAS(EXCHANGE),
    [ANAX_SCOPE_EXPORT] = HAS(REPLAY) | HAS(TRACES),
    [ANAX_SCOPE_BISECTION] = HAS(RUN) | HAS(NETWORK),
    [ANAX_SCOPE_CALIBRATE] =
        HAS(RUN) | HAS(NETWORK) | HAS(PLACEMENT) | HAS(REPLAY) | HAS(CALIBRATE),
    [ANAX_SCOPE_SEARCH] = HAS(RUN) | HAS(NETWORK) | HAS(PLACEMENT) | HAS(REPLAY) | HAS(TRACES) |
                          HAS(FLOOR) | HAS(JOBS) | HAS(HOSTS),
    [ANAX_SCOPE_EXTRAPOLATE] = HAS(TRACES) | HAS(EXTRAPOLATE),
};
#undef HAS

static bool has_section(anax_scope scope, enum api_section section) {
    return (size_t)scope < sizeof scopes / sizeof *scopes && (scopes[scope] >> section & 1) != 0;
}

/* Takes the settings of I/O nodes, which follow one another, out of the last section. Leaves a
 * section of the settings before them, and one of those behind them. */
static void leave_out_files(struct settings *settings, struct setting_section *subset) {
    struct setting_section *last = &subset[settings->section_count - 1];
    size_t first = 0, end;
    while (first < last->row_count && strncmp(last->rows[first].name, "io.", 3) != 0)
        first++;
    for (end = first; end < last->row_count && strncmp(last->rows[end].name, "io.", 3) == 0;)
        end++;
    subset[settings->section_count++] =
        (struct setting_section){last->rows + end, last->row_count - end, last->values};
    last->row_count = first;
}

void api_config_find_scope(const anax_config *config, anax_scope scope,
                           struct setting_section *subset, struct settings *settings) {
    settings->sections = subset;
    settings->section_count = 0;
    for (enum api_section i = 0; i < API_SECTIONS; i++)
        if (has_section(scope, i)) {
            subset[settings->section_count++] = config->sections[i];
            if (scope == ANAX_SCOPE_EXPORT && i == API_SECTION_REPLAY)
                leave_out_files(settings, subset);
        }
    if (scope == ANAX_SCOPE_GENERATE || scope == ANAX_SCOPE_EXTRAPOLATE) /* for random choices */
        subset[settings->section_count++] =
            (struct setting_section){settings_find(&config->settings, "seed", NULL), 1,
                                     config->sections[API_SECTION_RUN].values};
    if (scope == ANAX_SCOPE_GENERATE) /* trace.memory and trace.memory_folder */
        subset[settings->section_count++] =
            (struct setting_section){settings_find(&config->settings, "trace.memory", NULL), 2,
                                     config->sections[API_SECTION_TRACES].values};
}

bool anax_config_in_scope(const anax_config *config, anax_scope scope, const char *name) {
    struct setting_section subset[API_SECTIONS];
    struct settings settings;
    api_config_find_scope(config, scope, subset, &settings);
    return settings_find(&settings, name, NULL) != NULL;
}

static status_code copy_values(anax_config *copy, const anax_config *config,
                               struct status *status) {
    copy->has_read_network = config->has_read_network;
    copy->machine_network = config->machine_network;
    copy->machine_replay = config->machine_replay;
    for (size_t i = 0; i < config->file_count; i++)
        FORWARD_IF_ERROR(api_config_add_file(copy, config->files[i], status));
    for (size_t s = 0; s < API_SECTIONS; s++) {
        const struct setting_section *section = &config->sections[s];
        for (size_t r = 0; r < section->row_count; r++) {
            const struct setting_row *row = &section->rows[r];
            const char *from = (const char *)section->values + row->offset;
            char *to = (char *)copy->sections[s].values + row->offset;
            if (row->kind == SETTING_TEXT) {
                FORWARD_IF_ERROR(memory_replace_text((char **)(void *)to,
                                                     *(char *const *)(const void *)from, status));
            } else {
                memcpy(to, from, setting_size(row));
            }
        }
    }
    return STATUS_OK;
}

status_code api_config_copy(anax_config **copy, const anax_config *config, struct status *status) {
    FORWARD_IF_ERROR(api_config_new(copy, status));
    status_code code = copy_values(*copy, config, status);
    if (code != STATUS_OK) {
        anax_config_free(*copy);
        *copy = NULL;
    }
    return code;
}

void api_config_swap(anax_config *first, anax_config *second) {
    const anax_config kept = *first;
    *first = *second;
    *second = kept;
    connect_sections(first);
    connect_sections(second);
}

anax_code anax_config_set(anax_config *config, const char *name, const char *value,
                          anax_error *error) {
    struct status status = STATUS_INIT;
    if (strcmp(name, "machine") == 0)
        chosen_machine_set(config, value, &status);
    else
        settings_set(&config->settings, name, value, &status);
    return api_return(&status, error);
}

anax_code anax_config_set_pair(anax_config *config, const char *pair, anax_error *error) {
    static const char machine[] = "machine=";
    if (strncmp(pair, machine, sizeof machine - 1) == 0)
        return anax_config_set(config, "machine", pair + sizeof machine - 1, error);
    struct status status = STATUS_INIT;
    settings_set_pair(&config->settings, pair, &status);
    return api_return(&status, error);
}

anax_code anax_config_get(char **value, const anax_config *config, const char *name,
                          anax_error *error) {
    struct status status = STATUS_INIT;
    settings_get(value, &config->settings, name, &status);
    return api_return(&status, error);
}

char *api_config_value(const anax_config *config, const char *name) {
    char *value;
    settings_get(&value, &config->settings, name, NULL);
    return value;
}

bool anax_config_has_machine(const anax_config *config) {
    return config->has_read_network || config->run.machine != NULL;
}

status_code api_config_visit(const anax_config *config, anax_scope scope,
                             void (*visit)(void *context, const char *name, const char *text),
                             void *context, struct status *status) {
    struct setting_section subset[API_SECTIONS];
    struct settings settings;
    api_config_find_scope(config, scope, subset, &settings);
    for (size_t i = 0; i < settings.section_count; i++) {
        const struct setting_section *section = &settings.sections[i];
        for (size_t row = 0; row < section->row_count; row++) {
            if (section->rows[row].decides_nothing) continue;
            char *text = setting_new_text(section, &section->rows[row]);
            RETURN_ERROR_IF(text == NULL, status, STATUS_MEMORY, "out of memory for settings");
            visit(context, section->rows[row].name, text);
            free(text);
        }
    }
    return STATUS_OK;
}

char *anax_config_yaml(const anax_config *config, anax_scope scope) {
    struct setting_section subset[API_SECTIONS];
    struct settings settings;
    api_config_find_scope(config, scope, subset, &settings);
    return settings_yaml(&settings);
}

/* Checks background traffic. Without a load there is none, whatever its pattern. */
static status_code check_background(const struct api_jobs_config *config, struct status *status) {
    if (config->background_millionths == 0) return STATUS_OK;
    return traffic_pattern_check(config->background.pattern, "background.pattern", status);
}

status_code api_check_class(const anax_config *config, const char *name, int64_t traffic_class,
                            struct status *status) {
    int64_t classes = config->network.classes;
    RETURN_ERROR_IF(traffic_class >= classes, status, STATUS_USAGE,
                    "%s is %" PRId64 ", but there %s only %" PRId64
                    " traffic class%s, numbered from 0; raise network.classes",
                    name, traffic_class, classes == 1 ? "is" : "are", classes,
                    classes == 1 ? "" : "es");
    return STATUS_OK;
}

/* Checks that the traffic classes exist to which settings refer. */
static status_code check_classes(const anax_config *config, anax_scope scope,
                                 struct status *status) {
    if (has_section(scope, API_SECTION_REPLAY)) {
        FORWARD_IF_ERROR(
            api_check_class(config, "mpi.class", config->replay.traffic_class, status));
        FORWARD_IF_ERROR(
            api_check_class(config, "mpi.control_class", config->replay.control_class, status));
    }
    if (has_section(scope, API_SECTION_JOBS))
        FORWARD_IF_ERROR(api_check_class(config, "background.class",
                                         config->jobs.background.traffic_class, status));
    if (!has_section(scope, API_SECTION_TRAFFIC)) return STATUS_OK;
    return api_check_class(config, "traffic.class", config->traffic.traffic_class, status);
}

status_code api_config_check(const anax_config *config, anax_scope scope, struct status *status) {
    const struct network_config *network = &config->network;
    RETURN_ERROR_IF((size_t)scope >= sizeof scopes / sizeof *scopes, status, STATUS_USAGE,
                    "there is no scope %d", (int)scope);
    if (has_section(scope, API_SECTION_NETWORK) && anax_config_has_machine(config))
        FORWARD_IF_ERROR(network_config_check(network, status));
    if (has_section(scope, API_SECTION_NETWORK))
        FORWARD_IF_ERROR(check_classes(config, scope, status));
    if (has_section(scope, API_SECTION_FLOOR))
        FORWARD_IF_ERROR(
            floor_config_check(&config->floor, (uint32_t)network->routers_per_group, status));
    if (has_section(scope, API_SECTION_JOBS))
        FORWARD_IF_ERROR(check_background(&config->jobs, status));
    if (has_section(scope, API_SECTION_TRAFFIC))
        return traffic_pattern_check(config->traffic.pattern, "traffic.pattern", status);
    return STATUS_OK;
}

anax_code anax_config_check(const anax_config *config, anax_scope scope, anax_error *error) {
    struct status status = STATUS_INIT;
    api_config_check(config, scope, &status);
    return api_return(&status, error);
}
