/* Packs remote events into parcels, and leaves what arrives in the mailboxes of the threads whose
 * groups it is for. Packets and answers travel with the packet, and first packets with the record
 * of their message; credits are short. */
#include "network/engine/parcels.h"

#include "core/windows.h"
#include "network/engine/exchange.h"
#include "network/engine/parts.h"

struct parcel_head {
    int64_t earliest_ps;
    struct network_news news;
};

struct parcel_event {
    int64_t time_ps;
    uint32_t domain;
    uint32_t port_vc;
    uint32_t bytes;
    uint32_t kind;
};

static void pack_event(struct processes_packing *parcel,
                       const struct network_remote_event *remote_event) {
    const struct parcel_event event = {remote_event->time_ps, remote_event->domain,
                                       remote_event->port_vc, remote_event->bytes,
                                       (uint32_t)remote_event->kind};
    processes_pack(parcel, &event, sizeof event);
    if (remote_event->kind == NETWORK_REMOTE_CREDIT) return;
    processes_pack(parcel, &remote_event->packet, sizeof remote_event->packet);
    if (remote_event->kind == NETWORK_REMOTE_PACKET && remote_event->packet.message != NETWORK_NONE)
        processes_pack(parcel, &remote_event->message, sizeof remote_event->message);
}

/* Reads the next event of a parcel. Returns false at its end. */
static bool unpack_event(struct network_remote_event *remote_event,
                         struct processes_parcel_view *parcel) {
    const struct parcel_event *event = processes_unpack(parcel, sizeof *event);
    if (event == NULL) return false;
    remote_event->time_ps = event->time_ps;
    remote_event->domain = event->domain;
    remote_event->port_vc = event->port_vc;
    remote_event->bytes = event->bytes;
    remote_event->kind = (network_remote_kind)event->kind;
    if (remote_event->kind == NETWORK_REMOTE_CREDIT) return true;
    const struct network_packet *packet = processes_unpack(parcel, sizeof *packet);
    if (packet == NULL) return false;
    remote_event->packet = *packet;
    if (remote_event->kind != NETWORK_REMOTE_PACKET || packet->message == NETWORK_NONE) return true;
    const struct network_message_record *message = processes_unpack(parcel, sizeof *message);
    if (message == NULL) return false;
    remote_event->message = *message;
    return true;
}

static void pack_all(struct network *network, const struct parcel_head *head, uint64_t window) {
    for (unsigned process = 0; process < processes_count(network->processes); process++) {
        struct processes_packing *parcel = &network->parcels[process];
        processes_pack_again(parcel);
        if (process == network->process) continue;
        processes_pack(parcel, head, sizeof *head);
        for (unsigned thread = 0; thread < network->threads; thread++) {
            struct network_outbox *box = exchange_outbox(network, thread, process, window);
            for (size_t i = 0; i < box->count; i++)
                pack_event(parcel, &box->events_out[i]);
            exchange_empty(box);
        }
    }
}

static void add_head(struct parcel_head *all, const struct parcel_head *one) {
    if (one->earliest_ps < all->earliest_ps) all->earliest_ps = one->earliest_ps;
    all->news.count += one->news.count;
    if (one->news.latest_ps > all->news.latest_ps) all->news.latest_ps = one->news.latest_ps;
}

int64_t parcels_exchange(struct network *network, int64_t earliest_ps, uint64_t window) {
    struct parcel_head all = {.earliest_ps = earliest_ps};
    struct network_remote_event remote_event;
    if (network->tell != NULL) network->tell(network->news_context, &all.news);
    const struct parcel_head own = all;
    pack_all(network, &own, window);
    if (processes_exchange(network->processes, PROCESSES_WINDOW, network->parcels, network->arrived,
                           &network->parted) != STATUS_OK)
        return WINDOWS_STOP;
    for (unsigned process = 0; process < processes_count(network->processes); process++) {
        struct processes_parcel_view *parcel = &network->arrived[process];
        if (process == network->process) continue;
        const struct parcel_head *head = processes_unpack(parcel, sizeof *head);
        if (head != NULL) add_head(&all, head);
        while (unpack_event(&remote_event, parcel))
            exchange_arrived(network, &remote_event, window);
    }
    if (network->told != NULL) network->told(network->news_context, &all.news);
    return all.earliest_ps;
}
