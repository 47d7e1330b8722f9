/*
 * Packs the chains of messages to other processes into notes, and makes tickets of the notes that
 * arrive. At the end, collects in process 0 the steps of the critical paths that other processes
 * have kept.
 */
#include "replay/engine/causes/causes_elsewhere.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/state/message.h"

#include "core/memory/memory.h"

#include <stdlib.h>

#define NUMBER_NONE 0u /* no note has this number */

struct note {
    uint64_t size_bytes;
    uint32_t domain; /* to which the message goes */
    uint32_t source_domain;
    uint32_t note_number;
    uint32_t handle;
    uint32_t source_node;
    uint32_t destination_node;
    uint64_t held_number; /* number of the chain among those that the source domain keeps */
};

/* A chain in a note. Its sums and then its steps follow. */
struct note_chain {
    int64_t time_ps;
    uint64_t step_count;
    struct chain_rivals rivals;
};

/* ---------------------------------------------------------------- chains on their way */

static bool keeps_all(const struct replay_engine *engine) {
    return engine->causes->rules.base_steps == CHAIN_ALL_STEPS;
}

/* Packs a chain: its sums, and its latest steps unless this process keeps all steps. */
static void pack_chain(struct processes_packing *packing, const struct chain *chain,
                       const struct chain_rivals *rivals, const struct chain_rules *rules) {
    const bool all = rules->base_steps == CHAIN_ALL_STEPS;
    const struct note_chain head = {chain->time_ps, all ? 0 : chain_steps(chain, rules, 0, NULL),
                                    *rivals};
    processes_pack(packing, &head, sizeof head);
    int64_t *values = processes_pack_room(packing, rules->value_count * sizeof *values);
    if (values != NULL) chain_values(chain, rules, values);
    struct chain_step *steps = processes_pack_room(packing, head.step_count * sizeof *steps);
    if (steps != NULL && head.step_count > 0) chain_steps(chain, rules, head.step_count, steps);
}

/* Unpacks the next chain of a block into *tip. Returns false if the block ends or memory runs out.
 */
static bool take_chain(struct processes_unpacking *block, const struct chain_rules *rules,
                       struct chain_heap *heap, struct chain_place place, struct chain_tip *tip) {
    const struct note_chain *head = processes_unpack(block, sizeof *head);
    if (head == NULL) return false;
    const int64_t *values = processes_unpack(block, rules->value_count * sizeof *values);
    const struct chain_step *steps = processes_unpack(block, head->step_count * sizeof *steps);
    return values != NULL && steps != NULL &&
           chain_resume(tip, rules, heap, head->time_ps, values, head->step_count, steps,
                        &head->rivals, place);
}

/* ---------------------------------------------------------------- notes */

bool causes_notes_new(struct replay_engine *engine) {
    const unsigned processes = processes_count(engine->transport->processes);
    if (processes == 1) return true;
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        struct causes_domain *own = &engine->causes->domains[i];
        own->notes = memory_new(processes, sizeof *own->notes);
        if (own->notes == NULL) return false;
    }
    return true;
}

void causes_notes_free(struct causes_domain *domain, unsigned processes) {
    for (unsigned i = 0; domain->notes != NULL && i < processes; i++)
        processes_pack_free(&domain->notes[i]);
    free(domain->notes);
    causes_note_ticket_map_clear(&domain->arriving);
    causes_note_ticket_map_clear(&domain->departing);
}

static uint32_t domain_of_node(const struct replay_engine *engine, uint32_t node) {
    return network_config_domain_of_node(engine->network_config, node);
}

/* Stores a ticket under a key. Returns false if `ticket` is NULL or memory runs out. */
static bool store_ticket(struct causes_note_ticket_map *map, uint64_t key, struct ticket *ticket) {
    struct causes_note_ticket *noted =
        ticket != NULL ? causes_note_ticket_map_add(map, &key) : NULL;
    if (noted != NULL) noted->ticket = ticket;
    return noted != NULL;
}

/* Returns a stored ticket and removes its entry. A missing one was lost when memory ran out. */
static struct ticket *take_stored(struct engine_domain *domain, struct causes_note_ticket_map *map,
                                  uint64_t key) {
    struct causes_note_ticket *noted = causes_note_ticket_map_find(map, &key);
    if (noted == NULL) {
        causes_out_of_memory(domain);
        return NULL;
    }
    struct ticket *ticket = noted->ticket;
    causes_note_ticket_map_remove(map, noted);
    return ticket;
}

/* Keeps a chain, whose steps causes_gather may need. Returns false if out of memory. */
static bool keep_chain(struct causes_domain *own, struct chain *chain) {
    void *array = own->held;
    if (memory_grow(&array, &own->held_capacity, own->held_count + 1, sizeof *own->held, NULL) !=
        STATUS_OK)
        return false;
    own->held = array;
    own->held[own->held_count++] = chain_refer(chain, &own->heap);
    return true;
}

void causes_send_elsewhere(struct engine_domain *domain, struct chain_tip *tip,
                           struct network_message *message) {
    struct replay_engine *engine = domain->engine;
    struct causes *causes = engine->causes;
    struct causes_domain *own = causes_of_domain(domain);
    const uint32_t handle = message_cookie_handle(&message->cookie);
    message_cookie_set_handle(&message->cookie, NUMBER_NONE);
    if (!chain_close(tip, &causes->rules, &own->heap) ||
        (keeps_all(engine) && !keep_chain(own, tip->chain))) {
        causes_out_of_memory(domain);
        return;
    }
    if (++own->last_number == NUMBER_NONE) own->last_number++;
    const struct note note = {.size_bytes = message->size_bytes,
                              .domain = domain_of_node(engine, message->destination_node),
                              .source_domain = domain->index,
                              .note_number = own->last_number,
                              .handle = handle,
                              .source_node = message->source_node,
                              .destination_node = message->destination_node,
                              .held_number = own->held_count - keeps_all(engine)};
    struct processes_packing *notes =
        &own->notes[transport_process_of(engine->transport, note.domain)];
    processes_pack(notes, &note, sizeof note);
    pack_chain(notes, tip->chain, &tip->rivals, &causes->rules);
    if (notes->out_of_memory) causes_out_of_memory(domain);
    message_cookie_set_handle(&message->cookie, note.note_number);
    if (!message->notify_sent) return;
    struct ticket *ticket = ticket_take(&causes->tickets, &own->tickets);
    if (!store_ticket(&own->departing, note.note_number, ticket) ||
        !chain_share(&ticket->tip, tip, &causes->rules, &own->heap)) {
        causes_out_of_memory(domain);
        return;
    }
    ticket->handle = note.handle;
    ticket->source_node = note.source_node;
    ticket->destination_node = note.destination_node;
    ticket->size_bytes = note.size_bytes;
    atomic_store_explicit(&ticket->readers, 1, memory_order_relaxed);
}

struct ticket *causes_ticket_arrived(struct engine_domain *domain, uint32_t source_node,
                                     uint32_t number) {
    uint64_t source = domain_of_node(domain->engine, source_node);
    return take_stored(domain, &causes_of_domain(domain)->arriving, source << 32 | number);
}

struct ticket *causes_ticket_departed(struct engine_domain *domain, uint32_t number) {
    return take_stored(domain, &causes_of_domain(domain)->departing, number);
}

void causes_pack_notes(void *context, unsigned process, struct processes_packing *packing) {
    const struct replay_engine *engine = context;
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        struct processes_packing *notes = &engine->causes->domains[i].notes[process];
        const struct processes_unpacking view = processes_view(notes);
        packing->out_of_memory |= notes->out_of_memory;
        if (view.bytes > 0) processes_pack(packing, view.data, view.bytes);
        processes_pack_reset(notes);
    }
}

/* Turns a note into a ticket for its message, which is still to arrive. */
static void take_note(struct replay_engine *engine, const struct note *note,
                      struct processes_unpacking *notes) {
    struct engine_domain *domain = &engine->domains[note->domain];
    struct causes *causes = engine->causes;
    struct causes_domain *own = causes_of_domain(domain);
    struct ticket *ticket = ticket_take(&causes->tickets, &own->tickets);
    struct chain_tip tip = {0};
    const struct chain_place place = {note->held_number,
                                      keeps_all(engine) ? note->source_domain : CHAIN_NO_PLACE};
    bool taken = take_chain(notes, &causes->rules, &own->heap, place, &tip);
    if (!taken || !store_ticket(&own->arriving,
                                (uint64_t)note->source_domain << 32 | note->note_number, ticket)) {
        chain_drop(&tip, &own->heap);
        causes_out_of_memory(domain);
        return;
    }
    ticket->tip = tip;
    ticket->handle = note->handle;
    ticket->source_node = note->source_node;
    ticket->destination_node = note->destination_node;
    ticket->size_bytes = note->size_bytes;
    atomic_store_explicit(&ticket->readers, 1, memory_order_relaxed);
}

void causes_take_notes(void *context, struct processes_unpacking notes) {
    for (const struct note *note; (note = processes_unpack(&notes, sizeof *note)) != NULL;)
        take_note(context, note, &notes);
}

/* ---------------------------------------------------------------- the end */

/* Returns the rank of this process that ends last among the ranks from `first` to end - 1, the
 * lowest of several; PROGRAM_NONE: none of them is in this process. */
static uint32_t last_here(const struct replay_engine *engine, uint32_t first, uint32_t end) {
    uint32_t last = PROGRAM_NONE;
    for (uint32_t rank = first; rank < end; rank++)
        if (transport_is_here(engine->transport, engine->ranks[rank].domain) &&
            (last == PROGRAM_NONE ||
             engine->ranks[rank].result.time_ps > engine->ranks[last].result.time_ps))
            last = rank;
    return last;
}

/* Packs the chain of the last rank of each job that this process has. Returns false if out of
 * memory. */
static bool pack_last(struct processes_packing *packing, const struct replay_engine *engine,
                      const uint32_t *ends, uint32_t count) {
    const struct causes *causes = engine->causes;
    uint64_t is_order_dependent = 0;
    for (uint32_t i = 0; i < engine->domain_count; i++)
        is_order_dependent |= causes->domains[i].is_order_dependent;
    processes_pack(packing, &is_order_dependent, sizeof is_order_dependent);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = i > 0 ? ends[i - 1] : 0;
        const uint64_t rank = last_here(engine, first, ends[i]);
        processes_pack(packing, &rank, sizeof rank);
        if (rank == PROGRAM_NONE) continue;
        const struct chain *chain = causes_chain_of_rank(engine, (uint32_t)rank);
        if (chain == NULL) return false;
        struct chain_tip tip = {.rivals = causes->ranks[rank].tip.rivals};
        for (uint32_t other = first; other < ends[i]; other++)
            chain_raise_bounds(&tip, causes->ranks[other].tip.rivals.bounds);
        pack_chain(packing, chain, &tip.rivals, &causes->rules);
    }
    return true;
}

/* Unpacks what pack_last has packed into the ranks of this engine. */
static bool take_last(struct processes_unpacking *block, const struct replay_engine *engine,
                      uint32_t count) {
    struct chain_heap heap = {.store = &engine->causes->store};
    const uint64_t *is_order_dependent = processes_unpack(block, sizeof *is_order_dependent);
    bool taken = is_order_dependent != NULL;
    if (taken && *is_order_dependent) engine->causes->domains[0].is_order_dependent = true;
    for (uint32_t i = 0; taken && i < count; i++) {
        const uint64_t *rank = processes_unpack(block, sizeof *rank);
        taken = rank != NULL;
        if (!taken || *rank == PROGRAM_NONE) continue;
        struct chain_tip *tip = &engine->causes->ranks[*rank].tip;
        chain_drop(tip, &heap);
        taken = take_chain(block, &engine->causes->rules, &heap,
                           (struct chain_place){.domain = CHAIN_NO_PLACE}, tip);
    }
    return taken;
}

static status_code gather_sums(struct replay_engine *engine, const uint32_t *ends, uint32_t count,
                               struct status *status) {
    struct processes *processes = engine->transport->processes;
    struct processes_packing own = {0};
    struct processes_unpacking *blocks = NULL;
    const bool is_first = processes_number(processes) == 0;
    if (!is_first && !pack_last(&own, engine, ends, count)) own.out_of_memory = true;
    status_code code = processes_gather(processes, &own, &blocks, status);
    for (unsigned i = 1; code == STATUS_OK && is_first && i < processes_count(processes); i++)
        if (!take_last(&blocks[i], engine, count))
            code = status_set(status, STATUS_MEMORY, "out of memory for the critical path");
    processes_pack_free(&own);
    free(blocks);
    return code;
}

/* ---------------------------------------------------------------- all steps of a path */

/* The steps of a path that process 0 has collected, the latest first. */
struct collected {
    struct chain_step *steps;
    size_t count;
    size_t capacity;
};

/* Where the next earlier part of a path is. */
struct part {
    struct chain_place place;
    bool is_end; /* this part is the end of the path: the chain of its rank, in domain place.domain
                  */
};

/* Adds the steps of a block before those collected so far. Returns false if out of memory. */
static bool collect_steps(struct collected *collected, struct processes_unpacking *block) {
    const uint64_t *count = processes_unpack(block, sizeof *count);
    const struct chain_step *steps =
        count != NULL ? processes_unpack(block, *count * sizeof *steps) : NULL;
    void *array = collected->steps;
    if (steps == NULL || memory_grow(&array, &collected->capacity, collected->count + *count,
                                     sizeof *steps, NULL) != STATUS_OK)
        return false;
    collected->steps = array;
    for (uint64_t i = *count; i-- > 0;) {
        struct chain_step *next =
            collected->count > 0 ? &collected->steps[collected->count - 1] : NULL;
        if (next != NULL && chain_is_one_step(&steps[i], next))
            next->from_ps = steps[i].from_ps;
        else
            collected->steps[collected->count++] = steps[i];
    }
    return true;
}

/* Packs the steps of a part of a path that this process has, and sets *part to the one before it.
 */
static void pack_part(struct processes_packing *packing, const struct replay_engine *engine,
                      uint32_t rank, struct part *part) {
    const struct chain *chain =
        part->is_end ? causes_chain_of_rank(engine, rank)
                     : engine->causes->domains[part->place.domain].held[part->place.chain];
    const struct chain_rules *rules = &engine->causes->rules;
    packing->out_of_memory |= chain == NULL;
    if (chain == NULL) return;
    const uint64_t count = chain_steps(chain, rules, 0, NULL);
    processes_pack(packing, &count, sizeof count);
    struct chain_step *steps = processes_pack_room(packing, count * sizeof *steps);
    if (steps != NULL && count > 0) chain_steps(chain, rules, count, steps);
    *part = (struct part){.place = chain_earlier_place(chain)};
}

/* Brings the steps of one part to process 0, and tells all processes where the part before it is.
 * sent: a block for each process. */
static status_code bring_part(struct collected *collected, const struct replay_engine *engine,
                              uint32_t rank, struct part *part, struct processes_packing *sent,
                              struct processes_unpacking *received, struct status *status) {
    struct processes *processes = engine->transport->processes;
    const unsigned here = processes_number(processes);
    const unsigned holder = transport_process_of(engine->transport, part->place.domain);
    for (unsigned i = 0; i < processes_count(processes); i++)
        processes_pack_reset(&sent[i]);
    if (here == holder) {
        struct processes_packing steps = {0};
        pack_part(&steps, engine, rank, part);
        const struct processes_unpacking view = processes_view(&steps);
        for (unsigned i = 0; i < processes_count(processes); i++) {
            processes_pack(&sent[i], part, sizeof *part);
            if (i == 0 && view.bytes > 0) processes_pack(&sent[i], view.data, view.bytes);
            sent[i].out_of_memory |= steps.out_of_memory;
        }
        processes_pack_free(&steps);
    }
    FORWARD_IF_ERROR(processes_exchange(processes, PROCESSES_RESULT, sent, received, status));
    struct processes_unpacking block = here == holder ? processes_view(&sent[0]) : received[holder];
    const struct part *before = processes_unpack(&block, sizeof *before);
    RETURN_ERROR_IF(before == NULL || (here == 0 && !collect_steps(collected, &block)), status,
                    STATUS_MEMORY, "out of memory for the critical path");
    *part = *before;
    return STATUS_OK;
}

/* Process 0: gives the chain of a rank all its steps. */
static bool take_steps(struct replay_engine *engine, uint32_t rank, struct collected *collected) {
    const struct chain_rules *rules = &engine->causes->rules;
    const struct chain *chain = causes_chain_of_rank(engine, rank);
    int64_t *values = memory_new(rules->value_count, sizeof *values);
    struct chain_tip *tip = &engine->causes->ranks[rank].tip, whole = {0};
    struct chain_heap heap = {.store = &engine->causes->store};
    bool taken = chain != NULL && values != NULL;
    for (size_t i = 0, j = collected->count; taken && i + 1 < j; i++) {
        const struct chain_step step = collected->steps[i];
        collected->steps[i] = collected->steps[--j];
        collected->steps[j] = step;
    }
    if (taken) {
        chain_values(chain, rules, values);
        taken = chain_resume(&whole, rules, &heap, chain->time_ps, values, collected->count,
                             collected->steps, &tip->rivals,
                             (struct chain_place){.domain = CHAIN_NO_PLACE});
    }
    if (taken) {
        chain_drop(tip, &heap);
        *tip = whole;
    }
    free(values);
    return taken;
}

/* Gives process 0 all steps of the path that ends at a rank, part by part from its end. */
static status_code gather_steps(struct replay_engine *engine, uint32_t rank,
                                struct status *status) {
    struct processes *processes = engine->transport->processes;
    const unsigned count = processes_count(processes);
    struct collected collected = {0};
    struct part part = {.place = {.domain = engine->ranks[rank].domain}, .is_end = true};
    struct processes_packing *sent = memory_new(count, sizeof *sent);
    struct processes_unpacking *received = memory_new(count, sizeof *received);
    status_code code =
        sent != NULL && received != NULL
            ? STATUS_OK
            : status_set(status, STATUS_MEMORY, "out of memory for the critical path");
    while (code == STATUS_OK && part.place.domain != CHAIN_NO_PLACE)
        code = bring_part(&collected, engine, rank, &part, sent, received, status);
    if (code == STATUS_OK && processes_number(processes) == 0 &&
        !take_steps(engine, rank, &collected))
        code = status_set(status, STATUS_MEMORY, "out of memory for the critical path");
    for (unsigned i = 0; sent != NULL && i < count; i++)
        processes_pack_free(&sent[i]);
    free(sent);
    free(received);
    free(collected.steps);
    return code;
}

status_code causes_gather(struct replay_engine *engine, const uint32_t *ends, uint32_t count,
                          struct status *status) {
    if (engine->transport->processes == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(gather_sums(engine, ends, count, status));
    for (uint32_t i = 0; keeps_all(engine) && i < count; i++) {
        const uint32_t first = i > 0 ? ends[i - 1] : 0;
        uint32_t rank = causes_last_rank(engine, first, ends[i] - first);
        FORWARD_IF_ERROR(
            processes_broadcast(engine->transport->processes, &rank, sizeof rank, status));
        FORWARD_IF_ERROR(gather_steps(engine, rank, status));
    }
    return STATUS_OK;
}
