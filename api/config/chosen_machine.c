/*
 * Chooses the machine of a configuration: reads its file over the files of its bases, and keeps the
 * mpi.* that were set otherwise. Also reads configuration files, each twice, because a file may
 * name its machine anywhere.
 */
#include "api/config/chosen_machine.h"

#include "api/config/changed_settings.h"
#include "api/config/machines.h"
#include "core/memory/memory.h"
#include "core/settings/config_file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The settings that describe a whole machine when all of them are given. */
static const char *const whole_machine[] = {
    "network.nodes_per_router", "network.routers_per_group", "network.globals_per_router",
    "network.groups",           "network.terminal.latency",  "network.terminal.bandwidth",
    "network.terminal.buffer",  "network.local.latency",     "network.local.bandwidth",
    "network.local.buffer",     "network.global.latency",    "network.global.bandwidth",
    "network.global.buffer",
};
enum { WHOLE_MACHINE = sizeof whole_machine / sizeof *whole_machine };

/* ---------------------------------------------------------------------------- choosing */

/* Returns the first setting of the network that choosing a machine now would undo; NULL if there is
 * none. */
static const char *undone(const anax_config *config) {
    for (size_t r = 0; r < network_setting_count; r++)
        if (!setting_equal(&network_setting_rows[r], &config->network, &config->machine_network))
            return network_setting_rows[r].name;
    return NULL;
}

/* Checks that this machine may be chosen now. */
static status_code check_choice(const anax_config *config, const char *name,
                                struct status *status) {
    const char *chosen = config->run.machine;
    RETURN_ERROR_IF(chosen != NULL && !machines_are_same(chosen, name), status, STATUS_USAGE,
                    "machine `%s` contradicts `%s`, the machine that was chosen before; leave one "
                    "of them out",
                    name, chosen);
    RETURN_ERROR_IF(chosen == NULL && undone(config) != NULL, status, STATUS_USAGE,
                    "machine `%s` would undo %s, which was set before it; name the machine first",
                    name, undone(config));
    return STATUS_OK;
}

static void record_network(void *context, const char *name, const char *value) {
    (void)value;
    bool *sets = context;
    *sets = *sets || strncmp(name, "network.", strlen("network.")) == 0;
}

static const char *judge_nothing(void *context, struct status *status) {
    (void)context, (void)status;
    return NULL;
}

struct setting_section chosen_machine_mpi(struct replay_config *values) {
    const struct setting_row *row = replay_setting_rows;
    while (strncmp(row->name, "mpi.", strlen("mpi.")) != 0)
        row++; /* the settings replay.* come first */
    size_t before = (size_t)(row - replay_setting_rows);
    return (struct setting_section){row, replay_setting_count - before, values};
}

/* Replaces the mpi.* of the machine before (`before`) with those of the chosen machine. Values that
 * differ from `before` were set otherwise and stay. */
static void take_mpi(anax_config *config, const struct replay_config *before) {
    struct setting_section mpi = chosen_machine_mpi(&config->replay);
    for (size_t r = 0; r < mpi.row_count; r++) {
        const struct setting_row *row = &mpi.rows[r];
        if (setting_equal(row, &config->replay, before))
            memcpy((char *)&config->replay + row->offset,
                   (const char *)&config->machine_replay + row->offset, setting_size(row));
    }
}

/* The machine that a machine file starts from, as the file gives it. */
struct machine_base {
    char name[SETTING_PATH_BYTES];
};

static const struct setting_row base_row = {
    .name = "base", .kind = SETTING_PATH, .offset = offsetof(struct machine_base, name)};

/* The most machine files of which each is the base of the one before. */
#define BASES_MAX 8

/* Writes the path of the file `name` that the file `path` names, and returns whether the file is in
 * the folder of `path`; otherwise the path is relative to the working directory. */
static bool beside(const char *path, const char *name, char *found, size_t size) {
    const char *slash = strrchr(path, '/');
    int folder_length = slash != NULL && name[0] != '/' ? (int)(slash - path + 1) : 0;
    struct stat present;
    int length = snprintf(found, size, "%.*s%s", folder_length, path, name);
    return length > 0 && (size_t)length < size && stat(found, &present) == 0;
}

/* Finds the file of a base. A named machine is first looked for in the folder of the file that
 * names it. */
static status_code find_base(char **base_path, const char *path, const char *name,
                             struct status *status) {
    char file[SETTING_PATH_BYTES + 8], found[2 * SETTING_PATH_BYTES];
    const char *suffix = strrchr(name, '.');
    bool has_suffix = suffix != NULL && strcmp(suffix, ".yaml") == 0;
    snprintf(file, sizeof file, "%s%s", name, has_suffix ? "" : ".yaml");
    return machines_find(base_path, beside(path, file, found, sizeof found) ? found : name, status);
}

/* Replaces the names of files in a machine's settings by paths beside the machine file, for those
 * that are there. */
static void find_files_beside(struct network_config *network, const char *path) {
    for (size_t r = 0; r < network_setting_count; r++) {
        char found[SETTING_PATH_BYTES];
        char *value = (char *)network + network_setting_rows[r].offset;
        if (network_setting_rows[r].kind == SETTING_PATH && *value != '\0' &&
            beside(path, value, found, sizeof found))
            memcpy(value, found, sizeof found);
    }
}

/* A machine file that is being read, and the file whose base it is. */
struct base_chain {
    const char *path;
    const struct base_chain *user; /* NULL for the machine itself */
    unsigned depth;
};

/* Refuses a file that is, by way of other bases, the base of itself, and chains that are too long.
 */
static status_code check_chain(const struct base_chain *chain, struct status *status) {
    struct stat own, other;
    RETURN_ERROR_IF(chain->depth > BASES_MAX, status, STATUS_INPUT,
                    "%s: more than %d machines, each of which is the base of the one before",
                    chain->path, BASES_MAX);
    if (stat(chain->path, &own) != 0) return STATUS_OK; /* reading it says what is wrong */
    for (const struct base_chain *user = chain->user; user != NULL; user = user->user)
        RETURN_ERROR_IF(stat(user->path, &other) == 0 && other.st_dev == own.st_dev &&
                            other.st_ino == own.st_ino,
                        status, STATUS_INPUT,
                        "%s: the bases form a circle: this file is being read already",
                        chain->path);
    return STATUS_OK;
}

/* Reads a machine file over what its base set. A first reading over all settings finds the base,
 * and the faults that any settings file can have. The faults of the second reading are then
 * settings that a machine file must not have. */
static status_code read_machine_file(anax_config *config, const char *path,
                                     const struct base_chain *user, struct status *status) {
    anax_config *scratch = NULL;
    struct machine_base base = {""};
    const struct base_chain chain = {path, user, user != NULL ? user->depth + 1 : 0};
    FORWARD_IF_ERROR(check_chain(&chain, status));
    FORWARD_IF_ERROR(api_config_add_file(config, path, status));
    FORWARD_IF_ERROR(api_config_new(&scratch, status));
    struct setting_section all[API_SECTIONS + 1];
    memcpy(all, scratch->sections, sizeof scratch->sections);
    all[API_SECTIONS] = (struct setting_section){&base_row, 1, &base};
    struct settings every = {all, API_SECTIONS + 1};
    status_code code = config_file_read(&every, path, status);
    anax_config_free(scratch);
    FORWARD_IF_ERROR(code);
    bool sets = base.name[0] != '\0';
    if (sets) {
        char *base_path = NULL;
        code = find_base(&base_path, path, base.name, status);
        if (code == STATUS_OK) code = read_machine_file(config, base_path, &chain, status);
        free(base_path);
        if (code != STATUS_OK) return status_prefix(status, "%s: base", path);
    }
    struct setting_section sections[] = {
        {settings_find(&config->settings, "description", NULL), 1, &config->run},
        config->sections[API_SECTION_NETWORK],
        chosen_machine_mpi(&config->machine_replay),
        {&base_row, 1, &base},
    };
    struct settings machine = {sections, sizeof sections / sizeof *sections};
    const struct config_watch watch = {&sets, record_network, judge_nothing};
    code = config_file_read_watched(&machine, &watch, path, status);
    if (code != STATUS_OK)
        status_append(status,
                      "a machine file sets network.*, mpi.*, base, description and source only; "
                      "give other settings in a configuration file");
    FORWARD_IF_ERROR(code);
    RETURN_ERROR_IF(!sets, status, STATUS_INPUT,
                    "%s:1:1: error: this file sets no network.* value and has no base, so it "
                    "describes no machine",
                    path);
    find_files_beside(&config->network, path);
    return STATUS_OK;
}

/* Chooses a machine. The network and the machine's mpi.* start from the defaults before the machine
 * file is read, so that no value of another machine remains. A failure changes no setting. */
static status_code take_machine(anax_config *config, const char *name, struct status *status) {
    char *path = NULL;
    FORWARD_IF_ERROR(machines_find(&path, name, status));
    const struct network_config before = config->network;
    const struct replay_config mpi_before = config->machine_replay;
    struct setting_section mpi = chosen_machine_mpi(&config->machine_replay);
    char *description = config->run.description;
    config->run.description = NULL;
    struct settings network = {&config->sections[API_SECTION_NETWORK], 1}, library = {&mpi, 1};
    status_code code = settings_set_defaults(&network, status);
    if (code == STATUS_OK) code = settings_set_defaults(&library, status);
    if (code == STATUS_OK) code = read_machine_file(config, path, NULL, status);
    if (code == STATUS_OK) code = memory_replace_text(&config->run.machine, name, status);
    if (code != STATUS_OK) {
        config->network = before;
        config->machine_replay = mpi_before;
        free(config->run.description);
        config->run.description = description;
    } else {
        config->machine_network = config->network;
        take_mpi(config, &mpi_before);
        free(description);
    }
    free(path);
    return code;
}

anax_code anax_config_machine(anax_config *config, const char *machine, anax_error *error) {
    struct status status = STATUS_INIT;
    take_machine(config, machine, &status);
    return api_return(&status, error);
}

status_code chosen_machine_set(anax_config *config, const char *name, struct status *status) {
    FORWARD_IF_ERROR(check_choice(config, name, status));
    return config->run.machine != NULL ? STATUS_OK : take_machine(config, name, status);
}

/* ---------------------------------------------------------------------------- files */

/* The settings of a file, compared with the configuration that the file is read over. */
struct file_claim {
    const anax_config *config;
    const char *machine;           /* machine that the file names; NULL: none */
    struct network_config network; /* network of the configuration with the file's settings */
    const char *first;             /* first setting network.* of the file; NULL: none */
    unsigned parts;                /* number of settings of whole_machine in the file */
};

static void record_claim(void *context, const char *name, const char *value) {
    struct file_claim *claim = context;
    struct setting_section section = {network_setting_rows, network_setting_count, &claim->network};
    struct settings network = {&section, 1};
    const struct setting_row *row = settings_find(&network, name, NULL);
    if (strcmp(name, "machine") == 0 && value[0] != '\0') claim->machine = value;
    if (row == NULL || settings_set(&network, name, value, NULL) != STATUS_OK) return;
    if (claim->first == NULL) claim->first = row->name;
    for (size_t i = 0; i < WHOLE_MACHINE; i++)
        claim->parts += strcmp(name, whole_machine[i]) == 0;
}

static const char *judge_machine(void *context, struct status *status) {
    const struct file_claim *claim = context;
    if (claim->machine == NULL) return NULL;
    return check_choice(claim->config, claim->machine, status) != STATUS_OK ? "machine" : NULL;
}

/* A search for a named machine that has a given network. */
struct twin_search {
    const struct network_config *network;
    char *name; /* NULL: none found */
};

static void visit_twin(void *context, const char *name, const char *path) {
    struct twin_search *search = context;
    anax_config *config = NULL;
    if (search->name == NULL && anax_config_new(&config, NULL) == ANAX_OK &&
        anax_config_machine(config, path, NULL) == ANAX_OK &&
        !changed_network_differs(&config->network, search->network))
        search->name = strdup(name);
    anax_config_free(config);
}

/* Refuses a file that describes a whole network other than the chosen machine's, if it is the
 * network of another named machine, or if the file does not name the chosen machine. Any other
 * settings network.* in a file change the machine, and results list the changes. Returns the
 * setting at fault, or NULL. */
static const char *judge_network(void *context, struct status *status) {
    const struct file_claim *claim = context;
    const char *chosen = claim->config->run.machine;
    if (chosen == NULL || claim->parts < WHOLE_MACHINE ||
        !changed_network_differs(&claim->network, &claim->config->machine_network))
        return NULL;
    struct twin_search twin = {.network = &claim->network};
    machines_visit(visit_twin, &twin, NULL);
    const char *wrong = claim->first;
    if (twin.name != NULL)
        status_set(status, STATUS_INPUT,
                   "this is the network of machine `%s`, but `%s` was chosen; leave one of them "
                   "out, or give only the settings that are to differ from `%s`",
                   twin.name, chosen, chosen);
    else if (claim->machine == NULL)
        status_set(status, STATUS_INPUT,
                   "this is the whole network of a machine without a name, but `%s` was chosen; "
                   "remove that choice, or write `machine: %s` into this file if it is about a "
                   "changed `%s`",
                   chosen, chosen, chosen);
    else
        wrong = NULL;
    free(twin.name);
    return wrong;
}

/* Reads a file twice, because it may name its machine anywhere: first to find the machine, then to
 * apply the settings over that machine. */
static status_code load_into(anax_config *trial, const anax_config *config, const char *path,
                             struct status *status) {
    FORWARD_IF_ERROR(api_config_add_file(trial, path, status));
    struct file_claim claim = {.config = config, .network = config->network};
    const struct config_watch first = {&claim, record_claim, judge_machine};
    FORWARD_IF_ERROR(config_file_read_watched(&trial->settings, &first, path, status));
    if (config->run.machine == NULL && trial->run.machine != NULL) {
        if (take_machine(trial, trial->run.machine, status) != STATUS_OK)
            return status_prefix(status, "%s: machine", path);
    } else {
        FORWARD_IF_ERROR(memory_replace_text(&trial->run.machine, config->run.machine, status));
        trial->network = config->network;
    }
    char *machine = NULL;
    FORWARD_IF_ERROR(memory_replace_text(&machine, trial->run.machine, status));
    claim = (struct file_claim){.config = trial, .network = trial->network};
    const struct config_watch second = {&claim, record_claim, judge_network};
    status_code code = config_file_read_watched(&trial->settings, &second, path, status);
    free(trial->run.machine);
    trial->run.machine = machine;
    trial->has_read_network |= claim.first != NULL;
    return code;
}

anax_code anax_config_load(anax_config *config, const char *path, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_config *trial = NULL;
    if (*path == '\0')
        status_set(&status, STATUS_USAGE, "the configuration file has no name");
    else if (api_config_copy(&trial, config, &status) == STATUS_OK &&
             load_into(trial, config, path, &status) == STATUS_OK)
        api_config_swap(config, trial);
    anax_config_free(trial);
    return api_return(&status, error);
}
