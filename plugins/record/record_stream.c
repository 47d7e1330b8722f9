/*
 * Writes the records of a rank (core/files/recording_format.h). Must not know MPI.
 *
 * Records go to the tail, which is a part of the file that is mapped into memory. A full tail is
 * deflated and written behind the last block; then it is empty again. Equal signatures of a block
 * are written once.
 *
 * Invariant: the kernel has the whole file at any time. tail_block and the numbers of blocks tell a
 * reader whether the tail was written as a block already.
 */
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

enum {
    SIGNATURES = 1 << 12, /* most signatures of a block */
    PLACES = 2 * SIGNATURES,
    VARINT_BYTES = 10,
    TIMES_BYTES = 3 * VARINT_BYTES,
    LEVEL = 1 /* of compression: a higher one saves a tenth and takes twice as long */
};

static struct {
    int descriptor; /* of the file */
    char path[4096];
    struct recording_header *header; /* mapped, followed by the tail */
    uint8_t *tail;
    size_t used;
    bool has_begun; /* until the application ends */
    bool is_open;   /* has begun, and this rank has not stopped */
    uint64_t records;
    /* The words of the next record. */
    uint64_t *words;
    size_t word_count, word_capacity;
    /* Signatures of the current block: their words one after another. */
    uint64_t *known;
    size_t known_count, known_capacity;
    uint32_t signatures;
    struct {
        uint64_t hash;
        uint32_t signature; /* its number in the block, from 1; 0: free */
        uint32_t first, count;
    } places[PLACES];
    uint8_t *packed;
    z_stream deflater;
} stream;

bool record_stream_is_open(void) {
    return stream.is_open;
}

bool record_stream_has_begun(void) {
    return stream.has_begun;
}

void record_stream_state(recording_state state, uint32_t code) {
    if (!stream.is_open) return;
    stream.header->state = state;
    stream.header->code = code;
}

/* Stops recording; the application goes on. */
static void stop(recording_state state, int code, const char *what) {
    fprintf(stderr, "anax record: rank %u: %s: %s; recording stops here, the program goes on\n",
            stream.header->rank, what, strerror(code));
    record_stream_state(state, (uint32_t)code);
    stream.is_open = false;
}

void record_stream_stop(void) {
    if (stream.is_open) stop(RECORDING_NO_SPACE, ENOMEM, "cannot record a call");
}

/* ---- a limit on the size of files ---- */

struct held {
    sigset_t before;
    bool was_pending;
};

/* Holds back the signal of such a limit, which would end the application; the error code says the
 * same. */
static struct held hold_signal(void) {
    struct held held;
    sigset_t limit, pending;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &held.before);
    sigpending(&pending);
    held.was_pending = sigismember(&pending, SIGXFSZ) == 1;
    return held;
}

static void release_signal(const struct held *held) {
    const struct timespec at_once = {0};
    const int code = errno;
    sigset_t limit;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    if (!held->was_pending) (void)sigtimedwait(&limit, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &held->before, NULL);
    errno = code;
}

/* ---- opening and closing ---- */

enum { MAPPED_BYTES = RECORDING_HEADER_BYTES + RECORDING_TAIL_BYTES };

static void close_file(void) {
    if (stream.header != NULL) munmap(stream.header, MAPPED_BYTES);
    stream.header = NULL;
    close(stream.descriptor);
}

/* Makes the file as large as header and tail, and maps it. Returns an error code. */
static int map_file(void) {
    const struct held held = hold_signal();
    const int code = posix_fallocate(stream.descriptor, 0, MAPPED_BYTES);
    release_signal(&held);
    if (code != 0) return code;
    void *memory =
        mmap(NULL, MAPPED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, stream.descriptor, 0);
    if (memory == MAP_FAILED) return errno;
    stream.header = memory;
    stream.tail = (uint8_t *)memory + RECORDING_HEADER_BYTES;
    stream.packed = malloc(compressBound(RECORDING_TAIL_BYTES));
    if (stream.packed == NULL || deflateInit(&stream.deflater, LEVEL) != Z_OK) return ENOMEM;
    return 0;
}

bool record_stream_open(const char *folder, struct recording_header *header, char *error,
                        size_t error_bytes) {
    char *path = stream.path;
    snprintf(path, sizeof stream.path, "%s/rank-%06u.rec", folder, header->rank);
    stream.descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const bool is_own = stream.descriptor >= 0;
    const int code = is_own ? map_file() : errno;
    if (code != 0) {
        snprintf(error, error_bytes, "%s: %s", path,
                 code == EEXIST ? "has the first MPI program of this command; one can be recorded"
                                : strerror(code));
        if (!is_own) return false;
        close_file();
        unlink(path);
        return false;
    }
    header->crc = (uint32_t)crc32(0, (const Bytef *)header, offsetof(struct recording_header, crc));
    header->end = MAPPED_BYTES;
    memcpy(stream.header, header, sizeof *header);
    stream.has_begun = stream.is_open = true;
    return true;
}

void record_stream_cancel(void) {
    if (!stream.has_begun) return;
    stream.has_begun = stream.is_open = false;
    close_file();
    unlink(stream.path);
}

/* ---- blocks ---- */

static bool write_all(const void *bytes, size_t size, uint64_t offset) {
    const uint8_t *from = bytes;
    while (size > 0) {
        const struct held held = hold_signal();
        const ssize_t written = pwrite(stream.descriptor, from, size, (off_t)offset);
        release_signal(&held);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            stop(RECORDING_NO_SPACE, written < 0 ? errno : ENOSPC, "cannot write the recording");
            return false;
        }
        from += written;
        size -= (size_t)written;
        offset += (uint64_t)written;
    }
    return true;
}

static void forget_signatures(void) {
    memset(stream.places, 0, sizeof stream.places);
    stream.known_count = 0;
    stream.signatures = 0;
}

/* Writes records as a block. */
static bool write_block(const uint8_t *records, size_t size, uint8_t *packed, size_t room) {
    struct recording_header *header = stream.header;
    deflateReset(&stream.deflater);
    stream.deflater.next_in = (Bytef *)(uintptr_t)records;
    stream.deflater.avail_in = (uInt)size;
    stream.deflater.next_out = packed;
    stream.deflater.avail_out = (uInt)room;
    if (deflate(&stream.deflater, Z_FINISH) != Z_STREAM_END) {
        stop(RECORDING_NO_SPACE, ENOMEM, "cannot compress the recording");
        return false;
    }
    struct recording_block block = {.magic = RECORDING_BLOCK_MAGIC,
                                    .block_number = header->blocks,
                                    .raw_bytes = (uint32_t)size,
                                    .stored_bytes = (uint32_t)(room - stream.deflater.avail_out)};
    block.crc = (uint32_t)crc32(0, packed, block.stored_bytes);
    block.header_crc =
        (uint32_t)crc32(0, (const Bytef *)&block, offsetof(struct recording_block, header_crc));
    if (!write_all(packed, block.stored_bytes, header->end + sizeof block) ||
        !write_all(&block, sizeof block, header->end))
        return false;
    header->end += sizeof block + block.stored_bytes;
    __atomic_store_n(&header->blocks, header->blocks + 1, __ATOMIC_RELEASE);
    return true;
}

/* Makes the tail a block and empties it. */
static bool flush_tail(void) {
    struct recording_header *header = stream.header;
    if (stream.used > 0 &&
        !write_block(stream.tail, stream.used, stream.packed, compressBound(RECORDING_TAIL_BYTES)))
        return false;
    stream.used = 0;
    __atomic_store_n(&header->tail_bytes, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&header->tail_block, header->blocks, __ATOMIC_RELEASE);
    forget_signatures();
    return true;
}

void record_stream_close(recording_state state, uint32_t code) {
    if (!stream.has_begun) return;
    if (stream.is_open && flush_tail()) record_stream_state(state, code);
    stream.has_begun = stream.is_open = false;
    close_file();
}

/* ---- words ---- */

uint64_t *record_words(size_t count) {
    if (stream.word_count + count > stream.word_capacity) {
        size_t capacity = 2 * (stream.word_count + count) + 64;
        uint64_t *words = realloc(stream.words, capacity * sizeof *words);
        if (words == NULL || capacity > RECORDING_WORDS_LIMIT) {
            if (words != NULL) stream.words = words;
            record_stream_stop();
            return NULL;
        }
        stream.words = words;
        stream.word_capacity = capacity;
    }
    uint64_t *first = stream.words + stream.word_count;
    stream.word_count += count;
    return first;
}

void record_word(uint64_t word) {
    uint64_t *place = record_words(1);
    if (place != NULL) *place = word;
}

void record_signed(int64_t word) {
    record_word((uint64_t)word << 1 ^ (uint64_t)(word >> 63));
}

size_t record_word_count(void) {
    return stream.word_count;
}

void record_drop_words(size_t from) {
    stream.word_count = from;
}

void record_clear_words(void) {
    stream.word_count = 0;
}

/* ---- records ---- */

static uint8_t *put_varint(uint8_t *to, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

static uint64_t hash_words(void) {
    uint64_t hash = stream.word_count;
    for (size_t i = 0; i < stream.word_count; i++) {
        hash = (hash ^ stream.words[i]) * UINT64_C(0xFF51AFD7ED558CCD);
        hash ^= hash >> 32;
    }
    return hash;
}

/* Returns the number of the signature of the words, from 1; 0: it is new, and then it is known from
 * now on if there is room. */
static uint32_t find_signature(void) {
    const uint64_t hash = hash_words();
    const size_t bytes = stream.word_count * sizeof *stream.words;
    size_t at = (size_t)hash & (PLACES - 1);
    for (; stream.places[at].signature != 0; at = (at + 1) & (PLACES - 1))
        if (stream.places[at].hash == hash && stream.places[at].count == stream.word_count &&
            memcmp(stream.known + stream.places[at].first, stream.words, bytes) == 0)
            return stream.places[at].signature;
    stream.signatures++; /* a reader counts all of them */
    if (stream.signatures > SIGNATURES) return 0;
    if (stream.known_count + stream.word_count > stream.known_capacity) {
        const size_t capacity = 2 * (stream.known_count + stream.word_count) + 1024;
        uint64_t *known = realloc(stream.known, capacity * sizeof *known);
        if (known == NULL) return 0;
        stream.known = known;
        stream.known_capacity = capacity;
    }
    memcpy(stream.known + stream.known_count, stream.words, bytes);
    stream.places[at].hash = hash;
    stream.places[at].signature = stream.signatures;
    stream.places[at].first = (uint32_t)stream.known_count;
    stream.places[at].count = (uint32_t)stream.word_count;
    stream.known_count += stream.word_count;
    return 0;
}

static uint8_t *put_times(uint8_t *to, int64_t gap_ns, int64_t processor_ns, int64_t duration_ns) {
    const uint64_t gap = gap_ns > 0 ? (uint64_t)gap_ns : 0;
    to = put_varint(to, 2 * gap + (processor_ns >= 0));
    if (processor_ns >= 0) to = put_varint(to, (uint64_t)processor_ns);
    return put_varint(to, duration_ns > 0 ? (uint64_t)duration_ns : 0);
}

uint64_t record_stream_records(void) {
    return __atomic_load_n(&stream.records, __ATOMIC_ACQUIRE);
}

static void count_record(void) {
    __atomic_store_n(&stream.records, stream.records + 1, __ATOMIC_RELEASE);
}

/* Writes a record that is larger than the tail as a block of its own. */
static void append_large(const uint8_t *times, size_t times_bytes) {
    const size_t raw = (stream.word_count + 2) * VARINT_BYTES + times_bytes;
    uint8_t *bytes = malloc(raw + compressBound(raw));
    if (bytes == NULL) {
        stop(RECORDING_NO_SPACE, ENOMEM, "cannot record a call");
        return;
    }
    uint8_t *to = put_varint(put_varint(bytes, 0), stream.word_count);
    for (size_t i = 0; i < stream.word_count; i++)
        to = put_varint(to, stream.words[i]);
    memcpy(to, times, times_bytes);
    to += times_bytes;
    if (flush_tail() && write_block(bytes, (size_t)(to - bytes), bytes + raw, compressBound(raw)) &&
        flush_tail())
        count_record();
    free(bytes);
}

void record_append(int64_t gap_ns, int64_t processor_ns, int64_t duration_ns) {
    uint8_t times[TIMES_BYTES];
    const size_t times_bytes =
        (size_t)(put_times(times, gap_ns, processor_ns, duration_ns) - times);
    const size_t max = (stream.word_count + 2) * VARINT_BYTES + TIMES_BYTES;
    if (!stream.is_open) return;
    if (max > RECORDING_TAIL_BYTES) {
        append_large(times, times_bytes);
        return;
    }
    if (stream.used + max > RECORDING_TAIL_BYTES && !flush_tail()) return;
    const uint32_t number = find_signature();
    uint8_t *to = put_varint(stream.tail + stream.used, number);
    if (number == 0) {
        to = put_varint(to, stream.word_count);
        for (size_t i = 0; i < stream.word_count; i++)
            to = put_varint(to, stream.words[i]);
    }
    memcpy(to, times, times_bytes);
    stream.used = (size_t)(to + times_bytes - stream.tail);
    __atomic_store_n(&stream.header->tail_bytes, stream.used, __ATOMIC_RELEASE);
    count_record();
}
