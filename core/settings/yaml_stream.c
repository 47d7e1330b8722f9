/* Reads YAML event by event with libfyaml, which no other file includes, and turns the errors of
 * this library into faults with a line and a column. */
#include "core/settings/yaml_stream.h"

#include "core/memory/memory.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

void yaml_advance(struct yaml_stream *stream) {
    if (stream->event != NULL) fy_parser_event_free(stream->parser, stream->event);
    bool stop = source_report_full(&stream->report) || stream->out_of_memory;
    stream->event = stop ? NULL : fy_parser_parse(stream->parser);
}

static enum fy_event_type type_of(const struct yaml_stream *stream) {
    return stream->event != NULL ? stream->event->type : FYET_NONE;
}

yaml_kind yaml_kind_of(const struct yaml_stream *stream) {
    switch (type_of(stream)) {
    case FYET_NONE:
        return YAML_NONE;
    case FYET_DOCUMENT_START:
        return YAML_DOCUMENT;
    case FYET_SCALAR:
        return YAML_SCALAR;
    case FYET_ALIAS:
        return YAML_ALIAS;
    case FYET_MAPPING_START:
        return YAML_MAP;
    case FYET_MAPPING_END:
        return YAML_MAP_END;
    case FYET_SEQUENCE_START:
        return YAML_LIST;
    case FYET_SEQUENCE_END:
        return YAML_LIST_END;
    default:
        return YAML_OTHER;
    }
}

void yaml_skip_node(struct yaml_stream *stream) {
    size_t depth = 0;
    while (stream->event != NULL) {
        enum fy_event_type type = type_of(stream);
        depth += type == FYET_MAPPING_START || type == FYET_SEQUENCE_START;
        depth -= type == FYET_MAPPING_END || type == FYET_SEQUENCE_END;
        yaml_advance(stream);
        if (depth == 0) return;
    }
}

struct yaml_mark yaml_mark_of(const struct yaml_stream *stream) {
    const struct fy_mark *start = stream->event != NULL ? fy_event_start_mark(stream->event) : NULL;
    if (start == NULL || start->line < 0 || start->column < 0) return (struct yaml_mark){1, 1};
    /* libfyaml's place of a quoted text or an alias is after its first character */
    bool signed_start = type_of(stream) == FYET_ALIAS;
    if (type_of(stream) == FYET_SCALAR) {
        enum fy_scalar_style style = fy_token_scalar_style(stream->event->scalar.value);
        signed_start = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    }
    size_t column = (size_t)start->column;
    return (struct yaml_mark){(size_t)start->line + 1,
                              signed_start && column > 0 ? column : column + 1};
}

bool yaml_is_bare(struct yaml_stream *stream) {
    const struct fy_event *event = stream->event;
    bool anchor = false, tag = false;
    switch (type_of(stream)) {
    case FYET_ALIAS:
        YAML_FAULT(stream, yaml_mark_of(stream), NULL,
                   "an alias (*name) cannot stand here; write the value");
        return false;
    case FYET_SCALAR:
        anchor = event->scalar.anchor != NULL, tag = event->scalar.tag != NULL;
        break;
    case FYET_MAPPING_START:
        anchor = event->mapping_start.anchor != NULL, tag = event->mapping_start.tag != NULL;
        break;
    case FYET_SEQUENCE_START:
        anchor = event->sequence_start.anchor != NULL, tag = event->sequence_start.tag != NULL;
        break;
    default:
        break;
    }
    if (anchor || tag)
        YAML_FAULT(stream, yaml_mark_of(stream), NULL, "%s means nothing here; remove it",
                   anchor ? "an anchor (&name)" : "a tag (!name)");
    return !anchor && !tag;
}

/* Returns the text of the current scalar, which the caller frees; NULL if out of memory. Joins
 * chunks, because fy_token_get_text of libfyaml 0.7.12 leaks memory for texts of many chunks. */
static char *join_chunks(struct yaml_stream *stream, size_t *length) {
    struct fy_token_iter *chunks = fy_token_iter_create(stream->event->scalar.value);
    const struct fy_iter_chunk *chunk = NULL;
    int error = 0;
    void *text = NULL;
    size_t capacity = 0;
    *length = 0;
    bool failed = chunks == NULL || memory_grow(&text, &capacity, 1, sizeof(char), NULL);
    while (!failed && (chunk = fy_token_iter_chunk_next(chunks, chunk, &error)) != NULL) {
        failed = memory_grow(&text, &capacity, *length + chunk->len + 1, sizeof(char), NULL);
        if (failed) break;
        memcpy((char *)text + *length, chunk->str, chunk->len);
        *length += chunk->len;
    }
    if (chunks != NULL) fy_token_iter_destroy(chunks);
    if (failed || error != 0) {
        stream->out_of_memory = true;
        free(text);
        return NULL;
    }
    ((char *)text)[*length] = '\0';
    return text;
}

char *yaml_text(struct yaml_stream *stream) {
    size_t length;
    char *text = join_chunks(stream, &length);
    if (text == NULL) return NULL;
    bool single_quoted = fy_token_scalar_style(stream->event->scalar.value) == FYSS_SINGLE_QUOTED;
    if (strlen(text) < length) {
        YAML_FAULT(stream, yaml_mark_of(stream), NULL, "a text with a zero character");
    } else if (single_quoted && strstr(text, "''") != NULL) {
        /* libfyaml 0.7.12 counts such quotes wrongly when it delivers a text in chunks */
        YAML_FAULT(stream, yaml_mark_of(stream), NULL,
                   "several quotes in a row in a single-quoted text; write it in double quotes");
    } else {
        return text;
    }
    free(text);
    return NULL;
}

bool yaml_is_empty(const struct yaml_stream *stream) {
    if (type_of(stream) != FYET_SCALAR) return false;
    struct fy_token *value = stream->event->scalar.value;
    return fy_token_scalar_style(value) == FYSS_PLAIN && fy_token_get_text_length(value) == 0;
}

/* Ignores a message. libfyaml collects its errors, and none may reach the terminal. */
static void swallow(struct fy_diag *diag, void *user, const char *text, size_t length) {
    (void)diag, (void)user, (void)text, (void)length;
}

static void tell_syntax_errors(struct yaml_stream *stream) {
    void *previous = NULL;
    const struct fy_diag_error *error;
    while ((error = fy_diag_errors_iterate(stream->diag, &previous)) != NULL) {
        if (error->type < FYET_ERROR || source_report_full(&stream->report)) continue;
        bool placed = error->line > 0 && error->column > 0;
        source_report_fault(&stream->report, placed ? (size_t)error->line : 1,
                            placed ? (size_t)error->column : 0, NULL, "YAML: %s", error->msg);
    }
}

/* Returns true if there is much more memory than libfyaml was seen to use, since it does not
 * survive every failed allocation. */
static bool has_memory(size_t text_bytes) {
    enum { BYTES = 256 << 10, BYTES_PER_BYTE = 16 };
    return memory_is_available(BYTES + BYTES_PER_BYTE * text_bytes);
}

bool yaml_begin(struct yaml_stream *stream) {
    if (!has_memory(stream->report.size)) {
        stream->out_of_memory = true;
        return false;
    }
    errno = 0;
    struct fy_diag_cfg diag_config;
    fy_diag_cfg_default(&diag_config);
    diag_config.fp = NULL;
    diag_config.output_fn = swallow;
    diag_config.colorize = false;
    stream->diag = fy_diag_create(&diag_config);
    if (stream->diag != NULL) fy_diag_set_collect_errors(stream->diag, true);
    struct fy_parse_cfg parse_config = {.flags = FYPCF_DEFAULT_PARSE, .diag = stream->diag};
    stream->parser = stream->diag != NULL ? fy_parser_create(&parse_config) : NULL;
    if (stream->parser == NULL ||
        fy_parser_set_string(stream->parser, stream->report.text, stream->report.size) != 0) {
        stream->out_of_memory = true;
        return false;
    }
    yaml_advance(stream); /* the start of the stream */
    yaml_advance(stream);
    return true;
}

/* libfyaml stops without an error if memory is short. */
void yaml_end(struct yaml_stream *stream) {
    const unsigned told = stream->report.faults;
    const int reason = errno;
    if (stream->event != NULL) fy_parser_event_free(stream->parser, stream->event);
    stream->event = NULL;
    if (stream->parser != NULL && fy_parser_get_stream_error(stream->parser)) {
        tell_syntax_errors(stream);
        if (told == stream->report.faults && reason == ENOMEM)
            stream->out_of_memory = true;
        else if (told == stream->report.faults)
            source_report_fault(&stream->report, 1, 0, NULL, "this is not YAML");
    }
    if (stream->parser != NULL) fy_parser_destroy(stream->parser);
    if (stream->diag != NULL) fy_diag_destroy(stream->diag);
}
