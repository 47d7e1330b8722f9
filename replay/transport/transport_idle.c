/* A network without contention: a heap of events. At one time deliveries and reports of sent
 * messages come before timers, and otherwise in the order of sending. */
#include "replay/transport/transport_idle.h"

#include "core/memory.h"

#include <stdlib.h>

typedef enum idle_kind { IDLE_DELIVERY, IDLE_SENT, IDLE_TIMER } idle_kind;

struct idle_event {
    int64_t time_ps;
    uint64_t sequence;
    uint32_t kind; /* idle_kind */
    uint32_t domain;
    uint32_t rank; /* TIMER */
    struct network_delivery delivery;
};

static bool is_before(const struct idle_event *one, const struct idle_event *other) {
    if (one->time_ps != other->time_ps) return one->time_ps < other->time_ps;
    bool is_timer = one->kind == IDLE_TIMER;
    if (is_timer != (other->kind == IDLE_TIMER)) return !is_timer;
    return one->sequence < other->sequence;
}

static void put(struct transport_idle *idle, struct idle_event *event) {
    void *heap = idle->heap;
    if (memory_grow(&heap, &idle->capacity, idle->count + 1, sizeof *idle->heap, NULL) !=
        STATUS_OK) {
        idle->failed = true;
        return;
    }
    idle->heap = heap;
    event->sequence = idle->sequence++;
    size_t at = idle->count++;
    for (size_t parent; at > 0 && is_before(event, &idle->heap[parent = (at - 1) / 2]); at = parent)
        idle->heap[at] = idle->heap[parent];
    idle->heap[at] = *event;
}

/* Takes the first event out of a heap that is not empty. */
static void take_first(struct transport_idle *idle, struct idle_event *event) {
    *event = idle->heap[0];
    const struct idle_event *last = &idle->heap[--idle->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < idle->count; at = child) {
        child += child + 1 < idle->count && is_before(&idle->heap[child + 1], &idle->heap[child]);
        if (!is_before(&idle->heap[child], last)) break;
        idle->heap[at] = idle->heap[child];
    }
    idle->heap[at] = *last;
}

static int64_t idle_zero_load(const struct transport *transport,
                              const struct network_message *message) {
    const struct network *network = ((const struct transport_idle *)transport)->network;
    return network != NULL ? network_zero_load_ps(network, message) : 0;
}

static void idle_send(struct transport *transport, uint32_t domain, int64_t ready_ps,
                      const struct network_message *message) {
    struct transport_idle *idle = (struct transport_idle *)transport;
    int64_t zero_load_ps = idle_zero_load(transport, message);
    struct idle_event event = {
        .time_ps = ready_ps + zero_load_ps,
        .kind = IDLE_DELIVERY,
        .domain = network_config_domain_of_node(idle->machine, message->destination_node),
        .delivery = {.source_node = message->source_node,
                     .destination_node = message->destination_node,
                     .size_bytes = message->size_bytes,
                     .ready_ps = ready_ps,
                     .zero_load_ps = zero_load_ps,
                     .minimal = true,
                     .cookie = message->cookie}};
    put(idle, &event);
    if (!message->notify_sent) return;
    event.kind = IDLE_SENT;
    event.domain = domain;
    event.time_ps = ready_ps;
    if (idle->network != NULL) event.time_ps += network_idle_sent_ps(idle->network, message);
    put(idle, &event);
}

static void idle_timer(struct transport *transport, uint32_t domain, int64_t at_ps, uint32_t rank) {
    struct idle_event event = {
        .time_ps = at_ps, .kind = IDLE_TIMER, .domain = domain, .rank = rank};
    put((struct transport_idle *)transport, &event);
}

static status_code idle_run(struct transport *transport, const struct network_run_options *options,
                            struct status *status) {
    struct transport_idle *idle = (struct transport_idle *)transport;
    const struct transport_sink *sink = &transport->sink;
    uint64_t handled = 0;
    while (idle->count > 0 && !idle->failed) {
        struct idle_event event;
        take_first(idle, &event);
        RETURN_ERROR_IF(event.time_ps >= NETWORK_TIME_LIMIT_PS, status, STATUS_RUN,
                        "replay: an event on an idle network is beyond 26 days");
        if ((++handled & 0xffff) == 0 && options->progress != NULL &&
            !options->progress(options->progress_context, event.time_ps, handled))
            return status_set(status, STATUS_RUN, "stopped");
        switch ((idle_kind)event.kind) {
        case IDLE_DELIVERY:
            sink->delivered(sink->context, event.domain, event.time_ps, &event.delivery);
            break;
        case IDLE_SENT:
            sink->sent(sink->context, event.domain, event.time_ps, &event.delivery.cookie);
            break;
        case IDLE_TIMER:
            sink->timer(sink->context, event.domain, event.time_ps, event.rank);
        }
    }
    RETURN_ERROR_IF(idle->failed, status, STATUS_MEMORY, "out of memory for messages in flight");
    return STATUS_OK;
}

static uint64_t idle_digest(const struct transport *transport) {
    (void)transport;
    return 0;
}

static const struct transport_functions idle_functions = {
    .send = idle_send,
    .timer = idle_timer,
    .zero_load_ps = idle_zero_load,
    .run = idle_run,
    .digest = idle_digest,
};

void transport_idle_init(struct transport_idle *idle, const struct network_config *machine,
                         const struct network *network) {
    *idle = (struct transport_idle){
        .transport = {.functions = &idle_functions}, .machine = machine, .network = network};
}

void transport_idle_clear(struct transport_idle *idle) {
    free(idle->heap);
    *idle = (struct transport_idle){0};
}
