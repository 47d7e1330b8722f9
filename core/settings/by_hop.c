/* Checks and compares lists of values by hop, reads them from texts, and writes them. */
#include "core/settings/by_hop.h"

#include "core/base/utf8.h"
#include "core/settings/units.h"

#include <stdio.h>
#include <string.h>

bool by_hop_is_valid(const struct by_hop *list, int64_t minimum, int64_t maximum) {
    if (list->count < 1 || list->count > BY_HOP_VALUES) return false;
    for (int64_t i = 0; i < list->count; i++)
        if (list->values[i] < minimum || list->values[i] > maximum) return false;
    return list->count == 1 || list->values[list->count - 1] != list->values[list->count - 2];
}

bool by_hop_equal(const struct by_hop *list, const struct by_hop *other) {
    return list->count == other->count &&
           memcmp(list->values, other->values, (size_t)list->count * sizeof *list->values) == 0;
}

static status_code parse_one(const char *text, size_t length, int64_t minimum, int64_t maximum,
                             int64_t *value, struct status *status) {
    char piece[64], low[UNITS_TEXT_BYTES], high[UNITS_TEXT_BYTES];
    RETURN_ERROR_IF(length >= sizeof piece, status, STATUS_USAGE,
                    "`%.*s` is longer than any value can be", UTF8_SHOWN(text, 60));
    memcpy(piece, text, length);
    piece[length] = '\0';
    FORWARD_IF_ERROR(units_parse_byte_hops(piece, value, status));
    units_count_text(minimum, low, sizeof low);
    units_count_text(maximum, high, sizeof high);
    RETURN_ERROR_IF(*value < minimum || *value > maximum, status, STATUS_USAGE,
                    "`%s` is out of range; it takes bytes times hops from %s to %s", piece, low,
                    high);
    return STATUS_OK;
}

status_code by_hop_parse(const char *text, int64_t minimum, int64_t maximum, struct by_hop *list,
                         struct status *status) {
    struct by_hop parsed = {0};
    bool alone = strchr(text, ':') == NULL;
    for (;;) {
        size_t length = strcspn(text, ":");
        RETURN_ERROR_IF(parsed.count == BY_HOP_VALUES, status, STATUS_USAGE,
                        "more than %d values; the last one holds for all further hops",
                        BY_HOP_VALUES);
        if (parse_one(text, length, minimum, maximum, &parsed.values[parsed.count], status) !=
            STATUS_OK) {
            if (!alone) status_prefix(status, "value %d", (int)parsed.count + 1);
            return STATUS_USAGE;
        }
        parsed.count++;
        if (text[length] == '\0') break;
        text += length + 1;
    }
    while (parsed.count > 1 && parsed.values[parsed.count - 1] == parsed.values[parsed.count - 2])
        parsed.values[--parsed.count] = 0;
    *list = parsed;
    return STATUS_OK;
}

void by_hop_text(const struct by_hop *list, char *buffer, size_t size) {
    size_t length = 0;
    for (int64_t i = 0; i < list->count && length < size; i++) {
        char value[UNITS_TEXT_BYTES];
        units_count_text(list->values[i], value, sizeof value);
        length += (size_t)snprintf(buffer + length, size - length, "%s%s", i > 0 ? ":" : "", value);
    }
}
