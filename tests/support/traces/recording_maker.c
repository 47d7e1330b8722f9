/* Writes the files of recordings, with the records that a test names. */
#include "tests/support/traces/recording_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void put(struct recording_maker *maker, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        maker->bytes[maker->size++] = (uint8_t)(value | 0x80);
    maker->bytes[maker->size++] = (uint8_t)value;
}

void recording_maker_add(struct recording_maker *maker, recording_call call, int64_t gap_ns,
                         int64_t processor_ns, const uint64_t *words) {
    size_t count = 0;
    while (words[count] != MAKER_END)
        count++;
    put(maker, 0);
    put(maker, count + 1);
    put(maker, call);
    for (size_t i = 0; i < count; i++)
        put(maker, words[i]);
    put(maker, 2 * (uint64_t)gap_ns + (processor_ns >= 0));
    if (processor_ns >= 0) put(maker, (uint64_t)processor_ns);
    put(maker, 100); /* ns in the call */
}

struct recording_header recording_maker_header(uint32_t rank, uint32_t rank_count) {
    return (struct recording_header){.magic = RECORDING_MAGIC,
                                     .version = RECORDING_VERSION,
                                     .rank = rank,
                                     .rank_count = rank_count,
                                     .run = 7,
                                     .start_ns = 2000,
                                     .begin_ns = 1000,
                                     .processors = {1},
                                     .host = "host",
                                     .library = "a library",
                                     .state = RECORDING_COMPLETE};
}

static uint32_t crc_of(const void *bytes, size_t size) {
    return (uint32_t)crc32(0, bytes, (uInt)size);
}

static void require(int condition, const char *path) {
    if (condition) return;
    perror(path);
    abort();
}

static void write_block(FILE *file, const uint8_t *records, size_t size, const char *path) {
    static uint8_t packed[2 * RECORDING_TAIL_BYTES];
    uLongf stored = sizeof packed;
    require(compress(packed, &stored, records, size) == Z_OK, path);
    struct recording_block block = {.magic = RECORDING_BLOCK_MAGIC,
                                    .raw_bytes = (uint32_t)size,
                                    .stored_bytes = (uint32_t)stored,
                                    .crc = crc_of(packed, stored)};
    block.header_crc = crc_of(&block, offsetof(struct recording_block, header_crc));
    require(fwrite(&block, sizeof block, 1, file) == 1, path);
    require(fwrite(packed, 1, stored, file) == stored, path);
}

void recording_maker_write(const char *folder, struct recording_header header,
                           const uint8_t *records, size_t size, int as_block) {
    static uint8_t page[RECORDING_HEADER_BYTES + RECORDING_TAIL_BYTES];
    char path[4096];
    header.crc = crc_of(&header, offsetof(struct recording_header, crc));
    header.blocks = header.tail_block = as_block ? 1 : 0;
    header.tail_bytes = as_block ? 0 : size;
    snprintf(path, sizeof path, "%s/rank-%06u.rec", folder, header.rank);
    FILE *file = fopen(path, "wb");
    require(file != NULL, path);
    memset(page, 0, sizeof page);
    memcpy(page, &header, sizeof header);
    if (!as_block && size > 0) memcpy(page + RECORDING_HEADER_BYTES, records, size);
    require(fwrite(page, sizeof page, 1, file) == 1, path);
    if (as_block) write_block(file, records, size, path);
    require(fclose(file) == 0, path);
}
