/*
 * Verifies the conjectures on global connected components on all their machines, and reports the
 * results as text and as JSON (schema anax.gcc-conjectures/1).
 */
#include "api/api.h"
#include "api/caller_struct.h"
#include "api/command_support.h"
#include "api/report/json_build.h"
#include "api/report/text_buffer.h"
#include "core/plural.h"
#include "network/analysis/global_components.h"

#include <inttypes.h>
#include <stdlib.h>

struct conjecture_report {
    struct text_buffer text;
    struct json_object *json;
    struct json_object *rows;
    uint64_t exceptions;
};

static void add_verdict(struct conjecture_report *report,
                        const struct components_conjecture *conjecture, uint32_t globals,
                        const struct components_verdict *verdict) {
    uint32_t least = conjecture->least_routers + (conjecture->routers_over_globals ? globals : 0);
    report->exceptions += verdict->exceptions;
    text_add(&report->text, "%-15s h = %" PRIu32 ", %sa = %" PRIu32 " to %" PRIu32 ": ",
             conjecture->arrangement, globals, conjecture->odd_routers ? "odd " : "", least,
             conjecture->most_routers);
    if (verdict->exceptions == 0)
        text_add(&report->text, "one component each, %" PRIu64 " machine%s\n", verdict->machines,
                 plural(verdict->machines));
    else
        text_add(&report->text,
                 "%" PRIu64 " of %" PRIu64 " machines have several components, first a = %" PRIu32
                 " with %" PRIu32 "\n",
                 verdict->exceptions, verdict->machines, verdict->routers, verdict->components);
    struct json_object *row = json_append_object(report->rows);
    json_put_text(row, "arrangement", conjecture->arrangement);
    json_put_int(row, "globals_per_router", globals);
    json_put_int(row, "least_routers_per_group", least);
    json_put_int(row, "most_routers_per_group", conjecture->most_routers);
    json_put_bool(row, "odd_routers_only", conjecture->odd_routers);
    json_put_count(row, "machines", verdict->machines);
    json_put_count(row, "exceptions", verdict->exceptions);
    if (verdict->exceptions > 0) {
        json_put_int(row, "first_routers_per_group", verdict->routers);
        json_put_int(row, "first_components", verdict->components);
    }
}

static status_code verify_all(struct conjecture_report *report, const anax_options *options,
                              struct status *status) {
    uint64_t total = 0, done = 0;
    for (const struct components_conjecture *row = gcc_conjectures(); row->arrangement != NULL;
         row++)
        total += row->most_globals - row->least_globals + 1;
    for (const struct components_conjecture *row = gcc_conjectures(); row->arrangement != NULL;
         row++) {
        for (uint32_t h = row->least_globals; h <= row->most_globals; h++) {
            anax_progress progress = {.phase = "verifying", .done = done++, .total = total};
            struct components_verdict verdict;
            RETURN_ERROR_IF(options->progress != NULL &&
                                !options->progress(options->progress_context, &progress),
                            status, STATUS_RUN, "stopped");
            FORWARD_IF_ERROR(gcc_conjecture_verify(row, h, &verdict, status));
            add_verdict(report, row, h, &verdict);
        }
    }
    return STATUS_OK;
}

anax_code api_gcc_conjectures(char **text, char **json, const anax_options *options,
                              anax_error *error) {
    struct status status = STATUS_INIT;
    struct conjecture_report report = {TEXT_BUFFER_INIT, json_begin(), NULL, 0};
    *text = *json = NULL;
    json_put_text(report.json, "schema", "anax.gcc-conjectures/1");
    json_put_text(report.json, "version", anax_version());
    report.rows = json_put_array(report.json, "conjectures");
    text_add(&report.text, "Global connected components of full machines (g = a*h + 1)\n");
    anax_options own;
    status_code code = caller_options(&own, options, &status);
    if (code == STATUS_OK) code = verify_all(&report, &own, &status);
    json_put_bool(report.json, "hold", report.exceptions == 0);
    char *as_text = text_take(&report.text), *as_json = json_finish(report.json);
    if (code == STATUS_OK && (as_text == NULL || as_json == NULL))
        code = status_set(&status, STATUS_MEMORY, "out of memory for a report");
    if (code == STATUS_OK) {
        *text = as_text;
        *json = as_json;
        if (report.exceptions > 0)
            status_set(&status, STATUS_RUN, "a conjecture does not hold: see the result");
    } else {
        free(as_text);
        free(as_json);
    }
    return api_return(&status, error);
}
