/*
 * Lists of sends, receives and collectives. Must not know the use of the lists.
 */
#include "traces/program/seal/program_posted.h"
#include "core/memory/memory.h"
#include "core/processes/parallel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Memory for lists in few large pieces. The lists of a rank lie one after another. */
struct program_posted_room {
    pthread_mutex_t lock;
    uint32_t **pieces;
    size_t count;
    size_t capacity;
    size_t left; /* number of free places at the end of the last piece */
    size_t all;  /* places of all pieces */
    size_t last; /* number of all places of the last piece */
};

enum { PIECE_MIN = 1 << 14 };

status_code program_posted_new(struct program_posted *posted, uint32_t rank_count,
                               struct status *status) {
    *posted = (struct program_posted){.rank_count = rank_count,
                                      .ranks = memory_new(rank_count, sizeof *posted->ranks),
                                      .arrivals = memory_new(rank_count, sizeof *posted->arrivals),
                                      .room = memory_new(1, sizeof *posted->room)};
    if (posted->room != NULL) pthread_mutex_init(&posted->room->lock, NULL);
    RETURN_ERROR_IF(posted->ranks == NULL || posted->arrivals == NULL || posted->room == NULL,
                    status, STATUS_MEMORY, "out of memory for %u ranks", rank_count);
    return STATUS_OK;
}

void program_posted_free(struct program_posted *posted) {
    struct program_posted_room *room = posted->room;
    for (size_t i = 0; room != NULL && i < room->count; i++)
        paging_free_array(posted->paging, room->pieces[i]);
    if (room != NULL) {
        pthread_mutex_destroy(&room->lock);
        free(room->pieces);
        free(room);
    }
    free(posted->arrivals);
    free(posted->ranks);
    *posted = (struct program_posted){0};
}

status_code program_posted_add(struct program_posted *posted, struct paging *paging,
                               struct program_posted_rank *lists,
                               const struct program_operation *operation, uint64_t place,
                               struct status *status) {
    const unsigned kind = operation->kind;
    struct program_places *places = kind == OPERATION_SEND         ? &lists->sends
                                    : kind == OPERATION_RECEIVE    ? &lists->receives
                                    : kind == OPERATION_COLLECTIVE ? &lists->collectives
                                                                   : NULL;
    if (places == NULL) return STATUS_OK;
    if (kind == OPERATION_SEND) program_posted_count(posted, operation);
    return program_places_add(paging, places, place, status);
}

void program_posted_remove_all(struct program_posted_rank *lists) {
    lists->sends.count = lists->receives.count = lists->collectives.count = 0;
}

void program_posted_release(struct paging *paging, struct program_posted_rank *lists) {
    paging_free_array(paging, lists->sends.at);
    paging_free_array(paging, lists->receives.at);
    paging_free_array(paging, lists->collectives.at);
    *lists = (struct program_posted_rank){0};
}

/* Finds room for so many places. Pieces grow, so that there are few of any number of places. */
static status_code take_room(struct program_posted *posted, size_t count, uint32_t **at,
                             struct status *status) {
    struct program_posted_room *room = posted->room;
    if (count > room->left) {
        size_t places = room->all / 4 > PIECE_MIN ? room->all / 4 : PIECE_MIN;
        if (places < count) places = count;
        void *piece = NULL;
        FORWARD_IF_ERROR(memory_grow((void **)&room->pieces, &room->capacity, room->count + 1,
                                     sizeof *room->pieces, status));
        FORWARD_IF_ERROR(
            paging_resize(posted->paging, &piece, 0, places * sizeof **room->pieces, status));
        room->pieces[room->count++] = piece;
        room->left = room->last = places;
        room->all += places;
    }
    *at = room->pieces[room->count - 1] + (room->last - room->left);
    room->left -= count;
    return STATUS_OK;
}

static uint32_t *copy_places(struct program_places *copy, const struct program_places *places,
                             uint32_t *at) {
    if (places->count > 0) memcpy(at, places->at, places->count * sizeof *at);
    *copy = (struct program_places){at, places->count, places->count};
    return at + places->count;
}

status_code program_posted_keep(struct program_posted *posted, uint32_t rank,
                                const struct program_posted_rank *lists, struct status *status) {
    const size_t count = lists->sends.count + lists->receives.count + lists->collectives.count;
    struct program_posted_rank *kept = &posted->ranks[rank];
    uint32_t *at = NULL;
    if (count == 0) return STATUS_OK;
    pthread_mutex_lock(&posted->room->lock);
    const status_code code = take_room(posted, count, &at, status);
    pthread_mutex_unlock(&posted->room->lock);
    if (code != STATUS_OK) return code;
    at = copy_places(&kept->sends, &lists->sends, at);
    at = copy_places(&kept->receives, &lists->receives, at);
    copy_places(&kept->collectives, &lists->collectives, at);
    return STATUS_OK;
}

struct finder {
    const struct program *program;
    struct program_posted *posted;
    struct program_posted_rank *lists; /* for each worker */
    uint32_t first;                    /* the rank of item 0 */
};

static status_code find_rank(void *context, unsigned worker, uint64_t item, struct status *status) {
    struct finder *finder = context;
    const uint64_t rank = finder->first + item;
    const struct program_rank *rank_entry = &finder->program->ranks[rank];
    struct program_posted_rank *lists = &finder->lists[worker];
    program_posted_remove_all(lists);
    for (uint64_t i = 0; i < rank_entry->count; i++)
        FORWARD_IF_ERROR(program_posted_add(
            finder->posted, finder->program->paging, lists,
            PROGRAM_OPERATION_AT(finder->program, (uint32_t)rank, rank_entry->first + i), i,
            status));
    paging_evict(finder->program->paging);
    return program_posted_keep(finder->posted, (uint32_t)rank, lists, status);
}

status_code program_posted_fill(struct program_posted *posted, const struct program *program,
                                uint32_t first, uint32_t end, unsigned threads,
                                struct status *status) {
    const unsigned workers = parallel_threads(threads, end - first);
    struct finder finder = {program, posted, memory_new(workers, sizeof *finder.lists), first};
    RETURN_ERROR_IF(finder.lists == NULL, status, STATUS_MEMORY, "out of memory for threads");
    const status_code code = parallel_for(threads, end - first, find_rank, &finder, status);
    for (unsigned i = 0; i < workers; i++)
        program_posted_release(program->paging, &finder.lists[i]);
    free(finder.lists);
    return code;
}

status_code program_posted_find(struct program_posted *posted, const struct program *program,
                                unsigned threads, struct status *status) {
    FORWARD_IF_ERROR(program_posted_new(posted, program->rank_count, status));
    posted->paging = program->paging;
    return program_posted_fill(posted, program, 0, program->rank_count, threads, status);
}
