/*
 * Goes through the vertices of a rank that is a graph. A vertex's slot has its state: EMPTY before
 * it begins, WAITED while its message is under way, DONE once only CPU time is left. The slot of a
 * receive that has not begun holds the number of the receive among the rank's receives.
 *
 * The rank's clock is the latest time until which any of its CPUs has been busy so far. When
 * several CPUs are busy at a time, the rank's result counts the work that began first. Invariant:
 * the times in the result add up to the clock less the time of the start, and while no CPU is busy
 * the rank waits for a message.
 */
#include "replay/engine/ranks/graph.h"
#include "replay/engine/measurement/rank_states.h"
#include "replay/engine/messages/transfer.h"
#include "replay/engine/ranks/rank.h"
#include "replay/engine/ranks/rank_time.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/state/message.h"

#include "core/memory/memory.h"
#include "traces/program/program_graph.h"

#include <stdlib.h>

struct graph_ready {
    int64_t ready_ps;
    uint32_t vertex;
    bool takes_in; /* a receive whose message has arrived */
};

struct graph_cpu {
    int64_t until_ps;
    uint32_t vertex;           /* what it is busy with; PROGRAM_NONE: nothing */
    struct graph_ready *ready; /* a heap, the next one first */
    size_t ready_count, ready_capacity;
};

struct engine_graph {
    struct graph_cpu *cpus;
    uint32_t cpu_count;
    uint32_t left;     /* vertices that are not complete */
    uint32_t *missing; /* per vertex: needs that do not hold yet */
    uint32_t *first;   /* [vertex]: index of its first entry in `after`; vertices + 1 entries */
    uint32_t *after;   /* for each vertex, those that need it: each as PROGRAM_NEED, with whether
                          it is enough that the needed vertex has begun */
    int64_t latest_ps; /* time of the last event */
};

/* The rank whose graph is advanced, and the current time. */
struct graph_context {
    struct engine_domain *domain;
    struct engine_rank *rank;
    struct engine_graph *graph;
    int64_t now_ps;
};

/* ---- what is ready ---- */

static bool is_before(const struct graph_ready *a, const struct graph_ready *b) {
    if (a->ready_ps != b->ready_ps) return a->ready_ps < b->ready_ps;
    return a->takes_in != b->takes_in ? b->takes_in : a->vertex < b->vertex;
}

static void push_ready(struct engine_domain *domain, struct graph_cpu *cpu,
                       struct graph_ready ready) {
    if (memory_grow((void **)&cpu->ready, &cpu->ready_capacity, cpu->ready_count + 1,
                    sizeof *cpu->ready, NULL) != STATUS_OK) {
        engine_fail(domain, STATUS_MEMORY, "out of memory for %zu vertices that are ready",
                    cpu->ready_count + 1);
        return;
    }
    size_t at = cpu->ready_count++;
    for (; at > 0 && is_before(&ready, &cpu->ready[(at - 1) / 2]); at = (at - 1) / 2)
        cpu->ready[at] = cpu->ready[(at - 1) / 2];
    cpu->ready[at] = ready;
}

static struct graph_ready pop_ready(struct graph_cpu *cpu) {
    struct graph_ready next = cpu->ready[0];
    struct graph_ready last = cpu->ready[--cpu->ready_count];
    size_t at = 0;
    for (size_t child = 1; child < cpu->ready_count; at = child, child = 2 * at + 1) {
        child +=
            child + 1 < cpu->ready_count && is_before(&cpu->ready[child + 1], &cpu->ready[child]);
        if (!is_before(&cpu->ready[child], &last)) break;
        cpu->ready[at] = cpu->ready[child];
    }
    cpu->ready[at] = last;
    return next;
}

/* ---- vertices ---- */

static struct engine_slot *slot_of(const struct graph_context *context, uint32_t vertex) {
    return &context->domain->engine->slots[context->rank->first_slot + vertex];
}

/* Returns the operation that a vertex carries out, or its VERTEX if it carries out none. */
static const struct program_operation *work_of(const struct graph_context *context,
                                               uint32_t vertex) {
    const uint64_t first = context->rank->first;
    return &program_array(
        context->domain->engine->program)[first + slot_of(context, vertex)->operation];
}

static const struct program_operation *head_of(const struct program_operation *work) {
    return work->kind == OPERATION_VERTEX ? work : work - 1;
}

static void make_ready(const struct graph_context *context, uint32_t vertex, int64_t ready_ps) {
    uint8_t cpu = program_vertex_cpu(head_of(work_of(context, vertex)));
    bool takes_in = slot_of(context, vertex)->state == ENGINE_SLOT_DONE;
    push_ready(context->domain, &context->graph->cpus[cpu],
               (struct graph_ready){ready_ps, vertex, takes_in});
}

/* Counts down the vertices that need this one: those that need its begin (begins), or those that
 * need its end. */
static void notify_dependents(const struct graph_context *context, uint32_t vertex, bool begins,
                              int64_t at_ps) {
    struct engine_graph *graph = context->graph;
    for (uint32_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
        uint32_t other = program_need_vertex(graph->after[i]);
        if (program_need_only_begun(graph->after[i]) != begins) continue;
        if (--graph->missing[other] == 0) make_ready(context, other, at_ps);
    }
}

static void complete_vertex(const struct graph_context *context, uint32_t vertex, int64_t at_ps) {
    slot_of(context, vertex)->state = ENGINE_SLOT_EMPTY;
    context->graph->left--;
    notify_dependents(context, vertex, false, at_ps);
}

/* Lets a CPU be busy for cost_ps from from_ps on. Adds the part of this time that is later than the
 * rank's clock to the rank's result, by state, and to *call unless it is NULL. Returns the end. */
static int64_t spend_time(const struct graph_context *context, int64_t from_ps, int64_t cost_ps,
                          replay_state state, struct replay_mpi_function_result *call) {
    struct engine_rank *rank = context->rank;
    int64_t until_ps = from_ps;
    engine_spend(context->domain, rank->result.rank, &until_ps, cost_ps, NULL);
    if (until_ps <= rank->clock_ps) return until_ps;
    int64_t more_ps = until_ps - rank->clock_ps;
    *(state == REPLAY_STATE_COMPUTE ? &rank->result.compute_ps
      : state == REPLAY_STATE_SEND  ? &rank->result.send_overhead_ps
                                    : &rank->result.receive_overhead_ps) += more_ps;
    if (engine_is_observed(context->domain))
        rank_states_record(context->domain, rank->result.rank, state, until_ps, more_ps);
    if (call != NULL) call->time_ps += (uint64_t)more_ps;
    rank->clock_ps = until_ps;
    return until_ps;
}

/* Returns the call in whose name a message is counted. */
static struct replay_mpi_function_result *call_of(const struct graph_context *context,
                                                  const struct program_operation *work) {
    return &context->domain->mpi_functions[context->domain->engine->graph_functions +
                                           (work->kind == OPERATION_RECEIVE)];
}

static int64_t compute_vertex(const struct graph_context *context, uint32_t vertex,
                              int64_t duration_ps) {
    int64_t cost_ps =
        rank_duration_ps(context->domain->engine, context->rank,
                         slot_of(context, vertex)->operation, context->now_ps, duration_ps);
    return spend_time(context, context->now_ps, cost_ps, REPLAY_STATE_COMPUTE, NULL);
}

/* Returns the flag that names the NIC of a message. Without it the rank's own NIC carries it. */
static unsigned nic_flag(const struct replay_engine *engine,
                         const struct program_operation *vertex) {
    unsigned nics = (unsigned)network_config_nics(engine->network_config);
    if (!engine->names_nics || nics == 1) return 0;
    return (program_vertex_nic(vertex) % nics + 1) << TRANSFER_NIC_SHIFT;
}

static int64_t post_send(const struct graph_context *context, uint32_t vertex,
                         const struct program_operation *send) {
    struct replay_rank_result *result = &context->rank->result;
    struct inflight_key key = {.rank = send->message.peer,
                               .source = result->rank,
                               .communicator = INFLIGHT_POINT_TO_POINT,
                               .sequence = send->message.match};
    uint64_t bytes = send->bytes;
    uint32_t handle = PROGRAM_NONE;
    const struct replay_engine *engine = context->domain->engine;
    const replay_message_path path =
        message_cost_path(engine, key.source, key.rank, transfer_path(engine, vertex, bytes, 0));
    int64_t at_ps =
        spend_time(context, context->now_ps, transfer_send_cost_ps(context->domain, path, bytes),
                   REPLAY_STATE_SEND, call_of(context, send));
    call_of(context, send)->count++;
    result->sent_messages++;
    result->sent_bytes += bytes;
    bool done = transfer_send(context->domain, vertex, &key, bytes, nic_flag(engine, send - 1),
                              at_ps, &handle);
    slot_of(context, vertex)->state = done ? ENGINE_SLOT_DONE : ENGINE_SLOT_WAITED;
    int64_t more_ps = host_message_completion_cost_ps(&engine->config, path, bytes);
    return spend_time(context, at_ps, more_ps, REPLAY_STATE_SEND, call_of(context, send));
}

static int64_t take_in(const struct graph_context *context, uint32_t vertex) {
    return spend_time(context, context->now_ps, slot_of(context, vertex)->take_in_ps,
                      REPLAY_STATE_RECEIVE, call_of(context, work_of(context, vertex)));
}

static int64_t post_receive(const struct graph_context *context, uint32_t vertex,
                            const struct program_operation *receive) {
    struct engine_slot *slot = slot_of(context, vertex);
    struct inflight_key key = {.rank = context->rank->result.rank,
                               .source = receive->message.peer,
                               .communicator = INFLIGHT_POINT_TO_POINT,
                               .sequence = slot->receive};
    call_of(context, receive)->count++;
    slot->take_in_ps = 0;
    slot->state = ENGINE_SLOT_WAITED;
    int64_t take_in_ps = 0;
    if (!transfer_receive(context->domain, vertex, &key, context->now_ps, &take_in_ps))
        return context->now_ps;
    slot->state = ENGINE_SLOT_DONE;
    slot->take_in_ps = take_in_ps;
    make_ready(context, vertex, context->now_ps);
    return context->now_ps;
}

/* Lets a CPU begin a vertex, or take in the message of its receive. Returns the time until which
 * the CPU is busy. */
static int64_t begin_vertex(const struct graph_context *context, uint32_t vertex) {
    if (slot_of(context, vertex)->state == ENGINE_SLOT_DONE) return take_in(context, vertex);
    const struct program_operation *work = work_of(context, vertex);
    notify_dependents(context, vertex, true, context->now_ps);
    switch (work->kind) {
    case OPERATION_COMPUTE:
        return compute_vertex(context, vertex, work->compute.duration_ps);
    case OPERATION_SEND:
        return post_send(context, vertex, work);
    case OPERATION_RECEIVE:
        return post_receive(context, vertex, work);
    default:
        return context->now_ps;
    }
}

/* Releases a CPU from a vertex. The vertex is then complete, unless its message is under way or is
 * still to be taken in. */
static void end_vertex(const struct graph_context *context, uint32_t vertex, bool posted,
                       int64_t at_ps) {
    if (!posted && slot_of(context, vertex)->state != ENGINE_SLOT_WAITED)
        complete_vertex(context, vertex, at_ps);
}

/* Ends the vertex that a CPU has finished, and lets the CPU begin ready vertices until it is busy.
 * Returns whether anything has changed. */
static bool advance_cpu(const struct graph_context *context, struct graph_cpu *cpu) {
    bool progress = false;
    if (cpu->vertex != PROGRAM_NONE && cpu->until_ps <= context->now_ps) {
        uint32_t vertex = cpu->vertex;
        cpu->vertex = PROGRAM_NONE;
        end_vertex(context, vertex, false, cpu->until_ps);
        progress = true;
    }
    while (cpu->vertex == PROGRAM_NONE && cpu->ready_count > 0 &&
           context->domain->failure.code == STATUS_OK) {
        struct graph_ready next = pop_ready(cpu);
        bool posted = !next.takes_in && work_of(context, next.vertex)->kind == OPERATION_RECEIVE;
        cpu->until_ps = begin_vertex(context, next.vertex);
        progress = true;
        if (cpu->until_ps <= context->now_ps) {
            end_vertex(context, next.vertex, posted, context->now_ps);
            continue;
        }
        cpu->vertex = next.vertex;
        engine_set_timer(context->domain, cpu->until_ps, context->rank->result.rank);
    }
    return progress;
}

static void graph_free(struct engine_graph *graph) {
    if (graph == NULL) return;
    for (uint32_t i = 0; graph->cpus != NULL && i < graph->cpu_count; i++)
        free(graph->cpus[i].ready);
    free(graph->cpus);
    free(graph->missing);
    free(graph->first);
    free(graph->after);
    free(graph);
}

/* Goes on with all CPUs until none can, and ends the rank after its last vertex. */
static void advance_cpus(const struct graph_context *context) {
    struct engine_graph *graph = context->graph;
    graph->latest_ps = context->now_ps;
    for (bool progress = true; progress && context->domain->failure.code == STATUS_OK;) {
        progress = false;
        for (uint32_t i = 0; i < graph->cpu_count; i++)
            progress |= advance_cpu(context, &graph->cpus[i]);
    }
    if (graph->left > 0) return;
    context->rank->phase = ENGINE_RANK_FINISHED;
    context->rank->result.time_ps = context->rank->clock_ps;
    context->domain->engine->graphs[context->rank->result.rank] = NULL;
    graph_free(graph);
}

/* ---- the graph ---- */

/* Fills in the operations of slots, and counts the needs of each vertex. first[v + 2] becomes the
 * number of needs of other vertices for vertex v. */
static void survey_graph(const struct graph_context *context,
                         const struct program_rank *rank_entry) {
    const struct program *program = context->domain->engine->program;
    struct engine_graph *graph = context->graph;
    uint32_t vertex = 0, receives = 0;
    for (uint64_t i = 0; program_array(program)[rank_entry->first + i].kind != OPERATION_END; i++) {
        const struct program_operation *operation = &program_array(program)[rank_entry->first + i];
        if (operation->kind == OPERATION_VERTEX) {
            *slot_of(context, vertex) =
                (struct engine_slot){.operation = (uint32_t)i, .state = ENGINE_SLOT_EMPTY};
            const uint32_t *needs =
                program_vertex_needs(program, context->rank->result.rank, operation);
            for (uint32_t k = 0; k < operation->wait.count; k++)
                graph->first[program_need_vertex(needs[k]) + 2]++;
            graph->missing[vertex++] = operation->wait.count;
            continue;
        }
        struct engine_slot *slot = slot_of(context, vertex - 1);
        slot->operation = (uint32_t)i;
        if (operation->kind == OPERATION_RECEIVE) slot->receive = receives++;
    }
}

/* Lists for each vertex those that need it: a counting sort, in which first[v + 1] advances to the
 * end of the list of v. */
static void invert_needs(const struct graph_context *context, uint32_t count) {
    struct engine_graph *graph = context->graph;
    for (uint32_t vertex = 0; vertex < count; vertex++)
        graph->first[vertex + 2] += graph->first[vertex + 1];
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        const struct program_operation *head = head_of(work_of(context, vertex));
        const uint32_t *needs = program_vertex_needs(context->domain->engine->program,
                                                     context->rank->result.rank, head);
        for (uint32_t k = 0; k < head->wait.count; k++)
            graph->after[graph->first[program_need_vertex(needs[k]) + 1]++] =
                PROGRAM_NEED(vertex, program_need_only_begun(needs[k]));
    }
}

/* Returns the number of CPUs that the vertices name, and sets *needs to the number of all needs. */
static uint32_t count_cpus(const struct program *program, const struct program_rank *rank_entry,
                           uint64_t *needs) {
    uint32_t cpus = 0;
    *needs = 0;
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        const struct program_operation *operation = &program_array(program)[i];
        if (operation->kind != OPERATION_VERTEX) continue;
        uint32_t cpu = program_vertex_cpu(operation);
        if (cpu >= cpus) cpus = cpu + 1;
        *needs += operation->wait.count;
    }
    return cpus;
}

static struct engine_graph *graph_new(const struct program *program,
                                      const struct program_rank *rank_entry) {
    struct engine_graph *graph = memory_new(1, sizeof *graph);
    if (graph == NULL) return NULL;
    uint64_t needs;
    graph->left = rank_entry->slot_count;
    graph->cpu_count = count_cpus(program, rank_entry, &needs);
    graph->cpus = memory_new(graph->cpu_count, sizeof *graph->cpus);
    graph->missing = memory_new(graph->left, sizeof *graph->missing);
    graph->first = memory_new((size_t)graph->left + 2, sizeof *graph->first);
    graph->after = needs < PROGRAM_NONE ? memory_new((size_t)needs, sizeof *graph->after) : NULL;
    if (graph->cpus == NULL || graph->missing == NULL || graph->first == NULL ||
        graph->after == NULL) {
        graph_free(graph);
        return NULL;
    }
    for (uint32_t i = 0; i < graph->cpu_count; i++)
        graph->cpus[i].vertex = PROGRAM_NONE;
    return graph;
}

/* Makes the graph of a rank, with none of its vertices ready. NULL: out of memory. */
static struct engine_graph *make_graph(struct engine_domain *domain, struct engine_rank *rank) {
    struct replay_engine *engine = domain->engine;
    const struct program_rank *rank_entry = &engine->program->ranks[rank->result.rank];
    struct engine_graph *graph = graph_new(engine->program, rank_entry);
    if (graph == NULL) return NULL;
    engine->graphs[rank->result.rank] = graph;
    const struct graph_context context = {domain, rank, graph, 0};
    survey_graph(&context, rank_entry);
    invert_needs(&context, rank_entry->slot_count);
    return graph;
}

SAVED_SIZE_IS(struct engine_graph, 48);

void graph_save_or_restore(struct engine_domain *domain, struct saved_state *state,
                           uint32_t rank_number) {
    struct engine_rank *rank = &domain->engine->ranks[rank_number];
    struct engine_graph *graph = domain->engine->graphs[rank_number];
    uint64_t is_there = graph != NULL;
    SAVED(state, is_there);
    if (!is_there || state->is_wrong) return;
    if (graph == NULL) graph = make_graph(domain, rank);
    if (graph == NULL) {
        state->out_of_memory = true;
        return;
    }
    SAVED(state, graph->left);
    SAVED(state, graph->latest_ps);
    SAVED_ITEMS(state, graph->missing, domain->engine->program->ranks[rank_number].slot_count);
    for (uint32_t i = 0; i < graph->cpu_count; i++) {
        struct graph_cpu *cpu = &graph->cpus[i];
        void *ready = cpu->ready;
        SAVED(state, cpu->until_ps);
        SAVED(state, cpu->vertex);
        save_or_restore_array(state, &ready, &cpu->ready_count, sizeof *cpu->ready);
        cpu->ready = ready;
        if (state->is_restoring) cpu->ready_capacity = cpu->ready_count;
    }
}

static void start_graph(struct engine_domain *domain, struct engine_rank *rank, int64_t now_ps) {
    const struct program_rank *rank_entry = &domain->engine->program->ranks[rank->result.rank];
    struct engine_graph *graph = make_graph(domain, rank);
    if (graph == NULL) {
        engine_fail(domain, STATUS_MEMORY, "out of memory for the %u vertices of rank %u",
                    rank_entry->slot_count, rank->result.rank);
        return;
    }
    rank->is_outside_mpi = false; /* its messages make progress at any time */
    rank->phase = ENGINE_RANK_WAITING;
    struct graph_context context = {domain, rank, graph, now_ps};
    for (uint32_t vertex = 0; vertex < rank_entry->slot_count; vertex++)
        if (graph->missing[vertex] == 0) make_ready(&context, vertex, now_ps);
    advance_cpus(&context);
}

void graph_timer_expired(struct engine_domain *domain, uint32_t rank_number, int64_t now_ps) {
    struct engine_rank *rank = &domain->engine->ranks[rank_number];
    struct engine_graph *graph = domain->engine->graphs[rank_number];
    struct graph_context context = {domain, rank, graph, now_ps};
    if (graph != NULL)
        advance_cpus(&context);
    else if (rank->phase == ENGINE_RANK_TIMED) /* not begun; a timer may outlive a graph */
        start_graph(domain, rank, now_ps);
}

void graph_slot_done(struct engine_domain *domain, uint32_t rank_number, uint32_t vertex,
                     const struct engine_transfer_end *end) {
    struct engine_rank *rank = &domain->engine->ranks[rank_number];
    struct engine_graph *graph = domain->engine->graphs[rank_number];
    int64_t now_ps = end->now_ps > graph->latest_ps ? end->now_ps : graph->latest_ps;
    struct graph_context context = {domain, rank, graph, now_ps};
    struct engine_slot *slot = slot_of(&context, vertex);
    const struct program_operation *work = work_of(&context, vertex);
    const struct graph_cpu *cpu = &graph->cpus[program_vertex_cpu(head_of(work))];
    int64_t waited_ps = rank->waited_ps;
    rank_account_transfer(domain, rank, end);
    struct replay_mpi_function_result *call = call_of(&context, work);
    call->time_ps += (uint64_t)(rank->waited_ps - waited_ps);
    call->wait_ps += (uint64_t)(rank->waited_ps - waited_ps);
    slot->state = ENGINE_SLOT_DONE;
    if (work->kind == OPERATION_RECEIVE) {
        slot->take_in_ps = end->take_in_ps;
        make_ready(&context, vertex, now_ps);
    } else if (cpu->vertex != vertex) {
        complete_vertex(&context, vertex, now_ps);
    }
    advance_cpus(&context);
}

void graph_number_functions(struct replay_engine *engine) {
    if (!program_has_graphs(engine->program)) return;
    engine->graph_functions = engine->mpi_function_count;
    engine->mpi_function_names[engine->mpi_function_count++] = "send (GOAL)";
    engine->mpi_function_names[engine->mpi_function_count++] = "recv (GOAL)";
}

status_code graph_new_all(struct replay_engine *engine, struct status *status) {
    if (!program_has_graphs(engine->program)) return STATUS_OK;
    engine->graphs = memory_new(engine->program->rank_count, sizeof *engine->graphs);
    RETURN_ERROR_IF(engine->graphs == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    engine->program->rank_count);
    return STATUS_OK;
}

void graph_free_all(struct replay_engine *engine) {
    for (uint32_t i = 0; engine->graphs != NULL && i < engine->program->rank_count; i++)
        graph_free(engine->graphs[i]);
    free(engine->graphs);
}
