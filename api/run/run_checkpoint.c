/* Lists the facts that decide the results of a run (the build, the command, all settings, the
 * traces), and opens its checkpoint with them. */
#include "api/run/run_checkpoint.h"

#include "api/points/kept_folder.h"
#include "api/version.h"
#include "core/base/digest.h"
#include "core/processes/processes.h"
#include "replay/replay.h"
#include "source_hash.h" /* made by cmake/source_hash.cmake */

#include <inttypes.h>
#include <stdlib.h>

static void add_setting(void *context, const char *name, const char *text) {
    checkpoint_add_fact(context, name, "%s", text);
}

status_code run_checkpoint_check_settings(const anax_config *config, struct status *status) {
    RETURN_ERROR_IF(api_time_bins(config) > 0, status, STATUS_USAGE,
                    "a run with checkpoints keeps no time bins: remove record.time_bins");
    RETURN_ERROR_IF(config->jobs.matrix != REPLAY_MATRIX_OFF, status, STATUS_USAGE,
                    "a run with checkpoints keeps no communication matrix: remove record.matrix");
    RETURN_ERROR_IF(config->record.links != NULL, status, STATUS_USAGE,
                    "a run with checkpoints watches no links: remove record.links");
    return STATUS_OK;
}

status_code run_checkpoint_facts(struct checkpoint_facts *facts, const anax_config *config,
                                 anax_scope scope, const char *what, struct status *status) {
    struct kept_key key;
    kept_key_begin_files(&key, config);
    checkpoint_add_fact(facts, "the build of anax", "%s, sources %s, %zu-bit", API_VERSION,
                        SOURCE_HASH, 8 * sizeof(void *));
    checkpoint_add_fact(facts, "the command", "%s", what);
    FORWARD_IF_ERROR(api_config_visit(config, scope, add_setting, facts, status));
    checkpoint_add_fact(facts, "the hash of the files that settings name",
                        "%016" PRIx64 "%016" PRIx64, key.word[0], key.word[1]);
    return STATUS_OK;
}

/* The caller's function and its context. */
static checkpoint_wish ask(void *context) {
    const anax_options *options = context;
    switch (options->checkpoint_wish(options->checkpoint_context)) {
    case ANAX_CHECKPOINT_WRITE:
        return CHECKPOINT_WRITE;
    case ANAX_CHECKPOINT_WRITE_AND_END:
        return CHECKPOINT_STOP;
    default:
        return CHECKPOINT_NONE;
    }
}

/* The caller's function that is told of a checkpoint that could not be written. */
static void report_failed_write(void *context, const char *why) {
    const anax_options *options = context;
    options->checkpoint_failed(options->checkpoint_context, why);
}

status_code run_checkpoint_new(struct checkpoint **checkpoint, const anax_options *options,
                               struct checkpoint_facts *facts, struct status *status) {
    const struct checkpoint_options made = {
        .folder = options->checkpoint_folder,
        .resume = options->resume_folder,
        .every_s = (int64_t)options->checkpoint_every_s,
        .wish = options->checkpoint_wish != NULL ? ask : NULL,
        .wish_context = (void *)options,
        .failed = options->checkpoint_failed != NULL ? report_failed_write : NULL,
        .processes = api_processes(options),
    };
    const status_code code = checkpoint_new(checkpoint, &made, facts, status);
    checkpoint_facts_clear(facts);
    return code;
}

status_code run_checkpoint_same_everywhere(const struct checkpoint_facts *facts, uint64_t more_hash,
                                           struct processes *processes, struct status *status) {
    if (processes == NULL) return STATUS_OK;
    uint64_t own_hash = more_hash;
    for (size_t i = 0; i < facts->bytes; i++)
        own_hash = digest_mix(own_hash, (unsigned char)facts->text[i]);
    uint64_t first_hash = own_hash;
    FORWARD_IF_ERROR(processes_broadcast(processes, &first_hash, sizeof first_hash, status));
    status_code code = STATUS_OK;
    if (facts->out_of_memory)
        code = status_set(status, STATUS_MEMORY, "out of memory for the facts of a run");
    else if (first_hash != own_hash)
        code = status_set(status, STATUS_USAGE,
                          "process %u has another trace, placement, setting or build of anax than "
                          "process 0: start the same command with the same files",
                          processes_number(processes));
    return processes_agree(processes, code, status);
}
