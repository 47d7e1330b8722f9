/* Functions of a domain. Every message and timer counts as an event to come (quiescence.c). */
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/measurement/communication_matrix.h"
#include "replay/engine/measurement/origins.h"
#include "replay/engine/state/message.h"
#include "replay/engine/state/quiescence.h"

#include <inttypes.h>
#include <stdarg.h>

struct engine_domain *engine_domain_of_rank(struct replay_engine *engine, uint32_t rank) {
    return &engine->domains[engine->ranks[rank].domain];
}

uint32_t engine_rank_of_member(const struct replay_engine *engine, uint32_t communicator,
                               uint32_t member, uint32_t self) {
    const struct program *program = engine->program;
    const struct program_communicator *entry = &program->communicators[communicator];
    if (member < entry->size) return program_member(program, communicator, member, self);
    return program->communicator_members[entry->remote_members + member - entry->size];
}

void engine_fail(struct engine_domain *domain, status_code code, const char *format, ...) {
    if (domain->failure.code != STATUS_OK) return;
    va_list arguments;
    va_start(arguments, format);
    status_set_v(&domain->failure, code, format, arguments);
    va_end(arguments);
}

void engine_fail_at_limit(struct engine_domain *domain, uint32_t rank, int64_t *clock_ps) {
    engine_fail(domain, STATUS_RUN,
                "replay: rank %u: its clock passes %" PRId64
                " s (26 days); scale its computation down (replay.compute_scale), or lower what "
                "messages cost (mpi.send_overhead and its like)",
                rank, HOST_TIME_LIMIT_PS / INT64_C(1000000000000));
    *clock_ps = HOST_TIME_LIMIT_PS;
}

/* Sends a message that is counted, or that carries its causes. */
HINT_NOINLINE static void send_observed(struct engine_domain *domain, int64_t ready_ps,
                                        const struct network_message *sent) {
    struct network_message message = *sent;
    struct inflight_key key = message_cookie_key(&sent->cookie);
    message_kind kind = message_cookie_kind(&sent->cookie);
    bool back = message_goes_back(kind);
    communication_matrix_count(domain, back ? key.rank : key.source, back ? key.source : key.rank,
                               sent->size_bytes, !message_is_control(kind));
    if (causes_are_kept(domain)) causes_send(domain, ready_ps, &message);
    if (origins_are_kept(domain)) origins_send(domain, sent);
    transport_send(domain->engine->transport, domain->index, ready_ps, &message);
}

/* Counts a message within a node at the rank that sends it, which is on this node, too. */
static void count_in_memory(struct engine_domain *domain, const struct network_message *message) {
    const struct inflight_key key = message_cookie_key(&message->cookie);
    const bool back = message_goes_back(message_cookie_kind(&message->cookie));
    struct engine_rank *rank = &domain->engine->ranks[back ? key.rank : key.source];
    rank->result.memory_bytes += message->size_bytes;
}

void engine_send_message(struct engine_domain *domain, int64_t ready_ps,
                         const struct network_message *message) {
    if (message->source_node == message->destination_node) count_in_memory(domain, message);
    quiescence_expect(domain->engine);
    if (message->notify_sent) quiescence_expect(domain->engine);
    if (engine_is_observed(domain))
        send_observed(domain, ready_ps, message);
    else
        transport_send(domain->engine->transport, domain->index, ready_ps, message);
}

void engine_set_timer(struct engine_domain *domain, int64_t at_ps, uint32_t rank) {
    quiescence_expect(domain->engine);
    transport_set_timer(domain->engine->transport, domain->index, at_ps, rank);
}
