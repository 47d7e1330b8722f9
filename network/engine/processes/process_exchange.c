/* A block has pieces, each with a head: the notes of the network's user, and the content of each
 * mailbox. What a process tells all others, the summary of the exchange, is not in the block. */
#include "network/engine/processes/process_exchange.h"

#include "network/engine/exchange/distribution.h"
#include "network/engine/exchange/group_exchange.h"
#include "network/engine/network_checkpoint.h"

/* What a process tells all others after a window. */
struct window_summary {
    struct windows_meeting meeting;
    struct network_tally tally;
    uint64_t checkpoint_requests; /* for network_checkpoint.c */
};
static_assert(sizeof(struct window_summary) <= PROCESSES_SUMMARY_BYTES,
              "it fits into a summary of processes");

struct piece_head {
    uint64_t bytes;
    int64_t earliest_ps; /* of a mailbox */
    uint32_t group;      /* of a mailbox; NETWORK_NONE: the piece has notes */
    uint32_t unused;
};

static void pack_box(void *context, uint32_t group, const struct network_mailbox *box) {
    struct network *network = context;
    struct processes_packing *block =
        &network->distribution.outgoing[distribution_process_of(network, group)];
    const struct piece_head head = {
        .bytes = box->used, .earliest_ps = box->earliest_ps, .group = group};
    processes_pack(block, &head, sizeof head);
    processes_pack(block, box->crossing_events, box->used);
}

/* Begins the block for another process with the notes for it, if there are any. */
static void pack_notes(struct network *network, unsigned process) {
    const struct network_run_options *options = network->run.options;
    struct processes_packing *block = &network->distribution.outgoing[process];
    processes_pack_reset(block);
    if (options->pack_notes == NULL || process == network->distribution.process) return;
    struct processes_packing notes = {0};
    options->pack_notes(options->notes_context, process, &notes);
    const struct processes_unpacking packed = processes_view(&notes);
    block->out_of_memory |= notes.out_of_memory;
    if (packed.bytes > 0) {
        const struct piece_head head = {.bytes = packed.bytes, .group = NETWORK_NONE};
        processes_pack(block, &head, sizeof head);
        processes_pack(block, packed.data, packed.bytes);
    }
    processes_pack_free(&notes);
}

static void note_box(void *context, uint32_t group, const struct network_mailbox *box) {
    struct network *network = context;
    (void)box;
    network->distribution.has_block[distribution_process_of(network, group)] = true;
}

/* Adds the summary of another process: the function of a processes_summary. */
static void add_window_summary(void *sum, const void *part) {
    struct window_summary *all = sum;
    const struct window_summary *other = part;
    const bool is_stopped =
        all->meeting.first_ps == WINDOWS_STOP || other->meeting.first_ps == WINDOWS_STOP;
    windows_meeting_add(&all->meeting, &other->meeting);
    if (is_stopped) all->meeting.first_ps = WINDOWS_STOP;
    all->checkpoint_requests |= other->checkpoint_requests;
    all->tally.count += other->tally.count;
    if (other->tally.latest_ps > all->tally.latest_ps)
        all->tally.latest_ps = other->tally.latest_ps;
}

/* Tells all other processes the summary of the window, sends them their blocks, and receives
 * theirs. Blocks are packed while the summary is on its way. */
static status_code exchange_all(struct network *network, struct window_summary *all,
                                uint64_t window) {
    struct network_process_state *share = &network->distribution;
    const struct processes_summary summary = {all, sizeof *all, add_window_summary};
    for (unsigned i = 0; i < processes_count(share->processes); i++) {
        pack_notes(network, i);
        share->has_block[i] = share->outgoing[i].bytes > 0;
    }
    exchange_visit_departing(network, window, note_box, network);
    processes_exchange_begin(share->processes, PROCESSES_WINDOW, &summary, share->has_block);
    exchange_visit_departing(network, window, pack_box, network);
    return processes_exchange_end(share->processes, share->outgoing, share->arrived,
                                  &network->run.stop_status);
}

/* Reads the block of another process. */
static void unpack_block(struct network *network, struct processes_unpacking *block,
                         struct windows *windows, uint64_t window) {
    const struct network_run_options *options = network->run.options;
    for (const struct piece_head *head; (head = processes_unpack(block, sizeof *head)) != NULL;) {
        const void *data = processes_unpack(block, head->bytes);
        if (data == NULL) return;
        if (head->group == NETWORK_NONE) {
            options->take_notes(options->notes_context,
                                (struct processes_unpacking){data, head->bytes});
            continue;
        }
        exchange_arrive(network, head->group, data, head->bytes, window);
        windows_record_arrived(windows, head->group, head->earliest_ps);
    }
}

void process_exchange_meet(void *context, struct windows *windows, uint64_t window,
                           struct windows_meeting *meeting) {
    struct network *network = context;
    const struct network_run_options *options = network->run.options;
    struct window_summary all = {.meeting = *meeting,
                                 .checkpoint_requests = network_checkpoint_requests(network)};
    if (options->give_tally != NULL) options->give_tally(options->tally_context, &all.tally);
    if (exchange_all(network, &all, window) != STATUS_OK) {
        meeting->first_ps = WINDOWS_STOP;
        return;
    }
    for (unsigned i = 0; i < processes_count(network->distribution.processes); i++)
        if (i != network->distribution.process)
            unpack_block(network, &network->distribution.arrived[i], windows, window);
    if (options->take_tally != NULL) options->take_tally(options->tally_context, &all.tally);
    network->run.checkpoint_requests = (unsigned)all.checkpoint_requests;
    *meeting = all.meeting;
}
