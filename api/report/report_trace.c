/* The contents of a trace, as JSON (schema anax.info/1) and for people. anax-json(5) describes the
 * keys. */
#include "api/api.h"
#include "api/report/json_build.h"
#include "api/report/report_layout.h"
#include "api/report/warnings.h"
#include "api/table/tables.h"
#include "core/units.h"

#include <inttypes.h>
#include <stdio.h>

enum { NAME_SIZE = 48 };

/* Writes the name of a collective: "ALLREDUCE", or "I:ALLREDUCE" for the non-blocking form. */
static void collective_name(uint32_t kind, bool non_blocking, char name[NAME_SIZE]) {
    snprintf(name, NAME_SIZE, "%s%s", non_blocking ? "I:" : "",
             program_collective_name((program_collective_kind)kind));
}

/* Returns the largest size in class k of program_totals.size_histogram. */
static uint64_t class_limit(unsigned k) {
    return UINT64_C(1) << k;
}

char *anax_trace_json(const anax_trace *trace) {
    const struct program *program = trace->program;
    struct program_totals totals;
    program_totals_of(program, &totals);
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    json_put_text(object, "schema", "anax.info/1");
    json_put_text(object, "version", anax_version());
    json_put_text(object, "path", program_text(program, program->source));
    json_put_text(object, "creator", program_text(program, program->creator));
    json_put_hash(object, "hash", program->content_hash);
    json_put_count(object, "ranks", program->rank_count);
    json_put_count(object, "locations", program->location_count);
    json_put_count(object, "events", program->event_count);
    json_put_int(object, "span_ps", program->span_ps);
    json_put_sum(object, "compute_ps", totals.compute_ps);
    json_put_count(object, "communicators", program->communicator_count);
    json_put_count(object, "messages", totals.messages);
    json_put_sum(object, "message_bytes", totals.message_bytes);
    struct json_object *remote = json_put_object(object, "one_sided");
    json_put_count(remote, "operations", totals.remote_operations);
    json_put_sum(remote, "bytes", totals.remote_bytes);
    json_put_count(remote, "window_synchronisations", totals.collectives[PROGRAM_WINDOW][0]);
    struct json_object *sizes = json_put_array(object, "message_sizes");
    for (unsigned k = 0; k < 64; k++) {
        if (totals.size_histogram[k] == 0) continue;
        struct json_object *size = json_append_object(sizes);
        json_put_count(size, "up_to_bytes", class_limit(k));
        json_put_count(size, "messages", totals.size_histogram[k]);
    }
    struct json_object *collectives = json_put_object(object, "collectives");
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        for (unsigned form = 0; form < 2; form++) {
            char name[NAME_SIZE];
            if (totals.collectives[kind][form] == 0 || kind == PROGRAM_WINDOW) continue;
            collective_name(kind, form == 1, name);
            json_put_count(collectives, name, totals.collectives[kind][form]);
        }
    }
    json_put_count(object, "unmatched_sends", program->unmatched_sends);
    json_put_count(object, "unmatched_receives", program->unmatched_receives);
    const struct table_source source = {.program = program};
    table_put_json(object, &table_warnings, &source);
    table_put_json(object, &table_not_modelled, &source);
    table_put_json(object, &table_assumed, &source);
    return json_finish(object);
}

static void add_sizes(struct text_buffer *text, const struct program_totals *totals) {
    text_add(text, "\nMessage sizes\n");
    for (unsigned k = 0; k < 64; k++) {
        char human[32], label[48];
        if (totals->size_histogram[k] == 0) continue;
        units_size_human(class_limit(k), human, sizeof human);
        snprintf(label, sizeof label, "up to %s", human);
        report_row(text, 2, label);
        text_add(text, "%10" PRIu64 "  %5.1f %%\n", totals->size_histogram[k],
                 report_percent(totals->size_histogram[k], totals->messages));
    }
}

static void add_collectives(struct text_buffer *text, const struct program_totals *totals) {
    bool any = false;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        for (unsigned form = 0; form < 2; form++) {
            char name[NAME_SIZE];
            if (totals->collectives[kind][form] == 0 || kind == PROGRAM_WINDOW) continue;
            if (!any) text_add(text, "\nCollectives, calls over all ranks\n");
            any = true;
            collective_name(kind, form == 1, name);
            report_row(text, 2, name);
            text_add(text, "%10" PRIu64 "\n", totals->collectives[kind][form]);
        }
    }
}

static void add_count(struct text_buffer *text, const char *label, uint64_t count) {
    report_row(text, 0, label);
    text_add(text, "%" PRIu64 "\n", count);
}

char *anax_trace_text(const anax_trace *trace) {
    const struct program *program = trace->program;
    struct program_totals totals;
    program_totals_of(program, &totals);
    struct text_buffer text = TEXT_BUFFER_INIT;
    char size[32];
    units_size_human(totals.message_bytes, size, sizeof size);
    text_add_name(&text, program_text(program, program->source), 0);
    text_add(&text, " (");
    text_add_name(&text, program_text(program, program->creator), 0);
    text_add(&text, ")\n\n");
    warnings_text(&text, "Warning: ", program);
    add_count(&text, "ranks", program->rank_count);
    add_count(&text, "locations", program->location_count);
    add_count(&text, "events", program->event_count);
    report_time_row(&text, 0, "time span", program->span_ps);
    wide each_ps = program->rank_count > 0 ? totals.compute_ps / program->rank_count : 0;
    char time[WIDE_TEXT_BYTES];
    units_time_sum_human(each_ps, time, sizeof time);
    report_row(&text, 0, "computation per rank");
    text_add(&text, "%s\n", time);
    add_count(&text, "communicators", program->communicator_count);
    report_row(&text, 0, "messages");
    text_add(&text, "%" PRIu64 ", %s\n", totals.messages, size);
    if (totals.remote_operations > 0) {
        units_size_human(totals.remote_bytes, size, sizeof size);
        report_row(&text, 0, "one-sided operations");
        text_add(&text, "%" PRIu64 ", %s\n", totals.remote_operations, size);
        add_count(&text, "window synchronisations", totals.collectives[PROGRAM_WINDOW][0]);
    }
    if (program->unmatched_sends + program->unmatched_receives > 0) {
        add_count(&text, "sends unmatched", program->unmatched_sends);
        add_count(&text, "receives unmatched", program->unmatched_receives);
    }
    if (totals.messages > 0) add_sizes(&text, &totals);
    add_collectives(&text, &totals);
    report_notes_text(&text, program, NULL);
    return text_take(&text);
}
