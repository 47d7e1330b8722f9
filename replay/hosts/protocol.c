/*
 * The table of protocols: each row gives one protocol and the source of its figures.
 *
 * Must not know: messages, ranks.
 */
#include "replay/hosts/protocol.h"

#include <inttypes.h>

/* name, eager threshold in bytes, rendezvous, description with the source of the figures. MPICH on
 * libfabric leaves the protocol to the provider (MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE = -1). */
#define PROTOCOLS(X)                                                                               \
    X("generic", 16384, PUT, "eager up to 16 KiB, then request, answer, data: no library's own")   \
    X("mpich-ch4-ofi", 16384, GET,                                                                 \
      "MPICH 4 on libfabric for Slingshot: fi_cxi(7), FI_CXI_RDZV_THRESHOLD; the receiver reads")  \
    X("mpich-ch3", 131072, PUT, "MPICH ch3: MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE of MPICH 4.2")        \
    X("openmpi", 12288, GET,                                                                       \
      "Open MPI 4.1, ob1 on InfiniBand: btl_openib_eager_limit; the receiver reads")               \
    X("openmpi-tcp", 65536, PUT, "Open MPI, ob1 on TCP: btl_tcp_eager_limit")

#define PROTOCOL_NAME(name, eager, rendezvous, help)  name,
#define PROTOCOL_TEXT(name, eager, rendezvous, help)  {name, help},
#define PROTOCOL_VALUE(name, eager, rendezvous, help) {eager, REPLAY_RENDEZVOUS_##rendezvous},

static const struct {
    int64_t eager_bytes;
    replay_rendezvous rendezvous;
} protocols[] = {PROTOCOLS(PROTOCOL_VALUE)};
#define PROTOCOL_COUNT (sizeof protocols / sizeof *protocols)

const char *const *protocol_names(void) {
    static const char *const names[] = {PROTOCOLS(PROTOCOL_NAME) NULL};
    return names;
}

const struct replay_algorithm_text *replay_protocols(uint32_t *count) {
    static const struct replay_algorithm_text texts[] = {PROTOCOLS(PROTOCOL_TEXT)};
    *count = PROTOCOL_COUNT;
    return texts;
}

/* The names are in the order of replay_rendezvous, of replay_mpi_progress, and of
 * REPLAY_EAGER_BY_PROTOCOL and REPLAY_EAGER_AUTO. */
const char *const *protocol_rendezvous_names(void) {
    static const char *const names[] = {"protocol", "put", "get", NULL};
    return names;
}

const char *const *protocol_progress_names(void) {
    static const char *const names[] = {"hardware", "software", NULL};
    return names;
}

const char *const *protocol_threshold_words(void) {
    static const char *const words[] = {"protocol", "auto", NULL};
    return words;
}

status_code protocol_check(const struct replay_config *config, struct status *status) {
    RETURN_ERROR_IF(config->protocol < 0 || config->protocol >= (int32_t)PROTOCOL_COUNT, status,
                    STATUS_USAGE, "replay: there is no protocol number %" PRId32, config->protocol);
    RETURN_ERROR_IF(config->rendezvous < REPLAY_RENDEZVOUS_PROTOCOL ||
                        config->rendezvous > REPLAY_RENDEZVOUS_GET ||
                        config->progress < REPLAY_PROGRESS_HARDWARE ||
                        config->progress > REPLAY_PROGRESS_SOFTWARE,
                    status, STATUS_USAGE, "replay: there is no such rendezvous or progress");
    RETURN_ERROR_IF(config->eager_threshold_bytes < REPLAY_EAGER_AUTO, status, STATUS_USAGE,
                    "replay: a negative eager threshold");
    return STATUS_OK;
}

void protocol_resolve(struct replay_config *config) {
    if (config->rendezvous == REPLAY_RENDEZVOUS_PROTOCOL)
        config->rendezvous = (int32_t)protocols[config->protocol].rendezvous;
    if (config->eager_threshold_bytes == REPLAY_EAGER_BY_PROTOCOL)
        config->eager_threshold_bytes = protocols[config->protocol].eager_bytes;
}

int64_t replay_eager_threshold(const struct replay_config *config) {
    struct replay_config resolved = *config;
    protocol_resolve(&resolved);
    return resolved.eager_threshold_bytes;
}
