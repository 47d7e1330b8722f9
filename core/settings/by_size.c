/* Checks and compares step functions of bytes, reads them from texts, and writes them. */
#include "core/settings/by_size.h"

#include "core/base/utf8.h"
#include "core/settings/units.h"

#include <stdio.h>
#include <string.h>

bool by_size_is_valid(const struct by_size *values, int64_t minimum, int64_t maximum) {
    if (values->count < 1 || values->count > BY_SIZE_STEPS || values->steps[0].from_bytes != 0)
        return false;
    for (int64_t i = 0; i < values->count; i++) {
        const struct by_size_step *step = &values->steps[i];
        if (step->value < minimum || step->value > maximum) return false;
        if (i > 0 && (step->from_bytes <= step[-1].from_bytes || step->value == step[-1].value))
            return false;
    }
    return true;
}

bool by_size_equal(const struct by_size *values, const struct by_size *others) {
    if (values->count != others->count) return false;
    for (int64_t i = 0; i < values->count; i++) {
        const struct by_size_step *step = &values->steps[i], *other = &others->steps[i];
        if (step->from_bytes != other->from_bytes || step->value != other->value) return false;
    }
    return true;
}

#define PIECE_BYTES 64 /* of a size or a value, as text */

/* Copies a piece of a text, so that it can be parsed alone. */
static status_code cut_step(const char *text, size_t length, char *piece, struct status *status) {
    RETURN_ERROR_IF(length >= PIECE_BYTES, status, STATUS_USAGE,
                    "it is longer than any size and value can be");
    memcpy(piece, text, length);
    piece[length] = '\0';
    return STATUS_OK;
}

static status_code parse_value(const struct by_size_kind *kind, const char *text, size_t length,
                               int64_t *value, struct status *status) {
    char piece[PIECE_BYTES], low[UNITS_TEXT_BYTES], high[UNITS_TEXT_BYTES];
    FORWARD_IF_ERROR(cut_step(text, length, piece, status));
    FORWARD_IF_ERROR(kind->parse(piece, value, status));
    kind->write(kind->minimum, low, sizeof low);
    kind->write(kind->maximum, high, sizeof high);
    RETURN_ERROR_IF(*value < kind->minimum || *value > kind->maximum, status, STATUS_USAGE,
                    "`%s` is out of range; it takes %s from %s to %s", piece, kind->what, low,
                    high);
    return STATUS_OK;
}

/* Text: "1KiB:350ns", or the value alone in the first step. before_bytes: where the step before it
 * begins. */
static status_code parse_step(const struct by_size_kind *kind, const char *text, size_t length,
                              bool first, int64_t before_bytes, struct by_size_step *step,
                              struct status *status) {
    const char *colon = memchr(text, ':', length);
    step->from_bytes = 0;
    if (first) {
        RETURN_ERROR_IF(colon != NULL, status, STATUS_USAGE,
                        "the first step holds from 0 bytes on and has no size; write its value "
                        "alone");
        return parse_value(kind, text, length, &step->value, status);
    }
    RETURN_ERROR_IF(colon == NULL, status, STATUS_USAGE,
                    "a size and a colon are missing; write the size from which on it holds, a "
                    "colon and %s, as 1KiB:350ns",
                    kind->what);
    char size[PIECE_BYTES], before[UNITS_TEXT_BYTES];
    size_t size_length = (size_t)(colon - text);
    FORWARD_IF_ERROR(cut_step(text, size_length, size, status));
    FORWARD_IF_ERROR(units_parse_size(size, &step->from_bytes, status));
    units_size_text(before_bytes, before, sizeof before);
    RETURN_ERROR_IF(step->from_bytes <= before_bytes, status, STATUS_USAGE,
                    "it begins at %s, but the step before it at %s; sizes must rise", size, before);
    return parse_value(kind, colon + 1, length - size_length - 1, &step->value, status);
}

status_code by_size_parse(const struct by_size_kind *kind, const char *text, struct by_size *values,
                          struct status *status) {
    struct by_size parsed = {0};
    int64_t before_bytes = 0;
    for (int number = 1;; number++) {
        size_t length = strcspn(text, "/");
        bool alone = number == 1 && text[length] == '\0' && strchr(text, ':') == NULL;
        struct by_size_step step;
        if (parse_step(kind, text, length, number == 1, before_bytes, &step, status) != STATUS_OK) {
            if (!alone)
                status_prefix(status, "step %d (`%.*s`)", number,
                              UTF8_SHOWN(text, length < PIECE_BYTES ? length : PIECE_BYTES));
            return STATUS_USAGE;
        }
        before_bytes = step.from_bytes;
        bool changes = number == 1 || step.value != parsed.steps[parsed.count - 1].value;
        RETURN_ERROR_IF(changes && parsed.count == BY_SIZE_STEPS, status, STATUS_USAGE,
                        "more than %d steps; leave out the ones that matter least", BY_SIZE_STEPS);
        if (changes) parsed.steps[parsed.count++] = step;
        if (text[length] == '\0') break;
        text += length + 1;
    }
    *values = parsed;
    return STATUS_OK;
}

void by_size_text(const struct by_size_kind *kind, const struct by_size *values, char *buffer,
                  size_t size) {
    size_t length = 0;
    for (int64_t i = 0; i < values->count && length < size; i++) {
        char from[UNITS_TEXT_BYTES], value[UNITS_TEXT_BYTES];
        units_size_text(values->steps[i].from_bytes, from, sizeof from);
        kind->write(values->steps[i].value, value, sizeof value);
        length += (size_t)snprintf(buffer + length, size - length, "%s%s%s%s", i > 0 ? "/" : "",
                                   i > 0 ? from : "", i > 0 ? ":" : "", value);
    }
}
