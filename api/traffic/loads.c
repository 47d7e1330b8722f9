/* Reads lists of offered loads. Loads are in millionths, so that steps such as 0.05 are exact. */
#include "api/traffic/loads.h"

#include "core/memory/memory.h"
#include "core/settings/units.h"

#include <stdlib.h>
#include <string.h>

enum { LOADS_MAX = 1000 };

struct load_list {
    int64_t *loads;
    size_t count; /* may exceed the number of loads that are kept */
    size_t capacity;
};

/* Adds `count` loads first, first + step, ... Loads beyond LOADS_MAX are counted but not kept. */
static status_code add_loads(struct load_list *list, int64_t first, int64_t step, int64_t count,
                             const char *text, struct status *status) {
    RETURN_ERROR_IF(first < 1 || first + (count - 1) * step > 1000000, status, STATUS_USAGE,
                    "load `%s`: a load is a share of the injection bandwidth, above 0 and at "
                    "most 1",
                    text);
    list->count += (size_t)count;
    if (list->count > LOADS_MAX) return STATUS_OK;
    void *array = list->loads;
    status_code code =
        memory_grow(&array, &list->capacity, list->count, sizeof *list->loads, status);
    list->loads = array;
    if (code != STATUS_OK) return code;
    int64_t *added = list->loads + list->count - (size_t)count;
    for (int64_t i = 0; i < count; i++)
        added[i] = first + i * step;
    return STATUS_OK;
}

/* Adds a range first:last:step, which it cuts up in place; text is for error messages. */
static status_code add_range(struct load_list *list, char *item, const char *text,
                             struct status *status) {
    char *last_text = strchr(item, ':');
    *last_text++ = '\0';
    char *step_text = strchr(last_text, ':');
    RETURN_ERROR_IF(step_text == NULL || strchr(step_text + 1, ':') != NULL, status, STATUS_USAGE,
                    "loads `%s`: a range is first:last:step, e.g. 0.1:0.9:0.1", text);
    *step_text++ = '\0';
    int64_t first, last, step;
    FORWARD_IF_ERROR(units_parse_ratio(item, &first, status));
    FORWARD_IF_ERROR(units_parse_ratio(last_text, &last, status));
    FORWARD_IF_ERROR(units_parse_ratio(step_text, &step, status));
    RETURN_ERROR_IF(step < 1 || last < first, status, STATUS_USAGE,
                    "loads `%s`: a range goes up from first to last by a step above 0", text);
    int64_t count = first < 1 ? 1 : (last - first) / step + 1;
    return add_loads(list, first, step, count, text, status);
}

static status_code add_item(struct load_list *list, char *item, const char *text,
                            struct status *status) {
    if (strchr(item, ':') != NULL) return add_range(list, item, text, status);
    int64_t load;
    if (units_parse_ratio(item, &load, status) != STATUS_OK) {
        status_prefix(status, "loads `%s`", text);
        status_append(status, "a range is first:last:step, e.g. 0.1:0.9:0.1");
        return status->code;
    }
    return add_loads(list, load, 1, 1, text, status);
}

static status_code check_twice(const struct load_list *list, const char *text,
                               struct status *status) {
    for (size_t i = 1; i < list->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (list->loads[i] != list->loads[j]) continue;
            char load[UNITS_TEXT_BYTES];
            units_ratio_text(list->loads[i], load, sizeof load);
            return status_set(status, STATUS_USAGE, "loads `%s`: %s is given twice; remove one",
                              text, load);
        }
    }
    return STATUS_OK;
}

status_code loads_parse(const char *text, int64_t **loads_millionths, size_t *count,
                        struct status *status) {
    struct load_list list = {0};
    char *copy = NULL;
    FORWARD_IF_ERROR(memory_copy_text(&copy, text, status));
    status_code code = STATUS_OK;
    for (char *item = copy, *next; item != NULL && code == STATUS_OK; item = next) {
        next = strchr(item, ',');
        if (next != NULL) *next++ = '\0';
        code = add_item(&list, item, text, status);
    }
    free(copy);
    if (code == STATUS_OK && list.count > LOADS_MAX)
        code = status_set(status, STATUS_USAGE,
                          "loads `%s`: %zu loads, and at most %d in one run; use a larger step",
                          text, list.count, LOADS_MAX);
    if (code == STATUS_OK) code = check_twice(&list, text, status);
    if (code != STATUS_OK) {
        free(list.loads);
        return code;
    }
    *loads_millionths = list.loads;
    *count = list.count;
    return STATUS_OK;
}
