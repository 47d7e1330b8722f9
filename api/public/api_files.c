/*
 * Files that are written: texts, and checks that outputs do not overwrite inputs. Must not know the
 * contents of files.
 */
#include "api/api.h"
#include "api/caller_struct.h"
#include "api/command_support.h"
#include "core/files/output.h"
#include "core/files/output_file.h"
#include "core/memory/memory.h"
#include "traces/trace_files.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

anax_code anax_text_write(const char *text, const char *path, const anax_options *options,
                          anax_error *error) {
    struct status status = STATUS_INIT;
    struct output_file file;
    anax_options own;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK &&
        output_file_open(&file, path, own.replace, &status) == STATUS_OK) {
        fputs(text, file.stream);
        output_file_finish(&file, STATUS_OK, &status);
    }
    return api_return(&status, error);
}

anax_code anax_file_check(const char *path, const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK)
        output_file_check(path, own.replace, &status);
    return api_return(&status, error);
}

status_code api_config_add_file(anax_config *config, const char *path, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&config->files, &config->file_capacity,
                                 config->file_count + 1, sizeof *config->files, status));
    FORWARD_IF_ERROR(memory_copy_text(&config->files[config->file_count], path, status));
    config->file_count++;
    return STATUS_OK;
}

void api_config_visit_files(const anax_config *config,
                            void (*visit)(void *context, const char *path), void *context) {
    for (size_t s = 0; s < config->settings.section_count; s++) {
        const struct setting_section *section = &config->settings.sections[s];
        for (size_t r = 0; r < section->row_count; r++) {
            const char *path = (const char *)section->values + section->rows[r].offset;
            if (section->rows[r].kind == SETTING_PATH && *path != '\0') visit(context, path);
        }
    }
    if (config->placement.file != NULL) visit(context, config->placement.file);
}

/* ---- comparing ---- */

struct file_search {
    const struct stat *file;
    const char *found; /* the input that contains the file */
};

static void record_input(void *context, const char *path) {
    struct file_search *search = context;
    if (search->found == NULL && trace_files_have(path, search->file)) search->found = path;
}

/* Returns the input that a file or folder belongs to, or NULL. */
static const char *input_with(const struct stat *file, const anax_config *config,
                              const char *const *inputs, size_t input_count) {
    struct file_search found = {.file = file};
    for (size_t i = 0; i < input_count; i++)
        record_input(&found, inputs[i]);
    if (config == NULL) return found.found;
    for (size_t i = 0; i < config->file_count; i++)
        record_input(&found, config->files[i]);
    api_config_visit_files(config, record_input, &found);
    return found.found;
}

/* Cuts a path to its parent folder. Returns false at the root. */
static bool go_up(char *path) {
    char *slash = strrchr(path, '/');
    if (slash == NULL || slash[1] == '\0') return false;
    slash[slash == path] = '\0';
    return true;
}

/* Sets `folder` to the real path of the folder that contains `target`, which it cuts up in place.
 * Returns false if there is no such folder. */
static bool folder_of(char folder[PATH_MAX], char *target) {
    char *slash = strrchr(target, '/');
    if (slash != NULL) slash[1] = '\0';
    return realpath(slash != NULL ? target : ".", folder) != NULL;
}

/* Returns the input whose folder of events would contain a new file `target`, or NULL. Cuts up
 * `target` in place. */
static const char *input_around(char *target, const anax_config *config, const char *const *inputs,
                                size_t input_count) {
    char folder[PATH_MAX];
    const char *found = NULL;
    struct stat about;
    if (!folder_of(folder, target)) return NULL;
    do {
        if (stat(folder, &about) == 0) found = input_with(&about, config, inputs, input_count);
    } while (found == NULL && go_up(folder));
    return found;
}

/* Sets *target to the path of the file that writing to `path` creates or replaces; the caller frees
 * it. *descriptor >= 0: `path` is that open file. */
static status_code target_of(char **target, int *descriptor, const char *path,
                             struct status *status) {
    *target = output_follow_links(path, descriptor);
    RETURN_ERROR_IF(*target == NULL, status, errno == ENOMEM ? STATUS_MEMORY : STATUS_USAGE,
                    "%s: %s", path, strerror(errno));
    for (size_t length = strlen(*target); length > 1 && (*target)[length - 1] == '/'; length--)
        (*target)[length - 1] = '\0';
    return STATUS_OK;
}

static status_code check_apart(const char *path, const anax_config *config,
                               const char *const *inputs, size_t input_count,
                               struct status *status) {
    struct stat about;
    char *target = NULL;
    int descriptor = -1;
    const char *found = NULL;
    if (stat(path, &about) == 0 && (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)))
        found = input_with(&about, config, inputs, input_count);
    RETURN_ERROR_IF(found != NULL, status, STATUS_USAGE,
                    "%s: this output would overwrite an input (%s); name another output", path,
                    found);
    FORWARD_IF_ERROR(target_of(&target, &descriptor, path, status));
    if (descriptor < 0) found = input_around(target, config, inputs, input_count);
    free(target);
    RETURN_ERROR_IF(found != NULL, status, STATUS_USAGE,
                    "%s: this is in the folder of the events of %s; name an output elsewhere", path,
                    found);
    return STATUS_OK;
}

static status_code check_outside(const char *path, const char *folder, struct status *status) {
    struct stat kept, about;
    char around[PATH_MAX];
    char *target = NULL;
    int descriptor = -1;
    bool inside = false;
    if (stat(folder, &kept) != 0) return STATUS_OK;
    FORWARD_IF_ERROR(target_of(&target, &descriptor, path, status));
    bool goes_on = descriptor < 0 && folder_of(around, target);
    for (; goes_on && !inside; goes_on = go_up(around))
        inside =
            stat(around, &about) == 0 && about.st_dev == kept.st_dev && about.st_ino == kept.st_ino;
    free(target);
    RETURN_ERROR_IF(inside, status, STATUS_USAGE,
                    "%s: this is in %s, whose files are read; name an output elsewhere", path,
                    folder);
    return STATUS_OK;
}

anax_code api_check_outside(const char *path, const char *folder, anax_error *error) {
    struct status status = STATUS_INIT;
    check_outside(path, folder, &status);
    return api_return(&status, error);
}

anax_code api_check_apart(const char *path, const anax_config *config, const char *const *inputs,
                          size_t input_count, anax_error *error) {
    struct status status = STATUS_INIT;
    check_apart(path, config, inputs, input_count, &status);
    return api_return(&status, error);
}
