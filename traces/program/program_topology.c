/* Process topologies: whether they fit their communicators, and their texts. */
#include "traces/program/program_topology.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool fits_cartesian(uint32_t size, const uint32_t *numbers, uint64_t count) {
    uint64_t product = 1;
    if (count % 2 != 0) return false;
    for (uint64_t i = 0; i < count; i += 2) {
        if (numbers[i] == 0 || numbers[i + 1] > 1) return false;
        product *= numbers[i];
        if (product > size) return false;
    }
    return product == size;
}

static bool fits_graph(uint32_t size, const uint32_t *numbers, uint64_t count) {
    uint64_t at = 0;
    for (uint32_t member = 0; member < size; member++) {
        if (count - at < 2) return false;
        const uint64_t listed = (uint64_t)numbers[at] + numbers[at + 1];
        at += 2;
        if (listed > count - at) return false;
        for (const uint64_t end = at + listed; at < end; at++)
            if (numbers[at] >= size) return false;
    }
    return at == count;
}

bool program_topology_fits(const struct program_communicator *communicator, uint32_t kind,
                           const uint32_t *numbers, uint64_t count) {
    if (communicator->remote_size > 0) return false;
    if (kind == PROGRAM_TOPOLOGY_CARTESIAN)
        return fits_cartesian(communicator->size, numbers, count);
    return kind == PROGRAM_TOPOLOGY_GRAPH && fits_graph(communicator->size, numbers, count);
}

status_code program_topology_check(const struct program *program, struct status *status) {
    uint64_t next = 0;
    for (uint32_t i = 0; i < program->topology_count; i++) {
        const struct program_topology *topology = &program->topologies[i];
        RETURN_ERROR_IF(topology->communicator >= program->communicator_count ||
                            (i > 0 && topology->communicator <= topology[-1].communicator),
                        status, STATUS_INPUT, "topology %u: its communicator is wrong", i);
        RETURN_ERROR_IF(topology->first != next ||
                            topology->count > program->topology_number_count - next,
                        status, STATUS_INPUT, "topology %u: its numbers are not all there", i);
        next += topology->count;
        RETURN_ERROR_IF(
            !program_topology_fits(&program->communicators[topology->communicator], topology->kind,
                                   program->topology_numbers + topology->first, topology->count),
            status, STATUS_INPUT, "topology %u: it does not fit its communicator", i);
    }
    RETURN_ERROR_IF(next != program->topology_number_count, status, STATUS_INPUT,
                    "topologies: numbers of none");
    return STATUS_OK;
}

uint64_t program_topology_edges(const struct program *program,
                                const struct program_topology *topology) {
    const uint32_t *numbers = program->topology_numbers + topology->first;
    uint64_t edges = 0;
    if (topology->kind != PROGRAM_TOPOLOGY_GRAPH) return 0;
    for (uint64_t at = 0; at < topology->count; at += 2 + (uint64_t)numbers[at] + numbers[at + 1])
        edges += numbers[at + 1];
    return edges;
}

bool program_topology_is_like(const struct program *program, const struct program_topology *one,
                              const struct program_topology *other) {
    if (one->kind != other->kind || one->count != other->count) return false;
    if (one->kind == PROGRAM_TOPOLOGY_GRAPH)
        return program->communicators[one->communicator].size ==
               program->communicators[other->communicator].size;
    return one->count == 0 ||
           memcmp(program->topology_numbers + one->first, program->topology_numbers + other->first,
                  (size_t)one->count * sizeof *program->topology_numbers) == 0;
}

/* Appends a number to a list. Returns false if the list ends here because it is too long. */
static bool append_number(char text[PROGRAM_TOPOLOGY_TEXT], char between, uint64_t number) {
    const size_t length = strlen(text);
    if (length + 32 > PROGRAM_TOPOLOGY_TEXT) {
        snprintf(text + length, PROGRAM_TOPOLOGY_TEXT - length, "...");
        return false;
    }
    if (length > 0)
        snprintf(text + length, PROGRAM_TOPOLOGY_TEXT - length, "%c%" PRIu64, between, number);
    else
        snprintf(text, PROGRAM_TOPOLOGY_TEXT, "%" PRIu64, number);
    return true;
}

void program_topology_write_sizes(const struct program *program,
                                  const struct program_topology *topology,
                                  char text[PROGRAM_TOPOLOGY_TEXT]) {
    const uint32_t *numbers = program->topology_numbers + topology->first;
    *text = '\0';
    if (topology->kind != PROGRAM_TOPOLOGY_CARTESIAN) return;
    for (uint64_t i = 0; i < topology->count; i += 2)
        if (!append_number(text, 'x', numbers[i])) return;
}

void program_topology_write_periods(const struct program *program,
                                    const struct program_topology *topology,
                                    char text[PROGRAM_TOPOLOGY_TEXT]) {
    const uint32_t *numbers = program->topology_numbers + topology->first;
    *text = '\0';
    if (topology->kind != PROGRAM_TOPOLOGY_CARTESIAN) return;
    for (uint64_t i = 0; i < topology->count; i += 2)
        if (numbers[i + 1] != 0 && !append_number(text, ',', i / 2)) return;
}

const char *program_topology_name(uint32_t kind) {
    return kind == PROGRAM_TOPOLOGY_CARTESIAN ? "cartesian" : "graph";
}
