/* A program that cannot go on above the eager threshold. Needs cmocka for its assertions. */
#include "tests/support/replay/stalling_program.h"

#include "traces/program/builder/program_builder.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void write_stalling_program(const char *path) {
    static const uint32_t everyone[] = {0, 1};
    struct status status = STATUS_INIT;
    uint32_t world_communicator;
    struct program *program = NULL;
    struct program_builder *builder = builder_new(2, &status);
    uint32_t send = builder_define_region(builder, "MPI_Send", true);
    uint32_t receive = builder_define_region(builder, "MPI_Recv", true);
    builder_set_source(builder, "", "", 0, 0, 3);
    builder_define_communicator(builder, "MPI_COMM_WORLD", everyone, 2, &world_communicator,
                                &status);
    for (uint32_t rank = 0; rank < 2; rank++) {
        builder_call(builder, rank, send, 0, 0, &status);
        builder_send(builder, rank, world_communicator, 1 - rank, 5, 1 << 20, 0, BUILDER_NO_REQUEST,
                     &status);
        builder_wait_call(builder, rank, &status);
        builder_return(builder, rank, 1, false, &status);
        builder_call(builder, rank, receive, 2, 2, &status);
        builder_receive(builder, rank, world_communicator, 1 - rank, 5, 1 << 20, 0,
                        BUILDER_NO_REQUEST, &status);
        builder_wait_call(builder, rank, &status);
        builder_return(builder, rank, 3, false, &status);
    }
    assert_int_equal(builder_seal(builder, 1, &program, &status), STATUS_OK);
    assert_int_equal(traces_write_program(program, path, true, 1, &status), STATUS_OK);
    builder_free(builder);
    program_free(program);
}
