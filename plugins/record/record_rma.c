/* One-sided communication: windows, their synchronisation, and operations. */
#include "record_counts.h"
#include "recorder.h"

#include <stdlib.h>

#ifndef RECORD_LARGE
struct window {
    uint32_t window_number; /* in the recording */
    bool is_known;          /* its communicator is known */
    bool is_foreign;        /* some members are outside MPI_COMM_WORLD */
    int *opened, *exposed;  /* world ranks of MPI_Win_start and MPI_Win_post */
    int opened_count, exposed_count;
};

static struct {
    struct record_map map; /* handle -> index + 1 */
    struct window *all;
    uint32_t count, numbered, capacity;
} windows;

static struct window *find_window(MPI_Win handle) {
    const uint32_t found = record_map_find(&windows.map, RECORD_KEY(handle));
    if (found == 0 || !windows.all[found - 1].is_known || windows.all[found - 1].is_foreign)
        return NULL;
    return &windows.all[found - 1];
}

/* Records that an operation is about a window that find_window does not find. */
static void note_outside(MPI_Win handle) {
    const uint32_t found = record_map_find(&windows.map, RECORD_KEY(handle));
    if (found != 0 && windows.all[found - 1].is_foreign)
        record_item(RECORDING_FOREIGN);
    else
        record_unknown(RECORDING_UNKNOWN_COMMUNICATOR);
}

static void item_of(const struct window *window, recording_item item) {
    record_item(item);
    record_word(window->window_number);
}

static void complete_operations(const struct window *window, uint64_t target) {
    item_of(window, RECORDING_RMA_DONE);
    record_word(target);
}

void record_add_window(MPI_Win handle, MPI_Comm communicator) {
    const struct record_communicator *members = record_communicator(communicator);
    if (windows.count == windows.capacity) {
        const uint32_t capacity = 2 * windows.capacity + 16;
        struct window *all = realloc(windows.all, capacity * sizeof *all);
        if (all == NULL) return;
        windows.all = all;
        windows.capacity = capacity;
    }
    struct window *added = &windows.all[windows.count++];
    *added = (struct window){.is_known = members != NULL,
                             .is_foreign = members != NULL && members->is_foreign};
    record_map_insert(&windows.map, RECORD_KEY(handle), windows.count);
    if (!added->is_known || added->is_foreign) {
        record_outside(members);
        return;
    }
    added->window_number = windows.numbered++;
    item_of(added, RECORDING_WINDOW);
    record_word(members->communicator_number);
    item_of(added, RECORDING_WINDOW_SYNC);
}

PUBLIC int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm communicator, MPI_Win *window) {
    CALL;
    const int code = REAL(Win_create_dynamic)(info, communicator, window);
    PASS(code);
    START(Win_create_dynamic);
    record_add_window(*window, communicator);
    END;
    return code;
}
ALSO_PMPI(Win_create_dynamic)

PUBLIC int MPI_Win_free(MPI_Win *handle) {
    CALL;
    const MPI_Win before = *handle;
    const int code = REAL(Win_free)(handle);
    PASS(code);
    START(Win_free);
    struct window *window = find_window(before);
    if (window != NULL) {
        complete_operations(window, 0);
        item_of(window, RECORDING_WINDOW_SYNC);
        free(window->opened);
        free(window->exposed);
    }
    record_map_remove(&windows.map, RECORD_KEY(before),
                      record_map_find(&windows.map, RECORD_KEY(before)));
    END;
    return code;
}
ALSO_PMPI(Win_free)

/* A call on a window; `what` records it with `window`. */
#define WINDOW_CALL(name, parameters, arguments, what)                                             \
    PUBLIC int MPI_##name parameters {                                                             \
        CALL;                                                                                      \
        const int code = REAL(name) arguments;                                                     \
        PASS(code);                                                                                \
        START(name);                                                                               \
        struct window *window = find_window(handle);                                               \
        if (window != NULL) {                                                                      \
            what;                                                                                  \
        }                                                                                          \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO_PMPI(name)

static void fence(const struct window *window) {
    complete_operations(window, 0);
    item_of(window, RECORDING_WINDOW_SYNC);
}

/* ---- epochs of groups ---- */

static void signal_ranks(const struct window *window, recording_signal kind, const int *ranks,
                         int count) {
    item_of(window, RECORDING_SIGNAL);
    record_word(kind);
    record_word((uint64_t)count);
    for (int i = 0; i < count; i++)
        record_word((uint64_t)ranks[i]);
}

static void begin_epoch(struct window *window, MPI_Group group, bool exposes) {
    int *ranks = NULL, count = 0;
    if (!record_translate(group, &ranks, &count)) count = 0;
    signal_ranks(window, exposes ? RECORDING_SIGNAL_POST : RECORDING_SIGNAL_START, ranks, count);
    free(exposes ? window->exposed : window->opened);
    if (exposes) {
        window->exposed = ranks;
        window->exposed_count = count;
    } else {
        window->opened = ranks;
        window->opened_count = count;
    }
}

static void end_access(struct window *window) {
    complete_operations(window, 0);
    signal_ranks(window, RECORDING_SIGNAL_COMPLETE, window->opened, window->opened_count);
    window->opened_count = 0;
}

static void end_exposure(struct window *window) {
    signal_ranks(window, RECORDING_SIGNAL_WAIT, window->exposed, window->exposed_count);
    window->exposed_count = 0;
}

WINDOW_CALL(Win_fence, (int assertion, MPI_Win handle), (assertion, handle), fence(window))
WINDOW_CALL(Win_post, (MPI_Group group, int assertion, MPI_Win handle), (group, assertion, handle),
            begin_epoch(window, group, true))
WINDOW_CALL(Win_start, (MPI_Group group, int assertion, MPI_Win handle), (group, assertion, handle),
            begin_epoch(window, group, false))
WINDOW_CALL(Win_complete, (MPI_Win handle), (handle), end_access(window))
WINDOW_CALL(Win_wait, (MPI_Win handle), (handle), end_exposure(window))

PUBLIC int MPI_Win_test(MPI_Win handle, int *flag) {
    CALL;
    const int code = REAL(Win_test)(handle, flag);
    PASS(code);
    if (!*flag) {
        record_call_poll(&call_, RECORDING_CALL_Win_test);
        return code;
    }
    START(Win_test);
    struct window *window = find_window(handle);
    if (window != NULL) end_exposure(window);
    END;
    return code;
}
ALSO_PMPI(Win_test)

/* ---- locks ---- */

static void lock(const struct window *window, uint64_t target, bool is_exclusive) {
    item_of(window, RECORDING_LOCK);
    record_word(target);
    record_word(is_exclusive);
}

static void unlock(const struct window *window, uint64_t target) {
    complete_operations(window, target);
    item_of(window, RECORDING_UNLOCK);
    record_word(target);
}

#define TARGET (uint64_t) target + 1
WINDOW_CALL(Win_lock, (int kind, int target, int assertion, MPI_Win handle),
            (kind, target, assertion, handle),
            if (target >= 0) lock(window, TARGET, kind == MPI_LOCK_EXCLUSIVE))
WINDOW_CALL(Win_unlock, (int target, MPI_Win handle), (target, handle),
            if (target >= 0) unlock(window, TARGET))
WINDOW_CALL(Win_lock_all, (int assertion, MPI_Win handle), (assertion, handle),
            lock(window, 0, false))
WINDOW_CALL(Win_unlock_all, (MPI_Win handle), (handle), unlock(window, 0))
WINDOW_CALL(Win_flush, (int target, MPI_Win handle), (target, handle),
            if (target >= 0) complete_operations(window, TARGET))
WINDOW_CALL(Win_flush_all, (MPI_Win handle), (handle), complete_operations(window, 0))
WINDOW_CALL(Win_flush_local, (int target, MPI_Win handle), (target, handle),
            if (target >= 0) complete_operations(window, TARGET))
WINDOW_CALL(Win_flush_local_all, (MPI_Win handle), (handle), complete_operations(window, 0))

/* ---- operations ---- */

void record_rma(MPI_Win handle, int target, uint64_t bytes, unsigned flags, uint32_t slot) {
    const struct window *window = find_window(handle);
    if (target < 0) return;
    if (window == NULL) {
        note_outside(handle);
        return;
    }
    item_of(window, RECORDING_RMA);
    record_word((uint64_t)target);
    record_word(bytes);
    record_word(flags);
    record_word(slot);
}

void record_begin_rma(MPI_Request request, MPI_Win handle, int target, uint64_t bytes,
                      unsigned flags) {
    const bool is_nothing = find_window(handle) == NULL || target < 0;
    const struct record_request *added = record_request_add(
        request, is_nothing ? RECORD_NOTHING : RECORD_IS_COLLECTIVE, MPI_COMM_NULL);
    if (added != NULL) record_rma(handle, target, bytes, flags, added->slot);
}

PUBLIC int MPI_Fetch_and_op(const void *origin, void *result, MPI_Datatype type, int target,
                            MPI_Aint place, MPI_Op operation, MPI_Win window) {
    CALL;
    const int code = REAL(Fetch_and_op)(origin, result, type, target, place, operation, window);
    PASS(code);
    START(Fetch_and_op);
    record_rma(window, target, record_type_bytes(type), RECORDING_WRITES | RECORDING_READS, 0);
    END;
    return code;
}
ALSO_PMPI(Fetch_and_op)

PUBLIC int MPI_Compare_and_swap(const void *origin, const void *compared, void *result,
                                MPI_Datatype type, int target, MPI_Aint place, MPI_Win window) {
    CALL;
    const int code = REAL(Compare_and_swap)(origin, compared, result, type, target, place, window);
    PASS(code);
    START(Compare_and_swap);
    record_rma(window, target, record_type_bytes(type), RECORDING_WRITES | RECORDING_READS, 0);
    END;
    return code;
}
ALSO_PMPI(Compare_and_swap)
#endif

#define MAKES_WINDOW(name, parameters, arguments)                                                  \
    PUBLIC int C(name) parameters {                                                                \
        CALL;                                                                                      \
        const int code = REAL_C(name) arguments;                                                   \
        PASS(code);                                                                                \
        START(name);                                                                               \
        record_add_window(*window, communicator);                                                  \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO(name)

MAKES_WINDOW(Win_create,
             (void *base, MPI_Aint size, DISPLACEMENT unit, MPI_Info info, MPI_Comm communicator,
              MPI_Win *window),
             (base, size, unit, info, communicator, window))
MAKES_WINDOW(Win_allocate,
             (MPI_Aint size, DISPLACEMENT unit, MPI_Info info, MPI_Comm communicator, void *base,
              MPI_Win *window),
             (size, unit, info, communicator, base, window))
MAKES_WINDOW(Win_allocate_shared,
             (MPI_Aint size, DISPLACEMENT unit, MPI_Info info, MPI_Comm communicator, void *base,
              MPI_Win *window),
             (size, unit, info, communicator, base, window))

/* An operation and its form with a request. */
#define RMA_CALLS(name, with, upper, flags)                                                        \
    PUBLIC int C(name)(P_##upper, MPI_Win window) {                                                \
        CALL;                                                                                      \
        const int code = REAL_C(name)(A_##upper, window);                                          \
        PASS(code);                                                                                \
        START(name);                                                                               \
        record_rma(window, target, record_bytes(target_count, target_type), flags, 0);             \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO(name)                                                                                     \
    PUBLIC int C(with)(P_##upper, MPI_Win window, MPI_Request * request) {                         \
        CALL;                                                                                      \
        const int code = REAL_C(with)(A_##upper, window, request);                                 \
        PASS(code);                                                                                \
        START(with);                                                                               \
        record_begin_rma(*request, window, target, record_bytes(target_count, target_type),        \
                         flags);                                                                   \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO(with)

#define P_PUT                                                                                      \
    const void *origin, COUNT count, MPI_Datatype type, int target, MPI_Aint place,                \
        COUNT target_count, MPI_Datatype target_type
#define A_PUT origin, count, type, target, place, target_count, target_type
#define P_GET                                                                                      \
    void *origin, COUNT count, MPI_Datatype type, int target, MPI_Aint place, COUNT target_count,  \
        MPI_Datatype target_type
#define P_ACCUMULATE P_PUT, MPI_Op operation
#define A_ACCUMULATE A_PUT, operation
#define P_GET_ACCUMULATE                                                                           \
    const void *origin, COUNT count, MPI_Datatype type, void *result, COUNT result_count,          \
        MPI_Datatype result_type, int target, MPI_Aint place, COUNT target_count,                  \
        MPI_Datatype target_type, MPI_Op operation
#define A_GET_ACCUMULATE                                                                           \
    origin, count, type, result, result_count, result_type, target, place, target_count,           \
        target_type, operation
#define A_GET A_PUT

RMA_CALLS(Put, Rput, PUT, RECORDING_WRITES)
RMA_CALLS(Get, Rget, GET, RECORDING_READS)
RMA_CALLS(Accumulate, Raccumulate, ACCUMULATE, RECORDING_WRITES)
RMA_CALLS(Get_accumulate, Rget_accumulate, GET_ACCUMULATE, RECORDING_WRITES | RECORDING_READS)
