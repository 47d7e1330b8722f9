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

/* Frees the bytes of a message. */
void protobuf_free(struct protobuf *message);

/* Appends a field with a number in as few bytes as it needs (varint). STATUS_MEMORY. */
status_code protobuf_append_varint(struct protobuf *message, uint32_t field, uint64_t value,
                                   struct status *status);
/* Appends a field with a number in eight bytes (fixed64). STATUS_MEMORY. */
status_code protobuf_append_fixed64(struct protobuf *message, uint32_t field, uint64_t value,
                                    struct status *status);
/* Appends a field with a text. STATUS_MEMORY. */
status_code protobuf_append_text(struct protobuf *message, uint32_t field, const char *text,
                                 struct status *status);
/* Appends a field with bytes, such as another message. STATUS_MEMORY. */
status_code protobuf_append_bytes(struct protobuf *message, uint32_t field, const void *bytes,
                                  size_t count, struct status *status);

#endif
