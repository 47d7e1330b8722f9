/*
 * Opens traces of any kind, which it distinguishes by content, and makes the parts and changed
 * programs that settings ask for. Must not know the formats of files.
 */
#include "core/files/input_file.h"
#include "core/processes/processes.h"
#include "traces/find_anchor.h"
#include "traces/program/edit/program_extract.h"
#include "traces/program/edit/program_regions.h"
#include "traces/program/edit/program_repeat.h"
#include "traces/program/edit/program_scale.h"
#include "traces/program/program_coverage.h"
#include "traces/program/program_graph.h"
#include "traces/program/program_packed.h"
#include "traces/recording/recording_folder.h"
#include "traces/trace_files.h"
#include "traces/traces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Frees the program and puts `by`, which may be NULL, in its place. */
static void replace(struct program **program, struct program *by) {
    program_free(*program);
    *program = by;
}

static bool is_given(const char *text) {
    return text != NULL && *text != '\0';
}

/* Returns whether the configuration asks for another program than the one that is read. */
static bool alters(const struct traces_config *config) {
    return is_given(config->compute_scale) || is_given(config->from) || is_given(config->to) ||
           is_given(config->repeat);
}

static status_code open_program(struct program **program, const char *path,
                                const struct traces_config *config, unsigned threads,
                                struct status *status) {
    const struct traces_loading loading = {.paging = traces_paging(config),
                                           .processes = config->processes,
                                           .gathers = alters(config),
                                           .keeps_user_regions = config->user_regions,
                                           .threads = threads};
    RETURN_ERROR_IF(loading.paging == NULL, status, STATUS_MEMORY, "out of memory for a trace");
    FORWARD_IF_ERROR(traces_load_program(program, path, &loading, status));
    if (*program == NULL) return STATUS_OK;
    status_code code = STATUS_OK;
    if (!config->user_regions && (*program)->division == NULL)
        code = program_remove_user_regions(*program, status);
    if (code == STATUS_OK &&
        (config->guess == TRACES_GUESS_OFF || !program_lacks_collectives(*program)))
        return STATUS_OK;
    replace(program, NULL);
    if (code != STATUS_OK) return code;
    return status_set(status, STATUS_USAGE,
                      "%s: trace.guess_collectives: the non-blocking collectives without a record "
                      "were left out when this program file was made; make it again from the "
                      "archive with this setting",
                      path);
}

/* Opens a recording. If the program is large, process 0 alone gets it. */
static status_code open_recording(struct program **program, const char *path,
                                  const struct traces_config *config, unsigned threads,
                                  void (*progress)(void *context, uint64_t done, uint64_t total),
                                  void *progress_context, struct status *status) {
    struct processes *processes = config->processes;
    const bool is_first = processes_number(processes) == 0;
    bool is_large = false;
    status_code code = STATUS_OK;
    if (is_first)
        code = traces_import_recording(program, path, config, threads, progress, progress_context,
                                       status);
    FORWARD_IF_ERROR(processes_agree(processes, code, status));
    if (is_first) is_large = program_packing_pays(*program);
    FORWARD_IF_ERROR(processes_broadcast(processes, &is_large, sizeof is_large, status));
    if (is_first || is_large) return STATUS_OK;
    return traces_import_recording(program, path, config, threads, progress, progress_context,
                                   status);
}

static status_code open_whole(struct program **program, const char *path,
                              const struct traces_config *config, unsigned threads,
                              void (*progress)(void *context, uint64_t done, uint64_t total),
                              void *progress_context, struct status *status) {
    *program = NULL;
    struct stat about;
    RETURN_ERROR_IF(stat(path, &about) != 0, status, STATUS_INPUT, "%s: cannot be read: %s", path,
                    strerror(errno));
    if (S_ISDIR(about.st_mode) && traces_is_recording(path))
        return open_recording(program, path, config, threads, progress, progress_context, status);
    if (S_ISDIR(about.st_mode)) {
        char *anchor_path = NULL;
        status_code code = find_anchor(&anchor_path, path, status);
        if (code == STATUS_OK)
            code = traces_import_otf2(program, anchor_path, config, threads, progress,
                                      progress_context, status);
        free(anchor_path);
        return code;
    }
    FORWARD_IF_ERROR(input_file_check(path, &about, status));
    bool is_program = false;
    FORWARD_IF_ERROR(traces_is_program_file(&is_program, path, status));
    if (is_program) return open_program(program, path, config, threads, status);
    bool is_goal = false;
    FORWARD_IF_ERROR(traces_is_goal_file(&is_goal, path, status));
    if (is_goal)
        return traces_import_goal(program, path, threads, progress, progress_context, status);
    return traces_import_otf2(program, path, config, threads, progress, progress_context, status);
}

bool traces_keeps_regions(const struct traces_config *config) {
    return config->user_regions || is_given(config->from) || is_given(config->to) ||
           is_given(config->repeat) || is_given(config->compute_scale) ||
           is_given(config->per_iteration);
}

/* Scales before it cuts, since the part may begin inside a region whose factor counts. Repeats
 * last, within the part. */
static status_code alter(struct program **whole, const struct traces_config *config,
                         unsigned threads, struct status *status) {
    struct program *altered = NULL;
    RETURN_ERROR_IF(alters(config) && program_has_graphs(*whole), status, STATUS_USAGE,
                    "%s: a schedule in GOAL has no regions, calls or times; trace.from, trace.to, "
                    "trace.repeat and trace.compute_scale need them",
                    program_text(*whole, (*whole)->source));
    if (is_given(config->compute_scale))
        FORWARD_IF_ERROR(program_scale(*whole, config->compute_scale, threads, status));
    if (is_given(config->from) || is_given(config->to)) {
        FORWARD_IF_ERROR(
            program_extract(&altered, *whole, config->from, config->to, threads, status));
        replace(whole, altered);
    }
    if (is_given(config->repeat)) {
        FORWARD_IF_ERROR(program_repeat(&altered, *whole, config->repeat, threads, status));
        replace(whole, altered);
    }
    const char *iterated = config->per_iteration;
    if (is_given(iterated) && !program_has_region(*whole, iterated, strlen(iterated)))
        return program_set_unknown_region(*whole, "trace.per_iteration", iterated, iterated,
                                          strlen(iterated), status);
    return STATUS_OK;
}

/* Distributes a program that only process 0 has. */
static status_code distribute(struct program **program, const struct traces_config *config,
                              unsigned threads, struct status *status) {
    bool is_missing = *program == NULL;
    FORWARD_IF_ERROR(processes_any(config->processes, &is_missing, status));
    return is_missing ? traces_distribute(program, config, threads, status) : STATUS_OK;
}

status_code traces_open(struct program **program, const char *path,
                        const struct traces_config *config, unsigned threads,
                        void (*progress)(void *context, uint64_t done, uint64_t total),
                        void *progress_context, struct status *status) {
    struct traces_config effective = *config;
    effective.user_regions = traces_keeps_regions(config);
    status_code code =
        open_whole(program, path, &effective, threads, progress, progress_context, status);
    if (code == STATUS_OK && *program != NULL) code = alter(program, config, threads, status);
    code = processes_agree(config->processes, code, status);
    if (code == STATUS_OK) code = distribute(program, config, threads, status);
    if (code != STATUS_OK) replace(program, NULL);
    return code;
}

status_code traces_cut(struct program **part, const struct program *whole, const char *from,
                       const char *to, unsigned threads, struct status *status) {
    return program_extract(part, whole, from, to, threads, status);
}
