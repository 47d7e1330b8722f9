/* Saves and restores all groups of a process. Before it saves them, they receive the crossing
 * events that were sent in the last window. */
#include "network/engine/network_checkpoint.h"

#include "core/checkpoint/checkpoint.h"
#include "network/engine/exchange/group_exchange.h"
#include "network/engine/rail_group_checkpoint.h"

enum {
    CHECKPOINT_REQUEST_WRITE = 1,
    CHECKPOINT_REQUEST_STOP = 2,
    CHECKPOINT_REQUEST_NOTHING_WRITTEN = 4
};

unsigned network_checkpoint_requests(const struct network *network) {
    const struct network_run_options *options = network->run.options;
    const checkpoint_wish due = checkpoint_due(options->checkpoint);
    unsigned checkpoint_requests = 0;
    if (due != CHECKPOINT_NONE) checkpoint_requests |= CHECKPOINT_REQUEST_WRITE;
    if (due == CHECKPOINT_STOP) checkpoint_requests |= CHECKPOINT_REQUEST_STOP;
    if (options->has_failed != NULL && options->has_failed(options->saved_context))
        checkpoint_requests |= CHECKPOINT_REQUEST_NOTHING_WRITTEN;
    return checkpoint_requests;
}

static bool is_here(void *context, uint32_t group) {
    return !((const struct network *)context)->rail_groups[group].is_elsewhere;
}

static void saved_group(void *context, struct saved_state *state, uint32_t group) {
    struct network *network = context;
    const struct network_run_options *options = network->run.options;
    SAVED(state, network->run.next_ps[group]);
    for (uint32_t i = group; i < network->rail_group_count; i += network->topology.groups)
        rail_group_save_or_restore(state, &network->rail_groups[i]);
    if (options->save_or_restore != NULL)
        options->save_or_restore(options->saved_context, state, group);
}

static void saved_process(void *context, struct saved_state *state) {
    struct network *network = context;
    const struct network_run_options *options = network->run.options;
    uint64_t read = network_depends_on_seed(network);
    SAVED(state, network->run.numbers); /* equal in all processes */
    SAVED(state, read);
    if (state->is_restoring && read != 0) (void)network_seed(network); /* notes it */
    if (options->save_or_restore_process != NULL)
        options->save_or_restore_process(options->saved_context, state);
}

static struct checkpoint_pieces pieces_of(struct network *network) {
    return (struct checkpoint_pieces){.context = network,
                                      .count = network->topology.groups,
                                      .is_here = is_here,
                                      .piece = saved_group,
                                      .process = saved_process};
}

/* Takes the crossing events that were sent in the last window, which the next one would begin with.
 */
static void receive_all(struct network *network, uint64_t window) {
    for (uint32_t group = 0; group < network->topology.groups; group++)
        if (is_here(network, group)) exchange_receive_early(network, group, window);
}

static bool pause_run(void *context, uint64_t window, const struct windows_result *so_far) {
    struct network *network = context;
    const unsigned checkpoint_requests = network->distribution.processes != NULL
                                             ? network->run.checkpoint_requests
                                             : network_checkpoint_requests(network);
    if ((checkpoint_requests & CHECKPOINT_REQUEST_WRITE) == 0) return false;
    network->run.checkpoint_requests = 0;
    if ((checkpoint_requests & CHECKPOINT_REQUEST_NOTHING_WRITTEN) == 0) {
        const struct checkpoint_pieces pieces = pieces_of(network);
        receive_all(network, window);
        network->run.numbers = *so_far;
        struct checkpoint *checkpoint = network->run.options->checkpoint;
        if (checkpoint_write(checkpoint, &pieces, &network->run.stop_status) != STATUS_OK &&
            ((checkpoint_requests & CHECKPOINT_REQUEST_STOP) != 0 ||
             !checkpoint_survives_error(checkpoint, &network->run.stop_status)))
            return true;
    }
    if ((checkpoint_requests & CHECKPOINT_REQUEST_STOP) == 0) return false;
    checkpoint_set_stopped(network->run.options->checkpoint,
                           (checkpoint_requests & CHECKPOINT_REQUEST_NOTHING_WRITTEN) == 0,
                           &network->run.stop_status);
    return true;
}

status_code network_checkpoint_prepare(struct network *network, struct windows_setup *work,
                                       struct status *status) {
    struct checkpoint *checkpoint = network->run.options->checkpoint;
    work->pause = pause_run;
    if (!checkpoint_resumes(checkpoint)) return STATUS_OK;
    const struct checkpoint_pieces pieces = pieces_of(network);
    FORWARD_IF_ERROR(checkpoint_read(checkpoint, &pieces, status));
    work->resumed = &network->run.numbers;
    return STATUS_OK;
}
