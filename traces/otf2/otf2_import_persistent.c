/*
 * The mode of persistent sends. MPI_Ssend_init and similar calls leave no record, and the records
 * of MPI_Start have only the id of the request.
 *
 * Must not know time or the builder. Each rank gives ids from 1 on, in the order of the calls that
 * make a request. A call with MPI_PROC_NULL gets no id, and the trace does not show that. So the
 * ids of MPI_*_init calls are certain only when a later record shows that no call was left out: the
 * next id is the one expected if every call got an id. Until then, and after a gap in the ids, the
 * mode is known only if all persistent sends of the rank so far have the same mode. Otherwise the
 * send counts as a standard send, which is noted unless a later record proves that right.
 */
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"
#include "traces/otf2/otf2_import_regions.h"

#include "core/memory/memory.h"

#include <stdlib.h>

/* Value of a receive in the table, larger than any flags of a send. */
#define RECEIVE 0x100

status_code import_persistent_made(struct import_rank *rank, const struct import_region *region,
                                   struct status *status) {
    struct import_persistent *made = &rank->persistent;
    bool is_send = region->class == IMPORT_SEND_INIT;
    if (is_send) {
        made->is_mixed |= made->has_sends && made->send_flags != region->send_flags;
        made->has_sends = true;
        made->send_flags = region->send_flags;
    }
    FORWARD_IF_ERROR(memory_grow((void **)&made->recent, &made->recent_capacity,
                                 made->recent_count + 1, sizeof *made->recent, status));
    made->recent[made->recent_count++] =
        (struct import_recent){is_send ? region->send_flags : RECEIVE, 0};
    return STATUS_OK;
}

/* Assigns the ids from last_id + 1 on to the recent requests. */
static status_code assign_ids(struct import_rank *rank, struct status *status) {
    struct import_persistent *made = &rank->persistent;
    for (size_t i = 0; i < made->recent_count; i++) {
        const struct import_recent *recent = &made->recent[i];
        FORWARD_IF_ERROR(
            key_table_insert(&made->known, made->last_id + 1 + i, recent->flags, status));
        if (recent->flags != 0) rank->counts->starts_of_any_mode += recent->starts;
    }
    made->last_id += made->recent_count;
    made->recent_count = 0;
    return STATUS_OK;
}

void import_persistent_finish(struct import_rank *rank) {
    struct import_persistent *made = &rank->persistent;
    for (size_t i = 0; i < made->recent_count; i++)
        rank->counts->starts_of_any_mode += made->recent[i].starts;
    made->recent_count = 0;
}

status_code import_persistent_seen(struct import_rank *rank, const struct import_region *region,
                                   uint64_t request, struct status *status) {
    struct import_persistent *made = &rank->persistent;
    if (rank->is_concurrent || rank->archive->is_eztrace || request <= made->last_id)
        return STATUS_OK;
    bool is_started = region->class == IMPORT_START;
    uint64_t latest = made->last_id + made->recent_count;
    if (request == (is_started ? latest : latest + 1)) FORWARD_IF_ERROR(assign_ids(rank, status));
    if (is_started && request <= latest) return STATUS_OK;
    import_persistent_finish(rank);
    made->last_id = request;
    return STATUS_OK;
}

unsigned import_persistent_flags(struct import_rank *rank, uint64_t request) {
    struct import_persistent *made = &rank->persistent;
    uint32_t flags = key_table_find(&made->known, request);
    if (flags < RECEIVE) return flags;
    if (!made->is_mixed) return made->send_flags;
    uint64_t place = request - made->last_id - 1; /* a huge number if the id is older */
    if (place < made->recent_count)
        made->recent[place].starts++;
    else
        rank->counts->starts_of_any_mode++;
    return 0;
}

void import_persistent_clear(struct import_persistent *persistent) {
    key_table_free(&persistent->known);
    free(persistent->recent);
}
