/*
 * The calls whose names tell the mode of their sends. Must not know archives.
 */
#include "traces/program/send_modes.h"

#include <string.h>

#include "traces/program/program.h"

static const struct {
    const char *call;
    unsigned mode;
} calls[] = {
    {"MPI_Send", 0},
    {"MPI_Ssend", OPERATION_FLAG_SEND_SYNCHRONOUS},
    {"MPI_Rsend", OPERATION_FLAG_SEND_READY},
    {"MPI_Bsend", OPERATION_FLAG_SEND_BUFFERED},
    {"MPI_Isend", 0},
    {"MPI_Issend", OPERATION_FLAG_SEND_SYNCHRONOUS},
    {"MPI_Irsend", OPERATION_FLAG_SEND_READY},
    {"MPI_Ibsend", OPERATION_FLAG_SEND_BUFFERED},
    {"MPI_Send_init", 0},
    {"MPI_Ssend_init", OPERATION_FLAG_SEND_SYNCHRONOUS},
    {"MPI_Rsend_init", OPERATION_FLAG_SEND_READY},
    {"MPI_Bsend_init", OPERATION_FLAG_SEND_BUFFERED},
    {"MPI_Sendrecv", 0},
    {"MPI_Sendrecv_replace", 0},
};

bool program_send_mode(const char *call, size_t length, unsigned *mode) {
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (strlen(calls[i].call) != length || strncmp(calls[i].call, call, length) != 0) continue;
        *mode = calls[i].mode;
        return true;
    }
    return false;
}
