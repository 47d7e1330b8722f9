/*
 * The schedule as JSON, one operation per line. It is written in pieces, because a tree of json-c
 * would be many times as large as the program.
 */
#include "api/export/export.h"
#include "core/base/utf8.h"

#include <inttypes.h>

/* Adds a text in quotes, with escapes. */
static void add_text(struct text_buffer *buffer, const char *text) {
    text_add(buffer, "\"");
    for (size_t length; *text != '\0'; text += length > 0 ? length : 1) {
        unsigned char c = (unsigned char)*text;
        length = utf8_character(text);
        if (c == '"' || c == '\\')
            text_add(buffer, "\\%c", c);
        else if (c < 0x20)
            text_add(buffer, "\\u%04x", c);
        else
            text_add(buffer, "%.*s", (int)(length > 0 ? length : 1), length > 0 ? text : "?");
    }
    text_add(buffer, "\"");
}

void export_json_begin(struct export_writer *writer) {
    const struct program *program = writer->program;
    text_add(&writer->text,
             "{\n\"schema\":\"anax.program/1\",\n\"version\":\"%s\",\n\"source\":", anax_version());
    add_text(&writer->text, program_text(program, program->source));
    text_add(&writer->text,
             ",\n\"hash\":\"%016" PRIx64 "\",\n\"rank_count\":%u,\n\"unmatched_sends\":%" PRIu64
             ",\n\"unmatched_receives\":%" PRIu64 ",\n\"ranks\":[",
             program->content_hash, program->rank_count, program->unmatched_sends,
             program->unmatched_receives);
}

void export_json_begin_rank(struct export_writer *writer, uint32_t rank) {
    text_add(&writer->text, "%s\n{\"rank\":%u,\"operations\":[", rank > 0 ? "," : "", rank);
}

static void add_edges(struct export_writer *writer, const struct schedule_operation *operation,
                      const char *key, bool only_posted) {
    const char *between = "";
    text_add(&writer->text, ",\"%s\":[", key);
    for (size_t i = 0; i < operation->edge_count; i++) {
        if (operation->edges[i].needs_only_posted != only_posted) continue;
        text_add(&writer->text, "%s%u", between, operation->edges[i].label);
        between = ",";
    }
    text_add(&writer->text, "]");
}

void export_json_operation(struct export_writer *writer,
                           const struct schedule_operation *operation) {
    static const char *const kinds[] = {"calc", "send", "receive"};
    text_add(&writer->text, "%s\n{\"label\":%u,\"kind\":\"%s\"", operation->label > 1 ? "," : "",
             operation->label, kinds[operation->kind]);
    if (operation->kind == SCHEDULE_CALC)
        text_add(&writer->text, ",\"duration_ps\":%" PRId64, operation->duration_ps);
    else
        text_add(&writer->text, ",\"peer\":%u,\"tag\":%u,\"bytes\":%" PRIu64, operation->peer,
                 operation->tag, operation->size_bytes);
    if (operation->is_by_nic) text_add(&writer->text, ",\"nic\":true");
    if (operation->cpu > 0) text_add(&writer->text, ",\"cpu\":%u", (unsigned)operation->cpu);
    if (operation->nic > 0) text_add(&writer->text, ",\"nic_number\":%u", (unsigned)operation->nic);
    if (*operation->call != '\0') {
        text_add(&writer->text, ",\"call\":");
        add_text(&writer->text, operation->call);
    }
    add_edges(writer, operation, "requires", false);
    add_edges(writer, operation, "after_begin_of", true);
    text_add(&writer->text, "}");
}

void export_json_end_rank(struct export_writer *writer, uint32_t rank) {
    (void)rank;
    text_add(&writer->text, "]}");
}

void export_json_end(struct export_writer *writer) {
    text_add(&writer->text, "]\n}\n");
}
