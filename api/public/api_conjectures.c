/*
 * Verifies the conjectures on global connected components on all their machines.
 */
#include "api/api.h"
#include "api/caller_struct.h"
#include "api/command_support.h"
#include "api/report/report_conjectures.h"
#include "core/memory/memory.h"

#include <stdlib.h>

static size_t count_verdicts(void) {
    size_t count = 0;
    for (const struct components_conjecture *row = components_conjectures();
         row->arrangement != NULL; row++)
        count += row->max_globals - row->min_globals + 1;
    return count;
}

static status_code verify_all(struct tables_verdict *verdicts, size_t total,
                              const anax_options *options, struct status *status) {
    size_t done = 0;
    for (const struct components_conjecture *row = components_conjectures();
         row->arrangement != NULL; row++) {
        for (uint32_t h = row->min_globals; h <= row->max_globals; h++) {
            anax_progress progress = {.phase = "verifying", .done = done, .total = total};
            struct tables_verdict *verdict = &verdicts[done++];
            RETURN_ERROR_IF(options->progress != NULL &&
                                !options->progress(options->progress_context, &progress),
                            status, STATUS_STOPPED, "stopped");
            verdict->conjecture = row;
            verdict->globals = h;
            FORWARD_IF_ERROR(components_conjecture_verify(row, h, &verdict->verdict, status));
        }
    }
    return STATUS_OK;
}

anax_code api_components_conjectures(char **text, char **json, const anax_options *options,
                                     anax_error *error) {
    struct status status = STATUS_INIT;
    const size_t count = count_verdicts();
    struct tables_verdict *verdicts = memory_new(count, sizeof *verdicts);
    anax_options own;
    *text = *json = NULL;
    status_code code = caller_read_options(&own, options, __func__, &status);
    if (code == STATUS_OK && verdicts == NULL)
        code = status_set(&status, STATUS_MEMORY, "out of memory for the conjectures");
    if (code == STATUS_OK) code = verify_all(verdicts, count, &own, &status);
    if (code == STATUS_OK) report_conjectures(verdicts, count, text, json, &status);
    free(verdicts);
    return api_return(&status, error);
}
