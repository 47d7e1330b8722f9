/*
 * The allocator of routers that give out output VCs first (network.router.vc_allocation first).
 *
 * A round has two steps. First, every output VC that can be given out, and that no input VC holds,
 * goes to one of the input VCs that request it, whether or not there are credits. The input VCs
 * take turns by number. The input VC then holds the output VC until its packet is granted. Second,
 * every free input port proposes one of its packets that hold their output VC and could go at once;
 * at each input port the outputs take turns. Every output takes one of the proposals made to it; at
 * each output the input ports take turns, whatever the VC.
 */
#include "network/engine/router/vc_allocation.h"

#include "core/base/compiler_hints.h"
#include "core/memory/memory.h"
#include "network/engine/flow_control/outputs.h"
#include "network/engine/flow_control/wakeups.h"
#include "network/engine/router/crossbar.h"

#include <stdlib.h>

struct vc_allocation *vc_allocation_new(const struct network *network) {
    struct vc_allocation *made = memory_new(1, sizeof *made);
    if (made == NULL) return NULL;
    made->holders =
        memory_new((size_t)network->tables.ports * network->vcs.per_port, sizeof *made->holders);
    made->next_outputs = memory_new(network->tables.ports, sizeof *made->next_outputs);
    made->next_inputs = memory_new(network->tables.ports, sizeof *made->next_inputs);
    if (made->holders && made->next_outputs && made->next_inputs) return made;
    vc_allocation_free(made);
    return NULL;
}

void vc_allocation_free(struct vc_allocation *vc_allocation) {
    if (vc_allocation == NULL) return;
    free(vc_allocation->holders);
    free(vc_allocation->next_outputs);
    free(vc_allocation->next_inputs);
    free(vc_allocation);
}

/* An iterator over the input VCs of a router that request an output, in order of number. */
struct requesters {
    struct network_input_vc *first; /* of the router */
    const uint64_t *words;
    uint32_t count; /* of words */
    uint32_t word;  /* index of the word that is being read */
    uint64_t bits;  /* its bits that have not been read */
    uint32_t first_output;
};

static struct requesters requesters_of(const struct rail_group *rail_group, uint32_t router) {
    const struct network *network = rail_group->network;
    uint32_t first_output = router * network->topology.radix;
    const uint64_t *words =
        &rail_group->allocation.request_bits[(size_t)router * network->routers.request_words];
    return (struct requesters){
        .first = &rail_group->input_vcs[(size_t)first_output * network->vcs.per_port],
        .words = words,
        .count = network->routers.request_words,
        .bits = words[0],
        .first_output = first_output};
}

/* Returns the next one, or NULL after the last. */
static struct network_input_vc *next_requester(struct requesters *requesters) {
    while (requesters->bits == 0) {
        if (++requesters->word >= requesters->count) return NULL;
        requesters->bits = requesters->words[requesters->word];
    }
    uint32_t bit = requesters->word * 64 + (uint32_t)__builtin_ctzll(requesters->bits);
    requesters->bits &= requesters->bits - 1;
    return requesters->first + bit;
}

/* What an input VC requests. */
struct vc_request {
    uint32_t bit;     /* number of the input VC within its router */
    uint32_t input;   /* its port */
    uint32_t output;  /* the port that its packet requests */
    uint32_t port_vc; /* the output VC */
    uint32_t size_bytes;
    struct vc_holder *holder; /* of that output VC */
};

static struct vc_request request_of(const struct rail_group *rail_group,
                                    const struct network_input_vc *requester) {
    const struct network_input_position *position = input_vc_position(rail_group, requester);
    const struct network_packet *packet = input_vc_packet(rail_group, requester);
    uint32_t output = input_vc_output(rail_group, requester);
    uint32_t port_vc =
        packet_port_vc(rail_group->network, &rail_group->network->hop_features, packet, output);
    return (struct vc_request){.bit = position->bit,
                               .input = position->input,
                               .output = output,
                               .port_vc = port_vc,
                               .size_bytes = packet->size_bytes,
                               .holder = &rail_group->allocation.vc_allocation->holders[port_vc]};
}

static bool holds_output_vc(const struct vc_request *request) {
    return request->holder->holder == request->bit + 1;
}

/* Returns how many of `count` numbers come before one if counting begins at `next`. */
static uint32_t distance_after(uint32_t number, uint32_t next, uint32_t count) {
    return number >= next ? number - next : number + count - next;
}

/* Gives every free output VC to one of the input VCs that request it. */
static void give_vcs(struct rail_group *rail_group, uint32_t router) {
    const uint32_t input_vcs =
        rail_group->network->topology.radix * rail_group->network->vcs.per_port;
    struct requesters all = requesters_of(rail_group, router);
    for (struct network_input_vc *requester; (requester = next_requester(&all)) != NULL;) {
        struct vc_request request = request_of(rail_group, requester);
        struct vc_holder *holder = request.holder;
        if (holder->holder == 0) {
            if (output_vc_free_ps(rail_group, &rail_group->network->hop_features, request.port_vc) >
                rail_group->now_ps)
                continue;
            holder->is_new = true;
        } else if (!holder->is_new || distance_after(holder->holder - 1, holder->next, input_vcs) <
                                          distance_after(request.bit, holder->next, input_vcs)) {
            continue;
        }
        holder->holder = (uint16_t)(request.bit + 1);
    }
    all = requesters_of(rail_group, router);
    for (struct network_input_vc *requester; (requester = next_requester(&all)) != NULL;) {
        struct vc_holder *holder = request_of(rail_group, requester).holder;
        if (!holder->is_new) continue;
        holder->is_new = false;
        holder->next = (uint16_t)(holder->holder < input_vcs ? holder->holder : 0);
    }
}

/* Returns when a packet that holds its output VC could go: now_ps at the earliest. EVENT_NEVER:
 * credits must come that are not yet on their way. */
static int64_t holder_goes_ps(struct rail_group *rail_group, const struct vc_request *request) {
    int64_t now_ps = rail_group->now_ps;
    int64_t at_ps = output_accepts_ps(rail_group, &rail_group->network->hop_features,
                                      request->output, request->port_vc, request->size_bytes);
    if (rail_group->allocation.input_free_ps[request->input] > at_ps)
        at_ps = rail_group->allocation.input_free_ps[request->input];
    if (at_ps > now_ps) return at_ps;
    if (credits_are_available(rail_group, &rail_group->network->hop_features, request->port_vc,
                              request->size_bytes))
        return now_ps;
    output_begin_stall(rail_group, request->output);
    return credits_at_ps(rail_group, request->port_vc, request->size_bytes);
}

/* Returns whether the input port of both proposes a rather than b. */
static bool goes_first(const struct rail_group *rail_group, const struct network_input_vc *a,
                       const struct network_input_vc *b, uint32_t first_output) {
    uint32_t a_output = input_vc_output(rail_group, a), b_output = input_vc_output(rail_group, b);
    if (a_output == b_output) return a->service_order < b->service_order;
    uint32_t next =
        rail_group->allocation.vc_allocation->next_outputs[input_vc_position(rail_group, a)->input];
    uint32_t radix = rail_group->network->topology.radix;
    return distance_after(a_output - first_output, next, radix) <
           distance_after(b_output - first_output, next, radix);
}

/* The proposals of a round: the best one for each output port. */
struct vc_proposals {
    uint64_t outputs[NETWORK_RADIX_MAX / 64]; /* bits of the output ports that have one */
    struct network_input_vc *best[NETWORK_RADIX_MAX];
};

static void add_proposal(const struct rail_group *rail_group, struct vc_proposals *made,
                         uint32_t first_output, struct network_input_vc *requester) {
    struct vc_request request = request_of(rail_group, requester);
    uint32_t port = request.output - first_output;
    uint64_t bit = UINT64_C(1) << (port % 64);
    if (made->outputs[port / 64] & bit) {
        uint32_t next = rail_group->allocation.vc_allocation->next_inputs[request.output];
        uint32_t radix = rail_group->network->topology.radix;
        uint32_t best_input = input_vc_position(rail_group, made->best[port])->input;
        if (distance_after(best_input - first_output, next, radix) <
            distance_after(request.input - first_output, next, radix))
            return;
    }
    made->outputs[port / 64] |= bit;
    made->best[port] = requester;
}

/* Collects the proposals of all input ports. Returns whether there are any. */
static bool collect_proposals(struct rail_group *rail_group, struct vc_proposals *made,
                              uint32_t router) {
    struct requesters all = requesters_of(rail_group, router);
    struct network_input_vc *best = NULL;
    uint32_t best_input = 0;
    for (struct network_input_vc *requester; (requester = next_requester(&all)) != NULL;) {
        struct vc_request request = request_of(rail_group, requester);
        if (!holds_output_vc(&request) || holder_goes_ps(rail_group, &request) > rail_group->now_ps)
            continue;
        if (best == NULL || best_input != request.input) {
            if (best != NULL) add_proposal(rail_group, made, all.first_output, best);
            best = requester;
            best_input = request.input;
        } else if (goes_first(rail_group, requester, best, all.first_output)) {
            best = requester;
        }
    }
    if (best != NULL) add_proposal(rail_group, made, all.first_output, best);
    return best != NULL;
}

/* Moves the packet that each output has chosen, which gives its output VC back. */
static void grant_proposals(struct rail_group *rail_group, struct vc_proposals *made,
                            uint32_t first_output) {
    const uint32_t radix = rail_group->network->topology.radix;
    struct vc_allocation *allocation = rail_group->allocation.vc_allocation;
    for (uint32_t word = 0; word < rail_group->network->routers.port_words; word++) {
        for (uint64_t bits = made->outputs[word]; bits != 0; bits &= bits - 1) {
            uint32_t port = word * 64 + (uint32_t)__builtin_ctzll(bits);
            struct vc_request request = request_of(rail_group, made->best[port]);
            uint32_t input_port = request.input - first_output;
            request.holder->holder = 0;
            allocation->next_outputs[request.input] = (uint16_t)((port + 1) % radix);
            allocation->next_inputs[request.output] = (uint16_t)((input_port + 1) % radix);
            crossbar_traverse(rail_group, made->best[port], request.output);
        }
        made->outputs[word] = 0;
    }
}

/* Sets when the router allocates again: at the earliest time at which an output VC could be given
 * out or a packet could go. What could go now waits for the next cycle. */
static void set_wakeup(struct rail_group *rail_group, uint32_t router) {
    int64_t wake_ps = EVENT_NEVER, pause_ps = rail_group->network->routers.allocation_pause_ps;
    struct requesters all = requesters_of(rail_group, router);
    for (struct network_input_vc *requester; (requester = next_requester(&all)) != NULL;) {
        struct vc_request request = request_of(rail_group, requester);
        int64_t at_ps = EVENT_NEVER;
        if (request.holder->holder == 0)
            at_ps =
                output_vc_free_ps(rail_group, &rail_group->network->hop_features, request.port_vc);
        else if (holds_output_vc(&request))
            at_ps = holder_goes_ps(rail_group, &request);
        if (at_ps <= rail_group->now_ps)
            at_ps = rail_group->allocation.resume_ps[router] = rail_group->now_ps + pause_ps;
        if (at_ps < wake_ps) wake_ps = at_ps;
    }
    if (wake_ps != EVENT_NEVER) wakeup_set(rail_group, all.first_output, wake_ps);
}

HINT_NOINLINE void vc_allocation_allocate(struct rail_group *rail_group, uint32_t router) {
    struct vc_proposals made;
    for (uint32_t word = 0; word < rail_group->network->routers.port_words; word++)
        made.outputs[word] = 0;
    for (int64_t round = 0; round < rail_group->network->config.allocation_rounds; round++) {
        give_vcs(rail_group, router);
        if (!collect_proposals(rail_group, &made, router)) break;
        grant_proposals(rail_group, &made, router * rail_group->network->topology.radix);
    }
    set_wakeup(rail_group, router);
}
