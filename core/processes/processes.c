/* Exchanges of blocks among processes. Each block begins with a header of its purpose and of the
 * sender's failure, if it has failed; the text of the failure follows in place of the data. With a
 * reduction, blocks without data are not sent. */
#include "core/processes/processes.h"

#include "core/memory/memory.h"
#include "core/processes/reduction.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct header {
    uint32_t purpose;
    uint32_t code;                                 /* status_code of the sender */
    uint64_t summary[PROCESSES_SUMMARY_BYTES / 8]; /* of the sender, unless there is a reduction */
};
static_assert(sizeof(struct header) % 8 == 0, "what follows is aligned");

struct processes {
    const struct processes_plugin *plugin;
    unsigned process; /* number of this process */
    unsigned count;
    unsigned local;               /* processes on this computer */
    bool has_failed;              /* some process goes no further: no exchange may follow */
    bool is_broken;               /* another process may wait for what this one cannot send */
    bool has_lost;                /* because a process has ended */
    struct processes_block *sent; /* [count] */
    struct processes_block *received;
    struct reduction *reduction; /* NULL: each process sends to each other one in each exchange */
    /* The exchange that has begun: */
    processes_purpose purpose;
    struct processes_summary summary;
    bool *has_block; /* [count] */
};

static const uint64_t no_data = 0; /* what a block that was not sent points to */

static size_t aligned(size_t bytes) {
    return (bytes + 7) / 8 * 8;
}

void *processes_pack_room(struct processes_packing *packing, size_t bytes) {
    size_t from = packing->bytes > 0 ? packing->bytes : sizeof(struct header);
    void *moved = packing->data;
    if (memory_grow(&moved, &packing->capacity, from + aligned(bytes), 1, NULL) != STATUS_OK) {
        packing->out_of_memory = true;
        return NULL;
    }
    packing->data = moved;
    packing->bytes = from + aligned(bytes);
    return packing->data + from;
}

void processes_pack(struct processes_packing *packing, const void *data, size_t bytes) {
    char *room = processes_pack_room(packing, bytes);
    if (room == NULL) return;
    if (bytes > 0) memcpy(room, data, bytes);
    memset(room + bytes, 0, aligned(bytes) - bytes);
}

void processes_pack_reset(struct processes_packing *packing) {
    packing->bytes = 0;
    packing->out_of_memory = false;
}

void processes_pack_free(struct processes_packing *packing) {
    free(packing->data);
    *packing = (struct processes_packing){0};
}

struct processes_unpacking processes_view(const struct processes_packing *packing) {
    const size_t head = sizeof(struct header);
    if (packing->bytes <= head) return (struct processes_unpacking){NULL, 0};
    return (struct processes_unpacking){packing->data + head, packing->bytes - head};
}

const void *processes_unpack(struct processes_unpacking *block, size_t bytes) {
    const char *data = block->data;
    if (aligned(bytes) > block->bytes) return NULL;
    block->data += aligned(bytes);
    block->bytes -= aligned(bytes);
    return data;
}

unsigned processes_number(const struct processes *processes) {
    return processes != NULL ? processes->process : 0;
}

unsigned processes_count(const struct processes *processes) {
    return processes != NULL ? processes->count : 1;
}

unsigned processes_count_local(const struct processes *processes) {
    return processes != NULL && processes->local > 1 ? processes->local : 1;
}

bool processes_are_together(const struct processes *processes) {
    return processes == NULL || (!processes->has_failed && !processes->is_broken);
}

bool processes_cannot_tell(const struct processes *processes) {
    return processes != NULL && processes->is_broken && !processes->has_lost;
}

unsigned processes_max_threads(const struct processes *processes, unsigned in_set, unsigned quota) {
    const unsigned local = processes_count_local(processes);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned share = in_set;
    /* A launcher that binds processes to processors has divided them already. */
    if (local > 1 && online > 0 && (unsigned long)in_set * local > (unsigned long)online)
        share = (unsigned)online / local;
    if (quota / local < share) share = quota / local;
    return share > 0 ? share : 1;
}

static void free_processes(struct processes *processes) {
    reduction_free(processes->reduction);
    free(processes->has_block);
    free(processes->sent);
    free(processes->received);
    free(processes);
}

/* Makes what exchanges need. Returns false if out of memory. */
static bool prepare_exchanges(struct processes *processes, unsigned direct_max) {
    const bool is_direct = processes->count <= direct_max;
    processes->sent = memory_new(processes->count, sizeof *processes->sent);
    processes->received = memory_new(processes->count, sizeof *processes->received);
    processes->has_block = memory_new(processes->count, sizeof *processes->has_block);
    processes->reduction = is_direct ? NULL : reduction_new(processes->count);
    return processes->sent != NULL && processes->received != NULL && processes->has_block != NULL &&
           (is_direct || processes->reduction != NULL);
}

status_code processes_begin_with_plugin(struct processes **made,
                                        const struct processes_plugin *plugin,
                                        struct status *status) {
    char text[256] = "";
    unsigned direct_max;
    FORWARD_IF_ERROR(reduction_limit(&direct_max, status));
    struct processes *processes = memory_new(1, sizeof *processes);
    RETURN_ERROR_IF(processes == NULL, status, STATUS_MEMORY, "out of memory for processes");
    processes->plugin = plugin;
    if (plugin->begin(&processes->process, &processes->count, &processes->local, text,
                      sizeof text) != 0) {
        free(processes);
        return status_set(status, STATUS_SYSTEM, "this process does not find the others: %s", text);
    }
    if (!prepare_exchanges(processes, direct_max)) {
        plugin->end_all(status_exit_code(STATUS_MEMORY));
        free_processes(processes);
        return status_set(status, STATUS_MEMORY, "out of memory for processes");
    }
    *made = processes;
    return STATUS_OK;
}

/* Returns the failure of the first process that reports one, or an error if the others exchange for
 * another purpose. A failure that is told where all agree leaves the processes at the same place;
 * any other one means that its process goes no further. */
static status_code check_received(struct processes *processes, struct processes_unpacking *received,
                                  struct status *status) {
    const struct processes_summary *summary = &processes->summary;
    const bool is_direct = processes->reduction == NULL;
    status_code code = STATUS_OK;
    if (!is_direct && !reduction_take(processes->reduction, summary)) processes->has_failed = true;
    for (unsigned i = 0; i < processes->count; i++) {
        struct processes_unpacking *block = &received[i];
        if (i == processes->process) continue;
        if (!is_direct && processes->received[i].data == NULL) {
            *block = (struct processes_unpacking){(const char *)&no_data, 0};
            continue;
        }
        const struct header *header = processes_unpack(block, sizeof *header);
        const bool is_same = header != NULL && header->purpose == (uint32_t)processes->purpose;
        if (!is_same) processes->has_failed = true;
        if (is_same && is_direct && summary->add != NULL)
            summary->add(summary->sum, header->summary);
        if (header == NULL || header->code == STATUS_OK || code != STATUS_OK) continue;
        code =
            status_set(status, (status_code)header->code, "%.*s", (int)block->bytes, block->data);
    }
    if (code != STATUS_OK || !processes->has_failed) return code;
    return status_set(status, STATUS_SYSTEM,
                      "the processes have gone different ways: do all read the same files, and is "
                      "it the same anax everywhere?");
}

/* Begins an exchange; processes->has_block is set. */
static void begin(struct processes *processes, processes_purpose purpose,
                  const struct processes_summary *summary) {
    processes->purpose = purpose;
    processes->summary = *summary;
    if (processes->reduction != NULL && !processes->has_failed && !processes->is_broken)
        reduction_begin(processes->reduction, processes->plugin, processes->process, purpose,
                        summary, processes->has_block);
}

/* Writes the headers of blocks and describes the blocks to the plug-in. Returns false if out of
 * memory. */
static bool describe_sent(struct processes *processes, status_code failure,
                          struct processes_packing *sent) {
    const struct processes_summary *summary = &processes->summary;
    struct header header = {.purpose = (uint32_t)processes->purpose, .code = (uint32_t)failure};
    if (processes->reduction == NULL && summary->bytes > 0)
        memcpy(header.summary, summary->sum, summary->bytes);
    for (unsigned i = 0; i < processes->count; i++) {
        processes->sent[i] = (struct processes_block){0};
        if (i == processes->process) continue;
        if (sent[i].out_of_memory) return false;
        if (processes->reduction != NULL && !processes->has_block[i]) continue;
        if (sent[i].bytes == 0) processes_pack(&sent[i], NULL, 0);
        if (sent[i].out_of_memory) return false;
        memcpy(sent[i].data, &header, sizeof header);
        processes->sent[i] = (struct processes_block){sent[i].data, sent[i].bytes};
    }
    return true;
}

static int exchange_described(struct processes *processes) {
    const struct processes_plugin *plugin = processes->plugin;
    const bool is_patient = processes->purpose == PROCESSES_END;
    if (processes->reduction == NULL)
        return plugin->exchange(processes->sent, processes->received, is_patient);
    return plugin->exchange_some(processes->sent, processes->received,
                                 reduction_expected(processes->reduction, processes->process),
                                 is_patient);
}

/* Ends an exchange of blocks of which those of failed processes hold the text of the failure. */
static status_code end_or_fail(struct processes *processes, status_code failure,
                               struct processes_packing *sent, struct processes_unpacking *received,
                               struct status *status) {
    RETURN_ERROR_IF(processes->has_failed, status, STATUS_SYSTEM, "another process has ended");
    int failed = PROCESSES_NO_MEMORY;
    if (!processes->is_broken && describe_sent(processes, failure, sent))
        failed = exchange_described(processes);
    if (failed != 0) processes->is_broken = true;
    if (failed == PROCESSES_LOST) processes->has_lost = true;
    RETURN_ERROR_IF(failed == PROCESSES_LOST, status, STATUS_SYSTEM,
                    "another process of this run has ended before its work was done: it was "
                    "killed, or memory ran out");
    RETURN_ERROR_IF(failed != 0, status, STATUS_MEMORY,
                    "out of memory for what processes send to each other");
    for (unsigned i = 0; i < processes->count; i++)
        if (i != processes->process)
            received[i] = (struct processes_unpacking){processes->received[i].data,
                                                       processes->received[i].bytes};
    return check_received(processes, received, status);
}

/* Exchanges blocks without a summary. Those of a failed process have something for all. */
static status_code exchange_or_fail(struct processes *processes, processes_purpose purpose,
                                    status_code failure, struct processes_packing *sent,
                                    struct processes_unpacking *received, struct status *status) {
    for (unsigned i = 0; i < processes->count; i++)
        processes->has_block[i] = failure != STATUS_OK || sent[i].bytes > sizeof(struct header);
    begin(processes, purpose, &(struct processes_summary){0});
    return end_or_fail(processes, failure, sent, received, status);
}

void processes_exchange_begin(struct processes *processes, processes_purpose purpose,
                              const struct processes_summary *summary, const bool *has_block) {
    memcpy(processes->has_block, has_block, processes->count * sizeof *has_block);
    begin(processes, purpose, summary);
}

status_code processes_exchange_end(struct processes *processes, struct processes_packing *sent,
                                   struct processes_unpacking *received, struct status *status) {
    return end_or_fail(processes, STATUS_OK, sent, received, status);
}

status_code processes_exchange(struct processes *processes, processes_purpose purpose,
                               struct processes_packing *sent, struct processes_unpacking *received,
                               struct status *status) {
    return exchange_or_fail(processes, purpose, STATUS_OK, sent, received, status);
}

status_code processes_exchange_same(struct processes *processes, processes_purpose purpose,
                                    struct processes_packing *own,
                                    struct processes_unpacking *received, struct status *status) {
    struct processes_packing *sent = memory_new(processes->count, sizeof *sent);
    RETURN_ERROR_IF(sent == NULL, status, STATUS_MEMORY, "out of memory for processes");
    if (own->bytes == 0) processes_pack(own, NULL, 0);
    for (unsigned i = 0; i < processes->count; i++)
        sent[i] = *own;
    const status_code code = processes_exchange(processes, purpose, sent, received, status);
    free(sent);
    return code;
}

/* Sends the same text to all, and returns the failure of the first process that has failed, which
 * may be this one. */
static status_code broadcast_text(struct processes *processes, processes_purpose purpose,
                                  status_code code, const char *text, struct status *status) {
    struct processes_packing *sent = memory_new(processes->count, sizeof *sent);
    struct processes_unpacking *received = memory_new(processes->count, sizeof *received);
    struct status others = STATUS_INIT;
    if (sent == NULL || received == NULL) {
        processes->is_broken = true;
        free(sent);
        free(received);
        return status_set(status, STATUS_MEMORY, "out of memory for processes");
    }
    if (text == NULL) text = status_code_text(code);
    for (unsigned i = 0; i < processes->count && code != STATUS_OK; i++)
        processes_pack(&sent[i], text, strlen(text));
    status_code told = exchange_or_fail(processes, purpose, code, sent, received, &others);
    for (unsigned i = 0; i < processes->count; i++)
        processes_pack_free(&sent[i]);
    free(sent);
    free(received);
    if (code != STATUS_OK) {
        status_clear(&others);
        return code;
    }
    if (told != STATUS_OK) status_take(status, told, others.text);
    return told;
}

static void free_blocks(struct processes_packing *sent, unsigned count) {
    for (unsigned i = 0; sent != NULL && i < count; i++)
        processes_pack_free(&sent[i]);
    free(sent);
}

status_code processes_gather(struct processes *processes, struct processes_packing *own,
                             struct processes_unpacking **received, struct status *status) {
    struct processes_packing *sent = memory_new(processes->count, sizeof *sent);
    struct processes_unpacking *blocks = memory_new(processes->count, sizeof *blocks);
    status_code code = STATUS_OK;
    *received = NULL;
    if (sent == NULL || blocks == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for results of processes");
    if (code == STATUS_OK && processes->process != 0) {
        if (own->bytes == 0) processes_pack(own, NULL, 0); /* its memory, which the copy shares */
        sent[0] = *own;
    }
    if (code == STATUS_OK)
        code = processes_exchange(processes, PROCESSES_RESULT, sent, blocks, status);
    if (sent != NULL) sent[0] = (struct processes_packing){0};
    free_blocks(sent, processes->count);
    if (processes->process != 0) processes_pack_free(own);
    if (code == STATUS_OK && processes->process == 0)
        *received = blocks;
    else
        free(blocks);
    return code;
}

/* Processes that run the same have sums and data of the same size. */
static status_code refuse_size(unsigned process, struct status *status) {
    return status_set(status, STATUS_USAGE,
                      "process %u has data of another size: it has read another file, or runs "
                      "another command",
                      process);
}

/* Copies parts, because their alignment in a block is 8. */
static status_code add_parts(struct processes *processes, struct processes_unpacking *received,
                             void *sum, size_t bytes, void (*add)(void *sum, const void *part),
                             struct status *status) {
    void *part = memory_new_aligned(1, bytes);
    RETURN_ERROR_IF(part == NULL, status, STATUS_MEMORY, "out of memory for sums of processes");
    status_code code = STATUS_OK;
    for (unsigned i = 0; i < processes->count && code == STATUS_OK; i++) {
        if (i == processes->process) continue;
        const void *data = processes_unpack(&received[i], bytes);
        if (data == NULL || received[i].bytes > 0) {
            code = refuse_size(i, status);
            continue;
        }
        memcpy(part, data, bytes);
        add(sum, part);
    }
    free(part);
    return code;
}

status_code processes_combine(struct processes *processes, void *sum, size_t bytes,
                              void (*add)(void *sum, const void *part), struct status *status) {
    if (processes == NULL) return STATUS_OK;
    struct processes_packing *sent = memory_new(processes->count, sizeof *sent);
    struct processes_unpacking *received = memory_new(processes->count, sizeof *received);
    status_code code = STATUS_OK;
    if (sent == NULL || received == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for sums of processes");
    for (unsigned i = 0; i < processes->count && code == STATUS_OK; i++)
        if (i != processes->process) processes_pack(&sent[i], sum, bytes);
    if (code == STATUS_OK)
        code = processes_exchange(processes, PROCESSES_SUM, sent, received, status);
    if (code == STATUS_OK) code = add_parts(processes, received, sum, bytes, add, status);
    free_blocks(sent, processes->count);
    free(received);
    return code;
}

static void add_truth(void *sum, const void *part) {
    *(bool *)sum = *(bool *)sum || *(const bool *)part;
}

status_code processes_any(struct processes *processes, bool *value, struct status *status) {
    return processes_combine(processes, value, sizeof *value, add_truth, status);
}

status_code processes_broadcast(struct processes *processes, void *data, size_t bytes,
                                struct status *status) {
    if (processes == NULL) return STATUS_OK;
    struct processes_packing own = {0};
    struct processes_unpacking *received = memory_new(processes->count, sizeof *received);
    status_code code = STATUS_OK;
    if (received == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for data of processes");
    if (code == STATUS_OK && processes->process == 0) processes_pack(&own, data, bytes);
    if (code == STATUS_OK)
        code = processes_exchange_same(processes, PROCESSES_SHARE, &own, received, status);
    const void *shared = NULL;
    if (code == STATUS_OK && processes->process != 0) {
        shared = processes_unpack(&received[0], bytes);
        if (shared == NULL) code = refuse_size(0, status);
    }
    if (shared != NULL) memcpy(data, shared, bytes);
    processes_pack_free(&own);
    free(received);
    return code;
}

status_code processes_agree(struct processes *processes, status_code code, struct status *status) {
    if (processes == NULL || processes->has_failed || processes->is_broken) return code;
    return broadcast_text(processes, PROCESSES_AGREEMENT, code,
                          status != NULL ? status->text : NULL, status);
}

status_code processes_finish(struct processes *processes, status_code code, struct status *status) {
    if (processes == NULL || processes->has_failed || processes->is_broken) return code;
    return broadcast_text(processes, PROCESSES_END, code, status->text, status);
}

void processes_leave(struct processes *processes, int exit_code) {
    if (processes == NULL) return;
    if (processes->is_broken)
        processes->plugin->end_all(exit_code);
    else
        processes->plugin->end();
    free_processes(processes);
}
