/* Keeps the chain of each rank, activation and message: passes it on when a message is sent, and
 * replaces the chain of a waiting rank or activation by that of the report that ends its wait. */
#include "replay/engine/causes/causes.h"
#include "replay/engine/causes/causes_elsewhere.h"
#include "replay/engine/causes/causes_state.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/state/message.h"

#include "core/memory/memory.h"

#include <string.h>

/* ---------------------------------------------------------------- chains that a domain uses */

/* Replaces the chain of *tip by that of another tip. Both then share it. */
static void share_chain(struct engine_domain *domain, struct chain_tip *tip,
                        struct chain_tip *other) {
    if (tip == other) return;
    chain_drop(tip, causes_heap(domain));
    if (other->chain == NULL || !chain_share(tip, other, causes_rules(domain), causes_heap(domain)))
        causes_out_of_memory(domain);
}

/* Moves a chain to *tip. *from has no chain afterwards. */
static void move_chain(struct engine_domain *domain, struct chain_tip *tip,
                       struct chain_tip *from) {
    chain_drop(tip, causes_heap(domain));
    *tip = *from;
    *from = (struct chain_tip){0};
}

/* Stores the chain of a tip in *chain. Unlike a tip, *chain takes one word and knows no rivals. */
static void store_chain(struct engine_domain *domain, struct chain **chain, struct chain_tip *tip) {
    struct chain_tip old = {.chain = *chain};
    chain_drop(&old, causes_heap(domain));
    *chain = NULL;
    if (tip->chain == NULL || !chain_close(tip, causes_rules(domain), causes_heap(domain))) {
        causes_out_of_memory(domain);
        return;
    }
    *chain = chain_refer(tip->chain, causes_heap(domain));
}

/* Replaces the chain of *tip by a chain that `store_chain` stored. NULL: there was no memory to
 * store it. The bounds of *tip on other chains stay. */
static void restore_chain(struct engine_domain *domain, struct chain_tip *tip, struct chain *stored,
                          int64_t margin_ps) {
    if (stored == NULL) {
        causes_out_of_memory(domain);
        return;
    }
    struct chain *chain = chain_refer(stored, causes_heap(domain));
    chain_drop(tip, causes_heap(domain));
    tip->chain = chain;
    tip->time_ps = chain->time_ps;
    tip->rivals.margin_ps = margin_ps;
}

/* ---------------------------------------------------------------- reports of the transport */

/* Returns the rank at which the current report's message ends. */
static uint32_t reported_rank(const struct causes_domain *own, uint32_t *from_rank) {
    const struct inflight_key key = message_cookie_key(&own->message->cookie);
    bool back = message_goes_back(message_cookie_kind(&own->message->cookie));
    *from_rank = back ? key.rank : key.source;
    return back != own->is_sent ? key.source : key.rank;
}

/* Gives *tip, which has no chain, the chain that led to the current report. The chain is built only
 * when it is needed, since most reports determine no time. share: chain_share or
 * chain_share_and_raise_bounds. */
static void build_report_chain(struct engine_domain *domain, struct chain_tip *tip,
                               bool (*share)(struct chain_tip *, struct chain_tip *,
                                             const struct chain_rules *, struct chain_heap *)) {
    struct causes_domain *own = causes_of_domain(domain);
    struct ticket *ticket = own->ticket;
    if (ticket == NULL || ticket->tip.chain == NULL ||
        !share(tip, &ticket->tip, causes_rules(domain), causes_heap(domain))) {
        causes_out_of_memory(domain);
        return;
    }
    struct chain_message *message =
        chain_message_new(tip, causes_rules(domain), causes_heap(domain));
    if (message == NULL) {
        causes_out_of_memory(domain);
        return;
    }
    message->size_bytes = ticket->size_bytes;
    message->source_node = own->message->source_node;
    message->destination_node = own->message->destination_node;
    message->is_control = own->is_control;
    message->is_sent = own->is_sent;
    const uint32_t rank = reported_rank(own, &message->from_rank);
    transport_fill_parts(domain->engine->transport, domain->index, own->message, own->is_sent,
                         own->now_ps - tip->time_ps, &message->parts);
    chain_add_message(tip, rank, causes_function(domain, rank), message);
}

/* Replaces the chain of *tip by the chain that led to the current report, which is later. */
static void adopt_report(struct engine_domain *domain, struct chain_tip *tip) {
    struct causes_domain *own = causes_of_domain(domain);
    const int64_t margin_ps = own->now_ps - tip->time_ps;
    if (own->report_tip.chain != NULL) {
        chain_drop(tip, causes_heap(domain));
        if (!chain_share_and_raise_bounds(tip, &own->report_tip, causes_rules(domain),
                                          causes_heap(domain)))
            causes_out_of_memory(domain);
    } else {
        chain_drop_late(tip, causes_heap(domain));
        build_report_chain(domain, tip, chain_share_and_raise_bounds);
    }
    chain_limit_margin(tip, margin_ps);
}

/* Raises the bounds of a tip to those of the chains that led to the current report. */
static void raise_to_report(struct engine_domain *domain, struct chain_tip *tip) {
    struct causes_domain *own = causes_of_domain(domain);
    const struct ticket *ticket = own->ticket;
    if (own->report_tip.chain != NULL) {
        chain_raise_bounds(tip, own->report_tip.rivals.bounds);
        return;
    }
    if (ticket == NULL) return; /* out of memory */
    struct chain_rivals rivals = ticket->tip.rivals;
    struct network_time_parts parts;
    transport_fill_path(domain->engine->transport, domain->index, own->message, own->is_sent,
                        own->now_ps - ticket->tip.time_ps, &parts);
    chain_add_to_bounds(rivals.bounds, &parts);
    chain_raise_bounds(tip, rivals.bounds);
}

/* Records that the clock of a waiting owner, the time of *tip, is later than the current report.
 * Reports are taken in by their order, so the order must not change either: the margin is also at
 * most the time since the previous report of this wait, *last_ps. */
static void pass_report(struct engine_domain *domain, struct chain_tip *tip, int64_t *last_ps) {
    const int64_t now_ps = causes_of_domain(domain)->now_ps;
    chain_limit_margin(tip, tip->time_ps - now_ps);
    chain_limit_margin(tip, now_ps - *last_ps);
    *last_ps = now_ps;
    raise_to_report(domain, tip);
}

void causes_timer_expired(struct engine_domain *domain, int64_t now_ps, uint32_t rank) {
    struct causes_domain *own = causes_of_domain(domain);
    causes_fetch_rank(domain, rank);
    causes_fetch_slots(domain, rank);
    own->now_ps = now_ps;
    own->sending = NULL;
}

/* Returns the ticket of a message within this process; NULL: there was no memory for it. */
static struct ticket *ticket_here(struct engine_domain *domain, uint32_t number) {
    if (number != TICKETS_NONE) return ticket_at(&domain->engine->causes->tickets, number);
    causes_out_of_memory(domain);
    return NULL;
}

/* Begins the report of a message, whose cookie has the number of its ticket or note. */
static void begin_report(struct engine_domain *domain, int64_t now_ps,
                         struct network_cookie *cookie, struct ticket *ticket) {
    struct causes_domain *own = causes_of_domain(domain);
    if (ticket == NULL) return; /* out of memory */
    message_kind kind = message_cookie_kind(cookie);
    ticket_fetch(ticket);
    /* An eager message has no handle, and its ticket need not be in the cache yet. */
    message_cookie_set_handle(cookie, kind == MESSAGE_EAGER ? 0 : ticket->handle);
    own->now_ps = now_ps;
    own->sending = NULL;
    own->ticket = ticket;
    own->receive = (struct causes_message){0};
    own->is_control = message_is_control(kind);
    own->arrived_ps = now_ps;
    own->match_margin_ps = INT64_MAX;
}

void causes_delivered(struct engine_domain *domain, int64_t now_ps,
                      struct network_delivery *delivery) {
    const struct replay_engine *engine = domain->engine;
    const struct inflight_key key = message_cookie_key(&delivery->cookie);
    causes_fetch_rank(domain, message_goes_back(message_cookie_kind(&delivery->cookie)) ? key.source
                                                                                        : key.rank);
    uint32_t number = message_cookie_handle(&delivery->cookie);
    struct ticket *ticket = causes_is_elsewhere(engine, delivery->source_node)
                                ? causes_ticket_arrived(domain, delivery->source_node, number)
                                : ticket_here(domain, number);
    begin_report(domain, now_ps, &delivery->cookie, ticket);
    causes_of_domain(domain)->message = delivery;
    causes_of_domain(domain)->is_sent = false;
}

void causes_sent(struct engine_domain *domain, int64_t now_ps, struct network_cookie *cookie) {
    const struct replay_engine *engine = domain->engine;
    uint32_t number = message_cookie_handle(cookie);
    uint32_t node = message_node_of(engine, message_cookie_key(cookie).rank);
    struct ticket *ticket = causes_is_elsewhere(engine, node)
                                ? causes_ticket_departed(domain, number)
                                : ticket_here(domain, number);
    if (ticket == NULL) return;
    begin_report(domain, now_ps, cookie, ticket);
    struct causes_domain *own = causes_of_domain(domain);
    own->is_sent = true;
    own->message = &own->departed;
    own->departed = (struct network_delivery){.source_node = ticket->source_node,
                                              .destination_node = ticket->destination_node,
                                              .size_bytes = ticket->size_bytes,
                                              .zero_load_ps = now_ps,
                                              .cookie = *cookie};
}

/* Records that a report of a ticket's message was handled. */
static void end_report(struct engine_domain *domain, struct ticket *ticket) {
    const bool is_last = atomic_load_explicit(&ticket->readers, memory_order_acquire) == 1;
    if (!is_last && atomic_fetch_sub_explicit(&ticket->readers, 1, memory_order_acq_rel) > 1)
        return;
    chain_drop_late(&ticket->tip, causes_heap(domain));
    ticket_give(&domain->engine->causes->tickets, &causes_of_domain(domain)->tickets, ticket);
}

void causes_end_report(struct engine_domain *domain) {
    struct causes_domain *own = causes_of_domain(domain);
    if (own->report_tip.chain != NULL) chain_drop(&own->report_tip, causes_heap(domain));
    own->sending = NULL;
    /* Most reports do not read their tickets, which have come into the cache by the next report. */
    struct ticket *last = own->last_ticket;
    own->last_ticket = own->ticket;
    own->ticket = NULL;
    if (last != NULL) end_report(domain, last);
}

/* Returns the sending chain (causes.h). */
static struct chain_tip *sending_chain(struct engine_domain *domain) {
    struct causes_domain *own = causes_of_domain(domain);
    if (own->sending != NULL) return own->sending;
    if (own->report_tip.chain == NULL) build_report_chain(domain, &own->report_tip, chain_share);
    return &own->report_tip;
}

/* Attaches the chain of a tip to a message, by a ticket. */
static void send_with(struct engine_domain *domain, struct chain_tip *tip,
                      struct network_message *message) {
    if (causes_is_elsewhere(domain->engine, message->destination_node)) {
        causes_send_elsewhere(domain, tip, message);
        return;
    }
    struct ticket *ticket =
        ticket_take(&domain->engine->causes->tickets, &causes_of_domain(domain)->tickets);
    const uint32_t handle = message_cookie_handle(&message->cookie);
    message_cookie_set_handle(&message->cookie,
                              ticket != NULL ? ticket->ticket_number : TICKETS_NONE);
    if (ticket == NULL) {
        causes_out_of_memory(domain);
        return;
    }
    share_chain(domain, &ticket->tip, tip);
    ticket->handle = handle;
    ticket->source_node = message->source_node;
    ticket->destination_node = message->destination_node;
    ticket->size_bytes = message->size_bytes;
    atomic_store_explicit(&ticket->readers, message->notify_sent ? 2 : 1, memory_order_relaxed);
}

void causes_send(struct engine_domain *domain, int64_t ready_ps, struct network_message *message) {
    struct chain_tip *tip = sending_chain(domain);
    if (tip->time_ps != ready_ps)
        engine_fail(domain, STATUS_RUN,
                    "replay: the explanation of a message from node %u has another time than the "
                    "message (a fault of anax)",
                    message->source_node);
    const int64_t margin_ps = tip->rivals.margin_ps;
    chain_limit_margin(tip, causes_of_domain(domain)->match_margin_ps);
    send_with(domain, tip, message);
    tip->rivals.margin_ps = margin_ps;
    causes_of_domain(domain)->match_margin_ps = INT64_MAX;
}

void causes_send_as_rank(struct engine_domain *domain, uint32_t rank) {
    causes_of_domain(domain)->sending = causes_tip(domain, rank);
}

void causes_send_as_activation(struct engine_domain *domain, uint32_t activation) {
    causes_of_domain(domain)->sending = &causes_activation_at(domain, activation)->tip;
}

/* ---------------------------------------------------------------- waiting */

void causes_rank_waited(struct engine_domain *domain, uint32_t rank) {
    struct causes_rank *of = &domain->engine->causes->ranks[rank];
    of->last_ps = causes_of_domain(domain)->now_ps;
    adopt_report(domain, &of->tip);
}

void causes_activation_waited(struct engine_domain *domain, uint32_t activation) {
    struct causes_activation *of = causes_activation_at(domain, activation);
    of->last_ps = causes_of_domain(domain)->now_ps;
    adopt_report(domain, &of->tip);
}

void causes_rank_passed(struct engine_domain *domain, uint32_t rank) {
    struct causes_rank *of = &domain->engine->causes->ranks[rank];
    pass_report(domain, &of->tip, &of->last_ps);
}

void causes_activation_passed(struct engine_domain *domain, uint32_t activation) {
    struct causes_activation *of = causes_activation_at(domain, activation);
    pass_report(domain, &of->tip, &of->last_ps);
}

void causes_activation_resumed(struct engine_domain *domain, uint32_t activation) {
    uint32_t rank = domain->activations.items[activation].rank;
    share_chain(domain, &causes_activation_at(domain, activation)->tip, causes_tip(domain, rank));
}

static void forget_posted(struct engine_domain *domain, struct causes_posted *posted) {
    struct chain_tip tip = {.chain = posted->chain};
    causes_posted_map_remove(&causes_of_domain(domain)->posted, posted);
    chain_drop(&tip, causes_heap(domain));
}

/* Forgets posted receives whose time has come: the message of such a receive comes after it. */
static void forget_expired(struct engine_domain *domain) {
    struct causes_domain *own = causes_of_domain(domain);
    while (own->expiry_first < own->expiry_count &&
           own->expiries[own->expiry_first].at_ps <= own->now_ps) {
        struct causes_posted *posted =
            causes_posted_map_find(&own->posted, &own->expiries[own->expiry_first++].key);
        if (posted != NULL) forget_posted(domain, posted);
    }
    if (2 * own->expiry_first < own->expiry_count) return;
    own->expiry_count -= own->expiry_first;
    memmove(own->expiries, own->expiries + own->expiry_first,
            own->expiry_count * sizeof *own->expiries);
    own->expiry_first = 0;
}

void causes_record_posted(struct engine_domain *domain, const struct inflight_key *key,
                          int64_t at_ps) {
    struct causes_domain *own = causes_of_domain(domain);
    if (at_ps <= own->now_ps) return;
    if (own->expiry_count > 0) forget_expired(domain);
    void *expiries = own->expiries;
    struct chain_tip *tip = sending_chain(domain);
    struct causes_posted *posted = NULL;
    if (memory_grow(&expiries, &own->expiry_capacity, own->expiry_count + 1, sizeof *own->expiries,
                    NULL) == STATUS_OK &&
        tip->chain != NULL && chain_close(tip, causes_rules(domain), causes_heap(domain)))
        posted = causes_posted_map_add(&own->posted, key);
    own->expiries = expiries;
    if (posted == NULL) {
        causes_out_of_memory(domain);
        return;
    }
    posted->chain = chain_refer(tip->chain, &own->heap);
    posted->margin_ps = tip->rivals.margin_ps;
    own->expiries[own->expiry_count++] = (struct causes_expiry){*key, at_ps};
}

void causes_send_as_poster(struct engine_domain *domain, const struct inflight_key *key) {
    struct causes_domain *own = causes_of_domain(domain);
    struct causes_posted *posted = causes_posted_map_find(&own->posted, key);
    if (posted == NULL) return;
    restore_chain(domain, &own->poster, posted->chain, posted->margin_ps);
    own->poster.rivals = (struct chain_rivals){.margin_ps = posted->margin_ps};
    raise_to_report(domain, &own->poster);
    own->sending = &own->poster;
    forget_posted(domain, posted);
}

void causes_record_unexpected(struct engine_domain *domain, const struct inflight_key *key) {
    struct causes_domain *own = causes_of_domain(domain);
    raise_to_report(domain, causes_tip(domain, key->rank));
    if (own->is_control) return; /* the request knows when it arrived */
    struct causes_early *early = causes_early_map_add(&own->early, key);
    if (early == NULL)
        causes_out_of_memory(domain);
    else
        early->arrived_ps_plus_1 = own->now_ps + 1;
}

void causes_match_unexpected(struct engine_domain *domain, const struct inflight_key *key,
                             int64_t at_ps) {
    struct causes_domain *own = causes_of_domain(domain);
    struct causes_early *early = causes_early_map_find(&own->early, key);
    struct chain_tip *tip = sending_chain(domain), *of_rank = causes_tip(domain, key->rank);
    if (early == NULL) return; /* out of memory */
    own->arrived_ps = early->arrived_ps_plus_1 - 1;
    causes_early_map_remove(&own->early, early);
    if (tip == of_rank) return;
    chain_limit_margin(tip, at_ps - own->arrived_ps);
    chain_raise_bounds(tip, of_rank->rivals.bounds);
}

void causes_record_match_margin(struct engine_domain *domain, uint32_t rank, int64_t margin_ps) {
    chain_raise_bounds(sending_chain(domain), causes_tip(domain, rank)->rivals.bounds);
    causes_of_domain(domain)->match_margin_ps = margin_ps;
}

void causes_mark_order_dependent(struct engine_domain *domain) {
    causes_of_domain(domain)->is_order_dependent = true;
}

/* ---------------------------------------------------------------- slots */

static struct causes_slot *slot_of(const struct engine_domain *domain, uint64_t slot) {
    return &domain->engine->causes->slots[slot];
}

void causes_record_slot_received(struct engine_domain *domain, uint32_t rank, uint32_t number) {
    struct causes_domain *own = causes_of_domain(domain);
    struct causes_slot *of = slot_of(domain, domain->engine->ranks[rank].first_slot + number);
    of->receive = own->receive;
    of->arrived_ps_plus_1 = own->arrived_ps + 1;
    if (own->arrived_ps == own->now_ps) raise_to_report(domain, causes_tip(domain, rank));
}

void causes_record_receive_of_slot(struct engine_domain *domain, uint64_t slot) {
    causes_of_domain(domain)->receive = slot_of(domain, slot)->receive;
}

void causes_record_slot_collective(struct engine_domain *domain, uint32_t rank, uint32_t number) {
    struct chain_tip *finished = &causes_of_domain(domain)->finished;
    struct causes_slot *of = slot_of(domain, domain->engine->ranks[rank].first_slot + number);
    store_chain(domain, &of->chain, finished);
    of->margin_ps = finished->rivals.margin_ps;
    chain_raise_bounds(causes_tip(domain, rank), finished->rivals.bounds);
}

void causes_slot_passed(struct engine_domain *domain, uint32_t rank, uint64_t slot) {
    struct chain_tip *tip = causes_tip(domain, rank);
    struct causes_slot *of = slot_of(domain, slot);
    if (of->arrived_ps_plus_1 > 0)
        chain_limit_margin(tip, tip->time_ps - (of->arrived_ps_plus_1 - 1));
    if (of->chain != NULL) chain_limit_margin(tip, tip->time_ps - of->chain->time_ps);
    of->arrived_ps_plus_1 = 0;
}

void causes_empty_slot(struct engine_domain *domain, uint64_t slot) {
    struct causes_slot *of = slot_of(domain, slot);
    struct chain_tip tip = {.chain = of->chain};
    chain_drop(&tip, causes_heap(domain));
    of->chain = NULL;
    of->arrived_ps_plus_1 = 0;
}

void causes_slot_waited(struct engine_domain *domain, uint32_t rank, uint64_t slot) {
    struct chain_tip *tip = causes_tip(domain, rank);
    const struct causes_slot *of = slot_of(domain, slot);
    const int64_t before_ps = tip->time_ps;
    restore_chain(domain, tip, of->chain, of->margin_ps);
    chain_limit_margin(tip, tip->time_ps - before_ps);
}

/* ---------------------------------------------------------------- collectives */

void causes_begin_collective(struct engine_domain *domain, uint32_t rank) {
    share_chain(domain, &causes_of_domain(domain)->finished, causes_tip(domain, rank));
}

void causes_begin_activation(struct engine_domain *domain, uint32_t activation, uint32_t rank) {
    struct causes_domain *own = causes_of_domain(domain);
    if (activation >= own->activation_count) {
        void *items = own->activations;
        if (memory_grow(&items, &own->activation_capacity, (size_t)activation + 1,
                        sizeof *own->activations, NULL) != STATUS_OK) {
            causes_out_of_memory(domain);
            return;
        }
        own->activations = items;
        while (own->activation_count <= activation)
            own->activations[own->activation_count++] = (struct causes_activation){0};
    }
    struct causes_activation *of = causes_activation_at(domain, activation);
    share_chain(domain, &of->tip, causes_tip(domain, rank));
    of->function = causes_function(domain, rank);
    of->deferred = (struct chain_cost){0};
    of->last_ps = 0;
}

void causes_end_activation(struct engine_domain *domain, uint32_t activation) {
    move_chain(domain, &causes_of_domain(domain)->finished,
               &causes_activation_at(domain, activation)->tip);
}

void causes_adopt_collective(struct engine_domain *domain, uint32_t rank) {
    struct chain_tip *tip = causes_tip(domain, rank),
                     *finished = &causes_of_domain(domain)->finished;
    chain_raise_bounds(finished, tip->rivals.bounds);
    move_chain(domain, tip, finished);
}

void causes_need_collective(struct engine_domain *domain, uint32_t rank, bool has_waited) {
    struct chain_tip *tip = causes_tip(domain, rank),
                     *finished = &causes_of_domain(domain)->finished;
    if (has_waited) {
        chain_limit_margin(finished, finished->time_ps - tip->time_ps);
        causes_adopt_collective(domain, rank);
    } else {
        chain_limit_margin(tip, tip->time_ps - finished->time_ps);
        chain_raise_bounds(tip, finished->rivals.bounds);
    }
}

void causes_keep_detached(struct engine_domain *domain, uint32_t rank) {
    causes_mark_order_dependent(domain);
    store_chain(domain, &domain->engine->causes->ranks[rank].detached,
                &causes_of_domain(domain)->finished);
}

void causes_keep_detached_slot(struct engine_domain *domain, uint32_t rank, uint64_t slot) {
    struct causes_rank *of = &domain->engine->causes->ranks[rank];
    struct chain_tip old = {.chain = of->detached};
    struct chain *stored = slot_of(domain, slot)->chain;
    if (stored == NULL) {
        causes_out_of_memory(domain);
        return;
    }
    causes_mark_order_dependent(domain);
    of->detached = chain_refer(stored, causes_heap(domain));
    chain_drop(&old, causes_heap(domain));
}

void causes_adopt_detached(struct engine_domain *domain, uint32_t rank) {
    restore_chain(domain, causes_tip(domain, rank), domain->engine->causes->ranks[rank].detached,
                  0);
}
