/* Phase 1 of building a program: process topologies. Must not know where they come from. */
#include "core/memory/memory.h"
#include "traces/program/builder/builder_parts.h"
#include "traces/program/program_topology.h"

#include <string.h>

status_code builder_define_topology(struct program_builder *builder, uint32_t communicator,
                                    program_topology_kind kind, const uint32_t *numbers,
                                    uint64_t count, struct status *status) {
    struct program *program = builder->program;
    const uint64_t first = program->topology_number_count;
    RETURN_ERROR_IF(communicator >= program->communicator_count, status, STATUS_INPUT,
                    "there is no communicator %u", communicator);
    RETURN_ERROR_IF(program->topology_count > 0 &&
                        program->topologies[program->topology_count - 1].communicator >=
                            communicator,
                    status, STATUS_INPUT,
                    "communicator %u: it has a topology, or a later one has one", communicator);
    RETURN_ERROR_IF(
        !program_topology_fits(&program->communicators[communicator], kind, numbers, count), status,
        STATUS_INPUT, "communicator %u: its topology does not fit it", communicator);
    FORWARD_IF_ERROR(memory_grow((void **)&program->topologies, &builder->topology_capacity,
                                 (size_t)program->topology_count + 1, sizeof *program->topologies,
                                 status));
    FORWARD_IF_ERROR(memory_grow((void **)&program->topology_numbers,
                                 &builder->topology_number_capacity, (size_t)(first + count) + 1,
                                 sizeof *numbers, status));
    if (count > 0)
        memcpy(program->topology_numbers + first, numbers, (size_t)count * sizeof *numbers);
    program->topologies[program->topology_count++] =
        (struct program_topology){communicator, kind, first, count};
    program->topology_number_count += count;
    return STATUS_OK;
}
