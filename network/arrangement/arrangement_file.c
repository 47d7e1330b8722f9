/*
 * Arrangements from files. Each line gives the two ends of one global link. An end is a group, a
 * router of the group, and optionally (in all lines or in none) the number of one of the router's
 * global links:
 *
 *     # group router   group router          # group router link   group router link
 *     0 0   1 3                              0 0 1   1 3 0
 *
 * Without link numbers, the links of a router are numbered in the order of the lines. All numbers
 * start at 0. Links may stay unconnected, but every two groups must be joined.
 *
 * Invariant: each fault of a file is reported with its line, and a file with a fault is not used.
 */
#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "core/settings/line_reader.h"
#include "network/arrangement/arrangement.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EXPECTED "two ends: group router group router, or group router link group router link"

struct link_list {
    struct line_reader reader;
    struct arrangement_shape shape;
    uint32_t *other;
    size_t *lines;    /* [position]: the line that connects the link; 0: none */
    uint32_t *used;   /* [router of the machine]: links listed so far */
    unsigned numbers; /* numbers in a line: 4 or 6; 0 before the first line */
};

static unsigned count_numbers(const struct line_reader *reader) {
    unsigned count = 0;
    const char *cursor = reader->cursor;
    while (*cursor >= '0' && *cursor <= '9') {
        count++;
        cursor += strspn(cursor, "0123456789");
        cursor += strspn(cursor, " \t");
    }
    return count;
}

/* Reads one end of a link and sets its position. Returns false after a fault. */
static bool read_end(struct link_list *list, uint32_t *position) {
    uint32_t group, router, link;
    struct line_reader *reader = &list->reader;
    if (!line_reader_read_number(reader, "group", list->shape.groups, &group)) return false;
    if (!line_reader_read_number(reader, "router", list->shape.routers_per_group, &router))
        return false;
    uint32_t number = group * list->shape.routers_per_group + router;
    const char *start = reader->cursor;
    if (list->numbers == 6) {
        if (!line_reader_read_number(reader, "global link", list->shape.globals_per_router, &link))
            return false;
    } else {
        link = list->used[number]++;
        if (link >= list->shape.globals_per_router) {
            LINE_FAULT(reader, start,
                       "router %" PRIu32 " of group %" PRIu32 " has %" PRIu32
                       " global link%s, which %s taken by lines before",
                       router, group, list->shape.globals_per_router,
                       plural(list->shape.globals_per_router),
                       list->shape.globals_per_router == 1 ? "is" : "are all");
            return false;
        }
    }
    *position = number * list->shape.globals_per_router + link;
    if (list->lines[*position] == 0) return true;
    LINE_FAULT(reader, start,
               "global link %" PRIu32 " of router %" PRIu32 " of group %" PRIu32
               " is connected by line %zu already",
               link, router, group, list->lines[*position]);
    return false;
}

static void read_link(struct link_list *list) {
    struct line_reader *reader = &list->reader;
    const char *start = reader->cursor;
    unsigned numbers = count_numbers(reader);
    uint32_t one, two;
    if (numbers == 4 || numbers == 6) {
        if (list->numbers == 0) list->numbers = numbers;
        if (numbers != list->numbers) {
            LINE_FAULT(reader, start, "lines before have %u numbers each, this one has %u",
                       list->numbers, numbers);
            return;
        }
    }
    if (!read_end(list, &one)) return;
    list->lines[one] = reader->line;
    if (!read_end(list, &two) || !line_reader_expect_end(reader, EXPECTED)) return;
    uint32_t links = arrangement_links_per_group(&list->shape);
    if (one / links == two / links) {
        LINE_FAULT(reader, start,
                   "a global link joins two groups, this one group %" PRIu32 " with itself",
                   one / links);
        return;
    }
    list->lines[two] = reader->line;
    list->other[one] = two;
    list->other[two] = one;
}

/* Reports the pairs of groups that no line joins. */
static void check_pairs(struct link_list *list, bool *joined) {
    uint32_t links = arrangement_links_per_group(&list->shape), groups = list->shape.groups;
    uint64_t missing = 0;
    uint32_t first = 0, second = 0;
    for (uint32_t i = 0; i + 1 < groups; i++) {
        memset(joined, 0, groups * sizeof *joined);
        const uint32_t *other = &list->other[(size_t)i * links];
        for (uint32_t x = 0; x < links; x++)
            if (other[x] != ARRANGEMENT_UNCONNECTED) joined[other[x] / links] = true;
        for (uint32_t j = i + 1; j < groups; j++) {
            if (joined[j]) continue;
            if (missing++ == 0) first = i, second = j;
            if (missing <= SOURCE_FAULTS_MAX)
                source_report_fault(&list->reader.report, list->reader.line, 0, NULL,
                                    "no line joins group %" PRIu32 " with group %" PRIu32, i, j);
        }
    }
    if (missing > SOURCE_FAULTS_MAX)
        source_report_fault(&list->reader.report, list->reader.line, 0, NULL,
                            "%" PRIu64 " pairs of groups are not joined, the first are %" PRIu32
                            " and %" PRIu32,
                            missing, first, second);
}

status_code arrangement_file(const struct arrangement_input *input, uint32_t *other,
                             struct status *status) {
    uint32_t groups = input->shape.groups, routers = input->shape.routers_per_group;
    size_t positions = (size_t)groups * arrangement_links_per_group(&input->shape);
    struct link_list list = {.shape = input->shape, .other = other};
    FORWARD_IF_ERROR(line_reader_open(&list.reader, input->file, status));
    list.lines = memory_new(positions, sizeof *list.lines);
    list.used = memory_new((size_t)groups * routers, sizeof *list.used);
    bool *joined = memory_new(groups, sizeof *joined);
    bool no_memory = list.lines == NULL || list.used == NULL || joined == NULL;
    for (size_t position = 0; position < positions; position++)
        other[position] = ARRANGEMENT_UNCONNECTED;
    while (!no_memory && line_reader_next(&list.reader))
        read_link(&list);
    bool empty = list.reader.report.faults == 0 && list.numbers == 0;
    if (!no_memory && !empty && list.reader.report.faults == 0) check_pairs(&list, joined);
    free(list.lines);
    free(list.used);
    free(joined);
    FORWARD_IF_ERROR(line_reader_close(&list.reader, status));
    RETURN_ERROR_IF(no_memory, status, STATUS_MEMORY, "out of memory for %zu global links",
                    positions);
    RETURN_ERROR_IF(empty, status, STATUS_INPUT, "%s: holds no links; write " EXPECTED " per line",
                    input->file);
    return STATUS_OK;
}
