/*
 * The class of each MPI call. The table has a row for each call or family of calls; the first row
 * that fits counts. Must not know archives.
 */
#include "traces/otf2/otf2_import_regions.h"
#include "traces/otf2/otf2_import_rank.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "traces/program/send_modes.h"

static const char no_record[] =
    "the trace says neither its communicator nor its size; it costs nothing in the replay";
static const char no_start[] = "makes a persistent collective, whose starts leave no record in the "
                               "trace: they cost nothing in "
                               "the replay";
static const char no_receive[] =
    "leaves no record in traces: what it receives is missing, and its senders find no receiver";
static const char no_rma[] =
    "one-sided communication without a record: neither its data nor its synchronisation cost time";
static const char no_io[] =
    "opening, closing and synchronising files costs no time, and neither do reads and writes that "
    "the trace does not record";
static const char no_neighbours[] =
    "neighbour collectives leave no record in traces; they cost nothing in the replay";
static const char no_processes[] = "dynamic processes are not replayed: this call costs nothing";

/* A * at the end of a pattern stands for any characters. */
static const struct {
    const char *pattern;
    import_class class;
    const char *why;
} rows[] = {
    {"MPI_Isend", IMPORT_ISEND, NULL},
    {"MPI_Issend", IMPORT_ISEND, NULL},
    {"MPI_Irsend", IMPORT_ISEND, NULL},
    {"MPI_Ibsend", IMPORT_ISEND, NULL},
    {"MPI_Start", IMPORT_START, NULL},
    {"MPI_Startall", IMPORT_START, NULL},
    {"MPI_Send_init", IMPORT_SEND_INIT, NULL},
    {"MPI_Ssend_init", IMPORT_SEND_INIT, NULL},
    {"MPI_Rsend_init", IMPORT_SEND_INIT, NULL},
    {"MPI_Bsend_init", IMPORT_SEND_INIT, NULL},
    {"MPI_Recv_init", IMPORT_RECEIVE_INIT, NULL},
    {"MPI_Recv", IMPORT_RECEIVE, NULL},
    {"MPI_Sendrecv", IMPORT_RECEIVE, NULL},
    {"MPI_Sendrecv_replace", IMPORT_RECEIVE, NULL},
    {"MPI_Irecv", IMPORT_IRECV, NULL},
    {"MPI_Mprobe", IMPORT_MATCHED_PROBE, NULL},
    {"MPI_Mrecv", IMPORT_MATCHED_RECEIVE, NULL},
    {"MPI_Imrecv", IMPORT_MATCHED_RECEIVE, NULL},
    {"MPI_Isendrecv*", IMPORT_NOTED, no_receive},
    {"MPI_Precv_init", IMPORT_NOTED, no_receive},
    {"MPI_Psend_init", IMPORT_NOTED, no_receive},
    {"MPI_Wait", IMPORT_WAIT, NULL},
    {"MPI_Waitall", IMPORT_WAIT, NULL},
    {"MPI_Waitany", IMPORT_WAIT, NULL},
    {"MPI_Waitsome", IMPORT_WAIT, NULL},
    {"MPI_Test", IMPORT_TEST, NULL},
    {"MPI_Testall", IMPORT_TEST, NULL},
    {"MPI_Testany", IMPORT_TEST, NULL},
    {"MPI_Testsome", IMPORT_TEST, NULL},
    {"MPI_Request_get_status*", IMPORT_TEST, NULL},
    {"MPI_Request_free", IMPORT_FREE, NULL},
    {"MPI_Iprobe", IMPORT_PROBE, NULL},
    {"MPI_Improbe", IMPORT_PROBE, NULL},
    {"MPI_Init", IMPORT_INIT, NULL},
    {"MPI_Init_thread", IMPORT_INIT, NULL},
    {"MPI_Finalize", IMPORT_FINALIZE, NULL},
    {"MPI_Neighbor_*", IMPORT_NOTED, no_neighbours},
    {"MPI_Ineighbor_*", IMPORT_NOTED, no_neighbours},
    {"MPI_Barrier*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Bcast*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Gather*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Scatter*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Allgather*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Allreduce*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Alltoall*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Reduce_local", IMPORT_PLAIN, NULL},
    {"MPI_Reduce*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Scan*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Exscan*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Ibarrier", IMPORT_COLLECTIVE, no_record},
    {"MPI_Ibcast", IMPORT_COLLECTIVE, no_record},
    {"MPI_Igather*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Iscatter*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Iallgather*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Iallreduce", IMPORT_COLLECTIVE, no_record},
    {"MPI_Ialltoall*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Ireduce*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Iscan", IMPORT_COLLECTIVE, no_record},
    {"MPI_Iexscan", IMPORT_COLLECTIVE, no_record},
    {"MPI_Comm_dup*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Comm_idup*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Comm_create_keyval", IMPORT_PLAIN, NULL},
    {"MPI_Comm_create_errhandler", IMPORT_PLAIN, NULL},
    {"MPI_Comm_create*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Comm_split*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Cart_create", IMPORT_COLLECTIVE, no_record},
    {"MPI_Cart_sub", IMPORT_COLLECTIVE, no_record},
    {"MPI_Graph_create", IMPORT_COLLECTIVE, no_record},
    {"MPI_Dist_graph_create*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Intercomm_create*", IMPORT_COLLECTIVE, no_record},
    {"MPI_Intercomm_merge", IMPORT_COLLECTIVE, no_record},
    {"MPI_Comm_spawn*", IMPORT_NOTED, no_processes},
    {"MPI_Comm_accept", IMPORT_NOTED, no_processes},
    {"MPI_Comm_connect", IMPORT_NOTED, no_processes},
    {"MPI_Comm_join", IMPORT_NOTED, no_processes},
    {"MPI_File_get_*", IMPORT_PLAIN, NULL},
    {"MPI_File_create_errhandler", IMPORT_PLAIN, NULL},
    {"MPI_File_call_errhandler", IMPORT_PLAIN, NULL},
    {"MPI_File_set_errhandler", IMPORT_PLAIN, NULL},
    {"MPI_File_*", IMPORT_NOTED, no_io},
    {"MPI_Win_get_*", IMPORT_PLAIN, NULL},
    {"MPI_Win_set_*", IMPORT_PLAIN, NULL},
    {"MPI_Win_call_errhandler", IMPORT_PLAIN, NULL},
    {"MPI_Win_create_keyval", IMPORT_PLAIN, NULL},
    {"MPI_Win_free_keyval", IMPORT_PLAIN, NULL},
    {"MPI_Win_create_errhandler", IMPORT_PLAIN, NULL},
    {"MPI_Win_delete_attr", IMPORT_PLAIN, NULL},
    {"MPI_Win_shared_query", IMPORT_PLAIN, NULL},
    {"MPI_Win_attach", IMPORT_PLAIN, NULL},
    {"MPI_Win_detach", IMPORT_PLAIN, NULL},
    {"MPI_Win_sync", IMPORT_PLAIN, NULL},
    {"MPI_Win_lock_all", IMPORT_PLAIN, NULL},
    {"MPI_Win_flush*", IMPORT_RMA_SYNC, NULL},
    {"MPI_Win_unlock*", IMPORT_RMA_SYNC, NULL},
    {"MPI_Win_fence", IMPORT_RMA_SYNC, no_rma},
    {"MPI_Win_free", IMPORT_RMA_SYNC, no_rma},
    {"MPI_Win_post", IMPORT_RMA_POST, no_rma},
    {"MPI_Win_start", IMPORT_RMA_START, no_rma},
    {"MPI_Win_complete", IMPORT_RMA_COMPLETE, no_rma},
    {"MPI_Win_wait", IMPORT_RMA_WAIT, no_rma},
    {"MPI_Win_test", IMPORT_RMA_TEST, NULL},
    {"MPI_Win_*", IMPORT_NOTED, no_rma},
    {"MPI_Put", IMPORT_NOTED, no_rma},
    {"MPI_Get", IMPORT_NOTED, no_rma},
    {"MPI_Accumulate", IMPORT_NOTED, no_rma},
    {"MPI_Get_accumulate", IMPORT_NOTED, no_rma},
    {"MPI_Fetch_and_op", IMPORT_NOTED, no_rma},
    {"MPI_Compare_and_swap", IMPORT_NOTED, no_rma},
    {"MPI_Rput", IMPORT_NOTED, no_rma},
    {"MPI_Rget", IMPORT_NOTED, no_rma},
    {"MPI_Raccumulate", IMPORT_NOTED, no_rma},
    {"MPI_Rget_accumulate", IMPORT_NOTED, no_rma},
};

/* Returns the length of a name without the suffix _c, which MPI-4 adds to calls with large counts.
 */
static size_t plain_length(const char *name) {
    size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, "_c") == 0 ? length - 2 : length;
}

static bool matches_pattern(const char *pattern, const char *name, size_t length) {
    size_t fixed = strlen(pattern);
    bool open_end = pattern[fixed - 1] == '*';
    if (open_end) fixed--;
    return (open_end ? length >= fixed : length == fixed) && strncmp(pattern, name, fixed) == 0;
}

/* Restores the case of the standard in names such as MPI_SEND and mpi_send, which Fortran may
 * write. */
static void restore_case(char *call) {
    bool has_upper = false, has_lower = false;
    for (const char *c = call; *c != '\0'; c++) {
        has_upper |= isupper((unsigned char)*c) != 0;
        has_lower |= islower((unsigned char)*c) != 0;
    }
    if (has_upper && has_lower) return;
    static const size_t capitals = 5; /* "MPI_S" */
    for (size_t i = 0; call[i] != '\0'; i++)
        call[i] = (char)(i < capitals ? toupper((unsigned char)call[i])
                                      : tolower((unsigned char)call[i]));
}

bool import_call_name(char call[IMPORT_NAME_SIZE], const char *name) {
    if (*name == 'P' || *name == 'p') name++;
    if (strncasecmp(name, "MPI_", 4) != 0) return false;
    size_t length = strcspn(name, "( ");
    if (name[length] == '(' && name[length + 1] != ')') return false; /* a user's function */
    while (length > 4 && name[length - 1] == '_')
        length--;
    if (length <= 4 || length >= IMPORT_NAME_SIZE) return false;
    memcpy(call, name, length);
    call[length] = '\0';
    restore_case(call);
    return true;
}

static bool makes_persistent(const char *name, size_t length) {
    static const char end[] = "_init";
    size_t end_length = sizeof end - 1;
    return length > end_length && strncmp(name + length - end_length, end, end_length) == 0;
}

struct import_region import_region_of(const char *name) {
    size_t length = plain_length(name);
    unsigned mode = 0;
    (void)program_send_mode(name, length, &mode);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!matches_pattern(rows[i].pattern, name, length)) continue;
        if (rows[i].class == IMPORT_COLLECTIVE && makes_persistent(name, length))
            return (struct import_region){.class = IMPORT_COLLECTIVE_INIT, .why = no_start};
        return (struct import_region){.class = (uint8_t)rows[i].class,
                                      .send_flags = (uint8_t)mode,
                                      .starts = import_starts_unrecorded(name, length),
                                      .waits_all = strcmp(name, "MPI_Waitall") == 0,
                                      .why = rows[i].why};
    }
    return (struct import_region){.class = IMPORT_PLAIN, .send_flags = (uint8_t)mode};
}
