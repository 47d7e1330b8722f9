/*
 * Writes the program of the wanted number of ranks. For each rank, a writer walks through the shape
 * of the rank's role, and takes every value of a step from the law of this value. Several threads
 * write ranks at once. The operations of a rank depend only on the series and the rank's number.
 */
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "core/processes/parallel.h"
#include "traces/extrapolate/grids/series_communicators.h"
#include "traces/extrapolate/grids/series_topologies.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/series_laws.h"
#include "traces/extrapolate/output/series_output.h"
#include "traces/extrapolate/refusals/series_where.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/steps/series_steps.h"
#include "traces/extrapolate/symmetry/series_views.h"
#include "traces/program/content_hash.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What all threads share. */
struct writing {
    struct series *series;
    struct program_builder *builder;
    uint32_t *regions;            /* [region of the series]: its index in the new program */
    atomic_uint_fast64_t records; /* event records that a trace of the new program would have */
    atomic_int_fast64_t span_ps;  /* the latest time in this trace */
    struct writer *writers;       /* [thread] */
    wide fitted_ps, exact_ps;     /* computation of the new program by fits, and by exact laws */
    wide alone_ps;                /* the part of exact_ps by laws from one program */
};

/* The state of a thread, which writes one rank after another. */
struct writer {
    struct writing *writing;
    const struct series_role *role;
    uint32_t rank;
    struct series_place place;
    uint32_t source;  /* the rank of a program of the series whose scatter the rank copies */
    uint32_t shift;   /* draws the position whose deviation is copied; 0: the rank's own position */
    uint32_t *visits; /* [step]: how often the rank has visited it so far */
    size_t visit_capacity;
    struct series_copied_part *parts; /* [step]: what the rank copies of the source's computation */
    size_t part_capacity;
    uint64_t *pending; /* requests in flight, in the order in which they were posted */
    size_t pending_count, pending_capacity;
    size_t own;       /* how many of these, the last ones, the current call has posted */
    uint64_t *waited; /* the requests that the current wait names */
    size_t waited_capacity;
    uint64_t last_request; /* number of the request that was posted last; 0: none was */
    int64_t now_ps;        /* time in the trace of the rank */
    int64_t marked_ps;     /* time of the last mark: the begin or end of a call or region */
    int64_t record;        /* event records of the rank so far */
    wide fitted_ps, exact_ps, alone_ps; /* as in struct writing, of all ranks of this thread */
    const struct series_role_step *step;
    uint32_t field; /* index of the next value of the step */
    struct status *status;
};

/* Writes to `text` where the writer is: the current step, as it is in the series. */
static void where_text(const struct writer *writer, char *text, size_t size) {
    const struct series_role *role = writer->role;
    series_where_step(writer->writing->series, role, writer->step,
                      writer->step->symbol == SERIES_LOOP, text, size);
}

/* Refuses a value that its law gives, but that the program cannot have. */
static status_code refuse(const struct writer *writer, const struct series_value_law *laws,
                          const char *why, int64_t value) {
    char where[SERIES_WHERE_TEXT];
    where_text(writer, where, sizeof where);
    return status_set(writer->status, STATUS_INPUT,
                      "%s: on rank %u of %u ranks, the %s %s (%" PRId64 ")", where, writer->rank,
                      writer->place.ranks, series_value_name(laws->what), why, value);
}

/* Refuses a value to which its law gives no number on this rank. */
static status_code refuse_law(const struct writer *writer, const struct series_value_law *laws,
                              const struct series_law *law) {
    const struct series *series = writer->writing->series;
    char text[3 * SERIES_TEXT], where[SERIES_WHERE_TEXT];
    law_text(series, law, text, sizeof text);
    where_text(writer, where, sizeof where);
    return status_set(
        writer->status, STATUS_INPUT,
        "%s: on rank %u of the new program, the rule of the %s, %s, gives %s for %u ranks; choose "
        "another extrapolate.ranks",
        where, writer->rank, series_value_name(laws->what), text,
        law->kind == SERIES_LAW_PEER ? "no rank" : "no whole number", writer->place.ranks);
}

/* Returns the index of a step's first sample that is of this rank of this program or of a later
 * one. Samples are in the order of programs and ranks. */
static size_t first_sample(const struct series_role_step *step, uint32_t program, uint32_t rank) {
    size_t low = 0, high = step->sample_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct series_sample *sample = &step->samples[middle];
        if (sample->program < program || (sample->program == program && sample->rank < rank))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the current step's value number `field` by a fit: that of the source in the same visit,
 * scaled to the mean and the spread of the fit. If the rank has a shift, the value deviates as that
 * of the source in another visit. */
static int64_t fitted_value(const struct writer *writer, const struct series_fit *fit,
                            uint32_t field) {
    const struct series_role_step *step = writer->step;
    size_t first = first_sample(step, fit->known_program, writer->source);
    const size_t end = first_sample(step, fit->known_program, writer->source + 1);
    size_t count = law_copied_samples(step, fit, &first, end);
    /* A rank's samples along the dimension of the step come first. */
    if (fit->is_own && !fit->is_of_view) count = step->visit_count;
    if (count == 0 || fit->known_mean <= 0) return fit->mean;
    const uint32_t number = writer->visits[step - writer->role->steps];
    struct series_copied_part *part = &writer->parts[step - writer->role->steps];
    const bool is_compute = fit->what == SERIES_VALUE_COMPUTE;
    if (number == 0 && is_compute)
        *part = law_scatter_part(step, &step->samples[first], count, field, writer->place.trips,
                                 fit->rounds);
    const uint32_t visit =
        (uint32_t)(is_compute && part->rounds > 0
                       ? law_rounds_place(number, part->visits, count, part->rounds)
                       : number % count);
    uint32_t position = visit;
    const bool is_shifted = writer->shift > 0 && fit->position_count == count;
    if (is_shifted) position = law_scatter_position(fit, visit, writer->shift);
    int64_t known = step->samples[first + position].values[field];
    if (is_shifted) known = law_scatter_moved(fit, visit, position, known);
    const wide copied =
        fit->position_count == count
            ? (uint64_t)law_scatter_scaled(fit, visit, known)
            : (wide)(known > 0 ? known : 0) * (wide)fit->mean / (wide)fit->known_mean;
    if (!is_compute) return (int64_t)copied;
    return (int64_t)(part->over == part->under ? copied : copied * part->over / part->under);
}

static bool is_of_collective(series_value_kind what) {
    return what == SERIES_VALUE_SEND_BYTES || what == SERIES_VALUE_RECEIVE_BYTES;
}

/* Takes the next value of the step. Sets *fitted to whether no exact law gives it: it follows from
 * a fit, or is the length of the message that a receive takes (*value is 0 then). */
static status_code take(struct writer *writer, int64_t *value, bool *fitted) {
    const struct series_value_law *laws = &writer->step->laws[writer->field];
    const struct series_law *law = law_at(writer->role, writer->step, laws, &writer->place);
    if (law == NULL)
        return refuse(writer, laws, "has another law in each iteration, and this one is new",
                      writer->place.index[writer->step->depth - 1]);
    *fitted = law->kind == SERIES_LAW_FIT || law->kind == SERIES_LAW_SENDER;
    if (law->kind == SERIES_LAW_SENDER) {
        *value = 0;
        writer->field++;
        return STATUS_OK;
    }
    if (!law_value(writer->writing->series, law, &writer->place, value))
        return refuse_law(writer, laws, law);
    if (*fitted && !is_of_collective(laws->what))
        *value = fitted_value(writer, &writer->writing->series->laws.fits[law->a], writer->field);
    writer->field++;
    if (*value < 0 && laws->what == SERIES_VALUE_DURATION)
        *value = 0; /* a replay does not use it */
    if (*value < 0 && laws->what != SERIES_VALUE_ROOT && laws->what != SERIES_VALUE_TAG &&
        laws->what != SERIES_VALUE_GAP && laws->what != SERIES_VALUE_EVENTS)
        return refuse(writer, laws, "would be negative", *value);
    return STATUS_OK;
}

/* Adds a new request to those in flight, and sets *request to its number. */
static status_code post(struct writer *writer, uint64_t *request) {
    FORWARD_IF_ERROR(memory_grow((void **)&writer->pending, &writer->pending_capacity,
                                 writer->pending_count + 1, sizeof *writer->pending,
                                 writer->status));
    *request = ++writer->last_request;
    writer->pending[writer->pending_count++] = *request;
    writer->own++;
    return STATUS_OK;
}

static status_code write_message(struct writer *writer, const int64_t *words) {
    const struct series *series = writer->writing->series;
    const int64_t head = words[0];
    const uint32_t family = (uint32_t)words[1];
    const unsigned flags = series_head_flags(head);
    int64_t peer, bytes, tag;
    uint64_t request = 0;
    bool fitted, ignored;
    FORWARD_IF_ERROR(take(writer, &peer, &ignored));
    FORWARD_IF_ERROR(take(writer, &bytes, &fitted));
    if (series->assumptions.tags_are_values) {
        FORWARD_IF_ERROR(take(writer, &tag, &ignored));
        if (tag < 0 || tag > INT32_MAX)
            return refuse(writer, &writer->step->laws[writer->field - 1],
                          "would be none: tags are 0 to 2147483647", tag);
    } else
        tag = series_tag_of(series, words[3], words[2]);
    const uint32_t communicator = series_communicator_of_rank(series, family, writer->rank);
    writer->record++;
    if ((flags & OPERATION_FLAG_DETACHED) != 0)
        request = ++writer->last_request;
    else
        FORWARD_IF_ERROR(post(writer, &request));
    if (series_head_kind(head) == OPERATION_SEND)
        return builder_send(writer->writing->builder, writer->rank, communicator, (uint32_t)peer,
                            (int32_t)tag, (uint64_t)bytes, flags, request, writer->status);
    return builder_receive(writer->writing->builder, writer->rank, communicator, (uint32_t)peer,
                           (int32_t)tag, fitted ? BUILDER_UNKNOWN_BYTES : (uint64_t)bytes, flags,
                           request, writer->status);
}

static status_code write_collective(struct writer *writer, const int64_t *words) {
    const unsigned flags = series_head_flags(words[0]);
    int64_t root, send, receive;
    uint64_t request = 0;
    bool ignored;
    struct program_collective_arguments arguments = {
        .kind = (uint32_t)words[1],
        .communicator =
            series_communicator_of_rank(writer->writing->series, (uint32_t)words[2], writer->rank)};
    const uint64_t element_bytes = (uint64_t)words[3];
    FORWARD_IF_ERROR(take(writer, &root, &ignored));
    FORWARD_IF_ERROR(take(writer, &send, &ignored));
    FORWARD_IF_ERROR(take(writer, &receive, &ignored));
    arguments.root = root < 0 ? PROGRAM_NONE : (uint32_t)root;
    arguments.send_bytes = (uint64_t)send;
    arguments.receive_bytes = (uint64_t)receive;
    const bool blocking = (flags & OPERATION_FLAG_COLLECTIVE_BLOCKING) != 0;
    writer->record += series_collective_records(flags);
    if (!blocking) FORWARD_IF_ERROR(post(writer, &request));
    struct program_builder *builder = writer->writing->builder;
    if (builder_collective(builder, writer->rank, &arguments,
                           flags & ~(unsigned)OPERATION_FLAG_COLLECTIVE_BLOCKING,
                           blocking ? BUILDER_NO_REQUEST : request, writer->status) != STATUS_OK) {
        char where[SERIES_WHERE_TEXT];
        where_text(writer, where, sizeof where);
        return status_prefix(writer->status, "%s: in the new program", where);
    }
    if (element_bytes == 0) return STATUS_OK;
    return builder_set_element(builder, writer->rank, element_bytes, writer->status);
}

/* Moves `count` requests from those in flight to writer->waited. The next values of the step are
 * their positions among the requests in flight. */
static status_code take_list(struct writer *writer, size_t count) {
    FORWARD_IF_ERROR(memory_grow((void **)&writer->waited, &writer->waited_capacity, count + 1,
                                 sizeof *writer->waited, writer->status));
    for (size_t i = 0; i < count; i++) {
        int64_t place;
        bool fitted;
        FORWARD_IF_ERROR(take(writer, &place, &fitted));
        if (fitted && place >= (int64_t)writer->pending_count)
            place = (int64_t)writer->pending_count - 1;
        if (place < 0 || place >= (int64_t)writer->pending_count)
            return refuse(writer, &writer->step->laws[writer->field - 1], "is none in flight",
                          place);
        writer->waited[i] = writer->pending[place];
        /* All positions are those before the wait, so laws may give a position twice. */
        for (size_t j = 0; j < i; j++)
            if (writer->waited[j] == writer->waited[i])
                return refuse(writer, &writer->step->laws[writer->field - 1],
                              "is waited for already", place);
    }
    for (size_t i = 0; i < count; i++) {
        size_t place = 0;
        while (place < writer->pending_count && writer->pending[place] != writer->waited[i])
            place++;
        memmove(writer->pending + place, writer->pending + place + 1,
                (writer->pending_count - place - 1) * sizeof *writer->pending);
        writer->pending_count--;
    }
    return STATUS_OK;
}

static status_code write_wait(struct writer *writer, const int64_t *words) {
    const unsigned flags = series_head_flags(words[0]);
    const int64_t form = words[1];
    const uint64_t *requests = writer->pending;
    size_t count = writer->pending_count;
    if (form == SERIES_WAIT_FOR_LIST) {
        count = (size_t)words[2];
        FORWARD_IF_ERROR(take_list(writer, count));
        requests = writer->waited;
    } else if (form == SERIES_WAIT_FOR_OWN) {
        count = writer->own;
        requests += writer->pending_count - count;
        writer->pending_count -= count;
    } else {
        writer->pending_count = 0;
    }
    writer->own = 0;
    /* Traces have no event of a wait in the call that posts its request. */
    if (form != SERIES_WAIT_FOR_OWN) writer->record += (int64_t)count;
    if ((flags & OPERATION_FLAG_WAIT_TESTED) == 0)
        return builder_wait(writer->writing->builder, writer->rank, requests, (uint32_t)count,
                            writer->status);
    uint64_t given = 0;
    return builder_wait_tested(writer->writing->builder, writer->rank, requests, (uint32_t)count,
                               &given, writer->status);
}

/* Goes `later_ps` on, and returns the time of the next mark. A fitted time between marks may be
 * negative, but no mark is earlier than the last one. */
static int64_t next_mark_ps(struct writer *writer, int64_t later_ps) {
    writer->now_ps += later_ps;
    if (writer->now_ps < writer->marked_ps) writer->now_ps = writer->marked_ps;
    writer->marked_ps = writer->now_ps;
    return writer->marked_ps;
}

static status_code write_call(struct writer *writer, const int64_t *words, const int64_t *end) {
    struct program_builder *builder = writer->writing->builder;
    int64_t gap_ps, records, duration_ps;
    bool ignored;
    const uint32_t region = writer->writing->regions[words[1]];
    FORWARD_IF_ERROR(take(writer, &gap_ps, &ignored));
    FORWARD_IF_ERROR(take(writer, &records, &ignored));
    FORWARD_IF_ERROR(take(writer, &duration_ps, &ignored));
    if (writer->record + records >= 0) writer->record += records;
    writer->own = 0;
    FORWARD_IF_ERROR(builder_call(builder, writer->rank, region, (uint64_t)writer->record++,
                                  next_mark_ps(writer, gap_ps), writer->status));
    for (words += 2; words < end; words += series_part_words(writer->writing->series, words)) {
        const int64_t kind = series_head_kind(*words);
        if (kind == OPERATION_SEND || kind == OPERATION_RECEIVE)
            FORWARD_IF_ERROR(write_message(writer, words));
        else if (kind == OPERATION_COLLECTIVE)
            FORWARD_IF_ERROR(write_collective(writer, words));
        else
            FORWARD_IF_ERROR(write_wait(writer, words));
    }
    writer->record++;
    FORWARD_IF_ERROR(builder_wait_call(builder, writer->rank, writer->status));
    return builder_return(builder, writer->rank, next_mark_ps(writer, duration_ps), false,
                          writer->status);
}

static status_code write_step(struct writer *writer, const struct series_role_step *step) {
    const struct series *series = writer->writing->series;
    struct program_builder *builder = writer->writing->builder;
    const struct series_symbol *symbol = &series->steps.symbols[step->symbol];
    const int64_t *words = series->steps.words + symbol->first_word;
    int64_t compute_ps, gap_ps;
    bool is_fitted, ignored;
    writer->step = step;
    writer->field = 0;
    FORWARD_IF_ERROR(take(writer, &compute_ps, &is_fitted));
    *(is_fitted ? &writer->fitted_ps : &writer->exact_ps) += (uint64_t)compute_ps;
    const struct series_law *law = law_at(writer->role, step, step->laws, &writer->place);
    if (!is_fitted && law != NULL && law->programs < 2) writer->alone_ps += (uint64_t)compute_ps;
    FORWARD_IF_ERROR(builder_compute(builder, writer->rank, compute_ps, writer->status));
    writer->now_ps += compute_ps;
    status_code code = STATUS_OK;
    if (words[0] == OPERATION_CALL) {
        code = write_call(writer, words, words + symbol->word_count);
    } else if (words[0] != OPERATION_END) {
        const uint32_t region = writer->writing->regions[words[1]];
        FORWARD_IF_ERROR(take(writer, &gap_ps, &ignored));
        const int64_t time_ps = next_mark_ps(writer, gap_ps);
        writer->record++;
        code = words[0] == OPERATION_ENTER
                   ? builder_enter(builder, writer->rank, region, time_ps, writer->status)
                   : builder_leave(builder, writer->rank, time_ps, writer->status);
    }
    writer->visits[step - writer->role->steps]++;
    return code;
}

static status_code write_nodes(struct writer *writer, const struct series_shape_node *shape);

static status_code write_loop(struct writer *writer, const struct series_shape_node *node) {
    const struct series_role_step *loop = &writer->role->loops[node->index_in_role];
    const uint32_t level = writer->place.depth;
    int64_t trips;
    bool fitted;
    writer->step = loop;
    writer->field = 0;
    FORWARD_IF_ERROR(take(writer, &trips, &fitted));
    if (trips > UINT32_MAX) return refuse(writer, loop->laws, "would be too many", trips);
    writer->place.trips[level] = (uint32_t)trips;
    writer->place.depth = level + 1;
    for (uint32_t trip = 0; trip < trips; trip++) {
        writer->place.index[level] = trip;
        FORWARD_IF_ERROR(write_nodes(writer, node));
    }
    writer->place.depth = level;
    return STATUS_OK;
}

static status_code write_nodes(struct writer *writer, const struct series_shape_node *shape) {
    for (size_t i = 0; i < shape->count; i++) {
        const struct series_shape_node *node = &shape->nodes[i];
        if (node->symbol == SERIES_LOOP)
            FORWARD_IF_ERROR(write_loop(writer, node));
        else
            FORWARD_IF_ERROR(write_step(writer, &writer->role->steps[node->index_in_role]));
    }
    return STATUS_OK;
}

/* Chooses the source and the shift of a rank. Ranks are divided into groups of as many consecutive
 * ranks as the largest program has. The ranks of the first group copy those of the largest program
 * with the role in their order, without a shift. A draw for each further group says with which rank
 * the group begins to copy, and by which shift. */
static void choose_scatter(struct writer *writer) {
    const struct series *series = writer->writing->series;
    /* The last step is the end of the rank, which has one sample of each rank. */
    const struct series_role_step *end = &writer->role->steps[writer->role->step_count - 1];
    const uint32_t program = end->samples[end->sample_count - 1].program;
    const uint32_t group_ranks = series->programs[series->program_count - 1].program->rank_count;
    const uint32_t group = writer->rank / group_ranks;
    const uint64_t draw = group > 0 ? content_hash_add(series->config->seed, group) : 0;
    size_t first = end->sample_count;
    while (first > 0 && end->samples[first - 1].program == program)
        first--;
    const size_t count = end->sample_count - first;
    writer->source = end->samples[first + (draw % count + writer->rank % group_ranks) % count].rank;
    writer->shift = group > 0 ? (uint32_t)(draw >> 32) | 1 : 0;
}

static status_code write_rank(void *context, unsigned worker, uint64_t rank,
                              struct status *status) {
    struct writing *writing = context;
    struct writer *writer = &writing->writers[worker];
    const struct series *series = writing->series;
    const struct series_role *role = series_role_of(series, (uint32_t)rank);
    writer->writing = writing;
    writer->role = role;
    writer->rank = (uint32_t)rank;
    writer->place = law_target_place(series, (uint32_t)rank);
    choose_scatter(writer);
    writer->pending_count = writer->own = 0;
    writer->last_request = 0;
    writer->now_ps = writer->marked_ps = writer->record = 0;
    writer->status = status;
    FORWARD_IF_ERROR(memory_grow((void **)&writer->visits, &writer->visit_capacity,
                                 role->step_count, sizeof *writer->visits, status));
    FORWARD_IF_ERROR(memory_grow((void **)&writer->parts, &writer->part_capacity, role->step_count,
                                 sizeof *writer->parts, status));
    memset(writer->visits, 0, role->step_count * sizeof *writer->visits);
    FORWARD_IF_ERROR(write_nodes(writer, &role->shape));
    FORWARD_IF_ERROR(builder_end_rank(writing->builder, writer->rank, status));
    atomic_fetch_add(&writing->records, (uint64_t)writer->record);
    int64_t span = atomic_load(&writing->span_ps);
    while (writer->now_ps > span &&
           !atomic_compare_exchange_weak(&writing->span_ps, &span, writer->now_ps)) {
    }
    return STATUS_OK;
}

/* Sets the notes, the assumptions and the source of the new program. */
static void describe_program(struct writing *writing) {
    struct series *series = writing->series;
    const struct program *largest = series->programs[series->program_count - 1].program;
    char text[4096];
    size_t length =
        (size_t)snprintf(text, sizeof text, "extrapolated to %u ranks from", series->target_ranks);
    for (uint32_t k = 0; k < series->program_count && length < sizeof text; k++)
        length += (size_t)snprintf(
            text + length, sizeof text - length, "%s %s (%u)", k > 0 ? "," : "",
            program_text(series->programs[k].program, series->programs[k].program->source),
            series->programs[k].program->rank_count);
    builder_copy_notes(writing->builder, largest);
    builder_add_assumption(writing->builder, "extrapolated ranks",
                           "what they do follows from smaller runs by rules (docs/extrapolate.md)",
                           series->target_ranks);
    if (series->config->accesses > 0)
        builder_add_note(writing->builder, "reads and writes of files",
                         "extrapolated programs have none; these are those of the smaller runs",
                         series->config->accesses);
    builder_set_source(writing->builder, text, program_text(largest, largest->creator),
                       atomic_load(&writing->records), series->target_ranks,
                       atomic_load(&writing->span_ps));
}

static status_code write_all(struct writing *writing, unsigned threads, struct program **program,
                             struct status *status) {
    struct series *series = writing->series;
    FORWARD_IF_ERROR(series_communicators_define(series, writing->builder, status));
    FORWARD_IF_ERROR(series_topologies_define(series, writing->builder, status));
    writing->regions = memory_new(series->steps.region_count, sizeof *writing->regions);
    writing->writers =
        memory_new(parallel_threads(threads, series->target_ranks), sizeof *writing->writers);
    RETURN_ERROR_IF(writing->regions == NULL || writing->writers == NULL, status, STATUS_MEMORY,
                    "out of memory for a program");
    for (size_t i = 0; i < series->steps.region_count; i++)
        writing->regions[i] =
            builder_define_region(writing->builder, series_region_name(series, (uint32_t)i),
                                  series->steps.regions[i].is_mpi != 0);
    status_code code = parallel_for(threads, series->target_ranks, write_rank, writing, status);
    for (unsigned i = 0; i < parallel_threads(threads, series->target_ranks); i++) {
        struct writer *writer = &writing->writers[i];
        writing->fitted_ps += writer->fitted_ps;
        writing->exact_ps += writer->exact_ps;
        writing->alone_ps += writer->alone_ps;
        free(writer->visits);
        free(writer->parts);
        free(writer->pending);
        free(writer->waited);
    }
    if (code != STATUS_OK) return code;
    describe_program(writing);
    return builder_seal(writing->builder, threads, program, status);
}

/* Writes to `text` the first send or receive of a program that has no partner, and its call. */
static void unmatched_text(const struct program *program, char *text, size_t size) {
    struct program_walk walk = {0};
    const char *call = "";
    *text = '\0';
    while (program_walk_next(program, &walk)) {
        const struct program_operation *operation = walk.operation;
        if (operation->kind == OPERATION_CALL)
            call = program_text(program, program->regions[operation->mark.region].name);
        if (!program_is_message(program, operation) || operation->message.match != PROGRAM_NONE)
            continue;
        const bool sends = operation->kind == OPERATION_SEND;
        snprintf(text, size, "%s of rank %u %s rank %u with tag %" PRId64, call, walk.rank,
                 sends ? "sends to" : "receives from", operation->message.peer,
                 (int64_t)program->envelopes[operation->message.envelope].tag);
        return;
    }
}

/* Refuses a program in which sends or receives have no partner, if all have one in the series. */
static status_code check_matches(const struct series *series, const struct program *program,
                                 struct status *status) {
    uint64_t unmatched = 0;
    for (uint32_t k = 0; k < series->program_count; k++)
        unmatched += series->programs[k].program->unmatched_sends +
                     series->programs[k].program->unmatched_receives;
    if (unmatched > 0 || program->unmatched_sends + program->unmatched_receives == 0)
        return STATUS_OK;
    char first[2 * SERIES_TEXT];
    unmatched_text(program, first, sizeof first);
    return status_set(status, STATUS_INPUT,
                      "by the rules that were found, %" PRIu64 " sends and %" PRIu64
                      " receives of %u ranks would have no partner (%s, for example); the rules "
                      "are wrong, add a program with another number of ranks",
                      program->unmatched_sends, program->unmatched_receives, series->target_ranks,
                      first);
}

/* Writes the program by the laws of the series. Sets *fitted_ps and *exact_ps to its computation
 * by fits and by exact laws. */
static status_code write_program(struct series *series, unsigned threads, struct program **program,
                                 wide *fitted_ps, wide *exact_ps, struct status *status) {
    struct writing writing = {.series = series};
    *program = NULL;
    writing.builder = builder_new(series->target_ranks, status);
    if (writing.builder == NULL) return status->code;
    status_code code = STATUS_OK;
    const struct paging *like = series->programs[0].program->paging;
    if (like != NULL) { /* the new program has the same bound on the memory of its arrays */
        struct paging *paging = paging_new_like(like);
        if (paging == NULL)
            code = status_set(status, STATUS_MEMORY, "out of memory for a program");
        else
            builder_set_paging(writing.builder, paging);
    }
    if (code == STATUS_OK) code = write_all(&writing, threads, program, status);
    builder_free(writing.builder);
    free(writing.regions);
    free(writing.writers);
    *fitted_ps = writing.fitted_ps;
    *exact_ps = writing.exact_ps;
    series->laws.made_ps = writing.fitted_ps + writing.exact_ps;
    series->laws.alone_ps = writing.alone_ps;
    return code;
}

status_code series_write(struct series *series, unsigned threads, struct program **program,
                         struct status *status) {
    wide fitted_ps, exact_ps;
    bool is_scaled = false;
    *program = NULL;
    FORWARD_IF_ERROR(series_size_check(series, status));
    status_code code = write_program(series, threads, program, &fitted_ps, &exact_ps, status);
    if (code == STATUS_OK) code = check_matches(series, *program, status);
    if (code == STATUS_OK) code = law_whole_find(series, fitted_ps, exact_ps, &is_scaled, status);
    if (code == STATUS_OK && is_scaled) {
        program_free(*program);
        code = write_program(series, threads, program, &fitted_ps, &exact_ps, status);
    }
    if (code != STATUS_OK) {
        program_free(*program);
        *program = NULL;
    }
    return code;
}
