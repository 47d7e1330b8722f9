/* Encodes fields of Protocol Buffers. */
#include "traces/perfetto/protobuf.h"

#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

typedef enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 } wire_type;

enum { VARINT_MAX_BYTES = 10 };

void protobuf_free(struct protobuf *message) {
    free(message->bytes);
    *message = (struct protobuf){0};
}

static status_code reserve(struct protobuf *message, size_t more, struct status *status) {
    return memory_grow((void **)&message->bytes, &message->capacity, message->count + more, 1,
                       status);
}

/* Appends a number, seven bits a byte, the lowest first. There is room for it. */
static void put_varint(struct protobuf *message, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        message->bytes[message->count++] = (unsigned char)(value | 0x80);
    message->bytes[message->count++] = (unsigned char)value;
}

static void put_tag(struct protobuf *message, uint32_t field, wire_type type) {
    put_varint(message, (uint64_t)field << 3 | type);
}

status_code protobuf_append_varint(struct protobuf *message, uint32_t field, uint64_t value,
                                   struct status *status) {
    FORWARD_IF_ERROR(reserve(message, (size_t)2 * VARINT_MAX_BYTES, status));
    put_tag(message, field, WIRE_VARINT);
    put_varint(message, value);
    return STATUS_OK;
}

status_code protobuf_append_fixed64(struct protobuf *message, uint32_t field, uint64_t value,
                                    struct status *status) {
    FORWARD_IF_ERROR(reserve(message, VARINT_MAX_BYTES + sizeof value, status));
    put_tag(message, field, WIRE_FIXED64);
    for (unsigned shift = 0; shift < 64; shift += 8)
        message->bytes[message->count++] = (unsigned char)(value >> shift);
    return STATUS_OK;
}

status_code protobuf_append_bytes(struct protobuf *message, uint32_t field, const void *bytes,
                                  size_t count, struct status *status) {
    FORWARD_IF_ERROR(reserve(message, (size_t)2 * VARINT_MAX_BYTES + count, status));
    put_tag(message, field, WIRE_BYTES);
    put_varint(message, count);
    if (count > 0) memcpy(message->bytes + message->count, bytes, count);
    message->count += count;
    return STATUS_OK;
}

status_code protobuf_append_text(struct protobuf *message, uint32_t field, const char *text,
                                 struct status *status) {
    return protobuf_append_bytes(message, field, text, strlen(text), status);
}
