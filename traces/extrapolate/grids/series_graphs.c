/*
 * Graph topologies of the new program. Ranks of one role have equally many neighbours, and the n-th
 * neighbour of all these ranks has one law, as the partners of messages have. The roles may differ
 * from those of the calls. In the new graph, each edge must be in the lists of both of its ranks.
 */
#include "traces/extrapolate/grids/series_graphs.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/grids/series_topologies.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/roles/series_keys.h"
#include "traces/extrapolate/roles/series_roles.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NEIGHBOURS = 64, MOST_ROLES = 256, MOST_TRIED = 256 };

/* A rank of a program of the series. */
struct graph_rank {
    uint32_t key, program, rank;
    const uint32_t *list; /* how many ranks it receives from, how many it sends to, their numbers */
    int64_t *neighbours;  /* these numbers */
};

/* The ranks with one key. */
struct graph_role {
    struct series_role role;
    struct series_role_step step; /* its samples have the neighbours as values */
    uint32_t key;
    uint32_t in, out;        /* how many ranks each rank receives from, and sends to */
    struct series_law *laws; /* [neighbour] */
};

/* The graphs of the series, and the roles that are tried. */
struct graph {
    const struct series *series;
    struct graph_rank *ranks; /* of all programs; make_roles sorts them by keys */
    size_t rank_count;
    struct series_sample *samples; /* [rank], in the same order */
    int64_t *neighbours;           /* of all ranks */
    struct graph_role *roles;
    uint32_t role_count;
    struct series_law *laws; /* of all roles */
};

static int compare_ranks(const void *left, const void *right) {
    const struct graph_rank *a = left, *b = right;
    if (a->key != b->key) return (a->key > b->key) - (a->key < b->key);
    if (a->program != b->program) return (a->program > b->program) - (a->program < b->program);
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static struct graph_role *role_with(const struct graph *graph, uint32_t key) {
    for (uint32_t i = 0; i < graph->role_count; i++)
        if (graph->roles[i].key == key) return &graph->roles[i];
    return NULL;
}

/* Makes the roles of a rule. Returns false if ranks of one role have different numbers of
 * neighbours, if ranks of the new program have a role that no program has, or if there are too many
 * roles. */
static bool make_roles(struct graph *graph, const struct series_role_rule *rule) {
    const struct series *series = graph->series;
    for (size_t i = 0; i < graph->rank_count; i++) {
        struct graph_rank *rank = &graph->ranks[i];
        const struct series_program *from = &series->programs[rank->program];
        rank->key = series_key(series, rule, &from->extents, from->program->rank_count, rank->rank);
    }
    qsort(graph->ranks, graph->rank_count, sizeof *graph->ranks, compare_ranks);
    graph->role_count = 0;
    for (size_t i = 0; i < graph->rank_count; i++) {
        const struct graph_rank *rank = &graph->ranks[i];
        const bool is_new = i == 0 || rank->key != rank[-1].key;
        if (is_new && graph->role_count == MOST_ROLES) return false;
        if (is_new) {
            struct graph_role *made = &graph->roles[graph->role_count];
            *made = (struct graph_role){.key = rank->key, .in = rank->list[0]};
            made->out = rank->list[1];
            made->laws = graph->laws + (size_t)graph->role_count++ * MOST_NEIGHBOURS;
            made->step.samples = &graph->samples[i];
        }
        struct graph_role *role = &graph->roles[graph->role_count - 1];
        if (rank->list[0] != role->in || rank->list[1] != role->out) return false;
        role->role.programs += is_new || rank->program != rank[-1].program;
        role->role.members++;
        graph->samples[i] = (struct series_sample){.program = rank->program,
                                                   .rank = rank->rank,
                                                   .values = rank->neighbours,
                                                   .is_near = true};
        role->step.sample_count++;
    }
    for (uint32_t r = 0; r < series->target_ranks; r++) {
        struct graph_role *own =
            role_with(graph, series_key(series, rule, &series->target, series->target_ranks, r));
        if (own == NULL) return false;
        const uint64_t number = own->role.target_members++;
        own->role.examples[number < SERIES_ROLE_EXAMPLES ? number : number % SERIES_ROLE_EXAMPLES] =
            r;
        if (number < SERIES_ROLE_EXAMPLES) own->role.example_count++;
    }
    return true;
}

/* Sets *found to what `with` returns for the samples of neighbour n of a role and for its law. */
static status_code find_law(const struct graph *graph, const struct graph_role *role, uint32_t n,
                            bool (*with)(const struct graph *graph, struct series_law_data *data,
                                         struct series_law *law),
                            bool *found, struct status *status) {
    struct series_law_data data = {.series = graph->series,
                                   .role = &role->role,
                                   .step = &role->step,
                                   .field = n,
                                   .what = SERIES_VALUE_PEER,
                                   .programs = role->role.programs};
    struct series_groups groups;
    status_code code = series_groups_make(&data, 0, 1, &groups, status);
    if (code == STATUS_OK) {
        struct series_law_data all = series_groups_data(&groups, 0, &data);
        *found = with(graph, &all, &role->laws[n]);
    }
    series_groups_free(&groups);
    return code;
}

/* Looks for the law of a neighbour. Returns false if there is none, or if several fit. */
static bool find_one(const struct graph *graph, struct series_law_data *data,
                     struct series_law *law) {
    (void)graph;
    return law_find_peer(data, law) && !law->is_open;
}

/* Returns whether the law `other` gives all neighbours of the series that follow `law`. */
static bool takes_all(const struct graph *graph, const struct series_law *law,
                      const struct series_law *other) {
    for (uint32_t i = 0; i < graph->role_count; i++) {
        const struct graph_role *role = &graph->roles[i];
        for (uint32_t n = 0; n < role->in + role->out; n++)
            for (size_t s = 0; s < role->step.sample_count; s++) {
                if (!law_peer_is_same(&role->laws[n], law)) break;
                const struct series_sample *sample = &role->step.samples[s];
                const struct series_program *from = &graph->series->programs[sample->program];
                const struct series_place place = {
                    from->program->rank_count, sample->rank, &from->extents, 0, {0}, {0}};
                int64_t peer;
                if (!law_peer(graph->series, other, &place, &peer) || peer != sample->values[n])
                    return false;
            }
    }
    return true;
}

/* The search for an alternative of a law, with the graph for `holds`. */
struct graph_search {
    struct law_peer_search search; /* must be the first member */
    const struct graph *graph;
};

static bool holds(const struct law_peer_search *search, const struct series_law *other) {
    const struct graph_search *own = (const struct graph_search *)search;
    return takes_all(own->graph, search->law, other);
}

static bool has_alternative(const struct graph *graph, struct series_law_data *data,
                            struct series_law *law) {
    const struct graph_search search = {{data, law, holds}, graph};
    struct series_alternative alternative;
    return law_peer_alternative(&search.search, &alternative);
}

/* Looks for the laws of all neighbours. Sets *found to whether each has one. */
static status_code find_laws(struct graph *graph, bool *found, struct status *status) {
    *found = true;
    for (uint32_t i = 0; i < graph->role_count; i++) {
        const struct graph_role *role = &graph->roles[i];
        for (uint32_t n = 0; n < role->in + role->out && *found; n++)
            FORWARD_IF_ERROR(find_law(graph, role, n, find_one, found, status));
    }
    return STATUS_OK;
}

/* Sets *is_uncertain to whether some law has an alternative. */
static status_code compare_laws(const struct graph *graph, bool *is_uncertain,
                                struct status *status) {
    *is_uncertain = false;
    for (uint32_t i = 0; i < graph->role_count; i++) {
        const struct graph_role *role = &graph->roles[i];
        for (uint32_t n = 0; n < role->in + role->out && !*is_uncertain; n++)
            FORWARD_IF_ERROR(find_law(graph, role, n, has_alternative, is_uncertain, status));
    }
    return STATUS_OK;
}

/* An edge of the new graph, as one of its ranks has it. */
struct edge {
    uint32_t from, to;
};

static int compare_edges(const void *left, const void *right) {
    const struct edge *a = left, *b = right;
    if (a->from != b->from) return (a->from > b->from) - (a->from < b->from);
    return (a->to > b->to) - (a->to < b->to);
}

/* Returns whether the edges that the ranks receive by (in) are those that they send by (out). */
static bool are_edges_equal(struct edge *in, size_t in_count, struct edge *out, size_t out_count) {
    if (in_count != out_count) return false;
    qsort(in, in_count, sizeof *in, compare_edges);
    qsort(out, out_count, sizeof *out, compare_edges);
    for (size_t i = 0; i < in_count; i++)
        if (compare_edges(&in[i], &out[i]) != 0) return false;
    return true;
}

/* Makes the lists of the new program by the laws. Sets *found to whether they are a graph: all
 * neighbours are ranks, and all edges have both ends. */
static status_code write_graph(const struct graph *graph, const struct series_role_rule *rule,
                               struct series_graph *made, bool *found, struct status *status) {
    const struct series *series = graph->series;
    uint64_t in_count = 0, out_count = 0;
    for (uint32_t i = 0; i < graph->role_count; i++) {
        in_count += graph->roles[i].in * graph->roles[i].role.target_members;
        out_count += graph->roles[i].out * graph->roles[i].role.target_members;
    }
    struct edge *in = memory_new((size_t)in_count + 1, sizeof *in);
    struct edge *out = memory_new((size_t)out_count + 1, sizeof *out);
    size_t ins = 0, outs = 0;
    made->count = 0;
    made->numbers = memory_new((size_t)(2 * (uint64_t)series->target_ranks + in_count + out_count),
                               sizeof *made->numbers);
    *found = in != NULL && out != NULL && made->numbers != NULL;
    const bool has_memory = *found;
    for (uint32_t r = 0; r < series->target_ranks && *found; r++) {
        const struct graph_role *role =
            role_with(graph, series_key(series, rule, &series->target, series->target_ranks, r));
        const struct series_place place = law_target_place(series, r);
        made->numbers[made->count++] = role->in;
        made->numbers[made->count++] = role->out;
        for (uint32_t n = 0; n < role->in + role->out && *found; n++) {
            int64_t peer = -1;
            *found = law_peer(series, &role->laws[n], &place, &peer) && peer >= 0 &&
                     peer < (int64_t)series->target_ranks;
            if (!*found) break;
            made->numbers[made->count++] = (uint32_t)peer;
            if (n < role->in)
                in[ins++] = (struct edge){(uint32_t)peer, r};
            else
                out[outs++] = (struct edge){r, (uint32_t)peer};
        }
    }
    *found = *found && are_edges_equal(in, ins, out, outs);
    free(in);
    free(out);
    return has_memory ? STATUS_OK : status_set(status, STATUS_MEMORY, "out of memory for a graph");
}

/* Lists the ranks of all programs. Returns false if a rank has more than MOST_NEIGHBOURS. */
static bool list_ranks(struct graph *graph, const struct program_topology *const *own) {
    const struct series *series = graph->series;
    int64_t *neighbours = graph->neighbours;
    graph->rank_count = 0;
    for (uint32_t k = 0; k < series->program_count; k++) {
        const uint32_t *list = series_topology_numbers(series, k, own[k]);
        for (uint32_t r = 0; r < series->programs[k].program->rank_count; r++) {
            const uint32_t count = list[0] + list[1];
            if (list[0] > MOST_NEIGHBOURS || list[1] > MOST_NEIGHBOURS - list[0]) return false;
            graph->ranks[graph->rank_count++] = (struct graph_rank){0, k, r, list, neighbours};
            for (uint32_t n = 0; n < count; n++)
                *neighbours++ = list[2 + n];
            list += 2 + count;
        }
    }
    return true;
}

/* Tries the rule of the series for roles, and then the others in their order. */
static status_code find_graph(struct graph *graph, const struct program_topology *const *own,
                              struct series_graph *made, bool *found, struct status *status) {
    const struct series *series = graph->series;
    struct series_role_rule rule = series->roles.rule;
    if (!list_ranks(graph, own)) return STATUS_OK;
    bool is_first = true, has_more = true;
    for (uint32_t n = 0; n < MOST_TRIED && has_more && !*found; n++) {
        if ((series_keys_of(rule.row) & SERIES_KEY_OF_NUMBER) == 0 && make_roles(graph, &rule)) {
            FORWARD_IF_ERROR(find_laws(graph, found, status));
            if (*found) FORWARD_IF_ERROR(write_graph(graph, &rule, made, found, status));
            if (*found) return compare_laws(graph, &made->is_uncertain, status);
            series_graph_free(made);
        }
        if (is_first)
            rule = (struct series_role_rule){0};
        else
            has_more = series_roles_next_rule(series, &rule);
        is_first = false;
    }
    return STATUS_OK;
}

status_code series_graph_find(const struct series *series,
                              const struct program_topology *const *own, struct series_graph *made,
                              bool *found, struct status *status) {
    struct graph graph = {.series = series};
    size_t ranks = 0, numbers = 0;
    *made = (struct series_graph){0};
    *found = false;
    for (uint32_t k = 0; k < series->program_count; k++) {
        ranks += series->programs[k].program->rank_count;
        numbers += (size_t)own[k]->count;
    }
    graph.ranks = memory_new(ranks, sizeof *graph.ranks);
    graph.samples = memory_new(ranks, sizeof *graph.samples);
    graph.neighbours = memory_new(numbers, sizeof *graph.neighbours);
    graph.roles = memory_new(MOST_ROLES, sizeof *graph.roles);
    graph.laws = memory_new((size_t)MOST_ROLES * MOST_NEIGHBOURS, sizeof *graph.laws);
    status_code code = STATUS_OK;
    if (graph.ranks == NULL || graph.samples == NULL || graph.neighbours == NULL ||
        graph.roles == NULL || graph.laws == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for a graph");
    else
        code = find_graph(&graph, own, made, found, status);
    free(graph.ranks);
    free(graph.samples);
    free(graph.neighbours);
    free(graph.roles);
    free(graph.laws);
    if (code != STATUS_OK) series_graph_free(made);
    return code;
}

void series_graph_free(struct series_graph *made) {
    free(made->numbers);
    *made = (struct series_graph){0};
}
