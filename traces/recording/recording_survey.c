/*
 * The first pass over a recording: what each rank defines, and how many collectives all members of
 * a communicator have, if ranks were cut.
 *
 * Members know a communicator by the name on which they agreed; each process has an MPI_COMM_SELF
 * of its own. If the recording of a rank was cut, the other ranks end before the first collective
 * that it has not begun. Cutting them takes away collectives of other communicators, so the counts
 * are repeated until nothing changes.
 */
#include "traces/recording/recording_survey.h"
#include "traces/recording/recording_threads.h"

#include "core/memory/memory.h"
#include "core/processes/parallel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a rank defines ---- */

/* The rank whose records define_item reads. */
struct definer {
    struct survey *survey;
    struct survey_rank *rank;
};

/* Returns a text of which each word is a byte, on the heap; NULL: no memory. */
static char *text_of(const uint64_t *words, size_t count) {
    char *text = memory_new(count + 1, 1);
    for (size_t i = 0; text != NULL && i < count; i++)
        text[i] = words[i] > 0 && words[i] <= UINT8_MAX ? (char)words[i] : '?';
    return text;
}

static status_code define_communicator(struct definer *definer, const struct recording_part *part,
                                       struct status *status) {
    struct survey_rank *rank = definer->rank;
    const uint64_t *words = part->words;
    uint32_t rank_count = definer->survey->rank_count;
    RETURN_ERROR_IF(words[0] != rank->communicator_count || words[4] == 0, status, STATUS_INPUT,
                    "the definition of a communicator is damaged");
    FORWARD_IF_ERROR(memory_grow((void **)&rank->communicators, &rank->communicator_capacity,
                                 rank->communicator_count + 1, sizeof *rank->communicators,
                                 status));
    struct survey_communicator *added = &rank->communicators[rank->communicator_count];
    *added = (struct survey_communicator){.name = {words[1], words[2], words[3]},
                                          .local_size = (uint32_t)words[4],
                                          .remote_size = (uint32_t)words[5]};
    added->members = memory_new(part->listed_count, sizeof *added->members);
    RETURN_ERROR_IF(added->members == NULL, status, STATUS_MEMORY, "out of memory");
    rank->communicator_count++;
    for (size_t i = 0; i < part->listed_count; i++) {
        RETURN_ERROR_IF(part->listed[i] >= rank_count, status, STATUS_INPUT,
                        "the definition of a communicator is damaged");
        added->members[i] = (uint32_t)part->listed[i];
    }
    return STATUS_OK;
}

static status_code define_region(struct survey_rank *rank, const struct recording_part *part,
                                 struct status *status) {
    RETURN_ERROR_IF(part->words[0] != rank->region_count, status, STATUS_INPUT,
                    "the definition of a region is damaged");
    FORWARD_IF_ERROR(memory_grow((void **)&rank->regions, &rank->region_capacity,
                                 rank->region_count + 1, sizeof(char *), status));
    char *name = text_of(part->listed, part->listed_count);
    RETURN_ERROR_IF(name == NULL, status, STATUS_MEMORY, "out of memory");
    rank->regions[rank->region_count++] = name;
    return STATUS_OK;
}

static status_code define_file(struct survey_rank *rank, const struct recording_part *part,
                               struct status *status) {
    RETURN_ERROR_IF(part->words[0] != rank->file_count, status, STATUS_INPUT,
                    "the definition of a file is damaged");
    FORWARD_IF_ERROR(memory_grow((void **)&rank->files, &rank->file_capacity, rank->file_count + 1,
                                 sizeof(char *), status));
    char *name = text_of(part->listed, part->listed_count);
    RETURN_ERROR_IF(name == NULL, status, STATUS_MEMORY, "out of memory");
    rank->files[rank->file_count++] = name;
    return STATUS_OK;
}

static status_code define_window(struct survey_rank *rank, const struct recording_part *part,
                                 struct status *status) {
    RETURN_ERROR_IF(part->words[0] != rank->window_count ||
                        part->words[1] >= rank->communicator_count,
                    status, STATUS_INPUT, "the definition of a window is damaged");
    FORWARD_IF_ERROR(memory_grow((void **)&rank->windows, &rank->window_capacity,
                                 rank->window_count + 1, sizeof *rank->windows, status));
    rank->windows[rank->window_count++] =
        (struct survey_rma_window){(uint32_t)part->words[1], PROGRAM_NONE};
    return STATUS_OK;
}

static status_code take_item(struct definer *definer, const struct recording_part *part,
                             struct status *status) {
    struct survey_rank *rank = definer->rank;
    switch (part->item) {
    case RECORDING_COMMUNICATOR:
        return define_communicator(definer, part, status);
    case RECORDING_REGION:
        return define_region(rank, part, status);
    case RECORDING_FILE:
        return define_file(rank, part, status);
    case RECORDING_WINDOW:
        return define_window(rank, part, status);
    case RECORDING_CARTESIAN:
    case RECORDING_GRAPH:
        return recording_define_topology(rank, part, status);
    case RECORDING_PARTITIONED:
        return recording_define_partitioned(definer->survey, rank, part, status);
    case RECORDING_NAME:
        RETURN_ERROR_IF(part->words[0] >= rank->communicator_count, status, STATUS_INPUT,
                        "the name of a communicator is damaged");
        free(rank->communicators[part->words[0]].label);
        rank->communicators[part->words[0]].label = text_of(part->listed, part->listed_count);
        return STATUS_OK;
    default:
        return STATUS_OK;
    }
}

/* Returns whether an item is communication. Making and freeing handles is none. */
static bool is_communication(const struct recording_part *part) {
    switch (part->item) {
    case RECORDING_COLLECTIVE:
        return part->words[0] != RECORDING_CREATE_HANDLE &&
               part->words[0] != RECORDING_DESTROY_HANDLE;
    case RECORDING_SEND:
    case RECORDING_RECEIVE:
    case RECORDING_POST_RECEIVE:
    case RECORDING_RECEIVED:
    case RECORDING_DONE:
    case RECORDING_NEIGHBOURS:
    case RECORDING_WINDOW_SYNC:
    case RECORDING_RMA:
    case RECORDING_RMA_DONE:
    case RECORDING_SIGNAL:
    case RECORDING_LOCK:
    case RECORDING_UNLOCK:
    case RECORDING_POLLS:
    case RECORDING_PARTITIONED_SEND:
    case RECORDING_PARTITIONED_RECEIVED:
        return true;
    default:
        return false;
    }
}

/* Notes that a thread of the rank communicates. */
static void note_thread(struct survey_rank *rank, uint32_t thread) {
    if (thread == 0)
        rank->first_thread_communicates = true;
    else if (rank->other_thread == 0 || rank->other_thread == thread)
        rank->other_thread = thread;
    else
        rank->other_thread = SURVEY_SEVERAL_THREADS;
}

/* Takes the definitions of a record, and notes whether its thread communicates. */
static status_code define_item(void *context, const struct recording_record *record,
                               struct status *status) {
    struct definer *definer = context;
    struct recording_part part;
    size_t at = 0;
    while (recording_next(record, &at, &part, status)) {
        if (take_item(definer, &part, status) != STATUS_OK)
            return status_prefix(status, "record %" PRIu64 " (%s)", record->place,
                                 recording_call_name(record->call));
        if (record->call > RECORDING_CALL_Abort && is_communication(&part))
            note_thread(definer->rank, record->thread);
    }
    definer->rank->has_overlaps |= recording_overlap(record) > 0;
    return status->code;
}

/* ---- headers ---- */

static status_code check_rank(const struct survey *survey, uint32_t rank, const char *path,
                              struct status *status) {
    const struct recording_header *header = &survey->ranks[rank].header;
    const struct recording_header *first = &survey->ranks[0].header;
    RETURN_ERROR_IF(header->rank != rank, status, STATUS_INPUT,
                    "%s: is the recording of rank %u (renamed?)", path, header->rank);
    RETURN_ERROR_IF(header->run != first->run || header->rank_count != first->rank_count, status,
                    STATUS_INPUT,
                    "%s: belongs to another run than rank-000000.rec: remove the folder and record "
                    "again",
                    path);
    return STATUS_OK;
}

static status_code survey_one(void *context, unsigned worker, uint64_t item,
                              struct status *status) {
    struct survey *survey = context;
    uint32_t rank = (uint32_t)item;
    struct survey_rank *own = &survey->ranks[rank];
    char path[RECORDING_PATH_BYTES];
    (void)worker;
    FORWARD_IF_ERROR(recording_path(path, survey->folder, rank, status));
    if (recording_read_header(&own->header, path, status) != STATUS_OK)
        return rank == 0 ? status->code
                         : status_prefix(status, "a recording of %u ranks lacks rank %u",
                                         survey->rank_count, rank);
    FORWARD_IF_ERROR(check_rank(survey, rank, path, status));
    FORWARD_IF_ERROR(memory_grow((void **)&own->communicators, &own->communicator_capacity,
                                 SURVEY_MADE, sizeof *own->communicators, status));
    own->communicators[SURVEY_WORLD] =
        (struct survey_communicator){.local_size = survey->rank_count};
    own->communicators[SURVEY_SELF] = (struct survey_communicator){.local_size = 1};
    own->communicator_count = SURVEY_MADE;
    struct definer definer = {survey, own};
    FORWARD_IF_ERROR(recording_read(path, define_item, &definer, &own->extent, status));
    own->replayed_records = own->extent.records;
    return STATUS_OK;
}

static status_code survey_another(void *context, unsigned worker, uint64_t item,
                                  struct status *status) {
    return survey_one(context, worker, item + 1, status);
}

/* ---- communicators of the program ---- */

static status_code begin_communicator(struct survey *survey, struct survey_communicator *made,
                                      struct status *status) {
    const char *label = made->label != NULL ? made->label : "";
    const uint32_t *local = made->members, *remote = made->members + made->local_size;
    if (made->remote_size == 0)
        return builder_define_communicator(survey->builder, label, local, made->local_size,
                                           &made->index, status);
    return builder_define_intercommunicator(survey->builder, label, local, made->local_size, remote,
                                            made->remote_size, &made->index, status);
}

/* Returns whether two members recorded the same communicator alike; on an intercommunicator the
 * groups change places. */
static bool is_same(const struct survey_communicator *a, const struct survey_communicator *b) {
    size_t bytes = sizeof *a->members;
    if (a->local_size == b->local_size && a->remote_size == b->remote_size &&
        memcmp(a->members, b->members, (a->local_size + a->remote_size) * bytes) == 0)
        return true;
    return a->remote_size > 0 && a->local_size == b->remote_size &&
           a->remote_size == b->local_size &&
           memcmp(a->members, b->members + b->local_size, a->local_size * bytes) == 0 &&
           memcmp(a->members + a->local_size, b->members, a->remote_size * bytes) == 0;
}

static int by_name(const void *a, const void *b) {
    const struct survey_member *x = a, *y = b;
    for (unsigned i = 0; i < 3; i++)
        if (x->made->name[i] != y->made->name[i])
            return x->made->name[i] < y->made->name[i] ? -1 : 1;
    return x->rank != y->rank
               ? (x->rank < y->rank ? -1 : 1)
               : (x->communicator > y->communicator) - (x->communicator < y->communicator);
}

static bool has_same_name(const struct survey_communicator *a,
                          const struct survey_communicator *b) {
    return memcmp(a->name, b->name, sizeof a->name) == 0;
}

static status_code join_communicators(struct survey *survey, struct survey_member *found,
                                      size_t count, struct status *status) {
    qsort(found, count, sizeof *found, by_name);
    for (size_t i = 0; i < count; i++) {
        struct survey_communicator *made = found[i].made;
        bool is_new = i == 0 || !has_same_name(made, found[i - 1].made);
        if (is_new) {
            for (size_t j = i;
                 made->label == NULL && j < count && has_same_name(made, found[j].made); j++)
                if (found[j].made->label != NULL) made->label = strdup(found[j].made->label);
            size_t end = i + 1;
            while (end < count && has_same_name(made, found[end].made))
                end++;
            if (begin_communicator(survey, made, status) == STATUS_OK &&
                recording_make_topology(survey, found + i, end - i, status) == STATUS_OK)
                continue;
            return status_prefix(status, "%s: rank %u, communicator %u", survey->folder,
                                 found[i].rank, found[i].communicator);
        }
        RETURN_ERROR_IF(!is_same(made, found[i - 1].made), status, STATUS_INPUT,
                        "%s: ranks %u and %u disagree on the members of a communicator (files of "
                        "different runs, or damaged)",
                        survey->folder, found[i - 1].rank, found[i].rank);
        made->index = found[i - 1].made->index;
    }
    return STATUS_OK;
}

static status_code make_communicators(struct survey *survey, struct status *status) {
    uint32_t *all = memory_new(survey->rank_count, sizeof *all);
    size_t count = 0;
    for (uint32_t rank = 0; rank < survey->rank_count; rank++)
        count += survey->ranks[rank].communicator_count - SURVEY_MADE;
    struct survey_member *found = memory_new(count, sizeof *found);
    status_code code = all != NULL && found != NULL
                           ? STATUS_OK
                           : status_set(status, STATUS_MEMORY, "out of memory for communicators");
    for (uint32_t rank = 0; code == STATUS_OK && rank < survey->rank_count; rank++)
        all[rank] = rank;
    if (code == STATUS_OK)
        code = builder_define_communicator(survey->builder, "MPI_COMM_WORLD", all,
                                           survey->rank_count, &survey->world, status);
    if (code == STATUS_OK)
        code = builder_define_communicator_self(survey->builder, "MPI_COMM_SELF", &survey->self,
                                                status);
    count = 0;
    for (uint32_t rank = 0; code == STATUS_OK && rank < survey->rank_count; rank++) {
        struct survey_rank *own = &survey->ranks[rank];
        own->communicators[SURVEY_WORLD].index = survey->world;
        own->communicators[SURVEY_SELF].index = survey->self;
        for (uint32_t i = SURVEY_MADE; i < own->communicator_count; i++)
            found[count++] = (struct survey_member){&own->communicators[i], rank, i};
    }
    if (code == STATUS_OK) code = join_communicators(survey, found, count, status);
    free(all);
    free(found);
    return code;
}

/* ---- windows and regions ---- */

/* Gives windows their numbers in the program. The members of a communicator make its windows in the
 * same order; a window on MPI_COMM_SELF is of one rank alone. */
static status_code number_windows(struct survey *survey, struct status *status) {
    struct key_table numbers = {0}; /* communicator and ordinal -> number */
    status_code code = STATUS_OK;
    uint32_t count = 0;
    for (uint32_t rank = 0; code == STATUS_OK && rank < survey->rank_count; rank++) {
        struct survey_rank *own = &survey->ranks[rank];
        for (size_t i = 0; code == STATUS_OK && i < own->window_count; i++) {
            uint32_t communicator = own->windows[i].communicator, ordinal = 0;
            for (size_t j = 0; j < i; j++)
                ordinal += own->windows[j].communicator == communicator;
            bool is_self = communicator == SURVEY_SELF;
            uint64_t key =
                (uint64_t)own->communicators[communicator].index << 32 | (is_self ? rank : ordinal);
            uint32_t found = is_self ? KEY_TABLE_NONE : key_table_find(&numbers, key);
            if (found == KEY_TABLE_NONE) {
                found = count++;
                if (!is_self) code = key_table_insert(&numbers, key, found, status);
            }
            own->windows[i].program_window = found;
            if (found >= (uint32_t)PROGRAM_WINDOWS_LIMIT)
                code = status_set(status, STATUS_INPUT, "%s: more than %d windows", survey->folder,
                                  PROGRAM_WINDOWS_LIMIT);
        }
    }
    key_table_free(&numbers);
    return code;
}

/* Makes the regions of the beginnings of calls that are split, if calls overlap anywhere. */
static void make_begins(struct survey *survey) {
    bool has_overlaps = false;
    for (uint32_t rank = 0; rank < survey->rank_count; rank++)
        has_overlaps |= survey->ranks[rank].has_overlaps;
    for (uint32_t i = 0; has_overlaps && i < RECORDING_CALL_COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s (begin)", recording_call_name(i));
        survey->begins[i] = builder_define_region(survey->builder, name, true);
    }
}

static status_code make_regions(struct survey *survey, struct status *status) {
    for (uint32_t i = 0; i < RECORDING_CALL_COUNT; i++)
        survey->calls[i] = builder_define_region(survey->builder, recording_call_name(i), true);
    make_begins(survey);
    char **names = NULL;
    uint32_t *indices = NULL;
    size_t count = 0, capacity = 0, index_capacity = 0;
    status_code code = STATUS_OK;
    for (uint32_t rank = 0;
         code == STATUS_OK && survey->config->user_regions && rank < survey->rank_count; rank++) {
        struct survey_rank *own = &survey->ranks[rank];
        code = memory_grow((void **)&own->region_index, &own->region_index_capacity,
                           own->region_count, sizeof *own->region_index, status);
        for (size_t i = 0; code == STATUS_OK && i < own->region_count; i++) {
            size_t at = 0;
            while (at < count && strcmp(names[at], own->regions[i]) != 0)
                at++;
            if (at == count) {
                code = memory_grow((void **)&names, &capacity, count + 1, sizeof(char *), status);
                if (code == STATUS_OK)
                    code = memory_grow((void **)&indices, &index_capacity, count + 1,
                                       sizeof *indices, status);
                if (code != STATUS_OK) break;
                names[count] = own->regions[i];
                indices[count++] = builder_define_region(survey->builder, own->regions[i], false);
            }
            own->region_index[i] = indices[at];
        }
    }
    free(names);
    free(indices);
    return code;
}

/* Ranks that open the same name share the file. */
static status_code make_files(struct survey *survey, struct status *status) {
    for (uint32_t rank = 0; rank < survey->rank_count; rank++) {
        struct survey_rank *own = &survey->ranks[rank];
        FORWARD_IF_ERROR(memory_grow((void **)&own->file_index, &own->file_index_capacity,
                                     own->file_count, sizeof *own->file_index, status));
        for (size_t i = 0; i < own->file_count; i++)
            own->file_index[i] = builder_define_file(survey->builder, own->files[i]);
    }
    return STATUS_OK;
}

/* ---- ranks that were cut ---- */

/* The rank whose collectives count_collectives counts. */
struct counter {
    const struct survey *survey;
    struct survey_rank *own;
};

/* The error by which a reading ends before the end of its file. */
#define ENDS_HERE "the rank is replayed up to here"

/* Returns whether a collective counts: the creation and the freeing of handles do not. */
static bool is_limited(uint64_t kind) {
    return kind != RECORDING_CREATE_HANDLE && kind != RECORDING_DESTROY_HANDLE;
}

/* Counts the collectives of a record. Ends the rank, and the reading, at the first one beyond the
 * limits. */
static status_code count_collectives(void *context, const struct recording_record *record,
                                     struct status *status) {
    struct counter *counter = context;
    struct survey_rank *own = counter->own;
    struct recording_part part;
    size_t at = 0;
    while (recording_next(record, &at, &part, status)) {
        bool counts = part.item == RECORDING_COLLECTIVE || part.item == RECORDING_WINDOW_SYNC;
        if (!counts || (part.item == RECORDING_COLLECTIVE && !is_limited(part.words[0]))) continue;
        uint64_t number = part.item == RECORDING_COLLECTIVE ? part.words[1]
                          : part.words[0] < own->window_count
                              ? own->windows[part.words[0]].communicator
                              : UINT64_MAX;
        if (number >= own->communicator_count) continue; /* the second pass refuses it */
        uint32_t index = own->communicators[number].index;
        bool is_self = number == SURVEY_SELF;
        if (!is_self && own->collectives[number] >= counter->survey->limits[index]) {
            own->replayed_records = record->place;
            return status_set(status, STATUS_INPUT, ENDS_HERE);
        }
        own->collectives[number]++;
    }
    return status->code;
}

static status_code count_rank(void *context, unsigned worker, uint64_t item,
                              struct status *status) {
    struct survey *survey = context;
    struct survey_rank *own = &survey->ranks[item];
    struct counter counter = {survey, own};
    struct status local = STATUS_INIT;
    char path[RECORDING_PATH_BYTES];
    (void)worker;
    memset(own->collectives, 0, own->communicator_count * sizeof *own->collectives);
    FORWARD_IF_ERROR(recording_path(path, survey->folder, (uint32_t)item, status));
    (void)recording_read(path, count_collectives, &counter, NULL, &local);
    status_clear(&local); /* damage was found by the first pass */
    return STATUS_OK;
}

/* Lowers the limits to what all members have. Returns whether any has changed. */
static bool lower_limits(struct survey *survey) {
    bool has_changed = false;
    for (uint32_t rank = 0; rank < survey->rank_count; rank++) {
        const struct survey_rank *own = &survey->ranks[rank];
        for (size_t i = 0; i < own->communicator_count; i++) {
            uint64_t *limit = &survey->limits[own->communicators[i].index];
            if (i == SURVEY_SELF || own->collectives[i] >= *limit) continue;
            *limit = own->collectives[i];
            has_changed = true;
        }
    }
    return has_changed;
}

/* Sets the limit of a communicator to 0 if some of its members have not defined it: they have no
 * collective on it. definers: room for the number of such members of each communicator, all 0. */
static void limit_undefined(struct survey *survey, uint32_t *definers) {
    for (uint32_t rank = 0; rank < survey->rank_count; rank++)
        for (size_t i = SURVEY_MADE; i < survey->ranks[rank].communicator_count; i++)
            definers[survey->ranks[rank].communicators[i].index]++;
    for (uint32_t rank = 0; rank < survey->rank_count; rank++)
        for (size_t i = SURVEY_MADE; i < survey->ranks[rank].communicator_count; i++) {
            const struct survey_communicator *made = &survey->ranks[rank].communicators[i];
            if (definers[made->index] < made->local_size + made->remote_size)
                survey->limits[made->index] = 0;
        }
}

/* Finds the limits of the communicators, and with them where each rank ends. */
static status_code find_limits(struct survey *survey, unsigned threads, struct status *status) {
    uint32_t max = 0;
    for (uint32_t rank = 0; rank < survey->rank_count; rank++) {
        struct survey_rank *own = &survey->ranks[rank];
        FORWARD_IF_ERROR(memory_grow((void **)&own->collectives, &own->collective_capacity,
                                     own->communicator_count, sizeof *own->collectives, status));
        for (size_t i = 0; i < own->communicator_count; i++)
            if (own->communicators[i].index > max) max = own->communicators[i].index;
    }
    survey->limits = memory_new((size_t)max + 1, sizeof *survey->limits);
    uint32_t *definers = memory_new((size_t)max + 1, sizeof *definers);
    if (survey->limits != NULL && definers != NULL) {
        for (uint32_t i = 0; i <= max; i++)
            survey->limits[i] = UINT64_MAX;
        limit_undefined(survey, definers);
    }
    bool has_memory = survey->limits != NULL && definers != NULL;
    free(definers);
    RETURN_ERROR_IF(!has_memory, status, STATUS_MEMORY, "out of memory for communicators");
    do
        FORWARD_IF_ERROR(parallel_for(threads, survey->rank_count, count_rank, survey, status));
    while (lower_limits(survey));
    return STATUS_OK;
}

/* ---- all ranks ---- */

status_code recording_survey_folder(struct survey *survey, const char *folder,
                                    const struct traces_config *config, unsigned threads,
                                    struct status *status) {
    struct recording_header first;
    char path[RECORDING_PATH_BYTES];
    *survey = (struct survey){.folder = folder, .config = config};
    FORWARD_IF_ERROR(recording_path(path, folder, 0, status));
    FORWARD_IF_ERROR(recording_read_header(&first, path, status));
    survey->ranks = memory_new(first.rank_count, sizeof *survey->ranks);
    RETURN_ERROR_IF(survey->ranks == NULL, status, STATUS_MEMORY, "%s: out of memory for %u ranks",
                    folder, first.rank_count);
    survey->rank_count = first.rank_count;
    survey->ranks[0].header = first;
    FORWARD_IF_ERROR(survey_one(survey, 0, 0, status));
    if (survey->rank_count > 1)
        FORWARD_IF_ERROR(
            parallel_for(threads, survey->rank_count - 1u, survey_another, survey, status));
    bool has_records = false;
    for (uint32_t rank = 0; rank < survey->rank_count; rank++) {
        survey->cut_ranks += survey->ranks[rank].extent.state != RECORDING_COMPLETE;
        has_records |= survey->ranks[rank].extent.records > 0;
    }
    RETURN_ERROR_IF(!has_records, status, STATUS_INPUT,
                    "%s: holds no call, because the program ended in MPI_Init: remove the folder "
                    "and record again",
                    folder);
    survey->is_cut = survey->cut_ranks > 0;
    survey->builder = builder_new(survey->rank_count, status);
    if (survey->builder == NULL) return STATUS_MEMORY;
    struct paging *paging = traces_paging(survey->config);
    RETURN_ERROR_IF(paging == NULL, status, STATUS_MEMORY, "out of memory for a trace");
    builder_set_paging(survey->builder, paging);
    FORWARD_IF_ERROR(make_communicators(survey, status));
    FORWARD_IF_ERROR(number_windows(survey, status));
    FORWARD_IF_ERROR(make_regions(survey, status));
    FORWARD_IF_ERROR(make_files(survey, status));
    FORWARD_IF_ERROR(recording_pair_partitioned(survey, status));
    FORWARD_IF_ERROR(recording_align_clocks(survey, status));
    return survey->is_cut ? find_limits(survey, threads, status) : STATUS_OK;
}

void recording_survey_clear(struct survey *survey) {
    for (uint32_t rank = 0; rank < survey->rank_count; rank++) {
        struct survey_rank *own = &survey->ranks[rank];
        for (size_t i = 0; i < own->communicator_count; i++) {
            free(own->communicators[i].members);
            free(own->communicators[i].label);
            free(own->communicators[i].topology);
        }
        for (size_t i = 0; i < own->region_count; i++)
            free(own->regions[i]);
        for (size_t i = 0; i < own->file_count; i++)
            free(own->files[i]);
        free(own->files);
        free(own->file_index);
        free(own->communicators);
        free(own->windows);
        free(own->partitioned);
        free(own->regions);
        free(own->region_index);
        free(own->collectives);
    }
    free(survey->ranks);
    free(survey->limits);
    builder_free(survey->builder);
    *survey = (struct survey){0};
}
