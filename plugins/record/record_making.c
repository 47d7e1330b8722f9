/* The calls that make and free communicators. Their members make a name of a new communicator known
 * to each other before the call ends for the application. */
#include "recorder.h"

void record_handle(MPI_Comm handle, bool is_made) {
    const struct record_communicator *communicator = record_communicator(handle);
    if (communicator == NULL || communicator->is_foreign) return;
    record_item(RECORDING_COLLECTIVE);
    record_word(is_made ? RECORDING_CREATE_HANDLE : RECORDING_DESTROY_HANDLE);
    record_word(communicator->communicator_number);
    record_word(RECORDING_ROOT_NONE);
    for (unsigned i = 0; i < 5; i++) /* bytes, element, flags, slot */
        record_word(0);
}

/* A rank that has stopped recording helps the others to agree on the name. */
static void end_making(const struct record_call *call, recording_call number, MPI_Comm made) {
    struct record_communicator *known = call->takes_part ? record_agree(made, NULL) : NULL;
    if (!call->is_recorded) {
        record_drop_communicator(known);
        record_call_leave(call);
        return;
    }
    record_call_begin(call, number);
    record_define(made, known);
    record_call_end(call);
}

#define MAKES(name, parameters, arguments, made)                                                   \
    PUBLIC int MPI_##name parameters {                                                             \
        CALL;                                                                                      \
        const int code = REAL(name) arguments;                                                     \
        if (code == MPI_SUCCESS)                                                                   \
            end_making(&call_, RECORDING_CALL_##name, *made);                                      \
        else                                                                                       \
            record_call_leave(&call_);                                                             \
        return code;                                                                               \
    }                                                                                              \
    ALSO_PMPI(name)

MAKES(Comm_dup, (MPI_Comm from, MPI_Comm *made), (from, made), made)
MAKES(Comm_dup_with_info, (MPI_Comm from, MPI_Info info, MPI_Comm *made), (from, info, made), made)
MAKES(Comm_create, (MPI_Comm from, MPI_Group group, MPI_Comm *made), (from, group, made), made)
MAKES(Comm_create_group, (MPI_Comm from, MPI_Group group, int tag, MPI_Comm *made),
      (from, group, tag, made), made)
MAKES(Comm_split, (MPI_Comm from, int colour, int key, MPI_Comm *made), (from, colour, key, made),
      made)
MAKES(Comm_split_type, (MPI_Comm from, int type, int key, MPI_Info info, MPI_Comm *made),
      (from, type, key, info, made), made)
MAKES(Cart_create,
      (MPI_Comm from, int count, const int sizes[], const int periods[], int reorder,
       MPI_Comm *made),
      (from, count, sizes, periods, reorder, made), made)
MAKES(Cart_sub, (MPI_Comm from, const int kept[], MPI_Comm *made), (from, kept, made), made)
MAKES(Graph_create,
      (MPI_Comm from, int count, const int index[], const int edges[], int reorder, MPI_Comm *made),
      (from, count, index, edges, reorder, made), made)
MAKES(Dist_graph_create,
      (MPI_Comm from, int count, const int sources[], const int degrees[], const int destinations[],
       const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
      (from, count, sources, degrees, destinations, weights, info, reorder, made), made)
MAKES(Dist_graph_create_adjacent,
      (MPI_Comm from, int in, const int sources[], const int source_weights[], int out,
       const int destinations[], const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
      (from, in, sources, source_weights, out, destinations, weights, info, reorder, made), made)
MAKES(Intercomm_create,
      (MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm *made),
      (local, local_leader, peer, remote_leader, tag, made), made)
MAKES(Intercomm_merge, (MPI_Comm from, int high, MPI_Comm *made), (from, high, made), made)
MAKES(Comm_spawn,
      (const char *command, char *arguments[], int count, MPI_Info info, int root, MPI_Comm from,
       MPI_Comm *made, int codes[]),
      (command, arguments, count, info, root, from, made, codes), made)
MAKES(Comm_spawn_multiple,
      (int commands, char *names[], char **arguments[], const int counts[], const MPI_Info infos[],
       int root, MPI_Comm from, MPI_Comm *made, int codes[]),
      (commands, names, arguments, counts, infos, root, from, made, codes), made)
MAKES(Comm_accept, (const char *port, MPI_Info info, int root, MPI_Comm from, MPI_Comm *made),
      (port, info, root, from, made), made)
MAKES(Comm_connect, (const char *port, MPI_Info info, int root, MPI_Comm from, MPI_Comm *made),
      (port, info, root, from, made), made)

MAKES(Comm_join, (int socket, MPI_Comm *made), (socket, made), made)
#ifdef RECORD_HAS_MPI_4
MAKES(Comm_create_from_group,
      (MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm *made),
      (group, tag, info, handler, made), made)
MAKES(Intercomm_create_from_groups,
      (MPI_Group local, int local_leader, MPI_Group remote, int remote_leader, const char *tag,
       MPI_Info info, MPI_Errhandler handler, MPI_Comm *made),
      (local, local_leader, remote, remote_leader, tag, info, handler, made), made)
#endif

/* A call that begins to make a communicator. Its request makes it known when it is complete. */
#define BEGINS_TO_MAKE(name, parameters, arguments)                                                \
    PUBLIC int MPI_##name parameters {                                                             \
        CALL;                                                                                      \
        const int code = REAL(name) arguments;                                                     \
        PASS(code);                                                                                \
        START(name);                                                                               \
        begin_making(*request, from, *made);                                                       \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO_PMPI(name)

/* Both libraries give the handle at once. Its place may be gone when the request is complete: the
 * Fortran interface of Open MPI gives a variable of its own. */
static void begin_making(MPI_Request request, MPI_Comm from, MPI_Comm made) {
    struct record_request *added = record_request_add(request, RECORD_IS_COMMUNICATOR, from);
    if (added == NULL) return;
    added->made = made;
    added->words = record_next_name(from);
    /* A duplicate with foreign members has no name, and needs none. */
    const bool is_foreign = added->held != NULL && added->held->is_foreign;
    if (added->words == NULL && !is_foreign) added->kind = RECORD_NOTHING;
}

BEGINS_TO_MAKE(Comm_idup, (MPI_Comm from, MPI_Comm *made, MPI_Request *request),
               (from, made, request))
#ifdef RECORD_HAS_MPI_4
BEGINS_TO_MAKE(Comm_idup_with_info,
               (MPI_Comm from, MPI_Info info, MPI_Comm *made, MPI_Request *request),
               (from, info, made, request))
#endif

static void end_free(const struct record_call *call, recording_call number, MPI_Comm handle) {
    record_call_begin(call, number);
    record_handle(handle, false);
    record_forget_communicator(handle);
    record_call_end(call);
}

PUBLIC int MPI_Comm_free(MPI_Comm *communicator) {
    CALL;
    const MPI_Comm handle = *communicator;
    const int code = REAL(Comm_free)(communicator);
    PASS(code);
    end_free(&call_, RECORDING_CALL_Comm_free, handle);
    return code;
}
ALSO_PMPI(Comm_free)

PUBLIC int MPI_Comm_disconnect(MPI_Comm *communicator) {
    CALL;
    const MPI_Comm handle = *communicator;
    const int code = REAL(Comm_disconnect)(communicator);
    PASS(code);
    end_free(&call_, RECORDING_CALL_Comm_disconnect, handle);
    return code;
}
ALSO_PMPI(Comm_disconnect)

PUBLIC int MPI_Comm_set_name(MPI_Comm handle, const char *name) {
    CALL;
    const int code = REAL(Comm_set_name)(handle, name);
    PASS(code);
    START(Comm_set_name);
    const struct record_communicator *communicator = record_communicator(handle);
    if (communicator != NULL) {
        size_t length = 0;
        while (name[length] != '\0' && length < MPI_MAX_OBJECT_NAME)
            length++;
        record_item(RECORDING_NAME);
        record_word(communicator->communicator_number);
        record_word(length);
        for (size_t i = 0; i < length; i++)
            record_word((uint8_t)name[i]);
    }
    END;
    return code;
}
ALSO_PMPI(Comm_set_name)
