/*
 * Bounds the ends of the envelope, where only one kind of link counts, by a dynamic program over
 * the components that these links join. See bisection_envelope_end in bisection_envelope.h.
 *
 * Invariant: cost[s] is at most the number of links that a cut with s routers of the component on
 * one side cuts in it.
 */
#include "core/memory/memory.h"
#include "network/analysis/bisection/bisection_envelope.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROUTERS_MAX = 4096,   /* most routers: the table has components · routers entries */
    ENUMERATED_SIZE = 14, /* for components up to this size all subsets are tried */
    COST_INFINITE = INT32_MAX
};

struct component {
    uint32_t first, size; /* index of the first member */
    uint64_t cost_first;  /* index of the first of size + 1 costs */
    bool enumerated;      /* whether subsets holds the best subset of each size */
};

struct components {
    const struct bisection_graph *graph;
    bool global;
    uint32_t *members;  /* in breadth-first order, so that the first s members are connected */
    uint32_t *position; /* [router]: position in its component */
    struct component *list;
    uint32_t count;
    int32_t *costs;
    uint32_t *subsets; /* same indices as costs */
    uint16_t *choice;  /* [component·(half+1) + taken so far]: number taken of this component */
    int32_t *table[2];
};

static uint32_t links_of(const struct components *all, const struct bisection_end *end) {
    return all->global ? end->global_links : end->local_links;
}

static void find_components(struct components *all) {
    const struct bisection_graph *graph = all->graph;
    const uint32_t n = graph->routers;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        all->position[i] = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        if (all->position[i] != UINT32_MAX) continue;
        struct component *own = &all->list[all->count];
        *own = (struct component){.first = count, .cost_first = (uint64_t)count + all->count};
        all->count++;
        all->position[i] = 0;
        all->members[count++] = i;
        for (uint32_t done = own->first; done < count; done++) {
            const uint32_t v = all->members[done];
            for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
                const uint32_t to = graph->ends[e].to;
                if (links_of(all, &graph->ends[e]) == 0 || all->position[to] != UINT32_MAX)
                    continue;
                all->position[to] = count - own->first;
                all->members[count++] = to;
            }
        }
        own->size = count - own->first;
    }
}

/* Returns the number of links between any two members if it is equal for all pairs, else 0. */
static uint32_t complete_links(const struct components *all, const struct component *own) {
    uint32_t links = 0;
    for (uint32_t m = 0; m < own->size; m++) {
        const uint32_t v = all->members[own->first + m];
        uint32_t neighbours = 0;
        for (uint32_t e = all->graph->first[v]; e < all->graph->first[v + 1]; e++) {
            const uint32_t here = links_of(all, &all->graph->ends[e]);
            if (here == 0) continue;
            if (links == 0) links = here;
            if (here != links) return 0;
            neighbours++;
        }
        if (neighbours != own->size - 1) return 0;
    }
    return links;
}

static void enumerate_subsets(struct components *all, struct component *own) {
    int32_t *cost = &all->costs[own->cost_first];
    own->enumerated = true;
    for (uint32_t s = 0; s <= own->size; s++)
        cost[s] = COST_INFINITE;
    for (uint32_t subset = 0; subset < UINT32_C(1) << own->size; subset++) {
        int32_t cut = 0;
        for (uint32_t m = 0; m < own->size; m++) {
            if ((subset >> m & 1) == 0) continue;
            const uint32_t v = all->members[own->first + m];
            for (uint32_t e = all->graph->first[v]; e < all->graph->first[v + 1]; e++) {
                const uint32_t links = links_of(all, &all->graph->ends[e]);
                if (links > 0 && (subset >> all->position[all->graph->ends[e].to] & 1) == 0)
                    cut += (int32_t)links;
            }
        }
        const uint32_t s = (uint32_t)__builtin_popcount(subset);
        if (cut < cost[s]) {
            cost[s] = cut;
            all->subsets[own->cost_first + s] = subset;
        }
    }
}

/* Returns the least number of links that a cut through a component cuts: one, or two if all degrees
 * are even. */
static int32_t min_of_parts(const struct components *all, const struct component *own) {
    for (uint32_t m = 0; m < own->size; m++) {
        const uint32_t v = all->members[own->first + m];
        uint32_t degree = 0;
        for (uint32_t e = all->graph->first[v]; e < all->graph->first[v + 1]; e++)
            degree += links_of(all, &all->graph->ends[e]);
        if (degree % 2 == 1) return 1;
    }
    return 2;
}

static void compute_costs(struct components *all) {
    for (uint32_t c = 0; c < all->count; c++) {
        struct component *own = &all->list[c];
        const uint32_t links = complete_links(all, own);
        if (links == 0 && own->size <= ENUMERATED_SIZE) {
            enumerate_subsets(all, own);
            continue;
        }
        const int32_t part = min_of_parts(all, own);
        for (uint32_t s = 0; s <= own->size; s++)
            all->costs[own->cost_first + s] = links > 0 ? (int32_t)(links * s * (own->size - s))
                                              : s == 0 || s == own->size ? 0
                                                                         : part;
    }
}

/* Fills `choice`, and returns the least cost of taking half of all routers. */
static int32_t combine_components(struct components *all, uint32_t half) {
    int32_t *now = all->table[0], *next = all->table[1];
    for (uint32_t s = 1; s <= half; s++)
        now[s] = COST_INFINITE;
    now[0] = 0;
    for (uint32_t c = 0; c < all->count; c++) {
        const struct component *own = &all->list[c];
        const int32_t *cost = &all->costs[own->cost_first];
        for (uint32_t s = 0; s <= half; s++) {
            next[s] = COST_INFINITE;
            for (uint32_t t = 0; t <= own->size && t <= s; t++) {
                if (now[s - t] == COST_INFINITE || now[s - t] + cost[t] >= next[s]) continue;
                next[s] = now[s - t] + cost[t];
                all->choice[(size_t)c * (half + 1) + s] = (uint16_t)t;
            }
        }
        int32_t *kept = now;
        now = next;
        next = kept;
    }
    return now[half];
}

static void follow_choice(const struct components *all, uint32_t half, uint8_t *side) {
    uint32_t left = half;
    memset(side, 0, all->graph->routers);
    for (uint32_t c = all->count; c-- > 0;) {
        const struct component *own = &all->list[c];
        const uint32_t taken = all->choice[(size_t)c * (half + 1) + left];
        for (uint32_t m = 0; m < own->size; m++) {
            bool is_taken =
                own->enumerated ? (all->subsets[own->cost_first + taken] >> m & 1) == 1 : m < taken;
            side[all->members[own->first + m]] = is_taken;
        }
        left -= taken;
    }
}

static void free_components(struct components *all) {
    free(all->members);
    free(all->position);
    free(all->list);
    free(all->costs);
    free(all->subsets);
    free(all->choice);
    free(all->table[0]);
    free(all->table[1]);
}

status_code bisection_envelope_end(const struct bisection_graph *graph, bool global, uint8_t *side,
                                   bool *found, uint64_t *min, struct status *status) {
    const uint32_t n = graph->routers, half = n / 2;
    *found = false;
    *min = 0;
    if (n > ROUTERS_MAX) return STATUS_OK;
    struct components all = {.graph = graph, .global = global};
    all.members = memory_new(n, sizeof *all.members);
    all.position = memory_new(n, sizeof *all.position);
    all.list = memory_new(n, sizeof *all.list);
    all.costs = memory_new(2 * (size_t)n, sizeof *all.costs);
    all.subsets = memory_new(2 * (size_t)n, sizeof *all.subsets);
    all.table[0] = memory_new((size_t)half + 1, sizeof *all.table[0]);
    all.table[1] = memory_new((size_t)half + 1, sizeof *all.table[1]);
    bool enough = all.members != NULL && all.position != NULL && all.list != NULL &&
                  all.costs != NULL && all.subsets != NULL && all.table[0] != NULL &&
                  all.table[1] != NULL;
    if (enough) {
        find_components(&all);
        all.choice = memory_new((size_t)all.count * (half + 1), sizeof *all.choice);
        enough = all.choice != NULL;
    }
    if (enough) {
        compute_costs(&all);
        *min = (uint64_t)combine_components(&all, half);
        follow_choice(&all, half, side);
        *found = true;
    }
    free_components(&all);
    RETURN_ERROR_IF(!enough, status, STATUS_MEMORY, "out of memory for %u routers", n);
    return STATUS_OK;
}
