/* What an extrapolation found, for people. */
#include "api/report/report_extrapolation.h"
#include "api/text/text_buffer.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN = 40 }; /* findings of a subject in the text; JSON has all */

static void add_series(struct text_buffer *text, const struct extrapolate_report *report) {
    for (uint32_t k = 0; k < report->program_count; k++) {
        text_add(text, "%8" PRIu32 " ranks  ", report->ranks[k]);
        text_add_name(text, report->sources[k], 0);
        text_add(text, "\n");
    }
    char bytes[UNITS_TEXT_BYTES];
    units_size_text((int64_t)report->bytes, bytes, sizeof bytes);
    text_add(text, "%8" PRIu32 " ranks  extrapolated: %" PRIu64 " messages, %s\n",
             report->target_ranks, report->messages, bytes);
}

/* Adds the findings of one subject, from the first on. */
static void add_subject(struct text_buffer *text, const struct extrapolate_report *report,
                        size_t first) {
    const char *subject = report->findings[first].subject;
    size_t shown = 0, hidden = 0;
    text_add(text, "\n%s\n", subject);
    for (size_t i = first; i < report->finding_count; i++) {
        const struct extrapolate_finding *finding = &report->findings[i];
        if (strcmp(finding->subject, subject) != 0) continue;
        if (++shown > SHOWN && !finding->uncertain) {
            hidden++;
            continue;
        }
        text_add(text, "  ");
        text_add_name(text, finding->where, 24);
        text_add(text, "  ");
        text_add_name(text, finding->law, 0);
        if (strcmp(finding->fit, "exact") != 0) text_add(text, "; %s", finding->fit);
        text_add(text, "%s\n", finding->uncertain ? "; UNCERTAIN" : "");
    }
    if (hidden > 0) text_add(text, "  and %zu more (--json has all)\n", hidden);
}

/* Returns whether a law does not give every value of the series. */
static bool is_fit(const char *fit) {
    static const char *const beginnings[] = {"error ", "fits", "too few programs"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(fit, beginnings[i], strlen(beginnings[i])) == 0) return true;
    return false;
}

char *report_extrapolation_text(const anax_extrapolation *extrapolation) {
    const struct extrapolate_report *report = &extrapolation->report;
    struct text_buffer text = TEXT_BUFFER_INIT;
    uint64_t uncertain = 0, fitted = 0;
    add_series(&text, report);
    for (size_t i = 0; i < report->finding_count; i++) {
        size_t same = 0;
        uncertain += report->findings[i].uncertain;
        fitted += is_fit(report->findings[i].fit);
        while (strcmp(report->findings[same].subject, report->findings[i].subject) != 0)
            same++;
        if (same == i) add_subject(&text, report, i);
    }
    if (fitted == 0)
        text_add(&text, "\nAll rules and laws hold exactly in the series");
    else
        text_add(&text, "\n%" PRIu64 " %s; the others hold exactly in the series", fitted,
                 fitted == 1 ? "law is a fit" : "laws are fits");
    text_add(&text, "; %" PRIu64 " of %zu findings %s uncertain.\n", uncertain,
             report->finding_count, uncertain == 1 ? "is" : "are");
    return text_take(&text);
}

char *report_extrapolation_warnings(const anax_extrapolation *extrapolation) {
    const struct extrapolate_report *report = &extrapolation->report;
    struct text_buffer text = TEXT_BUFFER_INIT;
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct extrapolate_finding *finding = &report->findings[i];
        if (!finding->uncertain) continue;
        text_add(&text, "%s, ", finding->subject);
        text_add_name(&text, finding->where, 0);
        text_add(&text, ": ");
        text_add_name(&text, finding->law, 0);
        text_add(&text, " is uncertain (%s)\n", finding->fit);
    }
    return text_take(&text);
}
