/* Writes a line for each conjecture: on how many machines it was tested, and how many of them are
 * exceptions. */
#include "api/report/report_conjectures.h"

#include "api/api.h"
#include "api/text/text_buffer.h"
#include "core/base/plural.h"

#include <inttypes.h>

static void add_verdict(struct text_buffer *text, const struct tables_verdict *row) {
    const struct components_conjecture *conjecture = row->conjecture;
    const struct components_verdict *verdict = &row->verdict;
    text_add(text, "%-15s h = %" PRIu32 ", %sa = %" PRIu32 " to %" PRIu32 ": ",
             conjecture->arrangement, row->globals, conjecture->needs_odd_routers ? "odd " : "",
             tables_min_routers(row), conjecture->max_routers);
    if (verdict->exceptions == 0)
        text_add(text, "one component each, %" PRIu64 " machine%s\n", verdict->machines,
                 plural(verdict->machines));
    else
        text_add(text,
                 "%" PRIu64 " of %" PRIu64 " machines have several components, first a = %" PRIu32
                 " with %" PRIu32 "\n",
                 verdict->exceptions, verdict->machines, verdict->routers, verdict->components);
}

/* Returns a line for each verdict, which the caller frees; NULL: out of memory. */
static char *text_of(const struct tables_verdict *verdicts, size_t count) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "Global connected components of full machines (g = a*h + 1)\n");
    for (size_t i = 0; i < count; i++)
        add_verdict(&text, &verdicts[i]);
    return text_take(&text);
}

status_code report_conjectures(const struct tables_verdict *verdicts, size_t count, char **text,
                               char **json, struct status *status) {
    const struct table_source source = {.verdicts = verdicts, .verdict_count = count};
    FORWARD_IF_ERROR(api_take_report(text, text_of(verdicts, count), json,
                                     table_json(&tables_conjectures, &source), status));
    for (size_t i = 0; i < count; i++)
        RETURN_ERROR_IF(verdicts[i].verdict.exceptions > 0, status, STATUS_RUN,
                        "a conjecture does not hold: see the result");
    return STATUS_OK;
}
