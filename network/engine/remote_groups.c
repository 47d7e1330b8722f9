/* A block has a head, the notes of the network's user, and then for each mailbox a head of its own
 * and the content of the mailbox. */
#include "network/engine/remote_groups.h"

#include "network/engine/distribution.h"
#include "network/engine/exchange.h"
#include "network/engine/network_checkpoint.h"

struct block_head {
    struct windows_meeting meeting;
    struct network_tally tally;
    uint64_t wishes;     /* for network_checkpoint.c */
    uint64_t note_bytes; /* of the notes that follow */
};

struct box_head {
    uint64_t bytes;
    int64_t earliest_ps;
    uint32_t group;
    uint32_t unused;
};

static void pack_box(void *context, uint32_t group, const struct network_mailbox *box) {
    struct network *network = context;
    struct processes_packing *block =
        &network->distribution.outgoing[distribution_process_of(network, group)];
    const struct box_head head = {
        .bytes = box->used, .earliest_ps = box->earliest_ps, .group = group};
    processes_pack(block, &head, sizeof head);
    processes_pack(block, box->remote_events, box->used);
}

/* Packs the head and the notes for another process. */
static void pack_head(struct network *network, unsigned process, struct block_head head) {
    const struct network_run_options *options = network->run.options;
    struct processes_packing *block = &network->distribution.outgoing[process];
    if (options->pack_notes == NULL) {
        processes_pack(block, &head, sizeof head);
        return;
    }
    struct processes_packing notes = {0};
    options->pack_notes(options->notes_context, process, &notes);
    const struct processes_unpacking packed = processes_view(&notes);
    block->is_full |= notes.is_full;
    head.note_bytes = packed.bytes;
    processes_pack(block, &head, sizeof head);
    processes_pack(block, packed.data, packed.bytes);
    processes_pack_free(&notes);
}

static void pack_all(struct network *network, const struct block_head *head, uint64_t window) {
    for (unsigned i = 0; i < processes_count(network->distribution.processes); i++) {
        processes_pack_reset(&network->distribution.outgoing[i]);
        if (i != network->distribution.process) pack_head(network, i, *head);
    }
    exchange_visit_departing(network, window, pack_box, network);
}

/* Reads the block of another process. */
static void unpack_block(struct network *network, struct processes_unpacking *block,
                         struct windows *windows, uint64_t window, struct block_head *all) {
    const struct block_head *head = processes_unpack(block, sizeof *head);
    if (head == NULL) return;
    bool is_stopped = all->meeting.first_ps == WINDOWS_STOP;
    windows_meeting_add(&all->meeting, &head->meeting);
    if (is_stopped || head->meeting.first_ps == WINDOWS_STOP) all->meeting.first_ps = WINDOWS_STOP;
    all->wishes |= head->wishes;
    all->tally.count += head->tally.count;
    if (head->tally.latest_ps > all->tally.latest_ps) all->tally.latest_ps = head->tally.latest_ps;
    const void *notes = processes_unpack(block, head->note_bytes);
    if (notes == NULL) return;
    const struct network_run_options *options = network->run.options;
    if (head->note_bytes > 0)
        options->take_notes(options->notes_context,
                            (struct processes_unpacking){notes, head->note_bytes});
    for (const struct box_head *box; (box = processes_unpack(block, sizeof *box)) != NULL;) {
        const void *remote_events = processes_unpack(block, box->bytes);
        if (remote_events == NULL) return;
        exchange_arrive(network, box->group, remote_events, box->bytes, window);
        windows_arrived(windows, box->group, box->earliest_ps);
    }
}

void remote_groups_meet(void *context, struct windows *windows, uint64_t window,
                        struct windows_meeting *meeting) {
    struct network *network = context;
    const struct network_run_options *options = network->run.options;
    struct block_head all = {.meeting = *meeting, .wishes = network_wishes(network)};
    if (options->give_tally != NULL) options->give_tally(options->tally_context, &all.tally);
    const struct block_head own = all;
    pack_all(network, &own, window);
    if (processes_exchange(network->distribution.processes, PROCESSES_WINDOW,
                           network->distribution.outgoing, network->distribution.arrived,
                           &network->run.stop_status) != STATUS_OK) {
        meeting->first_ps = WINDOWS_STOP;
        return;
    }
    for (unsigned i = 0; i < processes_count(network->distribution.processes); i++)
        if (i != network->distribution.process)
            unpack_block(network, &network->distribution.arrived[i], windows, window, &all);
    if (options->take_tally != NULL) options->take_tally(options->tally_context, &all.tally);
    network->run.wishes = (unsigned)all.wishes;
    *meeting = all.meeting;
}
