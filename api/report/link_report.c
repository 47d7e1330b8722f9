/* Figures about links. See link_report.h for the invariant. */
#include "api/report/link_report.h"

#include "core/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *link_report_level(const struct network_link *link) {
    static const char *const names[NETWORK_LEVELS] = {"terminal", "local", "global"};
    return names[link->level];
}

void link_report_source(const struct network_link *link, char *text, size_t size) {
    snprintf(text, size, "%s %" PRIu32, link->injection ? "node" : "router", link->source);
}

void link_report_destination(const struct network_link *link, char *text, size_t size) {
    bool node = link->level == NETWORK_TERMINAL && !link->injection;
    snprintf(text, size, "%s %" PRIu32, node ? "node" : "router", link->destination);
}

static void keep_busiest(void *context, const struct network_link *link) {
    struct link_report_busiest *busiest = context;
    if (link->packets == 0) return;
    size_t place = busiest->count;
    while (place > 0 && busiest->links[place - 1].busy_ps < link->busy_ps)
        place--;
    if (place == LINK_REPORT_BUSIEST) return;
    if (busiest->count < LINK_REPORT_BUSIEST) busiest->count++;
    memmove(&busiest->links[place + 1], &busiest->links[place],
            (busiest->count - place - 1) * sizeof *busiest->links);
    busiest->links[place] = *link;
}

void link_report_busiest(const struct network *network, struct link_report_busiest *busiest) {
    busiest->count = 0;
    network_visit_links(network, keep_busiest, busiest);
}

struct link_table {
    FILE *file;
    int64_t measure_ps;
    bool rails; /* there are several */
};

static void write_link(void *context, const struct network_link *link) {
    const struct link_table *table = context;
    const char *kind = link->level != NETWORK_TERMINAL ? link_report_level(link)
                       : link->injection               ? "injection"
                                                       : "ejection";
    fprintf(table->file,
            "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64
            ",%" PRId64 ",%" PRId64,
            kind, link->source, link->destination, link->source_group, link->destination_group,
            link->port, link->packets, link->bytes, link->busy_ps, link->figures.stalled_ps);
    if (table->measure_ps > 0) {
        const struct network_link_counts *measured = &link->measured;
        int64_t millionths =
            wide_millionths((uint64_t)measured->busy_ps, (uint64_t)table->measure_ps);
        fprintf(table->file, ",%" PRIu64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ".%06" PRId64,
                measured->packets, measured->busy_ps, measured->stalled_ps, millionths / 1000000,
                millionths % 1000000);
    }
    if (table->rails) fprintf(table->file, ",%" PRIu32, link->rail);
    fputc('\n', table->file);
}

bool link_report_write_links(const struct network *network, int64_t measure_ps, FILE *file) {
    struct link_table table = {file, measure_ps, network_rail_count(network) > 1};
    fputs("kind,source,destination,source_group,destination_group,port,packets,size_bytes,busy_ps,"
          "stalled_ps",
          file);
    if (measure_ps > 0)
        fputs(",measured_packets,measured_busy_ps,measured_stalled_ps,utilisation", file);
    if (table.rails) fputs(",rail", file);
    fputc('\n', file);
    network_visit_links(network, write_link, &table);
    return ferror(file) == 0;
}

struct global_links {
    struct network_link *links;
    size_t count;
    size_t capacity;
    bool failed;
};

static void keep_global(void *context, const struct network_link *link) {
    struct global_links *globals = context;
    if (link->level != NETWORK_GLOBAL || globals->failed) return;
    void *array = globals->links;
    globals->failed = memory_grow(&array, &globals->capacity, globals->count + 1,
                                  sizeof *globals->links, NULL) != STATUS_OK;
    globals->links = array;
    if (!globals->failed) globals->links[globals->count++] = *link;
}

static int by_groups(const void *first, const void *second) {
    const struct network_link *a = first;
    const struct network_link *b = second;
    if (a->source_group != b->source_group) return a->source_group < b->source_group ? -1 : 1;
    if (a->destination_group != b->destination_group)
        return a->destination_group < b->destination_group ? -1 : 1;
    return 0;
}

static void write_pair(FILE *file, const struct network_link *links, size_t count) {
    uint64_t packets = 0;
    wide sums[3] = {0};
    for (size_t i = 0; i < count; i++) {
        packets += links[i].packets;
        sums[0] += links[i].bytes;
        sums[1] += (uint64_t)links[i].busy_ps;
        sums[2] += (uint64_t)links[i].figures.stalled_ps;
    }
    fprintf(file, "%" PRIu32 ",%" PRIu32 ",%zu,%" PRIu64, links->source_group,
            links->destination_group, count, packets);
    for (unsigned i = 0; i < 3; i++) {
        char text[WIDE_TEXT_BYTES];
        fprintf(file, ",%s", wide_text(sums[i], text));
    }
    fputc('\n', file);
}

status_code link_report_write_groups(const struct network *network, FILE *file,
                                     struct status *status) {
    struct global_links globals = {0};
    network_visit_links(network, keep_global, &globals);
    if (globals.failed) {
        free(globals.links);
        return status_set(status, STATUS_MEMORY, "out of memory for the table of groups");
    }
    if (globals.count > 0) qsort(globals.links, globals.count, sizeof *globals.links, by_groups);
    fputs("source_group,destination_group,links,packets,size_bytes,busy_ps,stalled_ps\n", file);
    for (size_t first = 0, next; first < globals.count; first = next) {
        next = first + 1;
        while (next < globals.count && by_groups(&globals.links[first], &globals.links[next]) == 0)
            next++;
        write_pair(file, &globals.links[first], next - first);
    }
    free(globals.links);
    RETURN_ERROR_IF(ferror(file) != 0, status, STATUS_SYSTEM, "write failed");
    return STATUS_OK;
}
