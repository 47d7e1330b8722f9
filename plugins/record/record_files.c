/*
 * MPI-IO: the calls on files, with their bytes. What the library does inside them, such as the
 * messages of collective buffering, is not recorded.
 */
#include "record_counts.h"
#include "recorder.h"

#ifndef RECORD_LARGE
void record_file(const struct record_call *call, recording_call number, int64_t count,
                 MPI_Datatype type, bool reads) {
    const uint64_t bytes = record_bytes(count, type);
    record_start(call, number);
    record_item(RECORDING_FILE_BYTES);
    record_word(reads ? bytes : 0);
    record_word(reads ? 0 : bytes);
    record_end(call);
}

void record_begin_file(const struct record_call *call, recording_call number, MPI_Request request,
                       int64_t count, MPI_Datatype type, bool reads) {
    const uint64_t bytes = record_bytes(count, type);
    record_start(call, number);
    (void)record_request_add(request, RECORD_NOTHING, MPI_COMM_NULL);
    record_item(RECORDING_FILE_BYTES);
    record_word(reads ? bytes : 0);
    record_word(reads ? 0 : bytes);
    record_end(call);
}

#define FILE_CALL(name, parameters, arguments)                                                     \
    PUBLIC int MPI_##name parameters {                                                             \
        CALL;                                                                                      \
        const int code = REAL(name) arguments;                                                     \
        PASS(code);                                                                                \
        record_file(&call_, RECORDING_CALL_##name, 0, MPI_DATATYPE_NULL, true);                    \
        return code;                                                                               \
    }                                                                                              \
    ALSO_PMPI(name)

FILE_CALL(File_open,
          (MPI_Comm communicator, const char *name, int mode, MPI_Info info, MPI_File *file),
          (communicator, name, mode, info, file))
FILE_CALL(File_close, (MPI_File * file), (file))
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

/* A transfer: with an offset or not, and what stands after the type. */
#define TRANSFER(name, way, reads, before, given, after, passed)                                   \
    PUBLIC int C(name)(MPI_File file, before way##_BUFFER, COUNT count, MPI_Datatype type after) { \
        CALL;                                                                                      \
        const int code = REAL_C(name)(file, given buffer, count, type passed);                     \
        PASS(code);                                                                                \
        record_file(&call_, RECORDING_CALL_##name, count, type, reads);                            \
        return code;                                                                               \
    }                                                                                              \
    ALSO(name)

#define BEGUN(name, way, reads, before, given)                                                     \
    PUBLIC int C(name)(MPI_File file, before way##_BUFFER, COUNT count, MPI_Datatype type,         \
                       MPI_Request * request) {                                                    \
        CALL;                                                                                      \
        const int code = REAL_C(name)(file, given buffer, count, type, request);                   \
        PASS(code);                                                                                \
        record_begin_file(&call_, RECORDING_CALL_##name, *request, count, type, reads);            \
        return code;                                                                               \
    }                                                                                              \
    ALSO(name)

/* clang-format off: lists of arguments that begin or end with a comma */
#define AT     MPI_Offset place,
#define PLACE  place,
#define STATUS , MPI_Status *status
#define STATED , status
#define NONE
TRANSFER(File_read_at, READ, true, AT, PLACE, STATUS, STATED)
TRANSFER(File_read_at_all, READ, true, AT, PLACE, STATUS, STATED)
TRANSFER(File_write_at, WRITE, false, AT, PLACE, STATUS, STATED)
TRANSFER(File_write_at_all, WRITE, false, AT, PLACE, STATUS, STATED)
TRANSFER(File_read, READ, true, NONE, NONE, STATUS, STATED)
TRANSFER(File_read_all, READ, true, NONE, NONE, STATUS, STATED)
TRANSFER(File_write, WRITE, false, NONE, NONE, STATUS, STATED)
TRANSFER(File_write_all, WRITE, false, NONE, NONE, STATUS, STATED)
TRANSFER(File_read_shared, READ, true, NONE, NONE, STATUS, STATED)
TRANSFER(File_write_shared, WRITE, false, NONE, NONE, STATUS, STATED)
TRANSFER(File_read_ordered, READ, true, NONE, NONE, STATUS, STATED)
TRANSFER(File_write_ordered, WRITE, false, NONE, NONE, STATUS, STATED)
TRANSFER(File_read_at_all_begin, READ, true, AT, PLACE, NONE, NONE)
TRANSFER(File_write_at_all_begin, WRITE, false, AT, PLACE, NONE, NONE)
TRANSFER(File_read_all_begin, READ, true, NONE, NONE, NONE, NONE)
TRANSFER(File_write_all_begin, WRITE, false, NONE, NONE, NONE, NONE)
TRANSFER(File_read_ordered_begin, READ, true, NONE, NONE, NONE, NONE)
TRANSFER(File_write_ordered_begin, WRITE, false, NONE, NONE, NONE, NONE)
BEGUN(File_iread_at, READ, true, AT, PLACE)
BEGUN(File_iwrite_at, WRITE, false, AT, PLACE)
BEGUN(File_iread_at_all, READ, true, AT, PLACE)
BEGUN(File_iwrite_at_all, WRITE, false, AT, PLACE)
BEGUN(File_iread, READ, true, NONE, NONE)
BEGUN(File_iwrite, WRITE, false, NONE, NONE)
BEGUN(File_iread_all, READ, true, NONE, NONE)
BEGUN(File_iwrite_all, WRITE, false, NONE, NONE)
BEGUN(File_iread_shared, READ, true, NONE, NONE)
BEGUN(File_iwrite_shared, WRITE, false, NONE, NONE)
/* clang-format on */
