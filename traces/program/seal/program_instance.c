/* Finds the root, the sizes and the other arguments of one call of a collective, and checks the
 * sizes of vectors. */
#include "traces/program/seal/program_instance.h"

/* Returns the root's place among all members. On an intercommunicator the root is in the rank's own
 * group or in the other one. */
static uint32_t root_place(const struct program *program, const struct program_operation *operation,
                           uint32_t rank) {
    const struct program_collective_arguments *arguments = program_arguments_of(program, operation);
    const struct program_communicator *c = &program->communicators[arguments->communicator];
    if (c->remote_size == 0 || arguments->root == PROGRAM_NONE) return arguments->root;
    bool is_remote = program_place_of_rank(program, arguments, rank) >= c->size;
    if (operation->flags & OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE) is_remote = !is_remote;
    return is_remote ? c->size + arguments->root : arguments->root;
}

struct program_instance program_instance_of(const struct program *program,
                                            const struct program_operation *operation,
                                            uint32_t rank) {
    return (struct program_instance){
        .kind = program_arguments_of(program, operation)->kind,
        .blocking = program_is_blocking(operation),
        .root = root_place(program, operation, rank),
        .sizes = operation->collective.sizes,
        .value = operation->value,
        .send_bytes = program_arguments_of(program, operation)->send_bytes,
        .receive_bytes = program_arguments_of(program, operation)->receive_bytes};
}

uint32_t program_values_of(const struct program_collective_arguments *arguments,
                           uint64_t values[2]) {
    values[0] = arguments->send_bytes;
    values[1] = arguments->receive_bytes;
    switch (arguments->kind) {
    case PROGRAM_COLLECTIVE_GATHERV:
    case PROGRAM_COLLECTIVE_ALLGATHERV:
        return 1;
    case PROGRAM_COLLECTIVE_SCATTERV:
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
        values[0] = values[1];
        return 1;
    case PROGRAM_COLLECTIVE_ALLTOALLV:
    case PROGRAM_COLLECTIVE_ALLTOALLW:
        return 2;
    default:
        return 0;
    }
}

/* Tests that a rank's row exists and adds up to what it sends. */
static bool check_row(const struct program *program, uint32_t rank,
                      const struct program_operation *operation) {
    const struct program_collective_arguments *arguments = program_arguments_of(program, operation);
    const uint64_t members = program_member_total(program, arguments->communicator);
    const uint64_t first = operation->pair_row_plus_1 - 1;
    if (members > program->pair_row_count || first > program->pair_row_count - members)
        return false;
    const uint64_t row =
        program->pair_rows[first + program_place_of_rank(program, arguments, rank)];
    if (row >= program->pair_byte_count) return false;
    uint32_t count = 0;
    const uint64_t *bytes = program_bytes_to_members(program, operation, rank, &count);
    if (count > program->pair_byte_count - row) return false;
    uint64_t left = arguments->send_bytes;
    for (uint32_t i = 0; i < count; i++) {
        if (bytes[i] > left) return false;
        left -= bytes[i];
    }
    return left == 0;
}

status_code program_check_sizes(const struct program *program, uint32_t rank,
                                const struct program_operation *operation, struct status *status) {
    const struct program_collective_arguments *arguments = program_arguments_of(program, operation);
    uint32_t sizes = operation->collective.sizes;
    uint64_t values[2];
    uint32_t value_count = program_values_of(arguments, values);
    bool right = (sizes == PROGRAM_NONE) == (value_count == 0);
    uint64_t total = program_member_total(program, arguments->communicator);
    uint64_t place = program_place_of_rank(program, arguments, rank);
    if (right && value_count > 0) right = sizes + total * value_count <= program->size_count;
    for (uint32_t v = 0; right && v < value_count; v++)
        right = program->sizes[sizes + v * total + place] == values[v];
    if (right && program_is_paired(arguments->kind) && operation->pair_row_plus_1 > 0)
        right = check_row(program, rank, operation);
    RETURN_ERROR_IF(!right, status, STATUS_INPUT, "rank %u: the sizes of its %s are wrong", rank,
                    program_collective_name(arguments->kind));
    return STATUS_OK;
}
