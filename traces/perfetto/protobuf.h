/*
 * Messages in the encoding of Protocol Buffers (https://protobuf.dev/programming-guides/encoding),
 * as far as a writer of traces needs it. Knows only core/; must not know what messages mean.
 * Private to the traces room.
 *
 * Invariant: a buffer holds whole fields. After a failed call the buffer is as it was before.
 */
#ifndef ANAX_TRACES_PROTOBUF_H
#define ANAX_TRACES_PROTOBUF_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct protobuf {
    unsigned char *bytes;
    size_t count;
    size_t capacity;
};

void protobuf_free(struct protobuf *message);

/* Append a field: a number as a varint, a number of 64 bits as it is (fixed64), a text, or bytes
 * such as another message. STATUS_MEMORY only. */
status_code protobuf_varint(struct protobuf *message, uint32_t field, uint64_t value,
                            struct status *status);
status_code protobuf_fixed64(struct protobuf *message, uint32_t field, uint64_t value,
                             struct status *status);
status_code protobuf_text(struct protobuf *message, uint32_t field, const char *text,
                          struct status *status);
status_code protobuf_bytes(struct protobuf *message, uint32_t field, const void *bytes,
                           size_t count, struct status *status);

#endif
