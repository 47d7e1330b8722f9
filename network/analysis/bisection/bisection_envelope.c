/* Inserts the line of a cut into the lower envelope, and drops the lines that are lowest nowhere
 * any more. */
#include "network/analysis/bisection/bisection_envelope.h"

#include "core/base/greatest_common_divisor.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

void bisection_envelope_free(struct bisection_envelope *envelope) {
    for (size_t i = 0; i < envelope->count; i++)
        free(envelope->lines[i].side);
    free(envelope->lines);
    memset(envelope, 0, sizeof *envelope);
}

/* Returns whether the middle line is nowhere the only lowest line: right meets left before or where
 * middle does. The lines have rising local and falling global links. */
static bool is_hidden(const struct bisection_cut *left, const struct bisection_cut *middle,
                      const struct bisection_cut *right) {
    return (middle->local_links - left->local_links) * (left->global_links - right->global_links) >=
           (right->local_links - left->local_links) * (left->global_links - middle->global_links);
}

static void drop_line(struct bisection_envelope *envelope, size_t number) {
    free(envelope->lines[number].side);
    envelope->count--;
    memmove(&envelope->lines[number], &envelope->lines[number + 1],
            (envelope->count - number) * sizeof *envelope->lines);
}

/* Returns whether a new line, inserted at index `number`, is below the envelope of the others
 * somewhere. */
static bool is_useful(const struct bisection_envelope *envelope, size_t number,
                      const struct bisection_cut *line) {
    if (number > 0 && envelope->lines[number - 1].global_links <= line->global_links) return false;
    if (number == envelope->count) return true;
    const struct bisection_cut *next = &envelope->lines[number];
    if (next->local_links == line->local_links) return line->global_links < next->global_links;
    return next->global_links >= line->global_links || number == 0 ||
           !is_hidden(&envelope->lines[number - 1], line, next);
}

status_code bisection_envelope_add(struct bisection_envelope *envelope, const uint8_t *side,
                                   bool *changed, struct status *status) {
    struct bisection_cut line = {0};
    bisection_count(envelope->graph, side, &line.local_links, &line.global_links);
    size_t position = 0;
    while (position < envelope->count && envelope->lines[position].local_links < line.local_links)
        position++;
    if (!is_useful(envelope, position, &line)) return STATUS_OK;
    FORWARD_IF_ERROR(memory_grow((void **)&envelope->lines, &envelope->capacity,
                                 envelope->count + 1, sizeof *envelope->lines, status));
    line.side = memory_new(envelope->graph->routers, 1);
    RETURN_ERROR_IF(line.side == NULL, status, STATUS_MEMORY, "out of memory for a cut");
    for (uint32_t i = 0; i < envelope->graph->routers; i++)
        line.side[i] = side[i] ^ side[0];
    memmove(&envelope->lines[position + 1], &envelope->lines[position],
            (envelope->count - position) * sizeof *envelope->lines);
    envelope->lines[position] = line;
    envelope->count++;
    *changed = true;
    while (position + 1 < envelope->count &&
           envelope->lines[position + 1].global_links >= line.global_links)
        drop_line(envelope, position + 1);
    while (position + 2 < envelope->count &&
           is_hidden(&line, &envelope->lines[position + 1], &envelope->lines[position + 2]))
        drop_line(envelope, position + 1);
    while (position >= 2 && is_hidden(&envelope->lines[position - 2],
                                      &envelope->lines[position - 1], &envelope->lines[position])) {
        drop_line(envelope, position - 1);
        position--;
    }
    return STATUS_OK;
}

struct bisection_point bisection_envelope_point(const struct bisection_envelope *envelope,
                                                size_t number) {
    struct bisection_point point = {.denominator = 1};
    if (number == envelope->count) {
        point = (struct bisection_point){.numerator = 1};
    } else if (number > 0) {
        const struct bisection_cut *left = &envelope->lines[number - 1], *right = left + 1;
        point.numerator = right->local_links - left->local_links;
        point.denominator = left->global_links - right->global_links;
        uint64_t common = greatest_common_divisor(point.numerator, point.denominator);
        point.numerator /= common;
        point.denominator /= common;
    }
    const struct bisection_cut *line =
        &envelope->lines[number < envelope->count ? number : number - 1];
    point.upper = point.denominator * line->local_links + point.numerator * line->global_links;
    return point;
}
