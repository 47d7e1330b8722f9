/*
 * MPI-IO: the calls on files, with the files, offsets and bytes of reads and writes. What the
 * library does inside them, such as the messages of collective buffering, is not recorded. An
 * access through a view with gaps is recorded as if its bytes followed the first one.
 */
#include "record_counts.h"
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

#ifndef RECORD_LARGE
enum { NAME_BYTES = 1024 };

/* Files that are open, and the names of all files so far. Values are numbers plus 1. */
static struct {
    struct record_map numbers; /* handle -> number */
    struct record_map names;   /* hash of the name -> number */
    uint32_t count;
} files;

static uint64_t hash_of(const char *name, size_t length) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)name[i]) * UINT64_C(0x100000001B3);
    return hash;
}

/* Returns the number of a file plus 1, and defines a file with a new name; 0: no memory. */
static uint32_t number_of(const char *name) {
    const size_t length = strnlen(name, NAME_BYTES);
    const uint64_t hash = hash_of(name, length);
    const uint32_t known = record_map_find(&files.names, hash);
    if (known != 0) return known;
    if (!record_map_insert(&files.names, hash, files.count + 1)) return 0;
    record_item(RECORDING_FILE);
    record_word(files.count);
    record_word(length);
    for (size_t i = 0; i < length; i++)
        record_word((uint8_t)name[i]);
    return ++files.count;
}

static void count_call(void) {
    record_item(RECORDING_FILE_BYTES);
    record_word(0);
    record_word(0);
}

PUBLIC int MPI_File_open(MPI_Comm communicator, const char *name, int mode, MPI_Info info,
                         MPI_File *file) {
    CALL;
    const int code = REAL(File_open)(communicator, name, mode, info, file);
    PASS(code);
    START(File_open);
    const uint32_t number = number_of(name);
    if (number != 0) record_map_insert(&files.numbers, RECORD_KEY(*file), number);
    count_call();
    END;
    return code;
}
ALSO_PMPI(File_open)

PUBLIC int MPI_File_close(MPI_File *file) {
    CALL;
    const uint64_t key = RECORD_KEY(*file);
    const int code = REAL(File_close)(file);
    PASS(code);
    START(File_close);
    record_map_remove(&files.numbers, key, record_map_find(&files.numbers, key));
    count_call();
    END;
    return code;
}
ALSO_PMPI(File_close)

/* A function of the MPI library that returns a file pointer. */
typedef int (*pointer_query)(MPI_File file, MPI_Offset *place);

static MPI_Offset offset_of(MPI_File file, pointer_query ask, MPI_Offset place) {
    MPI_Offset offset = -1;
    int mode = 0;
    /* Files with this mode have no places that a program may ask for. */
    if (PMPI_File_get_amode(file, &mode) != MPI_SUCCESS || (mode & MPI_MODE_SEQUENTIAL)) return -1;
    if (ask != NULL && ask(file, &place) != MPI_SUCCESS) return -1;
    return PMPI_File_get_byte_offset(file, place, &offset) == MPI_SUCCESS ? offset : -1;
}

/* Returns the byte offset of the place that `ask` tells, or of `place` if it is NULL; -1: unknown.
 * An error of the recorder's own queries must not reach the application's error handler. The lock
 * keeps other threads from taking ours for the application's. */
static MPI_Offset query_offset(const struct record_call *call, MPI_File file, pointer_query ask,
                               MPI_Offset place) {
    MPI_Errhandler handler;
    MPI_Offset offset = -1;
    if (!call->is_recorded) return -1;
    record_lock();
    if (record_map_find(&files.numbers, RECORD_KEY(file)) != 0 &&
        PMPI_File_get_errhandler(file, &handler) == MPI_SUCCESS) {
        PMPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
        offset = offset_of(file, ask, place);
        PMPI_File_set_errhandler(file, handler);
        PMPI_Errhandler_free(&handler);
    }
    record_unlock();
    return offset;
}

MPI_Offset record_file_at(const struct record_call *call, MPI_File file, MPI_Offset place) {
    return query_offset(call, file, NULL, place);
}

MPI_Offset record_file_own(const struct record_call *call, MPI_File file) {
    return query_offset(call, file, PMPI_File_get_position, 0);
}

MPI_Offset record_file_shared(const struct record_call *call, MPI_File file) {
    return query_offset(call, file, PMPI_File_get_position_shared, 0);
}

MPI_Status *record_file_status(const struct record_call *call, MPI_Status *given, MPI_Status *own) {
    if (!call->is_recorded) return given;
    if (given == MPI_STATUS_IGNORE) given = own;
    /* If the library does not say how many bytes were moved, all count. */
    PMPI_Status_set_elements_x(given, MPI_BYTE, RECORDING_OFFSET_LIMIT);
    return given;
}

/* Returns whether a replay has places for these bytes; no file system has more. */
static bool has_place(uint64_t offset, uint64_t bytes) {
    return bytes < RECORDING_BYTES_LIMIT && offset <= RECORDING_OFFSET_LIMIT - bytes;
}

/* Adds the item of an access of a file with a number, which is 0 if only the bytes are to be
 * recorded. */
static void add_access(const struct record_access *access, uint32_t number, uint32_t slot,
                       uint64_t bytes) {
    const bool writes = (access->flags & RECORDING_FILE_WRITES) != 0;
    if (number != 0) {
        record_item(RECORDING_FILE_ACCESS);
        record_word(number - 1);
        record_word(slot);
        record_word(access->flags);
        record_word(access->offset > 0 ? (uint64_t)access->offset : 0);
        record_word(bytes);
    }
    record_item(RECORDING_FILE_BYTES);
    record_word(writes ? 0 : bytes);
    record_word(writes ? bytes : 0);
}

/* Returns the number of the file of an access plus 1; 0: it was opened before recording began, or
 * no replay has a place for the bytes. */
static uint32_t number_of_access(const struct record_access *access, uint64_t bytes) {
    const uint64_t offset = access->offset > 0 ? (uint64_t)access->offset : 0;
    if (!has_place(offset, bytes)) return 0;
    return record_map_find(&files.numbers, RECORD_KEY(access->file));
}

void record_file_access(const struct record_call *call, const struct record_access *access,
                        int64_t count, MPI_Datatype type, const MPI_Status *status) {
    uint64_t bytes = record_bytes(count, type);
    if (status != NULL) {
        const uint64_t moved = record_received_bytes(status);
        if (moved < bytes) bytes = moved;
    }
    record_call_begin(call, access->call);
    add_access(access, number_of_access(access, bytes), 0, bytes);
    record_call_end(call);
}

void record_begin_file_access(const struct record_call *call, const struct record_access *access,
                              MPI_Request request, int64_t count, MPI_Datatype type) {
    const uint64_t bytes = record_bytes(count, type);
    record_call_begin(call, access->call);
    const uint32_t number = number_of_access(access, bytes);
    const struct record_request *added =
        record_request_add(request, number != 0 ? RECORD_IS_FILE : RECORD_NOTHING, MPI_COMM_NULL);
    if (added != NULL) add_access(access, number, added->slot, bytes);
    record_call_end(call);
}

#define FILE_CALL(name, parameters, arguments)                                                     \
    PUBLIC int MPI_##name parameters {                                                             \
        CALL;                                                                                      \
        const int code = REAL(name) arguments;                                                     \
        PASS(code);                                                                                \
        START(name);                                                                               \
        count_call();                                                                              \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO_PMPI(name)

FILE_CALL(File_delete, (const char *name, MPI_Info info), (name, info))
FILE_CALL(File_set_size, (MPI_File file, MPI_Offset size), (file, size))
FILE_CALL(File_preallocate, (MPI_File file, MPI_Offset size), (file, size))
FILE_CALL(File_set_view,
          (MPI_File file, MPI_Offset place, MPI_Datatype type, MPI_Datatype file_type,
           const char *representation, MPI_Info info),
          (file, place, type, file_type, representation, info))
FILE_CALL(File_sync, (MPI_File file), (file))
FILE_CALL(File_seek_shared, (MPI_File file, MPI_Offset place, int from), (file, place, from))
FILE_CALL(File_read_at_all_end, (MPI_File file, void *buffer, MPI_Status *status),
          (file, buffer, status))
FILE_CALL(File_write_at_all_end, (MPI_File file, const void *buffer, MPI_Status *status),
          (file, buffer, status))
FILE_CALL(File_read_all_end, (MPI_File file, void *buffer, MPI_Status *status),
          (file, buffer, status))
FILE_CALL(File_write_all_end, (MPI_File file, const void *buffer, MPI_Status *status),
          (file, buffer, status))
FILE_CALL(File_read_ordered_end, (MPI_File file, void *buffer, MPI_Status *status),
          (file, buffer, status))
FILE_CALL(File_write_ordered_end, (MPI_File file, const void *buffer, MPI_Status *status),
          (file, buffer, status))
#endif

#define READ_BUFFER  void *buffer
#define WRITE_BUFFER const void *buffer
#define READ         0
#define WRITE        RECORDING_FILE_WRITES
#define ALONE        0
#define TOGETHER     RECORDING_FILE_COLLECTIVE

#define ACCESS(name, where, flags)                                                                 \
    const struct record_access access_ = {RECORDING_CALL_##name, file, where, (flags)}

/* A transfer: whether it is collective, where it begins, with a place or not. */
#define TRANSFER(name, way, who, where, before, given)                                             \
    PUBLIC int C(name)(MPI_File file, before way##_BUFFER, COUNT count, MPI_Datatype type,         \
                       MPI_Status * status) {                                                      \
        CALL;                                                                                      \
        ACCESS(name, where, way | (who));                                                          \
        MPI_Status own_;                                                                           \
        status = record_file_status(&call_, status, &own_);                                        \
        const int code = REAL_C(name)(file, given buffer, count, type, status);                    \
        PASS(code);                                                                                \
        record_file_access(&call_, &access_, count, type, status);                                 \
        return code;                                                                               \
    }                                                                                              \
    ALSO(name)

/* The beginning of a transfer in two calls, of which the second one has the status. */
#define HALF(name, way, where, before, given)                                                      \
    PUBLIC int C(name)(MPI_File file, before way##_BUFFER, COUNT count, MPI_Datatype type) {       \
        CALL;                                                                                      \
        ACCESS(name, where, way | TOGETHER);                                                       \
        const int code = REAL_C(name)(file, given buffer, count, type);                            \
        PASS(code);                                                                                \
        record_file_access(&call_, &access_, count, type, NULL);                                   \
        return code;                                                                               \
    }                                                                                              \
    ALSO(name)

#define BEGUN(name, way, who, where, before, given)                                                \
    PUBLIC int C(name)(MPI_File file, before way##_BUFFER, COUNT count, MPI_Datatype type,         \
                       MPI_Request * request) {                                                    \
        CALL;                                                                                      \
        ACCESS(name, where, way | (who));                                                          \
        const int code = REAL_C(name)(file, given buffer, count, type, request);                   \
        PASS(code);                                                                                \
        record_begin_file_access(&call_, &access_, *request, count, type);                         \
        return code;                                                                               \
    }                                                                                              \
    ALSO(name)

/* Lists of arguments that begin or end with a comma. */
/* clang-format off */
#define AT    MPI_Offset place,
#define PLACE place,
#define NONE
#define THERE  record_file_at(&call_, file, place)
#define OWN    record_file_own(&call_, file)
#define SHARED record_file_shared(&call_, file)
TRANSFER(File_read_at, READ, ALONE, THERE, AT, PLACE)
TRANSFER(File_read_at_all, READ, TOGETHER, THERE, AT, PLACE)
TRANSFER(File_write_at, WRITE, ALONE, THERE, AT, PLACE)
TRANSFER(File_write_at_all, WRITE, TOGETHER, THERE, AT, PLACE)
TRANSFER(File_read, READ, ALONE, OWN, NONE, NONE)
TRANSFER(File_read_all, READ, TOGETHER, OWN, NONE, NONE)
TRANSFER(File_write, WRITE, ALONE, OWN, NONE, NONE)
TRANSFER(File_write_all, WRITE, TOGETHER, OWN, NONE, NONE)
TRANSFER(File_read_shared, READ, ALONE, SHARED, NONE, NONE)
TRANSFER(File_write_shared, WRITE, ALONE, SHARED, NONE, NONE)
TRANSFER(File_read_ordered, READ, TOGETHER, SHARED, NONE, NONE)
TRANSFER(File_write_ordered, WRITE, TOGETHER, SHARED, NONE, NONE)
HALF(File_read_at_all_begin, READ, THERE, AT, PLACE)
HALF(File_write_at_all_begin, WRITE, THERE, AT, PLACE)
HALF(File_read_all_begin, READ, OWN, NONE, NONE)
HALF(File_write_all_begin, WRITE, OWN, NONE, NONE)
HALF(File_read_ordered_begin, READ, SHARED, NONE, NONE)
HALF(File_write_ordered_begin, WRITE, SHARED, NONE, NONE)
BEGUN(File_iread_at, READ, ALONE, THERE, AT, PLACE)
BEGUN(File_iwrite_at, WRITE, ALONE, THERE, AT, PLACE)
BEGUN(File_iread_at_all, READ, TOGETHER, THERE, AT, PLACE)
BEGUN(File_iwrite_at_all, WRITE, TOGETHER, THERE, AT, PLACE)
BEGUN(File_iread, READ, ALONE, OWN, NONE, NONE)
BEGUN(File_iwrite, WRITE, ALONE, OWN, NONE, NONE)
BEGUN(File_iread_all, READ, TOGETHER, OWN, NONE, NONE)
BEGUN(File_iwrite_all, WRITE, TOGETHER, OWN, NONE, NONE)
BEGUN(File_iread_shared, READ, ALONE, SHARED, NONE, NONE)
BEGUN(File_iwrite_shared, WRITE, ALONE, SHARED, NONE, NONE)
/* clang-format on */
